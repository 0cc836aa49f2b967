// An operator's desk: every submission with how far it has come, and every table.

import { h, render } from "../lib/render.js";
import { read, send } from "../lib/api.js";

const STATES = { draft: "draft", sent: "waits for approval", approved: "approved", withdrawn: "given up" };

class Manage extends HTMLElement {
  connectedCallback() {
    this.problem = "";
    this.look();
  }

  async look() {
    await this.tried(async () => {
      this.found = await read("/submissions");
    });
  }

  async tried(work) {
    this.problem = "";
    try {
      await work();
    } catch (error) {
      this.problem = error.clause ? `${error.message} [${error.clause}]` : error.message;
    }
    this.draw();
  }

  begin(body) {
    return this.tried(async () => {
      const begun = await send("/submissions", body);
      location.assign(`/manage/${encodeURIComponent(begun.id)}`);
    });
  }

  close(table) {
    return this.tried(async () => {
      await send(`/tables/${encodeURIComponent(table.id)}/closing`, {});
      this.found = await read("/submissions");
    });
  }

  draw() {
    render(
      this,
      this.problem ? h("p", { key: "problem", class: "problem", role: "alert" }, this.problem) : null,
      this.found ? [this.beginning(), this.submissions(), this.tables()] : null,
    );
  }

  beginning() {
    return h(
      "section",
      { key: "begin", class: "card" },
      h("h2", {}, "A new submission"),
      h(
        "form",
        {
          class: "step",
          onsubmit: (event) => {
            event.preventDefault();
            const { game, operator } = event.target.elements;
            this.begin({ game: game.value, operator: operator.value });
          },
        },
        h("label", {}, "Game", h("select", { name: "game" }, Object.entries(this.found.games).map(([key, title]) => h("option", { key, value: key }, title)))),
        h("label", {}, "Operator", h("input", { name: "operator", type: "text", required: true, maxlength: 200 })),
        h("button", { type: "submit", class: "main" }, "Begin a draft"),
      ),
    );
  }

  submissions() {
    const found = this.found.submissions;
    return h(
      "section",
      { key: "submissions", class: "card" },
      h("h2", {}, "Submissions"),
      found.length
        ? h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Submissions" }, h("table", { class: "listing cards" }, h("thead", {}, h("tr", {}, ["Game", "Operator", "State", "Written by", "Approved by", ""].map((title) => h("th", { key: title, scope: "col" }, title || h("span", { class: "spoken" }, "Amend"))))), h("tbody", {}, found.map((each) => this.line(each)))))
        : h("p", { class: "quiet-text" }, "None yet."),
    );
  }

  line(each) {
    return h(
      "tr",
      { key: each.id, "data-submission": each.id },
      h("td", { "data-label": "Game" }, h("a", { href: `/manage/${encodeURIComponent(each.id)}` }, each.title)),
      h("td", { "data-label": "Operator" }, each.operator),
      h("td", { "data-label": "State" }, h("b", { class: `badge ${each.state}` }, STATES[each.state])),
      h("td", { "data-label": "Written by" }, each.authors.join(", ")),
      h("td", { "data-label": "Approved by" }, each.state === "approved" ? each.decided_by : ""),
      h("td", {}, each.state === "approved" ? h("button", { type: "button", onclick: () => this.begin({ game: each.game, based_on: each.id }) }, "Amend") : null),
    );
  }

  tables() {
    return h(
      "section",
      { key: "tables", class: "card" },
      h("h2", {}, "Tables"),
      h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Tables" }, h("table", { class: "listing cards" }, h("thead", {}, h("tr", {}, ["Table", "Game", "Served by", "Submission", "Win", ""].map((title) => h("th", { key: title, scope: "col" }, title || h("span", { class: "spoken" }, "Close"))))), h("tbody", {}, this.found.tables.map((table) => this.table(table))))),
    );
  }

  table(table) {
    const path = encodeURIComponent(table.id);
    return h(
      "tr",
      { key: table.id, "data-table": table.id },
      h("td", { "data-label": "Table" }, table.on_floor ? h("a", { href: `/guide/${path}` }, table.id) : table.id),
      h("td", { "data-label": "Game" }, table.title || "off the floor"),
      h("td", { "data-label": "Served by" }, { practice: "a machine", attended: "people" }[table.service] ?? ""),
      h("td", { "data-label": "Submission" }, table.submission ? h("a", { href: `/manage/${encodeURIComponent(table.submission)}` }, table.digest.slice(0, 12)) : table.digest.slice(0, 12)),
      h("td", { "data-label": "Win" }, table.on_floor ? h("a", { href: `/report/${path}` }, "Win against theory") : null),
      h("td", {}, table.on_floor ? h("button", { type: "button", disabled: Boolean(table.in_use), title: table.in_use, onclick: () => this.close(table) }, "Close") : null),
    );
  }
}

customElements.define("croupier-submission-list", Manage);
