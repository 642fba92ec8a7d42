const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/**
 * The stock and the day in an address, such as #stock=1,2,0,1&day=tue.
 * @param {string} hash
 * @param {{ages: number, days: number}} orders
 * @returns {?{texts: ?string[], day: ?number, problem: ?string}} what it says, null where it says
 *   nothing or does not fit the plan, and that in words; null if it has neither stock nor day
 */
export function read_address(hash, { ages, days }) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  if (!fields.has("stock") && !fields.has("day")) return null;
  const problems = [];
  let texts = null;
  if (fields.has("stock") && ages > 0) {
    texts = fields.get("stock").split(",");
    if (texts.length !== ages || texts.some((text) => !/^\d{1,3}$/.test(text))) {
      const wanted = ages === 1 ? "one whole number" : `${ages} whole numbers with commas`;
      problems.push(`stock=${fields.get("stock")}, where ${wanted} should be`);
      texts = null;
    }
  }
  const day = days > 1 ? DAYS.indexOf(fields.get("day")) : -1;
  if (days > 1 && fields.has("day") && day < 0) {
    problems.push(`day=${fields.get("day")}, where one of ${DAYS.join(", ")} should be`);
  }
  const problem = problems.length > 0 ? `The address says ${problems.join(", and ")}.` : null;
  return { texts, day: day >= 0 ? day : null, problem };
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
