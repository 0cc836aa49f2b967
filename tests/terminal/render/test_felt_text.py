"""The felt as golden text: every game and street, tall and flat; hidden cards stay hidden."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.cards import names, parse_cards, require_seen
from croupier.games.expected_returns import reference_stake
from croupier.terminal.bot_players import YOU
from croupier.terminal.io.styled_text import plain_text, text_width
from croupier.terminal.render import card_faces
from croupier.terminal.render.felt_text import FeltView, felt_lines, visible_community
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
    """One round at every decision of seat 2 and after the settlement."""
    rules = house(game, method)
    optional = {w.name: 500 for w in rules.game.wagers if w.role == "optional"}
    stakes = opening_wagers(rules, 1000, **optional)
    if rules.offers("progressive"):
        stakes["progressive"] = reference_stake(rules, "progressive")
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


def draw(play: Play, width: int = 80, tall: bool = True) -> str:
    """The felt of seat 2."""
    current = play.table.round
    assert current is not None
    view = FeltView(seat=2, chips=985_50, meters=play.meters, width=width, tall=tall)
    return text_of(felt_lines(current, view))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_felt_matches_the_golden_file(game: str, method: str) -> None:
    """Tall at 80 columns, flat at 40."""
    felts = []
    for play in streets(game, method):
        felts += [draw(play), draw(play, width=40)]
    expected, actual = golden(f"felts/{game}-{method}")("\n".join(felts))

    assert expected == actual


@pytest.mark.parametrize("width", [24, 32, 40, 65, 66, 72, 80])
@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_felt_never_exceeds_its_width(game: str, width: int) -> None:
    """From 24 columns on, in both heights."""
    for play in streets(game, "automated_shoe"):
        for tall in (True, False):
            rows = draw(play, width, tall).splitlines()

            assert max(map(text_width, rows)) <= width
            assert len(rows) <= 14 or width < 66


@pytest.mark.parametrize("game", EVERY_GAME)
def test_hidden_cards_are_not_shown(game: str) -> None:
    """Cards of the dealer and the others, and community cards that are face down."""
    for play in streets(game, "automated_shoe"):
        current = play.table.round
        assert current is not None
        if current.closed:
            continue
        visible = {*current.boxes[2].cards, *visible_community(current)}
        text = draw(play) + draw(play, width=40)
        for card in range(52):
            face = plain_text((card_faces.face(card),))
            # The character before it excludes a match inside another card, such as 10♣.
            shown = any(f"{before}{face}" in text for before in " │")
            assert shown == (card in visible), (names([card]), text)


def test_unexposed_cards_stay_face_down() -> None:
    """The cross is not shown after a single player folds, even at the end of the round."""
    rules = house(RUN)
    play = Play(rules, {2: Seat("", "fold", YOU.id, **opening_wagers(rules, 1000))}).finish()
    text = draw(play)

    assert 5 == text.count("░░░")
    for card in require_seen(play.table.round.community) if play.table.round else ():
        assert plain_text((card_faces.face(card),)) not in text


@pytest.mark.parametrize("game", [TOP, UTH, JACKPOT])
def test_cards_in_the_shuffler_are_not_on_the_felt(game: str) -> None:
    """The dealer's place is empty until the players have acted (A106)."""
    backs = {}
    for order in ("dealer_first", "dealer_in_shuffler"):
        rules = house(game, dealer_stack_order=order)
        seat = Seat("", ANSWERS[game], YOU.id, **opening_wagers(rules, 1000))
        backs[order] = draw(Play(rules, {2: seat}).until("decide")).count("░░░")
    hidden = backs["dealer_first"] - backs["dealer_in_shuffler"]
    assert rules.game.dealer_cards == hidden


def test_card_faces() -> None:
    """Tall and flat cards: a ten has two digits, a card back, an empty place."""
    ace, ten = parse_cards("As Th")

    assert ("A♠", "black") == card_faces.face(ace)
    assert ("10♥", "red") == card_faces.face(ten)
    assert "A♠ 10♥ ░░ --" == plain_text(card_faces.flat_cards([ace, ten, "down", "none"]))
    assert ["┌───┐┌───┐", "│ A♠││10♥│", "└───┘└───┘"] == [
        plain_text(row) for row in card_faces.tall_cards([ace, ten])
    ]
