// Table events as sentences for staff: every event is listed, with people, places and amounts.

import { cardName } from "../components/playing_card.js";
import { dollars } from "./money.js";
import { capitalize, readable } from "./text.js";

const MONEY_FIELDS = new Set([
  "amount",
  "cash",
  "chips",
  "winnings",
  "inventory",
  "drop",
  "difference",
  "minimum",
  "maximum",
  "stake",
]);
// The fields that a sentence lists, in this order; the other fields are in the log.
const LISTED_FIELDS = [
  "number",
  "round",
  "seat",
  "player",
  "wager",
  "meter",
  "deck",
  "device",
  "slip",
  "serial",
  "step",
  "method",
  "how",
  "count",
  "counted",
  "accepted",
  "cards",
  "depth",
  ...MONEY_FIELDS,
  "duty",
  "about",
  "decision",
  "finding",
  "text",
  "reason",
];

export function staffSentence(eventText, event) {
  switch (event.kind) {
    case "round_opened":
      return `Round ${event.number} starts.`;
    case "cards_dealt":
      return `Dealt to ${cardsByPlace(eventText, event)}.`;
    case "cards_turned":
      return `Turned over for ${cardsByPlace(eventText, event)}.`;
    case "cards_read":
      return `Read for ${placeName(eventText, event.place)}: ${cardList(event.cards)}.`;
    case "box_shown":
      return `The box shows ${event.cards.map(cardName).join(", ")}.`;
    case "hands_shown":
      return "All hands are face up.";
    case "street_shown":
      return eventText.sentence(event) ?? `The ${event.street} decisions start.`;
    case "irregularity_noted": {
      const details = fieldList(eventText, Object.entries(event.detail));
      return `Irregularity: ${readable(event.irregularity)}${details}.`;
    }
    default:
      return eventText.sentence(event) ?? genericSentence(eventText, event);
  }
}

// The clause that decided an event, or the first of those it rests on.
export function clauseOf(event) {
  return event?.clause || event?.clauses?.[0] || "";
}

// Cards grouped by destination, in the order they left the deck.
function cardsByPlace(eventText, { cards, places }) {
  const groups = new Map();
  cards.forEach((card, index) =>
    groups.set(places[index], [...(groups.get(places[index]) ?? []), card]),
  );
  return [...groups]
    .map(([place, group]) => `${placeName(eventText, place)}: ${cardList(group)}`)
    .join("; ");
}

function cardList(cards) {
  return cards.every((card) => card === "??")
    ? `${cards.length} face down`
    : cards.map(cardName).join(", ");
}

function placeName(eventText, place) {
  if (typeof place === "number") return eventText.seatName(place);
  return place === "community" ? "the board" : `the ${readable(place)}`;
}

function genericSentence(eventText, event) {
  const fields = LISTED_FIELDS.filter((name) => !(name === "player" && "seat" in event)).map(
    (name) => [name, event[name]],
  );
  const by = event.by ? ` by ${capitalize(event.by.id)}` : "";
  return `${capitalize(readable(event.kind))}${by}${fieldList(eventText, fields)}.`;
}

function fieldList(eventText, fields) {
  const listed = fields
    .filter(([, value]) => typeof value === "number" || (typeof value === "string" && value))
    .map(([name, value]) => fieldText(eventText, name, value));
  return listed.length ? `: ${listed.join(", ")}` : "";
}

function fieldText(eventText, name, value) {
  if (name === "seat" && typeof value === "number")
    return eventText.players[value] ? eventText.seatName(value) : `seat ${value}`;
  if (name === "wager") return eventText.wagerTitle(value);
  if (MONEY_FIELDS.has(name) && typeof value === "number") return dollars(value);
  if (name === "reason" || name === "text") return `“${value}”`;
  if (name === "card") return cardName(value);
  return name === "deck" || name === "player"
    ? readable(String(value))
    : `${readable(name)} ${readable(String(value))}`;
}
