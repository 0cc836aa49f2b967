// A table as a player sees it. Everything that is shown comes from the record; nothing is guessed.

import "../components/meter.js";
import { answers, openWords } from "../components/decision_buttons.js";
import { Bets } from "../components/bet_controls.js";
import { card } from "../components/playing_card.js";
import { Celebration } from "../components/win_overlay.js";
import { Coach } from "../components/coach_panel.js";
import { drawFelt } from "../components/felt.js";
import { formOf, isPlain } from "../components/command_form.js";
import { dollars, meters, signed } from "../lib/money.js";
import { h, render } from "../lib/render.js";
import { clauseOf } from "../lib/staff_event_text.js";
import { Result } from "../lib/round_result.js";
import { ask, command, Feed, read } from "../lib/api.js";
import { Slip } from "../lib/bet_slip.js";
import { sound, soundOf } from "../lib/sound.js";
import { fairness, paytables, settled } from "../components/info_panels.js";
import { Words } from "../lib/event_text.js";

const KEPT = 120; // sentences of the log
const SHOWN_APART = new Set(["sit_down", "decide", "place_wagers", "leave"]);

class PlayerTable extends HTMLElement {
  async connectedCallback() {
    this.table = this.dataset.table;
    this.account = this.dataset.account;
    this.slip = new Slip();
    this.bets = new Bets(this);
    this.coach = new Coach(this);
    this.celebration = new Celebration(this);
    this.result = new Result(this.account);
    this.log = [];
    this.decks = []; // commitments seen before the bets, and what was revealed after
    this.problem = "";
    this.sending = 0;
    this.answered = null; // the question that an answer is on its way to
    this.up = false;
    this.house = await read(`/tables/${encodeURIComponent(this.table)}`);
    this.words = new Words(this.house, this.account);
    this.feed = new Feed(this.table, "player", (frame) => this.heard(frame), (up) => this.line(up));
    addEventListener("keydown", (event) => this.key(event));
  }

  line(up) {
    if (this.up === up) return;
    this.up = up;
    if (this.state) this.draw();
  }

  heard(frame) {
    if (frame.state) {
      this.state = frame.state;
      this.words.seats(this.view);
    }
    if (frame.frame === "snapshot") this.result.begin(this.mine);
    if (frame.frame === "snapshot" && this.mine.length) this.slip.last = { ...this.mine[0][1].stakes };
    if (frame.state) this.coach.resume();
    const events = (frame.events ?? []).filter(Boolean);
    for (const event of events) this.happened(event);
    this.sounds(events);
    if (frame.state) this.draw();
  }

  // What is heard, if anything is: cards and chips, a win, one's turn.
  sounds(events) {
    const heard = events.map(soundOf);
    const asked = this.options.length > 0;
    if (asked && !this.asked) heard.push("turn");
    this.asked = asked;
    if (this.result.net > 0 && events.some((event) => event.kind === "round_closed")) heard.push("win");
    sound(heard);
  }

  happened(event) {
    this.result.happened(event);
    const sentence = this.words.tell(event);
    if (sentence) this.say(sentence, clauseOf(event));
    if (event.kind === "wagers_placed" && event.player === this.account && event.seat === this.seat && Object.keys(event.stakes).length) {
      this.slip.last = { ...event.stakes };
    }
    if (event.kind === "round_closed") this.slip.clear();
    if (event.kind === "betting_closed") this.bets.box = 0;
    if (event.kind === "round_closed") this.problem = ""; // it was about a round that is over
    this.coach.happened(event);
    this.celebration.happened(event);
    if (event.kind === "deck_revealed") this.decks = [{ ...event, sum: "" }, ...this.decks].slice(0, 5);
    if (event.kind === "round_closed" && this.result.seats.size) this.say(this.words.net(this.result.net), "");
  }

  say(sentence, clause) {
    this.number = (this.number ?? 0) + 1;
    this.log = [...this.log, { number: this.number, sentence, clause }].slice(-KEPT);
  }

  // What is asked about the state.

  get view() {
    return this.state.view;
  }

  get round() {
    return this.view.round;
  }

  get seat() {
    const found = Object.entries(this.view.seats).find(([, name]) => name === this.account);
    return found ? Number(found[0]) : 0;
  }

  get chips() {
    return this.view.chips[this.account] ?? 0;
  }

  get mine() {
    return Object.entries(this.round?.boxes ?? {}).filter(([, box]) => box.player === this.account);
  }

  get net() {
    return this.mine.reduce((sum, [, box]) => {
      const returned = Object.values(box.settled).reduce((all, each) => all + each.returned, 0);
      return sum + returned + box.envy - Object.values(box.stakes).reduce((all, cents) => all + cents, 0);
    }, 0);
  }

  get form() {
    return this.seat ? Slip.form(this.state.steps, this.bets.box) ?? Slip.form(this.state.steps, this.seat) : null;
  }

  get options() {
    return openWords(this.state.steps);
  }

  // Whether a card is one of those that make an own hand.
  made(name) {
    const own = (this.state.hands ?? []).filter((hand) => this.mine.some(([seat]) => Number(seat) === hand.seat));
    return own.some((hand) => hand.cards.includes(name)) ? "own" : "";
  }

  asks(kind) {
    return this.state.desk?.asks?.find((each) => each.kind === kind);
  }

  // What is done.

  async act(work) {
    this.sending += 1;
    this.problem = "";
    this.draw();
    try {
      const told = await work();
      await this.feed.reached(told?.sequence);
    } catch (error) {
      this.problem = error.clause ? `${error.message} [${error.clause}]` : error.message;
    }
    this.sending -= 1;
    this.draw();
  }

  // Where people deal, the dealer changes cash; a machine has chips for whoever sits down.
  sit(seat) {
    this.act(async () => {
      const told = await command(this.table, { kind: "sit_down", seat });
      return this.state.desk && !this.view.chips[this.account] ? ask(this.table, { kind: "buy_chips", cash: 50000 }) : told;
    });
  }

  add(name, sign = 1) {
    this.bets.add(name, sign);
  }

  // Which question is asked: while an answer to it is on its way there is no other.
  get turn() {
    const due = this.round?.due;
    return due?.kind === "decide" ? `${this.round.number} ${due.seat} ${due.street}` : "";
  }

  async decide(said) {
    const turn = this.turn;
    if (turn === this.answered) return;
    this.answered = turn;
    await this.act(() => command(this.table, { kind: "decide", ...said }));
    if (this.answered === turn) this.answered = null; // whatever is asked by now may be answered
    this.draw();
  }

  key(event) {
    if (!this.state || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest("input, select, textarea")) return;
    const onButton = event.target.closest("button, a, summary");
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    const options = this.options;
    if (digit && options.length) this.pick(options, Number(digit) - 1);
    else if (digit && this.form) this.add(Object.keys(this.form.terms)[Number(digit) - 1] ?? this.form.ante, event.shiftKey ? -1 : 1);
    else if ((event.code === "KeyD" || (event.code === "Enter" && !onButton)) && this.form) this.bets.deal();
    else if (event.code === "KeyR" && this.form) this.bets.rebet();
    else if (event.code === "KeyX" && this.form) this.bets.clear();
    else if (event.code === "KeyH" && this.state.desk) this.coach.hint();
    else if (event.code === "Escape" && this.celebration.close()) this.draw();
    else return;
    event.preventDefault();
  }

  pick(options, index) {
    if (options[index]) this.decide(options[index].fixed);
  }

  async verify(deck) {
    const bytes = new TextEncoder().encode(deck.revealed);
    const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const text = [...sum].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    this.decks = this.decks.map((each) => (each === deck ? { ...each, sum: text } : each));
    this.draw();
  }

  // What is drawn.

  draw() {
    render(
      this,
      h("div", { key: "meters", class: "strip" }, this.meters(), this.standing()),
      h("div", { key: "felt", class: "felt-frame" }, drawFelt(this), this.celebration.draw()),
      h("div", { key: "side", class: "side" }, this.panel(), this.coach.draw(), this.more()),
      h("div", { key: "below", class: "below" }, settled(this), this.told()),
    );
    const log = this.querySelector("[role=log]");
    if (log) log.scrollTop = log.scrollHeight;
  }

  meters() {
    const limits = this.view.limits[this.house.wagers.find((wager) => wager.role === "ante").name];
    return h(
      "ul",
      { class: "meters" },
      h("li", { key: "limits" }, h("span", {}, "Ante"), h("b", {}, `${dollars(limits[0])} to ${limits[1] === null ? "any" : dollars(limits[1])}`)),
      meters(this.view.meters).map(([name, cents]) => h("li", { key: name }, h("span", {}, name), h("croupier-meter", { cents, own: true }))),
    );
  }

  standing() {
    return h(
      "p",
      { class: "standing" },
      this.up ? null : h("b", { class: "problem", role: "status" }, "The line is down; connecting again… "),
      this.seat ? h("span", {}, "Your chips ", h("b", { class: "chips" }, dollars(this.chips))) : h("span", {}, this.view.open ? "Take a seat" : "Closed"),
    );
  }

  panel() {
    return h(
      "section",
      { key: "panel", class: "panel card", "aria-label": "Your turn" },
      this.problem ? h("p", { key: "problem", class: "problem", role: "alert" }, this.problem) : null,
      this.prompt(),
      this.cards(),
      this.round?.closed && this.mine.length ? h("p", { key: "result", class: "result" }, `Round ${this.round.number}: `, h("b", { class: this.net > 0 ? "win" : this.net < 0 ? "lose" : "" }, signed(this.net))) : null,
      !this.seat ? this.seats() : this.options.length ? answers(this) : this.form ? this.bets.draw() : null,
    );
  }

  prompt() {
    let text;
    if (!this.seat) text = this.view.open ? "Choose a seat" : "The table is closed";
    else if (this.options.length) {
      const street = this.house.streets.find((each) => each.name === this.round.due.street);
      text = `Your decision ${street ? street.when : ""}`;
    } else if (this.form) text = this.bets.prompt();
    else if (!this.state.desk && !this.chips && !this.mine.length) text = "Buy chips from the dealer";
    else text = this.round?.due?.kind === "decide" ? `${this.words.who(this.round.due.seat)} decides` : "The dealer is at work";
    return h("h2", { key: "prompt", class: "prompt", "aria-live": "polite" }, text, this.sending ? h("small", {}, " sent…") : null);
  }

  cards() {
    if (!this.round || !this.mine.some(([, box]) => box.cards.length)) return null;
    if (this.round.closed && this.slip.total) return null; // the next round has begun: its bets need the room
    const words = (seat) => this.state.hands?.find((each) => each.seat === Number(seat))?.words ?? "";
    const places = this.house.places;
    return h(
      "div",
      { key: "cards", class: "close-up" },
      this.row("dealer", "Dealer", this.round.dealer, words(0), true),
      this.row("board", "Board", this.round.community, places.length ? places.join(", ") : "", true),
      this.row("box", "Six card box", this.round.six_card_box, "", true),
      this.mine.map(([seat, box]) => this.row(`seat ${seat}`, this.mine.length > 1 ? `Seat ${seat}` : "You", box.cards, box.folded ? "folded" : words(seat), false)),
    );
  }

  row(key, title, cards, words, plain) {
    if (!cards.length) return null;
    const mark = (name) => (key === "dealer" ? "" : this.made(name));
    return h(
      "div",
      { key, class: plain ? (cards.every((name) => name === "??") ? "row unseen" : "row") : "row own-hand" },
      h("p", {}, h("span", {}, title), words ? h("b", {}, words) : null),
      h("div", { class: "cards" }, cards.map((name, index) => card(name, { key: `${index}${name}`, plain: plain || cards.length > 2, made: mark(name), flip: index * 90 }))),
    );
  }

  seats() {
    const seats = this.state.steps.filter((step) => step.kind === "sit_down");
    const free = seats.filter((step) => !step.blocked);
    const why = seats[0]?.blocked ?? (this.view.open ? "Every seat is taken." : "It opens when its people are ready.");
    return h(
      "div",
      { key: "seats", class: "choices" },
      free.map((step) => h("button", { key: step.fixed.seat, class: "main", onclick: () => this.sit(step.fixed.seat) }, `Seat ${step.fixed.seat}`)),
      free.length ? null : h("p", {}, why),
    );
  }

  told() {
    return h(
      "section",
      { key: "told", class: "card told" },
      h("h2", {}, "What happens"),
      h("div", { role: "log", "aria-live": "polite", "aria-label": "What happens", tabindex: "0" }, this.log.map((each) => h("p", { key: each.number }, each.sentence, each.clause ? h("cite", { title: this.words.clause(each.clause) }, ` ${each.clause}`) : null))),
    );
  }

  more() {
    const asks = (this.state.desk?.asks ?? []).filter((each) => each.kind !== "deal");
    const steps = this.state.steps.filter((step) => !SHOWN_APART.has(step.kind) && isPlain(step) && !step.blocked);
    const leave = this.state.steps.filter((step) => step.kind === "leave");
    return h(
      "details",
      { key: "more", class: "card more" },
      h("summary", {}, this.state.desk ? "Table, chips and fairness" : "Table, chips and what it pays"),
      asks.map((step) => formOf(step, (body) => this.act(() => ask(this.table, body)))),
      [...steps, ...leave].map((step) => formOf(step, (body) => this.act(() => command(this.table, body)))),
      paytables(this),
      fairness(this),
    );
  }
}

customElements.define("croupier-table", PlayerTable);
