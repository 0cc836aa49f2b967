// Reports: handle, drop, win and hold of every table in a period.

import { chosenPeriod, periodForm, periodQuery, periodText } from "../components/period_form.js";
import { problemAlert } from "../components/problem_alert.js";
import { dollars } from "../lib/money.js";
import { h, render } from "../lib/render.js";
import { getJson } from "../lib/api.js";

const COLUMNS = ["Table", "Rounds", "Handle", "Drop", "Win", "Hold (% of drop)"];

class TableFigures extends HTMLElement {
  connectedCallback() {
    addEventListener("popstate", () => this.load(chosenPeriod()));
    this.load(chosenPeriod());
  }

  async load(period) {
    Object.assign(this, { period, figures: null, problem: "" });
    this.draw();
    try {
      this.figures = await getJson(`/table-figures?${periodQuery(period)}`);
    } catch (error) {
      this.problem = error.message;
    }
    this.draw();
  }

  draw() {
    const { figures, period } = this;
    render(
      this,
      periodForm(period, (chosen) => this.load(chosen)),
      problemAlert(this.problem),
      figures || this.problem ? null : h("p", { key: "wait", role: "status" }, "Adding up…"),
      figures ? this.table() : null,
    );
  }

  table() {
    const { figures, period } = this;
    const title = periodText(period, figures);
    if (!figures.tables.length)
      return h("p", { key: "empty", role: "status" }, `${title}: no activity.`);
    const total = (key) => figures.tables.reduce((sum, table) => sum + table[key], 0);
    const [drop, win] = [total("drop"), total("win")];
    return h(
      "section",
      { key: "tables", class: "card" },
      h("h2", {}, title),
      h(
        "div",
        { class: "scrollable", tabindex: "0", role: "region", "aria-label": "Tables" },
        h(
          "table",
          { class: "data-table figures" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              COLUMNS.map((name) => h("th", { key: name, scope: "col" }, name)),
            ),
          ),
          h(
            "tbody",
            {},
            figures.tables.map((table) =>
              figuresRow(
                table.table,
                h("a", { href: `/report/${encodeURIComponent(table.table)}${location.search}` }, table.table),
                table,
                table.hold_percent_of_drop,
              ),
            ),
            figuresRow(
              "all tables",
              "All tables",
              { rounds: total("rounds"), handle: total("handle"), drop, win },
              drop ? ((100 * win) / drop).toFixed(2) : "",
            ),
          ),
        ),
      ),
    );
  }
}

function figuresRow(key, title, { rounds, handle, drop, win }, hold) {
  return h(
    "tr",
    { key },
    h("th", { scope: "row" }, title),
    h("td", {}, rounds.toLocaleString("en-US")),
    [handle, drop, win].map((cents, index) => h("td", { key: index }, dollars(cents))),
    h("td", { key: "hold" }, hold ? `${hold}%` : "–"),
  );
}

customElements.define("croupier-table-figures", TableFigures);
