import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const script = fileURLToPath(new URL("../build.mjs", import.meta.url));

async function built(folder) {
  await promisify(execFile)(process.execPath, [script, folder]);
  return Promise.all(
    ["report.html", "plan.html", "study.html"].map((name) => readFile(join(folder, name), "utf8")),
  );
}

test("templates are complete, reproducible pages with one placeholder for data before the script", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pages-"));
  try {
    const first = await built(join(folder, "first"));
    assert.deepEqual(await built(join(folder, "second")), first);
    for (const page of first) {
      assert.equal(page.split("<!--DATA-->").length, 2);
      assert.ok(page.indexOf("<!--DATA-->") < page.indexOf("<script>"));
      assert.equal(page.split("</script>").length, 2);
      assert.ok(page.length < 1.5e6);
      assert.doesNotMatch(
        page.slice(0, page.indexOf("<script>")),
        /(src|href)="(?!data:)|@import|url\(/,
      );
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
