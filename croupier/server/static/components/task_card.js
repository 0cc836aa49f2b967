// A task of the queue: what waits, its evidence, who waits since when, and the one next step.

import "./elapsed_time.js";
import { card } from "./playing_card.js";
import { commandForm, stepKey } from "./command_form.js";
import { dollars, signedDollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { capitalize } from "../lib/text.js";

const CLAUSES = 2;

export function taskKey(item) {
  return `${item.table} ${item.role} ${stepKey(item.step)}`;
}

// `send` takes the body and returns whether the command was carried out.
export function taskCard(item, { send, naming = true, number = 0, clauses = plainClauses }) {
  const { step, evidence } = item;
  const state = step.blocked ? "held" : step.due;
  return h(
    "li",
    { key: taskKey(item), class: `task step ${state}`, "data-kind": step.kind },
    h(
      "p",
      { key: "title", class: "task-title" },
      number && number < 10 ? h("kbd", {}, String(number)) : null,
      h("b", {}, naming ? `${item.table}: ${step.title}` : step.title),
      h("small", { key: "age" }, h("croupier-elapsed-time", { since: item.since, selfRendered: true })),
    ),
    h(
      "p",
      { key: "why", class: item.ways_out || item.others ? "problem" : "step-reason" },
      `${capitalize(step.blocked || step.why || step.sentence)} `,
      step.blocked ? null : clauses(step), // the reason of a refusal ends with its clause
    ),
    evidence ? evidencePart(item, evidence) : null,
    item.waiting?.length
      ? h("p", { key: "waiting", class: "quiet-text" }, `Waiting: ${item.waiting.map(capitalize).join(", ")}`)
      : null,
    step.blocked ? waysOut(item, send) : commandForm(step, send),
  );
}

function plainClauses(step) {
  return step.clauses.slice(0, CLAUSES).map((clause) => h("cite", { key: clause }, `${clause} `));
}

function waysOut(item, send) {
  return [
    (item.ways_out ?? []).map((step) => commandForm(step, send)),
    (item.others ?? []).map((text) => h("p", { key: text, class: "quiet-text" }, `Or: ${text}.`)),
  ];
}

function evidencePart(item, evidence) {
  const rows = [
    ["Player", evidence.player && capitalize(evidence.player)],
    ["Seat", evidence.seat ? String(evidence.seat) : ""],
    ["Hand", evidence.hand],
    ["Wager", evidence.wager && `${evidence.wager}${evidence.stake ? ` ${dollars(evidence.stake)}` : ""}`],
    ["Paytable", evidence.line && capitalize(evidence.line)],
    ["Amount", evidence.amount ? (evidence.wager ? signedDollars(evidence.amount) : dollars(evidence.amount)) : ""],
  ].filter(([, text]) => text);
  return [
    evidence.words ? h("blockquote", { key: "words", class: "complaint" }, evidence.words) : null,
    rows.length
      ? h(
          "dl",
          { key: "evidence", class: "evidence" },
          rows.map(([name, text]) => h("div", { key: name }, h("dt", {}, name), h("dd", {}, text))),
        )
      : null,
    evidence.cards?.length
      ? h("div", { key: "cards", class: "evidence-cards" }, evidence.cards.map((name) => card(name, { key: name, plain: true })))
      : null,
    evidence.done?.length
      ? h("p", { key: "done", class: "quiet-text" }, `${capitalize(evidence.done.join("; "))}.`)
      : null,
    evidence.round
      ? h(
          "a",
          { key: "replay", class: "button plain", href: `/rounds/${encodeURIComponent(item.table)}#round=${evidence.round}` },
          `Replay round ${evidence.round}`,
        )
      : null,
  ];
}
