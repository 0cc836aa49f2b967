"""What happened at the table, told in sentences with their clauses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from croupier.cards import parse_cards
from croupier.games import Game
from croupier.money import dollars, down_to_cent
from croupier.table import Event, Round, reasons
from croupier.table import events as ev
from croupier.terminal.bot_players_people import YOU, name_of
from croupier.terminal.io.styled_text import Line, chips, cite, line, listed, signed
from croupier.terminal.render import card_faces
from croupier.terminal.render.felt_text import in_words, own_seats


def title_of(game: Game, name: str) -> str:
    """The wager as it is written on the felt."""
    wager = game.wager(name)
    return wager.title if wager else name


def settled(event: ev.WagerSettled, game: Game, why: str = "") -> Line:
    """ "Blind $15 wins 3 to 2, +$22.50: you have the better hand [12.B.1.e]"."""
    reason = f": {why} " if why else " "
    kept = f" (payout limit keeps back {dollars(event.withheld)})" if event.withheld else ""
    stake = f"{title_of(game, event.wager)} {chips(event.stake)} "
    match event.outcome:
        case "win":
            said = f"wins {event.pays}".rstrip()
            reason = f", {signed(event.returned - event.stake)}{reason}"
        case "push":
            said = "returned"
        case "lose":
            said = "lost"
        case _:
            said, reason = "returned", ": the round is void "
    return line(stake, (said, event.outcome), reason, cite(event.clause), kept)


def tell(event: Event, current: Round) -> Line | None:
    """One event before the settlement in one sentence; None if the felt shows it anyway."""
    match event:
        case ev.BettingClosed():
            return line("No more bets. ", cite(event.clauses[0]))
        case ev.ProgressiveLocked(contributions=fed) if fed:
            added = [f"{name} +{cents(value)}" for name, value in fed.items()]
            return line(f"The progressive is locked: {', '.join(added)}. ", cite(event.clauses[0]))
        case ev.StreetShown(community=shown) if shown:
            return line("The dealer shows ", *card_faces.named(shown), ". ", cite(event.clauses[0]))
        case ev.Decided():
            return decided(event, current)
        case ev.HandKept() if is_own(event.seat, current):
            kept = [title_of(current.game, name) for name in event.wagers]
            return line(f"Your cards stay for {listed(kept, 'and')}. ", *cited(event))
        case ev.HandDiscarded() if is_own(event.seat, current):
            return line("Your cards go to the discard rack. ", *cited(event))
    return None


def cited(event: Event) -> Line:
    """The clause of an event, where it has one."""
    return line(cite(event.clauses[0])) if event.clauses else ()


def cents(value: int | str) -> str:
    """A sum in cents that may have a fraction: "$0.04", "0.5c"."""
    exact = Fraction(value)
    return dollars(down_to_cent(exact)) if exact.denominator == 1 else f"{float(exact):g}c"


def is_own(seat: int, current: Round) -> bool:
    """Whether the person at the terminal bets on that box."""
    return seat in current.boxes and current.boxes[seat].player == YOU.id


def who(seat: int, current: Round) -> str:
    """The player of a box by name, with the seat where one person has several."""
    if is_own(seat, current) and len(own_seats(current)) > 1:
        return f"Seat {seat}"
    return name_of(current.boxes[seat].player)


def decided(event: ev.Decided, current: Round) -> Line:
    """A decision: "You bet 4x: Play $40"."""
    plural = is_own(event.seat, current) and len(own_seats(current)) == 1
    name = who(event.seat, current)
    if event.wager:
        verb = "bet" if plural else "bets"
        stake = f"{title_of(current.game, event.wager)} {chips(event.stake)}"
        amount = event.word if event.word.endswith("x") else chips(event.stake)
        return line(f"{name} {verb} {amount}: {stake}. ", cite(event.clauses[0]))
    verb = event.word if plural else f"{event.word}s"
    return line(f"{name} {verb}. ", cite(event.clauses[0]))


def settlement(events: Iterable[Event], current: Round) -> Iterator[Line]:
    """The end of a round, line by line: hands, the player's wagers, the others, the net."""
    for event in events:
        yield from settlement_line(event, current)
    yield from nets(current)


def settlement_line(event: Event, current: Round) -> Iterator[Line]:
    """What one event of the settlement means to the person at the terminal, if anything."""
    own = own_seats(current)
    match event:
        case ev.HandAnnounced(seat=seat) if seat == 0 or seat in own:
            name = "Dealer" if seat == 0 else who(seat, current)
            cards = card_faces.named(event.cards, current.game.is_live)
            said = (announced(event, current), "strong")
            yield line(f"{name}: ", *cards, "  ", said, *tail(event))
        case ev.BoxShown():
            yield line("Six Card box: ", *card_faces.named(event.cards), *tail(event))
        case ev.WagerSettled(seat=seat) if seat in own:
            prefix = f"  {who(seat, current)}: " if len(own) > 1 else "  "
            why = reasons(current, seat).get(event.wager, "")
            yield line(prefix, *settled(event, current.game, why))
        case ev.MeterPaid():
            yield meter_paid(event, current)
        case ev.EnvyPaid(seat=seat) if seat in own:
            holder = name_of(current.boxes[event.holder].player)
            paid = (signed(event.paid), "win")
            yield line(f"  Envy bonus for {holder}'s {event.hand}: ", paid, " ", cite(event.clause))
        case ev.PaidByCheck(player=player) if player == YOU.id:
            paid = (dollars(event.amount), "win")
            yield line(
                "  The cage pays ", paid, " by check and changes it into chips. ", *cited(event)
            )


def announced(event: ev.HandAnnounced, current: Round) -> str:
    """A hand as the dealer announced it, with its ranks where all of it lies open."""
    community = [card for card in current.layout if card is not None]
    if current.void is not None or len(community) < current.game.community_cards:
        return event.hand
    return in_words(current, parse_cards(event.cards), community)


def tail(event: Event) -> Line:
    """The first clause of an announcement, after a space."""
    return line(" ", cite(event.clauses[0])) if event.clauses else ()


def meter_paid(event: ev.MeterPaid, current: Round) -> Line:
    """A jackpot: who got it, and what the meter shows now."""
    paid = (dollars(event.paid), "win")
    after = dollars(down_to_cent(Fraction(event.after)))
    text = f" to {who(event.seat, current)} and stands at {after}. "
    return line(f"  The {event.meter} meter pays ", paid, text, *cited(event))


def nets(current: Round) -> Iterator[Line]:
    """What the others and the player won or lost."""
    own = own_seats(current)
    others = [
        f"{name_of(box.player)} {signed(box.net)}"
        for seat, box in sorted(current.boxes.items())
        if seat not in own
    ]
    if others:
        yield line(("  Others: " + ", ".join(others), "quiet"))
    net = sum(current.boxes[seat].net for seat in own)
    style = "win" if net > 0 else "lose" if net < 0 else "push"
    yield line("Round ", str(current.number), ": net ", (signed(net), style))
