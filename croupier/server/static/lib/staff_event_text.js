// What those who serve or watch a table read of it: every event as a sentence that names whom and what it is about.

import { spoken } from "../components/playing_card.js";
import { dollars } from "./money.js";
import { capital } from "./event_text.js";

const MONEY = new Set(["amount", "cash", "chips", "winnings", "inventory", "drop", "difference", "minimum", "maximum", "stake"]);
// In the order in which a sentence names them; whatever else an event has is in the record.
const NAMED = ["number", "round", "seat", "player", "wager", "meter", "deck", "device", "slip", "serial", "step", "method", "how", "count", "counted", "accepted", "cards", "depth", ...MONEY, "duty", "about", "decision", "finding", "text", "reason"];

export function reported(words, event) {
  switch (event.kind) {
    case "round_opened":
      return `Round ${event.number} begins.`;
    case "cards_dealt":
      return `Dealt ${placed(words, event)}.`;
    case "cards_turned":
      return `Turned ${placed(words, event)}.`;
    case "cards_read":
      return `Read ${placed(words, { cards: event.cards, places: event.cards.map(() => event.place) })}.`;
    case "box_shown":
      return `The box shows ${event.cards.map(spoken).join(", ")}.`;
    case "hands_shown":
      return "The hands lie face up.";
    case "street_shown":
      return words.tell(event) ?? `The ${event.street} decisions begin.`;
    case "irregularity_noted":
      return `Irregularity: ${plain(event.irregularity)}${listed(words, Object.entries(event.detail))}.`;
    default:
      return words.tell(event) ?? told(words, event);
  }
}

// The clause that decided it, else the first of those that it rests on.
export function clauseOf(event) {
  return event?.clause || event?.clauses?.[0] || "";
}

// Cards by where they went, in the order they left the deck.
function placed(words, { cards, places }) {
  const by = new Map();
  cards.forEach((card, index) => by.set(places[index], [...(by.get(places[index]) ?? []), card]));
  return [...by].map(([place, theirs]) => `to ${whom(words, place)} ${theirs.every((card) => card === "??") ? `${theirs.length} face down` : theirs.map(spoken).join(", ")}`).join("; ");
}

function whom(words, place) {
  if (typeof place === "number") return words.who(place);
  return place === "community" ? "the board" : `the ${plain(place)}`;
}

function told(words, event) {
  const facts = NAMED.filter((name) => !(name === "player" && "seat" in event)).map((name) => [name, event[name]]);
  const kind = plain(event.kind);
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}${event.by ? ` by ${capital(event.by.id)}` : ""}${listed(words, facts)}.`;
}

function listed(words, facts) {
  const said = facts.filter(([, value]) => (typeof value === "number") || (typeof value === "string" && value)).map(([name, value]) => fact(words, name, value));
  return said.length ? `: ${said.join(", ")}` : "";
}

function fact(words, name, value) {
  if (name === "seat" && typeof value === "number") return words.players[value] ? words.who(value) : `seat ${value}`;
  if (name === "wager") return words.title(value);
  if (MONEY.has(name) && typeof value === "number") return dollars(value);
  if (name === "reason" || name === "text") return `“${value}”`;
  if (name === "card") return spoken(value);
  return name === "deck" || name === "player" ? plain(String(value)) : `${plain(name)} ${plain(String(value))}`;
}

function plain(word) {
  return word.replaceAll("_", " ");
}
