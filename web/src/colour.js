/**
 * The relative luminance of a colour (WCAG 2).
 * @param {number[]} rgb each 0 to 255
 * @returns {number} 0 (black) to 1 (white)
 */
export function luminance(rgb) {
  const [r, g, b] = rgb.map((channel) => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * @param {number[]} a
 * @param {number[]} b
 * @returns {number} the contrast ratio of two colours, 1 to 21
 */
export function contrast(a, b) {
  const [dark, light] = [luminance(a), luminance(b)].sort((p, q) => p - q);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * @param {string} hex "#0b3c66"
 * @returns {number[]}
 */
export function rgb_of(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

/**
 * Interpolates linearly between two colours in RGB.
 * @param {[string, string]} ramp
 * @param {number} fraction
 * @returns {number[]}
 */
export function mix(ramp, fraction) {
  const [from, to] = ramp.map(rgb_of);
  return from.map((channel, i) => Math.round(channel + fraction * (to[i] - channel)));
}

/**
 * Black or white, whichever has more contrast with a colour: always at least 4.5 : 1.
 * @param {number[]} rgb
 * @returns {string}
 */
export function ink_on(rgb) {
  return contrast(rgb, [0, 0, 0]) >= contrast(rgb, [255, 255, 255]) ? "#000000" : "#ffffff";
}
