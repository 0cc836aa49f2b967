// Coach of a practice table: exact values of the options, and a review after each round.

import { resultClass } from "./info_panels.js";
import { capitalize, plural } from "../lib/text.js";
import { dollars, signedDollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { getJson, pollJson, postJson, sendPracticeRequest } from "../lib/api.js";
import { PracticeHistory } from "./practice_history.js";

const STORAGE_KEY = "croupier.coach";
const WARNING_KEY = "croupier.coach.warns";
const COSTLY = 0.1; // antes: a decision that costs at least this much is worth a warning
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
    this.warning = null; // a costly decision that the player has not confirmed
    this.history = new PracticeHistory(page);
  }

  get warns() {
    return localStorage.getItem(WARNING_KEY) === "on";
  }

  // Whether a decision is held back because it is costly, until the player confirms it.
  async holdsBack({ word }) {
    this.warning = null;
    if (!this.on || !this.warns) return false;
    if (!this.advice) await this.load("advice");
    const { options = [], why = "" } = this.advice ?? {};
    const option = options.find((each) => each.word === word);
    if (!option || option.less < COSTLY * this.page.ante) return false;
    this.warning = { word, less: option.less, best: options[0].word, why };
    return true;
  }

  drawWarning() {
    if (!this.warning || !this.page.decisions.length) return null;
    const { word, less, best, why } = this.warning;
    const reconsider = () => {
      this.warning = null;
      this.page.draw();
    };
    const step = this.page.decisions.find((each) => each.fixed.word === word);
    return h(
      "div",
      { key: "warning", class: "warning", role: "alert" },
      h("p", {}, `“${word}” costs ${dollars(less)} on average compared with “${best}”. ${why}`),
      h(
        "div",
        { class: "choices" },
        h("button", { type: "button", class: "main", onclick: reconsider }, "Reconsider"),
        h(
          "button",
          { type: "button", onclick: () => this.page.decide(step.fixed, true) },
          `${capitalize(word)} anyway`,
        ),
      ),
    );
  }

  // Loads `advice` or `lesson`, and polls while the server solves the game.
  async load(name) {
    try {
      const response = await pollJson(`${this.path}/${name}`);
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
    if (event.kind === "decided" || event.kind === "street_shown")
      Object.assign(this, { advice: null, warning: null });
    if (event.kind === "round_opened")
      Object.assign(this, { advice: null, replay: null, easy: "" });
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

  // In a drill only close decisions are the player's; the others are made as the best play has it.
  async playEasyDecision() {
    const { page } = this;
    const { turn } = page;
    if (page.state.desk?.drill !== "on" || !page.decisions.length || this.drilledTurn === turn) return;
    this.drilledTurn = turn;
    const { ready, close, options } = await getJson(`${this.path}/advice`);
    const step = page.decisions.find((each) => each.fixed.word === options?.[0]?.word);
    if (!ready || close || !step || page.turn !== turn) return;
    this.easy = `“${step.fixed.word}” was clearly the best decision, so the drill made it for you.`;
    page.decide(step.fixed, true);
  }

  setDrill(on) {
    if (on && !this.on) this.start();
    this.page.run(() => sendPracticeRequest(this.page.table, { kind: "set_drill", on }), "drill");
  }

  drillControl() {
    const state = this.page.state.desk.drill;
    if (!this.page.practiceRequest("set_drill")) return null;
    const text = {
      off: "",
      solving: "The drill starts when this game is solved.",
      on: "Drill: the next deck is set already; from then on every hand has a close decision.",
    }[state];
    return [
      text ? h("p", { key: "drill-text", role: "status" }, text) : null,
      state === "on" && this.easy ? h("p", { key: "easy", class: "quiet-text" }, this.easy) : null,
      h(
        "button",
        { key: "drill", type: "button", onclick: () => this.setDrill(state === "off") },
        state === "off" ? "Drill close decisions" : "End the drill",
      ),
      this.page.problemAt("drill"),
    ];
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
        ? [
            optionValues("Value of each option for the whole round", this.advice.options, ""),
            this.advice.why ? h("p", { key: "why", class: "why" }, this.advice.why) : null,
          ]
        : null,
      this.review(),
      this.drillControl(),
      this.on ? this.warningSwitch() : null,
      this.on ? this.history.draw() : null,
      this.on
        ? h(
            "button",
            { key: "stop", type: "button", class: "quiet", onclick: () => this.stop() },
            "Stop coaching",
          )
        : null,
    );
  }

  warningSwitch() {
    const onchange = (event) => {
      localStorage.setItem(WARNING_KEY, event.target.checked ? "on" : "off");
      this.page.draw();
    };
    return h(
      "label",
      { key: "warns", class: "checkbox" },
      h("input", { type: "checkbox", checked: this.warns, onchange }),
      "Warn me before a costly decision",
    );
  }

  // The review of the last round is shown until the next one begins.
  review() {
    const lesson = this.lesson;
    if (!lesson) return null;
    const { account } = lesson;
    const round = this.page.round;
    const isLast = round?.closed && round.number === lesson.round && !this.page.slip.total;
    const mistake = isLast ? lesson.mattered : null;
    const counts = [
      plural(account.rounds, "round"),
      plural(account.decisions, "decision"),
      plural(account.mistakes, "mistake"),
    ].join(", ");
    return h(
      "div",
      { key: "review" },
      isLast ? roundReview(lesson.round, mistake) : null,
      mistake
        ? [
            optionValues(`Value of each option ${mistake.when}`, mistake.options, mistake.word),
            mistake.why ? h("p", { key: "why", class: "why" }, mistake.why) : null,
          ]
        : null,
      h(
        "p",
        { key: "account" },
        `Today: ${counts}: `,
        h("b", { class: account.cost ? "lose" : "" }, dollars(account.cost)),
        `; luck ${signedDollars(account.luck)}`,
      ),
      isLast && lesson.choices.length && !this.replay
        ? h(
            "button",
            { key: "replay", type: "button", onclick: () => this.replayHand([]) },
            "Replay this hand",
          )
        : null,
      isLast && this.replay ? this.drawReplay() : null,
    );
  }

  drawReplay() {
    const { words, asks: options, street, net, sentences } = this.replay;
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
      sentences.map((text, index) => h("p", { key: index, class: "quiet-text" }, text)),
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
