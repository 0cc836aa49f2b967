// Decision buttons at fixed places: fold on the left, check in the middle, bets on the right.

import { amountForm, isAmountStep } from "./amount_input.js";
import { dollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { clauseText, wagerTitle } from "../lib/table_text.js";
import { capitalize, toPlayer } from "../lib/text.js";

const KEYS = { fold: "F", check: "C" };

// The decisions that the player can make now.
export function openDecisions(steps) {
  return steps.filter((step) => isDecision(step) && !step.blocked);
}

// F folds, C checks, and the digit of a multiple makes that bet: only digits cost money.
export function decisionOfKey(steps, code) {
  const key = /^(?:Key|Digit)(.)$/.exec(code)?.[1];
  return openDecisions(steps).find((step) => keyOf(step.fixed.word) === key);
}

export function keyOf(word) {
  return KEYS[word] ?? /^(\d)x$/.exec(word)?.[1] ?? "";
}

export function decisionButtons(page) {
  const street = page.house.streets.find((candidate) => candidate.name === page.round.due.street);
  const steps = page.state.steps.filter(isDecision);
  const bets = steps.filter((step) => !(step.fixed.word in KEYS));
  const place = (word) => {
    const step = steps.find((each) => each.fixed.word === word);
    return h("div", { key: word, class: `place-${word}` }, step ? button(page, street, step) : null);
  };
  bets.sort((first, second) => first.fixed.word.localeCompare(second.fixed.word));
  return [
    h(
      "div",
      { key: "decisions", class: "actions" },
      place("fold"),
      place("check"),
      h(
        "div",
        { key: "bets", class: "place-bets" },
        bets.map((step) => button(page, street, step)),
      ),
    ),
    page.state.steps
      .filter((step) => isAmountStep(step) && !step.blocked)
      .map((step) =>
        amountForm(step, {
          title: "Other amount",
          busy: !page.canDecide,
          submit: (decision) => page.decide(decision),
        }),
      ),
  ];
}

// What is missing for the cheapest bet that the player cannot afford; 0 if nothing is.
export function shortOf(page) {
  const street = page.house.streets.find((candidate) => candidate.name === page.round?.due.street);
  const missing = page.state.steps
    .filter((step) => isDecision(step) && step.blocked)
    .map((step) => cost(page, optionOf(street, step)) - page.chips)
    .filter((cents) => cents > 0);
  return missing.length ? Math.min(...missing) : 0;
}

function isDecision(step) {
  return step.kind === "decide" && !isAmountStep(step);
}

function optionOf(street, step) {
  return street?.options.find((candidate) => candidate.word === step.fixed.word);
}

function cost(page, option) {
  const ante = page.house.wagers.find((wager) => wager.role === "ante").name;
  const { boxes, due } = page.round;
  return (option?.times ?? 0) * (boxes[due.seat]?.stakes[ante] ?? 0);
}

function button(page, street, step) {
  const { word } = step.fixed;
  const option = optionOf(street, step);
  const title = option?.wager ? `${wagerTitle(page.house, option.wager)} ${word}` : capitalize(word);
  return h(
    "button",
    {
      key: word,
      type: "button",
      class: word === "fold" ? "danger" : word === "check" ? "check" : "main",
      "data-word": word,
      disabled: !page.canDecide || Boolean(step.blocked),
      title: clauseText(page.house, option?.clause),
      onclick: (event) => page.press(event, step.fixed),
    },
    h("span", {}, title),
    h("small", {}, price(page, option, step)),
    step.blocked || !keyOf(word) ? null : h("kbd", {}, keyOf(word)),
  );
}

function price(page, option, step) {
  const cents = cost(page, option);
  if (step.blocked && cents > page.chips) return `You are ${dollars(cents - page.chips)} short`;
  if (step.blocked) return toPlayer(step.blocked, page.account);
  if (!cents) return step.fixed.word === "fold" ? "give up" : "free";
  return dollars(cents);
}
