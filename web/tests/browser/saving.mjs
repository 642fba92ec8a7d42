import { readFile } from "node:fs/promises";
import { expected_charts } from "./charts.mjs";

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

async function download(page, button) {
  const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

const FORMATS = {
  SVG: async (bytes, page) => {
    return page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
      if (parsed.querySelector("parsererror")) return "is not well-formed";
      return parsed.querySelectorAll("path, line").length > 3 ? null : "is empty";
    }, bytes.toString("utf8"));
  },
  PNG: async (bytes) => {
    if (!bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return "is not a PNG";
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    return width > 200 && height > 100 && bytes.length > 2000 ? null : `is ${width} by ${height}`;
  },
  CSV: async (bytes) => {
    const lines = bytes.toString("utf8").trimEnd().split("\r\n");
    const fields = (line) => line.replace(/"[^"]*"/g, "x").split(",").length;
    if (lines.length < 2) return "has no rows";
    return lines.every((line) => fields(line) === fields(lines[0])) ? null : "has uneven rows";
  },
};

/** The files saved from the first and last chart and a table have the right names and contents. */
export async function check_saving(page, data, report) {
  const charts = expected_charts(data);
  for (const chart of [charts[0], charts[charts.length - 1]]) {
    for (const [format, check] of Object.entries(FORMATS)) {
      const button = page.locator(`#chart-${chart} .saves button`, { hasText: format });
      const file = await download(page, button);
      const wanted = `${chart}.${format.toLowerCase()}`;
      if (file.name !== wanted) report(`the file name is ${file.name}, not ${wanted}`);
      const fault = await check(file.bytes, page);
      if (fault) report(`${file.name} ${fault}`);
    }
  }
  const button = page.locator("[data-table] .table-head .save").first();
  if ((await button.count()) === 0) return;
  const file = await download(page, button);
  const fault = await FORMATS.CSV(file.bytes);
  if (fault) report(`${file.name} ${fault}`);
}
