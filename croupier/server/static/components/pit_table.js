// A table on the pit map, seen from above: dealer, occupied seats, and whether it needs attention.

import { h } from "../lib/render.js";
import { capitalize } from "../lib/text.js";

const [CENTER_X, CENTER_Y] = [100, 26];

// Seats are numbered from the dealer's left, as on the felt: seat 1 is on the right.
function seatPosition(seat, positions) {
  const angle = ((90 + (seat - (positions + 1) / 2) * 30.4) * Math.PI) / 180;
  return { x: CENTER_X + 88 * Math.cos(angle), y: CENTER_Y + 78 * Math.sin(angle) };
}

export function pitTable(table, dealer) {
  const players = Object.entries(table.seats).map(([seat, name]) => `seat ${seat} ${name}`);
  const label = `Dealer: ${dealer}; players: ${players.length ? players.join(", ") : "none"}`;
  return h(
    "svg",
    {
      key: "pit-table",
      class: `pit-table ${table.open ? "" : "closed"}`,
      viewBox: "0 0 200 118",
      role: "img",
      "aria-label": label,
    },
    h("path", { class: "pit-table-cloth", d: "M22 26H178A78 70 0 0 1 22 26Z" }),
    h("rect", { class: "pit-table-tray", x: 76, y: 29, width: 48, height: 8, rx: 2 }),
    h("circle", {
      class: table.dealer ? "pit-table-seat occupied" : "pit-table-seat",
      cx: CENTER_X,
      cy: 14,
      r: 10,
    }),
    h(
      "text",
      { class: table.dealer ? "occupied" : "", x: CENTER_X, y: 18, "text-anchor": "middle" },
      table.dealer ? capitalize(table.dealer).slice(0, 2) : "D",
    ),
    Array.from({ length: table.positions }, (_, index) => {
      const seat = index + 1;
      const { x, y } = seatPosition(seat, table.positions);
      const name = table.seats[seat];
      return [
        h("circle", {
          key: `seat ${seat}`,
          class: name ? "pit-table-seat occupied" : "pit-table-seat",
          cx: x.toFixed(1),
          cy: y.toFixed(1),
          r: 10,
        }),
        h(
          "text",
          {
            key: `name ${seat}`,
            class: name ? "occupied" : "",
            x: x.toFixed(1),
            y: (y + 4).toFixed(1),
            "text-anchor": "middle",
          },
          name ? capitalize(name).slice(0, 2) : String(seat),
        ),
      ];
    }),
  );
}
