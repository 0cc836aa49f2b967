// Bet controls: chip selection, box selection, and the buttons that place the bets or deal.

import { CHIP_VALUES, dollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { sendCommand, sendPracticeRequest } from "../lib/api.js";

export class BetControls {
  constructor(page) {
    this.page = page;
    this.chip = CHIP_VALUES[1];
    this.box = 0; // the neighboring box that is being bet on; 0 for the player's own seat
  }

  get slip() {
    return this.page.slip;
  }

  get form() {
    return this.page.betForm;
  }

  get hasBets() {
    return Object.keys(this.form.lies).length > 0;
  }

  // A practice table deals when the player asks for it; at a staffed table the dealer decides.
  get isAutomated() {
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

  // Other boxes that the table lets this player bet on.
  get otherBoxes() {
    const steps = this.page.state.steps.filter(
      (step) =>
        step.kind === "place_wagers" &&
        step.fixed.seat !== this.page.seat &&
        !step.fields.wagers.withdraws,
    );
    return [...new Set(steps.map((step) => step.fixed.seat))].sort();
  }

  placeBets() {
    const form = this.form;
    return sendCommand(this.page.table, {
      kind: "place_wagers",
      seat: form.seat,
      wagers: this.slip.wagers(form),
    });
  }

  // The current slip is placed first: a player must bet on their own box before another one.
  selectBox(box) {
    if (this.page.sending || box === this.form.seat) return;
    this.page.run(async () => {
      if (this.slip.total) await this.page.feed.waitFor((await this.placeBets()).sequence);
      this.slip.clear();
      this.box = box;
    });
  }

  async send() {
    if (!this.isAutomated) return this.placeBets();
    // Bets and deal in one request, so that no other entry comes in between.
    if (this.form.seat === this.page.seat)
      return sendPracticeRequest(this.page.table, {
        kind: "deal",
        wagers: this.slip.wagers(this.form),
      });
    if (this.slip.total) await this.placeBets();
    return sendPracticeRequest(this.page.table, { kind: "deal", wagers: {} });
  }

  deal() {
    const form = this.form;
    if (this.page.sending || (!this.isAutomated && this.hasBets && !this.slip.total)) return;
    if (!this.slip.total && !this.hasBets && form.seat === this.page.seat) this.slip.rebet(form);
    if (!this.isAutomated && !this.slip.total) this.slip.rebet(form);
    this.page.run(async () => {
      const response = await this.send();
      await this.page.feed.waitFor(response?.sequence);
      this.slip.clear();
    });
  }

  clear() {
    const form = this.form;
    this.slip.clear();
    if (!this.hasBets) return this.page.draw();
    const wagers = Object.fromEntries(Object.keys(form.lies).map((name) => [name, 0]));
    return this.page.run(() =>
      sendCommand(this.page.table, { kind: "place_wagers", seat: form.seat, wagers }),
    );
  }

  prompt() {
    if (!this.isAutomated && this.slip.total) return "Confirm your bets";
    if (!this.isAutomated && this.hasBets) return "Bets placed. Waiting for the dealer.";
    if (this.page.practiceRequest("deal") && this.hasBets)
      return "Bets placed. Deal when you are ready.";
    const names = this.page.state.desk?.waits_for ?? [];
    return names.length ? `Waiting for ${names.join(", ")}` : "Place your bets";
  }

  // The chips to bet with, and the boxes that they can be placed on.
  drawTray() {
    return [
      h(
        "div",
        { key: "tray", class: "chip-tray", role: "radiogroup", "aria-label": "Chip" },
        CHIP_VALUES.map((cents) =>
          h(
            "button",
            {
              key: cents,
              type: "button",
              role: "radio",
              "aria-checked": String(cents === this.chip),
              class: `chip chip-${cents / 100}`,
              onclick: () => this.selectChip(cents),
            },
            dollars(cents),
          ),
        ),
      ),
      this.boxSelector(),
    ];
  }

  // In the places of fold, check and bets: only the right one costs money.
  drawButtons() {
    return h(
      "div",
      { key: "betting", class: "actions" },
      h(
        "div",
        { key: "clear", class: "place-fold" },
        h(
          "button",
          { type: "button", disabled: !this.slip.total && !this.hasBets, onclick: () => this.clear() },
          "Clear",
          h("kbd", {}, "X"),
        ),
      ),
      h(
        "div",
        { key: "rebet", class: "place-check" },
        h(
          "button",
          { type: "button", onclick: () => this.rebet() },
          "Rebet",
          h("kbd", {}, "R"),
        ),
      ),
      h("div", { key: "deal", class: "place-bets" }, this.betButton()),
    );
  }

  boxSelector() {
    const others = this.otherBoxes;
    if (!others.length) return null;
    const own = this.page.seat;
    const ownBet = this.slip.total || this.page.ownBoxes.some(([seat]) => Number(seat) === own);
    return h(
      "div",
      { key: "boxes", class: "box-selector", role: "radiogroup", "aria-label": "Box" },
      [own, ...others].map((seat) =>
        h(
          "button",
          {
            key: seat,
            type: "button",
            role: "radio",
            "aria-checked": String(seat === this.form.seat),
            disabled: seat !== own && !ownBet,
            onclick: () => this.selectBox(seat),
          },
          seat === own ? `Seat ${seat} (yours)` : `Seat ${seat}`,
        ),
      ),
    );
  }

  shortText(cents) {
    return `${dollars(cents)}: you are ${dollars(cents - this.page.chips - sum(this.form.lies))} short`;
  }

  selectChip(cents) {
    this.chip = cents;
    this.page.draw();
  }

  // The main button, labeled with what it does and what that costs.
  betButton() {
    const repeat = Object.keys(this.slip.lastStakes).length ? "Rebet" : "Minimum bet";
    const enabled = this.isAutomated
      ? !this.hasBets || Boolean(this.page.practiceRequest("deal"))
      : this.slip.total > 0 || !this.hasBets;
    const ownBox = this.form.seat === this.page.seat;
    // A neighboring box may stay empty.
    const started = this.slip.total || this.hasBets || (this.isAutomated && !ownBox);
    const label = this.isAutomated
      ? started
        ? "Deal"
        : `${repeat} and deal`
      : started
        ? "Bet"
        : repeat;
    const cents =
      this.slip.total || sum(this.form.lies) || (started ? 0 : this.slip.rebetTotal(this.form));
    return h(
      "button",
      {
        key: "bet",
        type: "button",
        class: "main deal",
        disabled: this.page.sending > 0 || !enabled,
        onclick: () => this.deal(),
      },
      h("span", {}, label),
      h("small", {}, cents > this.page.chips + sum(this.form.lies) ? this.shortText(cents) : dollars(cents)),
      h("kbd", {}, "D"),
    );
  }
}

function sum(stakes) {
  return Object.values(stakes).reduce((total, cents) => total + cents, 0);
}
