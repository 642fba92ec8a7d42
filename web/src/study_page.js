import { count } from "./format.js";
import { page_data, section } from "./page_data.js";
import { show_page } from "./page_frame.js";
import { conditions } from "./study/conditions.js";
import { curves } from "./study/curves.js";
import { ends } from "./study/ends.js";
import { file_name } from "./study/labels.js";
import { overview } from "./study/overview.js";
import { values } from "./study/values.js";

const SECTIONS = {
  overview: { title: "What was compared", short: "Overview", build: overview },
  curves: { title: "How the learners approach the values", short: "Curves", build: curves },
  ends: { title: "Where they end", short: "Ends", build: ends },
  conditions: { title: "When convergence is guaranteed", short: "Conditions", build: conditions },
  values: { title: "Exact values by state", short: "Values", build: values },
};

function main() {
  const data = page_data();
  const settings = `shortfall ${data.version}, seed ${data.seed}`;
  const model = file_name(data.model);
  document.title = `Learners on ${model} · shortfall`;
  show_page({
    title: `Learners on ${model}`,
    subtitle: [
      data.about === "" ? "" : `${data.about[0].toUpperCase()}${data.about.slice(1)}. `,
      `${count(data.states)} states, `,
      `${count(data.replications)} runs of ${count(data.samples)} updates.`,
    ],
    settings,
    sections: Object.entries(SECTIONS).map(([id, { title, build }]) =>
      section(id, title, ...build(data)),
    ),
    short_name: (id) => SECTIONS[id].short,
  });
}

main();
