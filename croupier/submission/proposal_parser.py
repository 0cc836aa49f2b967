"""[proposal]: own paytables, bets, numbers of cards and qualifying hand, within a game's shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.errors import BadInput
from croupier.games import Proposal, line_hands, street_bets
from croupier.games.forms import ParseContext, did_you_mean, either, shown
from croupier.money import parse_pays
from croupier.submission.parser import section

TABLES = ("pays", "raises", "cards")
PARTS = (*TABLES, "qualifier")
MOST_TIMES = 100


def read_proposal(filing: ParseContext, data: Mapping[Any, Any]) -> None:
    """What is proposed; a file that proposes is no submission that a table may open under."""
    if "proposal" not in data:
        return
    said = section(filing, data, "proposal")
    for key in said:
        if key not in PARTS:
            filing.unknown("proposal.", key, PARTS)
    pays, raises, cards = (_table(filing, said, part) for part in TABLES)
    proposed = Proposal(
        pays={wager: lines for wager in pays if (lines := _lines(filing, wager, pays[wager]))},
        raises={name: sizes for name in raises if (sizes := _sizes(filing, name, raises[name]))},
        qualifier=_qualifier(filing, said["qualifier"]) if "qualifier" in said else "",
        cards={
            place: count
            for place in cards
            if (count := _cards(filing, place, cards[place])) is not None
        },
    )
    filing.proposal = proposed
    filing.note("outstanding", "proposal", "a proposal: no table opens under it")


def _table(filing: ParseContext, said: Mapping[Any, Any], part: str) -> Mapping[Any, Any]:
    found = said.get(part, {})
    if isinstance(found, Mapping):
        return found
    filing.error(f"proposal.{part}", f"{shown(found)} is not a table", value=found)
    return {}


def _lines(filing: ParseContext, wager: object, said: object) -> tuple[tuple[str, str], ...]:
    """The lines of one wager, first first: hand = "3 to 1"."""
    field = f"proposal.pays.{wager}"
    offered = [*filing.letters, *filing.game.fixed_paytables]
    if not isinstance(wager, str) or wager not in offered:
        filing.error(field, f"no paytable of this submission{did_you_mean(str(wager), offered)}")
        return ()
    if not isinstance(said, Mapping) or not said:
        filing.error(field, f'{shown(said)} are no lines; expected such as flush = "7 to 1"')
        return ()
    known = line_hands(filing.game, wager)
    lines = []
    for hand, pays in said.items():
        if hand not in known:
            filing.unknown(f"{field}.", hand, sorted(known))
            continue
        try:
            read = parse_pays(pays if isinstance(pays, str) else "")
        except BadInput:
            filing.error(f"{field}.{hand}", f'{shown(pays)} is no payout; expected "3 to 1"')
            continue
        if read.unit == "percent" and read.meter not in filing.meters:
            told = either(tuple(filing.meters)) if filing.meters else "there are none"
            filing.error(f"{field}.{hand}", f"{read.meter} is no meter here; {told}")
            continue
        lines.append((hand, pays))
    return tuple(lines)


def _sizes(filing: ParseContext, name: object, said: object) -> tuple[int, ...]:
    """The sizes of the bets of one street, in antes."""
    field = f"proposal.raises.{name}"
    streets = {street.name: street for street in filing.game.streets}
    if name not in streets:
        filing.error(field, f"no street{did_you_mean(str(name), tuple(streets))}")
        return ()
    wanted = len(street_bets(streets[name]))
    sizes = tuple(said) if isinstance(said, list) else ()
    whole = all(type(size) is int and 1 <= size <= MOST_TIMES for size in sizes)
    if not whole or not len(set(sizes)) == len(sizes) == wanted:
        filing.error(
            field, f"{shown(said)}: expected {wanted} different sizes from 1 to {MOST_TIMES} antes"
        )
        return ()
    return sizes


def _qualifier(filing: ParseContext, said: object) -> str:
    """The least hand with which the dealer qualifies; "" where that cannot be proposed."""
    field = "proposal.qualifier"
    asked = filing.game.qualifier
    if asked is None:
        filing.error(field, f"the dealer of {filing.game.title} needs no qualifying hand")
        return ""
    if not isinstance(said, str):
        filing.error(field, f'{shown(said)} is no qualifying hand; expected such as "pair" or "44"')
        return ""
    try:
        asked.least(said)
    except BadInput as problem:
        filing.error(field, str(problem), value=said)
        return ""
    return said


def _cards(filing: ParseContext, place: object, said: object) -> int | None:
    """How many cards a hand has, or how many of the board show on a street."""
    field = f"proposal.cards.{place}"
    possible = filing.game.analysis.cards
    if not isinstance(place, str) or place not in possible:
        told = did_you_mean(str(place), tuple(possible)) or (
            f"; {filing.game.title} is solved with other numbers of {either(tuple(possible))}"
            if possible
            else f"; {filing.game.title} is solved with its own numbers only"
        )
        filing.error(field, f"no cards that may be proposed{told}")
        return None
    if type(said) is not int or said not in possible[place]:
        filing.error(field, f"{shown(said)}: expected {either(tuple(map(str, possible[place])))}")
        return None
    return said
