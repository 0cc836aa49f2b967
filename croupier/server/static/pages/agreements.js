// Second-person approvals: requests to and from the person, corrections of money and meters.

import { dollars } from "../lib/money.js";
import { problemAlert } from "../components/problem_alert.js";
import { h, render } from "../lib/render.js";
import { errorText, getJson, postJson } from "../lib/api.js";
import { sendWithSecondPerson } from "../lib/second_person.js";
import { readable } from "../lib/text.js";

const POLL_MS = 1500;
const STATE_TEXT = { waits: "pending", agreed: "approved", declined: "declined" };
const MONEY_FIELDS = new Set(["amount"]);

class Agreements extends HTMLElement {
  connectedCallback() {
    this.problem = "";
    this.notice = "";
    this.roles = this.dataset.roles.split(" ");
    this.accounts = this.dataset.accounts.split(" ");
    this.poll();
  }

  async poll() {
    clearTimeout(this.timer);
    try {
      this.requests = await getJson("/agreements/waiting");
      this.tables ??= (await getJson("/tables")).tables.filter((table) =>
        this.correctorRole(table),
      );
    } catch {
      // Without a connection the page keeps what it shows.
    }
    if (!this.querySelector("form:focus-within")) this.draw(); // do not redraw a form in use
    if (this.isConnected) this.timer = setTimeout(() => this.poll(), POLL_MS);
  }

  // The role in which the person may make corrections at a table.
  correctorRole(table) {
    return this.roles.find((role) => table.roles.includes(role));
  }

  async run(task, notice) {
    this.problem = this.notice = "";
    this.draw();
    try {
      await task();
      this.notice = notice;
    } catch (error) {
      this.problem = errorText(error);
    }
    document.activeElement?.blur();
    await this.poll();
  }

  draw() {
    const { to_agree: incoming = [], asked: outgoing = [] } = this.requests ?? {};
    render(
      this,
      problemAlert(this.problem),
      this.notice ? h("p", { key: "notice", role: "status" }, this.notice) : null,
      h(
        "section",
        { key: "incoming", class: "card" },
        h("h2", {}, `Waiting for your approval (${incoming.length})`),
        incoming.length
          ? incoming.map((request) => this.request(request, true))
          : h("p", { class: "quiet-text" }, "No requests."),
      ),
      outgoing.length
        ? h(
            "section",
            { key: "outgoing", class: "card" },
            h("h2", {}, "Your requests"),
            outgoing.map((request) => this.request(request, false)),
          )
        : null,
      this.tables?.length ? [this.correctionForm(), this.meterForm()] : null,
    );
  }

  request(request, incoming) {
    const fields = Object.entries(request.command).filter(
      ([name]) => name !== "kind" && name !== "second",
    );
    return h(
      "div",
      { key: request.id, class: "step due", "data-kind": request.kind },
      h(
        "p",
        { class: "step-reason" },
        h("b", {}, `${request.by} at ${request.table}: `),
        request.sentence,
      ),
      h(
        "dl",
        { class: "facts" },
        fields.map(([name, value]) =>
          h(
            "div",
            { key: name },
            h("dt", {}, readable(name)),
            h(
              "dd",
              {},
              MONEY_FIELDS.has(name) && request.kind === "correct" ? dollars(value) : String(value),
            ),
          ),
        ),
      ),
      incoming
        ? h(
            "div",
            { class: "choices" },
            h(
              "button",
              { type: "button", class: "main", onclick: () => this.respond(request, true) },
              "Approve",
            ),
            h(
              "button",
              { type: "button", class: "danger", onclick: () => this.respond(request, false) },
              "Decline",
            ),
          )
        : h("p", {}, `${request.second}: `, h("b", {}, STATE_TEXT[request.state])),
    );
  }

  respond(request, agreed) {
    return this.run(
      () =>
        postJson(`/tables/${encodeURIComponent(request.table)}/agreements/${request.id}`, {
          agreed,
        }),
      agreed ? "Request approved." : "Request declined.",
    );
  }

  // A correction names its table, the reason and the second person who must approve it.
  form({ kind, title, tables, fields, notice, toBody }) {
    const onsubmit = (event) => {
      event.preventDefault();
      const { table: id, second, role, ...values } = Object.fromEntries(new FormData(event.target));
      const table = this.tables.find((candidate) => candidate.id === id);
      const body = {
        kind,
        ...toBody(values),
        reason: values.reason,
        second: { id: second.trim().toLowerCase(), role },
      };
      this.run(() => sendWithSecondPerson(id, body, this.correctorRole(table)), notice);
    };
    return h(
      "section",
      { key: kind, class: "card" },
      h("h2", {}, `${title} `, h("cite", {}, this.dataset.law)),
      h(
        "form",
        { class: "step-form", onsubmit },
        select(
          "table",
          "table",
          tables.map((table) => [table.id, table.id]),
        ),
        fields,
        input("reason", "reason"),
        input("second", "second person"),
        select(
          "role",
          "role",
          this.roles.map((role) => [role, readable(role)]),
        ),
        h("button", { type: "submit", class: "main" }, "Request approval"),
      ),
    );
  }

  // A correction moves money between two accounts; the incorrect entry stays in the log.
  correctionForm() {
    const accounts = [
      ...this.accounts.map((name) => [name, name]),
      ["rack:", "player's chips"],
      ["held:", "held for a player"],
    ];
    const accountName = (account, player) =>
      account.endsWith(":") ? account + player.trim().toLowerCase() : account;
    const fields = [
      select("source", "from", accounts),
      select("target", "to", accounts),
      input("player", "player, for a player's account", { required: false }),
      input("amount", "amount in dollars", { type: "number", step: "0.01", min: "0.01" }),
      input("refers_to", "number of the incorrect entry", {
        type: "number",
        step: "1",
        min: "1",
        required: false,
      }),
    ];
    const toBody = ({ source, target, player, amount, refers_to: entry }) => ({
      source: accountName(source, player),
      target: accountName(target, player),
      amount: Math.round(Number(amount) * 100),
      refers_to: Number(entry || 0),
    });
    return this.form({
      kind: "correct",
      title: "Correct a balance",
      tables: this.tables,
      fields,
      notice: "Balance corrected.",
      toBody,
    });
  }

  meterForm() {
    const tables = this.tables.filter((table) => Object.keys(table.meters).length);
    const meters = [...new Set(tables.flatMap((table) => Object.keys(table.meters)))];
    if (!meters.length) return null;
    const fields = [
      select(
        "meter",
        "meter",
        meters.map((name) => [name, name]),
      ),
      input("amount", "change in dollars", { type: "number", step: "0.01" }),
      input("approval", "approval reference"),
    ];
    const toBody = ({ meter, amount, approval }) => ({
      meter,
      approval,
      amount: Math.round(Number(amount) * 100),
    });
    return this.form({
      kind: "adjust_meter",
      title: "Adjust a meter",
      tables,
      fields,
      notice: "Meter adjusted.",
      toBody,
    });
  }
}

function input(name, label, more = {}) {
  return h(
    "label",
    { key: name },
    label,
    h("input", { name, type: "text", required: true, maxlength: 200, ...more }),
  );
}

function select(name, label, options) {
  return h(
    "label",
    { key: name },
    label,
    h(
      "select",
      { name },
      options.map(([value, text]) => h("option", { key: value, value }, text)),
    ),
  );
}

customElements.define("croupier-agreements", Agreements);
