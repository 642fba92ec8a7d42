// Writes OUTDIR/report.html, OUTDIR/plan.html and OUTDIR/study.html: complete pages except for the
// data, which replace <!--DATA-->.   node build.mjs OUTDIR
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

const PAGES = {
  report: "Tables and figures, reproduced · shortfall",
  plan: "What to order · shortfall",
  study: "Learners on a model · shortfall",
};

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, "src", entry)],
    absWorkingDir: here,
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["chrome109", "firefox115", "safari16"],
    platform: "browser",
    charset: "ascii",
    legalComments: "none",
    logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
}

function page(title, style, script) {
  if (/<\/script|<!--/i.test(script)) throw new Error("the script contains </script or <!--");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<!-- Charts: Vega and Vega-Lite, copyright University of Washington Interactive Data Lab, BSD 3-Clause;
     D3, copyright Mike Bostock, ISC. -->
<noscript>This page needs JavaScript, which is disabled.</noscript>
<div id="page"></div>
<!--DATA-->
<script>${script}</script>
</body>
</html>
`;
}

const out = process.argv[2];
if (!out) {
  console.error("usage: node build.mjs OUTDIR");
  process.exit(2);
}
await mkdir(out, { recursive: true });
const style = await bundle("style.css");
for (const [name, title] of Object.entries(PAGES)) {
  const script = await bundle(`${name}_page.js`);
  await writeFile(join(out, `${name}.html`), page(title, style, script));
}
