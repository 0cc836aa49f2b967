// What waits for a second person: asked of the one who looks, or asked for by them; and what two
// people set right.

import { dollars } from "../lib/money.js";
import { h, render } from "../lib/render.js";
import { read, send } from "../lib/api.js";
import { withSecond } from "../lib/second_person.js";

const EVERY = 1500;
const STATES = { waits: "waits", agreed: "agreed", declined: "declined" };
const MONEY = new Set(["amount"]);

class Agreements extends HTMLElement {
  connectedCallback() {
    this.problem = "";
    this.said = "";
    this.roles = this.dataset.roles.split(" ");
    this.accounts = this.dataset.accounts.split(" ");
    this.look();
  }

  async look() {
    clearTimeout(this.next);
    try {
      this.found = await read("/agreements/waiting");
      this.tables ??= (await read("/tables")).tables.filter((table) => this.roleAt(table));
    } catch {
      // The line is down: what is shown stays.
    }
    if (!this.querySelector("form:focus-within")) this.draw();
    if (this.isConnected) this.next = setTimeout(() => this.look(), EVERY);
  }

  // The role in which somebody may set things right at a table.
  roleAt(table) {
    return this.roles.find((role) => table.roles.includes(role));
  }

  async tried(work, done) {
    this.problem = this.said = "";
    this.draw();
    try {
      await work();
      this.said = done;
    } catch (error) {
      this.problem = error.clause ? `${error.message} [${error.clause}]` : error.message;
    }
    document.activeElement?.blur();
    await this.look();
  }

  draw() {
    const { to_agree: mine = [], asked = [] } = this.found ?? {};
    render(
      this,
      this.problem ? h("p", { key: "problem", class: "problem", role: "alert" }, this.problem) : null,
      this.said ? h("p", { key: "said", role: "status" }, this.said) : null,
      h("section", { key: "mine", class: "card" }, h("h2", {}, `Asked of you (${mine.length})`), mine.length ? mine.map((each) => this.asked(each, true)) : h("p", { class: "quiet-text" }, "Nothing.")),
      asked.length ? h("section", { key: "asked", class: "card" }, h("h2", {}, "Asked for by you"), asked.map((each) => this.asked(each, false))) : null,
      this.tables?.length ? [this.correcting(), this.adjusting()] : null,
    );
  }

  asked(each, answers) {
    const facts = Object.entries(each.command).filter(([name]) => name !== "kind" && name !== "second");
    return h(
      "div",
      { key: each.id, class: "next due", "data-kind": each.kind },
      h("p", { class: "why" }, h("b", {}, `${each.by} at ${each.table}: `), each.sentence),
      h("dl", { class: "facts" }, facts.map(([name, value]) => h("div", { key: name }, h("dt", {}, name.replaceAll("_", " ")), h("dd", {}, MONEY.has(name) && each.kind === "correct" ? dollars(value) : String(value))))),
      answers
        ? h("div", { class: "choices" }, h("button", { type: "button", class: "main", onclick: () => this.say(each, true) }, "Agree"), h("button", { type: "button", class: "fold", onclick: () => this.say(each, false) }, "Do not agree"))
        : h("p", {}, `${each.second}: `, h("b", {}, STATES[each.state])),
    );
  }

  say(each, agreed) {
    return this.tried(() => send(`/tables/${encodeURIComponent(each.table)}/agreements/${each.id}`, { agreed }), agreed ? "You have agreed." : "You have not agreed.");
  }

  // Two people, a reason, and the table where it was wrong.
  form(key, title, tables, fields, done, bodyOf) {
    const submit = (event) => {
      event.preventDefault();
      const { table: id, second, role, ...given } = Object.fromEntries(new FormData(event.target));
      const table = this.tables.find((each) => each.id === id);
      const body = { kind: key, ...bodyOf(given), reason: given.reason, second: { id: second.trim().toLowerCase(), role } };
      this.tried(() => withSecond(id, body, this.roleAt(table)), done);
    };
    return h(
      "section",
      { key, class: "card" },
      h("h2", {}, `${title} `, h("cite", {}, this.dataset.law)),
      h(
        "form",
        { class: "step", onsubmit: submit },
        choice("table", "table", tables.map((table) => [table.id, table.id])),
        fields,
        field("reason", "reason"),
        field("second", "second person"),
        choice("role", "who is", this.roles.map((role) => [role, role.replaceAll("_", " ")])),
        h("button", { type: "submit", class: "main" }, "Ask the second person"),
      ),
    );
  }

  // Money between two accounts: what was wrong stays on record, and this beside it.
  correcting() {
    const accounts = [...this.accounts.map((name) => [name, name]), ["rack:", "chips of a player"], ["held:", "held for a player"]];
    const named = (account, player) => (account.endsWith(":") ? account + player.trim().toLowerCase() : account);
    const fields = [
      choice("source", "from", accounts),
      choice("target", "to", accounts),
      field("player", "player, if one of them is a player's", { required: false }),
      field("amount", "amount in dollars", { type: "number", step: "0.01", min: "0.01" }),
      field("refers_to", "entry that was wrong", { type: "number", step: "1", min: "1", required: false }),
    ];
    return this.form("correct", "Set money right", this.tables, fields, "The money is set right.", ({ source, target, player, amount, refers_to: entry }) => ({
      source: named(source, player),
      target: named(target, player),
      amount: Math.round(Number(amount) * 100),
      refers_to: Number(entry || 0),
    }));
  }

  // Meters, with an approval as well.
  adjusting() {
    const tables = this.tables.filter((table) => Object.keys(table.meters).length);
    const meters = [...new Set(tables.flatMap((table) => Object.keys(table.meters)))];
    if (!meters.length) return null;
    const fields = [choice("meter", "meter", meters.map((name) => [name, name])), field("amount", "change in dollars", { type: "number", step: "0.01" }), field("approval", "approval")];
    return this.form("adjust_meter", "Set a meter right", tables, fields, "The meter is set right.", ({ meter, amount, approval }) => ({ meter, approval, amount: Math.round(Number(amount) * 100) }));
  }
}

function field(name, label, more = {}) {
  return h("label", { key: name }, label, h("input", { name, type: "text", required: true, maxlength: 200, ...more }));
}

function choice(name, label, values) {
  return h("label", { key: name }, label, h("select", { name }, values.map(([value, text]) => h("option", { key: value, value }, text))));
}

customElements.define("croupier-agreements", Agreements);
