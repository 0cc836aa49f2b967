"""The felt and sign commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import Result

from croupier.submission import example_path
from tests.support.cli import invoke
from tests.support.rounds import UTH

RED = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00"
    b"\x90wS\xde\x00\x00\x00\x0cIDATx\x9cc\xf8\xcf\xc0\x00\x00\x03\x01\x01\x00\xc9\xfe\x92\xef"
    b"\x00\x00\x00\x00IEND\xaeB`\x82"
)


def croupier(*arguments: object) -> Result:
    """Run a command."""
    return invoke(arguments)


@pytest.fixture
def harbor(tmp_path: Path) -> Path:
    """A submission the test may change."""
    path = tmp_path / "harbor.toml"
    path.write_text(example_path(UTH).read_text("utf-8"), "utf-8")
    return path


def rewritten(path: Path, before: str, after: str) -> None:
    """Change one line of a submission."""
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after), "utf-8")


@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_a_felt_is_drawn_and_never_overwritten(harbor: Path, tmp_path: Path, suffix: str) -> None:
    """The file has the format of its suffix; a second run does not change it."""
    target = tmp_path / f"felt{suffix}"
    done = croupier("felt", harbor, "-o", target)
    assert 0 == done.exit_code, done.output
    content = target.read_bytes()
    assert content.startswith(b"<svg" if suffix == ".svg" else b"%PDF")

    again = croupier("felt", harbor, "-o", target)
    assert 2 == again.exit_code
    assert "exists already; nothing is overwritten" in again.stderr
    assert content == target.read_bytes()


def test_a_pdf_is_tagged_and_archivable(harbor: Path, tmp_path: Path) -> None:
    """It declares PDF/UA-1 and PDF/A-2 and has the time of its creation."""
    target = tmp_path / "felt.pdf"
    assert 0 == croupier("felt", harbor, "-o", target).exit_code
    content = target.read_bytes()

    assert b"/MarkInfo" in content
    assert b"/StructTreeRoot" in content
    assert re.search(rb"pdfuaid:part(>|=\")1", content)
    assert re.search(rb"pdfaid:part(>|=\")2", content)
    assert b"D:20310101021320" in content


def test_a_sign_is_drawn_only_if_required(harbor: Path, tmp_path: Path) -> None:
    """The felt shows everything, unless the operator posts the odds; --everything overrides."""
    done = croupier("sign", harbor, "-o", tmp_path / "none.svg")
    assert 2 == done.exit_code
    assert "the felt shows everything" in done.stderr
    assert not (tmp_path / "none.svg").exists()

    assert 0 == croupier("sign", harbor, "--everything", "-o", tmp_path / "all.pdf").exit_code

    rewritten(harbor, 'odds_display = "felt"', 'odds_display = "sign"')
    drawn = croupier("felt", harbor, "-o", tmp_path / "felt.svg")
    assert "posted on a sign" in drawn.stdout
    assert 0 == croupier("sign", harbor, "-o", tmp_path / "odds.svg").exit_code
    assert "50 to 1" in (tmp_path / "odds.svg").read_text("utf-8")


def test_a_logo_replaces_the_name(harbor: Path, tmp_path: Path) -> None:
    """The image file is in the folder of the submission; without it nothing is drawn."""
    rewritten(harbor, 'name = "Harbor Casino"', 'logo = "harbor.png"')
    missing = croupier("felt", harbor, "-o", tmp_path / "felt.svg")
    assert 2 == missing.exit_code
    assert "harbor.png" in missing.stderr
    (tmp_path / "harbor.png").write_bytes(RED)
    for name in ("felt.svg", "felt.pdf"):
        done = croupier("felt", harbor, "-o", tmp_path / name)
        assert 0 == done.exit_code, done.output
    assert "data:image/png;base64," in (tmp_path / "felt.svg").read_text("utf-8")


def test_other_file_types_are_refused(harbor: Path, tmp_path: Path) -> None:
    """The suffix and the folder are checked."""
    done = croupier("felt", harbor, "-o", tmp_path / "felt.png")
    assert 2 == done.exit_code
    assert "felt.png: expected a .svg or .pdf file" in done.stderr
    unwritable = croupier("felt", harbor, "-o", tmp_path / "no" / "felt.svg")
    assert 2 == unwritable.exit_code
    assert "no is not a folder" in unwritable.stderr


def test_an_illegal_submission_has_no_felt(harbor: Path, tmp_path: Path) -> None:
    """The error is printed and no file is written."""
    rewritten(harbor, 'blind = "A"', 'blind = "Z"')
    done = croupier("felt", harbor, "-o", tmp_path / "felt.svg")
    assert 2 == done.exit_code
    assert "paytables.blind" in done.stderr
    assert not (tmp_path / "felt.svg").exists()
