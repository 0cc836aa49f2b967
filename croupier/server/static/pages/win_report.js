// Win report of a table: handle, drop, win and hold of a period, and every bet against theory.

import { chosenPeriod, periodForm, periodQuery, periodText } from "../components/period_form.js";
import { problemAlert } from "../components/problem_alert.js";
import { winChart } from "../components/win_chart.js";
import { dollars } from "../lib/money.js";
import { h, render } from "../lib/render.js";
import { getJson, pollJson } from "../lib/api.js";

const POLL_MS = 3000; // while the server calculates the main game
const BAND_TEXT = { exact: "exact", variance: "from variance", "": "none yet" };

class WinReport extends HTMLElement {
  connectedCallback() {
    this.path = `/tables/${encodeURIComponent(this.dataset.table)}`;
    addEventListener("popstate", () => this.load(chosenPeriod()));
    this.load(chosenPeriod());
  }

  load(period) {
    Object.assign(this, { period, report: null, problem: "" });
    this.draw();
    return this.poll(period);
  }

  async poll(period) {
    try {
      const get = this.report ? pollJson : getJson; // a long period takes its time
      const report = await get(`${this.path}/win?${periodQuery(period)}`);
      if (period !== this.period) return; // another one was chosen meanwhile
      Object.assign(this, { report, problem: "" });
    } catch (error) {
      this.problem = error.message;
    }
    this.draw();
    if (this.report && !this.report.ready && this.isConnected)
      setTimeout(() => period === this.period && this.poll(period), POLL_MS);
  }

  draw() {
    const { report, period } = this;
    render(
      this,
      periodForm(period, (chosen) => this.load(chosen)),
      problemAlert(this.problem),
      report || this.problem ? null : h("p", { key: "wait", role: "status" }, "Adding up…"),
      report ? this.totals() : null,
      report?.lines.length ? [winChart(report.lines), this.figures()] : null,
      report && !report.ready
        ? h(
            "p",
            { key: "pending", class: "quiet-text", role: "status" },
            "Calculating the exact band of the main game…",
          )
        : null,
    );
  }

  totals() {
    const { report, period } = this;
    const { totals, expected } = report;
    const title = h("h2", { key: "period" }, periodText(period, report));
    if (!totals)
      return h("section", { key: "totals", class: "card" }, title, h("p", {}, "No activity."));
    const hold = totals.hold_percent_of_drop;
    const facts = [
      ["Rounds", totals.rounds.toLocaleString("en-US")],
      ["Handle", dollars(totals.handle)],
      ["Drop", dollars(totals.drop)],
      ["Win", dollars(totals.win)],
      ["Hold (% of drop)", hold ? `${hold}%` : "–"],
      ["Theoretical win", expected === null ? "–" : dollars(expected)],
    ];
    const query = periodQuery(period);
    return h(
      "section",
      { key: "totals", class: "card" },
      title,
      h(
        "dl",
        { key: "facts", class: "report-totals" },
        facts.map(([name, text]) =>
          h("div", { key: name }, h("dt", {}, name), h("dd", {}, text)),
        ),
      ),
      h(
        "p",
        { key: "files", class: "links" },
        h("a", { href: `${this.path}/report.pdf?${query}`, download: "" }, "PDF"),
        h("a", { href: `${this.path}/report.csv?${query}`, download: "" }, "CSV"),
      ),
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
