"""The rule book on a console: which functions cite a clause."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from croupier.documents.console import rulebook_renderer
from croupier.rulebook import citing_functions
from tests.support.rounds import THB

CITING = re.compile("(enforced|cited): ")


def rendered(clause: str) -> list[str]:
    """The lines of a clause that say where it is enforced."""
    output = io.StringIO()
    rulebook_renderer.render(Console(file=output, width=200), THB, clause)
    return [line.strip() for line in output.getvalue().splitlines() if CITING.match(line.strip())]


def test_the_functions_that_cite_a_clause_are_listed() -> None:
    """Each on a line of its own."""
    cited = [f"enforced: {function}" for function in citing_functions(THB)["7.F.1"]]

    assert "enforced: croupier.table.parts.round.betting.check_box" in cited
    assert cited == rendered("7.F.1")


def test_a_clause_that_no_test_saw_violated_is_only_cited() -> None:
    """A heading of definitions is cited by the first wager of a round; nothing enforces it."""
    assert [f"cited: {function}" for function in citing_functions(THB)["1.A"]] == rendered("1.A")


def test_what_no_command_can_violate_is_kept_by_construction() -> None:
    """As natures.toml says: only PlaceWagers makes a wager, so a spoken bet cannot be entered."""
    assert "enforced: by construction" == rendered("7.B")[0]


def test_a_clause_without_a_citation_is_cited_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of our clauses; a game of another package may have some."""
    monkeypatch.setattr(rulebook_renderer, "citing_functions", lambda book: {})

    assert {"enforced: nowhere"} == set(rendered("7.C"))
