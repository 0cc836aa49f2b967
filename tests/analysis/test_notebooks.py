"""The notebooks of the documentation run from top to bottom, and everything they show is shown."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def cells(notebook: Path) -> list[dict[str, Any]]:
    """The cells of a notebook."""
    content = json.loads(notebook.read_text("utf-8"))
    assert (4, 5) == (content["nbformat"], content["nbformat_minor"])
    found: list[dict[str, Any]] = content["cells"]
    return found


def run_cell(source: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does; returns the value of an expression at its end."""
    tree = ast.parse(source)
    last = tree.body[-1]
    if isinstance(last, ast.Expr):
        tree.body.pop()
    exec(compile(tree, "<cell>", "exec"), names)
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, in an empty folder; a shown value has a text, and HTML or a drawing if it can."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    shown = 0
    for cell in cells(notebook):
        if cell["cell_type"] == "code":
            value = run_cell("".join(cell["source"]), names)
            forms = (getattr(value, name, str)() for name in ("_repr_html_", "_repr_svg_"))
            rendered = [text.lstrip() for text in forms if text]
            assert all(text.startswith("<") for text in rendered)
            shown += bool(rendered)

    assert shown >= 3


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_output(notebook: Path) -> None:
    """Outputs differ between machines; every cell has an id, and the tutorial links the file."""
    code = [cell for cell in cells(notebook) if cell["cell_type"] == "code"]
    ids = [cell["id"] for cell in cells(notebook)]

    assert code and all([] == cell["outputs"] for cell in code)
    assert all(cell["execution_count"] is None for cell in code)
    assert len(set(ids)) == len(ids)
    page = (ROOT / "docs" / "tutorial_mathematician.md").read_text("utf-8")
    assert f"notebooks/{notebook.name}" in page


def test_there_are_three_notebooks() -> None:
    """A paytable, a strategy, a simulation."""
    assert ["paytable", "simulation", "strategy"] == [path.stem for path in NOTEBOOKS]
