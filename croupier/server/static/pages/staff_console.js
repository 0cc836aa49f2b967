// Base of the staff consoles: the felt, the facts of the table, the event log. Each console adds its
// own side and keys.

import { meterItems } from "../components/meter.js";
import { drawFelt, NO_BOX } from "../components/felt.js";
import { commandForm, stepKey } from "../components/command_form.js";
import { eventLog } from "../components/event_log.js";
import { tableStatus } from "../lib/table_status.js";
import { dollars } from "../lib/money.js";
import { h, render } from "../lib/render.js";
import { clauseOf, clauseText } from "../lib/table_text.js";
import { sendAs } from "../lib/second_person.js";
import { errorText, Feed, pageData } from "../lib/api.js";
import { capitalize, readable } from "../lib/text.js";
import { timeText } from "../lib/time.js";
import { outageText } from "../lib/outage.js";
import { ReadingTime } from "../lib/reading_time.js";

const LOG_LIMIT = 200;

export class StaffConsole extends HTMLElement {
  constructor() {
    super();
    Object.assign(this, NO_BOX);
  }

  connectedCallback() {
    this.table = this.dataset.table;
    this.actingRole = this.dataset.role; // `role` is a property of every element
    this.log = [];
    this.problem = "";
    this.notice = ""; // about a second person
    this.sending = 0;
    this.readingTime = new ReadingTime(() => this.draw());
    const { house, snapshot } = pageData();
    this.house = house;
    this.feed = new Feed(
      this.table,
      this.actingRole,
      (frame) => this.onFrame(frame),
      (connected) => this.onConnection(connected),
    );
    this.feed.start(snapshot);
    addEventListener("keydown", (event) => this.onKey(event));
    // A clicked button loses the focus, so that the next Enter does not press it again.
    this.addEventListener(
      "click",
      (event) => event.detail && event.target.closest("summary, button")?.blur(),
    );
  }

  get view() {
    return this.state.view;
  }
  get round() {
    return this.view.round;
  }

  onConnection(connected) {
    this.connected = connected;
    if (this.state) this.draw();
  }

  onFrame(frame) {
    this.clockOffset = frame.at - Date.now();
    if (frame.state) this.state = frame.state;
    if (frame.state) this.readingTime.ask(this.question);
    for (const [index, event] of (frame.events ?? []).entries()) {
      this.eventCount = (this.eventCount ?? 0) + 1;
      const sentence = frame.sentences[index] || "Event not visible to your role.";
      this.log = [
        ...this.log,
        { number: this.eventCount, sentence, clause: clauseOf(event) },
      ].slice(-LOG_LIMIT);
    }
    if (frame.state) this.draw();
  }

  async send(body, player) {
    this.sending += 1;
    this.problem = "";
    this.draw();
    try {
      const response = await sendAs(this.table, body, { role: this.actingRole, player }, (notice) => {
        this.notice = notice;
        this.draw();
      });
      await this.feed.waitFor(response?.sequence);
    } catch (error) {
      this.problem = errorText(error);
    }
    this.sending -= 1;
    this.draw();
    return !this.problem;
  }

  // What a press answers; "" if nothing is asked.
  get question() {
    return "";
  }

  onKey() {}

  get blockedSteps() {
    return this.state.steps.filter((step) => step.blocked);
  }

  draw() {
    render(
      this,
      h("div", { key: "strip", class: "strip" }, this.meters(), this.status()),
      h("div", { key: "felt", class: "felt-frame" }, drawFelt(this)),
      h("div", { key: "side", class: "side" }, this.side()),
      h("div", { key: "below", class: "below" }, this.tableFacts(), eventLog(this)),
    );
    const log = this.querySelector("[role=log]");
    if (log) log.scrollTop = log.scrollHeight;
  }

  status() {
    const outage = outageText(this.connected, this.state.unavailable, this.view.disabled);
    return h(
      "p",
      { class: "status" },
      outage ? h("b", { class: "problem", role: "status" }, outage, " ") : null,
      `${readable(this.actingRole)} · `,
      h("b", {}, tableStatus(this.view.open, this.round?.due?.kind)),
    );
  }

  meters() {
    return h("ul", { class: "meters" }, meterItems(this.view.meters));
  }

  step(step) {
    return h(
      "div",
      { key: `${stepKey(step)} ${step.why}`, class: `step ${step.due}`, "data-kind": step.kind },
      h(
        "p",
        { class: "step-reason" },
        `${step.why || step.sentence} `,
        this.clauses(step),
      ),
      commandForm(step, (body, player) => this.send(body, player)),
    );
  }

  clauses(step) {
    return step.clauses
      .slice(0, 3)
      .map((clause) =>
        h("cite", { key: clause, title: clauseText(this.house, clause) }, `${clause} `),
      );
  }

  group(key, title, steps, open) {
    if (!steps.length) return null;
    return h(
      "details",
      {
        key,
        class: "card more",
        open: this.querySelector(`[data-group="${key}"]`)?.open ?? open,
        "data-group": key,
      },
      h("summary", {}, `${title} (${steps.length})`),
      steps.map((step) => this.step(step)),
    );
  }

  tableFacts() {
    const view = this.view;
    const rows = [
      ["Dealer", capitalize(view.dealer ?? "")],
      [
        "Seats",
        Object.entries(view.seats)
          .map(([seat, name]) => `${seat} ${capitalize(name)} ${dollars(view.chips[name] ?? 0)}`)
          .join(", "),
      ],
      [
        "Posts",
        Object.entries(view.posts ?? {})
          .map(([name, role]) => `${capitalize(name)} (${capitalize(readable(role))})`)
          .join(", "),
      ],
      ["Decks", (view.decks ?? []).map((deck) => `${deck.name}: ${deck.stage}`).join(", ")],
      [
        "Devices",
        Object.entries(view.devices ?? {})
          .map(([name, state]) => `${capitalize(readable(name))}: ${state}`)
          .join(", "),
      ],
      ["Cards in the stub", this.round ? String(this.round.left_in_deck) : ""],
      ["Next deadline", view.deadline ? deadlineText(view.deadline) : ""],
      [
        "Tray",
        view.service === "practice" || view.tray === null || view.tray === undefined
          ? ""
          : dollars(view.tray),
      ], // a practice tray is never filled
    ];
    return h(
      "section",
      { key: "facts", class: "card" },
      h("h2", {}, "Table"),
      h(
        "dl",
        { class: "facts" },
        rows
          .filter(([, text]) => text)
          .map(([name, text]) => h("div", { key: name }, h("dt", {}, name), h("dd", {}, text))),
      ),
    );
  }
}

function deadlineText({ what, at, clause }) {
  return `${what} at ${timeText(at)} [${clause}]`;
}
