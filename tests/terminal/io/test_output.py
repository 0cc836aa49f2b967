"""Output without colors and without Unicode, and text that cannot control the terminal."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from croupier.submission import example, example_path
from croupier.terminal.io.output import Screen
from croupier.terminal.io.styled_text import clip, line, plain_text, text_width, wrap, wrap_lines
from docs.terminal_picture import svg
from tests.terminal.scripted_sessions import answer

ESCAPE = re.compile(r"\x1b\[")


def encoded(encoding: str) -> io.TextIOWrapper:
    """A stream that raises on characters its encoding does not have."""
    return io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict", newline="")


def content(stream: io.TextIOWrapper) -> str:
    """The text written to a stream."""
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode(stream.encoding)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_ascii_if_the_encoding_has_no_suits(encoding: str, home: Path) -> None:
    """Suits become letters, and frames become characters of the same width."""
    stream = encoded(encoding)
    from croupier import terminal

    script = io.StringIO("\ncheck\ncheck\n1x\nq\n")
    assert terminal.play(stdin=script, stdout=stream, seed=7, answers=True, game="ultimate") == 0
    text = content(stream)

    assert text.isascii()
    assert "+---++---+   +---++---++---+" in text
    assert re.search(r"\|[ 1][2-9TJQKA0][cdhs]\|", text)
    assert max(map(len, text.splitlines())) <= 80


def test_ascii_option(home: Path) -> None:
    """Even if the terminal can show Unicode."""
    assert answer(home, "", "1x", "q", game="top five", ascii=True).text.isascii()
    assert not answer(home, "", "1x", "q", game="top five").text.isascii()


def test_colors_follow_the_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe gets none; FORCE_COLOR enables colors; NO_COLOR overrides it."""
    piped = answer(home, "", "1x", "q", game="top five")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    colored = answer(home, "", "1x", "q", game="top five")
    monkeypatch.setenv("NO_COLOR", "1")
    monochrome = answer(home, "", "1x", "q", game="top five")

    assert not ESCAPE.search(piped.text)
    assert re.search(r"\x1b\[1;31;47m ?\S+[♥♦]", colored.text)
    assert not re.search(r"\x1b\[[\d;]*(3[1-7]|4[0-7])m", monochrome.text)


NASTY = "[bold red]Casino[/] :smile: [link=x]"


def test_names_are_not_markup(home: Path, tmp_path: Path) -> None:
    """An operator's name is printed as it is written."""
    text = example_path("top_five").read_text("utf-8")
    changed = re.sub(r'name = "[^"]*"', lambda _: f'name = "{NASTY}"', text, count=1)
    file = tmp_path / "nasty.toml"
    file.write_text(changed, encoding="utf-8")
    played = answer(home, "", "1x", "q", submission=file)

    assert f"at {NASTY}" in played.text
    assert f"─ {NASTY} ─┘" in played.text
    assert max(map(text_width, played.text.splitlines())) <= 80


def test_control_characters_are_replaced(home: Path) -> None:
    """Control and direction characters are shown as question marks."""
    stream = io.StringIO()
    Screen(stream).show([line("a\x1b[2Jb\x07c\u202ed\re", ("[red]", "strong"))])
    played = answer(home, "\x1b[2J", "", "\x1b]0;x\x07", "f", "q", game="top five")

    assert "a?[2Jb?c?d?e[red]\n" == stream.getvalue()
    assert "\x1b" not in played.text and "\x07" not in played.text


def test_wide_characters_take_two_columns(tmp_path: Path) -> None:
    """Combining characters take none."""
    assert 8 == text_width("賭場屋ab")
    assert 4 == text_width("cafe\u0301")
    assert "賭場…" == clip("賭場屋敷街", 6)


def test_lines_are_wrapped_at_words() -> None:
    """Continuation rows are indented; a word longer than a row is cut; styles are kept."""
    rows = wrap(line("  one two ", ("three four", "strong"), " five"), 12)

    assert ["  one two", "    three", "    four", "    five"] == [plain_text(row) for row in rows]
    assert ("three", "strong") in rows[1]
    assert max(text_width(plain_text(row)) for row in wrap(line("x" * 300), 20)) <= 20
    assert all(text_width(plain_text(row)) <= 9 for row in wrap_lines([line("賭場屋" * 9)], 9))


def test_unencodable_characters_are_replaced() -> None:
    """Characters outside the encoding become question marks."""
    stream = encoded("ascii")
    Screen(stream).show([line("Żółw ♥ 5")])

    assert "???w h 5\n" == content(stream)


def test_the_readme_picture_has_no_external_references() -> None:
    """It is a valid SVG that shows the settlement."""
    drawing = svg(example("ultimate_texas_holdem"))

    assert "svg" in ElementTree.fromstring(drawing).tag
    assert "&#160;wins&#160;3&#160;to&#160;2" in drawing or "wins&#160;3&#160;to&#160;2" in drawing
    assert not re.search(r"url\(.?http|@import|@font-face", drawing)
