// Operator's list of submissions and tables.

import { problemAlert } from "../components/problem_alert.js";
import { h, render } from "../lib/render.js";
import { errorText, getJson, postJson } from "../lib/api.js";

const STATE_TEXT = {
  draft: "draft",
  sent: "waiting for approval",
  approved: "approved",
  withdrawn: "withdrawn",
};
const SERVICE_TEXT = { practice: "automated", attended: "staffed" };

class SubmissionList extends HTMLElement {
  connectedCallback() {
    this.run(async () => {
      this.data = await getJson("/submissions");
    });
  }

  async run(task) {
    this.problem = "";
    try {
      await task();
    } catch (error) {
      this.problem = errorText(error);
    }
    this.draw();
  }

  startDraft(body) {
    return this.run(async () => {
      const draft = await postJson("/submissions", body);
      location.assign(`/manage/${encodeURIComponent(draft.id)}`);
    });
  }

  closeTable(table) {
    return this.run(async () => {
      await postJson(`/tables/${encodeURIComponent(table.id)}/closing`, {});
      this.data = await getJson("/submissions");
    });
  }

  draw() {
    render(
      this,
      problemAlert(this.problem),
      this.data ? [this.draftForm(), this.submissions(), this.tables()] : null,
    );
  }

  draftForm() {
    const onsubmit = (event) => {
      event.preventDefault();
      const { game, operator } = event.target.elements;
      this.startDraft({ game: game.value, operator: operator.value });
    };
    return h(
      "section",
      { key: "draft", class: "card" },
      h("h2", {}, "New submission"),
      h(
        "form",
        { class: "step-form", onsubmit },
        h(
          "label",
          {},
          "Game",
          h(
            "select",
            { name: "game" },
            Object.entries(this.data.games).map(([key, title]) =>
              h("option", { key, value: key }, title),
            ),
          ),
        ),
        h(
          "label",
          {},
          "Operator",
          h("input", { name: "operator", type: "text", required: true, maxlength: 200 }),
        ),
        h("button", { type: "submit", class: "main" }, "Start draft"),
      ),
    );
  }

  submissions() {
    const submissions = this.data.submissions;
    return h(
      "section",
      { key: "submissions", class: "card" },
      h("h2", {}, "Submissions"),
      submissions.length
        ? dataTable(
            "Submissions",
            ["Game", "Operator", "State", "Written by", "Approved by"],
            "Amend",
            submissions.map((submission) => this.submissionRow(submission)),
          )
        : h("p", { class: "quiet-text" }, "None yet."),
    );
  }

  submissionRow(submission) {
    return h(
      "tr",
      { key: submission.id, "data-submission": submission.id },
      h(
        "td",
        { "data-label": "Game" },
        h("a", { href: `/manage/${encodeURIComponent(submission.id)}` }, submission.title),
      ),
      h("td", { "data-label": "Operator" }, submission.operator),
      h(
        "td",
        { "data-label": "State" },
        h("b", { class: `badge ${submission.state}` }, STATE_TEXT[submission.state]),
      ),
      h("td", { "data-label": "Written by" }, submission.authors.join(", ")),
      h(
        "td",
        { "data-label": "Approved by" },
        submission.state === "approved" ? submission.decided_by : "",
      ),
      h(
        "td",
        {},
        submission.state === "approved"
          ? h(
              "button",
              {
                type: "button",
                onclick: () => this.startDraft({ game: submission.game, based_on: submission.id }),
              },
              "Amend",
            )
          : null,
      ),
    );
  }

  tables() {
    return h(
      "section",
      { key: "tables", class: "card" },
      h("h2", {}, "Tables"),
      dataTable(
        "Tables",
        ["Table", "Game", "Service", "Submission", "Win"],
        "Close",
        this.data.tables.map((table) => this.tableRow(table)),
      ),
    );
  }

  tableRow(table) {
    const path = encodeURIComponent(table.id);
    const digest = table.digest.slice(0, 12);
    return h(
      "tr",
      { key: table.id, "data-table": table.id },
      h(
        "td",
        { "data-label": "Table" },
        table.on_floor ? h("a", { href: `/guide/${path}` }, table.id) : table.id,
      ),
      h("td", { "data-label": "Game" }, table.title || "not on the floor"),
      h("td", { "data-label": "Service" }, SERVICE_TEXT[table.service] ?? ""),
      h(
        "td",
        { "data-label": "Submission" },
        table.submission
          ? h("a", { href: `/manage/${encodeURIComponent(table.submission)}` }, digest)
          : digest,
      ),
      h(
        "td",
        { "data-label": "Win" },
        table.on_floor ? h("a", { href: `/report/${path}` }, "Win report") : null,
      ),
      h(
        "td",
        {},
        table.on_floor
          ? h(
              "button",
              {
                type: "button",
                disabled: Boolean(table.in_use),
                title: table.in_use,
                onclick: () => this.closeTable(table),
              },
              "Close",
            )
          : null,
      ),
    );
  }
}

// The last column has buttons, and a title for screen readers only.
function dataTable(label, titles, action, rows) {
  const header = [
    ...titles.map((title) => h("th", { key: title, scope: "col" }, title)),
    h("th", { key: "action", scope: "col" }, h("span", { class: "visually-hidden" }, action)),
  ];
  return h(
    "div",
    { class: "scrollable", tabindex: "0", role: "region", "aria-label": label },
    h(
      "table",
      { class: "data-table stacked" },
      h("thead", {}, h("tr", {}, header)),
      h("tbody", {}, rows),
    ),
  );
}

customElements.define("croupier-submission-list", SubmissionList);
