"""Large payouts: a document, a witness, a notice to surveillance, by tiers (COMAR 36.05.03.23)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from croupier.errors import Refusal
from croupier.money import Cents, dollars
from croupier.table.forms import Text
from croupier.table.parts import ATTENDED, Act, Offer, Part
from croupier.table.people import FLOOR, MANAGER, Account
from croupier.table.record import Audience, Command, Event
from croupier.table.round import record as played
from croupier.table.round.state import Box

if TYPE_CHECKING:
    from croupier.table.table import Table

LAW = "COMAR 36.05.03.23"

# What may be asked for.


class PreparePayout(Command, frozen=True, tag="prepare_payout"):
    """A two-part payout document for one wager that is about to be paid."""

    seat: int
    wager: str


class WitnessPayout(Command, frozen=True, tag="witness_payout"):
    """A second person signs a payout document."""

    serial: int


class NotifySurveillance(Command, frozen=True, tag="notify_surveillance"):
    """Surveillance is told of a payout, and whether a photograph was taken."""

    serial: int
    photo: bool


class VoidPayout(Command, frozen=True, tag="void_payout"):
    """A payout document is voided before anything was paid on it."""

    serial: int
    reason: str


# What happened.


class PayoutDocumented(Event, frozen=True, kw_only=True, tag="payout_documented"):
    """A payout document was prepared; it is never altered."""

    audience: ClassVar[Audience] = "own"

    serial: int
    round: int
    seat: int
    player: str
    wager: str
    stake: Cents
    winnings: Cents
    witness: str  # the role it needs
    surveillance: bool
    by_check: bool
    by: Account


class PayoutWitnessed(Event, frozen=True, kw_only=True, tag="payout_witnessed"):
    """A second person signed a payout document."""

    audience: ClassVar[Audience] = "own"

    serial: int


class SurveillanceNotified(Event, frozen=True, kw_only=True, tag="surveillance_notified"):
    """Surveillance knows of a payout and a photograph exists."""

    audience: ClassVar[Audience] = "own"

    serial: int
    photo: bool


class PayoutVoided(Event, frozen=True, kw_only=True, tag="payout_voided"):
    """A payout document is void; nothing was paid on it."""

    audience: ClassVar[Audience] = "own"

    serial: int
    reason: str


class PaidByCheck(Event, frozen=True, kw_only=True, tag="paid_by_check"):
    """A payout left the table as a check of the cage instead of chips."""

    audience: ClassVar[Audience] = "own"

    serial: int
    seat: int
    player: str
    amount: Cents


class AwardsReopened(Event, frozen=True, kw_only=True, tag="awards_reopened"):
    """A ruling changed what is due: every award of the round must be checked anew."""

    audience: ClassVar[Audience] = "staff"


@dataclass(slots=True)
class Document:
    """A payout document; what it says never changes, only what was done with it."""

    serial: int
    round: int
    seat: int
    player: str
    wager: str
    winnings: Cents
    witness: str
    surveillance: bool
    by_check: bool
    prepared_by: str
    witnessed: bool = False
    notified: bool = False
    void: bool = False

    @property
    def complete(self) -> bool:
        """Whether the payout may be made."""
        return self.witnessed and (self.notified or not self.surveillance)


@dataclass(slots=True)
class Payouts:
    """Every document of the table, by its serial number."""

    documents: dict[int, Document] = field(default_factory=dict)


def documented(table: Table, event: PayoutDocumented) -> None:
    """A new document."""
    table.payouts.documents[event.serial] = Document(
        event.serial,
        event.round,
        event.seat,
        event.player,
        event.wager,
        event.winnings,
        event.witness,
        event.surveillance,
        event.by_check,
        event.by.id,
    )


def witnessed(table: Table, event: PayoutWitnessed) -> None:
    """Signed by a second person."""
    table.payouts.documents[event.serial].witnessed = True


def notified(table: Table, event: SurveillanceNotified) -> None:
    """Surveillance knows."""
    table.payouts.documents[event.serial].notified = True


def ended(table: Table, event: PayoutVoided) -> None:
    """Void; nothing was paid on it."""
    table.payouts.documents[event.serial].void = True


# The rules.


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
    text = (resources.files("croupier.table") / "data" / "payouts.toml").read_text("utf-8")
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


def payouts(table: Table) -> list[Payout]:
    """Everything that settling now would pay, wager by wager; envy bonuses too."""
    current = table.dealing
    if current is None:
        return []
    found = (payout_of(event, current.boxes) for event in table.settlement())
    return [payout for payout in found if payout is not None]


def payout_of(event: Event, boxes: Mapping[int, Box]) -> Payout | None:
    """What an event of a settlement pays, if it pays something."""
    match event:
        case played.WagerSettled(outcome="win"):
            from_meter = "% of" in event.pays  # the stake is in the tray and stays there
            winnings = event.returned - (0 if from_meter else event.stake)
            wager, stake = event.wager, event.stake
        case played.EnvyPaid():
            winnings, wager = event.paid, f"envy_{event.holder}"
            stake = boxes[event.seat].stakes["progressive"]
        case _:
            return None
    player = boxes[event.seat].player
    return Payout(seat=event.seat, player=player, wager=wager, stake=stake, winnings=winnings)


def needs_document(payout: Payout, at: int) -> bool:
    """Whether a payout is a tax event; only these are documented."""
    tiers = thresholds(at)
    return payout.winnings >= max(tiers.tax_form, tiers.tax_times * payout.stake)


def documents(table: Table) -> list[Document]:
    """The documents of this round that are not void."""
    current = table.dealing
    if current is None:
        return []
    return [
        document
        for document in table.payouts.documents.values()
        if document.round == current.number and not document.void
    ]


def document_of(table: Table, payout: Payout) -> Document | None:
    """The document that covers a payout."""
    for document in documents(table):
        same = (document.seat, document.wager, document.winnings)
        if same == (payout.seat, payout.wager, payout.winnings):
            return document
    return None


def undocumented(table: Table, at: int) -> list[Payout]:
    """The payouts that wait for a document."""
    due = (payout for payout in payouts(table) if needs_document(payout, at))
    return [payout for payout in due if document_of(table, payout) is None]


def ready(table: Table) -> bool:
    """Whether awards and documents may be looked at: everything lies face up."""
    current = table.dealing
    return current is not None and current.hands_shown


def prepare(table: Table, command: PreparePayout, by: Account, at: int) -> list[Event]:
    """A numbered document of what is about to be paid."""
    waiting = undocumented(table, at) if ready(table) else []
    payout = next(
        (one for one in waiting if (one.seat, one.wager) == (command.seat, command.wager)), None
    )
    if payout is None:
        raise Refusal(f"no document is due for {command.wager!r} of seat {command.seat!r}", LAW)
    tiers = thresholds(at)
    assert table.dealing is not None
    prepared = PayoutDocumented(
        serial=len(table.payouts.documents) + 1,
        round=table.dealing.number,
        seat=payout.seat,
        player=payout.player,
        wager=payout.wager,
        stake=payout.stake,
        winnings=payout.winnings,
        witness="pit_manager" if payout.winnings >= tiers.manager else "floorperson",
        surveillance=payout.winnings >= tiers.surveillance,
        by_check=payout.winnings >= tiers.check,
        by=by,
        clauses=(LAW,),
    )
    return [prepared]


def open_document(table: Table, serial: int) -> Document:
    """A document of this round that is not void."""
    for document in documents(table):
        if document.serial == serial:
            return document
    raise Refusal(f"no open payout document has the number {serial!r}", LAW)


def witness(table: Table, command: WitnessPayout, by: Account, at: int) -> list[Event]:
    """Never the preparer; a pit manager for the highest tier."""
    document = open_document(table, command.serial)
    if document.witnessed:
        raise Refusal(f"document {document.serial} is witnessed", LAW)
    if by.id == document.prepared_by:
        raise Refusal(f"{by.id} prepared document {document.serial}", LAW)
    if document.witness == "pit_manager" and by.role != "pit_manager":
        raise Refusal(f"{dollars(document.winnings)} needs a pit manager as witness", LAW)
    return [PayoutWitnessed(serial=document.serial, clauses=(LAW,))]


def notify(table: Table, command: NotifySurveillance, by: Account, at: int) -> list[Event]:
    """Surveillance is told, and a photograph is taken."""
    document = open_document(table, command.serial)
    if not document.surveillance or document.notified:
        raise Refusal(f"no notice is due for document {document.serial}", LAW)
    if command.photo is not True:
        raise Refusal("a photograph is needed", LAW)
    return [SurveillanceNotified(serial=document.serial, photo=True, clauses=(LAW,))]


def void(table: Table, command: VoidPayout, by: Account, at: int) -> list[Event]:
    """A pit manager voids a document, with a reason; another one is due then."""
    document = open_document(table, command.serial)
    if not command.reason.strip():
        raise Refusal("a reason is needed", LAW)
    return [voided(document, command.reason, by, at)]


def voided(document: Document, reason: str, by: Account, at: int) -> PayoutVoided:
    """The event that ends a document."""
    return PayoutVoided(serial=document.serial, reason=reason, clauses=(LAW,))


def reopen(table: Table, by: Account, at: int, reason: str) -> list[Event]:
    """What was checked and documented is no longer what would be paid."""
    events: list[Event] = [voided(document, reason, by, at) for document in documents(table)]
    if table.progressive.awards:
        events.append(AwardsReopened(clauses=(LAW,)))
    return events


def offer_prepare(table: Table, at: int) -> Iterator[Offer]:
    """Every undocumented payout."""
    for payout in undocumented(table, at) if ready(table) else ():
        yield Offer(
            command=PreparePayout(payout.seat, payout.wager),
            due="due",
            why=f"{dollars(payout.winnings)} on {dollars(payout.stake)}",
        )


def offer_on_documents(table: Table, kind: str) -> Iterator[Offer]:
    """What the documents of the round wait for."""
    for document in documents(table):
        serial, why = document.serial, f"document {document.serial}"
        if kind == "witness" and not document.witnessed:
            yield Offer(command=WitnessPayout(serial), due="due", why=why)
        elif kind == "notify" and document.surveillance and not document.notified:
            yield Offer(command=NotifySurveillance(serial, True), due="due", why=why)
        elif kind == "void":
            yield Offer(
                command=VoidPayout(serial, "wrongly made out"),
                forms={"reason": Text("wrongly made out")},
            )


ACTS = (
    Act(
        command=PreparePayout,
        roles=FLOOR,
        duty="settle.pays",
        decide=prepare,
        offers=offer_prepare,
    ),
    Act(
        command=WitnessPayout,
        roles=FLOOR,
        duty="settle.pays",
        decide=witness,
        offers=lambda table, at: offer_on_documents(table, "witness"),
        personal=True,
    ),
    Act(
        command=NotifySurveillance,
        roles=FLOOR,
        duty="settle.pays",
        decide=notify,
        offers=lambda table, at: offer_on_documents(table, "notify"),
    ),
    Act(
        command=VoidPayout,
        roles=MANAGER,
        duty="settle.pays",
        decide=void,
        offers=lambda table, at: offer_on_documents(table, "void"),
    ),
)

# What payouts ask of the round.


def before_settling(table: Table, command: played.Settle, by: Account, at: int) -> tuple[str, ...]:
    """Hands are turned up before anything is paid; higher tiers have their documents."""
    current = table.dealing
    if current is None or current.due().kind != "settle":
        return ()  # the round refuses
    if not current.hands_shown and (current.void is None or current.void.saved):
        raise table.refusal("turn the hands up before anything is paid", "settle.pays")
    game = table.house.game.key
    if undocumented(table, at):
        raise Refusal("a payout needs a document", LAW, game=game)
    waiting = [document.serial for document in documents(table) if not document.complete]
    if waiting:
        raise Refusal(f"document {waiting[0]} is not complete", LAW, game=game)
    return ()


def pay_by_check(
    table: Table, command: played.Settle, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """The highest tier leaves by the cage, to players who are there to take a check."""
    assert table.dealing is not None
    boxes = table.dealing.boxes
    paid = {(one.seat, one.wager) for event in events if (one := payout_of(event, boxes))}
    return [
        PaidByCheck(
            serial=document.serial,
            seat=document.seat,
            player=document.player,
            amount=document.winnings,
            clauses=(LAW,),
        )
        for document in documents(table)
        if document.by_check
        and (document.seat, document.wager) in paid
        and document.player not in table.seats.absent
    ]


def after_void(
    table: Table, command: Command, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """A void round pays nothing that was checked or documented before."""
    if any(isinstance(event, played.RoundVoided) for event in events):
        return reopen(table, by, at, "the round is void")
    return []


MAY_VOID: tuple[type[Command], ...] = (
    played.FindCardFaceUp,
    played.FindWrongNumber,
    played.ExposeDealerCard,
    played.ExposeCommunityCard,
    played.JamShuffler,
    played.JamShoe,
    played.SkipPlayer,
    played.FindWrongCount,
)


def after_correction(
    table: Table, command: played.CorrectReading, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """Another card may make another payout."""
    return reopen(table, by, at, "a reading was corrected")


PART = Part(
    name="payouts",
    services=ATTENDED,
    acts=ACTS,
    before={played.Settle: before_settling},
    after={
        played.Settle: pay_by_check,
        played.CorrectReading: after_correction,
        **dict.fromkeys(MAY_VOID, after_void),
    },
    evolve={
        PayoutDocumented: documented,
        PayoutWitnessed: witnessed,
        SurveillanceNotified: notified,
        PayoutVoided: ended,
    },
)
