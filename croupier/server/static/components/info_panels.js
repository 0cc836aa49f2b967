// Information panels of the player page: settlement, paytables, deck verification.

import { dollars, signedDollars } from "../lib/money.js";
import { h } from "../lib/render.js";

export function settlementPanel(page) {
  const boxes = page.ownBoxes.filter(([, box]) => Object.keys(box.settled).length);
  if (!boxes.length) return null;
  return h(
    "section",
    { key: "settlement", class: "card settlement", "aria-label": "Settlement" },
    h(
      "h2",
      {},
      page.round.closed ? `Round ${page.round.number}: ` : "Settling: ",
      h("b", { class: resultClass(page.net) }, signedDollars(page.net)),
    ),
    boxes.map(([seat, box]) =>
      h(
        "dl",
        { key: seat },
        Object.entries(box.settled).map(([name, wager]) =>
          settledWager(page.eventText, wager, {
            key: name,
            title: `${page.eventText.wagerTitle(name)} ${page.eventText.outcomeText(wager)}`,
          }),
        ),
        box.envy
          ? h(
              "div",
              { class: "win" },
              h("dt", {}, "Envy bonus"),
              h("dd", {}, signedDollars(box.envy)),
            )
          : null,
      ),
    ),
  );
}

// One settled wager: stake and return, with the reason and the clause.
export function settledWager(eventText, wager, { key, title, reason = wager.why }) {
  const clause = eventText.clauseText(wager.clause);
  return h(
    "div",
    { key, class: wager.outcome },
    h("dt", {}, title),
    h("dd", {}, `${dollars(wager.stake)} → ${dollars(wager.returned)}`),
    h(
      "dd",
      { class: "reason" },
      reason ? `${reason} ` : null,
      h("cite", { title: clause }, wager.clause),
      reason ? null : ` ${clause}`,
    ),
  );
}

export function resultClass(cents) {
  return cents > 0 ? "win" : cents < 0 ? "lose" : "";
}

export function paytablesPanel(page) {
  const wagers = page.house.wagers.filter((wager) => wager.paytable.length);
  return h(
    "div",
    { key: "paytables", class: "paytables" },
    h("h3", {}, "Paytables"),
    wagers.map((wager) =>
      h(
        "details",
        { key: wager.name },
        h("summary", {}, wager.title),
        h(
          "table",
          {},
          h(
            "tbody",
            {},
            wager.paytable.map((line) =>
              h("tr", { key: line.hand }, h("td", {}, line.hand), h("td", {}, line.pays)),
            ),
          ),
        ),
      ),
    ),
  );
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
