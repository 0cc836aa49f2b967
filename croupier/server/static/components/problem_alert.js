// Error message of the last action, announced by screen readers; players switch its clause on.

import { h } from "../lib/render.js";

export function problemAlert(problem) {
  const { text, clause } = typeof problem === "string" ? { text: problem } : problem;
  if (!text) return null;
  return h(
    "p",
    { key: "problem", class: "problem", role: "alert" },
    text,
    clause ? h("cite", {}, ` ${clause}`) : null,
  );
}
