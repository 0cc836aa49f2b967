"""Naming rules of the package.

- A module name and a public class name occur once in `croupier/`.
- A folder has at most `MAX_MODULES` modules and a docstring.
- Only the folder of a game, and the files in `MAY_NAME_GAMES`, mention that game.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from croupier.games import CATALOGUE
from tests.support.paths import ROOT

PACKAGE = ROOT / "croupier"
MODULES = sorted(PACKAGE.rglob("*.py"))
GAME_FOLDERS = [PACKAGE / "games" / game.key for game in CATALOGUE]
# Module names that may occur more than once.
FIXED_NAMES = {
    *("__init__", "__main__", "errors"),
    "env",  # required by Alembic
    # In the folder of a game.
    *("game", "form", "solver", "exposure", "simulator", "strategy_cost", "joint_play"),
    *("folded_hands", "hand_counts"),
    # In the folder of a table part.
    *("part", "messages", "state", "apply", "round_hooks"),
}
MAX_MODULES = 18
MAY_NAME_GAMES = (
    "server/demo_data.py",  # the demonstration has tables of chosen games
    "rulebook/data/",
)


def relative(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def repeated(places: dict[str, list[str]]) -> dict[str, list[str]]:
    """The names with more than one place."""
    return {name: paths for name, paths in places.items() if len(paths) > 1}


def test_a_module_name_occurs_once() -> None:
    """The name of a module identifies its file."""
    modules = defaultdict(list)
    for path in MODULES:
        if path.stem not in FIXED_NAMES:
            modules[path.stem].append(relative(path))

    assert {} == repeated(modules)


def test_a_public_class_name_occurs_once() -> None:
    """A search for a class finds one definition."""
    classes = defaultdict(list)
    for path in MODULES:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes[node.name].append(relative(path))

    assert {} == repeated(classes)


def test_folders_can_be_taken_in_at_a_glance() -> None:
    """A folder has few modules, and its docstring says what is in it."""
    folders = defaultdict(list)
    for path in MODULES:
        folders[path.parent].append(path.name)

    assert {} == {
        relative(folder): len(names)
        for folder, names in folders.items()
        if len(names) > MAX_MODULES
    }
    for folder in folders:
        docstring = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8")))
        assert docstring, f"{relative(folder)}/__init__.py has no docstring"


@pytest.mark.parametrize("suffix", ["py", "toml", "json", "js", "html", "css"])
def test_only_the_folder_of_a_game_names_it(suffix: str) -> None:
    """Other code reads the `Game` record; docstrings and comments may name games."""
    names = [name for game in CATALOGUE for name in (game.key, game.key.upper(), game.title)]
    pattern = re.compile("|".join(map(re.escape, names)))
    for path in sorted(PACKAGE.rglob(f"*.{suffix}")):
        if any(folder in path.parents for folder in GAME_FOLDERS):
            continue
        if relative(path).startswith(MAY_NAME_GAMES):
            continue
        text = path.read_text("utf-8")
        if suffix == "py":
            text = without_docstrings_and_comments(text)
        assert not (match := pattern.search(text)), f"{relative(path)} names {match}"


def without_docstrings_and_comments(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        first = body[0] if isinstance(body, list) and body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            first.value.value = ""
    return ast.unparse(tree)
