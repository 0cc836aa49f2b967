// Dealer console: one state at a time. Enter takes the act that is due, two keys enter a card, Esc
// leaves whatever was opened. What players decide is never answered with Enter.

import { isAmountStep } from "../components/amount_input.js";
import { CardEntry, isCardKey, isCardStep } from "../components/card_entry.js";
import { commandForm, furtherDetails, stepKey } from "../components/command_form.js";
import {
  alsoDue,
  decisionPanel,
  seatMenu,
  toolbar,
  waitingPanel,
  waitsFor,
} from "../components/dealer_panels.js";
import { deckStatus } from "../components/dealer_status.js";
import { paymentGuide } from "../components/payment_guide.js";
import { problemAlert } from "../components/problem_alert.js";
import { isSeatStep, seatPanel } from "../components/seat_panel.js";
import { stepMenu } from "../components/step_menu.js";
import { StaffConsole } from "./staff_console.js";
import { BetSlip } from "../lib/bet_slip.js";
import {
  announcement,
  dealerActs,
  isAutomatic,
  isBoardDeal,
  kindsThatFollow,
  turnsCards,
} from "../lib/dealer_acts.js";
import { CHIP_VALUES } from "../lib/money.js";
import { h } from "../lib/render.js";
import { capitalize } from "../lib/text.js";

const IRREGULARITIES = "Irregularities"; // the subject of what can be found

export class DealerConsole extends StaffConsole {
  connectedCallback() {
    this.fromDealer = true;
    this.task = null; // what the dealer opened instead of the next act: a seat or a menu
    this.chosen = ""; // the key of the act that was preferred to the first one
    this.acting = false;
    this.typed = []; // card keys that were pressed while a command was on its way
    this.typedRound = 0; // the last round whose cards were typed
    this.chip = CHIP_VALUES[1];
    this.placed = {}; // the stakes of each seat in its last round, with their player
    this.focused = "";
    this.slip = new BetSlip();
    super.connectedCallback();
  }

  onFrame(frame) {
    super.onFrame(frame);
    const round = frame.state?.view.round;
    if (!round || round.due.kind === "wagers") return;
    for (const [seat, box] of Object.entries(round.boxes))
      this.placed[seat] = { player: box.player, stakes: box.stakes };
  }

  // Steps

  get openSteps() {
    return this.state.steps.filter((step) => !step.blocked);
  }

  get dueSteps() {
    return dealerActs(this.state);
  }

  get acts() {
    const due = this.dueSteps;
    const preferred = due.find((step) => stepKey(step) === this.chosen);
    return preferred ? [preferred, ...due.filter((step) => step !== preferred)] : due;
  }

  get decisions() {
    return this.openSteps.filter((step) => step.kind === "decide" && step.due !== "may");
  }

  get irregularities() {
    return this.openSteps.filter(
      (step) => step.subject === IRREGULARITIES && step.due === "may" && !isSeatStep(step),
    );
  }

  // What else a dealer can do: neither due, nor about a seat, nor an irregularity.
  get otherSteps() {
    const listed = new Set([...this.dueSteps, ...this.irregularities, ...this.decisions]);
    return this.openSteps.filter(
      (step) => !listed.has(step) && step.kind !== "place_wagers" && !isSeatStep(step),
    );
  }

  // The card entry of the first act, or null if it needs no cards.
  get cardEntry() {
    const step = this.acts[0];
    if (this.task || this.decisions.length || !step || !isCardStep(step))
      return (this.currentEntry = null);
    const form = step.fields.cards;
    const key = JSON.stringify([step.kind, step.fixed, form, this.round.number, this.round.due]);
    if (this.currentEntry?.key !== key) this.currentEntry = new CardEntry(key, form);
    return this.currentEntry;
  }

  // The menu that is open, as a list of steps to choose from.
  get menuSteps() {
    if (this.task?.kind === "irregularities") return this.irregularities;
    return this.task?.kind === "more" ? this.otherSteps : [];
  }

  // Acts

  // The kinds of steps that the same key press records.
  follows(step) {
    return kindsThatFollow(step, this);
  }

  takeStep(step) {
    if (!step || this.sending || this.acting || Object.keys(step.fields).length) return;
    this.act(step, { kind: step.kind, ...step.fixed });
  }

  async act(step, body) {
    const kinds = this.follows(step);
    const boardDeal = isBoardDeal(step);
    this.chosen = "";
    this.acting = true; // also between two commands
    let done = await this.send(body);
    if (done) this.currentEntry = null;
    while (done) {
      const next = this.acts[0];
      if (!isAutomatic(next, kinds)) break;
      if (next.kind === "show_street" && !boardDeal && turnsCards(this.house, this.round)) break;
      done = await this.send({ kind: next.kind, ...next.fixed });
    }
    this.acting = false;
    this.draw();
    this.replayTyped();
  }

  confirmCards() {
    const [step, entry] = [this.acts[0], this.cardEntry];
    if (!entry || this.sending || this.acting) return;
    if (entry.form.unseen && entry.isUntouched) entry.addUnseen();
    if (!entry.isComplete) return this.draw();
    if (entry.cards.some((name) => name !== "??")) this.typedRound = this.round.number;
    this.act(step, { kind: step.kind, ...step.fixed, cards: entry.cards });
  }

  pressCard(key) {
    const entry = this.cardEntry;
    if (!entry?.press(key)) return false;
    // The last typed card confirms; cards that are all face down are confirmed with Enter.
    if (entry.isFull && entry.isComplete && key !== "*" && !entry.problem) this.confirmCards();
    else this.draw();
    return true;
  }

  replayTyped() {
    const keys = this.typed;
    this.typed = [];
    for (const key of keys) if (!this.sending) this.pressCard(key);
  }

  // What a digit answers that must have been read: whose decision it is.
  get question() {
    return this.decisions.length ? JSON.stringify([this.round.number, this.round.due]) : "";
  }

  get canDecide() {
    return this.readingTime.isOver && !this.sending;
  }

  decide(event, step) {
    if (!step || this.sending || isAmountStep(step) || !this.readingTime.isAnswer(event)) return;
    this.send({ kind: step.kind, ...step.fixed }, step.players?.[0]?.id);
  }

  // Seats

  selectSeat(seat) {
    this.slip.clear();
    this.task = this.task?.seat === seat ? null : { kind: "seat", seat };
    this.draw();
  }

  addBet(name, sign = 1) {
    if (!this.betForm || this.sending) return;
    this.slip.add(this.betForm, name, sign * this.chip);
    this.draw();
  }

  // The stakes of the last round of the player who sits there.
  lastStakes(seat) {
    const last = this.placed[seat];
    return last && last.player === this.view.seats[seat] ? last.stakes : null;
  }

  async placeBets() {
    if (!this.betForm || !this.slip.total || this.sending) return;
    const { seat } = this.betForm;
    const wagers = this.slip.wagers(this.betForm);
    if (await this.sendBets(seat, wagers)) this.close();
  }

  async takeBack() {
    const { seat, lies } = this.betForm;
    if (this.sending || !Object.keys(lies).length) return;
    this.slip.clear();
    await this.sendBets(seat, Object.fromEntries(Object.keys(lies).map((name) => [name, 0])));
  }

  sendBets(seat, wagers) {
    const player = this.openSteps.find(
      (step) => step.kind === "place_wagers" && step.fixed.seat === seat,
    )?.players[0]?.id;
    return this.send({ kind: "place_wagers", seat, wagers }, player);
  }

  // Repeats the last bets of one seat, or of every seat without bets.
  async sameAgain(only = 0) {
    if (this.sending) return;
    for (const seat of only ? [only] : this.seatsToRepeat) {
      const form = BetSlip.form(this.state.steps, seat);
      const stakes = this.lastStakes(seat);
      if (!form || !stakes) continue;
      const slip = new BetSlip();
      slip.lastStakes = stakes;
      slip.rebet(form);
      if (!(await this.sendBets(seat, slip.wagers(form)))) return;
    }
    if (only) this.close();
  }

  get seatsToRepeat() {
    return Object.keys(this.placed)
      .map(Number)
      .filter((seat) => {
        const form = BetSlip.form(this.state.steps, seat);
        return form && !Object.keys(form.lies).length && this.lastStakes(seat);
      });
  }

  // Keys

  onKey(event) {
    if (!this.state || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return this.leave();
    if (event.target.closest("input, select, textarea")) return;
    if (event.repeat) return event.key === "Enter" && event.preventDefault();
    if (this.pressKey(event)) event.preventDefault();
  }

  // Returns whether the key meant something here.
  pressKey(event) {
    const digit = Number(/^Digit([1-9])$/.exec(event.code)?.[1] ?? 0);
    if (event.key === "Enter") return this.pressEnter(event.target.closest("button, a, summary"));
    if ((this.sending || this.acting) && isCardKey(event.key)) return this.typed.push(event.key) > 0;
    if (this.pressCard(event.key)) return true;
    if (this.paysByTyping && isCardKey(event.key)) {
      this.typed.push(event.key);
      this.takeStep(this.acts[0]);
    } else if (digit) this.pressDigit(event, digit);
    else if (event.code === "KeyI") this.open("irregularities");
    else if (event.code === "KeyM") this.open("more");
    else if (event.code === "KeyB") this.open("seats");
    else if (event.code === "KeyR") this.sameAgain(this.betForm?.seat);
    else if (event.code === "KeyX" && this.betForm) this.takeBack();
    else return false;
    return true;
  }

  // The first key of the next hand says that this seat is paid, where cards are typed.
  get paysByTyping() {
    return (
      !this.task && this.acts[0]?.kind === "settle_seat" && this.typedRound === this.round?.number
    );
  }

  pressEnter(focused) {
    if (focused?.closest("[data-decision]")) return true; // a digit, Space or a tap decides
    if (focused && !focused.matches("[data-act]") && !focused.closest(".card-entry")) return false;
    if (this.betForm) this.placeBets();
    else if (this.task) return false;
    else if (this.cardEntry) this.confirmCards();
    else this.takeStep(this.acts[0]);
    return true;
  }

  pressDigit(event, digit) {
    const names = Object.keys(this.betForm?.terms ?? {});
    if (this.task?.kind === "seats") return this.selectSeat(digit);
    if (names.length) return names[digit - 1] && this.addBet(names[digit - 1]);
    if (this.task) return this.task.chosen || this.choose(this.menuSteps[digit - 1]);
    if (this.decisions.length) return this.decide(event, this.decisions[digit - 1]);
    this.prefer(this.acts[digit - 1]);
  }

  open(kind) {
    this.task = this.task?.kind === kind ? null : { kind };
    this.draw();
  }

  choose(step) {
    if (!step) return;
    this.task = { ...this.task, chosen: stepKey(step) };
    this.draw();
  }

  // An act with open fields is shown first; others are taken at once.
  prefer(step) {
    if (!step) return;
    if (Object.keys(step.fields).length) {
      this.chosen = stepKey(step);
      this.draw();
    } else this.takeStep(step);
  }

  // What was opened is done: back to the next act.
  close() {
    this.task = null;
    this.leave();
  }

  leave() {
    if (this.task?.chosen) this.task = { ...this.task, chosen: "" };
    else if (this.task) this.task = null;
    else this.chosen = "";
    if (this.task?.kind !== "seat") this.slip.clear();
    this.problem = "";
    this.typed = [];
    this.currentEntry?.clear();
    this.focused = "";
    if (this.state) this.draw();
  }

  // Drawing

  draw() {
    this.betForm =
      this.task?.kind === "seat" && !this.task.chosen
        ? BetSlip.form(this.state.steps, this.task.seat)
        : null;
    super.draw();
    this.focusAct();
  }

  // A new act gets the focus: its first input, or its button.
  focusAct() {
    const panel = this.querySelector(".act");
    const key = panel?.dataset.state ?? "";
    const lost = !document.activeElement || document.activeElement === document.body;
    if (!panel || this.sending || (key === this.focused && !lost)) return;
    this.focused = key;
    const target =
      panel.querySelector("form :is(input, select):required") ??
      panel.querySelector(".card-entry") ??
      panel.querySelector("[data-act], form button[type=submit]") ??
      panel.querySelector(".act-title");
    target?.focus({ preventScroll: lost });
  }

  status() {
    return deckStatus(this);
  }

  payment(settling) {
    return paymentGuide(this, settling);
  }

  panel(...children) {
    return h(
      "section",
      { key: "panel", class: "card panel", "aria-label": "Next act" },
      problemAlert(this.problem),
      ...children,
    );
  }

  side() {
    const task = this.task;
    const act = this.acts[0];
    const state = task ?? (this.decisions.length ? this.round.due : act && [act.kind, act.fixed]);
    return [
      this.panel(
        h(
          "div",
          {
            key: `state ${JSON.stringify(state ?? null)}`,
            class: `act${act && !task && !this.decisions.length ? ` step primary ${act.due}` : ""}`,
            "data-state": JSON.stringify([state ?? null, this.round?.number]),
            "data-kind": task || this.decisions.length ? null : (act?.kind ?? null),
          },
          task ? this.taskPanel(task) : this.statePanel(act),
        ),
      ),
      toolbar(this),
    ];
  }

  taskPanel(task) {
    if (task.kind === "seat") return seatPanel(this);
    if (task.kind === "seats") return seatMenu(this);
    const irregular = task.kind === "irregularities";
    return stepMenu(this, {
      title: irregular ? "Irregularity" : "Other actions",
      steps: this.menuSteps,
      empty: irregular ? "No irregularity can be reported now." : "No other action now.",
    });
  }

  statePanel(act) {
    if (this.decisions.length)
      return [decisionPanel(this), alsoDue(this, this.acts, { enter: true })];
    if (!act) return waitingPanel(this);
    return [
      h("h2", { key: "title", class: "act-title", tabindex: "-1" }, this.titleOf(act)),
      h(
        "p",
        { key: "why", class: "step-reason" },
        `${capitalize(act.why || act.sentence)} `,
        this.clauses(act),
      ),
      ["settle", "settle_seat"].includes(act.kind)
        ? this.payment(this.state.settling)
        : null,
      this.cardEntry
        ? this.cardEntry.draw(
            act.title,
            (key) => this.pressCard(key),
            () => this.confirmCards(),
            this.sending > 0,
          )
        : this.stepControl(act, 0),
      this.announced(act),
      alsoDue(this, this.acts.slice(1), { first: 2 }),
      waitsFor(this.state.waits_for ?? []),
    ];
  }

  // The last seat is paid and the round closed at once.
  titleOf(act) {
    const seat = act.kind === "settle" && this.state.settling?.seat;
    return seat ? `Pay seat ${seat} and close the round` : act.title;
  }

  announced(act) {
    const words = announcement(this.follows(act), act);
    return words ? h("p", { key: "then", class: "then quiet-text" }, words) : null;
  }

  // A step without open fields is one button; the others are forms.
  stepControl(step, index) {
    if (Object.keys(step.fields).length || step.newcomers || step.players?.length > 1)
      return commandForm(step, (body, player) => this.send(body, player));
    const details = furtherDetails(step);
    return h(
      "button",
      {
        key: "act",
        type: "button",
        class: index === 0 ? "main wide" : "wide",
        "data-act": "",
        disabled: this.sending > 0,
        title: step.sentence,
        onclick: () => this.takeStep(step),
      },
      h("span", {}, this.titleOf(step)),
      details ? h("small", {}, details) : null,
      h("kbd", {}, "Enter"),
    );
  }
}

customElements.define("croupier-dealer-console", DealerConsole);
