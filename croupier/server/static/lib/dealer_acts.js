// What is due from a dealer, one act at a time, and what one key press records together.

import { BOARD_PLACES, isCardStep } from "../components/card_entry.js";

const THEN = {
  discard_stub: "place the stub in the discard rack",
  show_street: "ask for decisions",
  turn_hand: "turn over the next hand",
};

// The due steps of the dealer in order: a seat that is to be paid first, a buy-in last. The last
// seat is paid and the round closed at once. Decisions are not the dealer's.
export function dealerActs(state) {
  const open = state.steps.filter((step) => !step.blocked && step.kind !== "decide");
  const of = (kind) => open.filter((step) => step.kind === kind);
  const turnHand = of("turn_hand");
  const settle = of("settle").filter((step) => step.due !== "may");
  const pay = state.settling ? (settle.length ? settle : of("settle_seat")) : [];
  const others = open.filter(
    (step) => step.due !== "may" && !["settle_seat", "turn_hand"].includes(step.kind),
  );
  const placed = ["buy_in", "verify_award"]; // first and last
  return [
    ...of("verify_award"), // before the seat is paid, or its payment is delayed
    ...pay,
    ...turnHand.filter((step) => step.due !== "may"),
    ...others.filter((step) => !placed.includes(step.kind) && !pay.includes(step)),
    ...turnHand.filter((step) => step.due === "may"),
    ...others.filter((step) => step.kind === "buy_in"),
  ];
}

// The kinds of steps that are recorded with an act by the same key press, because the dealer does
// them in one movement and they ask for nothing. They are announced on its button.
export function kindsThatFollow(step, { house, round }) {
  switch (step.kind) {
    case "deal_cards": {
      const { places } = step.fields.cards;
      const board = places.every((place) => BOARD_PLACES.has(place));
      const asks = board || !turnsCards(house, round);
      return [
        ...(isLastDeal(places, { house, round }) ? ["discard_stub"] : []),
        ...(asks ? ["show_street"] : []),
      ];
    }
    case "discard_stub":
      return round.due.kind === "show" && !turnsCards(house, round) ? ["show_street"] : [];
    case "settle_seat":
    case "turn_hand":
      return ["turn_hand"];
    default:
      return [];
  }
}

export function announcement(kinds, step) {
  const words = kinds.map((kind) =>
    kind === "show_street" && step.kind === "deal_cards" && isBoardDeal(step)
      ? "turn the cards"
      : THEN[kind],
  );
  return words.length ? `then ${words.join(", ")}` : "";
}

export function isBoardDeal(step) {
  return (
    step.kind === "deal_cards" &&
    step.fields.cards.places.every((place) => BOARD_PLACES.has(place))
  );
}

// Whether showing the street that is due turns up community cards.
export function turnsCards(house, round) {
  const street = house.streets.find((each) => each.name === round.due.street);
  const faceUp = round.community.filter((name) => name !== "??").length;
  return (street ? street.shown : house.community_cards) > faceUp;
}

function isLastDeal(places, { house, round }) {
  const board = places.filter((place) => place === "community").length;
  return round.community.length + board === house.community_cards;
}

export function isAutomatic(step, kinds) {
  return Boolean(step) && kinds.includes(step.kind) && !isCardStep(step) &&
    !Object.keys(step.fields).length;
}
