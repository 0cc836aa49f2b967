// Any command as a form: a step says what is left open, and the form asks for exactly that.

import { h } from "./render.js";

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
        submit({ kind: step.kind, ...step.fixed, ...filled(event.target, fields) });
      },
    },
    fields.map(([name, form]) => field(name, form)),
    h("button", { type: "submit", disabled: Boolean(step.blocked), title: step.blocked || step.sentence }, step.title),
    step.blocked ? h("span", { class: "why" }, step.blocked) : null,
  );
}

function field(name, form) {
  const label = name === "*" ? "" : name.replaceAll("_", " ");
  if (form.form === "one_of") {
    const options = form.values.map((value, index) => h("option", { value: String(index) }, String(value).replaceAll("_", " ") || "(none)"));
    return h("label", {}, label, h("select", { name }, options));
  }
  if (form.form === "amount" || form.form === "count") {
    const scale = MONEY.has(name) ? 100 : 1;
    const most = form.most === null || form.most === undefined ? null : form.most / scale;
    return h(
      "label",
      {},
      scale === 100 ? `${label} in dollars` : label,
      h("input", { name, type: "number", required: true, min: form.least / scale, max: most, step: scale === 100 ? "0.01" : "1" }),
    );
  }
  return h("label", {}, label, h("input", { name, type: "text", placeholder: form.suggestion ?? "", required: !form.may_be_empty }));
}

function filled(element, fields) {
  const found = {};
  for (const [name, form] of fields) {
    const text = element.elements[name].value;
    if (form.form === "one_of") found[name] = form.values[Number(text)];
    else if (form.form === "amount" || form.form === "count") found[name] = Math.round(Number(text) * (MONEY.has(name) ? 100 : 1));
    else if (form.form === "cards") found[name] = text.split(/[\s,]+/).filter(Boolean);
    else found[name] = text;
  }
  return found;
}
