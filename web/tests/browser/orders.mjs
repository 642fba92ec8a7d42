/** Binomials from Pascal's triangle, computed independently of the page. */
function pascal(size) {
  const rows = [[1]];
  for (let n = 1; n <= size; ++n) {
    rows.push(
      Array.from({ length: n + 1 }, (_, k) => (rows[n - 1][k - 1] ?? 0) + (rows[n - 1][k] ?? 0)),
    );
  }
  return (n, k) => rows[n][k] ?? 0;
}

/**
 * The number of a stock, by counting the stocks before it: those with a smaller total, then those
 * with the same total and fewer units in all ages but the last, and so on.
 */
function independent_rank(stock, choose) {
  let number = 0;
  for (let k = stock.length; k >= 1; --k) {
    const total = stock.slice(0, k).reduce((sum, units) => sum + units, 0);
    // Stocks of k ages with a total of 0, 1, .., total - 1: C(t + k - 1, k - 1) each.
    for (let t = 0; t < total; ++t) number += choose(t + k - 1, k - 1);
  }
  return number;
}

/** The order in the digits of the plan, or of another rule. */
export function order_of(data, day, stock, digits = data.orders.digits) {
  const { ages, capacity } = data.orders;
  const choose = pascal(capacity + ages + 1);
  const stocks = choose(capacity + ages, ages);
  const width = capacity > 35 ? 2 : 1;
  const at = (day * stocks + independent_rank(stock, choose)) * width;
  return parseInt(digits.slice(at, at + width), 36);
}

function stocks_to_try({ ages, capacity }) {
  if (ages === 0) return [[]];
  const empty = Array(ages).fill(0);
  const with_units = (pairs) => Object.assign([...empty], Object.fromEntries(pairs));
  const spread = empty.map((_, i) => (i < 3 ? i + 1 : 0));
  return [
    empty,
    with_units([[0, 3]]),
    with_units([[ages - 1, 4]]),
    with_units([
      [0, 1],
      [ages - 1, ages > 1 ? 2 : 1],
    ]),
    spread,
    with_units([[0, capacity]]),
    with_units([[ages - 1, capacity]]),
  ];
}

/** The form shows the order in the data for several stocks and days, and rejects too many units. */
export async function check_lookup(page, data, report) {
  const { ages, capacity, days } = data.orders;
  const inputs = page.locator("#today input");
  if ((await inputs.count()) !== ages)
    report(`there are ${await inputs.count()} fields for ${ages} ages`);
  for (const day of days > 1 ? [0, 3, 6] : [0]) {
    if (days > 1) await page.locator("#today select").selectOption(String(day));
    for (const stock of stocks_to_try(data.orders)) {
      for (let i = 0; i < ages; ++i) await inputs.nth(i).fill(String(stock[i]));
      // The page updates the answer while it handles the input, so there is nothing to wait for.
      const shown = await page
        .locator("#today output")
        .evaluate((output) => output.querySelector("[data-order]")?.textContent ?? "nothing");
      const expected = order_of(data, day, stock);
      if (Number(shown) !== expected)
        report(`day ${day}, stock (${stock}): shows ${shown}, not ${expected}`);
    }
  }
  if (days > 1) await page.locator("#today select").selectOption("0");
  if (ages === 0) return;
  await inputs.nth(0).fill(String(capacity + 1));
  if ((await page.locator("#today .problem").count()) !== 1)
    report("more units than the shelf holds are accepted");
  await inputs.nth(0).fill("");
  if ((await page.locator("#today [data-order]").count()) !== 1)
    report("an empty field does not count as zero units");
  for (let i = 0; i < ages; ++i) await inputs.nth(i).fill("0");
}

/** The filters of the stock table find the right stocks. */
export async function check_stock_table(page, data, report) {
  const { ages, capacity } = data.orders;
  if (ages === 0) return;
  const place = page.locator("#table-stocks");
  await page.locator("details.all-stocks").evaluate((details) => (details.open = true));
  const read = () =>
    place
      .locator("tbody")
      .evaluate((body) =>
        [...body.rows].map((row) => [...row.cells].map((cell) => Number(cell.textContent))),
      );
  const choose = pascal(capacity + ages + 1);
  const total = Math.min(4, capacity);
  await place.locator("[data-filter=total]").fill(String(total));
  const expected = choose(total + ages - 1, ages - 1);
  const rows = await read();
  if (rows.length !== Math.min(expected, 200))
    report(`${rows.length} stocks of ${total} units shown, not ${expected}`);
  const status = (await place.locator(".count").textContent()).replaceAll("\u202f", "");
  if (!status.startsWith(`${expected} of ${choose(capacity + ages, ages)} `))
    report(`the count is "${status}" for ${expected} stocks`);
  for (const row of rows) {
    const [order, units, ...stock] = row;
    if (stock.reduce((sum, units) => sum + units, 0) !== total || units !== total)
      report(`(${stock}) does not have ${total} units`);
    if (order !== order_of(data, 0, stock))
      report(`(${stock}): order ${order}, not ${order_of(data, 0, stock)}`);
  }
  await place.locator("[data-filter='0']").fill("1");
  const some = await read();
  if (some.length === 0 || some.some((row) => row[2] !== 1 || row[1] !== total)) {
    if (ages > 1) report("combined filters of units and total do not work");
  }
  await place.locator("[data-filter='0']").fill("");
  await place.locator("[data-filter=total]").fill("");
}
