// What a player means to bet: chips that lie on the slip until the record has taken them.

export class Slip {
  constructor() {
    this.stakes = {};
    this.last = {}; // of the round before
  }

  // The form that the table offers for the own box: limits, what must equal what.
  static form(steps, seat) {
    const own = steps.filter((each) => each.kind === "place_wagers" && each.fixed.seat === seat && !each.blocked);
    const step = own.find((each) => !each.fields.wagers.withdraws);
    return step ? { seat: step.fixed.seat, ...step.fields.wagers } : null;
  }

  get total() {
    return Object.values(this.stakes).reduce((sum, cents) => sum + cents, 0);
  }

  clear() {
    this.stakes = {};
  }

  // What to send: the slip, and nothing where chips lie that it no longer has.
  wagers(form) {
    if (!this.total) return {};
    const gone = Object.keys(form.lies).filter((name) => !this.stakes[name]);
    return { ...Object.fromEntries(gone.map((name) => [name, 0])), ...this.stakes };
  }

  // Chips that lie there already are where one begins.
  add(form, name, cents) {
    if (!this.total) this.stakes = { ...form.lies };
    const terms = form.terms[name];
    const spot = terms.equals || name;
    const of = form.terms[spot];
    let stake = (this.stakes[spot] ?? 0) + cents;
    if (cents > 0) stake = Math.max(stake, of.least);
    if (of.most !== null && of.most !== undefined) stake = Math.min(stake, of.most);
    if (stake < of.least) stake = 0;
    if (of.multiple > 1) stake = Math.ceil(stake / of.multiple) * of.multiple;
    this.stakes[spot] = stake;
    if (of.needs && stake && !this.stakes[of.needs]) this.add(form, of.needs, 1);
    if (spot !== form.ante && stake && !this.stakes[form.ante]) this.add(form, form.ante, 1);
    this.match(form);
  }

  match(form) {
    for (const [name, terms] of Object.entries(form.terms)) {
      if (terms.equals) this.stakes[name] = this.stakes[terms.equals] ?? 0;
      if (terms.needs && !this.stakes[terms.needs]) this.stakes[name] = 0;
    }
    if (!this.stakes[form.ante]) this.stakes = {};
    this.stakes = Object.fromEntries(Object.entries(this.stakes).filter(([, cents]) => cents));
  }

  rebet(form) {
    const known = Object.entries(this.last).filter(([name]) => form.terms[name]);
    this.stakes = Object.fromEntries(known);
    if (!this.stakes[form.ante]) this.add(form, form.ante, 1);
    this.match(form);
  }

  // What the same again, or else the least, comes to.
  price(form) {
    const tried = new Slip();
    tried.last = this.last;
    tried.rebet(form);
    return tried.total;
  }
}
