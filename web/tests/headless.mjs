// Runs a page without a browser, as the commands do.
import { spawn } from "node:child_process";

/** Of report/pictures.cpp. */
const RUN_PAGE = `
process.on("uncaughtException", (error) => { console.error(String(error)); process.exit(1); });
const page = require("node:fs").readFileSync(0, "utf8");
const script = page.slice(page.indexOf("<script>") + 8, page.lastIndexOf("</script>"));
globalThis.shortfall_page = page;
require("node:vm").runInThisContext(script, { filename: "page", displayErrors: false });
`;

/**
 * @param {string} html a page with its data
 * @param {string} [before] a script to run before
 * @returns {Promise<Object<string, string>>} its charts by name, as SVG
 */
export function pictures_of(html, before = "") {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["-e", before + RUN_PAGE]);
    const out = [];
    const err = [];
    child.stdout.on("data", (part) => out.push(part));
    child.stderr.on("data", (part) => err.push(part));
    child.on("error", reject);
    child.on("close", (code) => {
      const said = Buffer.concat(err).toString();
      if (code !== 0 || said !== "") reject(new Error(`exit code ${code}: ${said}`));
      else resolve(JSON.parse(Buffer.concat(out).toString()));
    });
    child.stdin.on("error", () => {}); // it ended before it had read everything, and says why
    child.stdin.end(html);
  });
}
