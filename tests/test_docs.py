"""The documentation runs: every session in it is executed, every public name is importable."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import croupier
from docs import generate

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


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


def test_links_between_pages_lead_somewhere() -> None:
    """A relative link names a file that exists."""
    import re

    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_schemas_of_the_wire_are_up_to_date() -> None:
    """Commands, events and envelopes are published as they are read."""
    for name, text in generate.wire_schemas().items():
        assert (ROOT / "docs" / "schemas" / name).read_text("utf-8") == text


def test_generated_parts_are_up_to_date() -> None:
    """`make docs` would change nothing."""
    page = (ROOT / "README.md").read_text("utf-8")

    assert generate.readme(page) == page
