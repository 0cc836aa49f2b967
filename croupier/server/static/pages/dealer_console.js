// The dealer's console: one thing after the other, with one key or tap each.

import "../components/elapsed_time.js";
import { amountForm, isAnyAmount } from "../components/amount_input.js";
import { Console, plain } from "./staff_console.js";
import { about, formOf } from "../components/command_form.js";
import { dollars } from "../lib/money.js";
import { CardPad } from "../components/card_entry.js";
import { h } from "../lib/render.js";
import { bySubject } from "../lib/command_groups.js";

// What went wrong, and is declared; the table offers those that can apply.
const IRREGULAR = new Set([
  "find_card_face_up", "draw_in_error", "find_wrong_number", "find_wrong_count", "expose_dealer_card", "expose_community_card",
  "expose_player_card", "jam_shuffler", "jam_shoe", "skip_player", "correct_reading", "report_fault", "record_walk_away",
]);
const ENTERED = new Set(["place_wagers", "decide"]); // what players do, and a dealer may type
const FIRST = ["settle_seat", "turn_hand"]; // one seat at a time comes before all at once

export class DealerConsole extends Console {
  // What is due to the dealer; at the settlement the seat whose turn it is comes first.
  get due() {
    const open = this.state.steps.filter((step) => !step.blocked);
    const seat = open.filter((step) => step.kind === "settle_seat");
    const due = open.filter((step) => step.due !== "may" && !FIRST.includes(step.kind));
    const turn = open.filter((step) => step.kind === "turn_hand");
    return [...(this.state.settling ? seat : []), ...turn.filter((step) => step.due !== "may"), ...due, ...turn.filter((step) => step.due === "may")];
  }

  // The pad of the first step, if cards are what it asks for.
  get pad() {
    const step = this.due[0];
    const form = step?.fields.cards;
    if (form?.form !== "cards") return (this.open = null);
    const key = JSON.stringify([step.kind, step.fixed, form, this.round?.number]);
    if (this.open?.key !== key) this.open = new CardPad(key, form);
    return this.open;
  }

  take(step) {
    if (!step || this.sending || Object.keys(step.fields).length) return;
    this.act({ kind: step.kind, ...step.fixed }, step.players?.[0]?.id);
  }

  confirm() {
    const [step, pad] = [this.due[0], this.pad];
    if (pad?.ready && !this.sending) this.act({ kind: step.kind, ...step.fixed, cards: pad.cards });
  }

  key(event) {
    if (!this.state || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest("input, select, textarea")) return;
    const onButton = event.target.closest("button, a, summary");
    if (event.key === "Enter" && onButton && !onButton.closest(".pad")) return; // it is pressed itself
    const pad = this.pad;
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    if (event.key === "Enter" && pad) this.confirm();
    else if (event.key === "Enter") this.take(this.due[0]);
    else if (pad?.press(event.key)) this.draw();
    else if (!pad && digit) this.take(this.due[Number(digit) - 1]);
    else if (event.code === "KeyI") this.toggle();
    else return;
    event.preventDefault();
  }

  toggle() {
    const menu = this.querySelector("[data-group=irregular]");
    if (!menu) return;
    menu.open = !menu.open;
    if (menu.open) menu.querySelector("summary").focus();
  }

  draw() {
    super.draw();
    // A count that is due is typed at once.
    const asked = this.querySelector(".next.primary input");
    if (asked && asked !== this.asked && (document.activeElement === document.body || !document.activeElement)) asked.focus();
    this.asked = asked;
  }

  standing() {
    const decks = this.view.decks ?? [];
    const deadline = this.view.deadline;
    return h(
      "dl",
      { class: "in-sight", "aria-label": "Deck" },
      this.up === false ? h("div", { key: "line" }, h("dt", {}, "Line"), h("dd", { class: "problem" }, h("span", { role: "status" }, "down; connecting again…"))) : null,
      h("div", { key: "stub" }, h("dt", {}, "Stub"), h("dd", { class: "stub" }, this.round && !this.round.closed ? `${this.round.left_in_deck} cards` : "–")),
      h("div", { key: "count" }, h("dt", {}, "Rounds since a count"), h("dd", {}, String(this.view.rounds_since_count ?? "–"))),
      decks.map((deck) => h("div", { key: deck.name }, h("dt", {}, `Deck ${deck.name}, ${plain(deck.stage).toLowerCase()}`), h("dd", {}, deck.entered_at === null ? "not in use" : h("croupier-elapsed-time", { at: deck.entered_at, ahead: this.ahead, own: true })))),
      deadline ? h("div", { key: "deadline" }, h("dt", {}, deadline.what), h("dd", {}, h("croupier-elapsed-time", { until: deadline.at, ahead: this.ahead, own: true }), h("cite", {}, ` ${deadline.clause}`))) : null,
    );
  }

  side() {
    const due = this.due;
    const rest = this.state.steps.filter((step) => !step.blocked && !due.includes(step));
    const wrong = rest.filter((step) => IRREGULAR.has(step.kind));
    const entered = rest.filter((step) => ENTERED.has(step.kind));
    const may = rest.filter((step) => !wrong.includes(step) && !entered.includes(step));
    return [
      this.panel(due.length ? due.map((step, index) => this.next(step, index)) : h("p", { key: "nothing", class: "quiet-text" }, this.waiting())),
      this.group("entered", "What players lay down or say", entered, false),
      this.group("irregular", "Something went wrong (I)", wrong, false),
      ...bySubject(may).map(([key, title, steps]) => this.group(key, title, steps, false)),
      this.group("blocked", "What waits for something", this.state.steps.filter((step) => step.blocked), false),
    ];
  }

  // Nothing is for the dealer: whoever is asked, or what the next step waits for.
  waiting() {
    const due = this.round?.due;
    if (due?.kind === "decide") return `Seat ${due.seat} is asked.`;
    const held = this.state.steps.find((step) => step.blocked && step.due !== "may");
    if (held) return `${held.title} waits: ${held.blocked}`;
    return this.view.open ? "The table waits for wagers." : "The table is closed.";
  }

  next(step, index) {
    const primary = index === 0;
    return h(
      "div",
      { key: `${step.kind} ${JSON.stringify(step.fixed)}`, class: `next ${step.due}${primary ? " primary" : ""}`, "data-kind": step.kind },
      h("p", { class: "why" }, `${step.why || step.sentence} `, step.clauses.slice(0, 3).map((clause) => h("cite", { key: clause, title: this.words.clause(clause) }, `${clause} `))),
      primary && step.kind === "settle_seat" ? this.payment(this.state.settling) : null,
      primary && this.pad ? this.pad.draw(step.title, () => this.draw(), () => this.confirm(), this.sending > 0) : this.button(step, index),
    );
  }

  // A step that leaves nothing open is one button; the others are forms.
  button(step, index) {
    const player = step.players?.[0]?.id;
    if (isAnyAmount(step)) return amountForm(step, { title: `${this.words.who(step.fixed.seat)}, any amount`, busy: this.sending > 0, submit: (said) => this.act({ kind: step.kind, ...said }, player) });
    if (Object.keys(step.fields).length || step.newcomers || step.players?.length > 1) return formOf(step, (body, player) => this.act(body, player));
    const named = { decide: `${this.words.who(step.fixed.seat)}: ${step.fixed.word}`, settle_seat: `Pay seat ${step.fixed.seat}` }[step.kind];
    return h("button", { type: "button", class: index === 0 ? "main wide" : "wide", disabled: this.sending > 0, title: step.sentence, onclick: () => this.take(step) }, h("span", {}, named ?? step.title), named ? null : h("small", {}, about(step)), h("kbd", {}, index === 0 ? "Enter" : String(index + 1)));
  }

  // Reasons are in the words that the player hears.
  payment(settling) {
    if (!settling) return null;
    const chips = (pieces) => Object.entries(pieces).sort(([one], [other]) => Number(other) - Number(one)).map(([cents, count]) => `${count} × ${dollars(Number(cents))}`).join(", ");
    return h(
      "div",
      { key: "payment", class: "payment settled" },
      h(
        "dl",
        {},
        settling.resolved.map((one, index) =>
          h(
            "div",
            { key: index, class: one.outcome },
            h("dt", {}, one.wager === "envy" ? `Envy bonus for seat ${one.seat}` : `${this.words.title(one.wager)} ${this.words.outcome(one)}`),
            h("dd", { class: "sum" }, `${dollars(one.stake)} → ${dollars(one.returned)}`),
            h("dd", { class: "reason" }, one.why ? `“${one.why}” ` : null, h("cite", { title: this.words.clause(one.clause) }, one.clause), one.why ? null : ` ${this.words.clause(one.clause)}`),
          ),
        ),
      ),
      settling.takes ? h("p", { key: "takes" }, "Take ", h("b", { class: "lose" }, dollars(settling.takes))) : null,
      Object.entries(settling.pushes).map(([seat, pieces]) => h("p", { key: `push ${seat}`, class: "push" }, `Push to seat ${seat}: `, h("b", { class: "win" }, chips(pieces)))),
    );
  }
}

customElements.define("croupier-dealer-console", DealerConsole);
