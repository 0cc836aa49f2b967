"""Large payouts: a document, a witness, a notice to surveillance, by tiers (COMAR 36.05.03.23)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import UTC, date, datetime
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.errors import Refusal
from croupier.money import Cents, dollars
from croupier.table import events as round_ev
from croupier.table.events import Event
from croupier.table.life import commands as cmd
from croupier.table.life import events as ev
from croupier.table.life.acts import Act, Offer
from croupier.table.life.forms import Text
from croupier.table.life.people import FLOOR, MANAGER, Person
from croupier.table.life.state import Document

if TYPE_CHECKING:
    from croupier.table.life.live import LiveTable

LAW = "COMAR 36.05.03.23"


class Thresholds(msgspec.Struct, frozen=True, kw_only=True):
    """The tiers in force from a day on, in cents."""

    since: date
    tax_form: Cents
    tax_times: int
    surveillance: Cents
    manager: Cents
    check: Cents


class Payout(msgspec.Struct, frozen=True, kw_only=True):
    """What the settlement is about to pay on one wager."""

    seat: int
    player: str
    wager: str
    stake: Cents
    winnings: Cents


@cache
def all_thresholds() -> tuple[Thresholds, ...]:
    """Every row of the data, the oldest first."""
    text = (resources.files("croupier.table.life") / "data" / "payouts.toml").read_text("utf-8")
    rows: list[dict[str, Any]] = tomllib.loads(text)["thresholds"]
    return tuple(
        sorted(
            (
                Thresholds(
                    since=row["from"],
                    tax_form=row["tax_form"] * 100,
                    tax_times=row["tax_times"],
                    surveillance=row["surveillance"] * 100,
                    manager=row["manager"] * 100,
                    check=row["check"] * 100,
                )
                for row in rows
            ),
            key=lambda row: row.since,
        )
    )


def thresholds(at: int) -> Thresholds:
    """The tiers of the day."""
    # The clock of a test may stand before 1970, which the platform cannot turn into a day.
    day = datetime.fromtimestamp(max(at, 0) // 1000, tz=UTC).date()
    return [row for row in all_thresholds() if row.since <= day or row is all_thresholds()[0]][-1]


def payouts(live: LiveTable) -> list[Payout]:
    """Everything that settling now would pay, wager by wager; envy bonuses too."""
    current = live.dealing
    found = []
    for event in live.preview():
        assert current is not None
        match event:
            case round_ev.WagerSettled(outcome="win"):
                from_meter = "% of" in event.pays  # the stake is in the tray and stays there
                winnings = event.returned - (0 if from_meter else event.stake)
                wager, stake = event.wager, event.stake
            case round_ev.EnvyPaid():
                winnings, wager = event.paid, f"envy_{event.holder}"
                stake = current.boxes[event.seat].stakes["progressive"]
            case _:
                continue
        player = current.boxes[event.seat].player
        found.append(
            Payout(seat=event.seat, player=player, wager=wager, stake=stake, winnings=winnings)
        )
    return found


def needs_document(payout: Payout, at: int) -> bool:
    """Whether a payout is a tax event; only these are documented."""
    tiers = thresholds(at)
    return payout.winnings >= max(tiers.tax_form, tiers.tax_times * payout.stake)


def documents(live: LiveTable) -> list[Document]:
    """The documents of this round that are not void."""
    current = live.dealing
    if current is None:
        return []
    return [
        document
        for document in live.life.documents.values()
        if document.round == current.number and not document.void
    ]


def document_of(live: LiveTable, payout: Payout) -> Document | None:
    """The document that covers a payout."""
    for document in documents(live):
        same = (document.seat, document.wager, document.winnings)
        if same == (payout.seat, payout.wager, payout.winnings):
            return document
    return None


def undocumented(live: LiveTable, at: int) -> list[Payout]:
    """The payouts that wait for a document."""
    due = (payout for payout in payouts(live) if needs_document(payout, at))
    return [payout for payout in due if document_of(live, payout) is None]


def ready(live: LiveTable) -> bool:
    """Whether documents may be prepared: the stub is handled or the round is void."""
    current = live.dealing
    return current is not None and (live.life.stub == "done" or current.void is not None)


def prepare(live: LiveTable, command: cmd.PreparePayout, by: Person, at: int) -> list[Event]:
    """A numbered document of what is about to be paid."""
    waiting = undocumented(live, at) if ready(live) else []
    payout = next(
        (one for one in waiting if (one.seat, one.wager) == (command.seat, command.wager)), None
    )
    if payout is None:
        raise Refusal(f"no document is due for {command.wager!r} of seat {command.seat!r}", LAW)
    tiers = thresholds(at)
    assert live.dealing is not None
    prepared = ev.PayoutDocumented(
        serial=len(live.life.documents) + 1,
        round=live.dealing.number,
        seat=payout.seat,
        player=payout.player,
        wager=payout.wager,
        stake=payout.stake,
        winnings=payout.winnings,
        witness="pit_manager" if payout.winnings >= tiers.manager else "floorperson",
        surveillance=payout.winnings >= tiers.surveillance,
        by_check=payout.winnings >= tiers.check,
        at=at,
        by=by,
        clauses=(LAW,),
    )
    return [prepared]


def open_document(live: LiveTable, serial: int) -> Document:
    """A document of this round that is not void."""
    for document in documents(live):
        if document.serial == serial:
            return document
    raise Refusal(f"no open payout document has the number {serial!r}", LAW)


def witness(live: LiveTable, command: cmd.WitnessPayout, by: Person, at: int) -> list[Event]:
    """Never the preparer; a pit manager for the highest tier."""
    document = open_document(live, command.serial)
    if document.witnessed:
        raise Refusal(f"document {document.serial} is witnessed", LAW)
    if by.name == document.prepared_by:
        raise Refusal(f"{by.name} prepared document {document.serial}", LAW)
    if document.witness == "pit_manager" and by.role != "pit_manager":
        raise Refusal(f"{dollars(document.winnings)} needs a pit manager as witness", LAW)
    return [ev.PayoutWitnessed(serial=document.serial, at=at, by=by, clauses=(LAW,))]


def notify(live: LiveTable, command: cmd.NotifySurveillance, by: Person, at: int) -> list[Event]:
    """Surveillance is told, and a photograph is taken."""
    document = open_document(live, command.serial)
    if not document.surveillance or document.notified:
        raise Refusal(f"no notice is due for document {document.serial}", LAW)
    if command.photo is not True:
        raise Refusal("a photograph is needed", LAW)
    return [
        ev.SurveillanceNotified(serial=document.serial, photo=True, at=at, by=by, clauses=(LAW,))
    ]


def void(live: LiveTable, command: cmd.VoidPayout, by: Person, at: int) -> list[Event]:
    """A pit manager voids a document, with a reason; another one is due then."""
    document = open_document(live, command.serial)
    if not command.reason.strip():
        raise Refusal("a reason is needed", LAW)
    return [voided(document, command.reason, by, at)]


def voided(document: Document, reason: str, by: Person, at: int) -> ev.PayoutVoided:
    """The event that ends a document."""
    return ev.PayoutVoided(serial=document.serial, reason=reason, at=at, by=by, clauses=(LAW,))


def reopen(live: LiveTable, by: Person, at: int, reason: str) -> list[Event]:
    """What was checked and documented is no longer what would be paid."""
    events: list[Event] = [voided(document, reason, by, at) for document in documents(live)]
    if live.life.awards:
        events.append(ev.AwardsReopened(at=at, by=by, clauses=(LAW,)))
    return events


def offer_prepare(live: LiveTable, at: int) -> Iterator[Offer]:
    """Every undocumented payout."""
    for payout in undocumented(live, at) if ready(live) else ():
        yield Offer(
            command=cmd.PreparePayout(payout.seat, payout.wager),
            due="due",
            why=f"{dollars(payout.winnings)} on {dollars(payout.stake)}",
        )


def offer_on_documents(live: LiveTable, kind: str) -> Iterator[Offer]:
    """What the documents of the round wait for."""
    for document in documents(live):
        serial, why = document.serial, f"document {document.serial}"
        if kind == "witness" and not document.witnessed:
            yield Offer(command=cmd.WitnessPayout(serial), due="due", why=why)
        elif kind == "notify" and document.surveillance and not document.notified:
            yield Offer(command=cmd.NotifySurveillance(serial, True), due="due", why=why)
        elif kind == "void":
            yield Offer(
                command=cmd.VoidPayout(serial, "wrongly made out"),
                forms={"reason": Text("wrongly made out")},
            )


ACTS = (
    Act(
        command=cmd.PreparePayout,
        roles=FLOOR,
        duty="settle.pays",
        decide=prepare,
        offers=offer_prepare,
    ),
    Act(
        command=cmd.WitnessPayout,
        roles=FLOOR,
        duty="settle.pays",
        decide=witness,
        offers=lambda live, at: offer_on_documents(live, "witness"),
        personal=True,
    ),
    Act(
        command=cmd.NotifySurveillance,
        roles=FLOOR,
        duty="settle.pays",
        decide=notify,
        offers=lambda live, at: offer_on_documents(live, "notify"),
    ),
    Act(
        command=cmd.VoidPayout,
        roles=MANAGER,
        duty="settle.pays",
        decide=void,
        offers=lambda live, at: offer_on_documents(live, "void"),
    ),
)
