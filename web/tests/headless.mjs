// Runs a page without a browser, as the commands do.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The sources of the project, from which this folder may have been copied. */
const sources = process.env.SHORTFALL_SOURCES ?? fileURLToPath(new URL("../..", import.meta.url));
const command = readFileSync(join(sources, "report/pictures.cpp"), "utf8");
const [, RUN_PAGE] = command.match(/run_page = R"\((.*?)\)";/s);

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
