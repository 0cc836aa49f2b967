// The pit: a map of the tables, and one queue of all that waits for the one who looks.

import "../components/meter.js";
import "../components/elapsed_time.js";
import { formOf } from "../components/command_form.js";
import { doing } from "../lib/table_status.js";
import { dollars, meters } from "../lib/money.js";
import { plan } from "../components/pit_table.js";
import { h, render } from "../lib/render.js";
import { needsSecond, withSecond } from "../lib/second_person.js";
import { command, read } from "../lib/api.js";

const EVERY = 2000;

class Pit extends HTMLElement {
  connectedCallback() {
    this.tables = [];
    this.problem = "";
    this.look();
  }

  async look() {
    clearTimeout(this.next);
    try {
      if (!document.hidden) this.tables = (await read("/pit/tables")).tables;
      this.down = false;
    } catch {
      this.down = true; // what is shown stays, and the next look may succeed
    }
    // Whoever fills in a form is not disturbed.
    if (!this.querySelector("form:focus-within")) this.draw();
    if (this.isConnected) this.next = setTimeout(() => this.look(), EVERY);
  }

  async act(table, body, player) {
    this.problem = "";
    try {
      if (needsSecond(body)) await withSecond(table.id, body, table.role);
      else await command(table.id, body, { role: player ? "" : table.role, player });
    } catch (error) {
      this.problem = `${table.id}: ${error.clause ? `${error.message} [${error.clause}]` : error.message}`;
    }
    document.activeElement?.blur();
    await this.look();
  }

  draw() {
    const waiting = this.tables.flatMap((table) => table.queue.map((step) => ({ table, step })));
    const order = { overdue: 0, due: 1 };
    waiting.sort((one, other) => order[one.step.due] - order[other.step.due]);
    render(
      this,
      this.down ? h("p", { key: "down", class: "problem", role: "status" }, "The line is down; connecting again…") : null,
      this.problem ? h("p", { key: "problem", class: "problem", role: "alert" }, this.problem) : null,
      h("section", { key: "queue", class: "card", "aria-label": "What waits for you" }, h("h2", {}, `What waits for you (${waiting.length})`), waiting.length ? h("ul", { class: "queue" }, waiting.map(({ table, step }) => this.waiting(table, step))) : h("p", { class: "quiet-text" }, "Nothing.")),
      h("ul", { key: "map", class: "tables", "aria-label": "Tables" }, this.tables.map((table) => this.table(table))),
    );
  }

  waiting(table, step) {
    return h(
      "li",
      { key: `${table.id} ${step.kind} ${JSON.stringify(step.fixed)}`, class: `next ${step.due}`, "data-kind": step.kind },
      h("p", { class: "why" }, h("b", {}, table.id), ` ${step.why || step.sentence} `, step.clauses.slice(0, 2).map((clause) => h("cite", { key: clause }, `${clause} `))),
      formOf(step, (body, player) => this.act(table, body, player)),
    );
  }

  table(table) {
    const players = Object.entries(table.seats);
    // An open table that nobody has a post at is served by a machine.
    const dealer = table.dealer || (table.open && !Object.keys(table.posts).length ? "a machine" : "nobody");
    const rows = [
      ["Now", doing(table.open, table.state)],
      ["Dealer", dealer],
      ["Ante", table.limits[1] === null ? `from ${dollars(table.limits[0])}` : `${dollars(table.limits[0])} to ${dollars(table.limits[1])}`],
      ["Players", players.length ? players.map(([seat, name]) => `${seat} ${name}`).join(", ") : "nobody"],
      ["Out of order", Object.entries(table.devices).map(([name, how]) => `${name.replaceAll("_", " ")}: ${how.replaceAll("_", " ")}`).join(", ")],
    ];
    return h(
      "li",
      { key: table.id, class: `card table-card${table.queue.some((step) => step.due === "overdue") ? " overdue" : table.queue.length ? " waits" : ""}` },
      h("h2", {}, h("a", { href: `/console/${encodeURIComponent(table.id)}?role=${table.role}` }, table.id)),
      h("p", { class: "quiet-text" }, `${table.title} · ${table.live ? "live" : "practice"}`),
      plan(table, dealer),
      h("dl", {}, rows.filter(([, text]) => text).map(([name, text]) => h("div", { key: name }, h("dt", {}, name), h("dd", {}, text))), table.deadline ? h("div", { key: "deadline" }, h("dt", {}, table.deadline.what), h("dd", {}, h("croupier-elapsed-time", { until: table.deadline.at, own: true }))) : null),
      h("ul", { class: "meters" }, meters(table.meters).map(([name, cents]) => h("li", { key: name }, h("span", {}, name), h("croupier-meter", { cents, own: true })))),
    );
  }
}

customElements.define("croupier-pit", Pit);
