"""Any terminal can show it: without colours, without Unicode, narrow; and no name can spoil it."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from croupier.submission import example, example_path
from croupier.terminal.io.output import Screen
from croupier.terminal.io.styled_text import cells, clip, line, plain, wrap, wrap_all
from croupier.terminal.picture import svg
from tests.terminal.scripted_sessions import answer

ESCAPE = re.compile(r"\x1b\[")


def encoded(encoding: str) -> io.TextIOWrapper:
    """A stream that refuses letters its encoding does not have."""
    return io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict", newline="")


def content(stream: io.TextIOWrapper) -> str:
    """What was written to it."""
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode(stream.encoding)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_plain_letters_where_the_terminal_has_no_suits(encoding: str, home: Path) -> None:
    """Suits become letters and frames become signs of the same width."""
    stream = encoded(encoding)
    from croupier import terminal

    script = io.StringIO("\ncheck\ncheck\n1x\nq\n")
    assert terminal.play(stdin=script, stdout=stream, seed=7, answers=True, game="ultimate") == 0
    text = content(stream)

    assert text.isascii()
    assert "+---++---+   +---++---++---+" in text
    assert re.search(r"\|[ 1][2-9TJQKA0][cdhs]\|", text)
    assert max(map(len, text.splitlines())) <= 80


def test_ascii_can_be_asked_for(home: Path) -> None:
    """Also where the terminal could do more."""
    assert answer(home, "", "1x", "q", game="top five", ascii=True).text.isascii()
    assert not answer(home, "", "1x", "q", game="top five").text.isascii()


def test_colours_only_where_they_are_wanted(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe gets none; FORCE_COLOR paints red hearts; NO_COLOR wins over it."""
    piped = answer(home, "", "1x", "q", game="top five")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    painted = answer(home, "", "1x", "q", game="top five")
    monkeypatch.setenv("NO_COLOR", "1")
    grey = answer(home, "", "1x", "q", game="top five")

    assert not ESCAPE.search(piped.text)
    assert re.search(r"\x1b\[1;31;47m ?\S+[♥♦]", painted.text)
    assert not re.search(r"\x1b\[[\d;]*(3[1-7]|4[0-7])m", grey.text)


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
    assert max(map(cells, played.text.splitlines())) <= 80


def test_nothing_that_is_said_moves_the_cursor(home: Path) -> None:
    """Control and direction signs out of any source are shown as question marks."""
    stream = io.StringIO()
    Screen(stream).show([line("a\x1b[2Jb\x07c\u202ed\re", ("[red]", "strong"))])
    played = answer(home, "\x1b[2J", "", "\x1b]0;x\x07", "f", "q", game="top five")

    assert "a?[2Jb?c?d?e[red]\n" == stream.getvalue()
    assert "\x1b" not in played.text and "\x07" not in played.text


def test_wide_letters_keep_their_columns(tmp_path: Path) -> None:
    """Each takes two of them, marks above letters take none."""
    assert 8 == cells("賭場屋ab")
    assert 4 == cells("cafe\u0301")
    assert "賭場…" == clip("賭場屋敷街", 6)


def test_lines_are_wrapped_at_words() -> None:
    """Later rows are indented; a word longer than a row is cut; styles survive."""
    rows = wrap(line("  one two ", ("three four", "strong"), " five"), 12)

    assert ["  one two", "    three", "    four", "    five"] == [plain(row) for row in rows]
    assert ("three", "strong") in rows[1]
    assert max(cells(plain(row)) for row in wrap(line("x" * 300), 20)) <= 20
    assert all(cells(plain(row)) <= 9 for row in wrap_all([line("賭場屋" * 9)], 9))


def test_a_screen_shows_nothing_it_cannot_spell() -> None:
    """Letters beyond the encoding become question marks instead of errors."""
    stream = encoded("ascii")
    Screen(stream).show([line("Żółw ♥ 5")])

    assert "???w h 5\n" == content(stream)


def test_the_picture_of_the_readme_loads_nothing() -> None:
    """It is a whole SVG, shows the settlement and needs no address but that of its namespace."""
    drawn = svg(example("ultimate_texas_holdem"))

    assert "svg" in ElementTree.fromstring(drawn).tag
    assert "&#160;wins&#160;3&#160;to&#160;2" in drawn or "wins&#160;3&#160;to&#160;2" in drawn
    assert not re.search(r"url\(.?http|@import|@font-face", drawn)
