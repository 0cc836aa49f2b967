"""Layout requirements typed from the documents, not read from the games' layout data."""

from __future__ import annotations

import pytest

from croupier.documents.felt import felt_checks
from croupier.documents.felt.svg_reader import ReadArea, ReadDrawing, read_svg, seen_from
from tests.clauses.attended.claims import proving
from tests.clauses.layout.drawings import drawn
from tests.support.rounds import JACKPOT, RUN, THB, TOP, UTH, house

# The names in the betting areas of each position: 2.B.2 and the optional wagers.
AREAS = {
    THB: {"Ante", "Flop", "Turn", "River", "Bonus"},
    TOP: {"Ante", "Play", "Top Five Bonus", "Poker Bonus"},
    UTH: {"Ante", "Blind", "Play", "Trips", "Progressive", "Six Card Bonus"}
    | {"Ultimate Pairs", "Bad Beat", "Play the Board"},
    JACKPOT: {"Ante", "X-tra Bonus", "Play", "Player Bonus", "Progressive"},
    RUN: {"1st Ante", "2nd Ante", "1st Run", "2nd Run", "Center"}
    | {"Five Card Bonus", "Ultimate Pairs", "Progressive"},
}
NOTICES = {
    THB: {
        "Ante pushes if the winning hand is less than a straight",
        "Payout limit $50,000 per hand",
    },
    TOP: set[str](),
    UTH: {
        "Ante pushes if the dealer has less than a pair",
        "Blind pushes if the winning hand is less than a straight",
        "Play 3× or 4× the Ante before the flop, 2× after the flop, "  # noqa: RUF001
        "1× after the last two cards",  # noqa: RUF001
    },
    JACKPOT: {
        "Dealer qualifies with a pair or better",
        "Play 3× the Ante after the first card, 2× after three cards, "  # noqa: RUF001
        "1× after five cards",  # noqa: RUF001
    },
    RUN: {"A-2-3-4-5 is a straight"},
}


def reading(game: str) -> ReadDrawing:
    """The felt of a House with every wager, parsed from the drawing."""
    rules = house(game)
    felt, _ = drawn(rules)
    assert () == felt_checks.examine(rules, felt).findings
    return read_svg(felt)


def named(table: ReadDrawing, seat: int) -> dict[str, ReadArea]:
    """The betting areas of a position by their names."""
    return {
        " ".join(text.text for text in table.texts_in(area)): area
        for area in table.areas
        if area.kind == "spot" and area.seat == seat
    }


@proving(
    T="2.B.2 2.B.5 2.B.7.a 2.B.7.b",
    F="2.B.2 2.B.3 2.B.3.a 2.B.3.b",
    U="2.B.2 2.B.5 2.B.6 2.B.8.a 2.B.8.b 2.B.8.c",
    J="2.B.2 2.B.5 2.B.6 2.B.8.a 2.B.8.b",
    R="2.B.2 2.B.4 2.B.4.a 2.B.4.b 2.B.4.c",
)
def test_areas_and_notices_are_those_of_the_text(game: str) -> None:
    """All areas are at six positions, and each notice appears once."""
    table = reading(game)
    for seat in range(1, 7):
        assert AREAS[game] == set(named(table, seat))
    notices = [text.text for text in table.texts if text.kind == "notice"]
    assert NOTICES[game] <= set(notices)
    assert len(set(notices)) == len(notices)


@proving(U="2.B.2", J="2.B.2")
def test_the_order_of_the_text(game: str) -> None:
    """As a player sees it: the Ante, the sign and the other area, left to right on one level."""
    other, sign = {UTH: ("Blind", "="), JACKPOT: ("X-tra Bonus", "+")}[game]
    table = reading(game)
    for seat in range(1, 7):
        areas = named(table, seat)
        ante = areas["Ante"].at
        right, away = seen_from(ante, areas[other].at.x, areas[other].at.y)
        between = [
            seen_from(ante, *text.center)
            for text in table.texts
            if text.kind == "sign" and text.text == sign
        ]
        assert right > 0
        assert abs(away) < 1
        assert any(0 < along < right and abs(far) < 10 for along, far in between)


@proving(R="2.B.3 2.B.3.a 2.B.3.b 2.B.3.c")
def test_the_cross_of_the_text(game: str) -> None:
    """1st Ante on the horizontal line, 2nd on the vertical one, Center where they meet (A140)."""
    table = reading(game)
    places = [area for area in table.areas if area.kind == "community"]
    by_name: dict[str, list[tuple[float, float]]] = {}
    for area in places:
        (label,) = table.texts_in(area)
        by_name.setdefault(label.text, []).append((area.at.x, area.at.y))
    ((x, y),) = by_name["Center"]
    assert {y} == {down for _, down in by_name["1st Ante"]}
    assert {x} == {across for across, _ in by_name["2nd Ante"]}
    assert [2, 2] == [len(by_name["1st Ante"]), len(by_name["2nd Ante"])]


@pytest.mark.parametrize(("threshold", "hand"), [("straight", "straight"), ("flush", "flush")])
def test_the_threshold_of_texas(threshold: str, hand: str) -> None:
    """2.B.7.a allows both; the submission chooses."""
    felt, _ = drawn(house(THB, ante_return_threshold=threshold))

    assert f"Ante pushes if the winning hand is less than a {hand}" in felt
