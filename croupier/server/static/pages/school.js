// The dealer school: lessons begun and looked at, table tests examined.

import { gradeTable } from "./lesson.js";
import { h, render } from "../lib/render.js";
import { read, send } from "../lib/api.js";

class School extends HTMLElement {
  connectedCallback() {
    this.problem = "";
    this.tried(async () => {});
  }

  async tried(work) {
    this.problem = "";
    try {
      await work();
      this.found = await read("/school/lessons");
    } catch (error) {
      this.problem = error.clause ? `${error.message} [${error.clause}]` : error.message;
    }
    this.draw();
  }

  draw() {
    render(
      this,
      this.problem ? h("p", { key: "problem", class: "problem", role: "alert" }, this.problem) : null,
      this.found?.may_learn ? this.beginning() : null,
      this.found ? (this.found.lessons.length ? this.found.lessons.map((lesson) => this.lesson(lesson)) : h("p", { key: "none", class: "quiet-text" }, "No lessons yet.")) : null,
    );
  }

  beginning() {
    const submit = (event) => {
      event.preventDefault();
      const { game, rounds, irregular } = event.target.elements;
      const body = { game: game.value, rounds: Number(rounds.value), irregular: irregular.checked };
      this.tried(async () => {
        const begun = await send("/school/lessons", body);
        location.assign(`/lesson/${encodeURIComponent(begun.id)}`);
      });
    };
    return h(
      "section",
      { key: "begin", class: "card" },
      h("h2", {}, "A new lesson"),
      h(
        "form",
        { class: "step", onsubmit: submit },
        h("label", {}, "Game", h("select", { name: "game" }, Object.entries(this.found.games).map(([key, title]) => h("option", { key, value: key }, title)))),
        h("label", {}, "Rounds", h("input", { name: "rounds", type: "number", min: 1, max: 20, value: "3", required: true })),
        h("label", { class: "check" }, h("input", { name: "irregular", type: "checkbox", checked: true }), "with irregularities"),
        h("button", { type: "submit", class: "main" }, "Begin"),
      ),
    );
  }

  lesson(lesson) {
    const path = `/school/lessons/${encodeURIComponent(lesson.id)}`;
    const result = lesson.passed === null ? { running: "is being dealt", done: "waits for an examiner", "broken off": "was broken off" }[lesson.state] : `${lesson.passed ? "passed" : "not passed"} before ${lesson.examiner}`;
    return h(
      "section",
      { key: lesson.id, class: "card lesson", "data-lesson": lesson.id },
      h("h2", {}, `${lesson.trainee}: ${lesson.title}`, h("small", {}, ` ${result}`)),
      h("p", {}, `${lesson.right} of ${lesson.grades.length} acts right`, lesson.payouts ? `, payouts ${(lesson.payout_milliseconds / 1000).toFixed(1)} s each` : ""),
      h("details", { key: "acts" }, h("summary", {}, "Every act"), gradeTable(lesson.grades)),
      h("p", { key: "links", class: "links" }, h("a", { href: `/lesson/${encodeURIComponent(lesson.id)}` }, lesson.state === "running" ? "Go on" : "Look at it"), lesson.passed === null ? null : h("a", { href: `${path}/record.pdf`, download: "" }, "Record of the table test")),
      lesson.may_examine ? this.examining(path) : null,
    );
  }

  examining(path) {
    const say = (passed) => (event) => {
      const remark = event.target.closest("form").elements.remark.value;
      this.tried(() => send(`${path}/verdict`, { passed, remark }));
    };
    return h("form", { key: "verdict", class: "step", onsubmit: (event) => event.preventDefault() }, h("label", {}, "Remark", h("input", { name: "remark", type: "text", maxlength: 500 })), h("button", { type: "button", class: "main", onclick: say(true) }, "Passed"), h("button", { type: "button", class: "fold", onclick: say(false) }, "Not passed"));
  }
}

customElements.define("croupier-school", School);
