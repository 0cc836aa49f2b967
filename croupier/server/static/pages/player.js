// Player's table: felt, bets, decisions and event log, drawn only from the state the server sent.

import { meterItems } from "../components/meter.js";
import { decisionButtons, openDecisions } from "../components/decision_buttons.js";
import { BetControls } from "../components/bet_controls.js";
import { cardRows } from "../components/card_rows.js";
import { WinOverlay } from "../components/win_overlay.js";
import { CoachPanel } from "../components/coach_panel.js";
import { drawFelt } from "../components/felt.js";
import { commandForm, isFormStep } from "../components/command_form.js";
import {
  deckVerificationPanel,
  paytablesPanel,
  resultClass,
  settlementPanel,
} from "../components/info_panels.js";
import { eventLog } from "../components/event_log.js";
import { dollars, limitsText, signedDollars } from "../lib/money.js";
import { problemAlert } from "../components/problem_alert.js";
import { h, render } from "../lib/render.js";
import { clauseOf } from "../lib/staff_event_text.js";
import { RoundResult } from "../lib/round_result.js";
import { errorText, Feed, getJson, sendCommand, sendPracticeRequest } from "../lib/api.js";
import { BetSlip } from "../lib/bet_slip.js";
import { eventSound, playSound } from "../lib/sound.js";
import { EventText } from "../lib/event_text.js";
import { outageText } from "../lib/outage.js";

const LOG_LIMIT = 120;
const REVEALED_DECKS = 5;
const STARTING_CHIPS = 50000; // cents, bought automatically at a practice table
// Steps with controls of their own, which are not listed as forms.
const OWN_CONTROLS = new Set(["sit_down", "decide", "place_wagers", "leave"]);

class PlayerTable extends HTMLElement {
  async connectedCallback() {
    this.table = this.dataset.table;
    this.account = this.dataset.account;
    this.slip = new BetSlip();
    this.betControls = new BetControls(this);
    this.coach = new CoachPanel(this);
    this.winOverlay = new WinOverlay(this);
    this.result = new RoundResult(this.account);
    this.log = [];
    this.decks = []; // decks revealed after their round, with the commitments published before it
    this.problem = "";
    this.sending = 0;
    this.decidedTurn = null; // the turn for which a decision is being sent
    this.connected = false;
    this.house = await getJson(`/tables/${encodeURIComponent(this.table)}`);
    this.eventText = new EventText(this.house, this.account);
    this.feed = new Feed(
      this.table,
      "player",
      (frame) => this.onFrame(frame),
      (connected) => this.onConnection(connected),
    );
    addEventListener("keydown", (event) => this.onKey(event));
  }

  // Feed

  onConnection(connected) {
    if (this.connected === connected) return;
    this.connected = connected;
    if (this.state) this.draw();
  }

  onFrame(frame) {
    if (frame.state) {
      this.state = frame.state;
      this.eventText.updatePlayers(this.view);
    }
    if (frame.frame === "snapshot") this.result.reset(this.ownBoxes);
    if (frame.frame === "snapshot" && this.ownBoxes.length)
      this.slip.lastStakes = { ...this.ownBoxes[0][1].stakes };
    if (frame.state) this.coach.resume();
    const events = (frame.events ?? []).filter(Boolean);
    for (const event of events) this.onEvent(event);
    this.playSounds(events);
    if (frame.state) this.draw();
  }

  playSounds(events) {
    const sounds = events.map(eventSound);
    const hasTurn = this.decisions.length > 0;
    if (hasTurn && !this.hadTurn) sounds.push("turn");
    this.hadTurn = hasTurn;
    if (this.result.net > 0 && events.some((event) => event.kind === "round_closed"))
      sounds.push("win");
    playSound(sounds);
  }

  onEvent(event) {
    this.result.onEvent(event);
    const sentence = this.eventText.sentence(event);
    if (sentence) this.appendLog(sentence, clauseOf(event));
    if (
      event.kind === "wagers_placed" &&
      event.player === this.account &&
      event.seat === this.seat &&
      Object.keys(event.stakes).length
    ) {
      this.slip.lastStakes = { ...event.stakes };
    }
    if (event.kind === "betting_closed") this.betControls.box = 0;
    if (event.kind === "round_closed") {
      this.slip.clear();
      this.problem = ""; // it was about the round that just ended
    }
    this.coach.onEvent(event);
    this.winOverlay.onEvent(event);
    if (event.kind === "deck_revealed")
      this.decks = [{ ...event, sum: "" }, ...this.decks].slice(0, REVEALED_DECKS);
    if (event.kind === "round_closed" && this.result.seats.size)
      this.appendLog(this.eventText.netSentence(this.result.net), "");
  }

  appendLog(sentence, clause) {
    this.eventCount = (this.eventCount ?? 0) + 1;
    this.log = [...this.log, { number: this.eventCount, sentence, clause }].slice(-LOG_LIMIT);
  }

  // State

  get view() {
    return this.state.view;
  }

  get round() {
    return this.view.round;
  }

  get seat() {
    const own = Object.entries(this.view.seats).find(([, name]) => name === this.account);
    return own ? Number(own[0]) : 0;
  }

  get chips() {
    return this.view.chips[this.account] ?? 0;
  }

  get ownBoxes() {
    return Object.entries(this.round?.boxes ?? {}).filter(([, box]) => box.player === this.account);
  }

  get net() {
    return this.ownBoxes.reduce((sum, [, box]) => {
      const returned = Object.values(box.settled).reduce(
        (total, wager) => total + wager.returned,
        0,
      );
      return (
        sum +
        returned +
        box.envy -
        Object.values(box.stakes).reduce((total, cents) => total + cents, 0)
      );
    }, 0);
  }

  get betForm() {
    return this.seat
      ? (BetSlip.form(this.state.steps, this.betControls.box) ??
          BetSlip.form(this.state.steps, this.seat))
      : null;
  }

  get decisions() {
    return openDecisions(this.state.steps);
  }

  cardHighlight(name) {
    const own = (this.state.hands ?? []).filter((hand) =>
      this.ownBoxes.some(([seat]) => Number(seat) === hand.seat),
    );
    return own.some((hand) => hand.cards.includes(name)) ? "own" : "";
  }

  practiceRequest(kind) {
    return this.state.desk?.asks?.find((request) => request.kind === kind);
  }

  // Identifies the decision that is due; only one decision may be sent for it.
  get turn() {
    const due = this.round?.due;
    return due?.kind === "decide" ? `${this.round.number} ${due.seat} ${due.street}` : "";
  }

  // Actions

  async run(task) {
    this.sending += 1;
    this.problem = "";
    this.draw();
    try {
      const response = await task();
      await this.feed.waitFor(response?.sequence);
    } catch (error) {
      this.problem = errorText(error);
    }
    this.sending -= 1;
    this.draw();
  }

  // At a staffed table the player buys chips from the dealer; a practice table hands them out.
  sit(seat) {
    this.run(async () => {
      const response = await sendCommand(this.table, { kind: "sit_down", seat });
      return this.state.desk && !this.view.chips[this.account]
        ? sendPracticeRequest(this.table, { kind: "buy_chips", cash: STARTING_CHIPS })
        : response;
    });
  }

  addBet(name, sign = 1) {
    this.betControls.add(name, sign);
  }

  async decide(decision) {
    const turn = this.turn;
    if (turn === this.decidedTurn) return;
    this.decidedTurn = turn;
    await this.run(() => sendCommand(this.table, { kind: "decide", ...decision }));
    if (this.decidedTurn === turn) this.decidedTurn = null; // a refused decision may be made again
    this.draw();
  }

  onKey(event) {
    if (!this.state || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest("input, select, textarea")) return;
    const focused = event.target.closest("button, a, summary");
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    const decisions = this.decisions;
    const form = this.betForm;
    if (digit && decisions.length) this.decideByIndex(decisions, Number(digit) - 1);
    else if (digit && form)
      this.addBet(Object.keys(form.terms)[Number(digit) - 1] ?? form.ante, event.shiftKey ? -1 : 1);
    else if ((event.code === "KeyD" || (event.code === "Enter" && !focused)) && form)
      this.betControls.deal();
    else if (event.code === "KeyR" && form) this.betControls.rebet();
    else if (event.code === "KeyX" && form) this.betControls.clear();
    else if (event.code === "KeyH" && this.state.desk) this.coach.hint();
    else if (event.code === "Escape" && this.winOverlay.close()) this.draw();
    else return;
    event.preventDefault();
  }

  decideByIndex(decisions, index) {
    if (decisions[index]) this.decide(decisions[index].fixed);
  }

  async verify(deck) {
    const bytes = new TextEncoder().encode(deck.revealed);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const sum = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    this.decks = this.decks.map((candidate) =>
      candidate === deck ? { ...candidate, sum } : candidate,
    );
    this.draw();
  }

  // Drawing

  draw() {
    render(
      this,
      h("div", { key: "strip", class: "strip" }, this.meters(), this.status()),
      h("div", { key: "felt", class: "felt-frame" }, drawFelt(this), this.winOverlay.draw()),
      h("div", { key: "side", class: "side" }, this.panel(), this.coach.draw(), this.more()),
      h("div", { key: "below", class: "below" }, settlementPanel(this), eventLog(this)),
    );
    const log = this.querySelector("[role=log]");
    if (log) log.scrollTop = log.scrollHeight;
  }

  meters() {
    const ante = this.house.wagers.find((wager) => wager.role === "ante").name;
    return h(
      "ul",
      { class: "meters" },
      h(
        "li",
        { key: "limits" },
        h("span", {}, "Ante"),
        h("b", {}, limitsText(this.view.limits[ante])),
      ),
      meterItems(this.view.meters),
    );
  }

  status() {
    const outage = outageText(this.connected, this.state.unavailable);
    return h(
      "p",
      { class: "status" },
      outage ? h("b", { class: "problem", role: "status" }, outage, " ") : null,
      this.seat
        ? h("span", {}, "Your chips ", h("b", { class: "chips" }, dollars(this.chips)))
        : h("span", {}, this.view.open ? "Take a seat" : "Closed"),
    );
  }

  panel() {
    return h(
      "section",
      { key: "panel", class: "panel card", "aria-label": "Your turn" },
      problemAlert(this.problem),
      this.prompt(),
      cardRows(this),
      this.round?.closed && this.ownBoxes.length
        ? h(
            "p",
            { key: "result", class: "result" },
            `Round ${this.round.number}: `,
            h("b", { class: resultClass(this.net) }, signedDollars(this.net)),
          )
        : null,
      !this.seat
        ? this.seatButtons()
        : this.decisions.length
          ? decisionButtons(this)
          : this.betForm
            ? this.betControls.draw()
            : null,
    );
  }

  prompt() {
    return h(
      "h2",
      { key: "prompt", class: "prompt", "aria-live": "polite" },
      this.promptText(),
      this.sending ? h("small", {}, " sending…") : null,
    );
  }

  promptText() {
    if (!this.seat) return this.view.open ? "Choose a seat" : "Table closed";
    if (this.decisions.length) {
      const street = this.house.streets.find(
        (candidate) => candidate.name === this.round.due.street,
      );
      return `Your decision ${street ? street.when : ""}`;
    }
    if (this.betForm) return this.betControls.prompt();
    if (!this.state.desk && !this.chips && !this.ownBoxes.length)
      return "Buy chips from the dealer";
    return this.round?.due?.kind === "decide"
      ? `Waiting for ${this.eventText.seatName(this.round.due.seat)} to decide`
      : "Waiting for the dealer";
  }

  seatButtons() {
    const steps = this.state.steps.filter((step) => step.kind === "sit_down");
    const free = steps.filter((step) => !step.blocked);
    const reason =
      steps[0]?.blocked ??
      (this.view.open ? "All seats are taken." : "The table opens when its staff is ready.");
    return h(
      "div",
      { key: "seats", class: "choices" },
      free.map((step) =>
        h(
          "button",
          { key: step.fixed.seat, class: "main", onclick: () => this.sit(step.fixed.seat) },
          `Seat ${step.fixed.seat}`,
        ),
      ),
      free.length ? null : h("p", {}, reason),
    );
  }

  more() {
    const requests = (this.state.desk?.asks ?? []).filter((request) => request.kind !== "deal");
    const steps = this.state.steps.filter(
      (step) => !OWN_CONTROLS.has(step.kind) && isFormStep(step) && !step.blocked,
    );
    const leave = this.state.steps.filter((step) => step.kind === "leave");
    return h(
      "details",
      { key: "more", class: "card more" },
      h(
        "summary",
        {},
        this.state.desk ? "Table, chips and deck verification" : "Table, chips and paytables",
      ),
      requests.map((request) =>
        commandForm(request, (body) => this.run(() => sendPracticeRequest(this.table, body))),
      ),
      [...steps, ...leave].map((step) =>
        commandForm(step, (body) => this.run(() => sendCommand(this.table, body))),
      ),
      paytablesPanel(this),
      deckVerificationPanel(this),
    );
  }
}

customElements.define("croupier-player-table", PlayerTable);
