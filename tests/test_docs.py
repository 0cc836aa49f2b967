"""The documentation is correct: examples run, generated pages are current, paths exist."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest

import croupier
from croupier import errors
from croupier.clock import DAY
from croupier.games import CATALOGUE
from croupier.table.scenario import replay, scenario
from docs import generate, reference_pages, rules_pages
from tests.support.cli import invoke
from tests.support.manual_clock import manual_clock
from tests.support.paths import ROOT
from tests.support.recorded_rounds import AT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
API = ROOT / "docs" / "api.md"  # its examples run in test_docstrings
FOLDERS = ("croupier", "docs", "tests", "tools", "benchmarks")
PLAIN_SITE = """
INHERIT: {inherited}
docs_dir: {docs}
hooks: [{docs}/site_pages.py]
theme: {{name: mkdocs}}
plugins: [search]
"""


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page != API], ids=lambda page: page.name
)
def test_sessions_in_the_documentation_run(page: Path) -> None:
    """Every `>>>` line of a page prints what the page shows."""
    failures, _ = doctest.testfile(
        str(page), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
    )

    assert failures == 0


def test_every_public_name_can_be_imported() -> None:
    """Every name in `croupier.__all__` exists."""
    assert all(hasattr(croupier, name) for name in croupier.__all__)


def test_every_error_can_be_imported_from_the_package() -> None:
    """`croupier` exports every error class of the tree in the docstring of `errors`."""
    documented = re.findall(r"^\W*(\w+) {2,}\w", errors.__doc__ or "", re.MULTILINE)
    defined = (name for name, value in vars(errors).items() if is_error(value))
    names = {"CroupierError", *documented, *defined}
    assert {"Refusal", "LedgerError", "UnknownGame"} < names
    assert all(issubclass(getattr(croupier, name), errors.CroupierError) for name in names)


def is_error(value: object) -> bool:
    """Whether a value is an exception class of Croupier."""
    return isinstance(value, type) and issubclass(value, errors.CroupierError)


def test_relative_links_exist() -> None:
    """A relative link names an existing file."""
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_schemas_are_up_to_date() -> None:
    """The schemas of commands, events, envelopes and scenarios match the code."""
    for name, text in generate.schemas().items():
        assert (ROOT / "docs" / "schemas" / name).read_text("utf-8") == text, "run `make docs`"


def test_pictures_are_up_to_date() -> None:
    """Every generated picture is current."""
    for name, text in generate.pictures().items():
        assert (ROOT / "docs" / "pictures" / name).read_text("utf-8") == text, "run `make docs`"


def test_photographed_pages_exist() -> None:
    """Their pixels are not compared: fonts differ between machines."""
    for name in generate.photographs():
        assert (ROOT / "docs" / "pictures" / name).exists(), "run `make docs`"


def test_rules_pages_are_up_to_date() -> None:
    """Every game has a page that is generated from its rule book."""
    for name, text in rules_pages.pages().items():
        assert (ROOT / "docs" / "rules" / name).read_text("utf-8") == text, "run `make docs`"


def test_reference_pages_are_up_to_date() -> None:
    """The pages of the commands and of the Python API match the code."""
    for name, text in reference_pages.pages().items():
        assert (ROOT / "docs" / name).read_text("utf-8") == text, "run `make docs`"


def test_example_scenario_plays() -> None:
    """A royal flush, a fold, and the envy bonus of the player who folded."""
    result = replay.play(scenario.load(ROOT / "docs" / "example_round.json"))

    assert {"1": 1764475, "4": 97900} == {s: seat["net"] for s, seat in result["seats"].items()}


def test_edges_are_up_to_date() -> None:
    """The edges in the README and on their own page are those that the code calculates."""
    readme = (ROOT / "README.md").read_text("utf-8")

    assert generate.update_readme(readme) == readme, "run `make docs`"
    assert generate.edges_page() == (ROOT / "docs" / "edges.md").read_text("utf-8")


# A backticked path, or the bare name of a file; GAME is any game.
PATH = re.compile(r"`([\w.-]+(?:/[\w.-]+)+|[\w-]+\.(?:csv|json|md|py|rules|toml|txt|yaml))`")
# A line of a call path: function, file below `croupier`, explanation.
CALL = re.compile(r"^ *([\w.]+) +([\w/]+\.py)  +\S", re.MULTILINE)


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_paths_in_repository_documents_exist(name: str) -> None:
    """Every backticked path is the end of an existing one, for all games if it contains GAME."""
    existing = [*ROOT.iterdir(), *(path for top in FOLDERS for path in (ROOT / top).rglob("*"))]
    text = "".join(f"{path.as_posix()}\n" for path in existing)
    paths = PATH.findall((ROOT / name).read_text("utf-8"))
    expanded = {path.replace("GAME", game.key) for path in paths for game in CATALOGUE}
    missing = sorted(path for path in expanded if f"/{path}\n" not in text)

    assert len(expanded) > 20
    assert [] == missing


def test_call_paths_in_the_architecture_exist() -> None:
    """Every function of a call path is defined in the file beside it."""
    calls = CALL.findall((ROOT / "ARCHITECTURE.md").read_text("utf-8"))
    missing = [
        (function, file)
        for function, file in calls
        for name in function.split(".")
        if not re.search(rf"\b(def|class) {name}\b", (ROOT / "croupier" / file).read_text("utf-8"))
    ]

    assert len(calls) > 15
    assert [] == missing


def test_monitoring_names_exist() -> None:
    """Every metric and log message of the installation page is in the code."""
    page = (ROOT / "docs" / "installation.md").read_text("utf-8").partition("## Monitoring")[2]
    names = re.findall(r"^\| `([^`{]+)", page, re.MULTILINE)
    modules = (path for name in ("ledger", "server") for path in code_of(name))
    source = "\n".join(path.read_text("utf-8") for path in modules)
    missing = [name for name in names if f'"{name.removesuffix("_total")}' not in source]

    assert len(names) > 10
    assert [] == missing


def code_of(package: str) -> list[Path]:
    """The modules of a package."""
    return sorted((ROOT / "croupier" / package).rglob("*.py"))


CONSOLE = [page for page in PAGES if "```console" in page.read_text("utf-8")]
# Commands that solve a whole game.
SLOW = ("croupier par ", "croupier packet my_table.toml", "croupier packet pier.toml")


def console_commands(page: Path) -> list[tuple[str, str]]:
    """Every command of a page's console blocks, with the output that the page shows."""
    commands: list[tuple[str, str]] = []
    for block in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                commands.append((line[2:], ""))
                continue
            command, output = commands[-1]
            if "<<" in command and line.startswith(">"):  # a line of a here-document
                commands[-1] = (f"{command}\n{line[2:]}", output)
            else:
                commands[-1] = (command, f"{output}{line}\n")
    return commands


@pytest.mark.parametrize("page", CONSOLE, ids=lambda page: page.name)
def test_console_blocks_run(page: Path, tmp_path: Path) -> None:
    """In an empty folder each command succeeds, in order, and prints what the page shows."""
    commands = console_commands(page)
    run_commands(tmp_path, [item for item in commands if not item[0].startswith(SLOW)])


@pytest.mark.slow
@pytest.mark.parametrize("page", CONSOLE, ids=lambda page: page.name)
def test_all_console_blocks_run(page: Path, tmp_path: Path) -> None:
    """The same with the commands that solve a whole game."""
    run_commands(tmp_path, console_commands(page))


def run_commands(folder: Path, commands: list[tuple[str, str]]) -> None:
    """Run commands one after the other and compare their output; Enter answers every prompt."""
    assert commands, "a console block needs a command after a dollar sign"
    folder = folder / "empty"
    folder.mkdir()
    scripts = folder.parent / "bin"
    scripts.mkdir()
    for name, arguments in (("croupier", "-m croupier.cli"), ("python", "")):
        (scripts / name).write_text(f'#!/bin/sh\nexec {sys.executable} {arguments} "$@"\n')
        (scripts / name).chmod(0o755)
    path = f"{scripts}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
    checker = doctest.OutputChecker()
    for command, expected in commands:
        status, output, error = run_command(command, folder, environment)
        assert 0 == status, (command, output, error)
        matches = not expected or checker.check_output(expected, output, doctest.ELLIPSIS)
        assert matches, (command, output)


def run_command(command: str, folder: Path, environment: dict[str, str]) -> tuple[int, str, str]:
    """The exit status, output and errors of a command; a plain `croupier` needs no process."""
    enter = "q\n" if command.startswith("croupier play") else "\n" * 60
    program, *arguments = shlex.split(command, comments=True)
    if program == "croupier" and not re.search(r"[|<>&;*$]", command.partition(" # ")[0]):
        # Two days after the last commit of the example ledger
        with chdir(folder), manual_clock(at=AT + 3 * DAY, tick=1_000):
            result = invoke(arguments, input=enter, catch_exceptions=False)
        return result.exit_code, result.stdout, result.stderr
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=environment,
        input=enter,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_site_is_built_without_warnings(tmp_path: Path) -> None:
    """Links and anchors exist, the navigation lists every page, every page can be searched.

    The plain theme has the same links; `make check` builds the published site.
    """
    config, site = tmp_path / "mkdocs.yml", tmp_path / "site"
    config.write_text(PLAIN_SITE.format(inherited=ROOT / "mkdocs.yml", docs=ROOT / "docs"), "utf-8")
    mkdocs = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    mkdocs += ["--config-file", str(config), "--site-dir", str(site)]
    done = subprocess.run(mkdocs, capture_output=True, text=True, check=False)
    pages = {page.relative_to(ROOT / "docs").with_suffix(".html") for page in PAGES[1:]}
    index = (site / "search" / "search_index.json").read_text("utf-8")

    assert 0 == done.returncode, done.stderr
    assert all((site / page).exists() for page in pages)
    assert all(f'"{page.as_posix()}"' in index for page in pages)
