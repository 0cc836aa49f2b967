// What waits for a second person: asked of the one who looks, or asked for by them.

import { dollars } from "./money.js";
import { h, render } from "./render.js";
import { read, send } from "./server.js";
import { withSecond } from "./second.js";

const EVERY = 1500;
const STATES = { waits: "waits", agreed: "agreed", declined: "declined" };
const MONEY = new Set(["amount"]);

class Agreements extends HTMLElement {
  connectedCallback() {
    this.problem = "";
    this.said = "";
    this.look();
  }

  async look() {
    clearTimeout(this.next);
    try {
      this.found = await read("/agreements/waiting");
      this.tables ??= (await read("/tables")).tables.filter((table) => table.roles.some((role) => role === "pit_manager"));
    } catch {
      // The line is down: what is shown stays.
    }
    if (!this.querySelector("form:focus-within")) this.draw();
    if (this.isConnected) this.next = setTimeout(() => this.look(), EVERY);
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
      this.tables?.length ? this.adjusting() : null,
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

  // Meters are set right by two people, with a reason and an approval (COMAR 36.05.03.24J).
  adjusting() {
    const submit = (event) => {
      event.preventDefault();
      const { table, meter, amount, reason, approval, second } = Object.fromEntries(new FormData(event.target));
      const body = { kind: "adjust_meter", meter, amount: Math.round(Number(amount) * 100), reason, approval, second: { id: second.trim().toLowerCase(), role: "pit_manager" } };
      this.tried(() => withSecond(table, body, "pit_manager"), "The meter is set right.");
    };
    const field = (name, label, more = {}) => h("label", { key: name }, label, h("input", { name, type: "text", required: true, maxlength: 200, ...more }));
    const meters = [...new Set(this.tables.flatMap((table) => Object.keys(table.meters)))];
    if (!meters.length) return null;
    return h(
      "section",
      { key: "adjust", class: "card" },
      h("h2", {}, "Set a meter right ", h("cite", {}, "COMAR 36.05.03.24J")),
      h(
        "form",
        { class: "step", onsubmit: submit },
        h("label", { key: "table" }, "table", h("select", { name: "table" }, this.tables.filter((table) => Object.keys(table.meters).length).map((table) => h("option", { key: table.id, value: table.id }, table.id)))),
        h("label", { key: "meter" }, "meter", h("select", { name: "meter" }, meters.map((name) => h("option", { key: name, value: name }, name)))),
        field("amount", "change in dollars", { type: "number", step: "0.01" }),
        field("reason", "reason"),
        field("approval", "approval"),
        field("second", "second pit manager"),
        h("button", { type: "submit", class: "main" }, "Ask the second person"),
      ),
    );
  }
}

customElements.define("croupier-agreements", Agreements);
