// Camera wall: nine live felts at a time, with the table's status in the title.

import "../components/elapsed_time.js";
import { drawFelt, NO_BOX } from "../components/felt.js";
import { tableStatus } from "../lib/table_status.js";
import { h, render } from "../lib/render.js";
import { Feed, getJson, pollJson } from "../lib/api.js";

const PAGE_SIZE = 9;
const POLL_MS = 10_000; // for the list of tables
// In order of preference.
const WATCHER_ROLES = ["surveillance", "audit", "commission", "pit_manager", "floorperson"];

// One table of the wall.
class TableCamera {
  constructor(table, role, onChange) {
    this.table = table.id;
    this.title = table.title;
    this.role = role;
    Object.assign(this, NO_BOX);
    this.onChange = onChange;
    this.start();
  }

  get view() {
    return this.state.view;
  }
  get round() {
    return this.view.round;
  }

  async start() {
    try {
      this.house = await getJson(`/tables/${encodeURIComponent(this.table)}`);
    } catch {
      return; // the table was closed; the next poll no longer lists it
    }
    if (this.stopped) return;
    this.feed = new Feed(
      this.table,
      this.role,
      (frame) => this.onFrame(frame),
      (connected) => this.onConnection(connected),
    );
    this.feed.start();
  }

  onFrame(frame) {
    this.clockOffset = frame.at - Date.now();
    if (!frame.state) return;
    this.state = frame.state;
    this.onChange();
  }

  onConnection(connected) {
    if (this.connected === connected) return;
    this.connected = connected;
    this.onChange();
  }

  stop() {
    this.stopped = true;
    this.feed?.close();
  }

  draw() {
    const overdue = this.state?.steps.some((step) => step.due === "overdue" && !step.blocked);
    const outage =
      (this.connected === false && "connection lost") ||
      (this.state?.unavailable && "record unavailable") ||
      (this.state?.view.disabled && "gaming disabled");
    const status = this.state ? tableStatus(this.view.open, this.round?.due?.kind) : "…";
    return h(
      "li",
      { key: this.table, class: `tile${overdue ? " overdue" : ""}` },
      h(
        "p",
        { class: "tile-title" },
        h(
          "a",
          { href: `/console/${encodeURIComponent(this.table)}?role=${this.role}` },
          this.table,
        ),
        h("span", {}, this.title),
        h("b", { class: outage ? "problem" : "" }, outage || status),
        this.state && this.view.deadline
          ? h(
              "small",
              {},
              `${this.view.deadline.what} `,
              h("croupier-elapsed-time", {
                until: this.view.deadline.at,
                offset: this.clockOffset,
                selfRendered: true,
              }),
            )
          : null,
      ),
      this.state ? drawFelt(this) : null,
    );
  }
}

class CameraWall extends HTMLElement {
  connectedCallback() {
    this.cameras = new Map();
    this.first = 0;
    this.poll();
    addEventListener("keydown", (event) => this.onKey(event));
  }

  async poll() {
    try {
      const { tables } = await pollJson("/tables");
      this.tables = tables
        .map((table) => ({
          ...table,
          role: WATCHER_ROLES.find((role) => table.roles.includes(role)),
        }))
        .filter((table) => table.role);
      this.updateCameras();
    } catch {
      // Without a connection the page keeps what it shows; the next poll may succeed.
    }
    if (this.isConnected) setTimeout(() => this.poll(), POLL_MS);
  }

  // Only the tables of the current page have an open feed.
  updateCameras() {
    this.first = Math.min(
      this.first,
      Math.max(0, PAGE_SIZE * Math.floor((this.tables.length - 1) / PAGE_SIZE)),
    );
    const visible = this.tables.slice(this.first, this.first + PAGE_SIZE);
    for (const [id, camera] of this.cameras) {
      if (visible.some((table) => table.id === id)) continue;
      camera.stop();
      this.cameras.delete(id);
    }
    for (const table of visible)
      if (!this.cameras.has(table.id))
        this.cameras.set(table.id, new TableCamera(table, table.role, () => this.draw()));
    this.draw();
  }

  move(count) {
    if (this.first + count < 0 || this.first + count >= this.tables.length) return;
    this.first += count;
    this.updateCameras();
  }

  onKey(event) {
    if (!this.tables || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowRight") this.move(PAGE_SIZE);
    if (event.key === "ArrowLeft") this.move(-PAGE_SIZE);
  }

  draw() {
    const visible = this.tables
      .slice(this.first, this.first + PAGE_SIZE)
      .map((table) => this.cameras.get(table.id))
      .filter(Boolean);
    const columns = Math.ceil(Math.sqrt(visible.length));
    render(
      this,
      visible.length ? null : h("p", { key: "empty" }, "You have no tables to watch."),
      h(
        "ul",
        {
          key: "wall",
          class: "camera-wall",
          "aria-label": "Tables",
          vars: {
            "--columns": String(columns),
            "--rows": String(Math.ceil(visible.length / columns)),
          },
        },
        visible.map((camera) => camera.draw()),
      ),
      this.tables.length > PAGE_SIZE
        ? h(
            "p",
            { key: "paging", class: "links" },
            h(
              "button",
              { type: "button", disabled: !this.first, onclick: () => this.move(-PAGE_SIZE) },
              "Previous",
              h("kbd", {}, "←"),
            ),
            h(
              "span",
              {},
              `${this.first + 1} to ${this.first + visible.length} of ${this.tables.length}`,
            ),
            h(
              "button",
              {
                type: "button",
                disabled: this.first + PAGE_SIZE >= this.tables.length,
                onclick: () => this.move(PAGE_SIZE),
              },
              "Next",
              h("kbd", {}, "→"),
            ),
          )
        : null,
    );
  }
}

customElements.define("croupier-camera-wall", CameraWall);
