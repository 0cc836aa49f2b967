"""Devices (shuffler, automated shoe, progressive system): faults, markings, repairs (chapter 13).

While a failed device is marked, the table may be dealt by another method.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from croupier.errors import Refusal
from croupier.games import DEALING_METHODS, House
from croupier.table.core.fields import OneOfField
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.part import (
    ATTENDED,
    IRREGULARITIES,
    ActionTemplate,
    CommandSpec,
    Part,
    Urgency,
)
from croupier.table.core.roles import FLOOR, STAFF, Account, Role
from croupier.table.parts.round import messages as played
from croupier.table.parts.round.irregularity_evidence import may_declare

if TYPE_CHECKING:
    from croupier.table.table import Table

REPORTERS: tuple[Role, ...] = (*STAFF, "system")
MARKED = "device.marked"

Device: TypeAlias = Literal["shuffler", "shoe", "progressive"]
Mark: TypeAlias = Literal["covered", "signed"]
Method: TypeAlias = Literal["manual_shoe", "hand", "automated_shoe"]

NEEDED = {"automated_shoe": "shoe", "hand": "shuffler"}  # the device that a dealing method needs
JAMS: dict[str, Command] = {"shuffler": played.JamShuffler(), "shoe": played.JamShoe()}

# Commands


class ReportFault(Command, frozen=True, tag="report_fault"):
    """Report that a device does not work; a jam that concerns the round is declared as a jam."""

    device: Device


class MarkDevice(Command, frozen=True, tag="mark_device"):
    """Cover a failed device, or put an out-of-order sign on it."""

    device: Device
    how: Mark


class ClearDevice(Command, frozen=True, tag="clear_device"):
    """A floorperson confirms that a device works again."""

    device: Device


class SwitchDealing(Command, frozen=True, tag="switch_dealing"):
    """Deal by another method while a device is marked, or by the submitted one again."""

    method: Method


# Events


class DeviceFailed(Event, frozen=True, kw_only=True, tag="device_failed"):
    """A device cannot be used until a floorperson clears it."""

    audience: ClassVar[Audience] = "staff"

    device: str


class DeviceMarked(Event, frozen=True, kw_only=True, tag="device_marked"):
    """A failed device is covered or marked with a sign; another dealing method may be used."""

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
    """The status of each device: working, failed, covered or signed; and the dealing method."""

    state: dict[str, str] = field(default_factory=dict)
    method: str = ""


def is_marked(table: Table, device: str | None) -> bool:
    """Whether a failed device is covered or has a sign, so that another method may be used."""
    return device is not None and table.devices.state.get(device) in ("covered", "signed")


def devices_of(house: House) -> dict[str, str]:
    """Return the devices of a table under this House, all working."""
    devices = {}
    if house.shuffle_method != "manual" or house.choices.continuous_device:
        devices["shuffler"] = "working"
    if house.dealing_method == "automated_shoe":
        devices["shoe"] = "working"
    if house.offers("progressive"):
        devices["progressive"] = "working"
    return devices


# Event handlers


def failed(table: Table, event: DeviceFailed) -> None:
    table.devices.state[event.device] = "failed"


def marked(table: Table, event: DeviceMarked) -> None:
    table.devices.state[event.device] = event.how


def cleared(table: Table, event: DeviceCleared) -> None:
    table.devices.state[event.device] = "working"


def switched(table: Table, event: DealingSwitched) -> None:
    table.devices.method = event.method
    table.apply_overrides()


# Rules


def status(table: Table, device: str) -> str:
    """Return the status of a device; raises Refusal if the table does not have it."""
    current = table.devices.state.get(device)
    if current is None:
        known = ", ".join(table.devices.state) or "none"
        raise misused(table, device, f"no {device!r} at this table; devices: {known}")
    return current


def clauses_of(table: Table, device: str) -> tuple[str, ...]:
    """Return the clauses on a failing device; a progressive system that fails is locked."""
    cite = table.house.cite
    if device == "progressive" and table.house.offers(device):
        return cite("table.progressive") + cite("progressive.lockout")
    return cite(MARKED)


def misused(table: Table, device: str, problem: str) -> Refusal:
    """The refusal of a report about a device that is not in that state."""
    return Refusal(problem, clauses_of(table, device)[0], game=table.house.game.key)


def report(table: Table, command: ReportFault, by: Account, at: int) -> list[Event]:
    """Report a fault, unless a jam can be declared, which has other consequences.

    Progressive wagers that were accepted before the deal stay valid when the system fails.
    """
    if status(table, command.device) != "working":
        raise misused(table, command.device, f"the {command.device} is already out of order")
    jam = JAMS.get(command.device)
    if table.dealing is not None and jam is not None and may_declare(table, jam):
        raise table.refusal("a round is being dealt; report a jam instead", f"{command.device}_jam")
    clauses = clauses_of(table, command.device)
    return [DeviceFailed(device=command.device, clauses=clauses)]


def mark(table: Table, command: MarkDevice, by: Account, at: int) -> list[Event]:
    """Cover a failed device or put a sign on it, so that another method may be used."""
    if command.device == "progressive":
        raise table.refusal("a progressive system has no substitute; do not mark it", MARKED)
    if status(table, command.device) != "failed":
        raise table.refusal(f"the {command.device} does not need a cover or a sign", MARKED)
    if command.how not in ("covered", "signed"):
        raise table.refusal(f"expected covered or signed, got {command.how!r}", MARKED)
    clauses = table.house.cite(MARKED) + table.house.cite(f"device.{command.how}")
    return [DeviceMarked(device=command.device, how=command.how, clauses=clauses)]


def clear(table: Table, command: ClearDevice, by: Account, at: int) -> list[Event]:
    """Put a device back into use."""
    if status(table, command.device) == "working":
        raise misused(table, command.device, f"the {command.device} is working")
    clauses = clauses_of(table, command.device)
    return [DeviceCleared(device=command.device, clauses=clauses)]


def method_works(table: Table) -> bool:
    """Return whether the devices that the dealing method needs are working."""
    needed = NEEDED.get(table.devices.method)
    return needed is None or table.devices.state.get(needed) == "working"


def why_not_switch(table: Table, method: str) -> tuple[str, str] | None:
    """Return why the dealing method may not change to this one, with the duty or clause."""
    house, submitted = table.house, table.submitted
    if method == table.devices.method:
        return f"{method} is already in use", MARKED
    if table.dealing is not None or table.layout:
        return "wagers are on the layout; the method changes between rounds", "window"
    if method == "hand" and table.devices.state.get("shuffler") != "working":
        return "dealing from the hand needs a working shuffler", "hand.machine"
    if method == submitted.dealing_method:
        works = method != "automated_shoe" or table.devices.state["shoe"] == "working"
        return None if works else ("the automated shoe does not work", MARKED)
    if not is_marked(table, NEEDED.get(submitted.dealing_method)):
        return (
            f"the submitted method is {submitted.dealing_method}, and no device is marked",
            MARKED,
        )
    if method not in ("manual_shoe", "hand"):
        return f"the table has no {method!r}", MARKED
    if method == "manual_shoe" and not house.choices.manual_shoe_location:
        return "no location for a manual shoe was approved", "8.A"
    dealing_method = next(known for known in DEALING_METHODS if known == method)
    return house.game.procedure.why_not_dealt(house, dealing_method)


def switch(table: Table, command: SwitchDealing, by: Account, at: int) -> list[Event]:
    """Deal by another method while a device is marked, or by the submitted one again."""
    problem = why_not_switch(table, command.method)
    if problem:
        text, duty = problem
        if duty[0].isupper() or duty[0].isdigit():  # an interpretation or a clause, not a duty
            raise Refusal(text, duty, game=table.house.game.key)
        raise table.refusal(text, duty)
    return [DealingSwitched(method=command.method, clauses=table.house.cite(MARKED))]


def offer_report(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer a fault report for every working device."""
    for device, state in table.devices.state.items():
        if state == "working":
            yield ActionTemplate(command=ReportFault(device))  # type: ignore[arg-type]


def offer_mark(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer to mark failed devices."""
    for device, state in table.devices.state.items():
        if state == "failed" and device != "progressive":
            yield ActionTemplate(
                command=MarkDevice(device, "covered"),  # type: ignore[arg-type]
                fields={"how": OneOfField(("covered", "signed"))},
                due="due",
                why=f"the {device} is out of order",
            )


def offer_clear(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Due for a device without a substitute: the table waits for it, or closes."""
    no_method = not method_works(table) and not switches(table)
    for device, state in table.devices.state.items():
        if state == "working":
            continue
        due: Urgency = "may"
        why = f"the {device} is {state}"
        if device == "progressive":
            due, why = "due", "no progressive wager is accepted until the system works"
        elif no_method and is_marked(table, device):
            due, why = "due", "no other dealing method is approved; repair it or close the table"
        yield ActionTemplate(command=ClearDevice(device), due=due, why=why)  # type: ignore[arg-type]


def offer_switch(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Due back to the submitted method, and to another one if the method in use does not work."""
    for method in switches(table):
        submitted = method == table.submitted.dealing_method
        yield ActionTemplate(
            command=SwitchDealing(method),
            due="due" if submitted or not method_works(table) else "may",
            why="the submitted method works again" if submitted else "a device is marked",
        )


def switches(table: Table) -> list[Method]:
    """Return the dealing methods that the rules and the devices allow the table to change to."""
    return [method for method in DEALING_METHODS if why_not_switch(table, method) is None]


COMMANDS = (
    CommandSpec(
        command=ReportFault,
        roles=REPORTERS,
        duty=MARKED,
        decide=report,
        offers=offer_report,
        subject=IRREGULARITIES,
    ),
    CommandSpec(command=MarkDevice, roles=STAFF, duty=MARKED, decide=mark, offers=offer_mark),
    CommandSpec(command=ClearDevice, roles=FLOOR, duty=MARKED, decide=clear, offers=offer_clear),
    CommandSpec(
        command=SwitchDealing, roles=FLOOR, duty=MARKED, decide=switch, offers=offer_switch
    ),
)

# Hooks into the round


def before_jam(table: Table, command: Command, by: Account, at: int) -> tuple[str, ...]:
    """Refuse a jam of a device that is not in use."""
    device = jammed_device(command)
    if table.devices.state.get(device, "working") != "working":
        raise table.refusal(f"the {device} is not in use", MARKED)
    return ()


def after_jam(
    table: Table, command: Command, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """Mark a jammed device as failed until it is cleared."""
    return [DeviceFailed(device=jammed_device(command), clauses=table.house.cite(MARKED))]


def jammed_device(command: Command) -> str:
    """Return the device that a jam command is about."""
    return "shuffler" if isinstance(command, played.JamShuffler) else "shoe"


PART = Part(
    subject="Devices",
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
