"""The public API has examples, and every example in a docstring runs as printed."""

from __future__ import annotations

import doctest
import inspect
from importlib import import_module
from pathlib import Path

import pytest

import croupier
from tests.support.paths import ROOT

MODULES = sorted(
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
    for path in (ROOT / "croupier").rglob("*.py")
    if "        >>> " in (text := path.read_text("utf-8")) or "    >>> " in text
)
DOCUMENTED = ("Ledger", "Shoe", "Table")  # classes that a program starts with


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.compiled if "analysis" in name else ())
        for name in MODULES
    ],
)
def test_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an empty folder."""
    monkeypatch.chdir(tmp_path)
    result = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.attempted and not result.failed


def test_public_functions_have_an_example() -> None:
    """So do the classes that a program starts with."""
    public = {name: getattr(croupier, name) for name in croupier.__all__}
    functions = [name for name, value in public.items() if inspect.isroutine(value)]
    missing = [
        name for name in (*functions, *DOCUMENTED) if ">>> " not in (public[name].__doc__ or "")
    ]
    assert [] == missing
