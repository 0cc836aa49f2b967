"""The release script refuses what is not ready."""

from __future__ import annotations

import subprocess
from datetime import date
from pathlib import Path

import pytest

from tools import release

VERSION = "1.2.3"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository that is ready for the release."""
    (tmp_path / "pyproject.toml").write_text(f'[project]\nversion = "{VERSION}"\n', "utf-8")
    heading = f"## {VERSION} ({date.today():%Y-%m-%d})"
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n", "utf-8")
    for command in (
        ("git", "init", "--quiet"),
        ("git", "add", "--all"),
        ("git", "-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "-m", "ready"),
    ):
        subprocess.run(command, cwd=tmp_path, check=True)
    return tmp_path


def test_a_prepared_repository_can_be_released(repository: Path) -> None:
    """Version, changelog, clean tree, new tag."""
    assert [] == release.problems(VERSION, repository)


def test_every_missing_step_is_named(repository: Path) -> None:
    """All of them in one run."""
    subprocess.run(("git", "tag", "v9.9.9"), cwd=repository, check=True)
    (repository / "new.txt").write_text("", "utf-8")

    issues = release.problems("9.9.9", repository)

    assert 4 == len(issues)
    expected = (
        "pyproject.toml: version",
        "CHANGELOG.md",
        "git: uncommitted",
        "git: the tag v9.9.9",
    )
    assert all(issue.startswith(start) for issue, start in zip(issues, expected, strict=True))
    assert "expected three numbers" in release.problems("v1", repository)[0]
