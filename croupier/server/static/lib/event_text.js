// Events are sentences: the same for the eye, the log and a screen reader.

import { dollars, signed } from "./money.js";
import { spoken } from "../components/playing_card.js";

export class Words {
  constructor(house, account) {
    this.account = account;
    this.titles = Object.fromEntries(house.wagers.map((wager) => [wager.name, wager.title]));
    this.clauses = house.clauses;
    this.players = {}; // whose the boxes are: events name seats
  }

  seats(view) {
    for (const [seat, box] of Object.entries(view.round?.boxes ?? {})) this.players[seat] = box.player;
  }

  title(name) {
    return this.titles[name] ?? name.replaceAll("_", " ");
  }

  who(seat) {
    if (Number(seat) === 0) return "The dealer";
    const player = this.players[seat];
    return player === this.account ? "You" : player ? capital(player) : `Seat ${seat}`;
  }

  whose(seat) {
    const who = this.who(seat);
    return who === "You" ? "your" : `${who}'s`;
  }

  name(player) {
    return player === this.account ? "You" : capital(player);
  }

  clause(id) {
    return this.clauses[id] ?? "";
  }

  outcome(settled) {
    const { outcome, pays } = settled;
    return { win: pays ? `wins ${pays}` : "wins", push: "pushes", lose: "loses", void: "is void" }[outcome] ?? outcome;
  }

  // One sentence, or nothing for what is not worth saying.
  tell(event) {
    const who = "seat" in event ? this.who(event.seat) : "";
    const you = who === "You";
    switch (event.kind) {
      case "sat_down":
        return `${this.name(event.player)} ${event.player === this.account ? "sit" : "sits"} down at seat ${event.seat}.`;
      case "left":
        return `${this.name(event.player)} ${event.player === this.account ? "leave" : "leaves"} with ${dollars(event.chips)}.`;
      case "left_during_round":
        return `${this.name(event.player)} ${event.player === this.account ? "are" : "is"} gone from the table.`;
      case "bought_in":
        return `${this.name(event.player)} ${event.player === this.account ? "buy" : "buys"} chips for ${dollars(event.cash)}.`;
      case "cashed_out":
        return `${this.name(event.player)} ${event.player === this.account ? "take" : "takes"} ${dollars(event.chips)} off the table.`;
      case "wagers_placed":
        return this.placed(event);
      case "betting_closed":
        return "No more bets.";
      case "street_shown":
        return event.community.length ? `On the table: ${event.community.map(spoken).join(", ")}.` : null;
      case "cards_dealt": {
        const own = event.cards.filter((card) => card !== "??");
        return own.length ? `You are dealt ${own.map(spoken).join(", ")}.` : null;
      }
      case "decided":
        if (event.wager) return `${who} ${you ? "bet" : "bets"} ${dollars(event.stake)} on ${this.title(event.wager)}.`;
        return `${who} ${you ? event.word : `${event.word}s`}.`;
      case "hand_kept":
        return `${you ? "Your" : `${who}'s`} cards stay for ${event.wagers.map((name) => this.title(name)).join(", ")}.`;
      case "hand_announced":
        return `${who} ${you ? "show" : "shows"} ${event.cards.map(spoken).join(", ")}: ${event.hand}.`;
      case "wager_settled":
        return `${who === "You" ? "Your" : `${who}'s`} ${this.title(event.wager)} ${this.outcome(event)}, ${dollars(event.stake)} becomes ${dollars(event.returned)}.`;
      case "meter_paid":
        return `The ${event.meter} meter pays ${who === "You" ? "you" : who} ${dollars(event.paid)}!`;
      case "envy_paid":
        return `${who} ${you ? "receive" : "receives"} an envy bonus of ${dollars(event.paid)} for ${this.whose(event.holder)} ${event.hand}.`;
      case "round_voided":
        return `The round is void: ${event.irregularity.replaceAll("_", " ")}.`;
      case "round_closed":
        return "The round is over.";
      case "deck_revealed":
        return "The deck of this round is revealed.";
      default:
        return null;
    }
  }

  placed(event) {
    this.players[event.seat] = event.player; // what follows may be heard before the next state is
    const stakes = Object.entries(event.stakes);
    const own = event.player === this.account;
    const name = this.name(event.player);
    if (!stakes.length) return `${name} ${own ? "take" : "takes"} the wagers back.`;
    const listed = stakes.map(([wager, cents]) => `${this.title(wager)} ${dollars(cents)}`).join(", ");
    return `${name} ${own ? "bet" : "bets"} ${listed}.`;
  }

  net(cents) {
    if (cents > 0) return `You win ${dollars(cents)} this round.`;
    if (cents < 0) return `You lose ${dollars(-cents)} this round.`;
    return `This round comes to ${signed(0)}.`;
  }
}

export function capital(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
