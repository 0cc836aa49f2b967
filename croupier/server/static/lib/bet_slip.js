// Bet slip: the stakes a player has chosen but not yet sent to the table.

export class BetSlip {
  constructor() {
    this.stakes = {};
    this.lastStakes = {}; // of the previous round, for a rebet
  }

  // The betting form that the table offers for a box: limits, stakes placed so far, linked wagers.
  static form(steps, seat) {
    const open = steps.filter(
      (step) => step.kind === "place_wagers" && step.fixed.seat === seat && !step.blocked,
    );
    const step = open.find((candidate) => !candidate.fields.wagers.withdraws);
    return step ? { seat: step.fixed.seat, ...step.fields.wagers } : null;
  }

  // The lowest total that opens a round at a seat, even if the player has less.
  static minimum(steps, seat) {
    const step = steps.find(
      (each) =>
        each.kind === "place_wagers" && each.fixed.seat === seat && !each.fields.wagers.withdraws,
    );
    return step ? new BetSlip().rebetTotal(step.fields.wagers) : 0;
  }

  get total() {
    return Object.values(this.stakes).reduce((sum, cents) => sum + cents, 0);
  }

  clear() {
    this.stakes = {};
  }

  // The wagers to send: the slip, and zero for wagers on the table that the slip no longer has.
  wagers(form) {
    if (!this.total) return {};
    const removed = Object.keys(form.lies).filter((name) => !this.stakes[name]);
    return { ...Object.fromEntries(removed.map((name) => [name, 0])), ...this.stakes };
  }

  // An empty slip starts from the stakes on the table.
  add(form, name, cents) {
    if (!this.total) this.stakes = { ...form.lies };
    const wager = form.terms[name].equals || name;
    const terms = form.terms[wager];
    let stake = (this.stakes[wager] ?? 0) + cents;
    if (cents > 0) stake = Math.max(stake, terms.least);
    if (terms.most !== null && terms.most !== undefined) stake = Math.min(stake, terms.most);
    if (stake < terms.least) stake = 0;
    if (terms.multiple > 1) stake = Math.ceil(stake / terms.multiple) * terms.multiple;
    this.stakes[wager] = stake;
    if (terms.needs && stake && !this.stakes[terms.needs]) this.add(form, terms.needs, 1);
    if (wager !== form.ante && stake && !this.stakes[form.ante]) this.add(form, form.ante, 1);
    this.applyLinks(form);
  }

  // Wagers that must equal or require another one follow it; without an ante there is no bet.
  applyLinks(form) {
    for (const [name, terms] of Object.entries(form.terms)) {
      if (terms.equals) this.stakes[name] = this.stakes[terms.equals] ?? 0;
      if (terms.needs && !this.stakes[terms.needs]) this.stakes[name] = 0;
    }
    if (!this.stakes[form.ante]) this.stakes = {};
    this.stakes = Object.fromEntries(Object.entries(this.stakes).filter(([, cents]) => cents));
  }

  rebet(form) {
    const offered = Object.entries(this.lastStakes).filter(([name]) => form.terms[name]);
    this.stakes = Object.fromEntries(offered);
    if (!this.stakes[form.ante]) this.add(form, form.ante, 1);
    this.applyLinks(form);
  }

  // The total of a rebet, or of the minimum bet if there was no bet before.
  rebetTotal(form) {
    const preview = new BetSlip();
    preview.lastStakes = this.lastStakes;
    preview.rebet(form);
    return preview.total;
  }
}
