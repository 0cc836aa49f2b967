// A Rules Submission as a form: what is typed is looked at at once, with clauses, edges and the felt.

import { h, render } from "../lib/render.js";
import { read, send } from "../lib/api.js";

const PAUSE = 350; // milliseconds without a key before what is typed is looked at
const SECTIONS = { operator: "Operator", paytables: "Wagers and paytables", limits: "Limits", table: "Table", choices: "Choices and approvals", meters: "Meters" };
const OPEN = new Set(["operator", "paytables", "limits"]);
const STATES = { draft: "A draft", sent: "Sent for approval", approved: "Approved", withdrawn: "Given up" };
const SEVERITIES = { error: "Not allowed", outstanding: "Outstanding before a table opens", warning: "Unclear clauses at their default reading" };

class Submission extends HTMLElement {
  async connectedCallback() {
    this.path = `/submissions/${encodeURIComponent(this.dataset.submission)}`;
    this.problem = "";
    this.saving = false;
    try {
      this.take(await read(this.path));
      this.form = await read(`/forms/${encodeURIComponent(this.draft.game)}`);
      this.answers = { ...this.draft.answers };
    } catch (error) {
      this.problem = error.message;
    }
    this.draw();
  }

  // The felt is drawn anew where the rules allow one; until then the last one stays.
  take(draft) {
    this.draft = draft;
    if (draft.drawn) this.felt = `${this.path}/felt.svg?version=${draft.version}`;
  }

  get open() {
    return this.draft.state === "draft";
  }

  typed(field, text) {
    this.answers[field] = text;
    this.dirty = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), PAUSE);
    this.draw();
  }

  async save() {
    if (this.saving) return; // the next one follows when this one is back
    clearTimeout(this.timer);
    this.saving = true;
    while (this.dirty) {
      this.dirty = false;
      await this.tried(() => send(`${this.path}/answers`, { version: this.draft.version, answers: this.answers }));
      if (this.problem) break;
    }
    this.saving = false;
    this.draw();
  }

  async tried(work) {
    this.problem = "";
    try {
      this.take(await work());
    } catch (error) {
      this.problem = error.clause ? `${error.message} [${error.clause}]` : error.message;
    }
    this.draw();
  }

  async act(where, body) {
    await this.save();
    if (!this.problem) await this.tried(() => send(`${this.path}/${where}`, body()));
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
        { key: "beside", class: "beside" },
        this.verdict(),
        this.felt ? h("img", { key: "felt", class: "drawing", src: this.felt, alt: "The felt of this submission" }) : null,
        this.edges(),
        this.findings(),
      ),
    );
  }

  // The form

  shown(field) {
    const letter = this.answers["paytables.progressive"] ?? "";
    if (field.section === "meters") return field.only_with.includes(letter);
    if (field.section === "limits") {
      const wager = `paytables.${field.field.split(".")[1]}`;
      return !this.form.fields.some((each) => each.field === wager) || Boolean(this.answers[wager]);
    }
    if (field.section === "table" || field.section === "choices") return this.draft.matters.includes(field.field) || Boolean(this.answers[field.field]);
    return true;
  }

  section(name) {
    const fields = this.form.fields.filter((field) => field.section === name && this.shown(field));
    if (!fields.length) return null;
    const wrong = this.draft.findings.filter((each) => each.field.split(".")[0] === name && each.severity !== "warning").length;
    return h(
      "details",
      { key: name, class: "card section", "data-section": name, open: this.querySelector(`[data-section=${name}]`)?.open ?? OPEN.has(name) },
      h("summary", {}, SECTIONS[name], wrong ? h("b", { class: "count" }, `${wrong} to do`) : null),
      fields.map((field) => this.field(field)),
    );
  }

  field(field) {
    const found = this.draft.findings.filter((each) => each.field === field.field || each.field.startsWith(`${field.field}.`));
    const id = `field-${field.field}`;
    const worst = found.find((each) => each.severity === "error") ?? found[0];
    return h(
      "div",
      { key: field.field, class: `field ${worst?.severity ?? ""}`, "data-field": field.field },
      h("label", { for: id }, h("span", {}, field.title, field.compulsory ? h("abbr", { title: "compulsory" }, " *") : null), h("cite", { title: this.form.clauses[field.clause] ?? "" }, [field.clause, field.reading].filter(Boolean).join(", "))),
      this.control(field, id),
      h("p", { key: "asks", class: "asks", id: `${id}-asks` }, field.asks),
      found.map((each, index) => h("p", { key: index, class: `finding ${each.severity}` }, each.message, each.allowed && !each.message.includes(each.allowed) ? `; expected ${each.allowed}` : "", each.clause ? h("cite", { title: this.form.clauses[each.clause] ?? "" }, ` ${each.clause}`) : null)),
      this.prices(field.field),
    );
  }

  control(field, id) {
    const value = this.answers[field.field] ?? "";
    const common = { key: "control", id, disabled: !this.open, "aria-describedby": `${id}-asks` };
    if (field.words.length) {
      const nothing = field.section === "paytables" ? (field.compulsory ? "choose" : "not offered") : field.default ? `default: ${field.default}` : "choose";
      return h("select", { ...common, value, onchange: (event) => this.typed(field.field, event.target.value) }, h("option", { key: "", value: "", selected: value === "" }, nothing), field.words.map((word) => h("option", { key: word, value: word, selected: value === word }, plain(word))));
    }
    return h("input", { ...common, type: "text", value, autocomplete: "off", maxlength: 2000, placeholder: field.default || "", title: field.allowed, oninput: (event) => this.typed(field.field, event.target.value) });
  }

  // What each value of a field returns: another one is taken with a tap.
  prices(field) {
    return this.draft.prices.filter((each) => each.field === field).map((each) =>
      h(
        "div",
        { key: `price ${each.wager}`, class: "prices", role: "group", "aria-label": `${each.title} returns` },
        h("span", {}, `${each.title} returns`),
        each.values.map((one) => h("button", { key: one.value, type: "button", class: one.chosen ? "chosen" : "", "aria-pressed": String(one.chosen), disabled: !this.open, title: one.share, onclick: () => this.typed(field, one.value) }, `${plain(one.value)} ${one.returns}`)),
      ),
    );
  }

  // Beside it

  verdict() {
    const draft = this.draft;
    const said = draft.legal ? (draft.ready ? "Legal and ready to open" : "Legal; approvals are outstanding") : "Not legal yet";
    return h(
      "section",
      { key: "verdict", class: "card verdict" },
      this.problem ? h("p", { key: "problem", class: "problem", role: "alert" }, this.problem) : null,
      h("h2", { key: "state" }, `${STATES[draft.state]} · ${draft.title}`),
      h("p", { key: "legal", role: "status" }, h("b", { class: draft.legal ? "win" : "lose" }, said), h("small", { class: "saved" }, this.saving || this.dirty ? " saving…" : " saved")),
      h("p", { key: "who", class: "quiet-text" }, `Written by ${draft.authors.join(", ")}`, draft.sent_by && draft.state !== "draft" ? `; sent by ${draft.sent_by}` : "", draft.decided_by ? `; ${draft.state === "approved" ? "approved" : "given back"} by ${draft.decided_by}` : "", draft.remark ? `: ${draft.remark}` : ""),
      draft.digest ? h("code", { key: "digest", class: "digest" }, draft.digest) : null,
      h("div", { key: "actions", class: "choices" }, this.actions()),
      draft.state === "approved" ? this.opening() : null,
    );
  }

  actions() {
    const draft = this.draft;
    const file = draft.digest ? h("a", { key: "file", class: "button plain", href: `${this.path}/file.toml`, download: "" }, "File") : null;
    if (draft.state === "draft") return [h("button", { key: "send", type: "button", class: "main", disabled: !draft.legal || this.saving, onclick: () => this.act("sending", () => ({ version: this.draft.version })) }, "Send for approval"), file];
    if (draft.state !== "sent") return [file];
    if (!draft.may_decide) return [h("p", { key: "waits", class: "quiet-text" }, "Another person than its authors approves it (COMAR 36.05.03.19)."), file];
    return [
      h("label", { key: "remark", class: "remark" }, "Remark", h("input", { name: "remark", type: "text", maxlength: 500 })),
      h("button", { key: "approve", type: "button", class: "main", onclick: () => this.decide(true) }, "Approve"),
      h("button", { key: "back", type: "button", class: "fold", onclick: () => this.decide(false) }, "Give back"),
      file,
    ];
  }

  decide(approved) {
    const remark = this.querySelector("[name=remark]").value;
    return this.tried(() => send(`${this.path}/decision`, { digest: this.draft.sent_digest, approved, remark }));
  }

  opening() {
    return h(
      "form",
      {
        key: "open",
        class: "step",
        onsubmit: (event) => {
          event.preventDefault();
          const { table, service } = event.target.elements;
          this.tried(() => send(`${this.path}/tables`, { table: table.value, service: service.value }));
        },
      },
      h("label", {}, "Table", h("input", { name: "table", type: "text", required: true, maxlength: 60, autocomplete: "off" })),
      h("label", {}, "Served by", h("select", { name: "service" }, this.draft.live ? null : h("option", { value: "practice" }, "a machine"), h("option", { value: "attended" }, "people"))),
      h("button", { type: "submit", class: "main" }, "Open the table"),
      this.draft.tables.length ? h("p", { key: "tables", class: "about", role: "status" }, "Under it: ", this.draft.tables.map((name) => h("a", { key: name, href: `/guide/${encodeURIComponent(name)}` }, `${name} `))) : null,
    );
  }

  edges() {
    if (!this.draft.edges.length) return null;
    return h(
      "section",
      { key: "edges", class: "card" },
      h("h2", {}, "What each wager returns, exactly"),
      h("table", { class: "worths edges" }, h("thead", {}, h("tr", {}, ["wager", "paytable", "return", "house edge"].map((title) => h("th", { key: title, scope: "col" }, title)))), h("tbody", {}, this.draft.edges.map((one) => h("tr", { key: one.wager, title: one.share }, h("th", { scope: "row", "data-letter": one.letter }, one.title), h("td", {}, one.letter), h("td", {}, one.returns), h("td", {}, one.edge))))),
    );
  }

  findings() {
    return Object.entries(SEVERITIES).map(([severity, title]) => {
      const found = this.draft.findings.filter((each) => each.severity === severity);
      if (!found.length) return null;
      return h("details", { key: severity, class: `card findings ${severity}`, open: this.querySelector(`.findings.${severity}`)?.open ?? severity !== "warning" }, h("summary", {}, `${title} (${found.length})`), h("ul", {}, found.map((each, index) => h("li", { key: index }, h("a", { href: `#field-${each.field}`, onclick: (event) => this.go(event, each.field) }, each.field), ` ${each.message} `, h("cite", { title: this.form.clauses[each.clause] ?? "" }, each.clause)))));
    });
  }

  go(event, field) {
    event.preventDefault();
    const place = this.querySelector(`[data-field="${CSS.escape(field)}"]`) ?? this.querySelector(`[data-section="${field.split(".")[0]}"]`);
    place?.closest("details")?.setAttribute("open", "");
    place?.scrollIntoView({ block: "center" });
    place?.querySelector("input, select")?.focus();
  }
}

function plain(word) {
  return word === "true" ? "yes" : word === "false" ? "no" : word.replaceAll("_", " ");
}

customElements.define("croupier-submission-editor", Submission);
