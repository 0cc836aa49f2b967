// Win report of a table: actual against theoretical win of every bet, with its confidence band.

import { dollars } from "../lib/money.js";
import { problemAlert } from "../components/problem_alert.js";
import { h, render } from "../lib/render.js";
import { pollJson } from "../lib/api.js";

const POLL_MS = 3000; // while the server calculates the main game
const BAND_TEXT = { exact: "exact", variance: "from variance", "": "none yet" };

class WinReport extends HTMLElement {
  connectedCallback() {
    this.path = `/tables/${encodeURIComponent(this.dataset.table)}/win`;
    this.version = 0; // the plot is loaded again only if the figures change
    this.poll();
  }

  async poll() {
    try {
      const report = await pollJson(this.path);
      if (JSON.stringify(report.lines) !== JSON.stringify(this.report?.lines)) this.version += 1;
      this.report = report;
      this.problem = "";
    } catch (error) {
      this.problem = error.message;
    }
    this.draw();
    if (this.report && !this.report.ready && this.isConnected)
      setTimeout(() => this.poll(), POLL_MS);
  }

  draw() {
    const report = this.report;
    render(
      this,
      problemAlert(this.problem),
      report && !report.lines.length ? h("p", { key: "empty" }, "No activity yet.") : null,
      report?.lines.length
        ? [
            h("img", {
              key: "plot",
              class: "plot",
              src: `${this.path}.svg?version=${this.version}`,
              alt: "Win of each bet in percent, with its confidence band",
            }),
            this.figures(),
          ]
        : null,
      report && !report.ready
        ? h(
            "p",
            { key: "pending", class: "quiet-text", role: "status" },
            "Calculating the exact band of the main game…",
          )
        : null,
    );
  }

  figures() {
    const titles = [
      "Bet",
      "Settled",
      "Wagered",
      "Win",
      "Theoretical win",
      "95% low",
      "95% high",
      "Band",
    ];
    const money = (cents) => (cents === null ? "–" : dollars(cents));
    return h(
      "div",
      {
        key: "figures",
        class: "card scrollable",
        tabindex: "0",
        role: "region",
        "aria-label": "Figures",
      },
      h(
        "table",
        { class: "data-table figures" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            titles.map((title) => h("th", { key: title, scope: "col" }, title)),
          ),
        ),
        h(
          "tbody",
          {},
          this.report.lines.map((line) =>
            h(
              "tr",
              { key: line.bet },
              h("th", { scope: "row" }, line.title),
              h("td", {}, line.count.toLocaleString("en-US")),
              [line.staked, line.actual, line.expected, line.low, line.high].map((cents, index) =>
                h("td", { key: index }, money(cents)),
              ),
              h(
                "td",
                {},
                line.outside ? h("b", { class: "lose" }, "outside · ") : null,
                BAND_TEXT[line.band],
              ),
            ),
          ),
        ),
      ),
    );
  }
}

customElements.define("croupier-win-report", WinReport);
