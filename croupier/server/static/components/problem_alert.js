// Error message of the last action, announced by screen readers.

import { h } from "../lib/render.js";

export function problemAlert(problem) {
  return problem ? h("p", { key: "problem", class: "problem", role: "alert" }, problem) : null;
}
