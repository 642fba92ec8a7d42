/**
 * Widths of characters " " to "~" in hundredths of the font size: DejaVu Sans, the widest of the
 * fonts that charts ask for. In another one, labels have room to spare.
 */
const REGULAR = [
  32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
  64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75,
  79, 60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35,
  63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84,
];

/** The same in bold. */
const BOLD = [
  35, 46, 52, 84, 70, 100, 87, 31, 46, 46, 52, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70, 70,
  70, 70, 70, 40, 40, 84, 84, 84, 58, 100, 77, 76, 73, 83, 68, 68, 82, 84, 37, 37, 77, 64, 100,
  84, 85, 73, 85, 77, 72, 68, 81, 77, 110, 77, 72, 73, 46, 37, 46, 84, 50, 50, 67, 72, 59, 72,
  68, 44, 72, 71, 34, 34, 67, 34, 104, 71, 69, 72, 72, 49, 60, 48, 71, 65, 92, 65, 65, 58, 71,
  37, 71, 84,
];

const FIRST = 32;

/** Greek letters and most signs are at most as wide; spaces that do not break are narrower. */
const OTHER = 84;

/**
 * The width of a text where there is no canvas to measure it; for Vega's `textMetrics`.
 * @param {{fontSize?: number, fontWeight?: string|number, limit?: number}} item a text mark
 * @param {any} text
 * @returns {number} in pixels, at most the limit, at which Vega cuts the text
 */
export function text_width({ fontSize = 11, fontWeight, limit = 0 }, text) {
  const widths = fontWeight === "bold" || Number(fontWeight) >= 600 ? BOLD : REGULAR;
  const hundredths = [...String(text ?? "").trim()].reduce((sum, character) => {
    const shown = /\s/.test(character) ? " " : character;
    return sum + (widths[shown.codePointAt(0) - FIRST] ?? OTHER);
  }, 0);
  const width = (hundredths * fontSize) / 100;
  return limit > 0 ? Math.min(width, limit) : width;
}
