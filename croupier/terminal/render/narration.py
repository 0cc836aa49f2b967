"""Events of the table as colored sentences with their clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from croupier.cards import parse_cards
from croupier.coach.phrases import signed_dollars
from croupier.money import dollars
from croupier.table import Event, Round, Viewer, reasons
from croupier.table import events as ev
from croupier.table.event_text import EventText, cited_clauses
from croupier.terminal.bot_players import YOU
from croupier.terminal.io.styled_text import Line, cite, line
from croupier.terminal.render import card_faces
from croupier.terminal.render.card_faces import SYMBOLS
from croupier.terminal.render.felt_text import hand_words, own_seats
from croupier.wording import person_name

# Cards and results get a color; a card is written as in `symbols`, so no name looks like one.
_COLORED = re.compile(
    r"(?P<card>[2-9TJQKA][♣♦♥♠])|(?P<win>wins? [^,.(:]*)|(?P<push>pushes)|(?P<lose>loses)"
)


def event_line(event: Event, current: Round) -> Line | None:
    """An event before the settlement in one sentence; None if the felt shows it."""
    match event:
        case ev.BettingClosed() | ev.Decided():
            return event_sentence(event, current)
        case ev.StreetShown(community=shown) | ev.ProgressiveLocked(contributions=shown) if shown:
            return event_sentence(event, current)
        case (
            ev.WagersCollected(seat=seat) | ev.HandKept(seat=seat) | ev.HandDiscarded(seat=seat)
        ) if seat in own_seats(current):
            return event_sentence(event, current)
    return None


def event_sentence(event: Event, current: Round, why: str = "") -> Line:
    """The sentence of an event in color, with a reason and the clause."""
    players = {seat: box.player for seat, box in current.boxes.items()}
    viewer = Viewer(YOU, frozenset(own_seats(current)))
    text = EventText(viewer, current.game, players, name_cards=symbols).describe(event)
    if why:
        text = f"{text.removesuffix('.')}: {why}"
    clauses = [cite(clause) for clause in cited_clauses(event)[:1]]
    return line(*colored(text, current), *(" " for _ in clauses), *clauses)


def symbols(cards: Sequence[str]) -> str:
    """Cards with the symbols of their suits: "K♦ T♠"."""
    return " ".join(card[0] + SYMBOLS[card[1]] for card in cards)


def colored(text: str, current: Round) -> Iterator[str | tuple[str, str]]:
    """The spans of a sentence."""
    end = 0
    for match in _COLORED.finditer(text):
        yield text[end : match.start()]
        if match.lastgroup == "card":
            yield from card_faces.flat_cards(parse_cards(match[0]), current.game.is_live)
        else:
            yield match[0], match.lastgroup or ""
        end = match.end()
    yield text[end:]


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
            hand = announced_hand(event, current)
            yield event_sentence(msgspec.structs.replace(event, hand=hand), current)
        case ev.BoxShown():
            yield event_sentence(event, current)
        case ev.WagerSettled(seat=seat) if seat in own:
            why = reasons(current, seat).get(event.wager, "")
            yield line("  ", *event_sentence(event, current, why))
        case ev.EnvyPaid(seat=seat) | ev.PaidByCheck(seat=seat) if seat in own:
            yield line("  ", *event_sentence(event, current))
        case ev.MeterPaid():
            yield line("  ", *event_sentence(event, current))


def announced_hand(event: ev.HandAnnounced, current: Round) -> str:
    """A hand as the dealer announced it, with its ranks if all cards are face up."""
    community = [card for card in current.layout if card is not None]
    if current.void is not None or len(community) < current.game.community_cards:
        return event.hand
    return hand_words(current, parse_cards(event.cards), community)


def net_lines(current: Round) -> Iterator[Line]:
    """The net results of the others and of the player."""
    own = own_seats(current)
    others = [
        f"{person_name(box.player)} {signed_dollars(box.net)}"
        for seat, box in sorted(current.boxes.items())
        if seat not in own
    ]
    if others:
        yield line(("  Others: " + ", ".join(others), "quiet"))
    net = sum(current.boxes[seat].net for seat in own)
    style = "win" if net > 0 else "lose" if net < 0 else "push"
    result = f"You win {dollars(net)}" if net > 0 else f"You lose {dollars(-net)}"
    yield line(f"Round {current.number}: ", (result if net else "You break even", style), ".")
