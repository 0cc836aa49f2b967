// Any command as a form: a step says what is left open, and the form asks for exactly that.

import { dollars } from "../lib/money.js";
import { h } from "../lib/render.js";

const MONEY = new Set(["cash", "chips", "cents", "amount"]);

// What a screen of its own shows better than a form does.
export function isPlain(step) {
  return !Object.values(step.fields).some((form) => form.form === "stakes");
}

export function formOf(step, submit) {
  const fields = Object.entries(step.fields);
  return h(
    "form",
    {
      key: `${step.kind} ${JSON.stringify(step.fixed)}`,
      class: "step",
      onsubmit: (event) => {
        event.preventDefault();
        submit({ kind: step.kind, ...step.fixed, ...filled(event.target, fields) }, event.target.elements["*for"]?.value);
      },
    },
    step.players?.length ? h("label", {}, "for", h("select", { name: "*for" }, step.players.map((one) => h("option", { key: one.id, value: one.id }, one.id)))) : null,
    step.newcomers ? h("label", {}, "for", h("input", { name: "*for", type: "text", required: true, placeholder: "a player" })) : null,
    h("span", { key: "about", class: "about" }, about(step)),
    fields.map(([name, form]) => field(name, form)),
    h("button", { type: "submit", disabled: Boolean(step.blocked), title: step.blocked || step.sentence }, step.title),
    step.blocked ? h("span", { class: "why" }, step.blocked) : null,
  );
}

// What is settled already, in words: which seat, which document, which place.
export function about(step) {
  const names = step.fields["*"] ? ["seat", "wager"] : Object.keys(step.fixed);
  const said = names.filter((name) => typeof step.fixed[name] === "number" || (typeof step.fixed[name] === "string" && step.fixed[name]));
  return said.map((name) => named(name, MONEY.has(name) && typeof step.fixed[name] === "number" ? dollars(step.fixed[name]) : plain(String(step.fixed[name])))).join(", ");
}

// A red deck needs no word for what it is.
function named(name, value) {
  return value.endsWith(plain(name)) ? value : `${plain(name)} ${value}`;
}

function field(name, form) {
  const label = name === "*" ? "" : name.replaceAll("_", " ");
  if (form.form === "one_of") {
    const options = form.values.map((value, index) => h("option", { value: String(index) }, worded(value)));
    return h("label", {}, label, h("select", { name }, options));
  }
  if (form.form === "amount" || form.form === "count") {
    const scale = inCents(name, form) ? 100 : 1;
    const most = form.most === null || form.most === undefined ? null : form.most / scale;
    return h(
      "label",
      {},
      scale === 100 ? `${label} in dollars` : label,
      h("input", { name, type: "number", required: true, min: form.least / scale, max: most, step: scale === 100 ? "0.01" : "1" }),
    );
  }
  if (form.form === "counts") return form.places.map((place) => number(`${name} ${place}`, plain(place), "0"));
  if (form.form === "chips") {
    if (form.sums) return number(name, `${label} in dollars`, String(form.least / 100), "0.01");
    return form.kinds.map((chip) => number(`${name} ${chip.cents}`, `pieces of $${chip.cents / 100}`, "0"));
  }
  if (form.form === "stakes") return stakeFields(name, form);
  if (form.form === "limits") return [number(`${name} minimum`, "minimum in dollars", "0.01", "0.01", form.most_minimum / 100), number(`${name} maximum`, "maximum in dollars, empty for none", "0.01", "0.01")];
  if (form.form === "outside_limits") return [stakeFields(name, form.stakes), h("label", { key: "reason" }, "reason", h("input", { name: `${name} reason`, type: "text", required: true }))];
  if (form.form === "exchange") return ["given", "taken"].map((way) => form.denominations.map((cents) => number(`${name} ${way} ${cents}`, `pieces of $${cents / 100} ${way}`, "0")));
  return h("label", {}, label, h("input", { name, type: "text", value: proposed(form), required: !form.may_be_empty }));
}

// A count is of pieces, whatever they are called; an amount may be money.
function inCents(name, form) {
  return form.form === "amount" && MONEY.has(name);
}

// People are named with their role.
function worded(value) {
  if (value !== null && typeof value === "object") return `${value.id}, ${plain(value.role)}`;
  return value === true ? "yes" : value === false ? "no" : plain(String(value)) || "(none)";
}

function stakeFields(name, form) {
  return Object.entries(form.terms).filter(([, terms]) => !terms.equals).map(([wager]) => number(`${name} ${wager}`, `${plain(wager)} in dollars`, "0", "0.01", (form.lies[wager] ?? 0) / 100));
}

// Words may be proposed, as the table itself would; a card or a count never is.
function proposed(form) {
  if (form.form !== "text") return "";
  let name = form.suggestion;
  for (let number = 2; (form.taken ?? []).includes(name); number += 1) name = `${form.suggestion} ${number}`;
  return name;
}

function plain(word) {
  return word.replaceAll("_", " ");
}

function number(name, label, min, step = "1", value = "") {
  return h("label", { key: name }, label, h("input", { name, type: "number", min, step, value }));
}

// Several numbers of one field: those that were filled in.
function several(element, names, prefix, scale = 1) {
  const found = {};
  for (const name of names) {
    const text = element.elements[`${prefix} ${name}`].value;
    if (text !== "") found[name] = Math.round(Number(text) * scale);
  }
  return found;
}

function stakes(element, name, form) {
  const found = several(element, Object.keys(form.terms).filter((wager) => !form.terms[wager].equals), name, 100);
  for (const [wager, terms] of Object.entries(form.terms)) if (terms.equals) found[wager] = found[terms.equals] ?? 0;
  return found;
}

// Fields of a command that depend on each other come from one form.
function whole(element, name, form) {
  if (form.form === "limits") {
    const { minimum, maximum = null } = several(element, ["minimum", "maximum"], name, 100);
    return { minimum, maximum };
  }
  if (form.form === "outside_limits") return { wagers: stakes(element, name, form.stakes), reason: element.elements[`${name} reason`].value };
  const pieces = (way) => several(element, form.denominations.map(String), `${name} ${way}`);
  return { given: pieces("given"), taken: pieces("taken") };
}

function filled(element, fields) {
  const found = {};
  for (const [name, form] of fields) {
    if (name === "*") { Object.assign(found, whole(element, name, form)); continue; }
    if (form.form === "counts") { found[name] = several(element, form.places, name); continue; }
    if (form.form === "stakes") { found[name] = stakes(element, name, form); continue; }
    if (form.form === "chips" && !form.sums) { found[name] = several(element, form.kinds.map((chip) => String(chip.cents)), name); continue; }
    const text = element.elements[name].value;
    if (form.form === "chips") found[name] = Math.round(Number(text) * 100);
    else if (form.form === "one_of") found[name] = form.values[Number(text)];
    else if (form.form === "amount" || form.form === "count") found[name] = Math.round(Number(text) * (inCents(name, form) ? 100 : 1));
    else if (form.form === "cards") found[name] = text.split(/[\s,]+/).filter(Boolean);
    else found[name] = text;
  }
  return found;
}
