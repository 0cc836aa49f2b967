"""Events of the table as sentences with their clauses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from croupier.cards import parse_cards
from croupier.coach.phrases import signed_dollars
from croupier.games import Game
from croupier.money import dollars, down_to_cent
from croupier.table import Event, Round, reasons
from croupier.table import events as ev
from croupier.terminal.bot_players import YOU, display_name
from croupier.terminal.io.styled_text import Line, chip_amount, cite, join_words, line
from croupier.terminal.render import card_faces
from croupier.terminal.render.felt_text import hand_words, own_seats


def wager_title(game: Game, name: str) -> str:
    """The title of a wager as on the felt."""
    wager = game.wager(name)
    return wager.title if wager else name


def settled_line(event: ev.WagerSettled, game: Game, why: str = "") -> Line:
    """ "Blind $15 wins 3 to 2, +$22.50: you have the better hand [12.B.1.e]"."""
    reason = f": {why} " if why else " "
    limited = f" (reduced by {dollars(event.withheld)}: payout limit)" if event.withheld else ""
    stake = f"{wager_title(game, event.wager)} {chip_amount(event.stake)} "
    match event.outcome:
        case "win":
            result = f"wins {event.pays}".rstrip()
            reason = f", {signed_dollars(event.returned - event.stake)}{reason}"
        case "push":
            result = "pushes"
        case "lose":
            result = "loses"
        case _:
            result, reason = "returned", ": the round is void "
    return line(stake, (result, event.outcome), reason, cite(event.clause), limited)


def event_line(event: Event, current: Round) -> Line | None:
    """An event before the settlement in one sentence; None if the felt shows it."""
    match event:
        case ev.BettingClosed():
            return line("No more bets. ", cite(event.clauses[0]))
        case ev.ProgressiveLocked(contributions=contributions) if contributions:
            added = [f"{name} +{format_cents(value)}" for name, value in contributions.items()]
            return line(f"Progressive bets locked: {', '.join(added)}. ", cite(event.clauses[0]))
        case ev.StreetShown(community=shown) if shown:
            cards = card_faces.named_cards(shown)
            return line("The dealer shows ", *cards, ". ", cite(event.clauses[0]))
        case ev.Decided():
            return decision_line(event, current)
        case ev.HandKept() if is_own(event.seat, current):
            titles = join_words([wager_title(current.game, name) for name in event.wagers], "and")
            return line(f"Your cards stay in play for {titles}. ", *citation(event))
        case ev.HandDiscarded() if is_own(event.seat, current):
            return line("Your cards go to the discard rack. ", *citation(event))
    return None


def citation(event: Event) -> Line:
    """The first clause of an event, if it has one."""
    return line(cite(event.clauses[0])) if event.clauses else ()


def format_cents(value: int | str) -> str:
    """An amount in cents, which may be fractional: "$0.04", "0.5c"."""
    exact = Fraction(value)
    return dollars(down_to_cent(exact)) if exact.denominator == 1 else f"{float(exact):g}c"


def is_own(seat: int, current: Round) -> bool:
    """Whether the box belongs to the player at the terminal."""
    return seat in current.boxes and current.boxes[seat].player == YOU.id


def box_name(seat: int, current: Round) -> str:
    """The name of a box's player, or its seat if the player has several."""
    if is_own(seat, current) and len(own_seats(current)) > 1:
        return f"Seat {seat}"
    return display_name(current.boxes[seat].player)


def decision_line(event: ev.Decided, current: Round) -> Line:
    """A decision: "You bet 4x: Play $40"."""
    plural = is_own(event.seat, current) and len(own_seats(current)) == 1
    name = box_name(event.seat, current)
    if event.wager:
        verb = "bet" if plural else "bets"
        stake = f"{wager_title(current.game, event.wager)} {chip_amount(event.stake)}"
        amount = event.word if event.word.endswith("x") else chip_amount(event.stake)
        return line(f"{name} {verb} {amount}: {stake}. ", cite(event.clauses[0]))
    verb = event.word if plural else f"{event.word}s"
    return line(f"{name} {verb}. ", cite(event.clauses[0]))


def settlement_lines(events: Iterable[Event], current: Round) -> Iterator[Line]:
    """The end of a round: hands, the player's wagers, the others, the net result."""
    for event in events:
        yield from settlement_line(event, current)
    yield from net_lines(current)


def settlement_line(event: Event, current: Round) -> Iterator[Line]:
    """An event of the settlement, if it concerns the player at the terminal."""
    own = own_seats(current)
    match event:
        case ev.HandAnnounced(seat=seat) if seat == 0 or seat in own:
            name = "Dealer" if seat == 0 else box_name(seat, current)
            cards = card_faces.named_cards(event.cards, current.game.is_live)
            words = (announced_hand(event, current), "strong")
            yield line(f"{name}: ", *cards, "  ", words, *tail(event))
        case ev.BoxShown():
            yield line("Six Card box: ", *card_faces.named_cards(event.cards), *tail(event))
        case ev.WagerSettled(seat=seat) if seat in own:
            prefix = f"  {box_name(seat, current)}: " if len(own) > 1 else "  "
            why = reasons(current, seat).get(event.wager, "")
            yield line(prefix, *settled_line(event, current.game, why))
        case ev.MeterPaid():
            yield meter_paid(event, current)
        case ev.EnvyPaid(seat=seat) if seat in own:
            holder = display_name(current.boxes[event.holder].player)
            paid = (signed_dollars(event.paid), "win")
            yield line(f"  Envy bonus for {holder}'s {event.hand}: ", paid, " ", cite(event.clause))
        case ev.PaidByCheck(player=player) if player == YOU.id:
            paid = (dollars(event.amount), "win")
            yield line(
                "  The cage pays ", paid, " by check and exchanges it for chips. ", *citation(event)
            )


def announced_hand(event: ev.HandAnnounced, current: Round) -> str:
    """A hand as the dealer announced it, with its ranks if all cards are face up."""
    community = [card for card in current.layout if card is not None]
    if current.void is not None or len(community) < current.game.community_cards:
        return event.hand
    return hand_words(current, parse_cards(event.cards), community)


def tail(event: Event) -> Line:
    """The first clause of an event after a space, if it has one."""
    return line(" ", cite(event.clauses[0])) if event.clauses else ()


def meter_paid(event: ev.MeterPaid, current: Round) -> Line:
    """A jackpot: who won it, and the new amount of the meter."""
    paid = (dollars(event.paid), "win")
    after = dollars(down_to_cent(Fraction(event.after)))
    text = f" to {box_name(event.seat, current)} and is now at {after}. "
    return line(f"  The {event.meter} meter pays ", paid, text, *citation(event))


def net_lines(current: Round) -> Iterator[Line]:
    """The net results of the others and of the player."""
    own = own_seats(current)
    others = [
        f"{display_name(box.player)} {signed_dollars(box.net)}"
        for seat, box in sorted(current.boxes.items())
        if seat not in own
    ]
    if others:
        yield line(("  Others: " + ", ".join(others), "quiet"))
    net = sum(current.boxes[seat].net for seat in own)
    style = "win" if net > 0 else "lose" if net < 0 else "push"
    result = f"You win {dollars(net)}" if net > 0 else f"You lose {dollars(-net)}"
    yield line(f"Round {current.number}: ", (result if net else "You break even", style), ".")
