// Second-person approvals: requests to and from the person, corrections of money and meters.

import { meterCents, meterText, sortMeters } from "../lib/money.js";
import { chooser } from "../components/command_form.js";
import { problemAlert } from "../components/problem_alert.js";
import { h, render } from "../lib/render.js";
import { errorText, getJson, pollJson, postJson, sendCommand } from "../lib/api.js";
import { sendWithSecondPerson } from "../lib/second_person.js";
import { capitalize, readable } from "../lib/text.js";

const POLL_MS = 1500;
const STATE_TEXT = {
  waits: "pending",
  agreed: "approved, not carried out yet",
  declined: "declined",
  done: "approved and carried out",
};
// The sentence of a request names these, with its table.
const IN_SENTENCE = {
  correct: ["source", "target", "amount"],
  adjust_meter: ["meter", "amount"],
};
const TIME_FIELDS = new Set(["last", "time"]);

class Agreements extends HTMLElement {
  connectedCallback() {
    this.problem = "";
    this.notice = "";
    this.roles = this.dataset.roles.split(" ");
    this.accounts = this.dataset.accounts.split(" ");
    this.chosen = {}; // the table of each form
    this.colleagues = {}; // who may approve, by table
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

  // The meters and the people to choose from are those of the table.
  async chooseTable(kind, id) {
    this.chosen[kind] = this.tables.find((table) => table.id === id);
    this.draw();
    if (!id) return;
    try {
      const path = `/tables/${encodeURIComponent(id)}/second-persons`;
      this.colleagues[id] = (await getJson(path)).people;
    } catch (error) {
      this.problem = errorText(error);
    }
    this.draw();
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
    const named = ["kind", "second", ...(IN_SENTENCE[request.kind] ?? [])];
    const fields = Object.entries(request.command).filter(
      ([name, value]) => !named.includes(name) && value !== 0,
    );
    return h(
      "div",
      { key: request.id, class: "step due", "data-kind": request.kind },
      h(
        "p",
        { key: "sentence", class: "sentence" },
        h("b", {}, request.sentence),
        h("small", {}, ` ${incoming ? "asked by" : "by"} ${capitalize(request.by)}${request.table ? ` at ${request.table}` : ""}`),
      ),
      h(
        "dl",
        { class: "facts" },
        fields.map(([name, value]) =>
          h(
            "div",
            { key: name },
            h("dt", {}, readable(name)),
            h("dd", {}, fieldText(name, value)),
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
            h("p", { key: "state" }, `${capitalize(request.second)}, ${readable(request.role)}: `, h("b", {}, STATE_TEXT[request.state])),
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
      const { table: id, second, ...values } = Object.fromEntries(new FormData(event.target));
      const table = this.tables.find((candidate) => candidate.id === id);
      const body = {
        kind,
        ...toBody(values),
        reason: values.reason,
        second: this.colleagues[id][Number(second)],
      };
      this.run(async () => {
        const sending = sendWithSecondPerson(id, body, this.correctorRole(table));
        event.target.reset();
        document.activeElement?.blur();
        this.poll(); // shows the request as pending
        await sending;
      }, notice);
    };
    const colleagues = this.colleagues[this.chosen[kind]?.id];
    return h(
      "details",
      { key: kind, class: "card more", "data-kind": kind },
      h("summary", {}, `${title} `, h("cite", {}, this.dataset.law)),
      h(
        "form",
        { class: "step-form", onsubmit },
        chooser(
          "table",
          "table",
          tables.map((table) => [table.id, table.id]),
          { onchange: (event) => this.chooseTable(kind, event.target.value), asks: true },
        ),
        fields,
        input("reason", "reason"),
        colleagues
          ? chooser(
              "second",
              "second person on duty",
              colleagues.map(({ id, role }, index) => [
                String(index),
                `${capitalize(id)}, ${readable(role)}`,
              ]),
              { asks: true },
            )
          : null,
        colleagues && !colleagues.length
          ? h("p", { key: "none", class: "problem" }, "No colleague who may approve is signed in.")
          : null,
        h(
          "button",
          { type: "submit", class: "main", disabled: !colleagues?.length },
          "Request approval",
        ),
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
    if (!tables.length) return null;
    const meters = sortMeters(this.chosen.adjust_meter?.meters ?? {});
    const fields = [
      chooser(
        "meter",
        "meter",
        meters.map(([name, value]) => [name, `${name}, now ${meterText(meterCents(value))}`]),
        { asks: true },
      ),
      chooser(
        "direction",
        "change",
        [
          ["1", "raise"],
          ["-1", "lower"],
        ],
      ),
      input("amount", "amount in dollars", { type: "number", step: "0.01", min: "0.01" }),
      input("approval", "approval reference"),
    ];
    const toBody = ({ meter, direction, amount, approval }) => ({
      meter,
      approval,
      amount: Number(direction) * Math.round(Number(amount) * 100),
    });
    return this.form({
      kind: "adjust_meter",
      title: "Correct a meter",
      tables,
      fields,
      notice: "Meter corrected.",
      toBody,
    });
  }
}

// The clock belongs to no table.
function place(request) {
  return request.table ? `/tables/${encodeURIComponent(request.table)}` : "/clock";
}

function fieldText(name, value) {
  if (TIME_FIELDS.has(name)) return new Date(value).toUTCString();
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
