"""The dossier: every row names code and a test that exist, and the page shows all rows."""

from __future__ import annotations

import ast
import json
from functools import cache
from pathlib import Path

import pytest

from croupier.rulebook.dossier import VERDICTS, Requirement, requirements
from tests.support.cli import fail, succeed
from tests.support.paths import ROOT
from tools.dossier import breaks

ROWS = requirements()


@cache
def names(path: Path) -> set[str]:
    """The functions and classes of a file."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_code_and_test_of_a_row_exist(row: Requirement) -> None:
    """What is met names both; a duty of others or what is missing claims neither."""
    claims = row.verdict in ("met", "partly")
    assert claims == bool(row.code) == bool(row.test)
    if claims:
        file, _, name = row.code.partition(":")
        assert name in names(ROOT / file)
        file, _, name = row.test.partition("::")
        assert name.startswith("test_") and name in names(ROOT / file)


def test_every_row_that_is_met_can_be_broken() -> None:
    """The edit of `python -m tools.dossier` still fits the code."""
    for row, file, old, new in breaks():
        text = (ROOT / file).read_text("utf-8")
        assert old != new and text.count(old) >= 1, row.id


def test_ids_are_those_of_the_standards() -> None:
    """Each once, in sentences."""
    for row in ROWS:
        assert row.id.startswith(("GLI-19 ", "COMAR 36.")), row.id
        for text in (row.requires, row.how):
            assert text[0].isupper() or text[0] == "`", row.id
            assert text.endswith("."), row.id
    assert {row.verdict for row in ROWS} == set(VERDICTS)


def test_the_command_prints_the_rows() -> None:
    """As text and as JSON, of one standard or of all."""
    text = succeed("dossier", "comar")
    assert "COMAR 36.05.03.19: met\n" in text and "GLI-19" not in text
    rows = json.loads(succeed("dossier", "--json"))
    assert [row.id for row in ROWS] == [each["id"] for each in rows]
    assert "no requirement starts with 'ISO'" in fail("dossier", "ISO")
