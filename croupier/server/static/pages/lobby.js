// Lobby: every table with its limits, free seats and meters, refreshed by polling.

import { meterItems } from "../components/meter.js";
import { tableStatus } from "../lib/table_status.js";
import { limitsText } from "../lib/money.js";
import { h, render } from "../lib/render.js";
import { getJson } from "../lib/api.js";

const POLL_MS = 2000;
const SEATS = 6;
const ROLE_ACTIONS = {
  dealer: "Deal",
  floorperson: "Supervise",
  pit_manager: "Manage",
  surveillance: "Watch",
  audit: "Watch",
};

class Lobby extends HTMLElement {
  connectedCallback() {
    this.poll();
  }

  async poll() {
    try {
      if (!document.hidden) this.draw((await getJson("/tables")).tables);
    } catch {
      // Without a connection the page keeps what it shows; the next poll may succeed.
    }
    if (this.isConnected) setTimeout(() => this.poll(), POLL_MS);
  }

  draw(tables) {
    const offices = this.dataset.offices.split(" ");
    const hasRole = (...roles) =>
      tables.some((table) => table.roles.some((role) => roles.includes(role)));
    const supervises = hasRole("floorperson", "pit_manager");
    const watches = supervises || hasRole("surveillance", "audit");
    const attendsSchool = offices.includes("trainee") || hasRole("pit_manager");
    const links = [
      offices.includes("operator") && ["/manage", "Submissions and tables"],
      supervises && ["/pit", "Pit"],
      watches && ["/wall", "Camera wall"],
      attendsSchool && ["/school", "Dealer school"],
    ].filter(Boolean);
    render(
      this,
      links.length
        ? h(
            "p",
            { key: "links", class: "links" },
            links.map(([href, title]) => h("a", { key: href, class: "button", href }, title)),
          )
        : null,
      h(
        "ul",
        { key: "tables", class: "table-cards" },
        tables.map((table) => this.table(table)),
      ),
    );
  }

  table(table) {
    const taken = Object.values(table.seats).filter(Boolean).length;
    const description = [table.operator, table.live ? "live" : "practice"];
    if (table.service === "attended") description.push(`staffed table ${table.id}`);
    const plays = table.roles.includes("player");
    return h(
      "li",
      { key: table.id, class: "card table-card" },
      h(
        "h2",
        {},
        plays
          ? h("a", { href: `/play/${encodeURIComponent(table.id)}` }, table.title)
          : table.title,
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
            ` ${SEATS - taken} free`,
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
      table.roles
        .filter((role) => role !== "player")
        .map((role) =>
          h(
            "a",
            {
              key: role,
              class: "button",
              href: `/console/${encodeURIComponent(table.id)}?role=${role}`,
              "aria-label": `${ROLE_ACTIONS[role] ?? "Open"} ${table.title}`,
            },
            ROLE_ACTIONS[role] ?? "Open",
          ),
        ),
      plays
        ? h(
            "a",
            {
              class: "button",
              href: `/play/${encodeURIComponent(table.id)}`,
              "aria-label": `Play ${table.title}`,
            },
            "Play",
          )
        : null,
    );
  }
}

customElements.define("croupier-lobby", Lobby);
