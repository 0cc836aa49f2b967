"""Cross-field checks: what every submission must satisfy, then the checks of the game's form."""

from __future__ import annotations

from croupier.games.forms.common_fields import HAND_HOURS, max_deck_hours, uses_shuffler
from croupier.games.forms.field_types import format_dollars
from croupier.games.forms.value_text import format_value
from croupier.submission.parse_context import ParseContext
from croupier.submission.required_approvals import outstanding_items

DECK = 52


def run_checks(context: ParseContext) -> None:
    """Run every check; each adds its own issues."""
    if not context.has_errors("table"):
        _hand_needs_shuffler(context)
        _two_decks_need_shuffler(context)
        _deck_life(context)
        _boxes_have_positions(context)
    _cut_is_possible(context)
    _chips_are_accepted(context)
    _note_outstanding(context)
    _even_ante_exists(context)
    _lowest_chip_is_in_set(context)
    _chips_make_up_stakes(context)
    _flags_agree(context)
    _envy_letter_agrees(context)
    _payout_limit_is_allowed(context)
    for check in context.form.checks:
        check(context)


def _hand_needs_shuffler(context: ParseContext) -> None:
    """9.A.1: cards dealt from the hand are shuffled by a machine."""
    if context.choice("dealing_method") == "hand" and not uses_shuffler(context):
        context.error(
            "table.dealing_method",
            '"hand" requires a shuffler, but table.shuffle_method is manual',
            clause="9.A.1",
            value="hand",
            allowed="manual_shoe or automated_shoe, or a shuffler",
        )


def _two_decks_need_shuffler(context: ParseContext) -> None:
    """3.B: a machine shuffles the idle deck while the other is in play."""
    if context.choice("decks") == 2 and not uses_shuffler(context):
        context.error(
            "table.decks",
            "2 decks require a shuffler, but table.shuffle_method is manual",
            clause="3.B",
            value=2,
            allowed="1, or a shuffler",
        )


def _deck_life(context: ParseContext) -> None:
    """3.C: four hours where cards are dealt by hand, eight from a shoe."""
    hours, maximum = context.choice("deck_change_hours"), max_deck_hours(context)
    if hours <= maximum:
        return
    by_hand = context.choice("dealing_method") == "hand"
    reason = "dealt by hand" if by_hand else "whose board is dealt by hand (A137)"
    context.error(
        "choices.deck_change_hours",
        f"{format_value(hours)} is more than {maximum} for cards {reason}",
        clause="3.C.1" if maximum == HAND_HOURS else "3.C.2",
        value=context.stated.get("deck_change_hours"),
        allowed=f"at most {maximum}",
    )


def _boxes_have_positions(context: ParseContext) -> None:
    """A player cannot bet on more boxes than the table has."""
    boxes, positions = context.choice("max_adjacent_boxes"), context.choice("positions")
    if boxes > positions:
        context.error(
            "table.max_adjacent_boxes",
            f"{boxes} is more than the {positions} of table.positions",
            clause=context.form.choice("max_adjacent_boxes").clause,
            value=boxes,
            allowed=f"at most {positions}",
        )


def _cut_is_possible(context: ParseContext) -> None:
    """The minimums above and below the cover card leave a position for it (A136)."""
    top, bottom = context.choice("cut_min_top"), context.choice("cut_min_bottom")
    if top + bottom > DECK - 1:
        context.error(
            "choices.cut_min_bottom",
            f"{bottom} below and {top} above leave no position to cut a deck of {DECK} (A136)",
            clause=context.form.choice("cut_min_bottom").clause,
            value=bottom,
            allowed=f"at most {DECK - 1 - top}",
        )


def _chips_are_accepted(context: ParseContext) -> None:
    """7.A: wagers are made with chips, except where credits replace them."""
    instruments = context.choice("wagering_instruments")
    if "chips" not in instruments and "credits" not in instruments:
        context.error(
            "choices.wagering_instruments",
            f"{format_value(list(instruments))} does not include chips",
            clause="7.A",
            value=context.stated.get("wagering_instruments"),
            allowed=context.form.choice("wagering_instruments").kind.allowed,
        )


def _note_outstanding(context: ParseContext) -> None:
    for item in outstanding_items(context):
        context.note(
            "outstanding",
            item.field,
            item.message,
            clause=item.clause,
            value=item.value,
            allowed=item.allowed,
        )


def _even_ante_exists(context: ParseContext) -> None:
    """If antes must be even dollars, the limits allow at least one (A24)."""
    limits = context.limits.get(context.game.ante.name)
    if context.choice("chip_rounding") != "require_even_ante" or limits is None:
        return
    lowest = -(-limits.minimum // 200) * 200
    if limits.maximum is not None and limits.maximum < lowest:
        context.error(
            "choices.chip_rounding",
            f'"require_even_ante" allows no ante from {format_dollars(limits.minimum)} to '
            f"{format_dollars(limits.maximum)} (A24)",
            clause=context.form.choice("chip_rounding").clause,
            value="require_even_ante",
            allowed="limits with an even number of dollars between them",
        )


def _lowest_chip_is_in_set(context: ParseContext) -> None:
    """`lowest_chip` and `chip_set` agree on the lowest chip (A24)."""
    lowest, chips = context.choice("lowest_chip"), context.choice("chip_set")
    if lowest is not None and chips and chips[0].cents != lowest:
        context.error(
            "choices.lowest_chip",
            f"{format_dollars(lowest)} is not the lowest of choices.chip_set, "
            f"{format_dollars(chips[0].cents)}",
            clause=context.form.choice("lowest_chip").clause,
            value=context.stated.get("lowest_chip"),
            allowed=format_dollars(chips[0].cents),
        )


def _chips_make_up_stakes(context: ParseContext) -> None:
    """Every wager has a stake in whole chips; the lowest chip is at most the lowest wager (A24)."""
    chips = context.choice("chip_set")
    lowest = chips[0].cents if chips else context.choice("lowest_chip")
    if lowest is None or context.has_errors("limits", "choices"):
        return
    field = "choices.chip_set" if chips else "choices.lowest_chip"
    clause = context.form.choice(field.partition(".")[2]).clause
    chip = format_dollars(lowest)

    def error(problem: str, allowed: str) -> None:
        context.error(field, f"{chip} {problem}", clause=clause, value=chip, allowed=allowed)

    for wager, limits in context.limits.items():
        minimum = format_dollars(limits.minimum)
        if lowest > limits.minimum:
            error(f"is more than the minimum {wager}, {minimum} (A24)", f"at most {minimum}")
        elif limits.maximum is not None and limits.maximum < -(-limits.minimum // lowest) * lowest:
            maximum = format_dollars(limits.maximum)
            error(f"cannot make up the {wager} of {minimum} to {maximum} (A24)", "a chip that does")
    stake = context.choice("progressive_stake") if context.offers("progressive") else None
    if stake is not None and stake % lowest:
        wager = f"the progressive wager of {format_dollars(stake)}"
        error(f"does not make up {wager} (A24)", "a chip that does")


def _flags_agree(context: ParseContext) -> None:
    """A flag of [choices] that repeats whether a wager is offered agrees with [paytables]."""
    for offer in context.form.offers:
        flag = context.choice(offer.flag) if offer.flag else None
        if flag is None or flag == context.offers(offer.wager):
            continue
        listed = "is listed" if context.offers(offer.wager) else "is not listed"
        context.error(
            f"choices.{offer.flag}",
            f"{format_value(flag)}, but paytables.{offer.wager} {listed}",
            clause=offer.clause,
            value=flag,
            allowed=format_value(not flag),
        )


def _envy_letter_agrees(context: ParseContext) -> None:
    """The envy schedule has the letter of the progressive paytable (A58)."""
    letter, schedule = context.letters.get("progressive"), context.choice("envy_schedule")
    if letter is None or schedule is None or schedule == letter:
        return
    context.error(
        "choices.envy_schedule",
        f'"{schedule}" is not the letter of the progressive paytable, {letter} (A58)',
        clause=context.form.choice("envy_schedule").clause,
        value=schedule,
        allowed=letter,
    )


def _payout_limit_is_allowed(context: ParseContext) -> None:
    """Compare a stated payout limit with the computed one, as `Form.payout_limit` says."""
    limit, rule = context.choice("payout_limit"), context.game.limit
    computed = context.computed_limit  # None while the minimums or the paytables have errors
    if "payout_limit" not in context.stated or limit is None or computed is None or rule is None:
        return
    amount, allowed, clause = format_dollars(computed), format_dollars(computed), rule.clause
    match context.form.payout_limit:
        case "equal" if limit != computed:
            problem = f"is not the limit that the document sets, {amount} (A61)"
        case "at_most" if limit > computed:
            problem = f"is above the limit of {amount} (A62)"
        case "at_most" if limit < computed and context.choice("payout_limit_approval") is None:
            problem = f"is below {amount}: choices.payout_limit_approval is needed (A62)"
        case "at_least" if limit < computed:
            problem = f"is below the minimum limit of {amount}"
            allowed, clause = f"at least {amount}", rule.floor_clause
        case _:
            return
    context.error(
        "choices.payout_limit",
        f"{format_dollars(limit)} {problem}",
        clause=clause,
        value=context.stated["payout_limit"],
        allowed=allowed,
    )
