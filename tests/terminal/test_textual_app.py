"""The window: keys, clicks, sizes, snapshots, and keys that came too early."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import textual.app
import textual.pilot
from textual import events
from textual.pilot import Pilot

from croupier.games import catalogue, find
from croupier.submission import example
from croupier.terminal.bankroll import Bank
from croupier.terminal.io.output import Screen
from croupier.terminal.io.styled_text import plain
from croupier.terminal.start import Evening, windowed
from croupier.terminal.table_factory import in_memory
from croupier.terminal.textual.textual_app import Window
from croupier.terminal.textual.textual_prompt import WindowTalk
from tests.terminal.scripted_sessions import golden

Play = Callable[[Window, Pilot[None]], Awaitable[None]]
SMALL, LARGE = (80, 24), (100, 40)


def window(game: str, home: Path | None = None, clock: Callable[[], float] | None = None) -> Window:
    """A window with an evening of one game, dealt from a seed."""
    people = Evening(
        house_of=lambda one: example(one.key),
        chosen=find(game) if game else None,
        seed=7,
        seats=(1,),
        players=0,
        full_procedure=False,
        drill=False,
        solve=None,
    )

    def evening(talk: WindowTalk) -> None:
        people.spend(talk, Bank(home), in_memory, watched=True)

    if clock is None:
        return Window(evening, grace=0.0)
    return Window(evening, clock=clock)


def played(app: Window, play: Play, size: tuple[int, int] = SMALL) -> Window:
    """The window after somebody was there."""

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await asked(app, pilot)
            await play(app, pilot)

    asyncio.run(run())
    return app


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pilot waits until the processor is idle; what is waited for here is known."""

    async def go_on(*_: float) -> None:
        await asyncio.sleep(0)

    for module in (textual.app, textual.pilot):
        monkeypatch.setattr(module, "wait_for_idle", go_on)


async def until(pilot: Pilot[None], true: Callable[[], bool]) -> None:
    """Let the window go on until something is so, and is drawn."""
    for _ in range(2_000):
        await pilot.pause(0.002)
        if true():
            break
    for _ in range(3):  # what was said is drawn, laid out, and scrolled to
        await pilot.pause()


async def asked(app: Window, pilot: Pilot[None]) -> None:
    """Wait for the next question."""
    await until(pilot, lambda: app.question is not None or not app.is_running)


async def press(app: Window, pilot: Pilot[None], *keys: str) -> None:
    """Keys one after the other, each after its question."""
    for key in keys:
        await pilot.press(key)
        await asked(app, pilot)


def shown(app: Window) -> str:
    """The screen as text."""
    rows = app.screen._compositor.render_strips()
    return "".join(row.text.rstrip() + "\n" for row in rows)


LOOKS = [
    *((game.key, SMALL) for game in catalogue()),
    ("ultimate_texas_holdem", LARGE),
    ("run_em_twice", LARGE),
]


@pytest.mark.parametrize(("game", "size"), LOOKS)
def test_a_round_looks_as_it_did(game: str, size: tuple[int, int]) -> None:
    """The slip, a decision and the showdown; the cards stay to the end."""
    seen: list[str] = []

    async def play(app: Window, pilot: Pilot[None]) -> None:
        seen.append(shown(app))
        await press(app, pilot, "enter")
        seen.append(shown(app))
        while app.question is not None and "enter" not in app.question.keys:
            last = next(key for key in reversed(app.question.keys) if key.isdecimal())
            await press(app, pilot, last)
        seen.append(shown(app))

    played(window(game), play, size)
    name = f"windows/{game}-{size[0]}x{size[1]}"
    expected, actual = golden(name)(("-" * size[0] + "\n").join(seen))

    assert expected == actual
    assert "Round 1: net" in seen[-1] and "┌───┐" in seen[-1]
    assert all(len(row) <= size[0] for row in actual.splitlines())


def test_arrows_and_space_change_the_bets() -> None:
    """Up and down choose a wager, left and right its stake, space puts it on or off."""

    async def play(app: Window, pilot: Pilot[None]) -> None:
        await press(app, pilot, "right")
        assert "● Ante                  $10" in shown(app)
        await press(app, pilot, "down", "space")
        assert "● Trips                  $5" in shown(app)
        await press(app, pilot, "right", "left", "left")
        assert "○ Trips                 off" in shown(app)

    played(window("ultimate"), play)


def test_bets_may_be_typed() -> None:
    """A digit or a letter begins a typed answer, however fast; Esc gives it up, Enter gives it."""

    async def play(app: Window, pilot: Pilot[None]) -> None:
        await pilot.press("2", "5", "escape")
        assert "● Ante                   $5" in shown(app)
        await pilot.press("2", "5", ",", "t", "r", "i", "p", "s")
        await press(app, pilot, "enter")
        assert "● Ante                  $25" in shown(app)
        assert "● Trips                  $5" in shown(app)

    played(window("ultimate"), play)


def test_what_is_pasted_is_typed() -> None:
    """And given by Enter, not before."""

    async def play(app: Window, pilot: Pilot[None]) -> None:
        app.post_message(events.Paste("25,trips\nq\n"))
        await until(pilot, lambda: "25,trips" in shown(app))
        assert "● Ante                   $5" in shown(app)
        await press(app, pilot, "enter")
        assert "● Ante                  $25" in shown(app)

    played(window("ultimate"), play)


def test_a_click_is_a_key() -> None:
    """On a key of the bar, and on a wager of the slip."""

    async def play(app: Window, pilot: Pilot[None]) -> None:
        await pilot.click("#felt", offset=(4, 4))
        await asked(app, pilot)
        assert "● Trips                  $5" in shown(app)
        await pilot.click("#keys", offset=(2, 0))
        await asked(app, pilot)
        assert "Your decision before the flop" in shown(app)

    played(window("ultimate"), play)


def test_keys_typed_ahead_never_bet() -> None:
    """A key that comes with the question before it does not count; one that follows it does."""
    now = [0.0]

    async def play(app: Window, pilot: Pilot[None]) -> None:
        await pilot.press("enter", "4", "enter")
        assert "round 1" not in shown(app) and "● Ante                   $5" in shown(app)
        now[0] += 1
        await press(app, pilot, "enter")
        await pilot.press("4")
        assert "Your decision before the flop" in shown(app)
        now[0] += 1
        await press(app, pilot, "4")
        assert "You bet 4x" in shown(app)

    played(window("ultimate", clock=lambda: now[0]), play)


def test_the_felt_follows_the_size() -> None:
    """Beside the felt when there is room, flat cards when there is little."""

    async def play(app: Window, pilot: Pilot[None]) -> None:
        await press(app, pilot, "enter")
        assert "Bad Beat [" not in shown(app)
        await pilot.resize_terminal(110, 40)
        await pilot.pause()
        assert "Nothing was played yet" in shown(app) and "royal flush" in shown(app)
        await pilot.resize_terminal(60, 18)
        await pilot.pause()
        assert "Dealer  ░░ ░░" in shown(app)

    played(window("ultimate"), play)


def test_rules_are_read_before_the_felt_where_it_is_narrow() -> None:
    """Esc goes back to the same question."""

    async def play(app: Window, pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        await until(pilot, lambda: len(app.screen_stack) > 1)
        assert "Every player is dealt 2 cards" in shown(app)
        await press(app, pilot, "escape")
        assert "Your bets" in shown(app)

    played(window("ultimate"), play)


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
def test_leaving_in_the_middle_asks_first(key: str, home: Path) -> None:
    """No goes on; yes plays the round out without another chip, and the words at parting stay."""

    async def play(app: Window, pilot: Pilot[None]) -> None:
        await press(app, pilot, "enter", key)
        assert "Leave in the middle" in shown(app)
        await press(app, pilot, "n")
        assert "Your decision" in shown(app)
        await press(app, pilot, key)
        await pilot.press("y")
        await until(pilot, lambda: bool(app.talk.parting))

    app = played(window("ultimate", home), play)

    assert app.problem is None
    assert any("You leave with $990.00" in plain(row) for row in app.talk.parting)


def test_a_round_that_was_cut_off_is_told_about(home: Path) -> None:
    """Where somebody sits down again, below the slip."""
    bank = Bank(home)
    bank.begin("Ultimate Texas Hold'Em Poker, Ante $5")
    bank.close()

    async def play(app: Window, pilot: Pilot[None]) -> None:
        assert "The last session ended in the middle of a round" in shown(app)
        assert "Your bets" in shown(app)

    played(window("ultimate", home), play)


def test_the_menu_leads_to_a_table() -> None:
    """A number sits down; g comes back."""

    async def play(app: Window, pilot: Pilot[None]) -> None:
        assert "Croupier" in shown(app)
        await press(app, pilot, "2")
        assert "Top Five Poker at Harbor Casino" in shown(app)
        await press(app, pilot, "g")
        assert "A number or the beginning of a name" in shown(app)

    played(window(""), play)


@pytest.mark.parametrize(
    ("term", "plain_asked", "expected"),
    [("xterm", False, True), ("xterm", True, False), ("dumb", False, False), ("", False, False)],
)
def test_lines_stay_for_plain_and_dumb_terminals(
    term: str, plain_asked: bool, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A window needs a terminal that can move its cursor, and nobody who asked for lines."""
    monkeypatch.setenv("TERM", term)
    watched = Screen(io.StringIO(), height=24)

    assert expected == windowed(watched, plain=plain_asked, walked=False)
    assert not windowed(Screen(io.StringIO()), plain=False, walked=False)
