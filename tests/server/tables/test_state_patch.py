"""States as merge patches: applied to the last state, they give the next one."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.clock import now_ms
from croupier.server.client import apply_patch
from croupier.server.tables.frames import frames
from croupier.server.tables.state_patch import merge_patch, steps_by_id
from croupier.table import Account, Envelope
from croupier.table.core.steps import URGENCY_ORDER
from croupier.table.core.views import StepView
from tests.support.round_scripts import VIEWERS, make_pair
from tests.support.rounds import EVERY_GAME
from tools.secrecy import wired

NAMES = st.sampled_from("abc")
VALUES = st.recursive(
    st.none() | st.integers(0, 2) | st.lists(st.integers(0, 2), max_size=2),
    lambda inner: st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=3)


def as_json(value: Any) -> Any:
    """A value as a client receives it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def without_null(value: Any) -> Any:
    """JSON without members that are null, which are the same as none."""
    if not isinstance(value, dict):
        return value
    return {name: without_null(each) for name, each in value.items() if each is not None}


@given(OBJECTS, OBJECTS)
def test_any_object_becomes_any_other(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Members come, go and change; a patch between equal objects is empty."""
    patched = apply_patch(without_null(old), as_json(merge_patch(old, new)))
    assert without_null(patched) == without_null(new)
    assert merge_patch(new, new) == {}


@pytest.mark.parametrize("game", EVERY_GAME)
def test_states_of_a_round(game: str, tmp_path: Path) -> None:
    """Every viewer of an attended round has the whole state after each patch."""

    async def looking() -> None:
        async with wired(tmp_path) as wire:
            host = wire.open(game)
            viewers = [each for each in VIEWERS if each.role != "reader"]
            last = {viewer: host.state(viewer) for viewer in viewers}
            known = {viewer: as_json(state) for viewer, state in last.items()}
            sizes = [0, 0]
            for number, step in enumerate(make_pair(game, "patches").first):
                await host.execute(Envelope(f"step {number:04}", step.by, now_ms(), step.command))
                for viewer in viewers:
                    state = host.state(viewer)
                    patch = msgspec.json.encode(merge_patch(last[viewer], state))
                    known[viewer] = apply_patch(known[viewer], msgspec.json.decode(patch))
                    assert without_null(known[viewer]) == without_null(as_json(state))
                    last[viewer] = state
                    sizes[0] += len(patch)
                    sizes[1] += len(msgspec.json.encode(state))
            assert sizes[0] < sizes[1] / 4
            wire.close(host)

    asyncio.run(looking())


def test_the_first_state_of_a_connection_is_whole(tmp_path: Path) -> None:
    """Later ones are patches, also without an entry; a new connection starts with a whole one."""
    ann = Account("ann", "player")

    async def looking() -> None:
        async with wired(tmp_path) as wire:
            host = wire.open("top_five")
            for after in (None, 0):
                feed = host.subscribe(ann)
                sending = frames(host, feed, ("player",), after)
                (first,) = msgspec.to_builtins(await anext(sending), enc_hook=lambda raw: {})
                assert "view" in first["state"] and "patch" not in first
                host.state_changed()
                feed.wake()
                (second,) = msgspec.to_builtins(await anext(sending))
                assert {"frame", "sequence", "at", "patch"} == set(second)
                assert {} == second["patch"]
                host.unsubscribe(feed)
            wire.close(host)

    asyncio.run(looking())


def step(kind: str, **more: Any) -> StepView:
    """A step without fields."""
    words = {"subject": "", "title": "", "sentence": "", "why": "", "blocked": ""}
    return StepView(kind=kind, **{**words, "fields": {}, "fixed": {}, "clauses": (), **more})


def test_steps_have_an_id_each() -> None:
    """By kind, values and players; equal ones are told apart."""
    ann = Account("ann", "player")
    steps = [
        step("buy_in", due="may", players=(ann,)),
        step("sit_down", due="may", fixed={"seat": 3}),
        step("sit_down", due="may", fixed={"seat": 3}),
    ]
    assert ["buy_in ann", "sit_down 3", "sit_down 3+"] == list(steps_by_id(steps))


@pytest.mark.parametrize("game", EVERY_GAME)
def test_steps_are_in_order(game: str, tmp_path: Path) -> None:
    """The order of the steps is that of the list: most urgent first, blocked ones last."""

    async def looking() -> None:
        async with wired(tmp_path) as wire:
            host = wire.open(game)
            for number, each in enumerate(make_pair(game, "order").first):
                await host.execute(Envelope(f"step {number:04}", each.by, now_ms(), each.command))
                for viewer in VIEWERS:
                    steps = sorted(host.state(viewer).steps.values(), key=lambda step: step.order)
                    urgency = [(bool(step.blocked), URGENCY_ORDER[step.due]) for step in steps]
                    assert urgency == sorted(urgency)
                    assert len({step.order for step in steps}) == len(steps)
            wire.close(host)

    asyncio.run(looking())
