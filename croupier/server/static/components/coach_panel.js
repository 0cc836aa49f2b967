// Coach of a practice table: exact values of the options, and a review after each round.

import { resultClass } from "./info_panels.js";
import { dollars, signedDollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { getJson, postJson } from "../lib/api.js";

const STORAGE_KEY = "croupier.coach";
const POLL_MS = 2000; // while the server solves the game

export class CoachPanel {
  constructor(page) {
    this.page = page;
    this.path = `/tables/${encodeURIComponent(page.table)}`;
    this.on = false;
    this.advice = null;
    this.lesson = null;
    this.replay = null; // a hand played again: the decisions so far and their result
    this.problem = "";
  }

  // Loads `advice` or `lesson`, and polls while the server solves the game.
  async load(name) {
    try {
      const response = await getJson(`${this.path}/${name}`);
      if (!this.on) return; // turned off in the meantime
      this.problem = response.ready ? "" : "Calculating the best play for this table…";
      if (!response.ready) setTimeout(() => this.load(name), POLL_MS);
      else this[name] = response;
    } catch (error) {
      this.problem = error.message;
    }
    this.page.draw();
  }

  onEvent(event) {
    if (event.kind === "decided" || event.kind === "street_shown") this.advice = null;
    if (event.kind === "round_opened") this.replay = null;
    if (event.kind === "deck_revealed" && this.on) this.load("lesson");
  }

  start() {
    this.on = true;
    localStorage.setItem(STORAGE_KEY, "on");
    this.load("lesson");
    if (this.page.decisions.length) this.load("advice");
  }

  // Turns the coach on again after a reload.
  resume() {
    if (
      this.on ||
      localStorage.getItem(STORAGE_KEY) !== "on" ||
      !this.page.state.desk ||
      !this.page.seat
    )
      return;
    this.on = true;
    this.load("lesson");
  }

  stop() {
    this.on = false;
    localStorage.removeItem(STORAGE_KEY);
    Object.assign(this, { advice: null, lesson: null, replay: null, problem: "" });
    this.page.draw();
  }

  hint() {
    if (!this.on) this.start();
    else if (this.page.decisions.length) this.load("advice");
  }

  async replayHand(words) {
    const { round, choices } = this.lesson;
    const seat = choices[0].seat;
    try {
      this.replay = { words, ...(await postJson(`${this.path}/again`, { round, seat, words })) };
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
      this.problem
        ? h("p", { key: "problem", class: "quiet-text", role: "status" }, this.problem)
        : null,
      this.on
        ? null
        : h(
            "button",
            { key: "start", type: "button", onclick: () => this.start() },
            "Start coaching",
            h("kbd", {}, "H"),
          ),
      this.on && this.page.decisions.length && !this.advice
        ? h(
            "button",
            { key: "hint", type: "button", onclick: () => this.hint() },
            "Show the value of each option",
            h("kbd", {}, "H"),
          )
        : null,
      this.advice?.seat
        ? optionValues("Value of each option for the whole round", this.advice.options, "")
        : null,
      this.review(),
      this.on
        ? h(
            "button",
            { key: "stop", type: "button", class: "quiet", onclick: () => this.stop() },
            "Stop coaching",
          )
        : null,
    );
  }

  review() {
    const lesson = this.lesson;
    if (!lesson) return null;
    const { account, mattered: mistake } = lesson;
    const counts = [
      plural(account.rounds, "round"),
      plural(account.decisions, "decision"),
      plural(account.mistakes, "mistake"),
    ].join(", ");
    return h(
      "div",
      { key: "review" },
      lesson.round ? roundReview(lesson.round, mistake) : null,
      mistake
        ? optionValues(`Value of each option ${mistake.when}`, mistake.options, mistake.word)
        : null,
      h(
        "p",
        { key: "account" },
        `${counts}: `,
        h("b", { class: account.cost ? "lose" : "" }, dollars(account.cost)),
        `; luck ${signedDollars(account.luck)}`,
      ),
      lesson.choices.length && !this.replay
        ? h(
            "button",
            { key: "replay", type: "button", onclick: () => this.replayHand([]) },
            "Replay this hand",
          )
        : null,
      this.replay ? this.drawReplay() : null,
    );
  }

  drawReplay() {
    const { words, asks: options, street, net, events } = this.replay;
    const summary = words.length ? `You chose ${words.join(", ")}.` : "Same deck, same bets.";
    if (options.length)
      return h(
        "div",
        { key: "replay" },
        h("p", { key: "summary" }, `${summary} Your decision on the ${street}?`),
        h(
          "div",
          { class: "choices" },
          options.map((word) =>
            h(
              "button",
              { key: word, type: "button", onclick: () => this.replayHand([...words, word]) },
              word,
            ),
          ),
        ),
      );
    return h(
      "div",
      { key: "replay", role: "status" },
      h(
        "p",
        { key: "summary" },
        `${summary} Result: `,
        h("b", { class: resultClass(net) }, signedDollars(net)),
        ".",
      ),
      events.map((event, index) =>
        h("p", { key: index, class: "quiet-text" }, this.page.eventText.sentence(event) ?? ""),
      ),
      h(
        "button",
        { key: "again", type: "button", onclick: () => this.replayHand([]) },
        "Replay again",
      ),
    );
  }
}

function roundReview(round, mistake) {
  if (!mistake)
    return h("p", { key: "mistake" }, `Round ${round}: every decision was the best one.`);
  return h(
    "p",
    { key: "mistake" },
    `Round ${round}: your costliest decision was “${mistake.word}” ${mistake.when}. `,
    `“${mistake.options[0].word}” was worth `,
    h("b", { class: "lose" }, dollars(mistake.cost)),
    " more.",
  );
}

function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function optionValues(title, options, chosen) {
  return h(
    "table",
    { key: title, class: "option-values" },
    h("caption", {}, title),
    h(
      "tbody",
      {},
      options.map((option) =>
        h(
          "tr",
          { key: option.word, class: option.word === chosen ? "chosen" : "" },
          h("th", { scope: "row" }, option.word),
          h("td", { title: `${option.antes} antes` }, signedDollars(option.cents)),
          h(
            "td",
            { class: option.less ? "lose" : "win" },
            option.less ? `−${dollars(option.less)}` : "best",
          ),
        ),
      ),
    ),
  );
}
