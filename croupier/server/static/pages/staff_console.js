// A table as those who serve or watch it see it: what comes next and why, every command as a form.

import "../components/meter.js";
import { drawFelt } from "../components/felt.js";
import { formOf } from "../components/command_form.js";
import { doing } from "../lib/table_status.js";
import { dollars, meters } from "../lib/money.js";
import { h, render } from "../lib/render.js";
import { clauseOf, reported } from "../lib/staff_event_text.js";
import { needsSecond, withSecond } from "../lib/second_person.js";
import { command, Feed, read } from "../lib/api.js";
import { Words } from "../lib/event_text.js";

const KEPT = 200;

export class Console extends HTMLElement {
  async connectedCallback() {
    this.table = this.dataset.table;
    this.acting = this.dataset.role;
    this.account = this.dataset.account;
    this.slip = { stakes: {} };
    this.log = [];
    this.problem = "";
    this.sending = 0;
    this.house = await read(`/tables/${encodeURIComponent(this.table)}`);
    this.words = new Words(this.house, "");
    this.feed = new Feed(this.table, this.acting, (frame) => this.heard(frame), (up) => this.line(up));
    addEventListener("keydown", (event) => this.key(event));
    // A mouse leaves nothing behind that the next Enter would press again.
    this.addEventListener("click", (event) => event.detail && event.target.closest("summary, button")?.blur());
  }

  // What the drawing of the felt asks a page for: nobody here has a box.
  get view() { return this.state.view; }
  get round() { return this.view.round; }
  get mine() { return []; }
  get seat() { return 0; }
  get form() { return null; }
  made() { return ""; }

  line(up) {
    this.up = up;
    if (this.state) this.draw();
  }

  heard(frame) {
    this.ahead = frame.at - Date.now(); // of this machine's clock
    if (frame.state) {
      this.state = frame.state;
      this.words.seats(this.view);
    }
    for (const event of frame.events ?? []) {
      this.number = (this.number ?? 0) + 1;
      const sentence = event ? reported(this.words, event) : "Something happened that is not for you.";
      this.log = [...this.log, { number: this.number, sentence, clause: clauseOf(event) }].slice(-KEPT);
    }
    if (frame.state) this.draw();
  }

  async act(body, player) {
    this.sending += 1;
    this.problem = "";
    this.draw();
    try {
      const told = needsSecond(body) ? await withSecond(this.table, body, this.acting) : await command(this.table, body, { role: player ? "" : this.acting, player });
      await this.feed.reached(told?.sequence);
    } catch (error) {
      this.problem = error.clause ? `${error.message} [${error.clause}]` : error.message;
    }
    this.sending -= 1;
    this.draw();
  }

  get due() {
    return this.state.steps.filter((step) => step.due !== "may" && !step.blocked);
  }

  // Digits take the due steps that leave nothing open.
  key(event) {
    if (!this.state || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.closest("input, select")) return;
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    const step = digit && this.due[Number(digit) - 1];
    if (!step || Object.keys(step.fields).length || step.players?.length || this.sending) return;
    event.preventDefault();
    this.act({ kind: step.kind, ...step.fixed });
  }

  draw() {
    render(
      this,
      h("div", { key: "strip", class: "strip" }, this.meters(), this.standing()),
      h("div", { key: "felt", class: "felt-frame" }, drawFelt(this)),
      h("div", { key: "side", class: "side" }, this.side()),
      h("div", { key: "below", class: "below" }, this.backstage(), this.told()),
    );
    const log = this.querySelector("[role=log]");
    if (log) log.scrollTop = log.scrollHeight;
  }

  standing() {
    return h("p", { class: "standing" }, this.up === false ? h("b", { class: "problem", role: "status" }, "The line is down; connecting again… ") : null, `${this.acting.replaceAll("_", " ")} · `, h("b", {}, doing(this.view.open, this.round?.due?.kind)));
  }

  side() {
    const may = this.state.steps.filter((step) => step.due === "may" && !step.blocked);
    const due = this.due;
    return [
      this.panel(due.length ? due.map((step, index) => this.step(step, index)) : h("p", { key: "nothing", class: "quiet-text" }, "Nothing is due.")),
      this.group("may", "What may be done", may, may.length <= 6),
      this.group("blocked", "What waits for something", this.state.steps.filter((step) => step.blocked), false),
    ];
  }

  panel(...inside) {
    return h(
      "section",
      { key: "panel", class: "card panel", "aria-label": "What comes next" },
      this.problem ? h("p", { key: "problem", class: "problem", role: "alert" }, this.problem) : null,
      h("h2", { key: "next" }, "What comes next", this.sending ? h("small", {}, " sent…") : null),
      ...inside,
    );
  }

  meters() {
    return h("ul", { class: "meters" }, meters(this.view.meters).map(([name, cents]) => h("li", { key: name }, h("span", {}, name), h("croupier-meter", { cents, own: true }))));
  }

  step(step, index) {
    const key = `${step.kind} ${JSON.stringify(step.fixed)} ${step.why}`;
    return h(
      "div",
      { key, class: `next ${step.due}`, "data-kind": step.kind },
      h("p", { class: "why" }, index !== undefined && index < 9 ? h("kbd", {}, String(index + 1)) : null, ` ${step.why || step.sentence} `, step.clauses.slice(0, 3).map((clause) => h("cite", { key: clause, title: this.words.clause(clause) }, `${clause} `))),
      formOf(step, (body, player) => this.act(body, player)),
    );
  }

  group(key, title, steps, open) {
    if (!steps.length) return null;
    return h("details", { key, class: "card more", open: this.querySelector(`[data-group=${key}]`)?.open ?? open, "data-group": key }, h("summary", {}, `${title} (${steps.length})`), steps.map((step) => this.step(step)));
  }

  backstage() {
    const view = this.view;
    const rows = [
      ["Dealer", view.dealer],
      ["Seats", Object.entries(view.seats).map(([seat, name]) => `${seat} ${name} ${dollars(view.chips[name] ?? 0)}`).join(", ")],
      ["Posts", Object.entries(view.posts ?? {}).map(([name, role]) => `${name} (${plain(role)})`).join(", ")],
      ["Decks", (view.decks ?? []).map((deck) => `${deck.name}: ${deck.stage}`).join(", ")],
      ["Devices", Object.entries(view.devices ?? {}).map(([name, how]) => `${plain(name)}: ${how}`).join(", ")],
      ["Left in the deck", this.round ? String(this.round.left_in_deck) : ""],
      ["Next moment", view.deadline ? `${view.deadline.what} at ${new Date(view.deadline.at).toLocaleTimeString()} [${view.deadline.clause}]` : ""],
      ["Tray", view.service === "practice" || view.tray === null || view.tray === undefined ? "" : dollars(view.tray)], // where a machine deals nobody fills it
    ];
    return h("section", { key: "backstage", class: "card" }, h("h2", {}, "The table"), h("dl", { class: "facts" }, rows.filter(([, text]) => text).map(([name, text]) => h("div", { key: name }, h("dt", {}, name), h("dd", {}, text)))));
  }

  told() {
    return h("section", { key: "told", class: "card told" }, h("h2", {}, "What happens"), h("div", { role: "log", "aria-live": "polite", "aria-label": "What happens", tabindex: "0" }, this.log.map((each) => h("p", { key: each.number }, each.sentence, each.clause ? h("cite", { title: this.words.clause(each.clause) }, ` ${each.clause}`) : null))));
  }
}

export function plain(word) {
  const text = word.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

customElements.define("croupier-staff-console", Console);
