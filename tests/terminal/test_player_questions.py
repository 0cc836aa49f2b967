"""Rules, paytables, deck commitments, bots, and the text of settlements."""

from __future__ import annotations

import hashlib
import re
from fractions import Fraction
from pathlib import Path

import pytest

from croupier import rulebook
from croupier.cards import DECK, parse_deck
from croupier.games import CATALOGUE
from croupier.submission import example
from croupier.table import shuffle_deck
from croupier.table.drivers.bots import choose_option, passive_option
from croupier.table.drivers.shuffler import Shuffler
from croupier.terminal.bot_players import bot_stakes
from croupier.terminal.io.styled_text import plain_text
from croupier.terminal.render import rules_pages
from croupier.terminal.render.narration import event_line, settlement_lines
from tests.support.rounds import UTH, Play, Seat, house
from tests.terminal.scripted_sessions import answer, text_of


def flowing(text: str) -> str:
    """Text without line breaks."""
    return " ".join(text.split())


@pytest.mark.parametrize("game", [game.key for game in CATALOGUE])
def test_a_street_is_explained_by_its_clauses(game: str) -> None:
    """The summary of every option's clause, and the payouts of every offered wager."""
    offered = example(game)
    for street in offered.game.streets:
        text = flowing(text_of(rules_pages.street_rules(offered, street)))
        for option in street.options:
            for clause in rulebook.clauses_under(game, option.clause):
                assert clause.summary in text
        for wager in offered.game.wagers:
            if offered.offers(wager.name):
                assert f"{wager.title}: " in text


@pytest.mark.parametrize("game", [game.key for game in CATALOGUE])
def test_paytables_of_the_house(game: str) -> None:
    """Every line of every posted paytable, with its clause."""
    offered = example(game)
    meters = {name: Fraction(meter.initial) for name, meter in offered.meters.items()}
    text = text_of(rules_pages.paytables(offered, meters))
    for wager in offered.letters:
        for row in offered.paytable(wager).lines:
            assert re.search(rf"{re.escape(str(row.pays))}.*\[{re.escape(row.clause)}\]", text)


def test_questions_are_answered_at_every_prompt(home: Path) -> None:
    """? explains the street or a clause, r shows paytables; then the prompt is repeated."""
    played = answer(
        home, "?", "r trips", "", "? 11.b.1", "? A86", "? 99", "?", "r", "4x", "q", game="ultimate"
    )
    text = flowing(played.text)

    assert rulebook.clause(UTH, "11.B.1").summary in text
    assert rulebook.reading("A86").question in text
    assert "unknown clause 'ultimate_texas_holdem 99'" in text
    assert "Envy bonus for another player's hand" in text
    assert "100% of mega = $10,000.00" in text
    assert played.conserved()


def test_the_deck_was_committed_before_the_bets_closed(home: Path) -> None:
    """The SHA-256 of the revealed deck is the commitment."""
    played = answer(home, "v", "", "v", "4x", "v", "q", game="ultimate")
    before, during, after = re.findall(
        r"(?:round's deck|bets closed):\s+([0-9a-f]{64})", played.text
    )
    revealed = re.search(r"([0-9a-f]{32}(?:\s+[2-9TJQKA][cdhs]){52})", played.text)
    assert revealed is not None
    text = flowing(revealed[1])

    assert before == during == after == hashlib.sha256(text.encode()).hexdigest()
    assert 52 == len(parse_deck(text.split()[1:]))
    assert played.text.index(before) < played.text.index("No more bets")
    assert "They match." in played.text


def test_the_shuffle_is_fisher_yates() -> None:
    """Each card is drawn from the remaining ones; a seed determines the sequence of decks."""
    limits: list[int] = []

    def below(limit: int) -> int:
        limits.append(limit)
        return limit - 1

    assert DECK == shuffle_deck(below)
    assert list(range(52, 1, -1)) == limits
    first, second = Shuffler(5), Shuffler(5)
    assert [first.deck() for _ in range(3)] == [second.deck() for _ in range(3)]
    assert Shuffler().deck().commitment != Shuffler().deck().commitment
    assert sorted(Shuffler().deck().cards) == list(DECK)


def test_bots_make_only_legal_decisions() -> None:
    """In every game, on every street, over many deals."""
    for game in CATALOGUE:
        offered = example(game.key)
        for street in game.streets:
            assert not passive_option(street).wager
        for seed in range(20):
            play = Play(
                offered, {seat: Seat("", "", "", **bot_stakes(offered)) for seat in (1, 2, 6)}
            )
            play.deck = list(Shuffler(seed).deck().cards)
            play.open()
            while (due := play.table.due()).kind not in ("wagers", "closed"):
                current = play.table.in_progress()
                if due.kind == "decide" and (street_now := current.street):
                    word, reason = choose_option(current, street_now, current.boxes[due.seat])
                    play.decisions[due.seat].append(word)
                    assert reason
                play.step()


def test_envy_bonus_and_meters_are_shown() -> None:
    """Another player's straight flush pays an envy bonus and lowers the meter."""
    stakes = {"ante": 1000, "blind": 1000, "progressive": 100}
    play = Play(
        house(UTH),
        {1: Seat("2c 7d", "4x", "you", **stakes), 2: Seat("9h 8h", "4x", "ada", **stakes)},
        community="7h 6h 5h Kc Qd",
    )
    play.finish()
    current = play.table.round
    assert current is not None
    rows = [plain_text(row) for row in settlement_lines(play.events, current)]
    closed = [plain_text(row) for event in play.events if (row := event_line(event, current))]

    assert any(
        re.search(r"You win an envy bonus of \$\d+.* for Ada's straight flush\.", row)
        for row in rows
    )
    assert any("The major meter pays Ada $" in row for row in rows)
    assert any(row.startswith("  Others: Ada +") for row in rows)
    assert any("Progressive bets locked: mega +" in row for row in closed)


def test_a_settled_wager_in_words() -> None:
    """The wager, its result in color, the reason, the clause; cards in the color of their suit."""
    play = Play(
        house(UTH),
        {1: Seat("Ah 3h", "4x", "you", ante=1500, blind=1500)},
        dealer="Kc Kd",
        community="7h 9h 2h Js 4c",
    )
    play.finish()
    current = play.table.round
    assert current is not None

    rows = {plain_text(row): row for row in settlement_lines(play.events, current)}
    row = rows["  Your Blind $15 wins 3 to 2, +$22.50: you have the better hand [12.B.1.e]"]
    assert ("wins 3 to 2", "win") in row
    row = rows["The dealer shows K♣ K♦: pair of kings. [11.G.1]"]
    assert [("K♣", "black"), ("K♦", "red")] == [span for span in row if span[0].startswith("K")]


def test_several_hands(home: Path) -> None:
    """Both hands are played, settled and paid from one bankroll."""
    played = answer(home, "", "4x", "check", "check", "1x", "q", game="ultimate", seats=[2, 3])

    assert "on each of 2 hands" in played.text
    assert "Your decision before the flop, seat 2" in played.text
    assert "Your decision before the flop, seat 3" in played.text
    assert "Seat 3's Ante" in played.text and "Seat 2's Ante" in played.text
    assert played.conserved()
