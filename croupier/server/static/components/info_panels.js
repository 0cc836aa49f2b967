// What a player may want to know: how the wagers were settled, what they pay, whether it is fair.

import { dollars, signed } from "../lib/money.js";
import { h } from "../lib/render.js";

export function settled(page) {
  const boxes = page.mine.filter(([, box]) => Object.keys(box.settled).length);
  if (!boxes.length) return null;
  return h(
    "section",
    { key: "settled", class: "card settled", "aria-label": "Settlement" },
    h("h2", {}, page.round.closed ? `Round ${page.round.number}: ` : "Settling: ", h("b", { class: page.net > 0 ? "win" : page.net < 0 ? "lose" : "" }, signed(page.net))),
    boxes.map(([seat, box]) =>
      h(
        "dl",
        { key: seat },
        Object.entries(box.settled).map(([name, one]) =>
          h(
            "div",
            { key: name, class: one.outcome },
            h("dt", {}, page.words.title(name), " ", page.words.outcome(one)),
            h("dd", { class: "sum" }, `${dollars(one.stake)} → ${dollars(one.returned)}`),
            h("dd", { class: "reason" }, one.why ? `${one.why} ` : null, h("cite", { title: page.words.clause(one.clause) }, one.clause), one.why ? null : ` ${page.words.clause(one.clause)}`),
          ),
        ),
        box.envy ? h("div", { class: "win" }, h("dt", {}, "Envy bonus"), h("dd", { class: "sum" }, signed(box.envy))) : null,
      ),
    ),
  );
}

export function paytables(page) {
  const posted = page.house.wagers.filter((wager) => wager.paytable.length);
  return h(
    "div",
    { key: "paytables", class: "paytables" },
    h("h3", {}, "What it pays"),
    posted.map((wager) =>
      h(
        "details",
        { key: wager.name },
        h("summary", {}, wager.title),
        h("table", {}, h("tbody", {}, wager.paytable.map((line) => h("tr", { key: line.hand }, h("td", {}, line.hand), h("td", {}, line.pays))))),
      ),
    ),
  );
}

// Where people deal there is no virtual deck, and nothing to verify.
export function fairness(page) {
  if (!page.state.desk) return null;
  const next = page.state.desk.commitment;
  return h(
    "div",
    { key: "fairness", class: "fairness" },
    h("h3", {}, "Fair cards"),
    h("p", {}, "The next deck is fixed already. Its SHA-256:"),
    h("code", { class: "digest" }, next || "…"),
    page.decks.map((deck) =>
      h(
        "div",
        { key: deck.commitment, class: "revealed" },
        h("p", {}, "A round that is over was dealt from this salt and deck:"),
        h("code", { class: "digest" }, deck.revealed),
        h("p", {}, "It had been committed to as"),
        h("code", { class: "digest" }, deck.commitment),
        h("button", { onclick: () => page.verify(deck) }, "Verify"),
        deck.sum ? h("b", { class: deck.sum === deck.commitment ? "win" : "lose", role: "status" }, deck.sum === deck.commitment ? " The SHA-256 is the same." : " It is not the same!") : null,
      ),
    ),
  );
}
