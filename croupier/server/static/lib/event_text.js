// Table events as sentences for players: for the event log, and for screen readers.

import { dollars } from "./money.js";
import { cardName } from "../components/playing_card.js";
import { capitalize, readable } from "./text.js";

export class EventText {
  constructor(house, account) {
    this.account = account;
    this.wagerTitles = Object.fromEntries(house.wagers.map((wager) => [wager.name, wager.title]));
    this.clauses = house.clauses;
    this.players = {}; // by seat, because events name seats
  }

  updatePlayers(view) {
    for (const [seat, box] of Object.entries(view.round?.boxes ?? {}))
      this.players[seat] = box.player;
  }

  wagerTitle(name) {
    return this.wagerTitles[name] ?? readable(name);
  }

  wagerList(names) {
    return names.map((name) => this.wagerTitle(name)).join(", ");
  }

  seatName(seat) {
    if (Number(seat) === 0) return "The dealer";
    const player = this.players[seat];
    return player ? this.playerName(player) : `Seat ${seat}`;
  }

  possessive(seat) {
    const name = this.seatName(seat);
    return name === "You" ? "your" : `${name}'s`;
  }

  playerName(player) {
    return player === this.account ? "You" : capitalize(player);
  }

  clauseText(id) {
    return this.clauses[id] ?? "";
  }

  outcomeText({ outcome, pays }) {
    return (
      { win: pays ? `wins ${pays}` : "wins", push: "pushes", lose: "loses", void: "is void" }[
        outcome
      ] ?? outcome
    );
  }

  // One sentence, or null for events that players do not need to read.
  sentence(event) {
    const name = "seat" in event ? this.seatName(event.seat) : "";
    const you = name === "You";
    const player = typeof event.player === "string" ? this.playerName(event.player) : "";
    const own = event.player === this.account;
    const gets = you ? "get" : "gets";
    const owner = you ? "Your" : `${name}'s`;
    const wager = typeof event.wager === "string" ? this.wagerTitle(event.wager) : "";
    const stake = "stake" in event ? dollars(event.stake) : "";
    const returned = "returned" in event ? dollars(event.returned) : "";
    const paid = "paid" in event ? dollars(event.paid) : "";
    const holder = "holder" in event ? this.possessive(event.holder) : "";
    switch (event.kind) {
      case "sat_down":
        return `${player} ${own ? "sit" : "sits"} down at seat ${event.seat}.`;
      case "left":
        return `${player} ${own ? "leave" : "leaves"} with ${dollars(event.chips)}.`;
      case "left_during_round":
        return `${player} ${own ? "leave" : "leaves"} the table during the round.`;
      case "bought_in":
        return `${player} ${own ? "buy" : "buys"} in for ${dollars(event.cash)}.`;
      case "cashed_out":
        return `${player} ${own ? "cash" : "cashes"} out ${dollars(event.chips)}.`;
      case "wagers_placed":
        return this.betSentence(event);
      case "betting_closed":
        return "No more bets.";
      case "street_shown":
        return event.community.length ? `Community cards: ${cardNames(event.community)}.` : null;
      case "cards_dealt": {
        const faceUp = event.cards.filter((card) => card !== "??");
        return faceUp.length ? `You are dealt ${cardNames(faceUp)}.` : null;
      }
      case "decided":
        if (event.wager) return `${name} ${you ? "bet" : "bets"} ${stake} on ${wager}.`;
        return `${name} ${you ? event.word : `${event.word}s`}.`;
      case "hand_kept":
        return `${owner} hand stays in play for ${this.wagerList(event.wagers)}.`;
      case "hand_announced":
        return `${name} ${you ? "show" : "shows"} ${cardNames(event.cards)}: ${event.hand}.`;
      case "wager_settled":
        return `${owner} ${wager} ${this.outcomeText(event)}: ${stake} bet, ${returned} returned.`;
      case "meter_paid":
        return `The ${event.meter} meter pays ${you ? "you" : name} ${paid}!`;
      case "envy_paid":
        return `${name} ${gets} an envy bonus of ${paid} for ${holder} ${event.hand}.`;
      case "round_voided":
        return `The round is void: ${readable(event.irregularity)}.`;
      case "round_closed":
        return "The round is over.";
      case "deck_revealed":
        return "The deck of this round is revealed.";
      default:
        return null;
    }
  }

  betSentence(event) {
    this.players[event.seat] = event.player; // later events may arrive before the next state
    const own = event.player === this.account;
    const player = this.playerName(event.player);
    const stakes = Object.entries(event.stakes);
    if (!stakes.length) return `${player} ${own ? "take" : "takes"} back all bets.`;
    const listed = stakes
      .map(([wager, cents]) => `${this.wagerTitle(wager)} ${dollars(cents)}`)
      .join(", ");
    return `${player} ${own ? "bet" : "bets"} ${listed}.`;
  }

  netSentence(cents) {
    if (cents > 0) return `You win ${dollars(cents)} this round.`;
    if (cents < 0) return `You lose ${dollars(-cents)} this round.`;
    return "You break even this round.";
  }
}

function cardNames(cards) {
  return cards.map(cardName).join(", ");
}
