// Search for rounds at all tables, and the replay of the round that was chosen.

import { drawFelt, NO_BOX } from "../components/felt.js";
import { problemAlert } from "../components/problem_alert.js";
import { replayPanel } from "../components/replay_panel.js";
import { dollars } from "../lib/money.js";
import { h, render } from "../lib/render.js";
import { getFile, getJson } from "../lib/api.js";
import { capitalize, readable } from "../lib/text.js";
import { dayText, timeText } from "../lib/time.js";

const COLUMNS = [
  "Time",
  "Table",
  "Round",
  "Dealer",
  "Players",
  "Hands",
  "Wagered",
  "Paid",
  "Irregularity",
];

class RoundSearch extends HTMLElement {
  connectedCallback() {
    Object.assign(this, NO_BOX, { rounds: null, before: 0, replay: null, index: 0, problem: "" });
    this.tables = JSON.parse(this.dataset.tables);
    this.irregularities = JSON.parse(this.dataset.irregularities);
    addEventListener("keydown", (event) => this.onKey(event));
    addEventListener("hashchange", () => this.followLink());
    addEventListener("popstate", () => this.start());
    this.start();
  }

  // The address has the criteria; its fragment has the round that is replayed.
  async start() {
    this.criteria = Object.fromEntries(new URLSearchParams(location.search));
    this.draw();
    await Promise.all([this.search(), this.followLink()]);
  }

  // A link names a round, a log entry and a viewpoint: #table=A&round=12&at=345&eyes=3
  async followLink() {
    const link = new URLSearchParams(location.hash.slice(1));
    const [table, round] = [link.get("table"), link.get("round")];
    if (table && round)
      await this.openReplay(table, round, link.get("eyes") ?? "camera", Number(link.get("at") ?? 0));
    else if (this.replay) this.closeReplay();
  }

  async run(task) {
    this.problem = "";
    try {
      await task();
    } catch (error) {
      this.problem = error.message;
    }
    this.draw();
  }

  // Searching

  submit(form) {
    const entered = Object.fromEntries(new FormData(form));
    this.criteria = Object.fromEntries(Object.entries(entered).filter(([, value]) => value));
    history.pushState(null, "", `?${new URLSearchParams(this.criteria)}`);
    this.replay = null;
    return this.search();
  }

  // `before` continues the search where it ended.
  search(before = 0) {
    const query = new URLSearchParams(apiQuery(this.criteria));
    if (before) query.set("before", before);
    else this.rounds = null;
    this.searching = true;
    this.draw();
    return this.run(async () => {
      try {
        const found = await getJson(`/rounds?${query}`);
        this.rounds = [...(this.rounds ?? []), ...found.rounds];
        this.before = found.before;
      } finally {
        this.searching = false;
      }
    });
  }

  // The replay

  get entry() {
    return this.replay.moments[this.index];
  }

  get state() {
    return { view: this.entry.view, hands: this.entry.hands, steps: [] };
  }

  get view() {
    return this.entry.view;
  }

  get round() {
    return this.view.round;
  }

  get replayPath() {
    const { table, round } = this.replay;
    return `/tables/${encodeURIComponent(table)}/rounds/${encodeURIComponent(round)}`;
  }

  async openReplay(table, round, eyes, sequence = 0) {
    const path = `/tables/${encodeURIComponent(table)}/rounds/${encodeURIComponent(round)}`;
    await this.run(async () => {
      const [replay, house] = await Promise.all([
        getJson(`${path}?${new URLSearchParams({ eyes })}`),
        getJson(`${path}/house`),
      ]);
      const index = replay.moments.findIndex((entry) => entry.sequence === sequence);
      Object.assign(this, { replay, house, table, feltPath: `${path}/felt.svg` });
      this.moveTo(index < 0 ? 0 : index);
    });
  }

  moveTo(index) {
    this.index = Math.max(0, Math.min(index, this.replay.moments.length - 1));
    history.replaceState(null, "", `${location.search}#${this.link()}`);
    this.draw();
  }

  link() {
    const { table, round, eyes } = this.replay;
    return new URLSearchParams({ table, round, at: this.entry.sequence, eyes });
  }

  closeReplay() {
    this.replay = null;
    history.replaceState(null, "", location.pathname + location.search);
    this.draw();
  }

  // Fetched by script, so that a refusal is shown on this page.
  downloadProof() {
    return this.run(async () => {
      const { name, blob } = await getFile(`${this.replayPath}/proof`);
      const link = Object.assign(document.createElement("a"), {
        href: URL.createObjectURL(blob),
        download: name,
      });
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }

  onKey(event) {
    if (!this.replay || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select")) return;
    const targets = {
      ArrowLeft: this.index - 1,
      ArrowRight: this.index + 1,
      Home: 0,
      End: this.replay.moments.length,
      Escape: null,
    };
    if (!(event.key in targets)) return;
    event.preventDefault();
    if (targets[event.key] === null) this.closeReplay();
    else this.moveTo(targets[event.key]);
  }

  // Drawing

  draw() {
    render(
      this,
      this.criteriaForm(),
      problemAlert(this.problem),
      this.replay
        ? h(
            "div",
            { key: "replay", class: "replay-view" },
            h("div", { class: "replay-felt" }, drawFelt(this)),
            replayPanel(this),
          )
        : null,
      this.results(),
    );
  }

  criteriaForm() {
    const { criteria } = this;
    const field = (name, label, more = {}) =>
      h(
        "label",
        { key: name },
        label,
        h("input", {
          name,
          type: "text",
          autocomplete: "off",
          maxlength: 100,
          value: criteria[name] ?? "",
          ...more,
        }),
      );
    const choice = (name, label, any, options) =>
      h(
        "label",
        { key: name },
        label,
        h(
          "select",
          { name },
          h("option", { key: "", value: "", selected: !criteria[name] }, any),
          options.map(([value, text]) =>
            h("option", { key: value, value, selected: criteria[name] === value }, text),
          ),
        ),
      );
    return h(
      "section",
      { key: "criteria", class: "card", "aria-label": "Search" },
      h(
        "form",
        {
          class: "criteria",
          onsubmit: (event) => {
            event.preventDefault();
            this.submit(event.target);
          },
        },
        field("since", "From", { type: "datetime-local", step: 1 }),
        field("until", "To", { type: "datetime-local", step: 1 }),
        choice(
          "table",
          "Table",
          "All tables",
          this.tables.map((table) => [table, table]),
        ),
        field("dealer", "Dealer"),
        field("player", "Player"),
        field("seat", "Seat", { type: "number", min: 1, max: 6 }),
        field("hand", "Hand", { placeholder: "for example royal flush" }),
        field("over", "Paid more than ($)", { type: "number", min: 0, step: "0.01" }),
        choice("irregularity", "Irregularity", "With or without", [
          ["any", "Any irregularity"],
          ["void", "Round void"],
          ...this.irregularities.map((name) => [name, capitalize(readable(name))]),
        ]),
        h("button", { key: "search", type: "submit", class: "main" }, "Search"),
        h("a", { key: "clear", class: "button plain", href: location.pathname }, "Clear"),
      ),
    );
  }

  results() {
    const { rounds } = this;
    const status = this.searching
      ? "Searching…"
      : rounds && !rounds.length
        ? this.before
          ? "No matching rounds among the latest."
          : "No matching rounds."
        : "";
    return h(
      "section",
      { key: "results", class: "card", "aria-label": "Results" },
      h("p", { key: "status", role: "status", class: "quiet-text" }, status),
      rounds?.length
        ? h(
            "div",
            { key: "rounds", class: "scrollable", tabindex: "0", role: "region", "aria-label": "Rounds" },
            h(
              "table",
              { class: "data-table stacked found-rounds" },
              h(
                "thead",
                {},
                h(
                  "tr",
                  {},
                  COLUMNS.map((title) => h("th", { key: title, scope: "col" }, title)),
                ),
              ),
              h(
                "tbody",
                {},
                rounds.map((round) => this.result(round)),
              ),
            ),
          )
        : null,
      this.before && !this.searching
        ? h(
            "button",
            { key: "more", type: "button", onclick: () => this.search(this.before) },
            "Search further back",
          )
        : null,
    );
  }

  result(found) {
    const { table, round } = found;
    const isOpen = this.replay?.table === table && this.replay.round === round;
    const button = h(
      "button",
      {
        type: "button",
        "aria-current": isOpen ? "true" : null,
        "aria-label": `Replay round ${round} at ${table}`,
        onclick: async () => {
          await this.openReplay(table, round, "camera");
          this.querySelector(".replay-view")?.scrollIntoView({ block: "nearest" });
        },
      },
      String(round),
    );
    const irregularities = [
      ...(found.void ? ["Void"] : []),
      ...found.irregularities.map((name) => capitalize(readable(name))),
    ];
    const cells = [
      `${dayText(found.time)} ${timeText(found.time)}`,
      table,
      button,
      capitalize(found.dealer),
      found.players.map(capitalize).join(", "),
      found.hands.map(readable).join(", "),
      found.over ? dollars(found.staked) : "in progress",
      found.over ? dollars(found.returned) : null,
      irregularities.join(", "),
    ];
    return h(
      "tr",
      { key: `${table} ${round}`, "data-round": round },
      cells.map((cell, index) =>
        h("td", { key: index, "data-label": COLUMNS[index] }, cell || null),
      ),
    );
  }
}

// The criteria as the server takes them: cents, and times with their offset from UTC.
function apiQuery({ irregularity, over, since, until, ...criteria }) {
  const query = { ...criteria };
  if (irregularity === "void") query.void = "true";
  else if (irregularity) query.irregularity = irregularity;
  if (over) query.over = String(Math.round(Number(over) * 100));
  if (since) query.since = new Date(since).toISOString();
  if (until) query.until = new Date(until).toISOString();
  return query;
}

customElements.define("croupier-round-search", RoundSearch);
