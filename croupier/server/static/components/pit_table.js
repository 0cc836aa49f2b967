// A table on the map of the pit, from above: who deals, which seats are taken, whether it waits.

import { h } from "../lib/render.js";
import { capital } from "../lib/event_text.js";

const SEATS = [1, 2, 3, 4, 5, 6]; // from the dealer's left, as the felt has them: seat 1 is on the right
const [MIDDLE, BACK] = [100, 26];

function place(seat) {
  const angle = ((14 + (seat - 1) * 30.4) * Math.PI) / 180;
  return { x: MIDDLE + 88 * Math.cos(angle), y: BACK + 78 * Math.sin(angle) };
}

export function plan(table, dealer) {
  const taken = Object.entries(table.seats).map(([seat, name]) => `seat ${seat} ${name}`);
  const spoken = `${dealer} deals; ${taken.length ? taken.join(", ") : "nobody plays"}`;
  return h(
    "svg",
    { key: "plan", class: `plan ${table.open ? "" : "shut"}`, viewBox: "0 0 200 118", role: "img", "aria-label": spoken },
    h("path", { class: "plan-cloth", d: "M22 26H178A78 70 0 0 1 22 26Z" }),
    h("rect", { class: "plan-tray", x: 76, y: 29, width: 48, height: 8, rx: 2 }),
    h("circle", { class: table.dealer ? "plan-seat full" : "plan-seat", cx: MIDDLE, cy: 14, r: 10 }),
    h("text", { class: table.dealer ? "full" : "", x: MIDDLE, y: 18, "text-anchor": "middle" }, table.dealer ? capital(table.dealer).slice(0, 2) : "D"),
    SEATS.map((seat) => {
      const { x, y } = place(seat);
      const name = table.seats[seat];
      return [
        h("circle", { key: `seat ${seat}`, class: name ? "plan-seat full" : "plan-seat", cx: x.toFixed(1), cy: y.toFixed(1), r: 10 }),
        h("text", { key: `name ${seat}`, class: name ? "full" : "", x: x.toFixed(1), y: (y + 4).toFixed(1), "text-anchor": "middle" }, name ? capital(name).slice(0, 2) : String(seat)),
      ];
    }),
  );
}
