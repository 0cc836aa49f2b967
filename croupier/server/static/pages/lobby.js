// Lobby of players: every table with its limits, free seats and meters, refreshed by polling.

import { problemAlert } from "../components/problem_alert.js";
import { meterItems } from "../components/meter.js";
import { tableStatus } from "../lib/table_status.js";
import { limitsText } from "../lib/money.js";
import { h, render } from "../lib/render.js";
import { pollJson, postJson } from "../lib/api.js";

const POLL_MS = 2000;

class Lobby extends HTMLElement {
  connectedCallback() {
    this.poll();
  }

  async poll() {
    try {
      if (!document.hidden) {
        const { tables } = await pollJson("/tables");
        this.tables = tables.filter((table) => table.roles.includes("player"));
        this.draw();
      }
    } catch {
      // Without a connection the page keeps what it shows; the next poll may succeed.
    }
    if (this.isConnected) setTimeout(() => this.poll(), POLL_MS);
  }

  draw() {
    const { tables } = this;
    render(
      this,
      h(
        "ul",
        { key: "tables", class: "table-cards" },
        tables.map((table) => this.table(table)),
      ),
    );
  }

  table(table) {
    const free = Object.values(table.seats).filter((occupied) => !occupied).length;
    const description = [table.operator, table.live ? "live" : "practice"];
    if (table.service === "attended") description.push(`staffed table ${table.id}`);
    return h(
      "li",
      { key: table.id, class: "card table-card" },
      h(
        "h2",
        {},
        table.title,
      ),
      h("p", { class: "quiet-text" }, description.join(" · ")),
      h(
        "dl",
        {},
        h("div", {}, h("dt", {}, "Ante"), h("dd", {}, limitsText(table.ante))),
        h(
          "div",
          {},
          h("dt", {}, "Seats"),
          h(
            "dd",
            {},
            h(
              "span",
              { class: "seat-dots", "aria-hidden": "true" },
              Object.entries(table.seats).map(([seat, occupied]) =>
                h("i", { key: seat, class: occupied ? "occupied" : "" }),
              ),
            ),
            ` ${free} free`,
          ),
        ),
        h("div", {}, h("dt", {}, "Status"), h("dd", {}, tableStatus(table.open, table.state))),
        h(
          "div",
          {},
          h("dt", {}, "Rounds"),
          h("dd", {}, table.rounds_played.toLocaleString("en-US")),
        ),
      ),
      h("ul", { class: "meters" }, meterItems(table.meters)),
      this.playLinks(table),
    );
  }

  // Practice is at a table of the player's own; a staffed table is shared.
  playLinks(table) {
    const shared = `/play/${encodeURIComponent(table.id)}`;
    if (table.live || table.service !== "practice")
      return h(
        "a",
        { key: "play", class: "button", href: shared, "aria-label": `Play ${table.title}` },
        "Play",
      );
    return [
      problemAlert(this.problem?.table === table.id ? this.problem.text : ""),
      h(
        "button",
        {
          key: "play",
          type: "button",
          class: "main",
          "aria-label": `Play ${table.title}`,
          onclick: () => this.playPrivately(table),
        },
        "Play",
      ),
      h(
        "a",
        { key: "shared", class: "button plain", href: shared, "aria-label": `${table.title}, shared table` },
        "Play with others",
      ),
    ];
  }

  async playPrivately(table) {
    this.problem = null;
    try {
      const own = await postJson(`/tables/${encodeURIComponent(table.id)}/private`, {});
      location.assign(`/play/${encodeURIComponent(own.table)}`);
    } catch (error) {
      this.problem = { table: table.id, text: error.message };
      this.draw();
    }
  }
}

customElements.define("croupier-lobby", Lobby);
