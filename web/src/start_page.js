import { textMetrics } from "vega";
import { inert_document, inert_globals, inert_window } from "./headless/inert_document.js";
import { picture } from "./headless/picture.js";
import { text_width } from "./headless/text_width.js";
import { charts_of_page } from "./render_queue.js";

/**
 * Runs a page: in a browser as it is; in Node, where `globalThis.shortfall_page` is its text, the
 * page prints its charts as one JSON document, {name: SVG}, instead.
 * @param {() => void} main builds the page
 */
export function start_page(main) {
  if (typeof document !== "undefined") main();
  else print_pictures(main, globalThis.shortfall_page);
}

function print_pictures(main, text) {
  const [, data] = /<script type="application\/json" id="data">([^<]*)<\/script>/.exec(text);
  const made = inert_document(data);
  Object.assign(globalThis, { document: made, window: inert_window(), ...inert_globals });
  textMetrics.width = text_width;
  main();
  // Once nothing is left to do: a page may compute in slices.
  process.once("beforeExit", async () => {
    const shown = made
      .getElementById("page")
      .descendants()
      .map((element) => element.getAttribute("data-chart"));
    const pictures = {};
    for (const chart of charts_of_page()) {
      if (shown.includes(chart.name)) pictures[chart.name] = await picture(chart);
    }
    process.stdout.write(JSON.stringify(pictures));
  });
}
