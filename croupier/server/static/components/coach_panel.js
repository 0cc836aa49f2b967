// The coach of a practice table: off until it is asked, and never at a live table.

import { dollars, signed } from "../lib/money.js";
import { h } from "../lib/render.js";
import { read, send } from "../lib/api.js";

const KEPT = "croupier.coach"; // whether this browser's player wants one
const PATIENCE = 2000; // milliseconds between two looks while the best play is worked out

export class Coach {
  constructor(page) {
    this.page = page;
    this.path = `/tables/${encodeURIComponent(page.table)}`;
    this.on = false;
    this.advice = null;
    this.lesson = null;
    this.again = null; // a round played again: its seat, the words so far, how it ended
    this.problem = "";
  }

  // Asked for; asked again while it is worked out.
  async ask(what) {
    try {
      const told = await read(`${this.path}/${what}`);
      if (!this.on) return; // sent away meanwhile
      this.problem = told.ready ? "" : "The coach is working out the best play of this table…";
      if (!told.ready) setTimeout(() => this.ask(what), PATIENCE);
      else this[what] = told;
    } catch (error) {
      this.problem = error.message;
    }
    this.page.draw();
  }

  happened(event) {
    if (event.kind === "decided" || event.kind === "street_shown") this.advice = null;
    if (event.kind === "round_opened") this.again = null;
    if (event.kind === "deck_revealed" && this.on) this.ask("lesson");
  }

  // The account of mistakes begins here.
  start() {
    this.on = true;
    localStorage.setItem(KEPT, "on");
    this.ask("lesson");
    if (this.page.options.length) this.ask("advice");
  }

  // A page that is opened again has the coach that it had.
  resume() {
    if (this.on || localStorage.getItem(KEPT) !== "on" || !this.page.state.desk || !this.page.seat) return;
    this.on = true;
    this.ask("lesson");
  }

  stop() {
    this.on = false;
    localStorage.removeItem(KEPT);
    Object.assign(this, { advice: null, lesson: null, again: null, problem: "" });
    this.page.draw();
  }

  hint() {
    if (!this.on) this.start();
    else if (this.page.options.length) this.ask("advice");
  }

  async replay(words) {
    const { round, choices } = this.lesson;
    const seat = choices[0].seat;
    try {
      this.again = { words, ...(await send(`${this.path}/again`, { round, seat, words })) };
      this.problem = "";
    } catch (error) {
      this.problem = error.message;
    }
    this.page.draw();
  }

  draw() {
    if (!this.page.state.desk || !this.page.seat) return null;
    return h(
      "section",
      { key: "coach", class: "card coach", "aria-label": "Coach" },
      h("h2", {}, "Coach"),
      this.problem ? h("p", { key: "problem", class: "quiet-text", role: "status" }, this.problem) : null,
      this.on ? null : h("button", { key: "start", type: "button", onclick: () => this.start() }, "Coach me", h("kbd", {}, "H")),
      this.on && this.page.options.length && !this.advice ? h("button", { key: "hint", type: "button", onclick: () => this.hint() }, "What is each worth?", h("kbd", {}, "H")) : null,
      this.advice?.seat ? worths("What each is worth for the whole round", this.advice.options, "") : null,
      this.learned(),
      this.on ? h("button", { key: "stop", type: "button", class: "quiet", onclick: () => this.stop() }, "No more coaching") : null,
    );
  }

  learned() {
    const lesson = this.lesson;
    if (!lesson) return null;
    const { account, mattered } = lesson;
    return h(
      "div",
      { key: "learned" },
      lesson.round ? h("p", { key: "mattered" }, mattered ? `Round ${lesson.round}: the decision that mattered was “${mattered.word}” ${mattered.when}. “${mattered.options[0].word}” was worth ` : `Round ${lesson.round}: every decision was the best one.`, mattered ? h("b", { class: "lose" }, dollars(mattered.cost)) : null, mattered ? " more." : null) : null,
      mattered ? worths(`What each was worth ${mattered.when}`, mattered.options, mattered.word) : null,
      h("p", { key: "account", class: "account" }, `${counted(account.rounds, "round")}, ${counted(account.decisions, "decision")}, ${counted(account.mistakes, "mistake")}: `, h("b", { class: account.cost ? "lose" : "" }, dollars(account.cost)), `; luck ${signed(account.luck)}`),
      lesson.choices.length && !this.again ? h("button", { key: "again", type: "button", onclick: () => this.replay([]) }, "Play this hand again differently") : null,
      this.again ? this.replayed() : null,
    );
  }

  replayed() {
    const { words, asks, street, net, events } = this.again;
    const said = words.length ? `You say ${words.join(", ")}.` : "The same deck, the same wagers.";
    if (asks.length) return h("div", { key: "replayed" }, h("p", { key: "said" }, `${said} And on the ${street}?`), h("div", { class: "choices" }, asks.map((word) => h("button", { key: word, type: "button", onclick: () => this.replay([...words, word]) }, word))));
    return h(
      "div",
      { key: "replayed", role: "status" },
      h("p", { key: "said" }, `${said} That would have come to `, h("b", { class: net > 0 ? "win" : net < 0 ? "lose" : "" }, signed(net)), "."),
      events.map((event, index) => h("p", { key: index, class: "quiet-text" }, this.page.words.tell(event) ?? "")),
      h("button", { key: "more", type: "button", onclick: () => this.replay([]) }, "Once more"),
    );
  }
}

function counted(number, thing) {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}

function worths(title, options, said) {
  return h(
    "table",
    { key: title, class: "worths" },
    h("caption", {}, title),
    h("tbody", {}, options.map((one) => h("tr", { key: one.word, class: one.word === said ? "said" : "" }, h("th", { scope: "row" }, one.word), h("td", { title: `${one.antes} antes` }, signed(one.cents)), h("td", { class: one.less ? "lose" : "win" }, one.less ? `−${dollars(one.less)}` : "best")))),
  );
}
