// What a round comes to for whoever looks, added up as it is settled: a state may come later, or be of the next round.

export class Result {
  constructor(account) {
    this.account = account;
    this.seats = new Set(); // the boxes of this round
    this.net = 0;
  }

  // Whoever comes in the middle of a round begins with what was settled before.
  begin(boxes) {
    this.seats = new Set(boxes.map(([seat]) => Number(seat)));
    this.net = boxes.reduce((sum, [, box]) => sum + box.envy + Object.values(box.settled).reduce((all, one) => all + one.returned - one.stake, 0), 0);
  }

  happened(event) {
    if (event.kind === "round_opened") this.begin([]);
    if (event.kind === "wagers_placed" && event.player === this.account) {
      if (Object.keys(event.stakes).length) this.seats.add(event.seat);
      else this.seats.delete(event.seat);
    }
    if (!this.seats.has(event.seat)) return;
    if (event.kind === "wager_settled") this.net += event.returned - event.stake;
    if (event.kind === "envy_paid") this.net += event.paid;
  }
}
