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
    if (this.isRunning) super.connectedCallback();
    else render(this, this.result());
  }

  get isRunning() {
    return this.lesson.state === "running";
  }

  onFrame(frame) {
    if (this.isRunning) super.onFrame(frame);
  }

  // Without prompts the trainee names an act; only then its form is shown.
  get isNaming() {
    return !this.lesson.prompts && !this.named;
  }

  get acts() {
    if (this.lesson.prompts) return super.acts;
    return super.acts.filter((step) => step.kind === this.named);
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

  // The server grades the name of an act only if it is not due.
  async name(kind) {
    const count = this.lesson.grades.length;
    await this.post({ names: kind });
    if (!this.problem && this.lesson.grades.length === count) this.named = kind;
    this.draw();
  }

  takeStep(step) {
    if (step?.kind === "settle_seat") this.querySelector("[name=pays]")?.focus();
    else super.takeStep(step);
  }

  async send(command, player, pays = null) {
    const done = await this.post({ command, pays });
    if (done && this.lesson.grades.at(-1)?.right) this.named = "";
    this.draw();
    return done;
  }

  async post(act) {
    this.sending += 1;
    this.problem = "";
    this.draw();
    try {
      this.lesson = await postJson(`/tables/${encodeURIComponent(this.table)}/school`, act);
      this.currentEntry = null; // cards graded as incorrect are entered again
      await this.feed.waitFor(this.lesson.sequence); // so that no act is taken twice
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
    const showsShoe = lesson.prompts || this.named === "deal_cards";
    return h(
      "section",
      { key: "tutor", class: "card tutor", "aria-label": "Tutor" },
      h(
        "p",
        { key: "progress", class: "quiet-text" },
        `Round ${round} of ${lesson.rounds} · ${lesson.right} of ${lesson.grades.length} correct`,
        passMarkText(lesson),
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
            last.right ? h("cite", { title: clauseText(this.house, last.clause) }, ` ${last.clause}`) : null,
          )
        : null,
      last && !last.right ? this.explanation(last) : null,
      lesson.shoe.length && showsShoe ? this.shoe(lesson.shoe) : null,
    );
  }

  // A mistake is explained with the text of its clause.
  explanation({ clause }) {
    const text = clauseText(this.house, clause);
    return h(
      "blockquote",
      { key: "clause", class: "clause-text" },
      h("cite", {}, clause),
      text && text !== clause ? ` ${text}` : "",
    );
  }

  statePanel(act) {
    if (this.isNaming) return this.namingPanel();
    if (this.named === "settle_seat") return this.seatPayment();
    return super.statePanel(act);
  }

  namingPanel() {
    return [
      h("h2", { key: "title", class: "act-title", tabindex: "-1" }, "What is next?"),
      h(
        "div",
        { key: "acts", class: "choices naming" },
        this.lesson.acts.map(({ kind, title }) =>
          h(
            "button",
            {
              key: kind,
              type: "button",
              "data-name": kind,
              disabled: this.sending > 0,
              onclick: () => this.name(kind),
            },
            title,
          ),
        ),
        h(
          "button",
          {
            key: "unknown",
            type: "button",
            class: "quiet",
            disabled: this.sending > 0,
            onclick: () => this.name("unknown"),
          },
          "Show me (counts as a mistake)",
        ),
      ),
    ];
  }

  // Without prompts the trainee says which seat is paid, and what it wins.
  seatPayment() {
    const onsubmit = (event) => {
      event.preventDefault();
      const { seat, pays } = event.target.elements;
      const command = { kind: "settle_seat", seat: Number(seat.value) };
      if (!this.sending) this.send(command, undefined, Math.round(Number(pays.value) * 100));
    };
    const input = (name, label, more) =>
      h("label", { key: name }, label, h("input", { name, type: "number", required: true, ...more }));
    return [
      h("h2", { key: "title", class: "act-title", tabindex: "-1" }, "Pay a seat"),
      h(
        "form",
        { key: `pay ${this.lesson.grades.length}`, class: "step-form", onsubmit },
        input("seat", "Seat", { min: 1, max: 6 }),
        input("pays", "Winnings, in dollars (without stakes and pushes)", { min: 0, step: "0.01" }),
        h("button", { type: "submit", class: "main" }, "Pay"),
      ),
    ];
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
      this.lesson.prompts
        ? h("button", { type: "button", onclick: enterCards }, "Enter these cards")
        : null,
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
        passMarkText(lesson),
        modeText(lesson),
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

export function reachesPassMark({ score, pass_mark: mark }) {
  return score >= mark;
}

// ". Score 92%, pass mark 80%: reached."
export function passMarkText(lesson) {
  const { score, pass_mark: mark } = lesson;
  if (!mark || !lesson.grades.length) return mark ? ` · Pass mark ${mark}%` : "";
  return ` · Score ${score}%, pass mark ${mark}%: ${reachesPassMark(lesson) ? "reached" : "not reached"}`;
}

export function modeText({ prompts, hard_payouts: hard }) {
  return [prompts ? "" : " · without prompts", hard ? " · hard payouts" : ""].join("");
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
