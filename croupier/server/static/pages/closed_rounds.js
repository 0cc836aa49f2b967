// The rounds of a table for its supervisors, step by step with the cards that lay face up.

import { MyHands } from "./my_hands.js";
import { drawFelt } from "../components/felt.js";
import { dollars, signedDollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { getJson } from "../lib/api.js";
import { capitalize } from "../lib/text.js";
import { dayText, timeText } from "../lib/time.js";

class ClosedRounds extends MyHands {
  get listPath() {
    return `/rounds?${new URLSearchParams({ table: this.own })}`;
  }

  get path() {
    return `/tables/${encodeURIComponent(this.own)}/rounds`;
  }

  get listTitle() {
    return "Rounds of this table";
  }

  get tablePath() {
    return `/console/${encodeURIComponent(this.own)}?role=${this.dataset.role}`;
  }

  async read(path) {
    const replay = await getJson(path);
    return { player: "", title: `Round ${replay.round}`, house: this.own, replay };
  }

  board() {
    return drawFelt(this);
  }

  extras() {
    return null;
  }

  list() {
    return h(
      "section",
      { key: "list", class: "card", "aria-label": this.listTitle },
      h("h2", {}, this.listTitle),
      this.rounds.length ? null : h("p", { key: "none" }, "No rounds yet."),
      h(
        "ul",
        { key: "rounds", class: "search-results", tabindex: "0" },
        this.rounds.map((round) => this.listed(round)),
      ),
    );
  }

  listed({ round, time, players, hands, staked, returned, void: isVoid }) {
    const facts = [players.map(capitalize).join(", "), ...hands, `${dollars(staked)} bet`];
    const isOpen = this.played?.replay.round === round;
    return h(
      "li",
      { key: round },
      h(
        "button",
        {
          type: "button",
          "aria-current": isOpen ? "true" : null,
          onclick: () => this.open(`${this.path}/${round}`),
        },
        h("b", {}, `Round ${round}: ${isVoid ? "void" : `players ${signedDollars(returned - staked)}`}`),
        h("small", {}, [`${dayText(time)} ${timeText(time)}`, ...facts].join(" · ")),
      ),
    );
  }
}

customElements.define("croupier-closed-rounds", ClosedRounds);
