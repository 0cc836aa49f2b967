"""The full-screen app: keys, clicks, sizes, golden screens, and keys typed too early."""

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
from croupier.terminal.bankroll import Bankroll
from croupier.terminal.io.output import Screen
from croupier.terminal.io.styled_text import plain_text
from croupier.terminal.start import SessionOptions, use_full_screen
from croupier.terminal.table_factory import memory_table
from croupier.terminal.textual_ui.textual_app import GameApp
from croupier.terminal.textual_ui.textual_prompt import TextualInterface
from tests.terminal.scripted_sessions import golden

Play = Callable[[GameApp, Pilot[None]], Awaitable[None]]
SMALL, LARGE = (80, 24), (100, 40)


def make_app(
    game: str, home: Path | None = None, clock: Callable[[], float] | None = None
) -> GameApp:
    """An app with a seeded session of one game."""
    options = SessionOptions(
        load_house=lambda game: example(game.key),
        chosen=find(game) if game else None,
        seed=7,
        seats=(1,),
        players=0,
        full_procedure=False,
        drill=False,
        solve=None,
    )

    def session(ui: TextualInterface) -> None:
        options.run(ui, Bankroll(home), memory_table, interactive=True)

    if clock is None:
        return GameApp(session, grace=0.0)
    return GameApp(session, clock=clock)


def run(app: GameApp, play: Play, size: tuple[int, int] = SMALL) -> GameApp:
    """Run the app and play with its pilot."""

    async def test() -> None:
        async with app.run_test(size=size) as pilot:
            await prompted(app, pilot)
            await play(app, pilot)

    asyncio.run(test())
    return app


@pytest.fixture(autouse=True)
def no_idle_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pilots do not wait for an idle CPU; the tests wait for the state they need."""

    async def proceed(*_: float) -> None:
        await asyncio.sleep(0)

    for module in (textual.app, textual.pilot):
        monkeypatch.setattr(module, "wait_for_idle", proceed)


async def until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    """Wait at most 2,000 pauses for a condition, then until it is drawn."""
    for _ in range(2_000):
        await pilot.pause(0.002)
        if condition():
            break
    for _ in range(3):  # drawing, layout and scrolling take a cycle each
        await pilot.pause()


async def prompted(app: GameApp, pilot: Pilot[None]) -> None:
    """Wait for the next question."""
    await until(pilot, lambda: app.prompt is not None or not app.is_running)


async def press(app: GameApp, pilot: Pilot[None], *keys: str) -> None:
    """Press keys, each after a question."""
    for key in keys:
        await pilot.press(key)
        await prompted(app, pilot)


def shown(app: GameApp) -> str:
    """The screen as text."""
    rows = app.screen._compositor.render_strips()
    return "".join(row.text.rstrip() + "\n" for row in rows)


SCREENS = [
    *((game.key, SMALL) for game in catalogue()),
    ("ultimate_texas_holdem", LARGE),
    ("run_em_twice", LARGE),
]


@pytest.mark.parametrize(("game", "size"), SCREENS)
def test_a_round_matches_the_golden_file(game: str, size: tuple[int, int]) -> None:
    """The bet slip, a decision and the showdown."""
    screens: list[str] = []

    async def play(app: GameApp, pilot: Pilot[None]) -> None:
        screens.append(shown(app))
        await press(app, pilot, "enter")
        screens.append(shown(app))
        while app.prompt is not None and "enter" not in app.prompt.keys:
            last = next(key for key in reversed(app.prompt.keys) if key.isdecimal())
            await press(app, pilot, last)
        screens.append(shown(app))

    run(make_app(game), play, size)
    name = f"windows/{game}-{size[0]}x{size[1]}"
    expected, actual = golden(name)(("-" * size[0] + "\n").join(screens))

    assert expected == actual
    assert "Round 1: You" in screens[-1] and "┌───┐" in screens[-1]
    assert all(len(row) <= size[0] for row in actual.splitlines())


def test_arrows_and_space_change_the_bets() -> None:
    """Up and down select a wager, left and right change it, space turns it on or off."""

    async def play(app: GameApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "right")
        assert "● Ante                  $10" in shown(app)
        await press(app, pilot, "down", "space")
        assert "● Trips                  $5" in shown(app)
        await press(app, pilot, "right", "left", "left")
        assert "○ Trips                 off" in shown(app)

    run(make_app("ultimate"), play)


def test_bets_can_be_typed() -> None:
    """A digit or a letter opens the input line; Esc closes it, Enter submits it."""

    async def play(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.press("2", "5", "escape")
        assert "● Ante                   $5" in shown(app)
        await pilot.press("2", "5", ",", "t", "r", "i", "p", "s")
        await press(app, pilot, "enter")
        assert "● Ante                  $25" in shown(app)
        assert "● Trips                  $5" in shown(app)

    run(make_app("ultimate"), play)


def test_pasted_text_goes_to_the_input_line() -> None:
    """Enter submits it."""

    async def play(app: GameApp, pilot: Pilot[None]) -> None:
        app.post_message(events.Paste("25,trips\nq\n"))
        await until(pilot, lambda: "25,trips" in shown(app))
        assert "● Ante                   $5" in shown(app)
        await press(app, pilot, "enter")
        assert "● Ante                  $25" in shown(app)

    run(make_app("ultimate"), play)


def test_clicks() -> None:
    """A click on the key bar presses the key; a click on a wager changes it."""

    async def play(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.click("#felt", offset=(4, 4))
        await prompted(app, pilot)
        assert "● Trips                  $5" in shown(app)
        await pilot.click("#keys", offset=(2, 0))
        await prompted(app, pilot)
        assert "Your decision before the flop" in shown(app)

    run(make_app("ultimate"), play)


def test_keys_typed_ahead_never_bet() -> None:
    """A key pressed within the grace period is ignored."""
    now = [0.0]

    async def play(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter", "4", "enter")
        assert "round 1" not in shown(app) and "● Ante                   $5" in shown(app)
        now[0] += 1
        await press(app, pilot, "enter")
        await pilot.press("4")
        assert "Your decision before the flop" in shown(app)
        now[0] += 1
        await press(app, pilot, "4")
        assert "You bet 4x" in shown(app)

    run(make_app("ultimate", clock=lambda: now[0]), play)


def test_the_felt_follows_the_size() -> None:
    """A wide screen has a side panel, a small one has flat cards."""

    async def play(app: GameApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "enter")
        assert "Bad Beat [" not in shown(app)
        await pilot.resize_terminal(110, 40)
        await until(pilot, lambda: "No rounds played yet" in shown(app))
        assert "No rounds played yet" in shown(app) and "royal flush" in shown(app)
        await pilot.resize_terminal(60, 18)
        await until(pilot, lambda: "Dealer  ░░ ░░" in shown(app))
        assert "Dealer  ░░ ░░" in shown(app)

    run(make_app("ultimate"), play)


def test_rules_cover_the_felt_on_a_narrow_screen() -> None:
    """Esc goes back to the question."""

    async def play(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        await until(pilot, lambda: len(app.screen_stack) > 1)
        assert "Each player gets 2 cards" in shown(app)
        await press(app, pilot, "escape")
        assert "Place your bets" in shown(app)

    run(make_app("ultimate"), play)


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
def test_quitting_during_a_round_needs_confirmation(key: str, home: Path) -> None:
    """No continues; yes finishes the round without more bets and shows the result."""

    async def play(app: GameApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "enter", key)
        assert "Quit during the round?" in shown(app)
        await press(app, pilot, "n")
        assert "Your decision" in shown(app)
        await press(app, pilot, key)
        await pilot.press("y")
        await until(pilot, lambda: bool(app.ui.farewell))

    app = run(make_app("ultimate", home), play)

    assert app.error is None
    assert any("You leave with $990.00" in plain_text(row) for row in app.ui.farewell)


def test_an_interrupted_round_is_reported(home: Path) -> None:
    """The notice is below the bet slip."""
    bankroll = Bankroll(home)
    bankroll.start_round("Ultimate Texas Hold'Em Poker, Ante $5")
    bankroll.close()

    async def play(app: GameApp, pilot: Pilot[None]) -> None:
        assert "The last session ended during a round" in shown(app)
        assert "Place your bets" in shown(app)

    run(make_app("ultimate", home), play)


def test_the_menu_leads_to_a_table() -> None:
    """A number opens a table; g goes back."""

    async def play(app: GameApp, pilot: Pilot[None]) -> None:
        assert "Croupier" in shown(app)
        await press(app, pilot, "2")
        assert "Top Five Poker at Harbor Casino" in shown(app)
        await press(app, pilot, "g")
        assert "Type a number or the start of a name" in shown(app)

    run(make_app(""), play)


@pytest.mark.parametrize(
    ("term", "plain", "expected"),
    [("xterm", False, True), ("xterm", True, False), ("dumb", False, False), ("", False, False)],
)
def test_plain_lines_for_dumb_terminals(
    term: str, plain: bool, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Full screen needs a terminal that can move its cursor."""
    monkeypatch.setenv("TERM", term)
    terminal = Screen(io.StringIO(), height=24)

    assert expected == use_full_screen(terminal, plain=plain, opening=False)
    assert not use_full_screen(Screen(io.StringIO()), plain=False, opening=False)
