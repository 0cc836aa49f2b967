// Submission editor: a Rules Submission as a form, checked while it is typed.

import { h, render } from "../lib/render.js";
import { errorText, getJson, postJson } from "../lib/api.js";
import { readable } from "../lib/text.js";

const SAVE_DELAY_MS = 350; // after the last key
const SECTIONS = { operator: "Operator", paytables: "Wagers and paytables", limits: "Limits", table: "Table", choices: "Options and approvals", meters: "Meters" };
const OPEN_SECTIONS = new Set(["operator", "paytables", "limits"]);
const STATE_TEXT = { draft: "Draft", sent: "Sent for approval", approved: "Approved", withdrawn: "Withdrawn" };
const SEVERITIES = { error: "Errors", outstanding: "Required before a table opens", warning: "Ambiguous clauses at their default reading" };

class SubmissionEditor extends HTMLElement {
  async connectedCallback() {
    this.path = `/submissions/${encodeURIComponent(this.dataset.submission)}`;
    this.problem = "";
    this.saving = false;
    try {
      this.setDraft(await getJson(this.path));
      this.form = await getJson(`/forms/${encodeURIComponent(this.draft.game)}`);
      this.answers = { ...this.draft.answers };
    } catch (error) {
      this.problem = error.message;
    }
    this.draw();
  }

  // A draft with errors has no felt; the preview keeps the last one.
  setDraft(draft) {
    this.draft = draft;
    if (draft.drawn) this.feltPath = `${this.path}/felt.svg?version=${draft.version}`;
  }

  get isEditable() {
    return this.draft.state === "draft";
  }

  setAnswer(field, text) {
    this.answers[field] = text;
    this.dirty = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), SAVE_DELAY_MS);
    this.draw();
  }

  async save() {
    if (this.saving) return; // the running save picks up later changes
    clearTimeout(this.timer);
    this.saving = true;
    while (this.dirty) {
      this.dirty = false;
      await this.run(() => postJson(`${this.path}/answers`, { version: this.draft.version, answers: this.answers }));
      if (this.problem) break;
    }
    this.saving = false;
    this.draw();
  }

  // Runs a task that returns the updated draft.
  async run(task) {
    this.problem = "";
    try {
      this.setDraft(await task());
    } catch (error) {
      this.problem = errorText(error);
    }
    this.draw();
  }

  async sendForApproval() {
    await this.save();
    if (!this.problem) await this.run(() => postJson(`${this.path}/sending`, { version: this.draft.version }));
  }

  draw() {
    if (!this.form) {
      render(this, this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : h("p", {}, "…"));
      return;
    }
    render(
      this,
      h("div", { key: "fields", class: "fields" }, Object.keys(SECTIONS).map((name) => this.section(name))),
      h(
        "div",
        { key: "preview", class: "preview" },
        this.status(),
        this.feltPath ? h("img", { key: "felt", class: "felt-preview", src: this.feltPath, alt: "Table layout of this submission" }) : null,
        this.returns(),
        this.findings(),
      ),
    );
  }

  // Form

  isVisible(field) {
    const progressive = this.answers["paytables.progressive"] ?? "";
    if (field.section === "meters") return field.only_with.includes(progressive);
    if (field.section === "limits") {
      const wager = `paytables.${field.field.split(".")[1]}`;
      return !this.form.fields.some((candidate) => candidate.field === wager) || Boolean(this.answers[wager]);
    }
    if (field.section === "table" || field.section === "choices") return this.draft.matters.includes(field.field) || Boolean(this.answers[field.field]);
    return true;
  }

  section(name) {
    const fields = this.form.fields.filter((field) => field.section === name && this.isVisible(field));
    if (!fields.length) return null;
    const openCount = this.draft.findings.filter((finding) => finding.field.split(".")[0] === name && finding.severity !== "warning").length;
    return h(
      "details",
      { key: name, class: "card section", "data-section": name, open: this.querySelector(`[data-section=${name}]`)?.open ?? OPEN_SECTIONS.has(name) },
      h("summary", {}, SECTIONS[name], openCount ? h("b", { class: "open-count" }, `${openCount} to do`) : null),
      fields.map((field) => this.field(field)),
    );
  }

  field(field) {
    const findings = this.draft.findings.filter((finding) => finding.field === field.field || finding.field.startsWith(`${field.field}.`));
    const worst = findings.find((finding) => finding.severity === "error") ?? findings[0];
    const id = `field-${field.field}`;
    return h(
      "div",
      { key: field.field, class: `field ${worst?.severity ?? ""}`, "data-field": field.field },
      h("label", { for: id }, h("span", {}, field.title, field.compulsory ? h("abbr", { title: "required" }, " *") : null), this.citation(field.clause, [field.clause, field.reading].filter(Boolean).join(", "))),
      this.control(field, id),
      h("p", { key: "hint", class: "hint", id: `${id}-hint` }, field.asks),
      findings.map((finding, index) => h("p", { key: index, class: `finding ${finding.severity}` }, finding.message, finding.allowed && !finding.message.includes(finding.allowed) ? `; expected ${finding.allowed}` : "", finding.clause ? this.citation(finding.clause, ` ${finding.clause}`) : null)),
      this.alternatives(field.field),
    );
  }

  citation(clause, text) {
    return h("cite", { title: this.form.clauses[clause] ?? "" }, text);
  }

  control(field, id) {
    const value = this.answers[field.field] ?? "";
    const props = { key: "control", id, disabled: !this.isEditable, "aria-describedby": `${id}-hint` };
    if (field.words.length) {
      const emptyText = field.section === "paytables" ? (field.compulsory ? "choose" : "not offered") : field.default ? `default: ${field.default}` : "choose";
      return h("select", { ...props, value, onchange: (event) => this.setAnswer(field.field, event.target.value) }, h("option", { key: "", value: "", selected: value === "" }, emptyText), field.words.map((word) => h("option", { key: word, value: word, selected: value === word }, valueText(word))));
    }
    return h("input", { ...props, type: "text", value, autocomplete: "off", maxlength: 2000, placeholder: field.default || "", title: field.allowed, oninput: (event) => this.setAnswer(field.field, event.target.value) });
  }

  // The return of a wager under each value of a field, as buttons that choose the value.
  alternatives(field) {
    return this.draft.prices.filter((price) => price.field === field).map((price) =>
      h(
        "div",
        { key: `return ${price.wager}`, class: "alternatives", role: "group", "aria-label": `${price.title} returns` },
        h("span", {}, `${price.title} returns`),
        price.values.map((option) => h("button", { key: option.value, type: "button", class: option.chosen ? "chosen" : "", "aria-pressed": String(option.chosen), disabled: !this.isEditable, title: option.share, onclick: () => this.setAnswer(field, option.value) }, `${valueText(option.value)} ${option.returns}`)),
      ),
    );
  }

  // Preview

  status() {
    const draft = this.draft;
    const verdict = draft.legal ? (draft.ready ? "Compliant and ready to open" : "Compliant; approvals outstanding") : "Not compliant yet";
    return h(
      "section",
      { key: "status", class: "card submission-status" },
      this.problem ? h("p", { key: "problem", class: "problem", role: "alert" }, this.problem) : null,
      h("h2", { key: "state" }, `${STATE_TEXT[draft.state]} · ${draft.title}`),
      h("p", { key: "verdict", role: "status" }, h("b", { class: draft.legal ? "win" : "lose" }, verdict), h("small", { class: "save-state" }, this.saving || this.dirty ? " saving…" : " saved")),
      h("p", { key: "people", class: "quiet-text" }, `Written by ${draft.authors.join(", ")}`, draft.sent_by && draft.state !== "draft" ? `; sent by ${draft.sent_by}` : "", draft.decided_by ? `; ${draft.state === "approved" ? "approved" : "returned"} by ${draft.decided_by}` : "", draft.remark ? `: ${draft.remark}` : ""),
      draft.digest ? h("code", { key: "digest", class: "digest" }, draft.digest) : null,
      h("div", { key: "actions", class: "choices" }, this.actions()),
      draft.state === "approved" ? this.tableForm() : null,
    );
  }

  actions() {
    const draft = this.draft;
    const download = draft.digest ? h("a", { key: "download", class: "button plain", href: `${this.path}/file.toml`, download: "" }, "Download") : null;
    if (draft.state === "draft") return [h("button", { key: "send", type: "button", class: "main", disabled: !draft.legal || this.saving, onclick: () => this.sendForApproval() }, "Send for approval"), download];
    if (draft.state !== "sent") return [download];
    if (!draft.may_decide) return [h("p", { key: "waiting", class: "quiet-text" }, "Waiting for approval by someone other than its authors (COMAR 36.05.03.19)."), download];
    return [
      h("label", { key: "remark", class: "remark" }, "Remark", h("input", { name: "remark", type: "text", maxlength: 500 })),
      h("button", { key: "approve", type: "button", class: "main", onclick: () => this.decide(true) }, "Approve"),
      h("button", { key: "return", type: "button", class: "danger", onclick: () => this.decide(false) }, "Return to authors"),
      download,
    ];
  }

  decide(approved) {
    const remark = this.querySelector("[name=remark]").value;
    return this.run(() => postJson(`${this.path}/decision`, { digest: this.draft.sent_digest, approved, remark }));
  }

  tableForm() {
    const onsubmit = (event) => {
      event.preventDefault();
      const { table, service } = event.target.elements;
      this.run(() => postJson(`${this.path}/tables`, { table: table.value, service: service.value }));
    };
    return h(
      "form",
      { key: "table-form", class: "step-form", onsubmit },
      h("label", {}, "Table", h("input", { name: "table", type: "text", required: true, maxlength: 60, autocomplete: "off" })),
      h("label", {}, "Service", h("select", { name: "service" }, this.draft.live ? null : h("option", { value: "practice" }, "automated"), h("option", { value: "attended" }, "staffed"))),
      h("button", { type: "submit", class: "main" }, "Open table"),
      this.draft.tables.length ? h("p", { key: "tables", class: "step-details", role: "status" }, "Tables: ", this.draft.tables.map((name) => h("a", { key: name, href: `/guide/${encodeURIComponent(name)}` }, `${name} `))) : null,
    );
  }

  returns() {
    if (!this.draft.edges.length) return null;
    const titles = ["Wager", "Paytable", "Return", "House edge"];
    return h(
      "section",
      { key: "returns", class: "card" },
      h("h2", {}, "Exact return of each wager"),
      h("table", { class: "option-values edges" }, h("thead", {}, h("tr", {}, titles.map((title) => h("th", { key: title, scope: "col" }, title)))), h("tbody", {}, this.draft.edges.map((edge) => h("tr", { key: edge.wager, title: edge.share }, h("th", { scope: "row", "data-letter": edge.letter }, edge.title), h("td", {}, edge.letter), h("td", {}, edge.returns), h("td", {}, edge.edge))))),
    );
  }

  findings() {
    return Object.entries(SEVERITIES).map(([severity, title]) => {
      const findings = this.draft.findings.filter((finding) => finding.severity === severity);
      if (!findings.length) return null;
      return h("details", { key: severity, class: `card findings ${severity}`, open: this.querySelector(`.findings.${severity}`)?.open ?? severity !== "warning" }, h("summary", {}, `${title} (${findings.length})`), h("ul", {}, findings.map((finding, index) => h("li", { key: index }, h("a", { href: `#field-${finding.field}`, onclick: (event) => this.focusField(event, finding.field) }, finding.field), ` ${finding.message} `, this.citation(finding.clause, finding.clause)))));
    });
  }

  focusField(event, field) {
    event.preventDefault();
    const target = this.querySelector(`[data-field="${CSS.escape(field)}"]`) ?? this.querySelector(`[data-section="${field.split(".")[0]}"]`);
    target?.closest("details")?.setAttribute("open", "");
    target?.scrollIntoView({ block: "center" });
    target?.querySelector("input, select")?.focus();
  }
}

function valueText(value) {
  return value === "true" ? "yes" : value === "false" ? "no" : readable(value);
}

customElements.define("croupier-submission-editor", SubmissionEditor);
