// What may be done at a table, by subject: whoever serves it looks for one thing among many.

// In the order of their urgency; a command that none of them names is listed at the end.
const SUBJECTS = [
  ["awards", "Awards and payout documents", ["verify_award", "validate_award", "resolve_progressive", "prepare_payout", "witness_payout", "notify_surveillance", "void_payout", "pay_unclaimed"]],
  ["players", "Players, seats and chips", ["sit_down", "leave", "buy_in", "add_chips", "exchange_chips", "tip", "cash_out", "place_wagers", "decide"]],
  ["slips", "Fills and credits", ["request_fill", "count_fill", "confirm_fill", "request_credit", "count_credit", "confirm_credit", "sign_slip", "recount_slip", "cancel_slip", "count_inventory", "change_shift"]],
  ["limits", "Limits", ["give_limit_notice", "apply_limits", "accept_wager"]],
  ["devices", "Devices", ["report_fault", "mark_device", "clear_device", "switch_dealing"]],
  ["rulings", "Rulings and disputes", ["open_dispute", "decide_dispute", "forward_dispute", "note_conduct", "place_hold", "rule_abandoned", "forfeit_for_conduct", "correct_reading", "free_seat", "acknowledge_buy_in"]],
  ["people", "People and posts", ["take_post", "leave_post", "open_table", "close_table", "attest_equipment"]],
  ["decks", "Decks", ["receive_deck", "prepare_deck", "order_shuffle", "order_recut", "pull_deck", "sign_removal", "spread_idle", "load_deck", "cut_deck", "shuffle", "discard_stub", "count_stub"]],
];
const KNOWN = new Set(SUBJECTS.flatMap(([, , kinds]) => kinds));

export function bySubject(steps) {
  const named = SUBJECTS.map(([key, title, kinds]) => [key, title, steps.filter((step) => kinds.includes(step.kind))]);
  return [...named, ["other", "What else may be done", steps.filter((step) => !KNOWN.has(step.kind))]];
}
