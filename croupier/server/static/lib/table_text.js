// Names of wagers, seats and clauses.

import { capitalize, readable } from "./text.js";

export function wagerTitle(house, name) {
  return house.wagers.find((wager) => wager.name === name)?.title ?? readable(name);
}

export function seatName(page, seat) {
  const player = page.round?.boxes[seat]?.player;
  if (player && player === page.account) return "You";
  return player ? capitalize(player) : `Seat ${seat}`;
}

export function clauseText(house, id) {
  return house.clauses[id] ?? "";
}

// The clause that decided an event, or the first of those it rests on.
export function clauseOf(event) {
  return event?.clause || event?.clauses?.[0] || "";
}
