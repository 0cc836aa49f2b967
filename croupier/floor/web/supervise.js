// A table as the floor sees it: what waits for a supervisor first, the rest by subject.

import { Console } from "./console.js";
import { h } from "./render.js";

// Subjects in the order of their urgency; a command that none of them names is listed at the end.
const SUBJECTS = [
  ["awards", "Awards and payout documents", ["verify_award", "validate_award", "resolve_progressive", "prepare_payout", "witness_payout", "notify_surveillance", "void_payout", "pay_unclaimed"]],
  ["slips", "Fills and credits", ["request_fill", "count_fill", "confirm_fill", "request_credit", "count_credit", "confirm_credit", "sign_slip", "recount_slip", "cancel_slip", "count_inventory", "change_shift"]],
  ["limits", "Limits", ["give_limit_notice", "apply_limits", "accept_wager", "change_progressive"]],
  ["devices", "Devices", ["report_fault", "mark_device", "clear_device", "switch_dealing"]],
  ["rulings", "Rulings and disputes", ["open_dispute", "decide_dispute", "forward_dispute", "note_conduct", "place_hold", "rule_abandoned", "forfeit_for_conduct", "call_wager", "correct_reading", "free_seat", "acknowledge_buy_in"]],
  ["people", "People and posts", ["take_post", "leave_post", "open_table", "close_table", "attest_equipment"]],
  ["decks", "Decks", ["receive_deck", "prepare_deck", "order_shuffle", "order_recut", "pull_deck", "sign_removal", "spread_idle", "load_deck", "cut_deck", "shuffle", "discard_stub", "count_stub"]],
];
const KNOWN = new Set(SUBJECTS.flatMap(([, , kinds]) => kinds));

class Supervisor extends Console {
  side() {
    const due = this.due;
    const may = this.state.steps.filter((step) => step.due === "may" && !step.blocked);
    const of = (kinds) => may.filter((step) => kinds.includes(step.kind));
    return [
      this.panel(due.length ? due.map((step, index) => this.step(step, index)) : h("p", { key: "nothing", class: "quiet-text" }, "Nothing waits for you here.")),
      SUBJECTS.map(([key, title, kinds]) => this.group(key, title, of(kinds), false)),
      this.group("other", "What else may be done", may.filter((step) => !KNOWN.has(step.kind)), false),
      this.group("blocked", "What waits for something", this.state.steps.filter((step) => step.blocked), false),
      h("p", { key: "pit" }, h("a", { href: "/pit" }, "The whole pit")),
    ];
  }
}

customElements.define("croupier-supervise", Supervisor);
