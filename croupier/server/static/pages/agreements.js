// Second-person approvals: requests to and from the person, corrections of money and meters.

import { dollars } from "../lib/money.js";
import { chooser } from "../components/command_form.js";
import { problemAlert } from "../components/problem_alert.js";
import { h, render } from "../lib/render.js";
import { errorText, getJson, pollJson, postJson, sendCommand } from "../lib/api.js";
import { sendWithSecondPerson } from "../lib/second_person.js";
import { readable } from "../lib/text.js";

const POLL_MS = 1500;
const STATE_TEXT = {
  waits: "pending",
  agreed: "approved, not carried out yet",
  declined: "declined",
  done: "approved and carried out",
};
const MONEY_KINDS = new Set(["correct", "adjust_meter"]);
const TIME_FIELDS = new Set(["last", "time"]);

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
      this.requests = await pollJson("/agreements/waiting");
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
      const result = await task();
      this.notice = notice ?? result;
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
        h("b", {}, request.table ? `${request.by} at ${request.table}: ` : `${request.by}: `),
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
            h("dd", {}, fieldText(request.kind, name, value)),
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
        : [
            h("p", { key: "state" }, `${request.second}: `, h("b", {}, STATE_TEXT[request.state])),
            request.link
              ? h("p", { key: "link" }, "Link for the owner, once: ", h("code", {}, location.origin + request.link))
              : null,
            request.state === "agreed" && request.table
              ? h(
                  "button",
                  { key: "send", type: "button", class: "main", onclick: () => this.send(request) },
                  "Carry out",
                )
              : null,
          ],
    );
  }

  // A request that was approved while its sender was on another page.
  send({ table: id, command, key }) {
    const role = this.correctorRole(this.tables.find((table) => table.id === id));
    return this.run(() => sendCommand(id, command, { role, key }), "Request carried out.");
  }

  respond(request, agreed) {
    return this.run(async () => {
      const path = `${place(request)}/agreements/${request.id}`;
      const { code } = await postJson(path, { agreed });
      if (code) return `Request approved. Tell the owner of the account this code: ${code}`;
      return agreed ? "Request approved." : "Request declined.";
    });
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
        chooser(
          "table",
          "table",
          tables.map((table) => [table.id, table.id]),
        ),
        fields,
        input("reason", "reason"),
        input("second", "second person"),
        chooser(
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
      chooser("source", "from", accounts),
      chooser("target", "to", accounts),
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
      chooser(
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

// The clock belongs to no table.
function place(request) {
  return request.table ? `/tables/${encodeURIComponent(request.table)}` : "/clock";
}

function fieldText(kind, name, value) {
  if (name === "amount" && MONEY_KINDS.has(kind)) return dollars(value);
  if (TIME_FIELDS.has(name) && kind === "accept_clock") return new Date(value).toUTCString();
  if (Array.isArray(value))
    return value.map(({ role, table }) => (table ? `${role} at ${table}` : role)).join(", ");
  return String(value);
}

function input(name, label, more = {}) {
  return h(
    "label",
    { key: name },
    label,
    h("input", { name, type: "text", required: true, maxlength: 200, ...more }),
  );
}

customElements.define("croupier-agreements", Agreements);
