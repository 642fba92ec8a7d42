import { report_some } from "./layout.mjs";

/**
 * Every column of every table sorts in both directions, numbers by size and text alphabetically,
 * without losing rows; every filter shows exactly the matching rows.
 */
export async function check_tables(page, report) {
  await page.evaluate(() =>
    document.querySelectorAll("details").forEach((one) => (one.open = true)),
  );
  const result = await page.evaluate(() => {
    const found = [];
    const checked = { number: 0, text: 0, filter: 0 };
    const plain = (text) =>
      text.replaceAll("\u202f", "").replaceAll("−", "-").replace(/%$/, "").trim();
    const is_number = (text) => /^-?\d+(\.\d+)?(e-?\d+)?$/.test(plain(text));
    const is_word = (text) => /^[A-Za-z][A-Za-z0-9' ]*$/.test(text);
    const rows_of = (table) =>
      [...table.querySelectorAll("tbody tr")].map((row) =>
        [...row.cells].map((cell) => cell.textContent),
      );

    const is_sorted = (values, descending) => {
      const given = values.filter((text) => text !== "–");
      if (values.slice(given.length).some((text) => text !== "–")) return false;
      const keys = given.every(is_number)
        ? given.map((text) => Number(plain(text)))
        : given.map((text) => text.toLowerCase());
      return keys.every(
        (key, i) => i === 0 || (descending ? keys[i - 1] >= key : keys[i - 1] <= key),
      );
    };
    for (const place of document.querySelectorAll("[data-table]:not(#table-verdicts)")) {
      const name = place.dataset.table;
      const table = place.querySelector("table");
      const before = rows_of(table);
      const is_whole = name !== "stocks";
      if (before.length === 0) found.push(`table ${name} is empty`);
      [...table.querySelectorAll("thead th")].forEach((head, column) => {
        const kinds = before.map((row) => row[column]).filter((text) => text !== "–");
        const kind =
          kinds.length === 0
            ? null
            : kinds.every(is_number)
              ? "number"
              : kinds.every(is_word)
                ? "text"
                : null;
        for (const direction of ["ascending", "descending"]) {
          head.querySelector("button").click();
          // The stock table is initially sorted by total, so one click reverses it.
          if (!is_whole && head.getAttribute("aria-sort") !== direction)
            head.querySelector("button").click();
          if (head.getAttribute("aria-sort") !== direction)
            found.push(`${name}: column ${column + 1} is not marked ${direction}`);
          const after = rows_of(table);
          const values = after.map((row) => row[column]);
          if (kind && !is_sorted(values, direction === "descending"))
            found.push(`${name}: column ${column + 1} is not ${direction}`);
          const key = (rows) =>
            rows
              .map((row) => row.join("|"))
              .sort()
              .join("\n");
          if (is_whole && key(after) !== key(before))
            found.push(`${name}: sorting column ${column + 1} changes the rows`);
          if (kind) checked[kind] += 1;
        }
      });
      if (!is_whole) continue;
      for (const select of place.querySelectorAll(".controls select")) {
        const choose = (index) => {
          select.selectedIndex = index;
          select.dispatchEvent(new Event("change", { bubbles: true }));
        };
        const label = select.closest("label").querySelector("span").textContent;
        const heads = [...table.querySelectorAll("thead th")].map((head) => head.textContent);
        const column = heads.indexOf(label);
        for (const index of [1, select.options.length - 1]) {
          choose(index);
          const wanted = select.options[index].textContent;
          const after = rows_of(table).map((row) => row[column]);
          const many = before.filter((row) => row[column] === wanted).length;
          if (
            column < 0 ||
            after.some((text) => text !== wanted) ||
            after.length !== many ||
            many === 0
          ) {
            found.push(
              `${name}: filter ${label} = ${wanted} shows ${after.length} rows, not ${many}`,
            );
          }
          const status = place.querySelector(".count").textContent;
          if (!status.startsWith(String(many)))
            found.push(`${name}: the count is "${status}" for ${many} rows`);
          checked.filter += 1;
        }
        choose(0);
        if (rows_of(table).length !== before.length)
          found.push(`${name}: filter ${label} cannot be reset`);
      }
      const box = place.querySelector(".controls input[type=checkbox]");
      if (box) {
        box.click();
        const wanted = before.filter((row) => row.some((text) => text === "≠ differs")).length;
        if (rows_of(table).length !== wanted)
          found.push(`${name}: the checkbox shows ${rows_of(table).length} rows, not ${wanted}`);
        box.click();
      }
    }
    return { found, checked };
  });
  report_some(result.found, report);
  const has_tables = (await page.locator("[data-table] thead button").count()) > 0;
  const has_words =
    (await page.locator("[data-table=policies], [data-table$=summary]").count()) > 0;
  if (has_tables && result.checked.number === 0) report("no numeric column was sorted");
  if (has_words && result.checked.text === 0) report("no text column was sorted");
  await check_keyboard(page, report);
}

/** Keyboard access: Tab reaches the next header, Enter sorts, the focus is visible. */
async function check_keyboard(page, report) {
  const button = page.locator("[data-table] thead button").nth(1);
  if ((await button.count()) === 0) return;
  const head = page.locator("[data-table] thead th:has(button)").nth(1);
  await button.evaluate((node) => node.closest("tr").querySelector("button").focus());
  await page.keyboard.press("Tab");
  const state = await button.evaluate((node) => ({
    is_focused: document.activeElement === node,
    outline: parseFloat(getComputedStyle(node).outlineWidth),
  }));
  if (!state.is_focused) report("Tab does not move from header to header");
  if (!(state.outline >= 2)) report("the focus is not visible");
  const before = await head.getAttribute("aria-sort");
  await page.keyboard.press("Enter");
  if ((await head.getAttribute("aria-sort")) === before) report("Enter does not sort");
}
