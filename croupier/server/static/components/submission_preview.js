// Preview of a submission next to its form: status and actions, exact returns, findings.

import { problemAlert } from "./problem_alert.js";
import { h } from "../lib/render.js";

const STATE_TEXT = {
  draft: "Draft",
  sent: "Sent for approval",
  approved: "Approved",
  withdrawn: "Withdrawn",
};
const SEVERITIES = {
  error: "Errors",
  outstanding: "Required before a table opens",
  warning: "Ambiguous clauses at their default reading",
};

export function submissionStatus(editor) {
  const { draft } = editor;
  const verdict = draft.legal
    ? draft.ready
      ? "Compliant and ready to open"
      : "Compliant; approvals outstanding"
    : "Not compliant yet";
  return h(
    "section",
    { key: "status", class: "card submission-status" },
    problemAlert(editor.problem),
    h("h2", { key: "state" }, `${STATE_TEXT[draft.state]} · ${draft.title}`),
    h(
      "p",
      { key: "verdict", role: "status" },
      h("b", { class: draft.legal ? "win" : "lose" }, verdict),
      h("small", { class: "save-state" }, editor.saving || editor.dirty ? " saving…" : " saved"),
    ),
    h("p", { key: "people", class: "quiet-text" }, peopleText(draft)),
    draft.digest ? h("code", { key: "digest", class: "digest" }, draft.digest) : null,
    h("div", { key: "actions", class: "choices" }, actions(editor)),
    draft.state === "approved" ? tableForm(editor) : null,
  );
}

function peopleText(draft) {
  const decision = draft.state === "approved" ? "approved" : "returned";
  return [
    `Written by ${draft.authors.join(", ")}`,
    draft.sent_by && draft.state !== "draft" ? `; sent by ${draft.sent_by}` : "",
    draft.decided_by ? `; ${decision} by ${draft.decided_by}` : "",
    draft.remark ? `: ${draft.remark}` : "",
  ].join("");
}

function actions(editor) {
  const { draft } = editor;
  const download = draft.digest
    ? h(
        "a",
        { key: "download", class: "button plain", href: `${editor.path}/file.toml`, download: "" },
        "Download",
      )
    : null;
  if (draft.state === "draft")
    return [
      h(
        "button",
        {
          key: "send",
          type: "button",
          class: "main",
          disabled: !draft.legal || editor.saving,
          onclick: () => editor.sendForApproval(),
        },
        "Send for approval",
      ),
      download,
    ];
  if (draft.state !== "sent") return [download];
  if (!draft.may_decide)
    return [
      h(
        "p",
        { key: "waiting", class: "quiet-text" },
        "Waiting for approval by someone other than its authors (COMAR 36.05.03.19).",
      ),
      download,
    ];
  return [
    h(
      "label",
      { key: "remark", class: "remark" },
      "Remark",
      h("input", { name: "remark", type: "text", maxlength: 500 }),
    ),
    h(
      "button",
      { key: "approve", type: "button", class: "main", onclick: () => editor.decide(true) },
      "Approve",
    ),
    h(
      "button",
      { key: "return", type: "button", class: "danger", onclick: () => editor.decide(false) },
      "Return to authors",
    ),
    download,
  ];
}

function tableForm(editor) {
  const { live, tables } = editor.draft;
  const onsubmit = (event) => {
    event.preventDefault();
    const { table, service } = event.target.elements;
    editor.openTable(table.value, service.value);
  };
  return h(
    "form",
    { key: "table-form", class: "step-form", onsubmit },
    h(
      "label",
      {},
      "Table",
      h("input", {
        name: "table",
        type: "text",
        required: true,
        maxlength: 60,
        autocomplete: "off",
      }),
    ),
    h(
      "label",
      {},
      "Service",
      h(
        "select",
        { name: "service" },
        live ? null : h("option", { value: "practice" }, "automated"),
        h("option", { value: "attended" }, "staffed"),
      ),
    ),
    h("button", { type: "submit", class: "main" }, "Open table"),
    tables.length
      ? h(
          "p",
          { key: "tables", class: "step-details", role: "status" },
          "Tables: ",
          tables.map((name) =>
            h("a", { key: name, href: `/guide/${encodeURIComponent(name)}` }, `${name} `),
          ),
        )
      : null,
  );
}

export function exactReturns({ edges }) {
  if (!edges.length) return null;
  const titles = ["Wager", "Paytable", "Return", "House edge"];
  return h(
    "section",
    { key: "returns", class: "card" },
    h("h2", {}, "Exact return of each wager"),
    h(
      "table",
      { class: "option-values edges" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          titles.map((title) => h("th", { key: title, scope: "col" }, title)),
        ),
      ),
      h(
        "tbody",
        {},
        edges.map((edge) =>
          h(
            "tr",
            { key: edge.wager, title: edge.share },
            h("th", { scope: "row", "data-letter": edge.letter }, edge.title),
            h("td", {}, edge.letter),
            h("td", {}, edge.returns),
            h("td", {}, edge.edge),
          ),
        ),
      ),
    ),
  );
}

// Findings by severity, each linked to its field; warnings start collapsed.
export function findingLists(editor) {
  return Object.entries(SEVERITIES).map(([severity, title]) => {
    const findings = editor.draft.findings.filter((finding) => finding.severity === severity);
    if (!findings.length) return null;
    const open = editor.querySelector(`.findings.${severity}`)?.open ?? severity !== "warning";
    return h(
      "details",
      { key: severity, class: `card findings ${severity}`, open },
      h("summary", {}, `${title} (${findings.length})`),
      h(
        "ul",
        {},
        findings.map((finding, index) =>
          h(
            "li",
            { key: index },
            h(
              "a",
              {
                href: `#field-${finding.field}`,
                onclick: (event) => editor.focusField(event, finding.field),
              },
              finding.field,
            ),
            ` ${finding.message} `,
            editor.citation(finding.clause, finding.clause),
          ),
        ),
      ),
    );
  });
}
