/** Pascal's triangle: another way to the binomials than that of the page. */
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
 * The number of a stock by counting those before it: all with a smaller total, and among those with
 * the same total the ones with fewer units younger than the oldest-lived age, and so on.
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

function order_of(data, day, stock) {
  const { ages, capacity, digits } = data.orders;
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

/** The order shown is the one in the data, for several stocks and days; too much is refused. */
export async function check_lookup(page, data, say) {
  const { ages, capacity, days } = data.orders;
  const inputs = page.locator("#today input");
  if ((await inputs.count()) !== ages)
    say(`there are ${await inputs.count()} fields for ${ages} ages`);
  for (const day of days > 1 ? [0, 3, 6] : [0]) {
    if (days > 1) await page.locator("#today select").selectOption(String(day));
    for (const stock of stocks_to_try(data.orders)) {
      for (let i = 0; i < ages; ++i) await inputs.nth(i).fill(String(stock[i]));
      const shown = await page
        .locator("#today [data-order]")
        .textContent({ timeout: 2000 })
        .catch(() => "nothing");
      const right = order_of(data, day, stock);
      if (Number(shown.replaceAll("\u202f", "")) !== right)
        say(`day ${day}, stock (${stock}): shows ${shown}, not ${right}`);
    }
  }
  if (ages === 0) return;
  await inputs.nth(0).fill(String(capacity + 1));
  if ((await page.locator("#today .problem").count()) !== 1)
    say("more units than the shelf holds are not refused");
  await inputs.nth(0).fill("");
  if ((await page.locator("#today [data-order]").count()) !== 1)
    say("an empty field is not no units");
  await inputs.nth(0).fill("0");
}

/** The table of all stocks finds the stocks it should, and quickly. */
export async function check_stock_table(page, data, say) {
  const { ages, capacity } = data.orders;
  if (ages === 0) return;
  const place = page.locator("#table-stocks");
  const read = () =>
    place
      .locator("tbody")
      .evaluate((body) =>
        [...body.rows].map((row) => [...row.cells].map((cell) => Number(cell.textContent))),
      );
  const choose = pascal(capacity + ages + 1);
  const total = Math.min(4, capacity);
  const seconds = await place.locator("[data-filter=total]").evaluate((input, value) => {
    const start = performance.now();
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    return (performance.now() - start) / 1000;
  }, String(total));
  if (seconds > 1.5) say(`filtering takes ${seconds.toFixed(2)} s`);
  const many = choose(total + ages - 1, ages - 1);
  const rows = await read();
  if (rows.length !== Math.min(many, 200))
    say(`${rows.length} stocks of ${total} units shown, there are ${many}`);
  const status = (await place.locator(".count").textContent()).replaceAll("\u202f", "");
  if (!status.startsWith(`${many} of ${choose(capacity + ages, ages)} `))
    say(`the count says "${status}" for ${many}`);
  for (const row of rows) {
    const stock = row.slice(0, ages);
    if (stock.reduce((sum, units) => sum + units, 0) !== total || row[ages] !== total)
      say(`(${stock}) has not ${total} units`);
    if (row[ages + 1] !== order_of(data, 0, stock))
      say(`(${stock}): order ${row[ages + 1]}, not ${order_of(data, 0, stock)}`);
  }
  await place.locator("[data-filter='0']").fill("1");
  const some = await read();
  if (some.length === 0 || some.some((row) => row[0] !== 1 || row[ages] !== total)) {
    if (ages > 1) say("filters of units and total together do not work");
  }
  await place.locator("[data-filter='0']").fill("");
  await place.locator("[data-filter=total]").fill("");
}
