"""What each event does to the round and the meters; nothing here may refuse."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.cards import known_cards, known_faces
from croupier.games import BOX, DEALER
from croupier.table.parts import Evolve
from croupier.table.record import Event, MeterText
from croupier.table.round import pools
from croupier.table.round import record as rec
from croupier.table.round.betting import in_order
from croupier.table.round.state import Box, Round

if TYPE_CHECKING:
    from croupier.table.table import Table


def on_table(table: Table) -> Round:
    """The round that an event belongs to."""
    assert table.round is not None, "an event of a round before one was opened"
    return table.round


def opened(table: Table, event: rec.RoundOpened) -> None:
    """A new round under the House and the meters of the moment."""
    table.round = Round(table.house, event.number, dict(table.meters))
    table.rounds_played = event.number


def placed(table: Table, event: rec.WagersPlaced) -> None:
    """A box's stakes as they now are."""
    boxes = on_table(table).boxes
    if event.stakes:
        boxes[event.seat] = Box(event.player, in_order(table.house, event.stakes))
    else:
        boxes.pop(event.seat, None)


def locked(table: Table, event: rec.ProgressiveLocked) -> None:
    """The accepted wagers feed the meters."""
    feed(table, event.contributions)


def sat_out(table: Table, event: rec.PlayerSatOut) -> None:
    """The skipped box waits, and takes back what it had fed."""
    on_table(table).sit_out(event.seat)
    feed(table, event.contributions)


def feed(table: Table, contributions: Mapping[str, MeterText]) -> None:
    """Add to the meters, exactly."""
    fed = on_table(table).fed
    for meter, text in contributions.items():
        amount = Fraction(text)
        table.meters[meter] += amount
        fed[meter] = fed.get(meter, Fraction(0)) + amount


def settled(table: Table, event: rec.WagerSettled) -> None:
    """A stake is resolved."""
    on_table(table).boxes[event.seat].settled[event.wager] = event


def envied(table: Table, event: rec.EnvyPaid) -> None:
    """A bonus for another's hand."""
    current = on_table(table)
    current.boxes[event.seat].envy += event.paid
    current.envied.add(event.holder)


def paid(table: Table, event: rec.MeterPaid) -> None:
    """A meter fell and was refilled."""
    table.meters[event.meter] = Fraction(event.after)


def noted(table: Table, event: rec.IrregularityNoted) -> None:
    """A card that was found face up is out of play, and everybody saw it."""
    if event.irregularity == "card_face_up":
        on_table(table).set_aside(known_cards((str(event.detail["card"]),))[0])


def voided(table: Table, event: rec.RoundVoided) -> None:
    """All hands are void, and the meters are where they were."""
    on_table(table).end(event)
    table.meters = {name: Fraction(value) for name, value in event.meters.items()}


def dealt(table: Table, event: rec.CardsDealt) -> None:
    """Cards lie where they go, seen or not."""
    on_table(table).place(known_faces(event.cards), event.places)


def announced(table: Table, event: rec.HandAnnounced) -> None:
    """A hand lies face up."""
    on_table(table).turn_up(event.seat or DEALER, known_cards(event.cards))


def turned(table: Table, event: rec.CardsTurned) -> None:
    """Cards of several places lie face up."""
    on_table(table).turn_several(known_cards(event.cards), event.places)


def corrected(table: Table, event: rec.ReadingCorrected) -> None:
    """A card that was misread is another one."""
    on_table(table).correct(event.place, event.position, known_cards((event.card,))[0])


def all_shown(table: Table, event: rec.HandsShown) -> None:
    """The hands lie face up, unpaid."""
    on_table(table).hands_shown = True


def closed(table: Table, event: rec.RoundClosed) -> None:
    """Every stake is resolved."""
    on_table(table).closed = True


EVOLVE: dict[type[Event], Evolve] = {
    rec.RoundOpened: opened,
    rec.WagersPlaced: placed,
    rec.BettingClosed: lambda table, event: on_table(table).close_betting(event.seats),
    rec.ProgressiveLocked: locked,
    rec.CardsDealt: dealt,
    rec.StreetShown: lambda table, event: on_table(table).show(known_cards(event.community)),
    rec.Decided: lambda table, event: on_table(table).act(event),
    rec.HandAnnounced: announced,
    rec.BoxShown: lambda table, event: on_table(table).turn_up(BOX, known_cards(event.cards)),
    rec.CardsTurned: turned,
    rec.CardsRead: lambda table, event: on_table(table).name_faces(
        event.place, known_cards(event.cards)
    ),
    rec.ReadingCorrected: corrected,
    rec.HandsShown: all_shown,
    rec.WagerSettled: settled,
    rec.MeterPaid: paid,
    pools.PoolUsed: lambda table, event: pools.use(table.meters, event),
    rec.EnvyPaid: envied,
    rec.IrregularityNoted: noted,
    rec.WagersForfeited: lambda table, event: on_table(table).forfeit(event),
    rec.PlayerSatOut: sat_out,
    rec.RoundVoided: voided,
    rec.RoundClosed: closed,
}
