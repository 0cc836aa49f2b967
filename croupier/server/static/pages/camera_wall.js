// A wall of tables as cameras see them, nine at a time: every felt live, what presses in its title.

import "../components/elapsed_time.js";
import { drawFelt } from "../components/felt.js";
import { doing } from "../lib/table_status.js";
import { h, render } from "../lib/render.js";
import { Feed, read } from "../lib/api.js";
import { Words } from "../lib/event_text.js";

const AT_ONCE = 9;
const EVERY = 10_000; // milliseconds until it is asked again which tables there are
const WATCHERS = ["surveillance", "audit", "pit_manager", "floorperson"]; // the first that one has looks

// One table: what the drawing of a felt asks a page for, and nobody here has a box.
class Camera {
  constructor(table, role, changed) {
    this.table = table.id;
    this.title = table.title;
    this.role = role;
    this.slip = { stakes: {} };
    this.changed = changed;
    this.start();
  }

  get view() { return this.state.view; }
  get round() { return this.view.round; }
  get mine() { return []; }
  get seat() { return 0; }
  get form() { return null; }
  made() { return ""; }

  async start() {
    try {
      this.house = await read(`/tables/${encodeURIComponent(this.table)}`);
    } catch {
      return; // closed meanwhile: the next look no longer lists it
    }
    this.words = new Words(this.house, "");
    if (!this.ended) this.feed = new Feed(this.table, this.role, (frame) => this.heard(frame), (up) => this.line(up));
  }

  heard(frame) {
    this.ahead = frame.at - Date.now();
    if (!frame.state) return;
    this.state = frame.state;
    this.words.seats(this.view);
    this.changed();
  }

  line(up) {
    if (this.up === up) return;
    this.up = up;
    this.changed();
  }

  end() {
    this.ended = true;
    this.feed?.end();
  }

  draw() {
    const due = this.state?.steps.filter((step) => step.due === "overdue" && !step.blocked) ?? [];
    const now = !this.state ? "…" : !this.up ? "the line is down" : doing(this.view.open, this.round?.due?.kind);
    return h(
      "li",
      { key: this.table, class: `tile${due.length ? " overdue" : ""}` },
      h(
        "p",
        { class: "tile-name" },
        h("a", { href: `/console/${encodeURIComponent(this.table)}?role=${this.role}` }, this.table),
        h("span", {}, this.title),
        h("b", { class: this.up === false ? "problem" : "" }, now),
        this.state && this.view.deadline ? h("small", {}, `${this.view.deadline.what} `, h("croupier-elapsed-time", { until: this.view.deadline.at, ahead: this.ahead, own: true })) : null,
      ),
      this.state ? drawFelt(this) : null,
    );
  }
}

class Wall extends HTMLElement {
  connectedCallback() {
    this.cameras = new Map();
    this.first = 0;
    this.look();
    addEventListener("keydown", (event) => this.key(event));
  }

  async look() {
    try {
      const { tables } = await read("/tables");
      this.tables = tables.map((table) => ({ ...table, role: WATCHERS.find((role) => table.roles.includes(role)) })).filter((table) => table.role);
      this.tune();
    } catch {
      // The line is down: what is shown stays, and the next look may succeed.
    }
    if (this.isConnected) setTimeout(() => this.look(), EVERY);
  }

  // A camera for each table that is shown, and for no other.
  tune() {
    this.first = Math.min(this.first, Math.max(0, AT_ONCE * Math.floor((this.tables.length - 1) / AT_ONCE)));
    const shown = this.tables.slice(this.first, this.first + AT_ONCE);
    for (const [id, camera] of this.cameras) {
      if (shown.some((table) => table.id === id)) continue;
      camera.end();
      this.cameras.delete(id);
    }
    for (const table of shown) if (!this.cameras.has(table.id)) this.cameras.set(table.id, new Camera(table, table.role, () => this.draw()));
    this.draw();
  }

  move(by) {
    if (this.first + by < 0 || this.first + by >= this.tables.length) return;
    this.first += by;
    this.tune();
  }

  key(event) {
    if (!this.tables || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowRight") this.move(AT_ONCE);
    if (event.key === "ArrowLeft") this.move(-AT_ONCE);
  }

  draw() {
    const shown = this.tables.slice(this.first, this.first + AT_ONCE).map((table) => this.cameras.get(table.id)).filter(Boolean);
    const columns = Math.ceil(Math.sqrt(shown.length));
    const more = this.tables.length > AT_ONCE;
    render(
      this,
      shown.length ? null : h("p", { key: "none" }, "No table is open to you."),
      h("ul", { key: "wall", class: "wall", "aria-label": "Tables", vars: { "--columns": String(columns), "--rows": String(Math.ceil(shown.length / columns)) } }, shown.map((camera) => camera.draw())),
      more
        ? h(
            "p",
            { key: "more", class: "links" },
            h("button", { type: "button", disabled: !this.first, onclick: () => this.move(-AT_ONCE) }, "Before", h("kbd", {}, "←")),
            h("span", {}, `${this.first + 1} to ${this.first + shown.length} of ${this.tables.length}`),
            h("button", { type: "button", disabled: this.first + AT_ONCE >= this.tables.length, onclick: () => this.move(AT_ONCE) }, "Next", h("kbd", {}, "→")),
          )
        : null,
    );
  }
}

customElements.define("croupier-camera-wall", Wall);
