// Console of floor, cage and security at one table: what waits for them with its evidence, and
// every other task by subject. A task shows what follows and its fields before it is carried out.

import { StaffConsole } from "./staff_console.js";
import { stepKey } from "../components/command_form.js";
import { waitsFor } from "../components/dealer_panels.js";
import { problemAlert } from "../components/problem_alert.js";
import { chosenStep, menuButton } from "../components/step_menu.js";
import { taskCard, taskKey } from "../components/task_card.js";
import { h } from "../lib/render.js";
import { pollJson } from "../lib/api.js";

const FLOOR_ROLES = new Set(["floorperson", "pit_manager"]);

class TaskConsole extends StaffConsole {
  connectedCallback() {
    Object.assign(this, { queue: [], task: {}, stale: false, reading: false });
    return super.connectedCallback();
  }

  onFrame(frame) {
    super.onFrame(frame);
    if (frame.state) this.readQueue();
  }

  // One request at a time; what happens meanwhile is read afterwards.
  async readQueue() {
    this.stale = true;
    if (this.reading) return;
    this.reading = true;
    while (this.stale) {
      this.stale = false;
      try {
        const query = new URLSearchParams({ table: this.table });
        const { queue } = await pollJson(`/pit/tables?${query}`);
        this.queue = queue.filter((item) => item.role === this.actingRole);
      } catch {
        // The next entry of the table reads it again.
      }
    }
    this.reading = false;
    this.readingTime.ask(this.question);
    this.draw();
  }

  get question() {
    return this.queue.map(taskKey).join();
  }

  // What can be done beside the queue, also for players who have no phone.
  get otherSteps() {
    const forPlayers = (step) => step.players?.length || step.newcomers;
    return this.state.steps.filter(
      (step) => !step.blocked && (step.due === "may" || forPlayers(step)),
    );
  }

  choose(step) {
    this.task = { chosen: stepKey(step) };
    this.draw();
    this.querySelector(".act-title")?.focus();
  }

  close() {
    this.leave();
  }

  leave() {
    this.task = {};
    this.problem = "";
    this.draw();
  }

  // A digit takes a waiting task that has nothing to fill in; Esc leaves an open task.
  onKey(event) {
    if (!this.state || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.key === "Escape") return this.leave();
    if (event.target.closest("input, select, textarea")) return;
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    const { step } = (digit && this.queue[Number(digit) - 1]) || {};
    if (!step || step.blocked || Object.keys(step.fields).length || this.sending) return;
    event.preventDefault();
    if (!this.readingTime.isAnswer(event)) return;
    this.send({ kind: step.kind, ...step.fixed });
  }

  side() {
    const chosen = this.otherSteps.find((step) => stepKey(step) === this.task.chosen);
    return [
      chosen
        ? h(
            "section",
            { key: "task", class: "card panel", "aria-label": "Task" },
            problemAlert(this.problem),
            h("div", { class: "act" }, chosenStep(this, chosen)),
          )
        : null,
      this.waiting(chosen),
      this.subjects(),
      FLOOR_ROLES.has(this.actingRole)
        ? h(
            "p",
            { key: "links", class: "links" },
            h(
              "a",
              { class: "button plain", href: `/rounds/${encodeURIComponent(this.table)}` },
              "Rounds of this table",
            ),
          )
        : null,
    ];
  }

  waiting(chosen) {
    const named = new Set(this.queue.flatMap((item) => item.others ?? []));
    return h(
      "section",
      { key: "queue", class: "card panel", "aria-label": "Waiting for you" },
      chosen ? null : problemAlert(this.problem),
      this.notice ? h("p", { key: "notice", role: "status" }, this.notice) : null,
      h("h2", { key: "title" }, "Waiting for you", this.sending ? h("small", {}, " sending…") : null),
      this.queue.length
        ? h(
            "ul",
            { key: "tasks", class: "queue" },
            this.queue.map((item, index) =>
              taskCard(item, {
                send: (body, player) => this.send(body, player),
                naming: false,
                number: index + 1,
                clauses: (step) => this.clauses(step),
              }),
            ),
          )
        : h("p", { key: "none", class: "quiet-text" }, "No action required."),
      waitsFor((this.state.waits_for ?? []).filter((text) => !named.has(text))),
    );
  }

  subjects() {
    const steps = this.otherSteps;
    return [...new Set(steps.map((step) => step.subject))].map((subject) => {
      const own = steps.filter((step) => step.subject === subject);
      return h(
        "details",
        { key: subject, class: "card more", "data-group": subject, ...this.openness(subject) },
        h("summary", {}, `${subject} (${own.length})`),
        h("div", { class: "menu" }, own.map((step) => menuButton(this, step, 0))),
      );
    });
  }

  // A subject stays as the person left it.
  openness(subject) {
    return { open: this.querySelector(`[data-group="${subject}"]`)?.open ?? false };
  }
}

customElements.define("croupier-task-console", TaskConsole);
