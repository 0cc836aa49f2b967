// Dealer school: start and review lessons, examine table tests.

import { gradeTable, modeText, passMarkText, reachesPassMark, seconds } from "./lesson.js";
import { problemAlert } from "../components/problem_alert.js";
import { h, render } from "../lib/render.js";
import { errorText, getJson, postJson } from "../lib/api.js";

const STATE_TEXT = {
  running: "in progress",
  done: "waiting for an examiner",
  "broken off": "ended early",
};

class School extends HTMLElement {
  connectedCallback() {
    this.run(async () => {});
  }

  // Runs a task and reloads the lessons.
  async run(task) {
    this.problem = "";
    try {
      await task();
      this.school = await getJson("/school/lessons");
    } catch (error) {
      this.problem = errorText(error);
    }
    this.draw();
  }

  draw() {
    const lessons = this.school?.lessons;
    render(
      this,
      problemAlert(this.problem),
      this.school?.may_learn ? this.lessonForm() : null,
      lessons
        ? lessons.length
          ? lessons.map((lesson) => this.lesson(lesson))
          : h("p", { key: "empty", class: "quiet-text" }, "No lessons yet.")
        : null,
    );
  }

  lessonForm() {
    const onsubmit = (event) => {
      event.preventDefault();
      const { game, rounds, irregular, prompts, hard, mark } = event.target.elements;
      const body = {
        game: game.value,
        rounds: Number(rounds.value),
        irregular: irregular.checked,
        prompts: !prompts.checked,
        hard_payouts: hard.checked,
        pass_mark: Number(mark.value || 0),
      };
      this.run(async () => {
        const lesson = await postJson("/school/lessons", body);
        location.assign(`/lesson/${encodeURIComponent(lesson.id)}`);
      });
    };
    return h(
      "section",
      { key: "form", class: "card" },
      h("h2", {}, "New lesson"),
      h(
        "form",
        { class: "step-form", onsubmit },
        h(
          "label",
          {},
          "Game",
          h(
            "select",
            { name: "game" },
            Object.entries(this.school.games).map(([key, title]) =>
              h("option", { key, value: key }, title),
            ),
          ),
        ),
        h(
          "label",
          {},
          "Rounds",
          h("input", {
            name: "rounds",
            type: "number",
            min: 1,
            max: 20,
            value: "3",
            required: true,
          }),
        ),
        h(
          "label",
          { class: "checkbox" },
          h("input", { name: "irregular", type: "checkbox", checked: true }),
          "Include irregularities",
        ),
        h(
          "label",
          { class: "checkbox" },
          h("input", { name: "hard", type: "checkbox" }),
          "Hard payouts",
        ),
        h(
          "label",
          { class: "checkbox" },
          h("input", { name: "prompts", type: "checkbox" }),
          "Without prompts: I name each act myself",
        ),
        h(
          "label",
          {},
          "Pass mark (% correct)",
          h("input", { name: "mark", type: "number", min: 50, max: 100, placeholder: "none" }),
        ),
        h("button", { type: "submit", class: "main" }, "Start lesson"),
      ),
    );
  }

  lesson(lesson) {
    const path = `/school/lessons/${encodeURIComponent(lesson.id)}`;
    const result =
      lesson.passed === null
        ? STATE_TEXT[lesson.state]
        : `${lesson.passed ? "passed" : "not passed"}, examined by ${lesson.examiner}`;
    return h(
      "section",
      { key: lesson.id, class: "card lesson", "data-lesson": lesson.id },
      h("h2", {}, `${lesson.trainee}: ${lesson.title}`, h("small", {}, ` ${result}`)),
      h(
        "p",
        {},
        `${lesson.right} of ${lesson.grades.length} actions correct`,
        lesson.payouts ? `, payouts ${seconds(lesson.payout_milliseconds)} each` : "",
        passMarkText(lesson),
        modeText(lesson),
      ),
      h("details", { key: "grades" }, h("summary", {}, "All actions"), gradeTable(lesson.grades)),
      h(
        "p",
        { key: "links", class: "links" },
        h(
          "a",
          { href: `/lesson/${encodeURIComponent(lesson.id)}` },
          lesson.state === "running" ? "Continue" : "View",
        ),
        lesson.passed === null
          ? null
          : h("a", { href: `${path}/record.pdf`, download: "" }, "Table test record"),
      ),
      lesson.may_examine ? this.verdictForm(lesson, path) : null,
    );
  }

  verdictForm(lesson, path) {
    const giveVerdict = (passed) => (event) => {
      const remark = event.target.closest("form").elements.remark.value;
      this.run(() => postJson(`${path}/verdict`, { passed, remark }));
    };
    return h(
      "form",
      { key: "verdict", class: "step-form", onsubmit: (event) => event.preventDefault() },
      h("label", {}, "Remark", h("input", { name: "remark", type: "text", maxlength: 500 })),
      h(
        "button",
        {
          type: "button",
          class: "main",
          disabled: !reachesPassMark(lesson),
          title: reachesPassMark(lesson) ? "" : "The score is below the pass mark",
          onclick: giveVerdict(true),
        },
        "Passed",
      ),
      h("button", { type: "button", class: "danger", onclick: giveVerdict(false) }, "Not passed"),
    );
  }
}

customElements.define("croupier-school", School);
