// What a submission changes: against what is in force, and against what was proposed before.

import { h } from "../lib/render.js";
import { dayText } from "../lib/time.js";
import { capitalize } from "../lib/text.js";

const SECTION_TEXT = {
  operator: "Operator",
  paytables: "Wagers and paytables",
  limits: "Limits",
  table: "Table",
  choices: "Options and approvals",
  meters: "Meters",
};

// `editor` loads the comparisons when the details are opened; they are open for the approver.
export function submissionChanges(editor) {
  const { comparisons } = editor;
  return h(
    "details",
    {
      key: "changes",
      class: "card changes",
      open: editor.changesOpen,
      ontoggle: (event) => editor.toggleChanges(event.target.open),
    },
    h("summary", {}, "Changes"),
    !comparisons
      ? h("p", { key: "loading", class: "quiet-text" }, "Comparing…")
      : comparisons.length
        ? comparisons.map((each) => comparison(editor, each))
        : h(
            "p",
            { key: "none", class: "quiet-text" },
            "Nothing to compare with: no submission of this game is approved yet.",
          ),
  );
}

function comparison(editor, compared) {
  const isProposal = compared.kind === "proposal";
  const title = isProposal ? "Against the last proposal" : "Against what is in force";
  const before = isProposal ? "Proposed" : "In force";
  return h(
    "section",
    { key: `${compared.kind} ${compared.with}`, "aria-label": title },
    h("h3", {}, title),
    h("p", { class: "quiet-text" }, originText(compared)),
    compared.changes.length || compared.edges.length
      ? h(
          "div",
          { key: "table", class: "scrollable", tabindex: "0", role: "region", "aria-label": `${title}: changes` },
          h(
            "table",
            { class: "data-table stacked" },
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                ["Field", before, "This submission", "Clause"].map((name) =>
                  h("th", { key: name, scope: "col" }, name),
                ),
              ),
            ),
            h(
              "tbody",
              {},
              compared.changes.map((change) =>
                row(change.field, before, [
                  `${SECTION_TEXT[change.section]}: ${change.title}`,
                  change.before,
                  change.after,
                  change.clause ? editor.citation(change.clause, change.clause) : null,
                ]),
              ),
              compared.edges.map((edge) =>
                row(`edge ${edge.wager}`, before, [
                  `House edge: ${edge.title}`,
                  edge.before || "not offered",
                  edge.after || "not offered",
                  null,
                ]),
              ),
            ),
          ),
        )
      : h("p", { key: "same" }, "No changes."),
  );
}

function row(key, before, [field, old, now, clause]) {
  return h(
    "tr",
    { key, "data-change": key },
    h("td", { "data-label": "Field" }, field),
    h("td", { "data-label": before }, h("del", {}, old)),
    h("td", { "data-label": "This submission" }, h("ins", {}, now)),
    h("td", { "data-label": "Clause" }, clause),
  );
}

function originText({ kind, decided_by: by, decided_at: at, remark, tables }) {
  const decision = by ? `${capitalize(by)} on ${dayText(at)}` : "";
  if (kind === "proposal") return by ? `Returned by ${decision}: ${remark}` : "Sent before.";
  const where = tables.length ? `Tables: ${tables.join(", ")}.` : "No table is open under it.";
  return `Approved by ${decision}. ${where}`;
}
