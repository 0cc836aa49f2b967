"""What every submission must agree with itself on, whatever the game."""

from __future__ import annotations

from croupier.games.forms import ParseContext, shown
from croupier.games.forms.common_fields import HAND_HOURS, most_hours, shuffler
from croupier.games.forms.field_types import write_dollars
from croupier.games.forms.required_approvals import owed

DECK = 52


def check(filing: ParseContext) -> None:
    """Every cross check: first the common ones, then those of the game's own form."""
    if not filing.broken("table"):
        hand_needs_shuffler(filing)
        two_decks_need_shuffler(filing)
        deck_life(filing)
    cut_leaves_room(filing)
    chips_at_least(filing)
    note_owed(filing)
    some_ante_is_even(filing)
    lowest_chip_is_of_the_set(filing)
    chips_make_up_the_stakes(filing)
    flags_agree(filing)
    for own_check in filing.form.checks:
        own_check(filing)


def hand_needs_shuffler(filing: ParseContext) -> None:
    """9.A.1: cards dealt from the hand were shuffled by a machine."""
    if filing.choice("dealing_method") == "hand" and not shuffler(filing):
        filing.error(
            "table.dealing_method",
            '"hand" needs a shuffler, table.shuffle_method is manual',
            clause="9.A.1",
            value="hand",
            allowed="manual_shoe or automated_shoe, or a shuffler",
        )


def two_decks_need_shuffler(filing: ParseContext) -> None:
    """3.B: the idle deck is shuffled by a machine while the other plays."""
    if filing.choice("decks") == 2 and not shuffler(filing):
        filing.error(
            "table.decks",
            "2 need a shuffler, table.shuffle_method is manual",
            clause="3.B",
            value=2,
            allowed="1, or a shuffler",
        )


def deck_life(filing: ParseContext) -> None:
    """3.C: four hours where cards leave the hand, eight from a shoe."""
    hours, most = filing.choice("deck_change_hours"), most_hours(filing)
    if hours <= most:
        return
    by_hand = filing.choice("dealing_method") == "hand"
    why = "dealt by hand" if by_hand else "whose board is dealt by hand (A137)"
    filing.error(
        "choices.deck_change_hours",
        f"{shown(hours)} is more than {most} for cards {why}",
        clause="3.C.1" if most == HAND_HOURS else "3.C.2",
        value=filing.given.get("deck_change_hours"),
        allowed=f"{most} at the most",
    )


def cut_leaves_room(filing: ParseContext) -> None:
    """The cover card needs a place between what lies above it and below it (A136)."""
    top, bottom = filing.choice("cut_min_top"), filing.choice("cut_min_bottom")
    if top + bottom > DECK - 1:
        filing.error(
            "choices.cut_min_bottom",
            f"{bottom} below and {top} above leave no place to cut a deck of {DECK} (A136)",
            clause=filing.form.choice("cut_min_bottom").clause,
            value=bottom,
            allowed=f"{DECK - 1 - top} at the most",
        )


def chips_at_least(filing: ParseContext) -> None:
    """7.A: wagers are made with chips, except where credits take their place."""
    instruments = filing.choice("wagering_instruments")
    if "chips" not in instruments and "credits" not in instruments:
        filing.error(
            "choices.wagering_instruments",
            f"{shown(list(instruments))} leaves out chips",
            clause="7.A",
            value=filing.given.get("wagering_instruments"),
            allowed=filing.form.choice("wagering_instruments").kind.allowed,
        )


def note_owed(filing: ParseContext) -> None:
    """What has to be on file before a table opens."""
    for each in owed(filing):
        filing.note(
            "outstanding",
            each.field,
            each.message,
            clause=each.clause,
            value=each.value,
            allowed=each.allowed,
        )


def some_ante_is_even(filing: ParseContext) -> None:
    """An ante that must be an even number of dollars has to exist between the limits (A24)."""
    limits = filing.limits.get(filing.game.ante.name)
    if filing.choice("chip_rounding") != "require_even_ante" or limits is None:
        return
    lowest = -(-limits.minimum // 200) * 200
    if limits.maximum is not None and limits.maximum < lowest:
        filing.error(
            "choices.chip_rounding",
            f'"require_even_ante" leaves no ante from {write_dollars(limits.minimum)} to '
            f"{write_dollars(limits.maximum)} (A24)",
            clause=filing.form.choice("chip_rounding").clause,
            value="require_even_ante",
            allowed="limits with an even number of dollars between them",
        )


def lowest_chip_is_of_the_set(filing: ParseContext) -> None:
    """One lowest chip, whichever of the two fields says it (A24)."""
    lowest, chips = filing.choice("lowest_chip"), filing.choice("chip_set")
    if lowest is not None and chips and chips[0].cents != lowest:
        filing.error(
            "choices.lowest_chip",
            f"{write_dollars(lowest)} is not the lowest of choices.chip_set, "
            f"{write_dollars(chips[0].cents)}",
            clause=filing.form.choice("lowest_chip").clause,
            value=filing.given.get("lowest_chip"),
            allowed=write_dollars(chips[0].cents),
        )


def chips_make_up_the_stakes(filing: ParseContext) -> None:
    """The lowest chip is no more than the smallest wager, and every wager has a stake of chips."""
    chips = filing.choice("chip_set")
    lowest = chips[0].cents if chips else filing.choice("lowest_chip")
    if lowest is None or filing.broken("limits", "choices"):
        return
    field = "choices.chip_set" if chips else "choices.lowest_chip"
    clause = filing.form.choice(field.partition(".")[2]).clause
    told = write_dollars(lowest)

    def refuse(problem: str, allowed: str) -> None:
        filing.error(field, f"{told} {problem}", clause=clause, value=told, allowed=allowed)

    for wager, limits in filing.limits.items():
        least = write_dollars(limits.minimum)
        if lowest > limits.minimum:
            refuse(f"is more than the least {wager}, {least} (A24)", f"{least} at the most")
        elif limits.maximum is not None and limits.maximum < -(-limits.minimum // lowest) * lowest:
            most = write_dollars(limits.maximum)
            refuse(f"makes up no {wager} from {least} to {most} (A24)", "a chip that does")
    stake = filing.choice("progressive_stake") if filing.offers("progressive") else None
    if stake is not None and stake % lowest:
        each = write_dollars(stake)
        refuse(f"does not make up the progressive wager of {each} (A24)", "a chip that does")


def flags_agree(filing: ParseContext) -> None:
    """What [choices] repeats of [paytables] is the same there."""
    for offer in filing.form.offers:
        said = filing.choice(offer.flag) if offer.flag else None
        if said is None or said == filing.offers(offer.wager):
            continue
        listed = "is listed" if filing.offers(offer.wager) else "is not listed"
        filing.error(
            f"choices.{offer.flag}",
            f"{shown(said)}, but paytables.{offer.wager} {listed}",
            clause=offer.clause,
            value=said,
            allowed=shown(not said),
        )
