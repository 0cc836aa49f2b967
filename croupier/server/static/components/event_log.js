// Event log: the sentences of a table's events with their clauses, announced by screen readers.

import { h } from "../lib/render.js";

export function eventLog({ log, eventText }) {
  return h(
    "section",
    { key: "event-log", class: "card event-log" },
    h("h2", {}, "Event log"),
    h(
      "div",
      { role: "log", "aria-live": "polite", "aria-label": "Event log", tabindex: "0" },
      log.map(({ number, sentence, clause }) =>
        h(
          "p",
          { key: number },
          sentence,
          clause ? h("cite", { title: eventText.clauseText(clause) }, ` ${clause}`) : null,
        ),
      ),
    ),
  );
}
