// Surveillance: the live table as a camera sees it, and any round of the record step by step.

import { Console, plain } from "./staff_console.js";
import { dollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { clauseOf, reported } from "../lib/staff_event_text.js";
import { file, read } from "../lib/api.js";

const EYES = ["camera", "whole", "1", "2", "3", "4", "5", "6"];

class Watch extends Console {
  async connectedCallback() {
    this.found = null;
    await super.connectedCallback();
    addEventListener("hashchange", () => this.follow());
  }

  // What is drawn: a moment of the record, or the live table.
  get state() {
    const moment = this.moment;
    return moment ? { view: moment.view, hands: moment.hands, steps: [] } : this.live;
  }

  set state(value) {
    const first = !this.live;
    this.live = value;
    if (first) this.follow();
  }

  get moment() {
    return this.replay?.moments[this.index];
  }

  get path() {
    return `/tables/${encodeURIComponent(this.table)}/rounds`;
  }

  // A link to a moment: #round=12&at=345&eyes=3
  follow() {
    const asked = new URLSearchParams(location.hash.slice(1));
    if (asked.get("round")) this.look(asked.get("round"), asked.get("eyes") ?? "camera", Number(asked.get("at") ?? 0));
    else if (this.replay) this.leave();
  }

  async look(round, eyes, at = 0) {
    await this.tried(async () => {
      this.replay = await read(`${this.path}/${encodeURIComponent(round)}?${new URLSearchParams({ eyes })}`);
      const index = this.replay.moments.findIndex((moment) => moment.sequence === at);
      this.moveTo(index < 0 ? 0 : index);
    });
  }

  async search(form) {
    const given = Object.entries(Object.fromEntries(new FormData(form))).filter(([, value]) => value !== "");
    const asked = new URLSearchParams(given.map(([name, value]) => [name, name === "over" ? String(Math.round(Number(value) * 100)) : value]));
    await this.tried(async () => {
      this.found = (await read(`${this.path}?${asked}`)).rounds;
    });
  }

  // The file is fetched here, so that a proof that nobody can give yet is answered in words.
  async save(proof) {
    await this.tried(async () => {
      const { name, blob } = await file(proof);
      const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }

  async tried(work) {
    this.problem = "";
    try {
      await work();
    } catch (error) {
      this.problem = error.message;
    }
    if (this.live) this.draw();
  }

  moveTo(index) {
    this.index = Math.max(0, Math.min(index, this.replay.moments.length - 1));
    this.words.seats(this.view);
    history.replaceState(null, "", `#${this.link()}`);
    this.draw();
  }

  link() {
    return new URLSearchParams({ round: this.replay.round, at: this.moment.sequence, eyes: this.replay.eyes });
  }

  leave() {
    this.replay = null;
    history.replaceState(null, "", location.pathname + location.search);
    this.words.seats(this.view);
    this.draw();
  }

  key(event) {
    if (!this.replay || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select")) return;
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -this.index, End: this.replay.moments.length };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.moveTo(this.index + steps[event.key]);
  }

  side() {
    const may = this.replay ? [] : this.state.steps.filter((step) => !step.blocked);
    return [
      this.problem ? h("p", { key: "problem", class: "problem", role: "alert" }, this.problem) : null,
      this.replay ? this.stepping() : null,
      this.finding(),
      this.group("may", "What may be done", may, false),
    ];
  }

  stepping() {
    const { moments, round, eyes, over } = this.replay;
    const moment = this.moment;
    const proof = `${this.path}/${round}/proof`;
    return h(
      "section",
      { key: "stepping", class: "card panel", "aria-label": "Replay" },
      h("h2", {}, `Round ${round}`, h("small", {}, ` moment ${this.index + 1} of ${moments.length}`)),
      h("input", { key: "slider", class: "slider", type: "range", min: 0, max: moments.length - 1, value: String(this.index), "aria-label": "Moment", "aria-valuetext": `${plain(moment.kind)}, moment ${this.index + 1} of ${moments.length}`, oninput: (event) => this.moveTo(Number(event.target.value)) }),
      h(
        "div",
        { key: "buttons", class: "choices" },
        h("button", { type: "button", disabled: this.index === 0, onclick: () => this.moveTo(this.index - 1) }, "Back", h("kbd", {}, "←")),
        h("button", { type: "button", disabled: this.index === moments.length - 1, onclick: () => this.moveTo(this.index + 1) }, "Forward", h("kbd", {}, "→")),
      ),
      h("label", { key: "eyes" }, "As seen by", h("select", { onchange: (event) => this.look(round, event.target.value, moment.sequence) }, EYES.filter((each) => over || each === "camera").map((each) => h("option", { key: each, value: each, selected: each === eyes }, /\d/.test(each) ? `seat ${each}` : each === "whole" ? "the whole record" : "a camera")))),
      h("p", { key: "who", class: "quiet-text" }, `${new Date(moment.at).toLocaleString()}: ${plain(moment.kind).toLowerCase()} by ${moment.by.replaceAll("_", " ")}, entry ${moment.sequence}`),
      h("ul", { key: "events", class: "moment" }, moment.events.map((event, index) => h("li", { key: index }, event ? reported(this.words, event) : "Something that these eyes did not see.", clauseOf(event) ? h("cite", { title: this.words.clause(clauseOf(event)) }, ` ${clauseOf(event)}`) : null))),
      h("p", { key: "links", class: "links" }, h("a", { href: `${location.pathname}${location.search}#${this.link()}` }, "Link to this moment"), over ? h("a", { href: proof, onclick: (event) => { event.preventDefault(); this.save(proof); } }, "Export with its proof") : null),
      h("button", { key: "live", type: "button", onclick: () => this.leave() }, "Back to the live table"),
    );
  }

  finding() {
    const field = (name, label, type = "text", more = {}) => h("label", { key: name }, label, h("input", { name, type, ...more }));
    return h(
      "section",
      { key: "finding", class: "card", "aria-label": "Find rounds" },
      h("h2", {}, "Find rounds"),
      h(
        "form",
        { class: "step", onsubmit: (event) => { event.preventDefault(); this.search(event.target); } },
        field("player", "player"),
        field("seat", "seat", "number", { min: 1, max: 6 }),
        field("hand", "hand"),
        field("over", "paid more than, in dollars", "number", { min: 0, step: "0.01" }),
        h("label", { key: "void" }, "void", h("select", { name: "void" }, h("option", { value: "either" }, "either"), h("option", { value: "true" }, "yes"), h("option", { value: "false" }, "no"))),
        h("button", { type: "submit", class: "main" }, "Find"),
      ),
      this.found ? this.answers() : null,
    );
  }

  answers() {
    if (!this.found.length) return h("p", { key: "none", role: "status" }, "No round answers.");
    return h(
      "ul",
      { key: "found", class: "found" },
      this.found.map((one) =>
        h(
          "li",
          { key: one.round },
          h("button", { type: "button", onclick: () => this.look(one.round, "camera") }, h("b", {}, `Round ${one.round}`), h("small", {}, `${one.time.slice(0, 19)} · ${one.players.join(", ")} · ${one.hands.join(", ")} · ${dollars(one.staked)} → ${dollars(one.returned)}${one.void ? " · void" : ""}`)),
        ),
      ),
    );
  }
}

customElements.define("croupier-surveillance", Watch);
