"""One name means one thing: modules, public classes, folders, and which files may name a game."""

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
# File names that every game folder, every table part and every package may have.
REPEATED = {
    *("__init__", "__main__", "errors"),
    *("game", "form", "solver", "exposure", "simulator", "strategy_cost", "joint_play"),
    *("folded_hands", "hand_counts"),
    *("part", "messages", "state", "apply", "round_hooks"),
}
MOST_IN_A_FOLDER = 18
# The demonstration has tables of chosen games.
NAMES_GAMES = ("server/demo_data.py", "py.typed")


def relative(path: Path) -> str:
    """A path below the package, for messages."""
    return path.relative_to(PACKAGE).as_posix()


def test_a_module_name_occurs_once() -> None:
    """A reader who knows the name finds the file."""
    modules = defaultdict(list)
    for path in MODULES:
        if path.stem not in REPEATED:
            modules[path.stem].append(relative(path))

    assert {} == {name: paths for name, paths in modules.items() if len(paths) > 1}


def test_a_public_class_name_occurs_once() -> None:
    """A reader who searches for a class finds one."""
    classes = defaultdict(list)
    for path in MODULES:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes[node.name].append(relative(path))

    assert {} == {name: paths for name, paths in classes.items() if len(paths) > 1}


def test_folders_can_be_taken_in_at_a_glance() -> None:
    """A folder that grows is divided by topic, and says what is in it."""
    folders = defaultdict(list)
    for path in MODULES:
        folders[path.parent].append(path.name)

    assert {} == {
        relative(folder): len(names)
        for folder, names in folders.items()
        if len(names) > MOST_IN_A_FOLDER
    }
    for folder in folders:
        described = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8")))
        assert described, f"{relative(folder)}/__init__.py does not say what is in it"


def names_of_games() -> re.Pattern[str]:
    """Keys, constants and titles of our games."""
    names = [name for game in CATALOGUE for name in (game.key, game.key.upper(), game.title)]
    return re.compile("|".join(map(re.escape, names)))


@pytest.mark.parametrize("suffix", ["py", "toml", "json", "js", "html", "css"])
def test_only_the_folder_of_a_game_names_it(suffix: str) -> None:
    """Other code asks the `Game` record; an example in a docstring may name a game."""
    pattern = names_of_games()
    for path in sorted(PACKAGE.rglob(f"*.{suffix}")):
        if any(folder in path.parents for folder in GAME_FOLDERS):
            continue
        if relative(path).startswith(NAMES_GAMES) or relative(path).startswith("rulebook/data/"):
            continue
        text = path.read_text("utf-8")
        if suffix == "py":
            text = without_docstrings_and_comments(text)
        assert not (match := pattern.search(text)), f"{relative(path)} names {match}"


def without_docstrings_and_comments(source: str) -> str:
    """Code alone: an example in a docstring is welcome."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        first = body[0] if isinstance(body, list) and body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            first.value.value = ""
    return ast.unparse(tree)
