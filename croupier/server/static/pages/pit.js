// Pit: a map of the tables, and one queue of the steps that wait for this person.

import { meterItems } from "../components/meter.js";
import "../components/elapsed_time.js";
import { commandForm, stepKey } from "../components/command_form.js";
import { pitTable } from "../components/pit_table.js";
import { tableStatus } from "../lib/table_status.js";
import { limitsText } from "../lib/money.js";
import { problemAlert } from "../components/problem_alert.js";
import { h, render } from "../lib/render.js";
import { needsSecondPerson, sendWithSecondPerson } from "../lib/second_person.js";
import { errorText, pollJson, sendCommand } from "../lib/api.js";
import { readable } from "../lib/text.js";
import { outageText } from "../lib/outage.js";

const POLL_MS = 2000;
const URGENCY = { overdue: 0, due: 1 };

class Pit extends HTMLElement {
  connectedCallback() {
    this.tables = [];
    this.problem = "";
    this.poll();
  }

  async poll() {
    clearTimeout(this.timer);
    try {
      if (!document.hidden) Object.assign(this, { unavailable: false }, await pollJson("/pit/tables"));
      this.connected = true;
    } catch {
      this.connected = false;
    }
    if (!this.querySelector("form:focus-within")) this.draw(); // do not redraw a form in use
    if (this.isConnected) this.timer = setTimeout(() => this.poll(), POLL_MS);
  }

  async send(table, body, player) {
    this.problem = "";
    try {
      if (needsSecondPerson(body)) await sendWithSecondPerson(table.id, body, table.role);
      else await sendCommand(table.id, body, { role: player ? "" : table.role, player });
    } catch (error) {
      this.problem = `${table.id}: ${errorText(error)}`;
    }
    document.activeElement?.blur();
    await this.poll();
    return !this.problem;
  }

  draw() {
    const outage = outageText(this.connected, this.unavailable);
    const queue = this.tables.flatMap((table) => table.queue.map((step) => ({ table, step })));
    queue.sort((first, second) => URGENCY[first.step.due] - URGENCY[second.step.due]);
    render(
      this,
      outage ? h("p", { key: "outage", class: "problem", role: "status" }, outage) : null,
      problemAlert(this.problem),
      h(
        "section",
        { key: "queue", class: "card", "aria-label": "Waiting for you" },
        h("h2", {}, `Waiting for you (${queue.length})`),
        queue.length
          ? h(
              "ul",
              { class: "queue" },
              queue.map(({ table, step }) => this.queuedStep(table, step)),
            )
          : h("p", { class: "quiet-text" }, "No action required."),
      ),
      h(
        "ul",
        { key: "map", class: "table-cards", "aria-label": "Tables" },
        this.tables.map((table) => this.table(table)),
      ),
    );
  }

  queuedStep(table, step) {
    return h(
      "li",
      {
        key: `${table.id} ${stepKey(step)}`,
        class: `step ${step.due}`,
        "data-kind": step.kind,
      },
      h(
        "p",
        { class: "step-reason" },
        h("b", {}, table.id),
        ` ${step.why || step.sentence} `,
        step.clauses.slice(0, 2).map((clause) => h("cite", { key: clause }, `${clause} `)),
      ),
      commandForm(step, (body, player) => this.send(table, body, player)),
    );
  }

  table(table) {
    const players = Object.entries(table.seats);
    // A staffed table has people at its posts.
    const automated = table.open && !Object.keys(table.posts).length;
    const dealer = table.dealer || (automated ? "automated" : "none");
    const urgency = table.queue.some((step) => step.due === "overdue")
      ? " overdue"
      : table.queue.length
        ? " has-due"
        : "";
    const rows = [
      ["Status", tableStatus(table.open, table.disabled ? "disabled" : table.state)],
      ["Disabled", table.disabled],
      ["Dealer", dealer],
      ["Ante", limitsText(table.limits)],
      [
        "Players",
        players.length ? players.map(([seat, name]) => `${seat} ${name}`).join(", ") : "none",
      ],
      [
        "Out of order",
        Object.entries(table.devices)
          .map(([name, state]) => `${readable(name)}: ${readable(state)}`)
          .join(", "),
      ],
    ];
    return h(
      "li",
      { key: table.id, class: `card table-card${urgency}` },
      h(
        "h2",
        {},
        h("a", { href: `/console/${encodeURIComponent(table.id)}?role=${table.role}` }, table.id),
      ),
      h("p", { class: "quiet-text" }, `${table.title} · ${table.live ? "live" : "practice"}`),
      pitTable(table, dealer),
      h(
        "dl",
        {},
        rows
          .filter(([, text]) => text)
          .map(([name, text]) => h("div", { key: name }, h("dt", {}, name), h("dd", {}, text))),
        table.deadline
          ? h(
              "div",
              { key: "deadline" },
              h("dt", {}, table.deadline.what),
              h(
                "dd",
                {},
                h("croupier-elapsed-time", { until: table.deadline.at, selfRendered: true }),
              ),
            )
          : null,
      ),
      h("ul", { class: "meters" }, meterItems(table.meters)),
    );
  }
}

customElements.define("croupier-pit", Pit);
