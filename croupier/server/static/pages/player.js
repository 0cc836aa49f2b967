// Player's table: the player's seat fills the page, and the felt shows the whole table.

import "../components/decision_clock.js";
import { meterItems } from "../components/meter.js";
import { decisionButtons, decisionOfKey, openDecisions } from "../components/decision_buttons.js";
import { BetControls } from "../components/bet_controls.js";
import { bettingLayout } from "../components/betting_layout.js";
import { chipPurchase, missingMinimum } from "../components/chip_purchase.js";
import { firstRoundHint } from "../components/first_round_hints.js";
import { PaytableDialog } from "../components/paytable_dialog.js";
import { resultHeadline, roundResults } from "../components/round_results.js";
import { decidingSeat, seatCards } from "../components/seat_cards.js";
import { WinOverlay } from "../components/win_overlay.js";
import { CoachPanel } from "../components/coach_panel.js";
import { drawFelt } from "../components/felt.js";
import { commandForm, isFormStep, stepKey } from "../components/command_form.js";
import { deckVerificationPanel } from "../components/info_panels.js";
import { eventLog } from "../components/event_log.js";
import { dollars, limitsText } from "../lib/money.js";
import { disputeReceipts } from "../components/dispute_receipts.js";
import { problemAlert } from "../components/problem_alert.js";
import { h, render } from "../lib/render.js";
import { clauseOf, seatName } from "../lib/table_text.js";
import { RoundResult } from "../lib/round_result.js";
import { Feed, pageData, sendCommand, sendPracticeRequest } from "../lib/api.js";
import { BetSlip } from "../lib/bet_slip.js";
import { ReadingTime } from "../lib/reading_time.js";
import { eventSound, playSound } from "../lib/sound.js";
import { outageText } from "../lib/outage.js";
import { readable, toPlayer } from "../lib/text.js";

const LOG_LIMIT = 120;
const REVEALED_DECKS = 5;
const STARTING_CHIPS = 50000; // cents, bought automatically at a practice table
// Steps with controls of their own, which are not listed as forms.
const OWN_CONTROLS = new Set(["sit_down", "decide", "place_wagers", "leave"]);

const OWN_REQUESTS = new Set(["deal", "leave_table", "set_drill"]);

class PlayerTable extends HTMLElement {
  connectedCallback() {
    this.table = this.dataset.table;
    this.account = this.dataset.account;
    this.slip = new BetSlip();
    this.betControls = new BetControls(this);
    this.coach = new CoachPanel(this);
    this.winOverlay = new WinOverlay(this);
    this.paytable = new PaytableDialog(this);
    this.result = new RoundResult(this.account);
    this.log = [];
    this.decks = []; // decks revealed after their round, with the commitments published before it
    this.problem = { text: "", place: "" }; // of the last action, and where it was started
    this.sending = 0;
    this.decidedTurn = null; // the turn for which a decision is being sent
    this.readingTime = new ReadingTime(() => this.draw());
    this.connected = false;
    const { house, snapshot } = pageData();
    this.house = house;
    this.feed = new Feed(
      this.table,
      "player",
      (frame) => this.onFrame(frame),
      (connected) => this.onConnection(connected),
    );
    this.feed.start(snapshot);
    addEventListener("keydown", (event) => this.onKey(event));
  }

  // Feed

  onConnection(connected) {
    if (this.connected === connected) return;
    this.connected = connected;
    if (this.state) this.draw();
  }

  onFrame(frame) {
    if (frame.state) this.state = frame.state;
    this.clockOffset = frame.at - Date.now();
    if (frame.frame === "snapshot") this.result.reset(this.ownBoxes);
    if (frame.frame === "snapshot" && this.ownBoxes.length)
      this.slip.lastStakes = { ...this.ownBoxes[0][1].stakes };
    if (frame.state) this.readingTime.ask(this.decisions.length ? this.turn : "");
    if (frame.state) this.coach.resume();
    if (frame.state) this.coach.playEasyDecision();
    const events = frame.events ?? [];
    events.forEach((event, index) => event && this.onEvent(event, frame.sentences[index]));
    this.playSounds(events.filter(Boolean));
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

  onEvent(event, sentence) {
    this.result.onEvent(event);
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
      this.problem = { text: "", place: "" }; // it was about the round that just ended
    }
    if (event.kind === "left_during_round" && event.player === this.account && !this.leaving)
      this.problem = { text: "Your time to decide is over. Take a seat to play again.", place: "actions" };
    this.coach.onEvent(event);
    this.winOverlay.onEvent(event, sentence);
    if (event.kind === "deck_revealed")
      this.decks = [{ ...event, sum: "" }, ...this.decks].slice(0, REVEALED_DECKS);
    if (event.kind === "round_closed" && this.result.seats.size)
      this.appendLog(netSentence(this.result.net), "");
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

  get guidePath() {
    return `/guide/${encodeURIComponent(this.table)}`;
  }

  get canDecide() {
    return this.readingTime.isOver && this.turn !== this.decidedTurn;
  }

  // Identifies the decision that is due; only one decision may be sent for it.
  get turn() {
    const due = this.round?.due;
    return due?.kind === "decide" ? `${this.round.number} ${due.seat} ${due.street}` : "";
  }

  // Actions

  // `place` is where the message of a failure is shown: next to what was pressed.
  async run(task, place = "actions") {
    this.sending += 1;
    this.problem = { text: "", clause: "", place };
    this.draw();
    try {
      const response = await task();
      await this.feed.waitFor(response?.sequence);
    } catch (error) {
      this.problem = { text: toPlayer(error.message, this.account), clause: error.clause, place };
    }
    this.sending -= 1;
    this.draw();
    return !this.problem.text;
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

  press(event, decision) {
    if (this.readingTime.isAnswer(event)) this.decide(decision);
  }

  // The coach may hold a costly decision back until the player has `confirmed` it.
  async decide(decision, confirmed = false) {
    const turn = this.turn;
    if (turn === this.decidedTurn) return;
    this.decidedTurn = turn;
    const held = !confirmed && (await this.coach.holdsBack(decision));
    if (!held && this.turn === turn)
      await this.run(() => sendCommand(this.table, { kind: "decide", ...decision }));
    if (this.decidedTurn === turn) this.decidedTurn = null; // a refused decision may be made again
    this.draw();
  }

  // The ante of the box that decides.
  get ante() {
    const name = this.house.wagers.find((wager) => wager.role === "ante").name;
    return this.round?.boxes[this.round.due.seat]?.stakes[name] ?? 0;
  }

  onKey(event) {
    if (!this.state || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest("input:not([type=checkbox]), select, textarea")) return;
    const focused = event.target.closest("button, a, summary");
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    const decisions = this.decisions;
    const form = this.betForm;
    const decision = decisions.length ? decisionOfKey(this.state.steps, event.code) : null;
    if (decision) this.press(event, decision.fixed);
    else if (decisions.length && digit) return; // no bet of this multiple: the key does nothing
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
      this.seatSection(),
      h("div", { key: "side", class: "side" }, this.coach.draw(), disputeReceipts(this), eventLog(this, "Hand history"), this.more()),
      this.paytable.draw(),
    );
    const log = this.querySelector("[role=log]");
    if (log) log.scrollTop = log.scrollHeight;
  }

  // A practice table can be left at any time; at a staffed table the dealer finishes the round.
  leaveButton() {
    const step = this.state.steps.find((each) => each.kind === "leave");
    const leave = () =>
      this.run(async () => {
        this.leaving = true;
        return this.state.desk
          ? sendPracticeRequest(this.table, { kind: "leave_table" })
          : sendCommand(this.table, { kind: "leave", seat: this.seat });
      }, "leave").finally(() => (this.leaving = false));
    return [
      h(
        "button",
        { key: "leave", type: "button", disabled: this.sending > 0, onclick: leave },
        "Leave table",
      ),
      this.problemAt("leave"),
      !this.state.desk && step?.blocked
        ? h("small", { key: "why" }, toPlayer(step.blocked, this.account))
        : null,
    ];
  }

  // Cards above, then the result, then the bets; the buttons stay at the bottom.
  seatSection() {
    return h(
      "section",
      {
        key: "seat",
        class: this.seat ? "seat seated card" : "seat card",
        "aria-label": "Your turn",
      },
      resultHeadline(this),
      h(
        "div",
        { key: "table", class: "table-frame" },
        seatCards(this),
        h("div", { key: "felt", class: "felt-frame" }, drawFelt(this)),
        this.winOverlay.draw(),
      ),
      roundResults(this),
      this.seat && this.betForm && !missingMinimum(this) ? this.betControls.drawTray() : null,
      this.seat ? bettingLayout(this) : null,
      h(
        "div",
        { key: "bar", class: "action-bar" },
        this.prompt(),
        firstRoundHint(this),
        this.problemAt("actions"),
        this.controls(),
      ),
    );
  }

  controls() {
    if (!this.seat) return this.seatButtons();
    if (this.decisions.length)
      return [chipPurchase(this), this.coach.drawWarning(), decisionButtons(this)];
    if (missingMinimum(this)) return chipPurchase(this);
    return this.betForm ? this.betControls.drawButtons() : null;
  }

  problemAt(place) {
    return this.problem.place === place ? problemAlert(this.problem) : null;
  }

  meters() {
    const ante = this.house.wagers.find((wager) => wager.role === "ante").name;
    return h(
      "ul",
      { class: "meters", tabindex: "0", "aria-label": "Limits and meters" },
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
    const outage = outageText(this.connected, this.state.unavailable, this.view.disabled);
    return h(
      "p",
      { class: "status" },
      outage ? h("b", { class: "problem", role: "status" }, outage, " ") : null,
      this.seat
        ? h("span", {}, "Your chips ", h("b", { class: "chips" }, dollars(this.chips)))
        : h("span", {}, this.view.open ? "Take a seat" : "Closed"),
      this.seat ? this.leaveButton() : null,
      h(
        "a",
        { key: "hands", class: "button plain", href: `/hands/${encodeURIComponent(this.table)}` },
        "My hands",
      ),
      h("a", { key: "rules", class: "button plain rules", href: this.guidePath, target: "_blank" }, "Rules"),
    );
  }

  prompt() {
    return h(
      "h2",
      { key: "prompt", class: "prompt", "aria-live": "polite" },
      this.decisionClock(),
      this.promptText(),
      this.sending ? h("small", {}, " sending…") : null,
    );
  }

  // Where people share a table, a decision has a time limit.
  decisionClock() {
    const { decide_by: until, decision_ms: total } = this.state.desk ?? {};
    if (!until) return null;
    return h("croupier-decision-clock", {
      key: "clock",
      until,
      total,
      offset: Math.round(this.clockOffset / 1000) * 1000,
      selfRendered: true,
    });
  }

  promptText() {
    if (!this.seat) return this.view.open ? "Choose a seat" : "Table closed";
    const { due, void: irregularity, closed } = this.round ?? {};
    if (irregularity && !closed)
      return `The round is void (${readable(irregularity)}). Your bets are returned.`;
    if (this.decisions.length) {
      const street = this.house.streets.find((candidate) => candidate.name === due.street);
      const box = this.ownBoxes.length > 1 ? `Seat ${decidingSeat(this)}: your` : "Your";
      return `${box} decision ${street ? street.when : ""}`;
    }
    if (missingMinimum(this)) return "Not enough chips";
    if (this.betForm) return this.betControls.prompt();
    return due?.kind === "decide"
      ? `Waiting for ${seatName(this, due.seat)} to decide`
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
    const requests = (this.state.desk?.asks ?? []).filter(
      (request) => !OWN_REQUESTS.has(request.kind),
    );
    const steps = this.state.steps.filter(
      (step) => !OWN_CONTROLS.has(step.kind) && isFormStep(step) && !step.blocked,
    );
    const form = (step, send, options) => [
      commandForm(step, (body) => this.run(() => send(this.table, body), stepKey(step)), options),
      this.problemAt(stepKey(step)),
    ];
    return h(
      "details",
      { key: "more", class: "card more" },
      h("summary", {}, this.state.desk ? "Table, chips and deck verification" : "Table and chips"),
      requests.map((request) => form(request, sendPracticeRequest, { settings: true })),
      steps.map((step) => form(step, sendCommand)),
      deckVerificationPanel(this),
    );
  }
}

function netSentence(cents) {
  if (cents > 0) return `You win ${dollars(cents)} this round.`;
  if (cents < 0) return `You lose ${dollars(-cents)} this round.`;
  return "You break even this round.";
}

customElements.define("croupier-player-table", PlayerTable);
