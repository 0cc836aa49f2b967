// What a player may answer: every word of the street with its price, and why one cannot be said now.

import { amountForm, isAnyAmount } from "./amount_input.js";
import { dollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { capital } from "../lib/event_text.js";

// The words that may be said, in the order of their keys.
export function openWords(steps) {
  return steps.filter((step) => isWord(step) && !step.blocked);
}

export function answers(page) {
  const street = page.house.streets.find((each) => each.name === page.round.due.street);
  const open = openWords(page.state.steps);
  const blocked = page.state.steps.filter((step) => isWord(step) && step.blocked);
  const busy = page.turn === page.answered;
  const amounts = page.state.steps.filter((step) => isAnyAmount(step) && !step.blocked);
  return h(
    "div",
    { key: "answers", class: "choices" },
    [...open, ...blocked].map((step) => answer(page, street, step, open.indexOf(step), busy)),
    blocked.length ? h("p", { key: "blocked", class: "quiet-text" }, blocked.map((step) => `${capital(step.fixed.word)}: ${step.blocked}`).join("; ")) : null,
    amounts.map((step) => amountForm(step, { title: "Or any amount", busy, submit: (said) => page.decide(said) })),
  );
}

function isWord(step) {
  return step.kind === "decide" && !isAnyAmount(step);
}

function answer(page, street, step, index, busy) {
  const { word } = step.fixed;
  const option = street?.options.find((each) => each.word === word);
  return h(
    "button",
    { key: word, class: word === "fold" ? "fold" : "main", disabled: busy || Boolean(step.blocked), title: `${option?.clause ?? ""} ${page.words.clause(option?.clause)}`, onclick: () => page.decide(step.fixed) },
    h("span", {}, option?.wager ? `${page.words.title(option.wager)} ${word}` : capital(word)),
    h("small", {}, price(page, option, word)),
    index < 0 ? null : h("kbd", {}, String(index + 1)),
  );
}

function price(page, option, word) {
  if (!option?.times) return word === "fold" ? "give up" : "free";
  const ante = page.house.wagers.find((wager) => wager.role === "ante").name;
  return dollars(option.times * (page.round.boxes[page.round.due.seat]?.stakes[ante] ?? 0));
}
