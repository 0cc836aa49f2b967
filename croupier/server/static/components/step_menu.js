// A menu of steps at the dealer's console: one key or tap chooses a step, which then shows its
// consequence and its fields; the second key confirms it.

import { commandForm, furtherDetails, stepKey } from "./command_form.js";
import { h } from "../lib/render.js";
import { capitalize } from "../lib/text.js";

export function stepMenu(page, { title, steps, empty, digits = true }) {
  const chosen = steps.find((step) => stepKey(step) === page.task.chosen);
  if (chosen) return chosenStep(page, chosen);
  const subjects = [...new Set(steps.map((step) => step.subject))];
  return [
    title ? h("h2", { key: "title", class: "act-title", tabindex: "-1" }, title) : null,
    steps.length ? null : h("p", { key: "empty", class: "quiet-text" }, empty),
    subjects.map((subject) => [
      subjects.length > 1 ? h("h3", { key: subject }, subject) : null,
      h(
        "div",
        { key: `steps ${subject}`, class: "menu" },
        steps
          .filter((step) => step.subject === subject)
          .map((step) => menuButton(page, step, digits ? steps.indexOf(step) + 1 : 0)),
      ),
    ]),
    leaveButton(page),
  ];
}

export function menuButton(page, step, number) {
  const people = (step.players ?? []).map((player) => capitalize(player.id)).join(", ");
  const details = people ? `for ${people}` : furtherDetails(step);
  return h(
    "button",
    {
      key: stepKey(step),
      type: "button",
      "data-kind": step.kind,
      onclick: () => page.choose(step),
    },
    h("span", {}, step.title, details ? h("small", {}, ` ${details}`) : null),
    number && number < 10 ? h("kbd", {}, String(number)) : null,
  );
}

export function chosenStep(page, step) {
  return [
    h("h2", { key: "title", class: "act-title", tabindex: "-1" }, step.title),
    step.consequence
      ? h("p", { key: "consequence", class: "consequence", role: "status" }, `${step.consequence}.`)
      : null,
    h(
      "p",
      { key: "reason", class: "step-reason" },
      `${step.why || step.sentence} `,
      page.clauses(step),
    ),
    h(
      "div",
      { key: "form", class: "chosen", "data-kind": step.kind },
      commandForm(step, async (body, player) => {
        const done = await page.send(body, player ?? step.players?.[0]?.id);
        if (done) page.close();
        return done;
      }),
    ),
    leaveButton(page),
  ];
}

export function leaveButton(page) {
  return h(
    "button",
    { key: "leave", type: "button", class: "quiet", onclick: () => page.leave() },
    "Back",
    h("kbd", {}, "Esc"),
  );
}
