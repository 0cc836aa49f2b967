"""Envy bonuses: who is paid for another player's hand, and how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol

from croupier.games.choices import Envy
from croupier.games.house import House
from croupier.money import Cents
from croupier.rulebook import PaytableLine


class EnvyBox(Protocol):
    """The properties of a box that envy bonuses depend on."""

    @property
    def player(self) -> str: ...
    @property
    def stakes(self) -> Mapping[str, Cents]: ...
    @property
    def folded_at(self) -> str: ...
    @property
    def judged(self) -> bool: ...


class EnvyBonus(NamedTuple):
    """An envy bonus for one seat, and the line of the schedule that pays it."""

    seat: int
    paid: Cents
    line: PaytableLine


def envy_terms(house: House) -> Envy:
    """The envy bonus terms of a House that offers the bonus."""
    assert house.progressive is not None and house.progressive.envy is not None, "no envy bonus"
    return house.progressive.envy


def is_envy_holder(house: House, box: EnvyBox) -> bool:
    """Whether other players are paid for this box's hand (A53, A54)."""
    must_wager = envy_terms(house).holder_must_wager
    if not box.judged or (must_wager and "progressive" not in box.stakes):
        return False
    if not box.folded_at:
        return True
    on_folded = envy_terms(house).on_folded_hand
    return on_folded and any(house.outlives_fold(wager) for wager in box.stakes)


def may_receive_envy(house: House, box: EnvyBox) -> bool:
    """Whether a box is entitled to envy bonuses for other players' hands (A53)."""
    if not box.judged or "progressive" not in box.stakes:
        return False
    return not box.folded_at or envy_terms(house).on_folded_hand


def envy_bonuses(
    house: House, boxes: Mapping[int, EnvyBox], holder: int, hand: str
) -> Iterator[EnvyBonus]:
    """The bonuses of all entitled boxes of other players for a holder's hand (A56)."""
    line = house.envy_line(hand)
    assert line is not None, f"{hand} earns no envy bonus"
    for seat in sorted(boxes, reverse=True):
        box = boxes[seat]
        if box.player != boxes[holder].player and may_receive_envy(house, box):
            yield EnvyBonus(seat, int(line.pays.winnings(box.stakes["progressive"])), line)
