// Settled wagers, and the verification of the deck of a practice table.

import { dollars, signedDollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { clauseText } from "../lib/table_text.js";

// One settled wager with the reason and the clause: stake and return, or the net result.
export function settledWager(house, wager, { key, title, reason = wager.why, net = false }) {
  const clause = clauseText(house, wager.clause);
  return h(
    "div",
    { key, class: wager.outcome },
    h("dt", {}, title),
    h(
      "dd",
      {},
      net
        ? signedDollars(wager.returned - wager.stake)
        : `${dollars(wager.stake)} → ${dollars(wager.returned)}`,
    ),
    h(
      "dd",
      { class: "reason" },
      reason ? `${reason} ` : null,
      h("cite", { title: clause }, wager.clause),
      reason || net ? null : ` ${clause}`,
    ),
  );
}

export function resultClass(cents) {
  return cents > 0 ? "win" : cents < 0 ? "lose" : "";
}

// A staffed table has no virtual deck to verify.
export function deckVerificationPanel(page) {
  if (!page.state.desk) return null;
  return h(
    "div",
    { key: "verification" },
    h("h3", {}, "Deck verification"),
    h("p", {}, "The next deck is already set. Its SHA-256:"),
    h("code", { class: "digest" }, page.state.desk.commitment || "…"),
    page.decks.map((deck) =>
      h(
        "div",
        { key: deck.commitment, class: "revealed-deck" },
        h("p", {}, "Salt and deck of a finished round:"),
        h("code", { class: "digest" }, deck.revealed),
        h("p", {}, "SHA-256 published before the bets:"),
        h("code", { class: "digest" }, deck.commitment),
        h("button", { onclick: () => page.verify(deck) }, "Verify"),
        deck.sum
          ? h(
              "b",
              { class: deck.sum === deck.commitment ? "win" : "lose", role: "status" },
              deck.sum === deck.commitment
                ? " Verified: the SHA-256 matches."
                : " The SHA-256 does not match.",
            )
          : null,
      ),
    ),
  );
}
