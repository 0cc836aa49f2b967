"""Typed operator choices: the fields that all games share, and those of a progressive.

A game adds its own fields in a subclass next to its form; form and subclass must have the same
fields. A field that the submission leaves out has its default, or None if it has no default. Fields
added later have a default here and are encoded only if stated, so older digests do not change.
"""

from __future__ import annotations

from sys import intern
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import force_setattr

from croupier.games.chips import Chip
from croupier.money import Cents

Display: TypeAlias = Literal["felt", "sign"]
LimitNotice: TypeAlias = Literal["amount", "generic_reference"]
StackOrder: TypeAlias = Literal["dealer_first", "dealer_in_shuffler"]


class Envy(msgspec.Struct, frozen=True, kw_only=True):
    """The terms of the envy bonus (A53, A54, A58)."""

    schedule: str
    on_folded_hand: bool
    holder_must_wager: bool


class Progressive(msgspec.Struct, frozen=True, kw_only=True):
    """The terms of a progressive wager; the defaults apply to games without these choices."""

    stake: Cents
    meter_rounding: Literal["up_to_cent", "down_to_cent"]
    partial_award_floor: bool = False
    after_fold: bool = True
    envy: Envy | None = None


class Choices(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """The [choices] of a submission that every game has."""

    # Layout.
    operator_logo: str | None  # stated under [operator]; printed on the felt
    layout_approval: str | None
    odds_display: Display
    # Table equipment.
    drop_tip_box_position: Literal["opposite_sides_of_dealer", "same_side_as_dealer"]
    tip_box_alternative: str | None
    tip_box_obstruction: str | None
    tip_box_approval: str | None
    continuous_device: bool
    continuous_device_approval: str | None
    manual_shoe_location: str | None
    internal_controls_ref: str | None
    # Cards.
    deck_change_hours: int | float
    stub_count_every: int
    cut_min_top: int
    cut_min_bottom: int
    idle_minutes: int
    # Rounds.
    void_returns_folded: bool = True
    showdown_order: Literal["one_by_one", "all_first"] = "one_by_one"
    # Wagers and payouts.
    chip_rounding: Literal["exact", "up_to_chip", "require_even_ante"]
    lowest_chip: Cents | None
    chip_set: tuple[Chip, ...] | None = None  # lowest denomination first
    wagering_instruments: tuple[str, ...]
    accept_player_edge: bool

    def __post_init__(self) -> None:
        # A default is left out of the canonical text only if it is the same object.
        force_setattr(self, "showdown_order", intern(self.showdown_order))

    def progressive(self) -> Progressive | None:
        """The terms of the progressive wager; None in a game without one."""
        return None


class ProgressiveChoices(Choices, frozen=True, kw_only=True):
    """Choices of a game with a progressive wager."""

    offers_progressive: bool
    progressive_stake: Cents
    meter_rounding: Literal["up_to_cent", "down_to_cent"]

    def progressive(self) -> Progressive | None:
        return Progressive(stake=self.progressive_stake, meter_rounding=self.meter_rounding)


class EnvyChoices(ProgressiveChoices, frozen=True, kw_only=True):
    """Choices of a game whose progressive has an envy bonus; None where it is not offered."""

    partial_award_floor: bool
    progressive_after_fold: bool
    envy_schedule: str | None
    envy_on_folded_hand: bool
    envy_holder_must_wager: bool | None

    def progressive(self) -> Progressive | None:
        envy = None
        if self.envy_schedule is not None:
            envy = Envy(
                schedule=self.envy_schedule,
                on_folded_hand=self.envy_on_folded_hand,
                holder_must_wager=bool(self.envy_holder_must_wager),
            )
        return Progressive(
            stake=self.progressive_stake,
            meter_rounding=self.meter_rounding,
            partial_award_floor=self.partial_award_floor,
            after_fold=self.progressive_after_fold,
            envy=envy,
        )
