// Event log: the sentences of a table's events with their clauses, announced by screen readers.

import { h } from "../lib/render.js";
import { clauseText } from "../lib/table_text.js";

export function eventLog({ log, house }, title = "Event log") {
  return h(
    "section",
    { key: "event-log", class: "card event-log" },
    h("h2", {}, title),
    h(
      "div",
      { role: "log", "aria-live": "polite", "aria-label": title, tabindex: "0" },
      log.map(({ number, sentence, clause }) =>
        h(
          "p",
          { key: number },
          sentence,
          clause ? h("cite", { title: clauseText(house, clause) }, ` ${clause}`) : null,
        ),
      ),
    ),
  );
}
