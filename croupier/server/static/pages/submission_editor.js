// Submission editor: a Rules Submission as a form, checked while it is typed.

import { exactReturns, findingLists, submissionStatus } from "../components/submission_preview.js";
import { submissionChanges } from "../components/submission_changes.js";
import { problemAlert } from "../components/problem_alert.js";
import { h, render } from "../lib/render.js";
import { errorText, getJson, postJson } from "../lib/api.js";
import { readable } from "../lib/text.js";

const SAVE_DELAY_MS = 350; // after the last key
const SECTIONS = {
  operator: "Operator",
  paytables: "Wagers and paytables",
  limits: "Limits",
  table: "Table",
  choices: "Options and approvals",
  meters: "Meters",
};
const OPEN_SECTIONS = new Set(["operator", "paytables", "limits"]);

class SubmissionEditor extends HTMLElement {
  async connectedCallback() {
    this.path = `/submissions/${encodeURIComponent(this.dataset.submission)}`;
    Object.assign(this, { problem: "", saving: false, changesOpen: false, comparisons: null });
    try {
      this.setDraft(await getJson(this.path));
      this.form = await getJson(`/forms/${encodeURIComponent(this.draft.game)}`);
      this.answers = { ...this.draft.answers };
      this.changesOpen = this.draft.state === "sent";
      if (this.changesOpen) this.loadChanges();
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
      await this.run(() =>
        postJson(`${this.path}/answers`, { version: this.draft.version, answers: this.answers }),
      );
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
    if (!this.problem && this.changesOpen) await this.loadChanges();
  }

  toggleChanges(open) {
    if (open === this.changesOpen) return;
    this.changesOpen = open;
    if (open) this.loadChanges();
  }

  async loadChanges() {
    try {
      this.comparisons = (await getJson(`${this.path}/changes`)).comparisons;
    } catch (error) {
      this.problem = errorText(error);
    }
    this.draw();
  }

  async sendForApproval() {
    await this.save();
    if (!this.problem)
      await this.run(() => postJson(`${this.path}/sending`, { version: this.draft.version }));
  }

  decide(approved) {
    const remark = this.querySelector("[name=remark]").value;
    return this.run(() =>
      postJson(`${this.path}/decision`, { digest: this.draft.sent_digest, approved, remark }),
    );
  }

  openTable(table, service) {
    return this.run(() => postJson(`${this.path}/tables`, { table, service }));
  }

  draw() {
    if (!this.form) {
      render(this, this.problem ? problemAlert(this.problem) : h("p", {}, "…"));
      return;
    }
    render(
      this,
      h(
        "div",
        { key: "fields", class: "fields" },
        Object.keys(SECTIONS).map((name) => this.section(name)),
      ),
      h(
        "div",
        { key: "preview", class: "preview" },
        submissionStatus(this),
        submissionChanges(this),
        this.feltPath
          ? h("img", {
              key: "felt",
              class: "felt-preview",
              src: this.feltPath,
              alt: "Table layout of this submission",
            })
          : null,
        exactReturns(this.draft),
        findingLists(this),
      ),
    );
  }

  isVisible(field) {
    const progressive = this.answers["paytables.progressive"] ?? "";
    if (field.section === "meters") return field.only_with.includes(progressive);
    if (field.section === "limits") {
      const wager = `paytables.${field.field.split(".")[1]}`;
      return (
        !this.form.fields.some((candidate) => candidate.field === wager) ||
        Boolean(this.answers[wager])
      );
    }
    if (field.section === "table" || field.section === "choices")
      return this.draft.matters.includes(field.field) || Boolean(this.answers[field.field]);
    return true;
  }

  section(name) {
    const fields = this.form.fields.filter(
      (field) => field.section === name && this.isVisible(field),
    );
    if (!fields.length) return null;
    const openCount = this.draft.findings.filter(
      (finding) => finding.field.split(".")[0] === name && finding.severity !== "warning",
    ).length;
    return h(
      "details",
      {
        key: name,
        class: "card section",
        "data-section": name,
        open: this.querySelector(`[data-section=${name}]`)?.open ?? OPEN_SECTIONS.has(name),
      },
      h(
        "summary",
        {},
        SECTIONS[name],
        openCount ? h("b", { class: "open-count" }, `${openCount} to do`) : null,
      ),
      fields.map((field) => this.field(field)),
    );
  }

  field(field) {
    const findings = this.draft.findings.filter(
      (finding) => finding.field === field.field || finding.field.startsWith(`${field.field}.`),
    );
    const worst = findings.find((finding) => finding.severity === "error") ?? findings[0];
    const id = `field-${field.field}`;
    return h(
      "div",
      { key: field.field, class: `field ${worst?.severity ?? ""}`, "data-field": field.field },
      h(
        "label",
        { for: id },
        h(
          "span",
          {},
          field.title,
          field.compulsory ? h("abbr", { title: "required" }, " *") : null,
        ),
        this.citation(field.clause, [field.clause, field.reading].filter(Boolean).join(", ")),
      ),
      this.control(field, id),
      h("p", { key: "hint", class: "hint", id: `${id}-hint` }, field.asks),
      findings.map((finding, index) =>
        h(
          "p",
          { key: index, class: `finding ${finding.severity}` },
          finding.message,
          finding.allowed && !finding.message.includes(finding.allowed)
            ? `; expected ${finding.allowed}`
            : "",
          finding.clause ? this.citation(finding.clause, ` ${finding.clause}`) : null,
        ),
      ),
      this.alternatives(field.field),
    );
  }

  citation(clause, text) {
    return h("cite", { title: this.form.clauses[clause] ?? "" }, text);
  }

  control(field, id) {
    const value = this.answers[field.field] ?? "";
    const props = {
      key: "control",
      id,
      disabled: !this.isEditable,
      "aria-describedby": `${id}-hint`,
    };
    if (field.words.length) {
      const emptyText =
        field.section === "paytables"
          ? field.compulsory
            ? "choose"
            : "not offered"
          : field.default
            ? `default: ${field.default}`
            : "choose";
      return h(
        "select",
        { ...props, value, onchange: (event) => this.setAnswer(field.field, event.target.value) },
        h("option", { key: "", value: "", selected: value === "" }, emptyText),
        field.words.map((word) =>
          h("option", { key: word, value: word, selected: value === word }, valueText(word)),
        ),
      );
    }
    return h("input", {
      ...props,
      type: "text",
      value,
      autocomplete: "off",
      maxlength: 2000,
      placeholder: field.default || "",
      title: field.allowed,
      oninput: (event) => this.setAnswer(field.field, event.target.value),
    });
  }

  // The return of a wager under each value of a field, as buttons that choose the value.
  alternatives(field) {
    return this.draft.prices
      .filter((price) => price.field === field)
      .map((price) =>
        h(
          "div",
          {
            key: `return ${price.wager}`,
            class: "alternatives",
            role: "group",
            "aria-label": `${price.title} returns`,
          },
          h("span", {}, `${price.title} returns`),
          price.values.map((option) =>
            h(
              "button",
              {
                key: option.value,
                type: "button",
                class: option.chosen ? "chosen" : "",
                "aria-pressed": String(option.chosen),
                disabled: !this.isEditable,
                title: option.share,
                onclick: () => this.setAnswer(field, option.value),
              },
              `${valueText(option.value)} ${option.returns}`,
            ),
          ),
        ),
      );
  }

  focusField(event, field) {
    event.preventDefault();
    const target =
      this.querySelector(`[data-field="${CSS.escape(field)}"]`) ??
      this.querySelector(`[data-section="${field.split(".")[0]}"]`);
    target?.closest("details")?.setAttribute("open", "");
    target?.scrollIntoView({ block: "center" });
    target?.querySelector("input, select")?.focus();
  }
}

function valueText(value) {
  return value === "true" ? "yes" : value === "false" ? "no" : readable(value);
}

customElements.define("croupier-submission-editor", SubmissionEditor);
