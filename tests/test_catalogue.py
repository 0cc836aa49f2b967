"""A walk through the catalogue: a game without its tests, papers or clauses is a red build."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier import submission
from croupier.games import CATALOGUE, DEALING_METHODS, Facts, Game, House, Posted, Result
from croupier.games.run_em_twice import Runs
from croupier.money import Pays
from croupier.rulebook import clause, clauses, duties, letters, meter_floors, paytable, readings
from tests.playthroughs.rounds import every_round
from tests.properties.test_rounds import MANY
from tests.strategies import rounds
from tests.support import house

ROOT = Path(__file__).parents[1]
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
    """Every text in the game's module that looks like a clause or a reading."""
    module = ROOT / "croupier" / "games" / f"{game.key}.py"
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
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


# What one player may bet at the most on each covered wager, in units of the minimum.
UNITS = {
    "texas_holdem_bonus": {"ante": 1, "flop": 2, "turn": 1, "river": 1, "texas_holdem_bonus": 1},
    "ultimate_texas_holdem": {"ante": 1, "blind": 1, "play": 4, "trips": 1},
    "jackpot_holdem": {"ante": 1, "xtra_bonus": 1, "play": 3, "player_bonus": 1},
    "run_em_twice": {"first_run": 3, "second_run": 3, "center": 3},
}
LIMITED = [game for game in CATALOGUE if game.limit]


@pytest.mark.parametrize("game", LIMITED, ids=[game.key for game in LIMITED])
@pytest.mark.parametrize(("ante", "side"), [(5_00, 1_00), (25_00, 0), (100_00, 37_00)])
def test_the_most_at_minimum_is_what_settlement_can_pay(game: Game, ante: int, side: int) -> None:
    """The formula of A60 equals the best of the tabulated results, with every paytable offered."""
    assert game.limit is not None
    minimum = {
        wager.name: side if wager.role == "optional" else ante
        for wager in game.wagers
        if wager.role in ("ante", "optional")
    }
    assert max(best_at(rules, minimum) for rules in with_every_letter(game)) == (
        game.limit.most_at_minimum(minimum)
    )


def with_every_letter(game: Game) -> Iterator[House]:
    """A House for each paytable of each covered wager, one changed at a time."""
    assert game.limit is not None
    for wager in game.limit.covers:
        for letter in letters(game.key, wager):
            yield house(game.key, letters={wager: letter})
    yield house(game.key)


def best_at(rules: House, minimum: dict[str, int]) -> Fraction:
    """The most that covered wagers can win together: the best contest and the best of each side."""
    ante = minimum[rules.game.ante.name]
    units = UNITS[rules.game.key]
    contests: list[Fraction] = [Fraction(0)]
    sides: dict[str, Fraction] = {}
    for facts, results in rules.tabulate().items():
        if not possible(facts):
            continue
        won = sum(
            (winnings(result, units, minimum.get(result.wager, ante)) for result in results),
            Fraction(0),
        )
        if isinstance(facts, Posted):
            sides[facts.wager] = max(sides.get(facts.wager, Fraction(0)), won)
        else:
            contests.append(won)
    return max(contests) + sum(sides.values())


def winnings(result: Result, units: dict[str, int], unit: int) -> Fraction:
    """What a result wins on the highest bet that the covered wager allows."""
    if result.outcome != "win" or result.wager not in units:
        return Fraction(0)
    return result.pays.winnings(unit * units[result.wager])


def possible(facts: Facts) -> bool:
    """Two royal flushes through one cross would need the same five cards twice (A60)."""
    return not (isinstance(facts, Runs) and facts.first == facts.second == "royal_flush")
