// Command form: a step lists the fields it leaves open, and the form asks for exactly those.

import { dollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { capitalize, readable } from "../lib/text.js";

const MONEY_FIELDS = new Set(["cash", "chips", "cents", "amount"]);
const PLAYER_FIELD = "*for"; // the player for whom a dealer enters the command
const WHOLE_COMMAND = "*"; // a form for several fields that depend on each other
// Where the name of a field is not what people ask for.
const FIELD_LABELS = {
  light: "award light on",
  decision: "decision, as the player reads it",
  text: "in the player's own words",
  slip: "slip number",
  second: "second person",
};

// Stakes are entered with the bet controls, which show more than a form.
export function isFormStep(step) {
  return !Object.values(step.fields).some((form) => form.form === "stakes");
}

// Identifies a step among the steps of a table: its values, its people, and which of the ways to
// bet it is (a box with bets offers two).
export function stepKey({ kind, fixed, fields, players = [], newcomers = false }) {
  const people = players.map((player) => player.id);
  const withdraws = Object.values(fields).some((form) => form.withdraws);
  return JSON.stringify([kind, fixed, people, newcomers, withdraws, Object.keys(fields)]);
}

// `submit` returns (a promise of) whether the command was carried out.
// `settings` are not facts: each choice starts with its current value, which is the first.
export function commandForm(step, submit, { settings = false } = {}) {
  const fields = Object.entries(step.fields);
  return h(
    "form",
    {
      key: stepKey(step),
      class: "step-form",
      // What was sent is no proposal for the next command of the same form.
      onsubmit: async (event) => {
        event.preventDefault();
        const { target: form, submitter: button } = event;
        const body = { kind: step.kind, ...step.fixed, ...readFields(form, fields) };
        button.disabled = true; // until it is answered: a double click sends one command
        if (await submit(body, form.elements[PLAYER_FIELD]?.value)) form.reset();
        button.disabled = button.croupierProps.disabled;
      },
    },
    step.players?.length
      ? chooser(
          PLAYER_FIELD,
          "for",
          step.players.map((player) => [player.id, capitalize(player.id)]),
        )
      : null,
    step.newcomers
      ? h(
          "label",
          {},
          "for",
          h("input", { name: PLAYER_FIELD, type: "text", required: true, placeholder: "player" }),
        )
      : null,
    h("span", { key: "details", class: "step-details" }, furtherDetails(step)),
    fields.map(([name, form]) => fieldInput(name, form, settings)),
    h(
      "button",
      { type: "submit", disabled: Boolean(step.blocked), title: capitalize(step.blocked || step.sentence) },
      step.title,
    ),
    step.blocked ? h("span", { class: "step-reason" }, capitalize(step.blocked)) : null,
  );
}

// The fixed fields of a step as text: seat, document, place.
export function stepDetails(step) {
  const names = step.fields[WHOLE_COMMAND] ? ["seat", "wager"] : Object.keys(step.fixed);
  const shown = names.filter(
    (name) =>
      typeof step.fixed[name] === "number" ||
      (typeof step.fixed[name] === "string" && step.fixed[name]),
  );
  return shown
    .map((name) =>
      labelValue(
        name,
        MONEY_FIELDS.has(name) && typeof step.fixed[name] === "number"
          ? dollars(step.fixed[name])
          : readable(String(step.fixed[name])),
      ),
    )
    .join(", ");
}

// The details that the title of the step does not name: "Pay seat 2" needs no "seat 2" beside it.
export function furtherDetails(step) {
  const title = step.title.toLowerCase();
  const fixed = Object.entries(step.fixed).filter(
    ([, value]) => !title.includes(readable(String(value)).toLowerCase()),
  );
  return stepDetails({ ...step, fixed: Object.fromEntries(fixed) });
}

// "red deck" rather than "deck red deck".
function labelValue(name, value) {
  return value.endsWith(readable(name)) ? value : `${readable(name)} ${value}`;
}

function fieldInput(name, form, settings) {
  const label = name === WHOLE_COMMAND ? "" : (FIELD_LABELS[name] ?? readable(name));
  if (form.form === "one_of") {
    const options = form.values.map((value, index) => [String(index), optionText(value)]);
    return chooser(name, label, options, {
      first: settings || form.values[0] === "",
    });
  }
  if (form.form === "amount" || form.form === "count") {
    const scale = inCents(name, form) ? 100 : 1;
    const max = form.most === null || form.most === undefined ? null : form.most / scale;
    return h(
      "label",
      {},
      scale === 100 ? `${label} in dollars` : label,
      h("input", {
        name,
        type: "number",
        required: true,
        min: form.least / scale,
        max,
        step: scale === 100 ? "0.01" : "1",
      }),
    );
  }
  if (form.form === "counts")
    return form.places.map((place) => numberInput(`${name} ${place}`, readable(place), "0"));
  if (form.form === "chips") {
    if (form.sums)
      return numberInput(name, `${label} in dollars`, String(form.least / 100), "0.01");
    return form.kinds.map((chip) =>
      numberInput(`${name} ${chip.cents}`, `$${chip.cents / 100} chips`, "0"),
    );
  }
  if (form.form === "stakes") return stakeInputs(name, form);
  if (form.form === "limits")
    return [
      numberInput(`${name} minimum`, "minimum in dollars", "0.01", "0.01", form.most_minimum / 100),
      numberInput(`${name} maximum`, "maximum in dollars, blank for none", "0.01", "0.01"),
    ];
  if (form.form === "outside_limits")
    return [
      stakeInputs(name, form.stakes),
      h(
        "label",
        { key: "reason" },
        "reason",
        h("input", { name: `${name} reason`, type: "text", required: true }),
      ),
    ];
  if (form.form === "exchange")
    return ["given", "taken"].map((direction) =>
      form.denominations.map((cents) =>
        numberInput(`${name} ${direction} ${cents}`, `$${cents / 100} chips ${direction}`, "0"),
      ),
    );
  return h(
    "label",
    {},
    label,
    form.may_be_empty ? h("small", {}, " (optional)") : null,
    h("input", {
      name,
      type: "text",
      placeholder: placeholder(form),
      required: !form.may_be_empty,
    }),
  );
}

// A choice that starts empty, unless there is nothing to choose or `first` is chosen at the start;
// one that `asks` is empty even with a single option.
export function chooser(name, label, options, { first = false, asks = false, onchange = null } = {}) {
  const open = asks || (options.length > 1 && !first);
  return h(
    "label",
    { key: name },
    label,
    h(
      "select",
      { name, required: open, onchange },
      open ? h("option", { key: "", value: "" }, "Choose…") : null,
      options.map(([value, text]) => h("option", { key: value, value }, text)),
    ),
  );
}

// A count is never money, even in a field that has the name of a money field.
function inCents(name, form) {
  return form.form === "amount" && MONEY_FIELDS.has(name);
}

function optionText(value) {
  if (value !== null && typeof value === "object") return `${value.id}, ${readable(value.role)}`;
  return value === true ? "yes" : value === false ? "no" : readable(String(value)) || "(none)";
}

function stakeInputs(name, form) {
  return Object.entries(form.terms)
    .filter(([, terms]) => !terms.equals)
    .map(([wager]) =>
      numberInput(
        `${name} ${wager}`,
        `${readable(wager)} in dollars`,
        "0",
        "0.01",
        (form.lies[wager] ?? 0) / 100,
      ),
    );
}

// An example of what to write, never the text itself: a person states what goes on record.
function placeholder({ suggestion = "", taken = [] }) {
  let example = suggestion;
  for (let number = 2; taken.includes(example); number += 1) example = `${suggestion} ${number}`;
  return example && `such as: ${example}`;
}

function numberInput(name, label, min, step = "1", value = "") {
  return h("label", { key: name }, label, h("input", { name, type: "number", min, step, value }));
}

// The number inputs of one field that are filled in.
function readNumbers(element, names, prefix, scale = 1) {
  const numbers = {};
  for (const name of names) {
    const text = element.elements[`${prefix} ${name}`].value;
    if (text !== "") numbers[name] = Math.round(Number(text) * scale);
  }
  return numbers;
}

function readStakes(element, name, form) {
  const stakes = readNumbers(
    element,
    Object.keys(form.terms).filter((wager) => !form.terms[wager].equals),
    name,
    100,
  );
  for (const [wager, terms] of Object.entries(form.terms))
    if (terms.equals) stakes[wager] = stakes[terms.equals] ?? 0;
  return stakes;
}

function readWholeCommand(element, name, form) {
  if (form.form === "limits") {
    const { minimum, maximum = null } = readNumbers(element, ["minimum", "maximum"], name, 100);
    return { minimum, maximum };
  }
  if (form.form === "outside_limits")
    return {
      wagers: readStakes(element, name, form.stakes),
      reason: element.elements[`${name} reason`].value,
    };
  const pieces = (direction) =>
    readNumbers(element, form.denominations.map(String), `${name} ${direction}`);
  return { given: pieces("given"), taken: pieces("taken") };
}

function readFields(element, fields) {
  const values = {};
  for (const [name, form] of fields) {
    if (name === WHOLE_COMMAND) Object.assign(values, readWholeCommand(element, name, form));
    else values[name] = readField(element, name, form);
  }
  return values;
}

function readField(element, name, form) {
  if (form.form === "counts") return readNumbers(element, form.places, name);
  if (form.form === "stakes") return readStakes(element, name, form);
  if (form.form === "chips" && !form.sums)
    return readNumbers(
      element,
      form.kinds.map((chip) => String(chip.cents)),
      name,
    );
  const text = element.elements[name].value;
  if (form.form === "chips") return Math.round(Number(text) * 100);
  if (form.form === "one_of") return form.values[Number(text)];
  if (form.form === "amount" || form.form === "count")
    return Math.round(Number(text) * (inCents(name, form) ? 100 : 1));
  if (form.form === "cards") return text.split(/[\s,]+/).filter(Boolean);
  return text;
}
