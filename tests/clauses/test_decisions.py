"""Decisions (chapter 11): turn order, options, stakes, and the effect of a fold."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.clauses.examples import STAYING
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
    refuses,
)

ANTE = 10_00

# Game, earlier decisions, street, decision, its wager and stake, clauses.
ANSWERS: list[tuple[str, str, str, str, str, int, tuple[str, ...]]] = [
    (THB, "", "preflop", "2x", "flop", 20_00, ("11.B.2", "11.C.1", "1.B.5")),
    (THB, "", "preflop", "fold", "", 0, ("11.B.1", "1.B.6")),
    (THB, "2x", "flop", "check", "", 0, ("11.E.2.a",)),
    (THB, "2x", "flop", "1x", "turn", 10_00, ("11.E.2.b", "1.B.11")),
    (THB, "2x check", "turn", "check", "", 0, ("11.G.2",)),
    (THB, "2x check", "turn", "1x", "river", 10_00, ("11.G.2", "1.B.9")),
    (TOP, "", "play", "1x", "play", 10_00, ("11.B.1.a", "1.B.2")),
    (TOP, "", "play", "fold", "", 0, ("11.B.1.b",)),
    (UTH, "", "preflop", "check", "", 0, ("11.B.1", "11.B.2.b", "1.B.1")),
    (UTH, "", "preflop", "3x", "play", 30_00, ("11.B.1", "11.B.2.a", "1.B.5")),
    (UTH, "", "preflop", "4x", "play", 40_00, ("11.B.1", "11.B.2.a", "1.B.5")),
    (UTH, "check", "flop", "check", "", 0, ("11.D.1", "11.D.2.b")),
    (UTH, "check", "flop", "2x", "play", 20_00, ("11.D.1", "11.D.2.a")),
    (UTH, "check check", "river", "1x", "play", 10_00, ("11.F", "11.F.1")),
    (UTH, "check check", "river", "fold", "", 0, ("11.F", "1.B.4")),
    (JACKPOT, "", "preflop", "check", "", 0, ("11.C.1", "11.C.2.b", "1.B.2")),
    (JACKPOT, "", "preflop", "3x", "play", 30_00, ("11.C.1", "11.C.2.a", "1.B.4")),
    (JACKPOT, "check", "flop", "check", "", 0, ("11.E.1", "11.E.2.b")),
    (JACKPOT, "check", "flop", "2x", "play", 20_00, ("11.E.1", "11.E.2.a")),
    (JACKPOT, "check check", "river", "1x", "play", 10_00, ("11.G", "11.G.1")),
    (JACKPOT, "check check", "river", "fold", "", 0, ("11.G", "1.B.3")),
    (RUN, "", "first", "1x", "first_run", 10_00, ("11.B.1.a", "1.B.4")),
    (RUN, "", "first", "2x", "first_run", 20_00, ("11.B.1.a", "1.B.4")),
    (RUN, "", "first", "3x", "first_run", 30_00, ("11.B.1.a", "1.B.4")),
    (RUN, "", "first", "fold", "", 0, ("11.B.1.b",)),
    (RUN, "1x", "second", "1x", "second_run", 10_00, ("11.D", "1.B.4")),
    (RUN, "1x", "second", "2x", "second_run", 20_00, ("11.D", "1.B.4")),
    (RUN, "1x", "second", "3x", "second_run", 30_00, ("11.D", "1.B.4")),
    (RUN, "1x", "second", "fold", "", 0, ("11.D",)),
    (RUN, "1x 2x", "center", "1x", "center", 10_00, ("11.F", "1.B.4")),
    (RUN, "1x 2x", "center", "2x", "center", 20_00, ("11.F", "1.B.4")),
    (RUN, "1x 2x", "center", "3x", "center", 30_00, ("11.F", "1.B.4")),
    (RUN, "1x 2x", "center", "fold", "", 0, ("11.F",)),
]


def at_street(game: str, earlier: str, street: str, **changes: Any) -> Play:
    """A round of one seat that has reached a street."""
    rules = house(game, **changes)
    return Play(rules, {2: Seat("", earlier, **opening_wagers(rules, ANTE))}).until(
        "decide", street
    )


@pytest.mark.parametrize(
    ("game", "earlier", "street", "word", "wager", "stake"),
    [
        pytest.param(*case[:-1], marks=pytest.mark.proves(case[0], *case[-1]))
        for case in ANSWERS
    ],
)  # fmt: skip
def test_an_answer_puts_down_exactly_its_multiple(
    game: str, earlier: str, street: str, word: str, wager: str, stake: int
) -> None:
    """A bet places its exact multiple of the Ante on its spot; a check or fold places nothing."""
    round_ = at_street(game, earlier, street)
    before = dict(round_.box(2).stakes)
    decided = round_.do(cmd.Decide(2, word))[0]
    assert isinstance(decided, ev.Decided)
    assert (2, street, word, wager, stake) == (
        decided.seat,
        decided.street,
        decided.word,
        decided.wager,
        decided.stake,
    )
    assert before | ({wager: stake} if wager else {}) == round_.box(2).stakes
    assert (word == "fold") is (round_.box(2).folded_at == street)


# Decisions that a street does not offer, and the clause that lists its options.
WRONG: list[tuple[str, str, str, str, str]] = [
    (THB, "", "preflop", "1x", "11.B.2"),
    (THB, "", "preflop", "check", "11.B"),
    (THB, "2x", "flop", "2x", "11.E.2.b"),
    (THB, "2x", "flop", "fold", "11.E.1"),
    (THB, "2x check", "turn", "2x", "11.G.2"),
    (THB, "2x check", "turn", "fold", "11.G.1"),
    (TOP, "", "play", "2x", "11.B.1.a"),
    (TOP, "", "play", "check", "11.B"),
    (UTH, "", "preflop", "5x", "11.B.1"),
    (UTH, "", "preflop", "fold", "11.B"),
    (UTH, "check", "flop", "4x", "11.D.1"),
    (UTH, "check", "flop", "fold", "11.D"),
    (UTH, "check check", "river", "2x", "11.F.1"),
    (UTH, "check check", "river", "check", "11.F"),
    (JACKPOT, "", "preflop", "4x", "11.C.1"),
    (JACKPOT, "", "preflop", "fold", "11.C"),
    (JACKPOT, "check", "flop", "3x", "11.E.1"),
    (JACKPOT, "check", "flop", "fold", "11.E"),
    (JACKPOT, "check check", "river", "3x", "11.G.1"),
    (JACKPOT, "check check", "river", "check", "11.G"),
    (RUN, "", "first", "4x", "11.B.1.a"),
    (RUN, "", "first", "check", "11.B.1"),
    (RUN, "1x", "second", "1500c", "11.D"),
    (RUN, "1x", "second", "check", "11.D"),
    (RUN, "1x 2x", "center", "0x", "11.F"),
    (RUN, "1x 2x", "center", "check", "11.F"),
]


@pytest.mark.parametrize(
    ("game", "earlier", "street", "word", "clause"),
    [pytest.param(*case, marks=pytest.mark.proves(case[0], case[-1])) for case in WRONG],
)
def test_an_answer_that_is_not_offered_is_refused(
    game: str, earlier: str, street: str, word: str, clause: str
) -> None:
    """Any other decision is refused under the clause of the street; it stays the seat's turn."""
    round_ = at_street(game, earlier, street)
    before = dict(round_.box(2).stakes)
    with refuses(clause):
        round_.do(cmd.Decide(2, word))
    assert before == round_.box(2).stakes
    assert round_.table.due().seat == 2


ASKED = {
    THB: ("2x check 1x", ["11.B", "11.E.1", "11.G.1"]),
    TOP: ("1x", ["11.B"]),
    UTH: ("check check 1x", ["11.B", "11.D", "11.F"]),
    JACKPOT: ("check check 1x", ["11.C", "11.E", "11.G"]),
    RUN: ("1x 1x 1x", ["11.B.1", "11.D", "11.F"]),
}


@pytest.mark.parametrize(
    ("game", "answers", "clauses"),
    [pytest.param(g, a, c, marks=pytest.mark.proves(g, *c)) for g, (a, c) in ASKED.items()],
)
def test_players_are_asked_clockwise(game: str, answers: str, clauses: list[str]) -> None:
    """Players act in seat order from the dealer's left; decisions out of turn are refused."""
    rules = house(game)
    seats = {number: Seat("", answers, **opening_wagers(rules)) for number in (1, 3, 6)}
    round_ = Play(rules, seats).until("decide")
    out_of_turn: list[str] = []
    while round_.table.due().kind != "settle":
        due = round_.table.due()
        if due.kind == "decide" and due.seat == 1:
            clause = clauses[len(out_of_turn)]
            with refuses(clause):
                round_.do(cmd.Decide(6, answers.split()[0]))
            out_of_turn.append(clause)
        round_.step()
    assert clauses == out_of_turn
    streets = [street.name for street in rules.game.streets]
    assert [(street, seat) for street in streets for seat in (1, 3, 6)] == [
        (decided.street, decided.seat) for decided in round_.of(ev.Decided)
    ]


@pytest.mark.parametrize(
    ("game", "bets", "clause"),
    [
        pytest.param(UTH, ["4x", "2x"], "11.D", marks=pytest.mark.proves(UTH, "11.D", "11.F")),
        pytest.param(
            JACKPOT, ["3x", "2x"], "11.E", marks=pytest.mark.proves(JACKPOT, "11.E", "11.G")
        ),
    ],
)
def test_a_player_who_has_bet_is_not_asked_again(game: str, bets: list[str], clause: str) -> None:
    """After a Play bet the player has no further decision."""
    rules = house(game)
    seats = {
        1: Seat("", bets[0], **opening_wagers(rules)),
        2: Seat("", f"check {bets[1]}", **opening_wagers(rules)),
        3: Seat("", "check check 1x", **opening_wagers(rules)),
    }
    round_ = Play(rules, seats).finish()
    by_street: dict[str, list[int]] = {}
    for decided in round_.of(ev.Decided):
        by_street.setdefault(decided.street, []).append(decided.seat)
    assert {"preflop": [1, 2, 3], "flop": [2, 3], "river": [3]} == by_street


@pytest.mark.parametrize(
    ("cents", "taken"), [(999, False), (1000, True), (1501, True), (3000, True), (3001, False)]
)
def test_a_run_may_be_bet_in_any_amount_if_submitted(cents: int, taken: bool) -> None:
    """With `any_amount` a run accepts any amount from one to three times the Ante (A32)."""
    round_ = at_street(RUN, "", "first", run_bet_steps="any_amount")
    command = cmd.Decide(2, f"{cents}c", cents)
    if taken:
        round_.do(command)
        assert cents == round_.box(2).stakes["first_run"]
    else:
        with refuses("11.B.1.a"):
            round_.do(command)


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("word", ["fold", "check", "1x", "1000c", "bet"])
def test_an_amount_is_not_another_decision(game: str, word: str) -> None:
    """A bet of $15 has no other word than its amount, in every game that decides."""
    steps = {"run_bet_steps": "any_amount"} if game == RUN else {}
    street = house(game).game.streets[0]
    round_ = at_street(game, "", street.name, **steps)
    is_bet = game != RUN and word in ("1x", "1000c")  # cites the bets that are offered
    bets = [option.clause for option in street.options if option.wager]
    with refuses(bets[0] if is_bet else street.clause, match=rf"{word} of \$15\.00|got '{word}'"):
        round_.do(cmd.Decide(2, word, 1500))
    if game == RUN:
        (decided,) = round_.do(cmd.Decide(2, "", 1500))
        assert isinstance(decided, ev.Decided)
        assert ("1500c", "first_run", 1500) == (decided.word, decided.wager, decided.stake)


# Game, decisions, side wagers, wagers still live (none: the hand is discarded), wagers lost.
FOLDS: list[tuple[str, str, dict[str, int], tuple[str, ...], tuple[str, ...]]] = [
    (THB, "fold", {}, (), ("11.C.2", "11.C.4")),
    (THB, "fold", {"texas_holdem_bonus": 500}, ("texas_holdem_bonus",), ("11.C.2", "11.C.3")),
    (TOP, "fold", {}, (), ("11.B.2.a", "11.B.2.b")),
    (TOP, "fold", {"top_five_bonus": 500}, ("top_five_bonus",), ("11.B.2.a", "11.B.3")),
    (TOP, "fold", {"poker_bonus": 500}, ("poker_bonus",), ("11.B.2.a", "11.B.3")),
    (UTH, "check check fold", {}, (), ("11.F.2", "11.F.3.b", "11.F.3.d")),
    (UTH, "check check fold", {"trips": 500}, ("trips",), ("11.F.2", "11.F.3.a")),
    (
        UTH,
        "check check fold",
        {"trips": 500, "six_card_bonus": 500},
        ("trips", "six_card_bonus"),
        ("11.F.2", "11.F.3.a", "11.F.3.c"),
    ),
    (UTH, "check check fold", {"progressive": 100}, ("progressive",), ("11.F.2",)),
    (UTH, "check check fold", {"bad_beat": 100}, ("bad_beat",), ("11.F.2",)),
    (UTH, "check check fold", {"ultimate_pairs": 100}, ("ultimate_pairs",), ("11.F.2",)),
    (UTH, "check check fold", {"play_the_board": 100}, ("play_the_board",), ("11.F.2",)),
    (JACKPOT, "check check fold", {}, (), ("11.G.2", "11.G.3.b", "11.G.4.b")),
    (JACKPOT, "check check fold", {"player_bonus": 500}, ("player_bonus",), ("11.G.2", "11.G.3.a")),
    (JACKPOT, "check check fold", {"progressive": 100}, ("progressive",), ("11.G.2", "11.G.4.a")),
    (RUN, "fold", {}, (), ("11.B.2.a", "11.B.2.b")),
    (RUN, "fold", {"five_card_bonus": 500}, ("five_card_bonus",), ("11.B.2.a", "11.B.3")),
    (RUN, "2x fold", {}, (), ("11.D.1.a", "11.D.1.b")),
    (RUN, "2x fold", {"ultimate_pairs_bonus": 500}, ("ultimate_pairs_bonus",), ("11.D.2",)),
    (RUN, "2x 3x fold", {}, (), ("11.F.1.a", "11.F.1.b")),
    (RUN, "2x 3x fold", {"progressive": 100}, ("progressive",), ("11.F.1.a", "11.F.2", "11.J")),
]


@pytest.mark.parametrize(
    ("game", "answers", "side", "live"),
    [
        pytest.param(
            *case[:-1],
            marks=pytest.mark.proves(case[0], *case[-1]),
            id=f"{case[0]}-{case[1].replace(' ', '-')}-{'-'.join(case[2]) or 'bare'}",
        )
        for case in FOLDS
    ],
)
def test_a_fold_costs_every_bet_but_the_live_side_wagers(
    game: str, answers: str, side: dict[str, int], live: tuple[str, ...]
) -> None:
    """A fold loses the main bets; the cards stay only while a side wager needs them."""
    rules = house(game)
    seats = {
        2: Seat("", answers, **opening_wagers(rules, ANTE, **side)),
        4: Seat("", STAYING[game], **opening_wagers(rules, ANTE)),
    }
    round_ = Play(rules, seats).finish()
    hands_kept = round_.of(ev.HandKept)
    discarded = round_.of(ev.HandDiscarded)
    assert ([live] if live else []) == [event.wagers for event in hands_kept]
    assert ([] if live else [2]) == [event.seat for event in discarded]
    lost = {name: 0 for name in round_.box(2).stakes if name not in side}
    assert lost == {name: n for name, n in round_.returned(2).items() if name not in side}
    assert set(round_.box(2).stakes) == set(round_.returned(2))


@pytest.mark.parametrize("game", EVERY_GAME)
def test_when_everyone_folds_the_round_is_settled_at_once(game: str) -> None:
    """Without an active player no further card is dealt and no dealer hand is needed (A85)."""
    fold = {UTH: "check check fold", JACKPOT: "check check fold"}.get(game, "fold")
    rules = house(game)
    seats = {number: Seat("", fold, **opening_wagers(rules, ANTE)) for number in (1, 5)}
    round_ = Play(rules, seats).finish()
    stakes = sum(opening_wagers(rules, ANTE).values())
    assert (-stakes, -stakes) == (round_.net(1), round_.net(5))
    assert round_.of(ev.StreetShown)[-1].street == rules.game.streets[len(fold.split()) - 1].name
