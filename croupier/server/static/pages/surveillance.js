// Surveillance console: the live table as a camera sees it, and a replay of any round in the log.

import { StaffConsole } from "./staff_console.js";
import { dollars } from "../lib/money.js";
import { problemAlert } from "../components/problem_alert.js";
import { h } from "../lib/render.js";
import { clauseOf, clauseText } from "../lib/table_text.js";
import { getFile, getJson } from "../lib/api.js";
import { capitalize, readable } from "../lib/text.js";

const VIEWPOINTS = ["camera", "whole", "1", "2", "3", "4", "5", "6"];
const VIEWPOINT_TEXT = { camera: "camera", whole: "full log" };

class Surveillance extends StaffConsole {
  async connectedCallback() {
    this.searchResults = null;
    await super.connectedCallback();
    addEventListener("hashchange", () => this.followLink());
  }

  // The state that is drawn: an entry of the replay, or the live table.
  get state() {
    const entry = this.entry;
    return entry ? { view: entry.view, hands: entry.hands, steps: [] } : this.liveState;
  }

  set state(value) {
    const first = !this.liveState;
    this.liveState = value;
    if (first) this.followLink();
  }

  get entry() {
    return this.replay?.moments[this.index];
  }

  get path() {
    return `/tables/${encodeURIComponent(this.table)}/rounds`;
  }

  // A link names a round, a log entry and a viewpoint: #round=12&at=345&eyes=3
  followLink() {
    const link = new URLSearchParams(location.hash.slice(1));
    if (link.get("round"))
      this.openReplay(link.get("round"), link.get("eyes") ?? "camera", Number(link.get("at") ?? 0));
    else if (this.replay) this.closeReplay();
  }

  async openReplay(round, viewpoint, sequence = 0) {
    await this.run(async () => {
      this.replay = await getJson(
        `${this.path}/${encodeURIComponent(round)}?${new URLSearchParams({ eyes: viewpoint })}`,
      );
      const index = this.replay.moments.findIndex((entry) => entry.sequence === sequence);
      this.moveTo(index < 0 ? 0 : index);
    });
  }

  async search(form) {
    const fields = Object.entries(Object.fromEntries(new FormData(form))).filter(
      ([, value]) => value !== "",
    );
    const query = new URLSearchParams(
      fields.map(([name, value]) => [
        name,
        name === "over" ? String(Math.round(Number(value) * 100)) : value,
      ]),
    );
    await this.run(async () => {
      this.searchResults = (await getJson(`${this.path}?${query}`)).rounds;
    });
  }

  // Fetched by script, so that a refusal is shown on this page.
  async downloadProof(path) {
    await this.run(async () => {
      const { name, blob } = await getFile(path);
      const link = Object.assign(document.createElement("a"), {
        href: URL.createObjectURL(blob),
        download: name,
      });
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }

  async run(task) {
    this.problem = "";
    try {
      await task();
    } catch (error) {
      this.problem = error.message;
    }
    if (this.liveState) this.draw();
  }

  moveTo(index) {
    this.index = Math.max(0, Math.min(index, this.replay.moments.length - 1));
    history.replaceState(null, "", `#${this.link()}`);
    this.draw();
  }

  link() {
    return new URLSearchParams({
      round: this.replay.round,
      at: this.entry.sequence,
      eyes: this.replay.eyes,
    });
  }

  closeReplay() {
    this.replay = null;
    history.replaceState(null, "", location.pathname + location.search);
    this.draw();
  }

  onKey(event) {
    if (
      !this.replay ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.target.closest("input, select")
    )
      return;
    const offsets = {
      ArrowLeft: -1,
      ArrowRight: 1,
      Home: -this.index,
      End: this.replay.moments.length,
    };
    if (!(event.key in offsets)) return;
    event.preventDefault();
    this.moveTo(this.index + offsets[event.key]);
  }

  side() {
    const actions = this.replay ? [] : this.state.steps.filter((step) => !step.blocked);
    return [
      problemAlert(this.problem),
      this.replay ? this.replayPanel() : null,
      this.searchPanel(),
      this.group("may", "Available actions", actions, false),
    ];
  }

  replayPanel() {
    const { moments: entries, round, eyes: viewpoint, over } = this.replay;
    const entry = this.entry;
    const time = new Date(entry.at).toLocaleString();
    const position = `step ${this.index + 1} of ${entries.length}`;
    const proof = `${this.path}/${round}/proof`;
    // Hidden cards are shown only after the round.
    const viewpoints = VIEWPOINTS.filter((name) => over || name === "camera");
    return h(
      "section",
      { key: "replay", class: "card panel", "aria-label": "Replay" },
      h("h2", {}, `Round ${round}`, h("small", {}, ` ${position}`)),
      h("input", {
        key: "slider",
        class: "slider",
        type: "range",
        min: 0,
        max: entries.length - 1,
        value: String(this.index),
        "aria-label": "Step",
        "aria-valuetext": `${capitalize(readable(entry.kind))}, ${position}`,
        oninput: (event) => this.moveTo(Number(event.target.value)),
      }),
      h(
        "div",
        { key: "buttons", class: "choices" },
        h(
          "button",
          {
            type: "button",
            disabled: this.index === 0,
            onclick: () => this.moveTo(this.index - 1),
          },
          "Back",
          h("kbd", {}, "←"),
        ),
        h(
          "button",
          {
            type: "button",
            disabled: this.index === entries.length - 1,
            onclick: () => this.moveTo(this.index + 1),
          },
          "Forward",
          h("kbd", {}, "→"),
        ),
      ),
      h(
        "label",
        { key: "viewpoint" },
        "Viewpoint",
        h(
          "select",
          { onchange: (event) => this.openReplay(round, event.target.value, entry.sequence) },
          viewpoints.map((name) =>
            h(
              "option",
              { key: name, value: name, selected: name === viewpoint },
              VIEWPOINT_TEXT[name] ?? `seat ${name}`,
            ),
          ),
        ),
      ),
      h(
        "p",
        { key: "command", class: "quiet-text" },
        `${time}: ${readable(entry.kind)} by ${readable(entry.by)}, log entry ${entry.sequence}`,
      ),
      h(
        "ul",
        { key: "events", class: "replay-events" },
        entry.events.map((event, index) =>
          event && !entry.sentences[index] // nothing that concerns the person in this seat
            ? null
            : h(
                "li",
                { key: index },
                entry.sentences[index] || "Event not visible from this viewpoint.",
                clauseOf(event)
                  ? h(
                      "cite",
                      { title: clauseText(this.house, clauseOf(event)) },
                      ` ${clauseOf(event)}`,
                    )
                  : null,
              ),
        ),
      ),
      h(
        "p",
        { key: "links", class: "links" },
        h(
          "a",
          { href: `${location.pathname}${location.search}#${this.link()}` },
          "Link to this step",
        ),
        over
          ? h(
              "a",
              {
                href: proof,
                onclick: (event) => {
                  event.preventDefault();
                  this.downloadProof(proof);
                },
              },
              "Export with proof",
            )
          : null,
      ),
      h(
        "button",
        { key: "live", type: "button", onclick: () => this.closeReplay() },
        "Back to the live table",
      ),
    );
  }

  searchPanel() {
    const field = (name, label, type = "text", more = {}) =>
      h("label", { key: name }, label, h("input", { name, type, ...more }));
    return h(
      "section",
      { key: "search", class: "card", "aria-label": "Find rounds" },
      h("h2", {}, "Find rounds"),
      h(
        "form",
        {
          class: "step-form",
          onsubmit: (event) => {
            event.preventDefault();
            this.search(event.target);
          },
        },
        field("player", "player"),
        field("seat", "seat", "number", { min: 1, max: 6 }),
        field("hand", "hand"),
        field("over", "paid more than, in dollars", "number", { min: 0, step: "0.01" }),
        h(
          "label",
          { key: "void" },
          "void",
          h(
            "select",
            { name: "void" },
            h("option", { value: "either" }, "any"),
            h("option", { value: "true" }, "yes"),
            h("option", { value: "false" }, "no"),
          ),
        ),
        h("button", { type: "submit", class: "main" }, "Search"),
      ),
      this.searchResults ? this.results() : null,
    );
  }

  results() {
    if (!this.searchResults.length)
      return h("p", { key: "empty", role: "status" }, "No matching rounds.");
    return h(
      "ul",
      { key: "results", class: "search-results" },
      this.searchResults.map((round) =>
        h(
          "li",
          { key: round.round },
          h(
            "button",
            { type: "button", onclick: () => this.openReplay(round.round, "camera") },
            h("b", {}, `Round ${round.round}`),
            h("small", {}, roundSummary(round)),
          ),
        ),
      ),
    );
  }
}

function roundSummary({ time, players, hands, staked, returned, void: isVoid }) {
  const money = `${dollars(staked)} → ${dollars(returned)}`;
  const parts = [time.slice(0, 19), players.join(", "), hands.join(", "), money];
  return [...parts, ...(isVoid ? ["void"] : [])].join(" · ");
}

customElements.define("croupier-surveillance", Surveillance);
