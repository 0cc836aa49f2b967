"""[proposal]: own paytables and sizes of bets, within the shape of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.errors import BadInput
from croupier.games import Proposal, bets_of, line_hands
from croupier.games.forms import Filing, did_you_mean, either, shown
from croupier.money import parse_pays
from croupier.submission.sections import section

PARTS = ("pays", "raises")
MOST_TIMES = 100


def read_proposal(filing: Filing, data: Mapping[Any, Any]) -> None:
    """What is proposed; a file that proposes is no submission that a table may open under."""
    if "proposal" not in data:
        return
    said = section(filing, data, "proposal")
    for key in said:
        if key not in PARTS:
            filing.unknown("proposal.", key, PARTS)
    pays, raises = (_table(filing, said, part) for part in PARTS)
    proposed = Proposal(
        pays={wager: lines for wager in pays if (lines := _lines(filing, wager, pays[wager]))},
        raises={name: sizes for name in raises if (sizes := _sizes(filing, name, raises[name]))},
    )
    filing.proposal = proposed
    filing.note("outstanding", "proposal", "a proposal: no table opens under it")


def _table(filing: Filing, said: Mapping[Any, Any], part: str) -> Mapping[Any, Any]:
    found = said.get(part, {})
    if isinstance(found, Mapping):
        return found
    filing.error(f"proposal.{part}", f"{shown(found)} is not a table", value=found)
    return {}


def _lines(filing: Filing, wager: object, said: object) -> tuple[tuple[str, str], ...]:
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


def _sizes(filing: Filing, name: object, said: object) -> tuple[int, ...]:
    """The sizes of the bets of one street, in antes."""
    field = f"proposal.raises.{name}"
    streets = {street.name: street for street in filing.game.streets}
    if name not in streets:
        filing.error(field, f"no street{did_you_mean(str(name), tuple(streets))}")
        return ()
    wanted = len(bets_of(streets[name]))
    sizes = tuple(said) if isinstance(said, list) else ()
    whole = all(type(size) is int and 1 <= size <= MOST_TIMES for size in sizes)
    if not whole or not len(set(sizes)) == len(sizes) == wanted:
        filing.error(
            field, f"{shown(said)}: expected {wanted} different sizes from 1 to {MOST_TIMES} antes"
        )
        return ()
    return sizes
