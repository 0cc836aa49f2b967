// Panels of the dealer's console: decisions of players, what else is due, whom the table waits for.

import { amountForm, isAmountStep } from "./amount_input.js";
import { stepKey } from "./command_form.js";
import { h } from "../lib/render.js";
import { seatName } from "../lib/table_text.js";
import { capitalize } from "../lib/text.js";

export function seatMenu(page) {
  return [
    h("h2", { key: "title", class: "act-title", tabindex: "-1" }, "Which seat?"),
    h(
      "div",
      { key: "seats", class: "menu" },
      Object.keys(page.house.anchors.seats).map((seat) =>
        h(
          "button",
          { key: seat, type: "button", onclick: () => page.selectSeat(Number(seat)) },
          `Seat ${seat}${page.view.seats[seat] ? `: ${capitalize(page.view.seats[seat])}` : ""}`,
          h("kbd", {}, seat),
        ),
      ),
    ),
  ];
}

export function decisionPanel(page) {
  const due = page.round.due;
  const name = seatName(page, due.seat);
  return [
    h("h2", { key: "title", class: "act-title", tabindex: "-1" }, `${name} decides`),
    h(
      "p",
      { key: "why", class: "step-reason" },
      `Seat ${due.seat}. Enter a decision only if the player says it. `,
      page.clauses(page.decisions[0]),
    ),
    h(
      "div",
      { key: "decisions", class: "menu", "data-decision": "" },
      page.decisions.map((step, index) =>
        isAmountStep(step)
          ? amountForm(step, {
              title: `${name}, other amount`,
              busy: !page.canDecide,
              submit: (decision) =>
                page.send({ kind: step.kind, ...decision }, step.players?.[0]?.id),
            })
          : h(
              "button",
              {
                key: stepKey(step),
                type: "button",
                "data-kind": "decide",
                disabled: !page.canDecide,
                onclick: (event) => page.decide(event, step),
              },
              h("span", {}, `${name}: ${step.fixed.word}`),
              h("kbd", {}, String(index + 1)),
            ),
      ),
    ),
  ];
}

export function alsoDue(page, steps, { first = 1, enter = false }) {
  if (!steps.length) return null;
  return h(
    "div",
    { key: "also", class: "menu also" },
    h("h3", { key: "title" }, "Also due"),
    steps.map((step, index) =>
      h(
        "button",
        {
          key: stepKey(step),
          type: "button",
          "data-kind": step.kind,
          disabled: page.sending > 0,
          onclick: () => page.prefer(step),
        },
        h("span", {}, step.title),
        enter && index ? null : h("kbd", {}, enter ? "Enter" : String(first + index)),
      ),
    ),
  );
}

// Whom and what the table waits for while nothing is due from the dealer.
export function waitingPanel(page) {
  const held = page.blockedSteps.find((step) => step.due !== "may");
  const people = page.state.waits_for ?? [];
  const idle = page.view.open ? "Waiting for bets" : "Table closed";
  return [
    h(
      "h2",
      { key: "title", class: "act-title", tabindex: "-1" },
      people.length ? `Waiting: ${people[0]}` : held ? `${held.title}: on hold` : idle,
    ),
    waitsFor(people.slice(1)),
    held ? h("p", { key: "held", class: "step-reason" }, `${held.title} is on hold: ${held.blocked}`) : null,
    page.seatsToRepeat.length
      ? h(
          "button",
          { key: "again", type: "button", class: "wide", onclick: () => page.sameAgain() },
          "Same again for the table",
          h("kbd", {}, "R"),
        )
      : null,
  ];
}

export function waitsFor(people) {
  return people.map((text) =>
    h("p", { key: `waits ${text}`, class: "waits-for quiet-text" }, `Waiting: ${text}`),
  );
}

export function toolbar(page) {
  const tool = (kind, text, key, count) =>
    h(
      "button",
      {
        key: kind,
        type: "button",
        "aria-pressed": String(page.task?.kind === kind),
        disabled: count === 0,
        "data-tool": kind,
        onclick: () => page.open(kind),
      },
      text,
      h("kbd", {}, key),
    );
  return h(
    "div",
    { key: "tools", class: "tools-bar", role: "group", "aria-label": "Other tasks" },
    tool("seats", "Seats", "B"),
    tool("irregularities", "Irregularity", "I", page.irregularities.length),
    tool("more", "More", "M", page.otherSteps.length),
  );
}
