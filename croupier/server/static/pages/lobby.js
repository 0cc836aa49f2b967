// The lobby: every table with its limits, seats and meters, as they are now.

import "../components/meter.js";
import { doing } from "../lib/table_status.js";
import { dollars, meters } from "../lib/money.js";
import { h, render } from "../lib/render.js";
import { read } from "../lib/api.js";

const EVERY = 2000;
const VERBS = { dealer: "Deal", floorperson: "Supervise", pit_manager: "Manage", surveillance: "Watch", audit: "Watch" };

class Lobby extends HTMLElement {
  connectedCallback() {
    this.look();
  }

  async look() {
    try {
      if (!document.hidden) this.update((await read("/tables")).tables);
    } catch {
      // The line is down: what is shown stays, and the next look may succeed.
    }
    if (this.isConnected) setTimeout(() => this.look(), EVERY);
  }

  update(tables) {
    const supervises = tables.some((table) => table.roles.some((role) => role === "floorperson" || role === "pit_manager"));
    const watches = supervises || tables.some((table) => table.roles.some((role) => role === "surveillance" || role === "audit"));
    const offices = this.dataset.offices.split(" ");
    const learns = offices.includes("trainee") || tables.some((table) => table.roles.includes("pit_manager"));
    const manages = offices.includes("operator");
    const links = [manages && ["/manage", "Submissions and tables"], supervises && ["/pit", "The pit"], watches && ["/wall", "The wall"], learns && ["/school", "Dealer school"]].filter(Boolean);
    render(this, links.length ? h("p", { key: "links", class: "links" }, links.map(([href, words]) => h("a", { key: href, class: "button", href }, words))) : null, h("ul", { key: "tables", class: "tables" }, tables.map((table) => this.table(table))));
  }

  table(table) {
    const taken = Object.values(table.seats).filter(Boolean).length;
    const [least, most] = table.ante;
    const limits = most === null ? `from ${dollars(least)}` : `${dollars(least)} to ${dollars(most)}`;
    const plays = table.roles.includes("player");
    return h(
      "li",
      { key: table.id, class: "card table-card" },
      h("h2", {}, plays ? h("a", { href: `/play/${encodeURIComponent(table.id)}` }, table.title) : table.title),
      h("p", { class: "quiet-text" }, `${table.operator} · ${table.live ? "live" : "practice"}${table.service === "attended" ? ` · people deal at ${table.id}` : ""}`),
      h(
        "dl",
        {},
        h("div", {}, h("dt", {}, "Ante"), h("dd", {}, limits)),
        h(
          "div",
          {},
          h("dt", {}, "Seats"),
          h(
            "dd",
            {},
            h("span", { class: "dots", "aria-hidden": "true" }, Object.entries(table.seats).map(([seat, full]) => h("i", { key: seat, class: full ? "full" : "free" }))),
            ` ${6 - taken} free`,
          ),
        ),
        h("div", {}, h("dt", {}, "Now"), h("dd", {}, doing(table.open, table.state))),
        h("div", {}, h("dt", {}, "Rounds"), h("dd", {}, table.rounds_played.toLocaleString("en-US"))),
      ),
      h(
        "ul",
        { class: "meters" },
        meters(table.meters).map(([name, cents]) =>
          h("li", { key: name }, h("span", {}, name), h("croupier-meter", { cents, own: true })),
        ),
      ),
      table.roles.filter((role) => role !== "player").map((role) =>
        h("a", { key: role, class: "button", href: `/console/${encodeURIComponent(table.id)}?role=${role}`, "aria-label": `${VERBS[role] ?? "Open"} ${table.title}` }, VERBS[role] ?? "Open"),
      ),
      plays ? h("a", { class: "button", href: `/play/${encodeURIComponent(table.id)}`, "aria-label": `Play ${table.title}` }, "Play") : null,
    );
  }
}

customElements.define("croupier-lobby", Lobby);
