"""Tests of the clauses of Harbor Duel, by rounds and by submissions."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from typing import Any

import pytest

from croupier import submission
from croupier.games import House, find, with_digest
from croupier.rulebook import citing_functions, clauses, coverage, proofs, reading, readings_of
from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.conftest import CLAIMED
from tests.plugin_game.install import KEY
from tests.support.rounds import Play, Seat, play, refuses

proves = pytest.mark.proves


def duel(edition: int = 2, letter: str = "A", method: str = "automated_shoe") -> House[Any]:
    """The House of the example in an edition, with a paytable and a dealing method."""
    house = submission.example(KEY)
    changed = replace(house, game=find(KEY, edition), letters={"twin_bonus": letter})
    return with_digest(replace(changed, dealing_method=method))  # type: ignore[arg-type]


def played(own: str, dealer: str, answer: str = "1x", edition: int = 2, **more: Any) -> Play:
    """Play a round with one seat and an Ante of ten dollars."""
    side = more.pop("twin_bonus", 0)
    stakes = {"ante": 1000} | ({"twin_bonus": side} if side else {})
    return play(duel(edition, **more), {2: Seat(own, answer, **stakes)}, dealer=dealer)


@proves(KEY, "1.A", "7.C", "7.E.1", "10.A", "11.B", "11.B.1", "11.C", "11.C.1", "6.A")
def test_the_higher_kind_wins() -> None:
    """Twins beat mates, and mates beat strangers; both bets are decided."""
    assert {"ante": 0, "play": 0} == played("As Kd", "3c 2c").returned(2)
    assert {"ante": 0, "play": 0} == played("As Ks", "2c 2d").returned(2)
    assert {"ante": 2000, "play": 2000} == played("3c 2c", "As Kd").returned(2)
    assert {"ante": 2000, "play": 2000} == played("2c 2d", "As Ks").returned(2)


@proves(KEY, "6.B", "6.C", "11.C.2")
def test_cards_decide_between_equal_kinds() -> None:
    """The high card, then the low card; equal ranks tie and both bets push."""
    assert {"ante": 2000, "play": 2000} == played("Ks 3s", "Qd Jd").returned(2)
    assert {"ante": 0, "play": 0} == played("Ks 3s", "Kd 4d").returned(2)
    assert {"ante": 1000, "play": 1000} == played("Ks 3s", "Kd 3d").returned(2)


@proves(KEY, "11.C.3", "12.A")
def test_strangers_win_the_play_bet_only() -> None:
    """The Ante pushes, except with an ace in the second edition."""
    for edition in (1, 2):
        result = played("Ks Qd", "Jc 9h", edition=edition)
        assert {"ante": 1000, "play": 2000} == result.returned(2)
        assert {"ante": "11.C.3", "play": "12.A"} == result.clauses(2)
    assert {"ante": 1000, "play": 2000} == played("As Qd", "Jc 9h", edition=1).returned(2)
    assert {"ante": 2000, "play": 2000} == played("As Qd", "Jc 9h", edition=2).returned(2)


@proves(KEY, "7.E.3", "11.B.2", "11.B.3", "11.C.4", "12.B.1.a")
def test_a_fold_loses_the_ante_and_keeps_the_bonus() -> None:
    """The bonus is still paid."""
    result = played("As Ad", "3c 2c", "fold", twin_bonus=500)
    assert {"ante": 0, "twin_bonus": 500 * 21} == result.returned(2)


LINES = [
    ("A", "Ks Kd", 7, "12.B.1.b"),
    ("A", "Ks 2s", 2, "12.B.1.c"),
    ("B", "As Ad", 31, "12.B.2.a"),
    ("B", "Ks Kd", 6, "12.B.2.b"),
    ("B", "Ks 2s", 2, "12.B.2.c"),
]


@pytest.mark.parametrize(
    ("letter", "own", "times", "clause"),
    [pytest.param(*case, marks=proves(KEY, case[-1])) for case in LINES],
)
def test_the_bonus_pays_by_its_line(letter: str, own: str, times: int, clause: str) -> None:
    """By the first line that covers the hand; the amount includes the stake."""
    result = played(own, "9c 7h", letter=letter, twin_bonus=100)
    assert 100 * times == result.returned(2)["twin_bonus"]
    assert clause == result.clauses(2)["twin_bonus"]


@pytest.mark.parametrize(
    ("method", "order"),
    [
        pytest.param("manual_shoe", "2 dealer 2 dealer", marks=proves(KEY, "8.B")),
        pytest.param("hand", "2 dealer 2 dealer", marks=proves(KEY, "9.B")),
        pytest.param("automated_shoe", "2 2 dealer dealer", marks=proves(KEY, "10.A")),
    ],
)
def test_dealing(method: str, order: str) -> None:
    """One card at a time, or in stacks of two."""
    result = played("As Kd", "3c 2c", method=method)
    (dealt,) = result.of(ev.CardsDealt)
    assert order == " ".join(map(str, dealt.places))


@proves(KEY, "7.D")
def test_nothing_is_bet_after_the_call() -> None:
    """A wager after "no more bets" is refused."""
    rounds = Play(duel(), {2: Seat("As Kd", "1x", ante=1000)}).open()
    with refuses("7.D"):
        rounds.do(cmd.PlaceWagers(3, {"ante": 1000}))


@proves(KEY, "13.A", "13.C", "13.D", "13.B")
def test_irregularities() -> None:
    """An exposed card, a wrong count and a jam void the round; a card drawn in error is used."""
    commands = (cmd.FindWrongNumber("seat 2"), cmd.JamShoe())
    for command in commands:
        rounds = Play(duel(), {2: Seat("As Kd", "1x", ante=1000)}, dealer="3c 2c").open()
        if isinstance(command, cmd.FindWrongNumber):
            rounds.until("show")
        rounds.do(command)
        rounds.finish()
        assert {"ante": 1000} == rounds.returned(2)
    exposed = play(
        duel(method="hand"), {2: Seat("As Kd", "1x", ante=1000)}, dealer="3c 2c", face_up={1: "9c"}
    )
    assert exposed.void is not None
    drawn = Play(duel(), {2: Seat("As Kd", "1x", ante=1000)}, dealer="3c 2c").open()
    drawn.do(cmd.DrawInError())
    drawn.finish()
    assert drawn.void is None


def filed(**changes: Any) -> dict[str, Any]:
    """The data of the example with changed sections."""
    data = tomllib.loads(submission.example_path(KEY).read_text("utf-8"))
    return {name: data.get(name, {}) | changes.get(name, {}) for name in ("table", "choices")} | {
        name: changes.get(name, value)
        for name, value in data.items()
        if name not in ("table", "choices")
    }


@proves(KEY, "2.B", "2.B.1", "7.E.2", "7.F", "8.A", "9.A.1", "12.B")
def test_submissions() -> None:
    """The fields of the game and of all games are parsed, rejected and cited."""
    draft = submission.draft(
        filed(
            operator={},
            paytables={"twin_bonus": "Z"},
            table={"max_adjacent_boxes": 9},
            choices={"offers_twin_bonus": False, "layout_approval": None},
        )
    )
    assert not draft.legal
    by_hand = {"dealing_method": "hand", "shuffle_method": "manual", "decks": 1}
    assert not submission.draft(filed(table=by_hand)).legal
    manual = submission.draft(filed(table={"dealing_method": "manual_shoe"}))
    assert ("choices.manual_shoe_location",) == tuple(i.field for i in manual.of("outstanding"))


def test_the_documents_are_found() -> None:
    """Both editions have their clauses; they differ in one."""
    first, second = (clauses(find(KEY, edition).document) for edition in (1, 2))
    changed = [new.id for old, new in zip(first, second, strict=True) if old != new]
    assert ["11.C.3"] == changed
    assert "HD1" == reading("HD1", KEY).id
    assert ["HD1"] == [entry.id for entry in readings_of(KEY, "6.B")]


def test_every_clause_that_software_enforces_is_proved(request: pytest.FixtureRequest) -> None:
    """The recorded proofs are current, and complete for engine and submission."""
    claimed = {
        clause: tests
        for (game, clause), tests in request.config.stash[CLAIMED].items()
        if game == KEY
    }
    assert claimed == {clause: set(tests) for clause, tests in proofs(KEY).items()}, "make proofs"
    assert "11.C.3" in citing_functions(KEY)
    required = {clause.id for clause in clauses(KEY) if clause.proof in ("engine", "submission")}
    assert required <= set(claimed)
    assert not coverage(KEY).enforced, "mutants cover only the games of Croupier"
