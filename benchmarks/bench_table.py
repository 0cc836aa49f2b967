"""Rounds per second through the public table API, compared with hands played by PokerKit."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from statistics import median

from croupier import submission
from croupier.cards import names
from croupier.table import Table
from croupier.table.commands import DealCards, Decide, NoMoreBets, PlaceWagers, Settle, ShowStreet

TURNS = 40  # alternating, so that other load on the machine affects both
SECONDS = 0.1


def ultimate_round(table: Table, deck: list[int]) -> None:
    """Play one seat, checking to the river, with a command for every decision and card."""
    cards = iter(names(deck))
    table.do(PlaceWagers(1, {"ante": 1000, "blind": 1000, "trips": 500}))
    table.do(NoMoreBets())
    while True:
        due = table.due()
        match due.kind:
            case "deal":
                table.do(DealCards(tuple(next(cards) for _ in range(due.cards))))
            case "show":
                table.do(ShowStreet())
            case "decide":
                table.do(Decide(due.seat, "1x" if due.street == "river" else "check"))
            case "settle":
                table.do(Settle())
                return
            case other:
                raise AssertionError(other)


def pokerkit_hand() -> None:
    """Play a heads-up fixed-limit hold'em hand, checked down, with PokerKit."""
    from pokerkit import Automation, FixedLimitTexasHoldem

    state = FixedLimitTexasHoldem.create_state(
        (
            Automation.ANTE_POSTING,
            Automation.BET_COLLECTION,
            Automation.BLIND_OR_STRADDLE_POSTING,
            Automation.CARD_BURNING,
            Automation.HOLE_DEALING,
            Automation.BOARD_DEALING,
            Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
            Automation.HAND_KILLING,
            Automation.CHIPS_PUSHING,
            Automation.CHIPS_PULLING,
        ),
        True,
        0,
        (1, 2),
        2,
        4,
        (200, 200),
        2,
    )
    while state.status:
        state.check_or_call()


def per_second(work: Callable[[], None]) -> float:
    """Calls per CPU second, measured over one turn."""
    done, started = 0, time.process_time()
    while time.process_time() - started < SECONDS:
        work()
        done += 1
    return done / (time.process_time() - started)


def main() -> None:
    """Print rounds per second and the ratio to the peer."""
    house = submission.example("ultimate_texas_holdem")
    table = Table(house)
    deck = list(range(52))
    rng = random.Random(1)

    def croupier_round() -> None:
        rng.shuffle(deck)
        ultimate_round(table, deck)

    croupier_round()
    pokerkit_hand()
    turns = [(per_second(croupier_round), per_second(pokerkit_hand)) for _ in range(TURNS)]
    ratios = sorted(ours / peer for ours, peer in turns)
    ours, peer = (median(side) for side in zip(*turns, strict=True))
    print(f"one-seat Ultimate rounds through the table API: {ours:,.0f}/s")
    print(f"heads-up hold'em hands through PokerKit:        {peer:,.0f}/s")
    print(f"ratio: {median(ratios):.1f}x, median of {TURNS} turns", end=" ")
    print(f"(nine of ten between {ratios[2]:.1f}x and {ratios[-3]:.1f}x)")


if __name__ == "__main__":
    main()
