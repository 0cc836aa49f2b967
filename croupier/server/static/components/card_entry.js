// Cards are entered with two keys each, rank and suit, and confirmed when they are all there.

import { card, spoken } from "./playing_card.js";
import { h } from "../lib/render.js";

const RANKS = "AKQJT98765432";
const SUITS = "shdc";
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const UNSEEN = "??";

export class CardPad {
  constructor(key, form) {
    this.key = key; // of the step that it fills
    this.form = form;
    this.cards = [];
    this.rank = "";
    this.problem = "";
  }

  get ready() {
    return !this.rank && this.cards.length >= this.form.least && this.cards.length <= this.form.most;
  }

  get full() {
    return this.cards.length >= this.form.most;
  }

  // One key: a rank, a suit, `?` for a card that nobody has seen, Backspace to take one back.
  press(key) {
    const letter = key === "0" ? "T" : key.toUpperCase();
    this.problem = "";
    if (key === "Backspace") this.undo();
    else if (this.full) return false;
    else if (key === "?" && this.form.unseen) this.add(UNSEEN);
    else if (key === "*" && this.form.unseen) this.rest();
    else if (this.rank && SUITS.includes(key.toLowerCase())) this.add(this.rank + key.toLowerCase());
    else if (letter.length === 1 && RANKS.includes(letter)) this.rank = letter;
    else return false;
    return true;
  }

  add(name) {
    this.rank = "";
    if (name !== UNSEEN && this.cards.includes(name)) this.problem = `The ${spoken(name)} is there already.`;
    else this.cards = [...this.cards, name];
  }

  rest() {
    this.rank = "";
    this.cards = [...this.cards, ...Array(this.form.most - this.cards.length).fill(UNSEEN)];
  }

  undo() {
    if (this.rank) this.rank = "";
    else this.cards = this.cards.slice(0, -1);
  }

  draw(title, changed, confirm, waiting) {
    const press = (key) => () => { this.press(key); changed(); };
    const key = (name, label, spokenAs, more = {}) => h("button", { key: name, type: "button", class: "card-key", "aria-label": spokenAs, onclick: press(name), ...more }, label);
    return h(
      "div",
      { key: "pad", class: "pad" },
      this.problem ? h("p", { key: "problem", class: "problem", role: "alert" }, this.problem) : null,
      this.places(),
      h("div", { key: "ranks", class: "keys", role: "group", "aria-label": "Rank" }, [...RANKS].map((rank) => key(rank, rank === "T" ? "10" : rank, `rank ${rank === "T" ? "10" : rank}`, { "aria-pressed": String(this.rank === rank), disabled: this.full }))),
      h("div", { key: "suits", class: "keys", role: "group", "aria-label": "Suit" }, [...SUITS].map((suit) => key(suit, SIGNS[suit], `suit ${spoken(`A${suit}`).split(" ").at(-1)}`, { disabled: !this.rank || this.full }))),
      h(
        "div",
        { key: "more", class: "choices" },
        this.form.unseen ? h("button", { key: "unseen", type: "button", disabled: this.full, onclick: press("?") }, "Unseen", h("kbd", {}, "?")) : null,
        this.form.unseen ? h("button", { key: "rest", type: "button", disabled: this.full, onclick: press("*") }, "All unseen", h("kbd", {}, "*")) : null,
        h("button", { key: "undo", type: "button", disabled: !this.rank && !this.cards.length, onclick: press("Backspace") }, "Undo", h("kbd", {}, "⌫")),
        h("button", { key: "confirm", type: "button", class: "main deal", disabled: !this.ready || waiting, onclick: confirm }, h("span", {}, title), h("small", {}, `${this.cards.length} of ${this.form.most}`), h("kbd", {}, "Enter")),
      ),
    );
  }

  // Where each card goes, in the order they leave the deck.
  places() {
    return h(
      "ol",
      { key: "places", class: "pad-cards" },
      this.form.places.slice(0, this.form.most).map((place, index) => {
        const name = this.cards[index];
        const next = index === this.cards.length;
        return h(
          "li",
          { key: index, class: next ? "next-card" : "" },
          h("small", {}, placed(place)),
          name ? card(name, { key: name + index, plain: true }) : h("span", { key: "gap", class: "gap" }, next && this.rank ? this.rank : ""),
        );
      }),
    );
  }
}

function placed(place) {
  return typeof place === "number" ? `seat ${place}` : place === "community" ? "board" : place;
}
