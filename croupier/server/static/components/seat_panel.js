// A seat at the dealer's console, for a player without a phone: bets on the spots, buy-in, color
// change, tip and cash-out.

import { leaveButton, stepMenu } from "./step_menu.js";
import { stepKey } from "./command_form.js";
import { CHIP_VALUES, dollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { wagerTitle } from "../lib/table_text.js";
import { capitalize } from "../lib/text.js";

const SEAT_KINDS = [
  "buy_in",
  "add_chips",
  "exchange_chips",
  "tip",
  "cash_out",
  "sit_down",
  "leave",
  "record_walk_away",
];

export function seatSteps(page, seat) {
  return page.openSteps
    .filter((step) => SEAT_KINDS.includes(step.kind) && step.fixed.seat === seat)
    .sort((one, other) => SEAT_KINDS.indexOf(one.kind) - SEAT_KINDS.indexOf(other.kind));
}

export function isSeatStep(step) {
  return SEAT_KINDS.includes(step.kind) && typeof step.fixed.seat === "number";
}

export function seatPanel(page) {
  const seat = page.task.seat;
  const steps = seatSteps(page, seat);
  if (steps.some((step) => stepKey(step) === page.task.chosen)) return stepMenu(page, { steps });
  const player = page.view.seats[seat];
  const chips = player ? `, ${dollars(page.view.chips[player] ?? 0)}` : "";
  return [
    h(
      "h2",
      { key: "title", class: "act-title", tabindex: "-1" },
      player ? `Seat ${seat}: ${capitalize(player)}${chips}` : `Seat ${seat} is free`,
    ),
    page.betForm ? bets(page) : null,
    h(
      "div",
      { key: "money", class: "menu" },
      steps.map((step) =>
        h(
          "button",
          {
            key: stepKey(step),
            type: "button",
            "data-kind": step.kind,
            onclick: () => page.choose(step),
          },
          step.title,
        ),
      ),
    ),
    leaveButton(page),
  ];
}

// The chips to bet with, and the spots that take them, here and on the felt.
function bets(page) {
  const form = page.betForm;
  const stakes = page.slip.total ? page.slip.stakes : form.lies;
  return h(
    "div",
    { key: "bets", class: "seat-bets" },
    h(
      "div",
      { key: "tray", class: "chip-tray", role: "radiogroup", "aria-label": "Chip" },
      CHIP_VALUES.map((cents) =>
        h(
          "button",
          {
            key: cents,
            type: "button",
            role: "radio",
            "aria-checked": String(cents === page.chip),
            class: `chip chip-${cents / 100}`,
            onclick: () => {
              page.chip = cents;
              page.draw();
            },
          },
          dollars(cents),
        ),
      ),
    ),
    h(
      "ul",
      { key: "spots", class: "spots", "aria-label": "Betting spots" },
      Object.keys(form.terms).map((name, index) =>
        h(
          "li",
          { key: name, class: stakes[name] ? "has-stake" : "" },
          h(
            "button",
            { key: "add", type: "button", class: "spot", onclick: () => page.addBet(name) },
            h("kbd", {}, String(index + 1)),
            h("span", {}, wagerTitle(page.house, name)),
            h("b", {}, stakes[name] ? dollars(stakes[name]) : "–"),
          ),
          h(
            "button",
            {
              key: "remove",
              type: "button",
              class: "remove-chip",
              disabled: !stakes[name],
              "aria-label": `Remove ${dollars(page.chip)} from ${wagerTitle(page.house, name)}`,
              onclick: () => page.addBet(name, -1),
            },
            "−",
          ),
        ),
      ),
    ),
    h(
      "div",
      { key: "actions", class: "choices" },
      h(
        "button",
        {
          key: "again",
          type: "button",
          disabled: !page.lastStakes(form.seat),
          onclick: () => page.sameAgain(form.seat),
        },
        "Same again",
        h("kbd", {}, "R"),
      ),
      h(
        "button",
        {
          key: "back",
          type: "button",
          disabled: !Object.keys(form.lies).length,
          onclick: () => page.takeBack(),
        },
        "Take back",
        h("kbd", {}, "X"),
      ),
      h(
        "button",
        {
          key: "place",
          type: "button",
          class: "main deal",
          disabled: !page.slip.total || page.sending > 0,
          onclick: () => page.placeBets(),
        },
        h("span", {}, `Place ${dollars(page.slip.total)}`),
        h("kbd", {}, "Enter"),
      ),
    ),
  );
}
