// Overlay for jackpots and envy bonuses, over the felt until the next round or until closed.

import { dollars } from "../lib/money.js";
import { h } from "../lib/render.js";

const FALLING_CHIPS = 36;
const CHIP_DOLLARS = [1, 5, 25, 100, 500];

export class WinOverlay {
  constructor(page) {
    this.page = page;
    this.wins = []; // of this round
  }

  onEvent(event, sentence) {
    if (event.kind === "round_opened") this.wins = [];
    if (event.kind === "meter_paid" || event.kind === "envy_paid")
      this.wins = [...this.wins, { sentence, cents: event.paid }];
  }

  // Returns whether the overlay was open.
  close() {
    const open = this.wins.length > 0;
    this.wins = [];
    return open;
  }

  draw() {
    if (!this.wins.length) return null;
    const total = this.wins.reduce((sum, win) => sum + win.cents, 0);
    return h(
      "div",
      { key: "win-overlay", class: "win-overlay" },
      h(
        "div",
        { key: "chips", class: "falling-chips", "aria-hidden": "true" },
        Array.from({ length: FALLING_CHIPS }, (_, index) =>
          h("i", {
            key: index,
            class: `disc chip-${CHIP_DOLLARS[index % CHIP_DOLLARS.length]}`,
            vars: { "--left": `${(index * 61) % 100}%`, "--delay": `${(index * 137) % 900}ms` },
          }),
        ),
      ),
      h(
        "div",
        { key: "banner", class: "banner", role: "status" },
        this.wins.map((win, index) => h("p", { key: index }, h("b", {}, win.sentence))),
        this.wins.length > 1 ? h("p", { key: "total", class: "total" }, dollars(total)) : null,
        h(
          "button",
          {
            key: "close",
            type: "button",
            class: "quiet",
            onclick: () => {
              this.close();
              this.page.draw();
            },
          },
          "Close",
        ),
      ),
    );
  }
}
