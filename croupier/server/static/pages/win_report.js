// What a table has won, against theory: every bet with its band.

import { dollars } from "../lib/money.js";
import { h, render } from "../lib/render.js";
import { read } from "../lib/api.js";

const EVERY = 3000; // while a main game is worked out
const BANDS = { exact: "exact", variance: "by variance", "": "none yet" };

class Report extends HTMLElement {
  connectedCallback() {
    this.path = `/tables/${encodeURIComponent(this.dataset.table)}/win`;
    this.look();
  }

  async look() {
    try {
      const found = await read(this.path);
      const same = JSON.stringify(found.lines) === JSON.stringify(this.found?.lines);
      this.looks = (this.looks ?? 0) + (same ? 0 : 1); // the plot is drawn again only if it changes
      this.found = found;
      this.problem = "";
    } catch (error) {
      this.problem = error.message;
    }
    this.draw();
    if (this.found && !this.found.ready && this.isConnected) setTimeout(() => this.look(), EVERY);
  }

  draw() {
    const found = this.found;
    render(
      this,
      this.problem ? h("p", { key: "problem", class: "problem", role: "alert" }, this.problem) : null,
      found && !found.lines.length ? h("p", { key: "none" }, "No activity yet.") : null,
      found?.lines.length ? [h("img", { key: "plot", class: "plot", src: `${this.path}.svg?look=${this.looks}`, alt: "Win of each bet in percent, with its band" }), this.lines()] : null,
      found && !found.ready ? h("p", { key: "ready", class: "quiet-text", role: "status" }, "The distribution of the main game is being worked out; its exact band follows.") : null,
    );
  }

  lines() {
    const titles = ["bet", "settled", "staked", "win", "theory", "95 % from", "to", "band"];
    const money = (cents) => (cents === null ? "–" : dollars(cents));
    return h(
      "div",
      { key: "lines", class: "card scrolls", tabindex: "0", role: "region", "aria-label": "Figures" },
      h(
        "table",
        { class: "listing figures" },
        h("thead", {}, h("tr", {}, titles.map((title) => h("th", { key: title, scope: "col" }, title)))),
        h("tbody", {}, this.found.lines.map((line) =>
          h(
            "tr",
            { key: line.bet, class: line.outside ? "outside" : "" },
            h("th", { scope: "row" }, line.title),
            h("td", {}, line.count.toLocaleString("en-US")),
            [line.staked, line.actual, line.expected, line.low, line.high].map((cents, index) => h("td", { key: index }, money(cents))),
            h("td", {}, line.outside ? h("b", { class: "lose" }, "outside · ") : null, BANDS[line.band]),
          ),
        )),
      ),
    );
  }
}

customElements.define("croupier-win-report", Report);
