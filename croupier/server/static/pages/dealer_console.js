// Dealer console: one step at a time, each with one key or tap.

import "../components/elapsed_time.js";
import { amountForm, isAmountStep } from "../components/amount_input.js";
import { CardEntry } from "../components/card_entry.js";
import { commandForm, stepDetails } from "../components/command_form.js";
import { settledWager } from "../components/info_panels.js";
import { StaffConsole } from "./staff_console.js";
import { dollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { bySubject } from "../lib/command_groups.js";
import { readable } from "../lib/text.js";
import { outageText } from "../lib/outage.js";

const IRREGULARITY_KINDS = new Set([
  "find_card_face_up",
  "draw_in_error",
  "find_wrong_number",
  "find_wrong_count",
  "expose_dealer_card",
  "expose_community_card",
  "expose_player_card",
  "jam_shuffler",
  "jam_shoe",
  "skip_player",
  "correct_reading",
  "report_fault",
  "record_walk_away",
]);
const PLAYER_KINDS = new Set(["place_wagers", "decide"]); // player actions that a dealer may enter
const SINGLE_SEAT_KINDS = ["settle_seat", "turn_hand"]; // listed before steps for the whole table

export class DealerConsole extends StaffConsole {
  // During settlement the seat that is paid next comes first.
  get dueSteps() {
    const open = this.state.steps.filter((step) => !step.blocked);
    const settleSeat = open.filter((step) => step.kind === "settle_seat");
    const due = open.filter((step) => step.due !== "may" && !SINGLE_SEAT_KINDS.includes(step.kind));
    const turnHand = open.filter((step) => step.kind === "turn_hand");
    return [
      ...(this.state.settling ? settleSeat : []),
      ...turnHand.filter((step) => step.due !== "may"),
      ...due,
      ...turnHand.filter((step) => step.due === "may"),
    ];
  }

  // The card entry of the first step, or null if that step needs no cards.
  get cardEntry() {
    const step = this.dueSteps[0];
    const form = step?.fields.cards;
    if (form?.form !== "cards") return (this.currentEntry = null);
    const key = JSON.stringify([step.kind, step.fixed, form, this.round?.number]);
    if (this.currentEntry?.key !== key) this.currentEntry = new CardEntry(key, form);
    return this.currentEntry;
  }

  takeStep(step) {
    if (!step || this.sending || Object.keys(step.fields).length) return;
    this.send({ kind: step.kind, ...step.fixed }, step.players?.[0]?.id);
  }

  confirmCards() {
    const [step, entry] = [this.dueSteps[0], this.cardEntry];
    if (entry?.isComplete && !this.sending)
      this.send({ kind: step.kind, ...step.fixed, cards: entry.cards });
  }

  onKey(event) {
    if (!this.state || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest("input, select, textarea")) return;
    const focused = event.target.closest("button, a, summary");
    // The browser activates a focused button.
    if (event.key === "Enter" && focused && !focused.closest(".card-entry")) return;
    const entry = this.cardEntry;
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    if (event.key === "Enter" && entry) this.confirmCards();
    else if (event.key === "Enter") this.takeStep(this.dueSteps[0]);
    else if (entry?.press(event.key)) this.draw();
    else if (!entry && digit) this.takeStep(this.dueSteps[Number(digit) - 1]);
    else if (event.code === "KeyI") this.toggleIrregularities();
    else return;
    event.preventDefault();
  }

  toggleIrregularities() {
    const menu = this.querySelector("[data-group=irregular]");
    if (!menu) return;
    menu.open = !menu.open;
    if (menu.open) menu.querySelector("summary").focus();
  }

  draw() {
    super.draw();
    // The first input of a new step gets the focus, so that a count can be typed at once.
    const input = this.querySelector(".step.primary input");
    if (
      input &&
      input !== this.primaryInput &&
      (document.activeElement === document.body || !document.activeElement)
    )
      input.focus();
    this.primaryInput = input;
  }

  status() {
    const decks = this.view.decks ?? [];
    const deadline = this.view.deadline;
    const outage = outageText(this.connected, this.state.unavailable);
    return h(
      "dl",
      { class: "deck-status", "aria-label": "Deck" },
      outage
        ? h(
            "div",
            { key: "outage" },
            h("dt", {}, "Server"),
            h("dd", { class: "problem" }, h("span", { role: "status" }, outage)),
          )
        : null,
      h(
        "div",
        { key: "stub" },
        h("dt", {}, "Stub"),
        h(
          "dd",
          { class: "stub" },
          this.round && !this.round.closed ? `${this.round.left_in_deck} cards` : "–",
        ),
      ),
      h(
        "div",
        { key: "count" },
        h("dt", {}, "Rounds since count"),
        h("dd", {}, String(this.view.rounds_since_count ?? "–")),
      ),
      decks.map((deck) =>
        h(
          "div",
          { key: deck.name },
          h("dt", {}, `Deck ${deck.name}, ${readable(deck.stage).toLowerCase()}`),
          h(
            "dd",
            {},
            deck.entered_at === null
              ? "not in use"
              : h("croupier-elapsed-time", {
                  since: deck.entered_at,
                  offset: this.clockOffset,
                  selfRendered: true,
                }),
          ),
        ),
      ),
      deadline
        ? h(
            "div",
            { key: "deadline" },
            h("dt", {}, deadline.what),
            h(
              "dd",
              {},
              h("croupier-elapsed-time", {
                until: deadline.at,
                offset: this.clockOffset,
                selfRendered: true,
              }),
              h("cite", {}, ` ${deadline.clause}`),
            ),
          )
        : null,
    );
  }

  side() {
    const due = this.dueSteps;
    const rest = this.state.steps.filter((step) => !step.blocked && !due.includes(step));
    const irregularities = rest.filter((step) => IRREGULARITY_KINDS.has(step.kind));
    const playerSteps = rest.filter((step) => PLAYER_KINDS.has(step.kind));
    const others = rest.filter(
      (step) => !irregularities.includes(step) && !playerSteps.includes(step),
    );
    return [
      this.panel(
        due.length
          ? due.map((step, index) => this.dueStep(step, index))
          : h("p", { key: "waiting", class: "quiet-text" }, this.waitingText()),
      ),
      this.group("player-actions", "Player bets and decisions", playerSteps, false),
      this.group("irregular", "Irregularities (I)", irregularities, false),
      ...bySubject(others).map(([key, title, steps]) => this.group(key, title, steps, false)),
      this.group("blocked", "Blocked actions", this.blockedSteps, false),
    ];
  }

  // What the table waits for while no step is due to the dealer.
  waitingText() {
    const due = this.round?.due;
    if (due?.kind === "decide") return `Waiting for seat ${due.seat} to decide.`;
    const blocked = this.blockedSteps.find((step) => step.due !== "may");
    if (blocked) return `${blocked.title} is on hold: ${blocked.blocked}`;
    return this.view.open ? "Waiting for bets." : "Table closed.";
  }

  dueStep(step, index) {
    const primary = index === 0;
    return h(
      "div",
      {
        key: `${step.kind} ${JSON.stringify(step.fixed)}`,
        class: `step ${step.due}${primary ? " primary" : ""}`,
        "data-kind": step.kind,
      },
      h("p", { class: "step-reason" }, `${step.why || step.sentence} `, this.clauses(step)),
      primary && step.kind === "settle_seat" ? this.payment(this.state.settling) : null,
      primary && this.cardEntry
        ? this.cardEntry.draw(
            step.title,
            () => this.draw(),
            () => this.confirmCards(),
            this.sending > 0,
          )
        : this.stepControl(step, index),
    );
  }

  // A step without open fields is one button; the others are forms.
  stepControl(step, index) {
    const player = step.players?.[0]?.id;
    const seatName = this.eventText.seatName(step.fixed.seat);
    if (isAmountStep(step))
      return amountForm(step, {
        title: `${seatName}, other amount`,
        busy: this.sending > 0,
        submit: (decision) => this.send({ kind: step.kind, ...decision }, player),
      });
    if (Object.keys(step.fields).length || step.newcomers || step.players?.length > 1)
      return commandForm(step, (body, chosenPlayer) => this.send(body, chosenPlayer));
    const label = {
      decide: `${seatName}: ${step.fixed.word}`,
      settle_seat: `Pay seat ${step.fixed.seat}`,
    }[step.kind];
    return h(
      "button",
      {
        type: "button",
        class: index === 0 ? "main wide" : "wide",
        disabled: this.sending > 0,
        title: step.sentence,
        onclick: () => this.takeStep(step),
      },
      h("span", {}, label ?? step.title),
      label ? null : h("small", {}, stepDetails(step)),
      h("kbd", {}, index === 0 ? "Enter" : String(index + 1)),
    );
  }

  payment(settling) {
    if (!settling) return null;
    const chipsText = (chips) =>
      Object.entries(chips)
        .sort(([first], [second]) => Number(second) - Number(first))
        .map(([cents, count]) => `${count} × ${dollars(Number(cents))}`)
        .join(", ");
    const title = (wager) =>
      wager.wager === "envy"
        ? `Envy bonus for seat ${wager.seat}`
        : `${this.eventText.wagerTitle(wager.wager)} ${this.eventText.outcomeText(wager)}`;
    return h(
      "div",
      { key: "payment", class: "payment settlement" },
      // Reasons are quoted: the dealer says them to the player.
      h(
        "dl",
        {},
        settling.resolved.map((wager, index) =>
          settledWager(this.eventText, wager, {
            key: index,
            title: title(wager),
            reason: wager.why ? `“${wager.why}”` : "",
          }),
        ),
      ),
      settling.takes
        ? h("p", { key: "takes" }, "Take ", h("b", { class: "lose" }, dollars(settling.takes)))
        : null,
      Object.entries(settling.pushes).map(([seat, chips]) =>
        h(
          "p",
          { key: `push ${seat}` },
          `Push to seat ${seat}: `,
          h("b", { class: "win" }, chipsText(chips)),
        ),
      ),
    );
  }
}

customElements.define("croupier-dealer-console", DealerConsole);
