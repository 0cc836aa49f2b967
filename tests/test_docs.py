"""The documentation runs: every session in it is executed, every public name is importable."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest

import croupier
from croupier import errors
from croupier.ledger.log.transparency import verifier
from croupier.table.scenario import replay, scenario
from docs import generate, rules_pages
from tests.ledger.audit import small_casino
from tests.support.cli import invoke
from tests.support.paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PLAIN_SITE = """
INHERIT: {inherited}
docs_dir: {docs}
theme: {{name: mkdocs}}
plugins: [search]
"""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_sessions_in_the_documentation_run(page: Path) -> None:
    """Every `>>>` line of a page gives what the page says."""
    failures, _ = doctest.testfile(
        str(page), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
    )

    assert failures == 0


def test_every_public_name_is_there() -> None:
    """`croupier.__all__` promises nothing that is not importable."""
    assert all(hasattr(croupier, name) for name in croupier.__all__)


def test_everything_that_can_be_raised_is_offered() -> None:
    """Whoever catches a refusal finds it where the rest is; the tree is drawn in `errors`."""
    drawn = re.findall(r"^\W*(\w+) {2,}\w", errors.__doc__ or "", re.MULTILINE)
    tree = {"CroupierError", *drawn, *(n for n, kind in vars(errors).items() if is_error(kind))}
    assert {"Refusal", "LedgerError", "UnknownGame"} < tree
    assert all(issubclass(getattr(croupier, name), errors.CroupierError) for name in tree)


def is_error(kind: object) -> bool:
    """Whether something is one of our exceptions."""
    return isinstance(kind, type) and issubclass(kind, errors.CroupierError)


def test_links_between_pages_lead_somewhere() -> None:
    """A relative link names a file that exists."""
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_schemas_of_the_wire_are_up_to_date() -> None:
    """Commands, events and envelopes are published as they are read."""
    for name, text in generate.wire_schemas().items():
        assert (ROOT / "docs" / "schemas" / name).read_text("utf-8") == text


def test_the_pictures_are_up_to_date() -> None:
    """Every felt in the documentation is the one that would be drawn now."""
    for name, text in generate.pictures().items():
        assert (ROOT / "docs" / "pictures" / name).read_text("utf-8") == text, "run `make docs`"


def test_the_pages_of_rules_are_up_to_date() -> None:
    """Every game has a page, written from its rule book."""
    for name, text in rules_pages.pages().items():
        assert (ROOT / "docs" / "rules" / name).read_text("utf-8") == text, "run `make docs`"


def test_the_example_of_a_scenario_plays() -> None:
    """A royal flush, a fold, and the envy bonus of the one who folded."""
    found = replay.play(scenario.load(ROOT / "docs" / "example_round.json"))

    assert {"1": 1764475, "4": 97900} == {s: seat["net"] for s, seat in found["seats"].items()}


def test_generated_parts_are_up_to_date() -> None:
    """`make docs` would change nothing."""
    page = (ROOT / "README.md").read_text("utf-8")

    assert generate.update_readme(page) == page


CONSOLE = [page for page in PAGES if "```console" in page.read_text("utf-8")]
LONG = ("croupier par ", "croupier packet my_table.toml")  # they work out a whole game


def blocks(page: Path) -> list[tuple[str, str]]:
    """Every command of a page's console blocks, with the output that the page shows."""
    found: list[tuple[str, str]] = []
    for block in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], ""))
            else:
                command, shown = found[-1]
                found[-1] = (command, f"{shown}{line}\n")
    return found


@pytest.fixture(scope="module")
def casino(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small casino on record, of which every page has a copy."""
    path = tmp_path_factory.mktemp("documented") / "casino.db"
    small_casino.build(path, acts=20, signed=False)
    return path


@pytest.mark.parametrize("page", CONSOLE, ids=lambda page: page.name)
def test_console_blocks_of_the_documentation_run(page: Path, casino: Path, tmp_path: Path) -> None:
    """Each command ends well and prints what the page says, in a folder with a small casino."""
    run_blocks(tmp_path, casino, [each for each in blocks(page) if not each[0].startswith(LONG)])


@pytest.mark.slow
@pytest.mark.parametrize("page", CONSOLE, ids=lambda page: page.name)
def test_every_console_block_runs(page: Path, casino: Path, tmp_path: Path) -> None:
    """Those that work out a whole game too."""
    run_blocks(tmp_path, casino, blocks(page))


def run_blocks(folder: Path, casino: Path, found: list[tuple[str, str]]) -> None:
    """Run commands one after the other; whoever is asked something takes what is proposed."""
    assert found, "a console block has a command after a dollar sign"
    shutil.copy(casino, folder / "casino.db")
    shutil.copy(verifier.__file__, folder / "verifier.py")
    tools = folder / "bin"
    tools.mkdir()
    for name, runs in (("croupier", "-m croupier.cli"), ("python", "")):
        (tools / name).write_text(f'#!/bin/sh\nexec {sys.executable} {runs} "$@"\n')
        (tools / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    checker = doctest.OutputChecker()
    for command, shown in found:
        status, told, errors = ended(command, folder, environment)
        assert 0 == status, (command, told, errors)
        assert not shown or checker.check_output(shown, told, doctest.ELLIPSIS), (command, told)


def ended(command: str, folder: Path, environment: dict[str, str]) -> tuple[int, str, str]:
    """The status of a command and what it printed; one of ours alone needs no process."""
    enter = "\n" * 60
    program, *arguments = shlex.split(command)
    if program == "croupier" and not re.search(r"[|<>&;*$]", command):
        with chdir(folder):
            ours = invoke(arguments, input=enter, catch_exceptions=False)
        return ours.exit_code, ours.stdout, ours.stderr
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


def test_the_site_is_built_and_its_links_are_whole(tmp_path: Path) -> None:
    """A link or an anchor that leads nowhere is an error; every page can be searched.

    Whichever theme draws them, links are the same; `make check` builds the site as it is published.
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
