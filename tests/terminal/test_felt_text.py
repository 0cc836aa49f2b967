"""The felt as golden text: every game, every street, tall and flat, and nothing seen too early."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.cards import all_seen, names, parse_cards
from croupier.games.expected_returns import stake_of
from croupier.terminal.bot_players_people import YOU
from croupier.terminal.io.styled_text import cells, plain
from croupier.terminal.render import card_faces
from croupier.terminal.render.felt_text import View, felt, visible_community
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
)
from tests.terminal.scripted_sessions import golden, text_of

ANSWERS = {
    THB: "2x 1x check",
    TOP: "1x",
    UTH: "check check 1x",
    JACKPOT: "check 2x",
    RUN: "1x 2x 3x",
}
METHODS = ("hand", "automated_shoe")


def streets(game: str, method: str) -> Iterator[Play]:
    """One round, stopped at every decision and after the settlement."""
    rules = house(game, method)
    optional = {w.name: 500 for w in rules.game.wagers if w.role == "optional"}
    stakes = opening_wagers(rules, 1000, **optional)
    if rules.offers("progressive"):
        stakes["progressive"] = stake_of(rules, "progressive")
    cards = {TOP: "As Kd Qh 9c 8c Td 2s"}.get(game, "As Td")
    play = Play(
        rules,
        {
            2: Seat(cards, ANSWERS[game], YOU.id, **stakes),
            5: Seat("", ANSWERS[game], "ada", **stakes),
        },
        community="" if game == TOP else "Ac Kd Th 3c 2d",
    )
    play.open()
    while play.table.due().kind not in ("closed", "wagers"):
        if play.table.due().kind == "decide" and play.table.due().seat == 2:
            yield play
        play.step()
    yield play


def drawn(play: Play, width: int = 80, tall: bool = True) -> str:
    """The felt of seat 2."""
    current = play.table.round
    assert current is not None
    view = View(seat=2, purse=985_50, meters=play.meters, width=width, tall=tall)
    return text_of(felt(current, view))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_felt_looks_as_it_did(game: str, method: str) -> None:
    """Tall at 80 columns, flat at 40."""
    pictures = []
    for play in streets(game, method):
        pictures += [drawn(play), drawn(play, width=40)]
    expected, actual = golden(f"felts/{game}-{method}")("\n".join(pictures))

    assert expected == actual


@pytest.mark.parametrize("width", [24, 32, 40, 65, 66, 72, 80])
@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_felt_never_exceeds_its_width(game: str, width: int) -> None:
    """From 24 columns on, in both heights."""
    for play in streets(game, "automated_shoe"):
        for tall in (True, False):
            rows = drawn(play, width, tall).splitlines()

            assert max(map(cells, rows)) <= width
            assert len(rows) <= 14 or width < 66


@pytest.mark.parametrize("game", EVERY_GAME)
def test_no_card_is_seen_too_early(game: str) -> None:
    """The dealer's cards, the others' and the community's face down ones are nowhere."""
    for play in streets(game, "automated_shoe"):
        current = play.table.round
        assert current is not None
        if current.closed:
            continue
        seen = {*current.boxes[2].cards, *visible_community(current)}
        text = drawn(play) + drawn(play, width=40)
        for card in range(52):
            spelled = plain((card_faces.face(card),))
            # "3♣" may not be found inside another card, so look at its left neighbour too.
            there = any(f"{before}{spelled}" in text for before in " │")
            assert there == (card in seen), (names([card]), text)


def test_what_nobody_turned_up_stays_face_down() -> None:
    """The cross behind a lone fold is not shown, also when the round is over."""
    rules = house(RUN)
    play = Play(rules, {2: Seat("", "fold", YOU.id, **opening_wagers(rules, 1000))}).finish()
    text = drawn(play)

    assert 5 == text.count("░░░")
    for card in all_seen(play.table.round.community) if play.table.round else ():
        assert plain((card_faces.face(card),)) not in text


def test_faces_in_both_sizes() -> None:
    """Rank and suit, a ten in two figures, a back and an empty place."""
    ace, ten = parse_cards("As Th")

    assert ("A♠", "black") == card_faces.face(ace)
    assert ("10♥", "red") == card_faces.face(ten)
    assert "A♠ 10♥ ░░ --" == plain(card_faces.flat([ace, ten, "down", "none"]))
    assert ["┌───┐┌───┐", "│ A♠││10♥│", "└───┘└───┘"] == [
        plain(row) for row in card_faces.tall([ace, ten])
    ]
