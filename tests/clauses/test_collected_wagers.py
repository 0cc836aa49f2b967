"""Wagers lost by folding go into the tray at the fold, and come back only if the round is void."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.table import Account, Table, Viewer, view, viewer_of
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.event_text import EventText
from tests.support.rounds import (
    EVERY_GAME,
    JACKPOT,
    RUN,
    THB,
    TOP,
    UTH,
    Play,
    Seat,
    house,
    opening_wagers,
    play,
)

ANTE = 10_00

# Game, decisions up to the fold, the clause, and the wagers that the dealer collects.
FOLDS: list[tuple[str, str, str, dict[str, int]]] = [
    (THB, "fold", "11.C.2", {"ante": ANTE}),
    (TOP, "fold", "11.B.2.a", {"ante": ANTE}),
    (UTH, "check check fold", "11.F.2", {"ante": ANTE, "blind": ANTE}),
    (JACKPOT, "check check fold", "11.G.2", {"ante": ANTE, "xtra_bonus": ANTE}),
    (RUN, "fold", "11.B.2.a", {"first_ante": ANTE, "second_ante": ANTE}),
    (
        RUN,
        "1x fold",
        "11.D.1.a",
        {"first_ante": ANTE, "second_ante": ANTE, "first_run": ANTE},
    ),
    (
        RUN,
        "1x 2x fold",
        "11.F.1.a",
        {"first_ante": ANTE, "second_ante": ANTE, "first_run": ANTE, "second_run": 2 * ANTE},
    ),
]
SIDE = {THB: "texas_holdem_bonus", TOP: "poker_bonus", UTH: "trips", JACKPOT: "player_bonus"}
STAYS = {
    THB: "2x check check",
    TOP: "1x",
    UTH: "check check 1x",
    JACKPOT: "check check 1x",
    RUN: "1x 1x 1x",
}
every_fold = pytest.mark.parametrize(
    ("game", "words", "clause", "lost"),
    [pytest.param(*fold, marks=pytest.mark.proves(fold[0], fold[2])) for fold in FOLDS],
)


def fold_at_seat_1(game: str, words: str, **choices: Any) -> Play:
    """Seat 1, who also has a side wager, folds; seat 2 has not decided after it."""
    rules = house(game, **choices)
    side = SIDE.get(game, "five_card_bonus")
    extra = {side: 500} | ({"progressive": 100} if rules.offers("progressive") else {})
    seats = {
        1: Seat("", words, "ann", **opening_wagers(rules, ANTE, **extra)),
        2: Seat("", STAYS[game], "bob", **opening_wagers(rules, ANTE)),
    }
    round_ = Play(rules, seats)
    while not round_.of(ev.WagersCollected):
        round_.step()
    return round_


@every_fold
def test_a_fold_moves_its_wagers_into_the_tray(
    game: str, words: str, clause: str, lost: dict[str, int]
) -> None:
    """Layout, tray and books change at the fold; the side wager stays; settlement moves no more."""
    round_ = fold_at_seat_1(game, words)
    folded, collected, kept = round_.events[-3:]
    assert isinstance(folded, ev.Decided) and isinstance(kept, ev.HandKept)
    assert isinstance(collected, ev.WagersCollected)
    assert (1, lost, clause) == (collected.seat, collected.wagers, collected.clause)
    before = Table(round_.house)
    for event in round_.events[:-2]:
        before.evolve(event)
    book = round_.table.book
    amount = sum(lost.values())
    assert amount == before.book.layout - book.layout == book.tray - before.book.tray
    round_.finish()
    settled = round_.box(1).settled
    assert dict.fromkeys(lost, (0, clause)) == {
        wager: (settled[wager].returned, settled[wager].clause) for wager in lost
    }
    side = SIDE.get(game, "five_card_bonus")
    assert round_.box(1).stakes.keys() == settled.keys() >= {side}
    assert 0 == book.layout
    assert 0 == book.tray + round_.net(1) + round_.net(2)


@every_fold
def test_collected_chips_are_off_the_felt(
    game: str, words: str, clause: str, lost: dict[str, int]
) -> None:
    """The view names the collected wagers, and the event has a sentence."""
    round_ = fold_at_seat_1(game, words)
    ann = Account("ann", "player")
    box = view(round_.table, viewer_of(round_.table, ann)).round.boxes[1]  # type: ignore[union-attr]
    assert tuple(lost) == box.collected and box.folded
    text = EventText(Viewer(Account("bob", "player")), round_.house.game, {1: "ann", 2: "bob"})
    (event,) = round_.of(ev.WagersCollected)
    ante = round_.house.game.ante.title
    assert text.describe(event).startswith(f"The dealer collects Ann's {ante} $10")


WRONG = {THB: "13.E", TOP: "13.C", UTH: "13.E", JACKPOT: "13.E", RUN: "13.C"}


@pytest.mark.upholds("A147")
@every_fold
def test_a_void_returns_what_a_fold_has_lost(
    game: str, words: str, clause: str, lost: dict[str, int]
) -> None:
    """By default out of the tray; if the operator so chooses the folded wagers stay lost."""
    for returns in (True, False):
        round_ = fold_at_seat_1(game, words, void_returns_folded=returns)
        round_.do(cmd.FindWrongNumber("seat 2"))
        round_.finish()
        box = round_.box(1)
        assert box.stakes == {**round_.returned(1), **lost}
        found = {wager: (box.settled[wager].outcome, box.settled[wager].clause) for wager in lost}
        expected = ("void", WRONG[game]) if returns else ("lose", clause)
        assert dict.fromkeys(lost, expected) == found
        assert all("A147" in box.settled[wager].clauses for wager in lost)
        amount = 0 if returns else sum(lost.values())
        assert (0, amount) == (round_.table.book.layout, round_.table.book.tray)
        assert (-amount, 0) == (round_.net(1), round_.net(2))


@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_choice_changes_nothing_in_a_round_without_a_void(game: str) -> None:
    """A fold loses its wagers under both choices."""
    words = {THB: "fold", TOP: "fold", RUN: "1x fold"}.get(game, "check check fold")
    nets = []
    for returns in (True, False):
        rules = house(game, void_returns_folded=returns)
        nets.append(play(rules, {1: Seat("", words, **opening_wagers(rules))}).net(1))
    assert nets[0] == nets[1] < 0
