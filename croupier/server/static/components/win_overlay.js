// A jackpot or an envy bonus is worth a moment: over the felt, until the next round or a key.

import { dollars } from "../lib/money.js";
import { h } from "../lib/render.js";

const PIECES = 36; // chips that fall
const KINDS = [1, 5, 25, 100, 500];

export class Celebration {
  constructor(page) {
    this.page = page;
    this.won = []; // of this round
  }

  happened(event) {
    if (event.kind === "round_opened") this.won = [];
    if (event.kind === "meter_paid") this.won = [...this.won, { what: `${event.meter} jackpot`, to: event.seat, cents: event.paid }];
    if (event.kind === "envy_paid") this.won = [...this.won, { what: `envy bonus for ${this.page.words.whose(event.holder)} ${event.hand}`, to: event.seat, cents: event.paid }];
  }

  // Whether there was something to put away.
  close() {
    const open = this.won.length > 0;
    this.won = [];
    return open;
  }

  draw() {
    if (!this.won.length) return null;
    const all = this.won.reduce((sum, each) => sum + each.cents, 0);
    return h(
      "div",
      { key: "celebration", class: "celebration" },
      h("div", { key: "chips", class: "rain", "aria-hidden": "true" }, Array.from({ length: PIECES }, (_, index) => h("i", { key: index, class: `disc chip-${KINDS[index % KINDS.length]}`, vars: { "--at": `${(index * 61) % 100}%`, "--late": `${(index * 137) % 900}ms` } }))),
      h(
        "div",
        { key: "banner", class: "banner", role: "status" },
        this.won.map((each, index) => h("p", { key: index }, h("span", {}, `${this.page.words.who(each.to)}: ${each.what} `), h("b", {}, dollars(each.cents)))),
        this.won.length > 1 ? h("p", { key: "all", class: "all" }, dollars(all)) : null,
        h("button", { key: "close", type: "button", class: "quiet", onclick: () => { this.close(); this.page.draw(); } }, "Thank you"),
      ),
    );
  }
}
