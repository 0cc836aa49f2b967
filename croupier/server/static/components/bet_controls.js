// The chips a player lays, and the word to deal: a machine deals at that word, people when they are ready.

import { CHIPS, dollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { ask, command } from "../lib/api.js";

export class Bets {
  constructor(page) {
    this.page = page;
    this.chip = CHIPS[1];
    this.box = 0; // a neighbouring box that is bet on too; none is the own one
  }

  get slip() {
    return this.page.slip;
  }

  get form() {
    return this.page.form;
  }

  get lie() {
    return Object.keys(this.form.lies).length > 0;
  }

  // Whether a machine deals here.
  get machine() {
    return Boolean(this.page.state.desk);
  }

  add(name, sign = 1) {
    if (!this.form || this.page.sending) return;
    this.slip.add(this.form, name, sign * this.chip);
    this.page.draw();
  }

  rebet() {
    this.slip.rebet(this.form);
    this.page.draw();
  }

  // Boxes beside the own one that the table lets the same player bet on.
  get beside() {
    const steps = this.page.state.steps.filter((step) => step.kind === "place_wagers" && step.fixed.seat !== this.page.seat && !step.fields.wagers.withdraws);
    return [...new Set(steps.map((step) => step.fixed.seat))].sort();
  }

  place() {
    const form = this.form;
    return command(this.page.table, { kind: "place_wagers", seat: form.seat, wagers: this.slip.wagers(form) });
  }

  // To another box; what is meant for this one is laid down first, as the own box comes before others.
  turn(box) {
    if (this.page.sending || box === this.form.seat) return;
    this.page.act(async () => {
      if (this.slip.total) await this.page.feed.reached((await this.place()).sequence);
      this.slip.clear();
      this.box = box;
    });
  }

  async ready() {
    if (!this.machine) return this.place();
    if (this.form.seat === this.page.seat) return ask(this.page.table, { kind: "deal", wagers: this.slip.wagers(this.form) });
    if (this.slip.total) await this.place();
    return ask(this.page.table, { kind: "deal", wagers: {} });
  }

  // What lies there already needs no word where people deal.
  deal() {
    const form = this.form;
    if (this.page.sending || (!this.machine && this.lie && !this.slip.total)) return;
    if (!this.slip.total && !this.lie && form.seat === this.page.seat) this.slip.rebet(form);
    if (!this.machine && !this.slip.total) this.slip.rebet(form);
    this.page.act(async () => {
      const told = await this.ready(); // with the wagers at once: nothing comes in between
      await this.page.feed.reached(told?.sequence);
      this.slip.clear();
    });
  }

  clear() {
    const form = this.form;
    this.slip.clear();
    if (!this.lie) return this.page.draw();
    const wagers = Object.fromEntries(Object.keys(form.lies).map((name) => [name, 0]));
    return this.page.act(() => command(this.page.table, { kind: "place_wagers", seat: form.seat, wagers }));
  }

  prompt() {
    if (!this.machine && this.slip.total) return "Lay your bets down";
    if (!this.machine && this.lie) return "Your bets lie there until the dealer closes them";
    if (this.page.asks("deal") && this.lie) return "Your bets lie there. Deal when you are ready.";
    const waits = this.page.state.desk?.waits_for ?? [];
    return waits.length ? `Waiting for ${waits.join(", ")}` : "Place your bets";
  }

  draw() {
    const form = this.form;
    return h(
      "div",
      { key: "bets", class: "bets" },
      h(
        "div",
        { class: "tray", role: "radiogroup", "aria-label": "Chip" },
        CHIPS.map((cents) => h("button", { key: cents, role: "radio", "aria-checked": String(cents === this.chip), class: `chip chip-${cents / 100}`, onclick: () => this.choose(cents) }, dollars(cents))),
      ),
      this.boxes(),
      h("ul", { class: "spots" }, Object.keys(form.terms).map((name, index) => this.spot(name, index))),
      h(
        "div",
        { class: "choices" },
        this.word(),
        h("button", { onclick: () => this.rebet() }, "Rebet", h("kbd", {}, "R")),
        h("button", { onclick: () => this.clear() }, "Clear", h("kbd", {}, "X")),
      ),
    );
  }

  boxes() {
    const beside = this.beside;
    if (!beside.length) return null;
    const own = this.page.seat;
    return h(
      "div",
      { key: "boxes", class: "boxes", role: "radiogroup", "aria-label": "Box" },
      [own, ...beside].map((seat) => h("button", { key: seat, type: "button", role: "radio", "aria-checked": String(seat === this.form.seat), disabled: seat !== own && !this.slip.total && !this.page.mine.some(([box]) => Number(box) === own), onclick: () => this.turn(seat) }, seat === own ? `Seat ${seat}, yours` : `Seat ${seat} too`)),
    );
  }

  choose(cents) {
    this.chip = cents;
    this.page.draw();
  }

  // The button that bets: what it does, and what that costs.
  word() {
    const again = Object.keys(this.slip.last).length ? "Rebet" : "Bet the least";
    const ready = this.machine ? !this.lie || Boolean(this.page.asks("deal")) : this.slip.total > 0 || !this.lie;
    const own = this.form.seat === this.page.seat;
    const begun = this.slip.total || this.lie || (this.machine && !own); // a neighbouring box may stay empty
    const text = this.machine ? (begun ? "Deal" : `${again} and deal`) : begun ? "Bet" : again;
    const cents = this.slip.total || sum(this.form.lies) || (begun ? 0 : this.slip.price(this.form));
    return h("button", { key: "word", class: "main deal", disabled: this.page.sending > 0 || !ready, onclick: () => this.deal() }, h("span", {}, text), h("small", {}, dollars(cents)), h("kbd", {}, "D"));
  }

  spot(name, index) {
    const terms = this.form.terms[name];
    const stake = (this.slip.total ? this.slip.stakes : this.form.lies)[name] ?? 0;
    const title = this.page.words.title(name);
    const most = terms.most === null || terms.most === undefined ? "" : ` to ${dollars(terms.most)}`;
    const limits = terms.equals ? `equals ${this.page.words.title(terms.equals)}` : terms.least === terms.most ? dollars(terms.least) : `${dollars(terms.least)}${most}`;
    return h(
      "li",
      { key: name, class: stake ? "staked" : "" },
      h("button", { class: "spot", "aria-label": `${title}, ${dollars(stake)}, ${limits}: add ${dollars(this.chip)}`, onclick: () => this.add(name) }, h("kbd", {}, String(index + 1)), h("span", {}, title), h("small", {}, limits), h("b", {}, stake ? dollars(stake) : "–")),
      h("button", { class: "less", disabled: !stake, "aria-label": `Less on ${title}`, onclick: () => this.add(name, -1) }, "−"),
    );
  }
}

function sum(stakes) {
  return Object.values(stakes).reduce((all, cents) => all + cents, 0);
}
