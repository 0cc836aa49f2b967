"""Shuffler, automated shoe, progressive system: out of order, covered or signed, cleared (13)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from croupier.errors import Refusal
from croupier.games import DEALING_METHODS, House
from croupier.table.core.fields import OneOfField
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.part import ATTENDED, ActionTemplate, CommandSpec, Part
from croupier.table.core.roles import FLOOR, STAFF, Account, Role
from croupier.table.parts.round import messages as played

if TYPE_CHECKING:
    from croupier.table.table import Table

REPORTERS: tuple[Role, ...] = (*STAFF, "system")
MARKED = "device.marked"

Device: TypeAlias = Literal["shuffler", "shoe", "progressive"]
Mark: TypeAlias = Literal["covered", "signed"]
Method: TypeAlias = Literal["manual_shoe", "hand", "automated_shoe"]

# What may be asked for.


class ReportFault(Command, frozen=True, tag="report_fault"):
    """A device does not work, outside the deal of a round."""

    device: Device


class MarkDevice(Command, frozen=True, tag="mark_device"):
    """A failed device is covered, or gets an out-of-order sign."""

    device: Device
    how: Mark


class ClearDevice(Command, frozen=True, tag="clear_device"):
    """A floorperson finds that a device works again."""

    device: Device


class SwitchDealing(Command, frozen=True, tag="switch_dealing"):
    """Another dealing method while a device is marked, or the submitted one again."""

    method: Method


# What happened.


class DeviceFailed(Event, frozen=True, kw_only=True, tag="device_failed"):
    """A device cannot be used until somebody clears it."""

    audience: ClassVar[Audience] = "staff"

    device: str


class DeviceMarked(Event, frozen=True, kw_only=True, tag="device_marked"):
    """A failed device is covered or signed; another method may be used."""

    device: str
    how: str


class DeviceCleared(Event, frozen=True, kw_only=True, tag="device_cleared"):
    """A device works again."""

    device: str


class DealingSwitched(Event, frozen=True, kw_only=True, tag="dealing_switched"):
    """The next rounds are dealt by this method."""

    method: str


@dataclass(slots=True)
class Devices:
    """How each device is (working, failed or marked), and the dealing method of the moment."""

    state: dict[str, str] = field(default_factory=dict)
    method: str = ""


def devices_of(house: House) -> dict[str, str]:
    """The devices of a table of this House, all working."""
    devices = {}
    if house.shuffle_method != "manual" or house.choices.continuous_device:
        devices["shuffler"] = "working"
    if house.dealing_method == "automated_shoe":
        devices["shoe"] = "working"
    if house.offers("progressive"):
        devices["progressive"] = "working"
    return devices


def failed(table: Table, event: DeviceFailed) -> None:
    """Out of order."""
    table.devices.state[event.device] = "failed"


def marked(table: Table, event: DeviceMarked) -> None:
    """Covered or signed."""
    table.devices.state[event.device] = "marked"


def cleared(table: Table, event: DeviceCleared) -> None:
    """Back in use."""
    table.devices.state[event.device] = "working"


def switched(table: Table, event: DealingSwitched) -> None:
    """Another dealing method from now on."""
    table.devices.method = event.method
    table.apply_overrides()


# The rules.


def status(table: Table, device: str) -> str:
    """How a device of this table is; refused for one that it does not have."""
    found = table.devices.state.get(device)
    if found is None:
        there = ", ".join(table.devices.state) or "none"
        raise table.refusal(f"no {device!r} at this table; devices: {there}", MARKED)
    return found


def clauses_of(table: Table, device: str) -> tuple[str, ...]:
    """What a failing device rests on: the progressive system has a clause of its own."""
    return table.house.cite("table.progressive" if device == "progressive" else MARKED)


def report(table: Table, command: ReportFault, by: Account, at: int) -> list[Event]:
    """A device fails between rounds; in a round it jams, which has consequences of its own."""
    if status(table, command.device) != "working":
        raise table.refusal(f"the {command.device} is out of order already", MARKED)
    if table.dealing is not None:
        raise table.refusal("a round is being dealt; a failure now is a jam", MARKED)
    clauses = clauses_of(table, command.device)
    return [DeviceFailed(device=command.device, clauses=clauses)]


def mark(table: Table, command: MarkDevice, by: Account, at: int) -> list[Event]:
    """Cover a failed device or put a sign on it, so that another method may be used."""
    if command.device == "progressive":
        raise table.refusal("there is no other method in place of a progressive system", MARKED)
    if status(table, command.device) != "failed":
        raise table.refusal(f"the {command.device} is not waiting for a cover or a sign", MARKED)
    if command.how not in ("covered", "signed"):
        raise table.refusal(f"covered or signed is expected, got {command.how!r}", MARKED)
    clauses = table.house.cite(MARKED) + table.house.cite(f"device.{command.how}")
    return [DeviceMarked(device=command.device, how=command.how, clauses=clauses)]


def clear(table: Table, command: ClearDevice, by: Account, at: int) -> list[Event]:
    """Only a floorperson puts a device back into use."""
    if status(table, command.device) == "working":
        raise table.refusal(f"the {command.device} works", MARKED)
    clauses = clauses_of(table, command.device)
    return [DeviceCleared(device=command.device, clauses=clauses)]


def why_not_switch(table: Table, method: str) -> tuple[str, str] | None:
    """Why the dealing method may not change to this one, with the duty or the clause."""
    house, submitted = table.house, table.submitted
    if method == table.devices.method:
        return f"{method} is in use", MARKED
    if table.dealing is not None or table.layout:
        return "wagers lie on the layout; the method changes between rounds", "late"
    if method == "hand" and table.devices.state.get("shuffler") != "working":
        return "cards dealt from the hand are shuffled by a machine", "hand.machine"
    if method == submitted.dealing_method:
        works = method != "automated_shoe" or table.devices.state["shoe"] == "working"
        return None if works else ("the automated shoe does not work", MARKED)
    needed = {"automated_shoe": "shoe", "hand": "shuffler"}.get(submitted.dealing_method)
    if needed is None or table.devices.state.get(needed) != "marked":
        return f"{submitted.dealing_method} is submitted and nothing is marked for it", MARKED
    if method not in ("manual_shoe", "hand"):
        return f"the table has no {method!r}", MARKED
    if method == "manual_shoe" and not house.choices.manual_shoe_location:
        return "no place for a manual shoe was approved", "8.A"
    known = next(each for each in DEALING_METHODS if each == method)
    return house.game.procedure.why_not_dealt(house, known)


def switch(table: Table, command: SwitchDealing, by: Account, at: int) -> list[Event]:
    """Deal by another method while a device is marked, or by the submitted one again."""
    problem = why_not_switch(table, command.method)
    if problem:
        text, duty = problem
        if duty[0].isupper() or duty[0].isdigit():  # a reading or a clause, not a duty
            raise Refusal(text, duty, game=table.house.game.key)
        raise table.refusal(text, duty)
    return [DealingSwitched(method=command.method, clauses=table.house.cite(MARKED))]


def offer_report(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Anything that works may fail; the systems report their own failures too."""
    for device, how in table.devices.state.items():
        if how == "working":
            yield ActionTemplate(command=ReportFault(device))  # type: ignore[arg-type]


def offer_mark(table: Table, at: int) -> Iterator[ActionTemplate]:
    """A failed device is marked before another method is used."""
    for device, how in table.devices.state.items():
        if how == "failed" and device != "progressive":
            yield ActionTemplate(
                command=MarkDevice(device, "covered"),  # type: ignore[arg-type]
                fields={"how": OneOfField(("covered", "signed"))},
                due="due",
                why=f"the {device} is out of order",
            )


def offer_clear(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Whatever is out of order may be repaired."""
    for device, how in table.devices.state.items():
        if how != "working":
            yield ActionTemplate(
                command=ClearDevice(device),  # type: ignore[arg-type]
                why=f"the {device} is {how}",
            )


def offer_switch(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Another method, where the law and the devices allow one."""
    for method in ("manual_shoe", "hand", "automated_shoe"):
        if why_not_switch(table, method) is None:
            back = method == table.submitted.dealing_method
            yield ActionTemplate(
                command=SwitchDealing(method),
                due="due" if back else "may",
                why="the submitted method works again" if back else "a device is marked",
            )


COMMANDS = (
    CommandSpec(
        command=ReportFault, roles=REPORTERS, duty=MARKED, decide=report, offers=offer_report
    ),
    CommandSpec(command=MarkDevice, roles=STAFF, duty=MARKED, decide=mark, offers=offer_mark),
    CommandSpec(command=ClearDevice, roles=FLOOR, duty=MARKED, decide=clear, offers=offer_clear),
    CommandSpec(
        command=SwitchDealing, roles=FLOOR, duty=MARKED, decide=switch, offers=offer_switch
    ),
)

# What devices ask of the round.


def before_jam(table: Table, command: Command, by: Account, at: int) -> tuple[str, ...]:
    """Only a device in use can jam."""
    device = jammed(command)
    if table.devices.state.get(device, "working") != "working":
        raise table.refusal(f"the {device} is not in use", MARKED)
    return ()


def after_jam(
    table: Table, command: Command, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """It stays out of order until somebody clears it."""
    return [DeviceFailed(device=jammed(command), clauses=table.house.cite(MARKED))]


def jammed(command: Command) -> str:
    """The device that a jam is about."""
    return "shuffler" if isinstance(command, played.JamShuffler) else "shoe"


PART = Part(
    name="devices",
    services=ATTENDED,
    commands=COMMANDS,
    before={played.JamShuffler: before_jam, played.JamShoe: before_jam},
    after={played.JamShuffler: after_jam, played.JamShoe: after_jam},
    evolve={
        DeviceFailed: failed,
        DeviceMarked: marked,
        DeviceCleared: cleared,
        DealingSwitched: switched,
    },
)
