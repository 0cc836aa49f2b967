// Card entry: two keys per card, rank and suit. The last card confirms; Enter alone deals face down.

import { card, cardName, SUIT_NAMES } from "./playing_card.js";
import { problemAlert } from "./problem_alert.js";
import { h } from "../lib/render.js";

const RANKS = "AKQJT98765432";
const SUITS = "shdc";
const SUIT_SYMBOLS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const UNSEEN = "??";
export const BOARD_PLACES = new Set(["burn", "community"]);

export function isCardStep(step) {
  return step.fields.cards?.form === "cards";
}

export function isCardKey(key) {
  return /^[akqjt0-9shdc?]$/i.test(key);
}

export class CardEntry {
  constructor(key, form) {
    this.key = key; // identifies the step that the cards are for
    this.form = form;
    this.cards = [];
    this.rank = "";
    this.problem = "";
    this.skipBurned();
  }

  // A burned card stays face down: it is not typed.
  skipBurned() {
    const { places, unseen, most } = this.form;
    while (unseen && this.cards.length < most && places[this.cards.length] === "burn")
      this.cards = [...this.cards, UNSEEN];
  }

  get isUntouched() {
    return !this.rank && this.cards.every((name) => name === UNSEEN);
  }

  get isComplete() {
    return (
      !this.rank && this.cards.length >= this.form.least && this.cards.length <= this.form.most
    );
  }

  get isFull() {
    return this.cards.length >= this.form.most;
  }

  // Handles a rank, a suit, `?` and `*` for face-down cards, or Backspace; returns whether it did.
  press(key) {
    const letter = key === "0" ? "T" : key.toUpperCase();
    this.problem = "";
    if (key === "Backspace") this.undo();
    else if (this.isFull) return false;
    else if (key === "?" && this.form.unseen) this.add(UNSEEN);
    else if (key === "*" && this.form.unseen) this.addUnseen();
    else if (this.rank && SUITS.includes(key.toLowerCase()))
      this.add(this.rank + key.toLowerCase());
    else if (letter.length === 1 && RANKS.includes(letter)) this.rank = letter;
    else return false;
    return true;
  }

  add(name) {
    this.rank = "";
    if (name !== UNSEEN && this.cards.includes(name))
      this.problem = `The ${cardName(name)} is already entered.`;
    else this.cards = [...this.cards, name];
    this.skipBurned();
  }

  addUnseen() {
    this.rank = "";
    this.cards = [...this.cards, ...Array(this.form.most - this.cards.length).fill(UNSEEN)];
  }

  undo() {
    if (this.rank) this.rank = "";
    else this.cards = this.cards.slice(0, -1);
  }

  clear() {
    this.cards = [];
    this.rank = "";
    this.problem = "";
    this.skipBurned();
  }

  // `onPress` handles a key as if it were typed.
  draw(title, onPress, onConfirm, busy) {
    const press = (key) => () => onPress(key);
    const faceDown = this.form.unseen && this.isUntouched && !this.isFull;
    const keyButton = (key, text, label, more) =>
      h(
        "button",
        {
          key,
          type: "button",
          class: "card-key",
          "aria-label": label,
          onclick: press(key),
          ...more,
        },
        text,
      );
    const rankText = (rank) => (rank === "T" ? "10" : rank);
    return h(
      "div",
      { key: "card-entry", class: "card-entry", tabindex: "-1", role: "group", "aria-label": title },
      problemAlert(this.problem),
      this.slots(),
      h(
        "div",
        { key: "ranks", class: "card-keys", role: "group", "aria-label": "Rank" },
        [...RANKS].map((rank) =>
          keyButton(rank, rankText(rank), `rank ${rankText(rank)}`, {
            "aria-pressed": String(this.rank === rank),
            disabled: this.isFull,
          }),
        ),
      ),
      h(
        "div",
        { key: "suits", class: "card-keys", role: "group", "aria-label": "Suit" },
        [...SUITS].map((suit) =>
          keyButton(suit, SUIT_SYMBOLS[suit], `suit ${SUIT_NAMES[suit]}`, {
            disabled: !this.rank || this.isFull,
          }),
        ),
      ),
      h(
        "div",
        { key: "actions", class: "choices" },
        this.form.unseen
          ? h(
              "button",
              { key: "unseen", type: "button", disabled: this.isFull, onclick: press("?") },
              "Face down",
              h("kbd", {}, "?"),
            )
          : null,
        this.form.unseen && !this.isUntouched
          ? h(
              "button",
              { key: "rest", type: "button", disabled: this.isFull, onclick: press("*") },
              "Rest face down",
              h("kbd", {}, "*"),
            )
          : null,
        h(
          "button",
          {
            key: "undo",
            type: "button",
            disabled: !this.rank && !this.cards.length,
            onclick: press("Backspace"),
          },
          "Undo",
          h("kbd", {}, "⌫"),
        ),
        h(
          "button",
          {
            key: "confirm",
            type: "button",
            class: "main deal",
            disabled: (!this.isComplete && !faceDown) || busy,
            onclick: onConfirm,
          },
          h("span", {}, faceDown ? `${title} face down` : title),
          faceDown ? null : h("small", {}, `${this.cards.length} of ${this.form.most}`),
          h("kbd", {}, "Enter"),
        ),
      ),
    );
  }

  // One slot per card with its destination, in the order the cards leave the deck.
  slots() {
    return h(
      "ol",
      { key: "slots", class: "card-slots" },
      this.form.places.slice(0, this.form.most).map((place, index) => {
        const name = this.cards[index];
        const isNext = index === this.cards.length;
        return h(
          "li",
          { key: index, class: isNext ? "next-slot" : "" },
          h("small", {}, placeLabel(place)),
          name
            ? card(name, { key: name + index, plain: true })
            : h(
                "span",
                { key: "empty", class: "empty-slot" },
                isNext && this.rank ? this.rank : "",
              ),
        );
      }),
    );
  }
}

function placeLabel(place) {
  return typeof place === "number" ? `seat ${place}` : place === "community" ? "board" : place;
}
