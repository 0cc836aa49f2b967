// Decision buttons: every option of the street with its price, and why an option is not available.

import { amountForm, isAmountStep } from "./amount_input.js";
import { dollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { capitalize } from "../lib/text.js";

// The decisions that the player can make now, in the order of their keys.
export function openDecisions(steps) {
  return steps.filter((step) => isDecision(step) && !step.blocked);
}

export function decisionButtons(page) {
  const street = page.house.streets.find((candidate) => candidate.name === page.round.due.street);
  const open = openDecisions(page.state.steps);
  const blocked = page.state.steps.filter((step) => isDecision(step) && step.blocked);
  const busy = page.turn === page.decidedTurn;
  const amounts = page.state.steps.filter((step) => isAmountStep(step) && !step.blocked);
  return h(
    "div",
    { key: "decisions", class: "choices" },
    [...open, ...blocked].map((step) =>
      decisionButton(page, street, step, open.indexOf(step), busy),
    ),
    blocked.length
      ? h(
          "p",
          { key: "blocked", class: "quiet-text" },
          blocked.map((step) => `${capitalize(step.fixed.word)}: ${step.blocked}`).join("; "),
        )
      : null,
    amounts.map((step) =>
      amountForm(step, {
        title: "Other amount",
        busy,
        submit: (decision) => page.decide(decision),
      }),
    ),
  );
}

function isDecision(step) {
  return step.kind === "decide" && !isAmountStep(step);
}

function decisionButton(page, street, step, index, busy) {
  const { word } = step.fixed;
  const option = street?.options.find((candidate) => candidate.word === word);
  return h(
    "button",
    {
      key: word,
      class: word === "fold" ? "danger" : "main",
      disabled: busy || Boolean(step.blocked),
      title: `${option?.clause ?? ""} ${page.eventText.clauseText(option?.clause)}`,
      onclick: () => page.decide(step.fixed),
    },
    h(
      "span",
      {},
      option?.wager ? `${page.eventText.wagerTitle(option.wager)} ${word}` : capitalize(word),
    ),
    h("small", {}, price(page, option, word)),
    index < 0 ? null : h("kbd", {}, String(index + 1)),
  );
}

function price(page, option, word) {
  if (!option?.times) return word === "fold" ? "give up" : "free";
  const ante = page.house.wagers.find((wager) => wager.role === "ante").name;
  return dollars(option.times * (page.round.boxes[page.round.due.seat]?.stakes[ante] ?? 0));
}
