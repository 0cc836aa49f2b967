// The strip of the dealer's console: stub, counts, decks and the next deadline.

import "./elapsed_time.js";
import { h } from "../lib/render.js";
import { outageText } from "../lib/outage.js";
import { readable } from "../lib/text.js";

export function deckStatus(page) {
  const decks = page.view.decks ?? [];
  const deadline = page.view.deadline;
  const outage = outageText(page.connected, page.state.unavailable, page.view.disabled);
  return h(
    "dl",
    { class: "deck-status", "aria-label": "Deck", tabindex: "0" }, // it scrolls on a phone
    outage
      ? h(
          "div",
          { key: "outage" },
          h("dt", {}, page.view.disabled ? "Gaming" : "Server"),
          h("dd", { class: "problem" }, h("span", { role: "status" }, outage)),
        )
      : null,
    h(
      "div",
      { key: "stub" },
      h("dt", {}, "Stub"),
      h(
        "dd",
        { class: "stub" },
        page.round && !page.round.closed ? `${page.round.left_in_deck} cards` : "–",
      ),
    ),
    h(
      "div",
      { key: "count" },
      h("dt", {}, "Rounds since count"),
      h("dd", {}, String(page.view.rounds_since_count ?? "–")),
    ),
    decks.map((deck) =>
      h(
        "div",
        { key: deck.name },
        h("dt", {}, `Deck ${deck.name}, ${readable(deck.stage).toLowerCase()}`),
        h(
          "dd",
          {},
          deck.entered_at === null
            ? "not in use"
            : h("croupier-elapsed-time", {
                since: deck.entered_at,
                offset: page.clockOffset,
                selfRendered: true,
              }),
        ),
      ),
    ),
    deadline
      ? h(
          "div",
          { key: "deadline" },
          h("dt", {}, deadline.what),
          h(
            "dd",
            {},
            h("croupier-elapsed-time", {
              until: deadline.at,
              offset: page.clockOffset,
              selfRendered: true,
            }),
            h("cite", {}, ` ${deadline.clause}`),
          ),
        )
      : null,
  );
}
