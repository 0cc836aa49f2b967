// A lesson: the dealer's console with a shoe before it, and a tutor who grades every act.

import { card } from "../components/playing_card.js";
import { DealerConsole } from "./dealer_console.js";
import { h, render } from "../lib/render.js";
import { read, send } from "../lib/api.js";

const LAST = 12; // acts that are listed

export class LessonConsole extends DealerConsole {
  async connectedCallback() {
    this.lesson = await read(`/school/lessons/${encodeURIComponent(this.dataset.lesson)}`);
    if (this.lesson.state !== "running") {
      render(this, this.result());
      return;
    }
    await super.connectedCallback();
  }

  heard(frame) {
    if (this.lesson.state === "running") super.heard(frame);
  }

  // Whoever pays first works it out: the seat comes before everything else that is due.
  get due() {
    const due = super.due;
    if (!this.lesson.paying) return due;
    const seat = this.state.steps.filter((step) => step.kind === "settle_seat" && !step.blocked && step.fixed.seat === this.lesson.paying);
    return [...seat, ...due.filter((step) => step.kind !== "settle_seat")];
  }

  take(step) {
    if (step?.kind === "settle_seat") this.querySelector("[name=pays]")?.focus();
    else super.take(step);
  }

  async act(command, player, pays = null) {
    this.sending += 1;
    this.problem = "";
    this.draw();
    try {
      this.lesson = await send(`/tables/${encodeURIComponent(this.table)}/school`, { command, pays });
      this.open = null; // a pad that was wrong begins anew
    } catch (error) {
      this.problem = error.clause ? `${error.message} [${error.clause}]` : error.message;
    }
    this.sending -= 1;
    if (this.lesson.state !== "running") this.feed.end();
    this.draw();
  }

  // The table is gone with the last round: what is left is the result.
  draw() {
    if (this.lesson.state === "running") super.draw();
    else render(this, this.result());
  }

  side() {
    const [first, panel, ...rest] = [this.tutor(), ...super.side()];
    return [first, panel, ...rest.filter((each) => each && each.props.key !== "entered"), this.grades()];
  }

  // What the trainee sees and hears, and how the last act was judged.
  tutor() {
    const lesson = this.lesson;
    const last = lesson.grades.at(-1);
    return h(
      "section",
      { key: "tutor", class: "card tutor", "aria-label": "Tutor" },
      h("p", { key: "count", class: "quiet-text" }, `Round ${Math.min(lesson.played + 1, lesson.rounds)} of ${lesson.rounds} · ${lesson.right} of ${lesson.grades.length} right`),
      lesson.said ? h("p", { key: "said", class: "problem", role: "alert" }, lesson.said) : null,
      last ? h("p", { key: `last ${last.number}`, class: last.right ? "win" : "lose", role: "status" }, h("b", {}, last.right ? "Right. " : "Wrong. "), last.right ? last.done : `Due: ${last.due}. ${last.note} `, h("cite", { title: this.words.clause(last.clause) }, ` ${last.clause}`)) : null,
      lesson.shoe.length ? this.shoe(lesson.shoe) : null,
    );
  }

  shoe(cards) {
    const fill = () => {
      const pad = this.pad;
      if (!pad) return;
      pad.cards = [...cards];
      pad.rank = "";
      this.draw();
    };
    return h("div", { key: "shoe", class: "shoe", role: "group", "aria-label": "Out of the shoe" }, h("p", { class: "quiet-text" }, "Out of the shoe, in this order:"), h("div", { class: "pad-cards" }, cards.map((name) => h("span", { key: name, class: "out" }, card(name, { key: name, plain: true })))), h("button", { type: "button", onclick: fill }, "Read them"));
  }

  payment() {
    const pay = (event) => {
      event.preventDefault();
      const step = this.due[0];
      const text = event.target.elements.pays.value;
      if (!this.sending && step?.kind === "settle_seat") this.act({ kind: step.kind, ...step.fixed }, undefined, Math.round(Number(text) * 100));
    };
    return h("form", { key: `pay ${this.lesson.paying} ${this.lesson.grades.length}`, class: "step", onsubmit: pay }, h("label", {}, `Winnings paid to seat ${this.lesson.paying}, in dollars (stakes and pushes apart)`, h("input", { name: "pays", type: "number", min: "0", step: "0.01", required: true })), h("button", { type: "submit", class: "main" }, `Pay seat ${this.lesson.paying}`));
  }

  button(step, index) {
    if (step.kind === "settle_seat") return index === 0 ? null : super.button(step, index);
    return super.button(step, index);
  }

  grades() {
    const found = this.lesson.grades;
    if (!found.length) return null;
    return h("section", { key: "grades", class: "card" }, h("h2", {}, "Your acts"), gradeTable(found.slice(-LAST).reverse()));
  }

  result() {
    const lesson = this.lesson;
    const path = `/school/lessons/${encodeURIComponent(lesson.id)}`;
    return h(
      "section",
      { key: "result", class: "card result-card" },
      h("h2", {}, lesson.state === "done" ? "The lesson is over" : "The lesson was broken off"),
      h("p", {}, h("b", {}, `${lesson.right} of ${lesson.grades.length} acts right`), lesson.payouts ? `, ${lesson.payouts} payouts right, ${(lesson.payout_milliseconds / 1000).toFixed(1)} seconds each` : ""),
      lesson.passed === null ? (lesson.state === "done" ? h("p", {}, "A pit manager examines it as a table test (COMAR 36.05.03.18).") : null) : h("p", {}, h("b", { class: lesson.passed ? "win" : "lose" }, lesson.passed ? "Passed" : "Not passed"), ` before ${lesson.examiner}. `, h("a", { href: `${path}/record.pdf`, download: "" }, "Record of the table test")),
      gradeTable(lesson.grades),
      h("p", {}, h("a", { class: "button", href: "/school" }, "Back to the school")),
    );
  }
}

export function gradeTable(grades) {
  const titles = ["round", "due", "done", "clause", "after"];
  return h(
    "div",
    { key: "graded", class: "scrolls", tabindex: "0", role: "region", "aria-label": "Graded acts" },
    h(
      "table",
      { class: "listing grades" },
      h("thead", {}, h("tr", {}, titles.map((title) => h("th", { key: title, scope: "col" }, title)))),
      h("tbody", {}, grades.map((one) => h("tr", { key: one.number, class: one.right ? "right" : "wrong" }, h("td", {}, String(one.round)), h("td", {}, one.due), h("td", {}, h("b", { class: one.right ? "win" : "lose" }, one.right ? "✓ " : "✗ "), one.done, one.note ? h("small", {}, ` ${one.note}`) : null), h("td", {}, one.clause), h("td", {}, `${(one.milliseconds / 1000).toFixed(1)} s`)))),
    ),
  );
}

customElements.define("croupier-lesson", LessonConsole);
