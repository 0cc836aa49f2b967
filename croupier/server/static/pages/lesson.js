// Lesson of the dealer school: the dealer console with a simulated shoe and graded actions.

import { card } from "../components/playing_card.js";
import { DealerConsole } from "./dealer_console.js";
import { h, render } from "../lib/render.js";
import { errorText, getJson, postJson } from "../lib/api.js";
import { clauseText } from "../lib/table_text.js";

const LISTED_GRADES = 12;

export class LessonConsole extends DealerConsole {
  async connectedCallback() {
    this.lesson = await getJson(`/school/lessons/${encodeURIComponent(this.dataset.lesson)}`);
    if (this.isRunning) await super.connectedCallback();
    else render(this, this.result());
  }

  get isRunning() {
    return this.lesson.state === "running";
  }

  onFrame(frame) {
    if (this.isRunning) super.onFrame(frame);
  }

  // The trainee calculates each payout, so the seat to pay comes before all other steps.
  get dueSteps() {
    const due = super.dueSteps;
    if (!this.lesson.paying) return due;
    const settleSeat = this.state.steps.filter(
      (step) =>
        step.kind === "settle_seat" && !step.blocked && step.fixed.seat === this.lesson.paying,
    );
    return [...settleSeat, ...due.filter((step) => !["settle_seat", "settle"].includes(step.kind))];
  }

  // Every action is graded by itself.
  follows() {
    return [];
  }

  takeStep(step) {
    if (step?.kind === "settle_seat") this.querySelector("[name=pays]")?.focus();
    else super.takeStep(step);
  }

  async send(command, player, pays = null) {
    this.sending += 1;
    this.problem = "";
    this.draw();
    try {
      this.lesson = await postJson(`/tables/${encodeURIComponent(this.table)}/school`, {
        command,
        pays,
      });
      this.currentEntry = null; // cards graded as incorrect are entered again
    } catch (error) {
      this.problem = errorText(error);
    }
    this.sending -= 1;
    if (!this.isRunning) this.feed.close();
    this.draw();
    return !this.problem;
  }

  // The table is removed after the last round; only the result remains.
  draw() {
    if (this.isRunning) super.draw();
    else render(this, this.result());
  }

  side() {
    return [this.tutor(), ...super.side(), this.recentGrades()];
  }

  // What the trainee sees and hears, and the grade of the last action.
  tutor() {
    const lesson = this.lesson;
    const last = lesson.grades.at(-1);
    const round = Math.min(lesson.played + 1, lesson.rounds);
    return h(
      "section",
      { key: "tutor", class: "card tutor", "aria-label": "Tutor" },
      h(
        "p",
        { key: "progress", class: "quiet-text" },
        `Round ${round} of ${lesson.rounds} · ${lesson.right} of ${lesson.grades.length} correct`,
      ),
      lesson.said
        ? h("p", { key: "announcement", class: "problem", role: "alert" }, lesson.said)
        : null,
      last
        ? h(
            "p",
            { key: `grade ${last.number}`, class: last.right ? "win" : "lose", role: "status" },
            h("b", {}, last.right ? "Correct. " : "Incorrect. "),
            last.right ? last.done : `Expected: ${last.due}. ${last.note} `,
            h("cite", { title: clauseText(this.house, last.clause) }, ` ${last.clause}`),
          )
        : null,
      lesson.shoe.length ? this.shoe(lesson.shoe) : null,
    );
  }

  shoe(cards) {
    const enterCards = () => {
      const entry = this.cardEntry;
      if (!entry) return;
      entry.cards = [...cards];
      entry.rank = "";
      this.draw();
    };
    return h(
      "div",
      { key: "shoe", class: "shoe", role: "group", "aria-label": "Cards from the shoe" },
      h("p", { class: "quiet-text" }, "Cards from the shoe, in order:"),
      h(
        "div",
        { class: "card-slots" },
        cards.map((name) =>
          h("span", { key: name, class: "shoe-card" }, card(name, { key: name, plain: true })),
        ),
      ),
      h("button", { type: "button", onclick: enterCards }, "Enter these cards"),
    );
  }

  payment() {
    if (!this.lesson.paying) return null;
    const onsubmit = (event) => {
      event.preventDefault();
      const step = this.dueSteps[0];
      const text = event.target.elements.pays.value;
      if (!this.sending && step?.kind === "settle_seat")
        this.send({ kind: step.kind, ...step.fixed }, undefined, Math.round(Number(text) * 100));
    };
    return h(
      "form",
      {
        key: `pay ${this.lesson.paying} ${this.lesson.grades.length}`,
        class: "step-form",
        onsubmit,
      },
      h(
        "label",
        {},
        `Winnings paid to seat ${this.lesson.paying}, in dollars (without stakes and pushes)`,
        h("input", { name: "pays", type: "number", min: "0", step: "0.01", required: true }),
      ),
      h("button", { type: "submit", class: "main" }, `Pay seat ${this.lesson.paying}`),
    );
  }

  stepControl(step, index) {
    return step.kind === "settle_seat" && index === 0 ? null : super.stepControl(step, index);
  }

  recentGrades() {
    const grades = this.lesson.grades;
    if (!grades.length) return null;
    return h(
      "section",
      { key: "grades", class: "card" },
      h("h2", {}, "Your actions"),
      gradeTable(grades.slice(-LISTED_GRADES).reverse()),
    );
  }

  result() {
    const lesson = this.lesson;
    const path = `/school/lessons/${encodeURIComponent(lesson.id)}`;
    return h(
      "section",
      { key: "result", class: "card result-card" },
      h("h2", {}, lesson.state === "done" ? "Lesson complete" : "Lesson ended early"),
      h(
        "p",
        {},
        h("b", {}, `${lesson.right} of ${lesson.grades.length} actions correct`),
        lesson.payouts
          ? `, ${lesson.payouts} payouts correct, ${seconds(lesson.payout_milliseconds)} each`
          : "",
      ),
      lesson.passed === null
        ? lesson.state === "done"
          ? h(
              "p",
              {},
              "Waiting for a pit manager to examine it as a table test (COMAR 36.05.03.18).",
            )
          : null
        : h(
            "p",
            {},
            h(
              "b",
              { class: lesson.passed ? "win" : "lose" },
              lesson.passed ? "Passed" : "Not passed",
            ),
            `, examined by ${lesson.examiner}. `,
            h("a", { href: `${path}/record.pdf`, download: "" }, "Table test record"),
          ),
      gradeTable(lesson.grades),
      h("p", {}, h("a", { class: "button", href: "/school" }, "Back to the dealer school")),
    );
  }
}

export function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

export function gradeTable(grades) {
  const titles = ["Round", "Expected", "Actual", "Clause", "Time"];
  return h(
    "div",
    {
      key: "graded",
      class: "scrollable",
      tabindex: "0",
      role: "region",
      "aria-label": "Graded actions",
    },
    h(
      "table",
      { class: "data-table grades" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          titles.map((title) => h("th", { key: title, scope: "col" }, title)),
        ),
      ),
      h(
        "tbody",
        {},
        grades.map((grade) =>
          h(
            "tr",
            { key: grade.number, class: grade.right ? "correct" : "incorrect" },
            h("td", {}, String(grade.round)),
            h("td", {}, grade.due),
            h(
              "td",
              {},
              h("b", { class: grade.right ? "win" : "lose" }, grade.right ? "✓ " : "✗ "),
              grade.done,
              grade.note ? h("small", {}, ` ${grade.note}`) : null,
            ),
            h("td", {}, grade.clause),
            h("td", {}, seconds(grade.milliseconds)),
          ),
        ),
      ),
    ),
  );
}

customElements.define("croupier-lesson", LessonConsole);
