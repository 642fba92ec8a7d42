const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/**
 * The stock and the day in an address, such as #stock=1,2,0,1&day=tue.
 * @param {string} hash
 * @param {{ages: number, days: number}} orders
 * @returns {?{texts: string[], day: ?number}} null if it has no stock that fits the plan
 */
export function read_address(hash, { ages, days }) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  if (!fields.has("stock") && !(ages === 0 && fields.has("day"))) return null;
  const texts = ages === 0 ? [] : (fields.get("stock") ?? "").split(",");
  if (texts.length !== ages || texts.some((text) => !/^\d{1,3}$/.test(text))) return null;
  const day = DAYS.indexOf(fields.get("day"));
  return { texts, day: days > 1 && day >= 0 ? day : null };
}

/**
 * @param {{stock: number[], day: number}} today
 * @param {{days: number}} orders
 * @returns {string} "#stock=1,2,0,1&day=tue"
 */
export function address_of({ stock, day }, { days }) {
  const fields = stock.length > 0 ? [`stock=${stock.join(",")}`] : [];
  if (days > 1) fields.push(`day=${DAYS[day]}`);
  return fields.length > 0 ? `#${fields.join("&")}` : "";
}
