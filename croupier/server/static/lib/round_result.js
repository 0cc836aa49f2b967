// A player's net result of a round, summed from events: a state may already show the next round.

export class RoundResult {
  constructor(account) {
    this.account = account;
    this.seats = new Set(); // the player's boxes in this round
    this.net = 0;
  }

  // A page opened in the middle of a round starts with the wagers settled so far.
  reset(boxes) {
    this.seats = new Set(boxes.map(([seat]) => Number(seat)));
    this.net = boxes.reduce(
      (sum, [, box]) =>
        sum +
        box.envy +
        Object.values(box.settled).reduce((net, wager) => net + wager.returned - wager.stake, 0),
      0,
    );
  }

  onEvent(event) {
    if (event.kind === "round_opened") this.reset([]);
    if (event.kind === "wagers_placed" && event.player === this.account) {
      if (Object.keys(event.stakes).length) this.seats.add(event.seat);
      else this.seats.delete(event.seat);
    }
    if (!this.seats.has(event.seat)) return;
    if (event.kind === "wager_settled") this.net += event.returned - event.stake;
    if (event.kind === "envy_paid") this.net += event.paid;
  }
}
