"""Reporting thresholds of payouts by gaming day (COMAR 36.05.03.23)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from croupier.money import Cents
from croupier.table.core.messages import Event
from croupier.table.parts.round import messages as round_msg
from croupier.table.parts.round.state import Box


class Thresholds(msgspec.Struct, frozen=True, kw_only=True):
    """The thresholds in force from a gaming day on, in cents."""

    since: date
    tax_form: Cents
    tax_times: int
    surveillance: Cents
    manager: Cents
    check: Cents


class Payout(msgspec.Struct, frozen=True, kw_only=True):
    """The payout of one wager in a pending settlement."""

    seat: int
    player: str
    wager: str
    stake: Cents
    winnings: Cents


@cache
def all_thresholds() -> tuple[Thresholds, ...]:
    """Every row of `thresholds.toml`, oldest first."""
    text = (resources.files("croupier.table.parts.payouts") / "thresholds.toml").read_text("utf-8")
    rows: list[dict[str, Any]] = tomllib.loads(text)["thresholds"]
    return tuple(
        sorted(
            (
                Thresholds(
                    since=row["from"],
                    tax_form=row["tax_form"] * 100,
                    tax_times=row["tax_times"],
                    surveillance=row["surveillance"] * 100,
                    manager=row["manager"] * 100,
                    check=row["check"] * 100,
                )
                for row in rows
            ),
            key=lambda row: row.since,
        )
    )


def thresholds(day: date) -> Thresholds:
    """The thresholds in force on a gaming day."""
    first, *others = all_thresholds()
    return next((row for row in reversed(others) if row.since <= day), first)


def payout_of(event: Event, boxes: Mapping[int, Box]) -> Payout | None:
    """The payout of a settlement event; None if it pays nothing."""
    match event:
        case round_msg.WagerSettled(outcome="win"):
            from_meter = "% of" in event.pays  # the stake stays in the tray
            winnings = event.returned - (0 if from_meter else event.stake)
            wager, stake = event.wager, event.stake
        case round_msg.EnvyPaid():
            winnings, wager = event.paid, round_msg.envy_name(event.holder)
            stake = boxes[event.seat].stakes["progressive"]
        case _:
            return None
    player = boxes[event.seat].player
    return Payout(seat=event.seat, player=player, wager=wager, stake=stake, winnings=winnings)


def is_taxable(payout: Payout, day: date) -> bool:
    """Whether a payout is reported for tax on a gaming day (Form W-2G)."""
    tiers = thresholds(day)
    return payout.winnings >= max(tiers.tax_form, tiers.tax_times * payout.stake)


def needs_document(payout: Payout, day: date) -> bool:
    """Whether a payout is documented: it is taxable, or surveillance is notified of it.

    The notice and the check depend on the amount alone (COMAR 36.05.03.23C(1), E(5)(a)).
    """
    return is_taxable(payout, day) or payout.winnings >= thresholds(day).surveillance
