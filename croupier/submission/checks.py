"""What every submission must agree with itself on, whatever the game."""

from __future__ import annotations

from croupier.submission.draft import Draft
from croupier.submission.fields.common import HAND_HOURS, most_hours, shuffler
from croupier.submission.issues import shown
from croupier.submission.kinds import has_date, write_dollars

DECK = 52


def check(draft: Draft) -> None:
    """Every cross check: first the common ones, then those of the game's own form."""
    if not draft.broken("table"):
        hand_needs_shuffler(draft)
        two_decks_need_shuffler(draft)
        deck_life(draft)
    cut_leaves_room(draft)
    chips_at_least(draft)
    approval_is_dated(draft)
    tip_box_is_somewhere(draft)
    some_ante_is_even(draft)
    flags_agree(draft)
    for own_check in draft.form.checks:
        own_check(draft)


def hand_needs_shuffler(draft: Draft) -> None:
    """9.A.1: cards dealt from the hand were shuffled by a machine."""
    if draft.choice("dealing_method") == "hand" and not shuffler(draft):
        draft.error(
            "table.dealing_method",
            '"hand" needs a shuffler, table.shuffle_method is manual',
            clause="9.A.1",
            value="hand",
            allowed="manual_shoe or automated_shoe, or a shuffler",
        )


def two_decks_need_shuffler(draft: Draft) -> None:
    """3.B: the idle deck is shuffled by a machine while the other plays."""
    if draft.choice("decks") == 2 and not shuffler(draft):
        draft.error(
            "table.decks",
            "2 need a shuffler, table.shuffle_method is manual",
            clause="3.B",
            value=2,
            allowed="1, or a shuffler",
        )


def deck_life(draft: Draft) -> None:
    """3.C: four hours where cards leave the hand, eight from a shoe."""
    hours, most = draft.choice("deck_change_hours"), most_hours(draft)
    if hours <= most:
        return
    by_hand = draft.choice("dealing_method") == "hand"
    why = "dealt by hand" if by_hand else "whose board is dealt by hand (A137)"
    draft.error(
        "choices.deck_change_hours",
        f"{shown(hours)} is more than {most} for cards {why}",
        clause="3.C.1" if most == HAND_HOURS else "3.C.2",
        value=draft.given.get("deck_change_hours"),
        allowed=f"{most} at the most",
    )


def cut_leaves_room(draft: Draft) -> None:
    """The cover card needs a place between what lies above it and below it (A136)."""
    top, bottom = draft.choice("cut_min_top"), draft.choice("cut_min_bottom")
    if top + bottom > DECK - 1:
        draft.error(
            "choices.cut_min_bottom",
            f"{bottom} below and {top} above leave no place to cut a deck of {DECK} (A136)",
            clause=draft.form.choice("cut_min_bottom").clause,
            value=bottom,
            allowed=f"{DECK - 1 - top} at the most",
        )


def chips_at_least(draft: Draft) -> None:
    """7.A: wagers are made with chips, except where credits take their place."""
    instruments = draft.choice("wagering_instruments")
    if "chips" not in instruments and "credits" not in instruments:
        draft.error(
            "choices.wagering_instruments",
            f"{shown(list(instruments))} leaves out chips",
            clause="7.A",
            value=draft.given.get("wagering_instruments"),
            allowed=draft.form.choice("wagering_instruments").kind.allowed,
        )


def approval_is_dated(draft: Draft) -> None:
    """2.B: the layout was approved before the table opens, so its approval has a day."""
    approval = draft.choice("layout_approval")
    if approval is not None and not has_date(approval):
        draft.note(
            "outstanding",
            "choices.layout_approval",
            f"{shown(approval)} names no date, such as 2031-02-14",
            clause="2.B",
            value=approval,
            allowed="a reference and its date",
        )


def tip_box_is_somewhere(draft: Draft) -> None:
    """A tip box that is not across the dealer needs the location that was approved."""
    position = draft.choice("drop_tip_box_position")
    if position != "opposite_sides_of_dealer" and draft.choice("tip_box_alternative") is None:
        draft.note(
            "outstanding",
            "choices.tip_box_alternative",
            f"not stated; {position} puts the tip box where only an approval allows it",
            clause=draft.form.choice("tip_box_alternative").clause,
            allowed="the approved location",
        )


def some_ante_is_even(draft: Draft) -> None:
    """An ante that must be an even number of dollars has to exist between the limits (A24)."""
    limits = draft.limits.get(draft.game.ante.name)
    if draft.choice("chip_rounding") != "require_even_ante" or limits is None:
        return
    lowest = -(-limits.minimum // 200) * 200
    if limits.maximum is not None and limits.maximum < lowest:
        draft.error(
            "choices.chip_rounding",
            f'"require_even_ante" leaves no ante from {write_dollars(limits.minimum)} to '
            f"{write_dollars(limits.maximum)} (A24)",
            clause=draft.form.choice("chip_rounding").clause,
            value="require_even_ante",
            allowed="limits with an even number of dollars between them",
        )


def flags_agree(draft: Draft) -> None:
    """What [choices] repeats of [paytables] is the same there."""
    for offer in draft.form.offers:
        said = draft.choice(offer.flag) if offer.flag else None
        if said is None or said == draft.offers(offer.wager):
            continue
        listed = "is listed" if draft.offers(offer.wager) else "is not listed"
        draft.error(
            f"choices.{offer.flag}",
            f"{shown(said)}, but paytables.{offer.wager} {listed}",
            clause=offer.clause,
            value=said,
            allowed=shown(not said),
        )
