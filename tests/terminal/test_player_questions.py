"""Rules, paytables, hints, decks, companions: what a player can ask for beside playing."""

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
from croupier.table.drivers.shuffler import Shuffler
from croupier.terminal.bot_players import choose_option, passive_option, stakes_of
from croupier.terminal.io.styled_text import plain
from croupier.terminal.render import rules_pages
from croupier.terminal.render.narration import settlement, tell
from tests.support.rounds import UTH, Play, Seat, house
from tests.terminal.scripted_sessions import answer, text_of


def flowing(text: str) -> str:
    """Text without its line breaks."""
    return " ".join(text.split())


@pytest.mark.parametrize("game", [game.key for game in CATALOGUE])
def test_a_street_is_explained_by_its_clauses(game: str) -> None:
    """Every option's clause in our words, and every offered wager with what it pays."""
    rules_of = example(game)
    for street in rules_of.game.streets:
        text = flowing(text_of(rules_pages.street_rules(rules_of, street)))
        for option in street.options:
            for clause in rulebook.clauses_under(game, option.clause):
                assert clause.summary in text
        for wager in rules_of.game.wagers:
            if rules_of.offers(wager.name):
                assert f"{wager.title}: " in text


@pytest.mark.parametrize("game", [game.key for game in CATALOGUE])
def test_paytables_are_those_of_the_house(game: str) -> None:
    """Every line of every posted table, with its clause."""
    rules_of = example(game)
    meters = {name: Fraction(meter.initial) for name, meter in rules_of.meters.items()}
    text = text_of(rules_pages.paytables(rules_of, meters))
    for wager in rules_of.letters:
        for row in rules_of.paytable(wager).lines:
            assert re.search(rf"{re.escape(str(row.pays))}.*\[{re.escape(row.clause)}\]", text)


def test_questions_are_answered_at_every_prompt(home: Path) -> None:
    """? explains the street or a clause, r shows paytables; both ask again."""
    played = answer(
        home, "?", "r trips", "", "? 11.b.1", "? A86", "? 99", "?", "r", "4x", "q", game="ultimate"
    )
    text = flowing(played.text)

    assert rulebook.clause(UTH, "11.B.1").summary in text
    assert rulebook.reading("A86").question in text
    assert "unknown clause 'ultimate_texas_holdem 99'" in text
    assert "Envy bonus, for another player's hand" in text
    assert "100% of mega = $10,000.00" in text
    assert played.conserved()


def test_the_deck_was_committed_before_the_bets_closed(home: Path) -> None:
    """Anybody can take the SHA-256 of what is revealed, and it is what was dealt."""
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
    assert "They agree." in played.text


def test_the_shuffle_is_fisher_and_yates() -> None:
    """Each place is drawn from those left; one seed gives one sequence of decks."""
    asked: list[int] = []

    def below(limit: int) -> int:
        asked.append(limit)
        return limit - 1

    assert DECK == shuffle_deck(below)
    assert list(range(52, 1, -1)) == asked
    first, second = Shuffler(5), Shuffler(5)
    assert [first.deck() for _ in range(3)] == [second.deck() for _ in range(3)]
    assert Shuffler().deck().commitment != Shuffler().deck().commitment
    assert sorted(Shuffler().deck().cards) == list(DECK)


def test_companions_only_do_what_is_legal() -> None:
    """In every game, on every street, over many deals; nobody who leaves adds a chip."""
    for game in CATALOGUE:
        rules_of = example(game.key)
        for street in game.streets:
            assert not passive_option(street).wager
        for seed in range(20):
            play = Play(
                rules_of, {seat: Seat("", "", "", **stakes_of(rules_of)) for seat in (1, 2, 6)}
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


def test_envy_and_meters_are_told() -> None:
    """Another player's straight flush pays the person at the terminal; the meter falls."""
    stakes = {"ante": 1000, "blind": 1000, "progressive": 100}
    play = Play(
        house(UTH),
        {1: Seat("2c 7d", "4x", "you", **stakes), 2: Seat("9h 8h", "4x", "ada", **stakes)},
        community="7h 6h 5h Kc Qd",
    )
    play.finish()
    current = play.table.round
    assert current is not None
    told = [plain(row) for row in settlement(play.events, current)]
    closed = [plain(row) for event in play.events if (row := tell(event, current))]

    assert any(re.search(r"Envy bonus for Ada's straight flush: \+\$\d+", row) for row in told)
    assert any("The major meter pays" in row and "to Ada" in row for row in told)
    assert any(row.startswith("  Others: Ada +") for row in told)
    assert any("The progressive is locked: mega +" in row for row in closed)


def test_a_settlement_reads_like_the_issue_asks() -> None:
    """The wager, what became of it, the reason in words, the clause."""
    play = Play(
        house(UTH),
        {1: Seat("Ah 3h", "4x", "you", ante=1500, blind=1500)},
        dealer="Kc Kd",
        community="7h 9h 2h Js 4c",
    )
    play.finish()
    current = play.table.round
    assert current is not None

    assert "  Blind $15 wins 3 to 2, +$22.50: you have the better hand [12.B.1.e]" in [
        plain(row) for row in settlement(play.events, current)
    ]


def test_several_boxes_are_played_one_after_the_other(home: Path) -> None:
    """Both are asked, both are settled, and the purse pays for both."""
    played = answer(home, "", "4x", "check", "check", "1x", "q", game="ultimate", seats=[2, 3])

    assert "on each of 2 boxes" in played.text
    assert "Your decision before the flop, seat 2" in played.text
    assert "Your decision before the flop, seat 3" in played.text
    assert "Seat 3: Ante" in played.text and "Seat 2: Ante" in played.text
    assert played.conserved()
