"""A walk through the catalogue: a game without its tests, papers or clauses is a red build."""

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
    """Every game has a folder of tests that prove its own clauses."""
    assert [*(ROOT / "tests" / "clauses" / game.key).glob("test_*.py")] != []


@every_game
def test_a_game_has_playthroughs_of_every_dealing_method(game: Game) -> None:
    """Winning, losing, folding and void rounds are kept as text for each way of dealing."""
    kept = {script.name for script in every_round() if script.game == game.key}
    endings = ("win", "lose", "fold", "everyone-folds", "void")
    wanted = {f"{ending}-{method}" for ending, method in product(endings, DEALING_METHODS)}
    assert set() == wanted - kept


@every_game
def test_a_game_has_an_example_submission(game: Game) -> None:
    """The example is legal, is of this game and offers every optional wager it can."""
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
    """What the table cites for its duties."""
    for cited in duties(game.key).values():
        yield from cited


def cited_by_paytables(game: Game) -> Iterator[str]:
    """What settlements cite for a line, a table or a meter."""
    wagers = [wager.name for wager in game.wagers] + ["run", "envy"]
    for wager in wagers:
        for letter in letters(game.key, wager):
            table = paytable(game.key, wager, letter)
            yield table.clause
            yield from (line.clause for line in table.lines)
    for letter in letters(game.key, "meters"):
        yield from (floor.clause for floor in meter_floors(game.key, letter))


def cited_by_code(game: Game) -> Iterator[str]:
    """Every text in the game's own modules that looks like a clause or a reading."""
    for source in game.document.sources:
        for node in ast.walk(ast.parse(game.document.text(source))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
                if CLAUSE.fullmatch(text) or READING.fullmatch(text):
                    yield text


def cited_by_settle(game: Game) -> Iterator[str]:
    """What every result of every set of facts cites."""
    for results in house(game.key).tabulate().values():
        yield from (result.clause for result in results)


@every_game
@pytest.mark.parametrize(
    "source", [cited_by_duties, cited_by_paytables, cited_by_code, cited_by_settle]
)
def test_a_citation_is_a_clause_or_a_reading(
    game: Game, source: Callable[[Game], Iterator[str]]
) -> None:
    """Whatever the engine cites is a clause, the heading of some, or a reading of the rule book."""
    known = set(readings())
    for each in clauses(game.key):
        steps = each.id.split(".")
        known |= {".".join(steps[: length + 1]) for length in range(1, len(steps))}
    cited = set(source(game))
    assert cited
    assert set() == cited - known


@every_game
def test_a_paytable_line_says_what_its_clause_says(game: Game) -> None:
    """The odds of a line are those that the summary of its clause gives."""
    wagers = [wager.name for wager in game.wagers] + ["run", "envy"]
    lines = [
        (line.pays, clause(game.key, line.clause).summary)
        for wager in wagers
        for letter in letters(game.key, wager)
        for line in paytable(game.key, wager, letter).lines
    ]
    assert lines
    assert [] == [(str(pays), summary) for pays, summary in lines if not said(pays, summary)]


def said(pays: Pays, summary: str) -> bool:
    """Whether a summary in words gives these odds, sums or shares."""
    if pays.unit == "push":
        return "pushes" in summary
    if pays.unit == "percent":
        named = "the meter" if pays.meter == "meter" else f"{pays.meter.title()} meter"
        return f" {pays.win} percent of it" in summary and named in summary.replace("whole ", "")
    return re.search(rf" {re.escape(str(pays))}\b", summary) is not None


@every_game
@MANY
@given(data=st.data())
def test_every_facts_covers_what_judging_finds(game: Game, data: st.DataObject) -> None:
    """No round shows facts that tabulation does not know, and settling them is defined."""
    played = data.draw(rounds(game.key, irregular=False))
    current = played.table.round
    assert current is not None
    table = played.rules.tabulate()
    for seat, box in current.boxes.items():
        found = [*game.judge(current.seen(seat), played.rules)]
        assert set() == set(found) - set(table)
        resolved = [result.wager for facts in found for result in table[facts]]
        assert len(resolved) == len(set(resolved))
        assert set(box.stakes) <= set(resolved)


# What every room may rely on when it asks for a game.


@every_game
def test_a_game_is_found_by_every_name(game: Game) -> None:
    """Key, title and aliases in any case, with or without signs."""
    for name in (game.key, game.title, game.title.upper(), *game.aliases):
        assert game is find(name)
    assert game is find(game.key, edition=game.edition)


def test_aliases_name_one_game() -> None:
    """No name stands for two games."""
    names = [name for game in CATALOGUE for name in (game.key, game.title, *game.aliases)]
    assert len(names) == len({name.lower() for name in names})


def test_an_unknown_edition_is_refused() -> None:
    """The refusal names the editions that exist."""
    with pytest.raises(UnknownGame, match=r"top_five, edition 99.*edition 1"):
        find("top_five", edition=99)
    with pytest.raises(UnknownGame, match="texas_holdem_bonus"):
        find("pai gow")


@every_game
def test_what_a_wager_is_judged_on_has_words_and_counts(game: Game) -> None:
    """For every side wager of every setting that moves money."""
    rules = submission.example(game.key)
    for wager in expected_returns.side_wagers(rules):
        basis = expected_returns.wager_basis(rules, wager)
        assert basis.words
        assert sum(expected_returns.wager_hand_counts(rules, wager).values()) > 0


def test_our_games_are_entered_like_anybodys() -> None:
    """The entry points of pyproject.toml are the modules of the games, each with its edition."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    entered = project["entry-points"]["croupier.games"]
    assert {f"{game.key}.{game.edition}" for game in CATALOGUE} <= set(entered)
    for name, value in entered.items():
        game = load_code(value)
        assert name == f"{game.key}.{game.edition}"
