"""Shuffler, automated shoe, progressive system: out of order, covered or signed, cleared (13)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.games import DEALING_METHODS
from croupier.table.events import Event
from croupier.table.life import commands as cmd
from croupier.table.life import events as ev
from croupier.table.life.acts import Act, Offer
from croupier.table.life.forms import OneOf
from croupier.table.life.people import FLOOR, STAFF, Person, Role

if TYPE_CHECKING:
    from croupier.table.life.live import LiveTable

REPORTERS: tuple[Role, ...] = (*STAFF, "system")
MARKED = "device.marked"


def status(live: LiveTable, device: str) -> str:
    """How a device of this table is; refused for one that it does not have."""
    found = live.life.devices.get(device)
    if found is None:
        there = ", ".join(live.life.devices) or "none"
        raise live.refusal(f"no {device!r} at this table; devices: {there}", MARKED)
    return found


def clauses_of(live: LiveTable, device: str) -> tuple[str, ...]:
    """What a failing device rests on: the progressive system has a clause of its own."""
    return live.house.cite("table.progressive" if device == "progressive" else MARKED)


def report(live: LiveTable, command: cmd.ReportFault, by: Person, at: int) -> list[Event]:
    """A device fails between rounds; in a round it jams, which has consequences of its own."""
    if status(live, command.device) != "working":
        raise live.refusal(f"the {command.device} is out of order already", MARKED)
    if live.dealing is not None:
        raise live.refusal("a round is being dealt; a failure now is a jam", MARKED)
    clauses = clauses_of(live, command.device)
    return [ev.DeviceFailed(device=command.device, at=at, by=by, clauses=clauses)]


def mark(live: LiveTable, command: cmd.MarkDevice, by: Person, at: int) -> list[Event]:
    """Cover a failed device or put a sign on it, so that another method may be used."""
    if command.device == "progressive":
        raise live.refusal("there is no other method in place of a progressive system", MARKED)
    if status(live, command.device) != "failed":
        raise live.refusal(f"the {command.device} is not waiting for a cover or a sign", MARKED)
    if command.how not in ("covered", "signed"):
        raise live.refusal(f"covered or signed is expected, got {command.how!r}", MARKED)
    clauses = live.house.cite(MARKED) + live.house.cite(f"device.{command.how}")
    return [ev.DeviceMarked(device=command.device, how=command.how, at=at, by=by, clauses=clauses)]


def clear(live: LiveTable, command: cmd.ClearDevice, by: Person, at: int) -> list[Event]:
    """Only a floorperson puts a device back into use."""
    if status(live, command.device) == "working":
        raise live.refusal(f"the {command.device} works", MARKED)
    clauses = clauses_of(live, command.device)
    return [ev.DeviceCleared(device=command.device, at=at, by=by, clauses=clauses)]


def why_not_switch(live: LiveTable, method: str) -> tuple[str, str] | None:
    """Why the dealing method may not change to this one, with the duty or the clause."""
    life, house, submitted = live.life, live.house, live.submitted
    if method == life.method:
        return f"{method} is in use", MARKED
    if live.dealing is not None or live.layout:
        return "wagers lie on the layout; the method changes between rounds", "late"
    if method == "hand" and life.devices.get("shuffler") != "working":
        return "cards dealt from the hand are shuffled by a machine", "hand.machine"
    if method == submitted.dealing_method:
        works = method != "automated_shoe" or life.devices["shoe"] == "working"
        return None if works else ("the automated shoe does not work", MARKED)
    needed = {"automated_shoe": "shoe", "hand": "shuffler"}.get(submitted.dealing_method)
    if needed is None or life.devices.get(needed) != "marked":
        return f"{submitted.dealing_method} is submitted and nothing is marked for it", MARKED
    if method not in ("manual_shoe", "hand"):
        return f"the table has no {method!r}", MARKED
    if method == "manual_shoe" and not house.choices.manual_shoe_location:
        return "no place for a manual shoe was approved", "8.A"
    known = next(each for each in DEALING_METHODS if each == method)
    return house.game.procedure.why_not_dealt(house, known)


def switch(live: LiveTable, command: cmd.SwitchDealing, by: Person, at: int) -> list[Event]:
    """Deal by another method while a device is marked, or by the submitted one again."""
    problem = why_not_switch(live, command.method)
    if problem:
        text, duty = problem
        if duty[0].isupper() or duty[0].isdigit():  # a reading or a clause, not a duty
            raise Refusal(text, duty, game=live.house.game.key)
        raise live.refusal(text, duty)
    return [
        ev.DealingSwitched(method=command.method, at=at, by=by, clauses=live.house.cite(MARKED))
    ]


def offer_report(live: LiveTable, at: int) -> Iterator[Offer]:
    """Anything that works may fail; the systems report their own failures too."""
    for device, how in live.life.devices.items():
        if how == "working":
            yield Offer(command=cmd.ReportFault(device))  # type: ignore[arg-type]


def offer_mark(live: LiveTable, at: int) -> Iterator[Offer]:
    """A failed device is marked before another method is used."""
    for device, how in live.life.devices.items():
        if how == "failed" and device != "progressive":
            yield Offer(
                command=cmd.MarkDevice(device, "covered"),  # type: ignore[arg-type]
                forms={"how": OneOf(("covered", "signed"))},
                due="due",
                why=f"the {device} is out of order",
            )


def offer_clear(live: LiveTable, at: int) -> Iterator[Offer]:
    """Whatever is out of order may be repaired."""
    for device, how in live.life.devices.items():
        if how != "working":
            yield Offer(
                command=cmd.ClearDevice(device),  # type: ignore[arg-type]
                why=f"the {device} is {how}",
            )


def offer_switch(live: LiveTable, at: int) -> Iterator[Offer]:
    """Another method, where the law and the devices allow one."""
    for method in ("manual_shoe", "hand", "automated_shoe"):
        if why_not_switch(live, method) is None:
            back = method == live.submitted.dealing_method
            yield Offer(
                command=cmd.SwitchDealing(method),
                due="due" if back else "may",
                why="the submitted method works again" if back else "a device is marked",
            )


ACTS = (
    Act(command=cmd.ReportFault, roles=REPORTERS, duty=MARKED, decide=report, offers=offer_report),
    Act(command=cmd.MarkDevice, roles=STAFF, duty=MARKED, decide=mark, offers=offer_mark),
    Act(command=cmd.ClearDevice, roles=FLOOR, duty=MARKED, decide=clear, offers=offer_clear),
    Act(command=cmd.SwitchDealing, roles=FLOOR, duty=MARKED, decide=switch, offers=offer_switch),
)
