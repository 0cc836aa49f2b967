"""Transcripts: a round as text that a dealer can check, made from its events alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from croupier.games import House
from croupier.money import Cents, meter_text
from croupier.table import Table
from croupier.table import events as ev


def transcript(rules: House, events: Iterable[ev.Event], table: Table) -> str:
    """Return one line per event of a round; `table` is the table before the round."""
    lines = [headline(rules)]
    for event in events:
        if isinstance(event, ev.Decided):
            lines.append(legal(table))
        table.evolve(event)
        lines += event_lines(event, table)
    return "\n".join(lines) + "\n"


def headline(rules: House) -> str:
    """Return the game and its paytables."""
    letters = ", ".join(f"{wager} {letter}" for wager, letter in rules.letters.items())
    title = f"{rules.game.title}, edition {rules.game.edition}, {rules.dealing_method}"
    return line("game", f"{title}\n{'':9}paytables {letters}")


def event_lines(event: ev.Event, table: Table) -> Iterator[str]:
    """Yield the lines of one event."""
    match event:
        case ev.RoundOpened():
            pass
        case ev.WagersPlaced():
            stakes = ", ".join(f"{name} {money(stake)}" for name, stake in event.stakes.items())
            yield line("staked", f"{who(event.seat)}  {stakes}", event)
        case ev.BettingClosed():
            yield line("closed", f"no more bets: seats {' '.join(map(str, event.seats))}", event)
        case ev.ProgressiveLocked():
            yield line("locked", f"{event.accepted} progressive{meters_now(table)}", event)
        case ev.CardsDealt():
            yield line("dealt", "; ".join(by_place(event)), event)
        case ev.StreetShown():
            shown = " ".join(event.community) or "no community card yet"
            yield line("shown", f"{event.street or 'last card'}: {shown}", event)
        case ev.Decided():
            bet = f": {event.wager} {money(event.stake)}" if event.wager else ""
            yield line("decided", f"{who(event.seat)}  {event.word}{bet}", event)
        case ev.WagersCollected():
            lost = ", ".join(f"{name} {money(stake)}" for name, stake in event.wagers.items())
            yield line("collect", f"{who(event.seat)}  {lost}", event)
        case ev.HandKept():
            yield line("kept", f"{who(event.seat)}  for {', '.join(event.wagers)}", event)
        case ev.HandDiscarded():
            yield line("discard", f"{who(event.seat)}  hand to the rack", event)
        case ev.HandAnnounced():
            cards = f"{who(event.seat)}  {' '.join(event.cards)}"
            yield line("announce", f"{cards}: {event.hand}", event)
        case ev.CardsTurned():
            yield line("turned", "; ".join(by_place(event)), event)
        case ev.BoxShown():
            yield line("shown", f"six card box {' '.join(event.cards)}", event)
        case ev.WagerSettled():
            yield line("settled", f"{who(event.seat)}  {settlement(event)}", event)
        case ev.MeterPaid():
            yield line("meter", f"{event.meter} pays {money(event.paid)}{meters_now(table)}", event)
        case ev.EnvyPaid():
            why = f"for the {event.hand} of {who(event.holder)}"
            yield line("envy", f"{who(event.seat)}  {money(event.paid)} {why}", event)
        case ev.IrregularityNoted():
            detail = "".join(f", {name} {value}" for name, value in event.detail.items())
            yield line("noted", f"{event.irregularity.replace('_', ' ')}{detail}", event)
        case ev.WagersForfeited():
            yield line("forfeit", f"{who(event.seat)}  {event.cause}: {event.reason}", event)
        case ev.PlayerSatOut():
            yield line("skipped", f"{who(event.seat)}  waits for the next round", event)
        case ev.RoundVoided():
            saved = f"; {event.saved} is settled" if event.saved else ""
            yield line("void", f"{event.irregularity.replace('_', ' ')}{saved}", event)
        case ev.RoundClosed():
            yield from nets(table)
            if table.meters:
                yield line("meters", meters_now(table).removeprefix(", "))
            yield line("rack", f"{' '.join(event.discards)}; {event.stub} in the stub", event)


def line(label: str, text: str, event: ev.Event | None = None) -> str:
    """Return one line: the label, the text, and the clauses of the event."""
    cited: tuple[str, ...] = ()
    if event is not None:
        own = getattr(event, "clause", "")
        cited = tuple(dict.fromkeys((own, *event.clauses) if own else event.clauses))
    clauses = f"  [{' '.join(cited)}]" if cited else ""
    return f"{label:9}{text}{clauses}"


def legal(table: Table) -> str:
    """Return the options of the seat to act."""
    street = table.in_progress().street
    assert street is not None
    options = ", ".join(option.word for option in street.options)
    return line("legal", f"{who(table.due().seat)}  {options}")


def by_place(event: ev.CardsDealt | ev.CardsTurned) -> Iterator[str]:
    """Yield the cards of each place, in the order of the deal."""
    places: dict[int | str, list[str]] = {}
    for card, place in zip(event.cards, event.places, strict=True):
        places.setdefault(place, []).append(card)
    for place, cards in places.items():
        yield f"{f'seat {place}' if isinstance(place, int) else place} {' '.join(cards)}"


def settlement(event: ev.WagerSettled) -> str:
    """Return a settled wager as "blind  10.00 -> 25.00  win 3 to 2"."""
    pays = f" {event.pays}" if event.pays else ""
    withheld = f", {money(event.withheld)} withheld" if event.withheld else ""
    amounts = f"{money(event.stake)} -> {money(event.returned)}"
    return f"{event.wager}  {amounts}  {event.outcome}{pays}{withheld}"


def nets(table: Table) -> Iterator[str]:
    """Yield the net result of each seat."""
    assert table.round is not None
    for seat, box in sorted(table.round.boxes.items()):
        yield line("net", f"{who(seat)}  {'+' if box.net > 0 else ''}{money(box.net)}")


def meters_now(table: Table) -> str:
    """Return the meters in dollars, exact to the fraction of a cent."""
    return "".join(f", {name} {meter_text(value / 100)}" for name, value in table.meters.items())


def who(seat: int) -> str:
    """Return "seat N" or "dealer"."""
    return f"seat {seat}" if seat else "dealer"


def money(cents: Cents) -> str:
    """Return dollars and cents without a currency sign."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100:,}.{abs(cents) % 100:02d}"
