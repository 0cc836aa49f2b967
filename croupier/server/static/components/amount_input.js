// Input for a bet of any amount, typed in dollars, where the operator allows it.

import { dollars } from "../lib/money.js";
import { h } from "../lib/render.js";

export function isAmountStep(step) {
  return step.kind === "decide" && "cents" in step.fields;
}

export function amountForm(step, { title, busy, submit }) {
  const { least, most, unit } = step.fields.cents;
  const onsubmit = (event) => {
    event.preventDefault();
    const cents = Math.round(Number(event.target.elements.dollars.value) * 100);
    submit({ ...step.fixed, word: `${cents}c`, cents });
  };
  return h(
    "form",
    { key: "amount", class: "amount-form", onsubmit },
    h(
      "label",
      {},
      `${title}: ${dollars(least)} to ${dollars(most)}`,
      h("input", {
        name: "dollars",
        type: "number",
        inputmode: "decimal",
        required: true,
        min: least / 100,
        max: most / 100,
        step: unit / 100,
      }),
    ),
    h("button", { type: "submit", disabled: busy }, "Bet amount"),
  );
}
