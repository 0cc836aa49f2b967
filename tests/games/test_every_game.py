"""What every installed game must have: tests, documents, clauses, paytables, complete facts."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable, Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier import submission
from croupier.errors import UnknownGame
from croupier.games import CATALOGUE, DEALING_METHODS, Game, expected_returns, find
from croupier.games.game import load_code
from croupier.money import Pays
from croupier.rulebook import clause, clauses, duties, letters, meter_floors, paytable, readings
from tests.playthroughs.rounds import every_round
from tests.properties.test_rounds import MANY
from tests.support.hypothesis_strategies import rounds
from tests.support.paths import ROOT
from tests.support.rounds import house

every_game = pytest.mark.parametrize("game", CATALOGUE, ids=[game.key for game in CATALOGUE])
CLAUSE = re.compile(r"\d+\.[A-Z](#\d)?(\.[\w#]+)*")
READING = re.compile(r"A\d+")


@every_game
def test_a_game_has_clause_tests(game: Game) -> None:
    """Every game has a folder of tests of its clauses."""
    assert [*(ROOT / "tests" / "clauses" / game.key).glob("test_*.py")] != []


@every_game
def test_a_game_has_playthroughs_of_every_dealing_method(game: Game) -> None:
    """There is a transcript of each ending with each dealing method."""
    actual = {script.name for script in every_round() if script.game == game.key}
    endings = ("win", "lose", "fold", "everyone-folds", "void")
    expected = {f"{ending}-{method}" for ending, method in product(endings, DEALING_METHODS)}
    assert set() == expected - actual


@every_game
def test_a_game_has_an_example_submission(game: Game) -> None:
    """The example is a legal submission of this game."""
    example = submission.example(game.key)
    assert game is example.game
    assert example.offers(game.ante.name)


@every_game
def test_a_game_has_paytables_for_what_it_offers(game: Game) -> None:
    """Every optional and progressive wager has at least one paytable with lines."""
    for wager in game.wagers:
        if wager.role in ("optional", "progressive"):
            assert letters(game.key, wager.name), wager.name
        for letter in letters(game.key, wager.name):
            assert paytable(game.key, wager.name, letter).lines


@every_game
def test_a_game_is_mentioned_in_the_docs(game: Game) -> None:
    """README and docs name the game."""
    name = game.title.removesuffix(" Poker")
    assert name in (ROOT / "README.md").read_text(encoding="utf-8")
    pages = (ROOT / "docs").glob("*.md")
    assert any(name in page.read_text(encoding="utf-8") for page in pages)


def cited_by_duties(game: Game) -> Iterator[str]:
    """The clauses that the table cites for duties."""
    for cited in duties(game.key).values():
        yield from cited


def cited_by_paytables(game: Game) -> Iterator[str]:
    """The clauses of paytables, their lines and meters."""
    wagers = [wager.name for wager in game.wagers] + ["run", "envy"]
    for wager in wagers:
        for letter in letters(game.key, wager):
            table = paytable(game.key, wager, letter)
            yield table.clause
            yield from (line.clause for line in table.lines)
    for letter in letters(game.key, "meters"):
        yield from (floor.clause for floor in meter_floors(game.key, letter))


def cited_by_code(game: Game) -> Iterator[str]:
    """Every string in the game's modules that looks like a clause or a reading."""
    for source in ("game.py", "form.py"):
        for node in ast.walk(ast.parse(game.document.text(source))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
                if CLAUSE.fullmatch(text) or READING.fullmatch(text):
                    yield text


def cited_by_settle(game: Game) -> Iterator[str]:
    """The clauses of all results of all facts."""
    for results in house(game.key).tabulate().values():
        yield from (result.clause for result in results)


@every_game
@pytest.mark.parametrize(
    "source", [cited_by_duties, cited_by_paytables, cited_by_code, cited_by_settle]
)
def test_a_citation_is_a_clause_or_a_reading(
    game: Game, source: Callable[[Game], Iterator[str]]
) -> None:
    """Every citation is a clause, a heading of clauses, or a reading of the rule book."""
    known = set(readings())
    for entry in clauses(game.key):
        parts = entry.id.split(".")
        known |= {".".join(parts[: length + 1]) for length in range(1, len(parts))}
    citations = set(source(game))
    assert citations
    assert set() == citations - known


@every_game
def test_a_paytable_line_says_what_its_clause_says(game: Game) -> None:
    """The odds of each line agree with the summary of its clause."""
    wagers = [wager.name for wager in game.wagers] + ["run", "envy"]
    lines = [
        (line.pays, clause(game.key, line.clause).summary)
        for wager in wagers
        for letter in letters(game.key, wager)
        for line in paytable(game.key, wager, letter).lines
    ]
    assert lines
    assert [] == [(str(pays), summary) for pays, summary in lines if not states(summary, pays)]


def states(summary: str, pays: Pays) -> bool:
    """Whether the summary of a clause states this payout."""
    if pays.unit == "push":
        return "pushes" in summary
    if pays.unit == "percent":
        meter = "the meter" if pays.meter == "meter" else f"{pays.meter.title()} meter"
        return f" {pays.win} percent of it" in summary and meter in summary.replace("whole ", "")
    return re.search(rf" {re.escape(str(pays))}\b", summary) is not None


@every_game
@MANY
@given(data=st.data())
def test_every_facts_covers_what_judging_finds(game: Game, data: st.DataObject) -> None:
    """`judge` yields only facts of `every_facts`, and they settle each stake exactly once."""
    played = data.draw(rounds(game.key, irregular=False))
    current = played.table.round
    assert current is not None
    table = played.rules.tabulate()
    for seat, box in current.boxes.items():
        judged = [*game.judge(current.seen(seat), played.rules)]
        assert set() == set(judged) - set(table)
        resolved = [result.wager for facts in judged for result in table[facts]]
        assert len(resolved) == len(set(resolved))
        assert set(box.stakes) <= set(resolved)


@every_game
def test_a_game_is_found_by_every_name(game: Game) -> None:
    """Key, title and aliases, in any case."""
    for name in (game.key, game.title, game.title.upper(), *game.aliases):
        assert game is find(name)
    assert game is find(game.key, edition=game.edition)


def test_aliases_name_one_game() -> None:
    """No two games share a name."""
    names = [name for game in CATALOGUE for name in (game.key, game.title, *game.aliases)]
    assert len(names) == len({name.lower() for name in names})


def test_an_unknown_edition_is_refused() -> None:
    """The error lists the editions or games that exist."""
    with pytest.raises(UnknownGame, match=r"top_five, edition 99.*edition 1"):
        find("top_five", edition=99)
    with pytest.raises(UnknownGame, match="texas_holdem_bonus"):
        find("pai gow")


@every_game
def test_what_a_wager_is_judged_on_has_words_and_counts(game: Game) -> None:
    """Every side wager has a description of its cards and counts of its hands."""
    rules = submission.example(game.key)
    for wager in expected_returns.side_wagers(rules):
        basis = expected_returns.wager_basis(rules, wager)
        assert basis.words
        assert sum(expected_returns.wager_hand_counts(rules, wager).values()) > 0


def test_our_games_are_entered_like_anybodys() -> None:
    """Each entry point of pyproject.toml loads the game and edition of its name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    entry_points = project["entry-points"]["croupier.games"]
    assert {f"{game.key}.{game.edition}" for game in CATALOGUE} <= set(entry_points)
    for name, value in entry_points.items():
        game = load_code(value)
        assert name == f"{game.key}.{game.edition}"
