"""Parses [proposal]: paytables, bet sizes, numbers of cards and a qualifying hand of a variant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.errors import BadInput
from croupier.games import Proposal, bets_of, line_hands
from croupier.games.forms.value_text import format_value, join_or
from croupier.money import parse_pays
from croupier.submission.parse_context import ParseContext, did_you_mean
from croupier.submission.parser import section

TABLES = ("pays", "raises", "cards")
KEYS = (*TABLES, "qualifier")
MAX_ANTES = 100


def parse_proposal(context: ParseContext, data: Mapping[Any, Any]) -> None:
    """Parse [proposal]; no table opens under a submission that has one."""
    if "proposal" not in data:
        return
    table = section(context, data, "proposal")
    for key in table:
        if key not in KEYS:
            context.unknown_key("proposal.", key, KEYS)
    pays, raises, cards = (_subtable(context, table, name) for name in TABLES)
    context.proposal = Proposal(
        pays={
            wager: lines for wager in pays if (lines := _parse_lines(context, wager, pays[wager]))
        },
        raises={
            name: sizes for name in raises if (sizes := _parse_sizes(context, name, raises[name]))
        },
        qualifier=_parse_qualifier(context, table["qualifier"]) if "qualifier" in table else "",
        cards={
            name: count
            for name in cards
            if (count := _parse_card_count(context, name, cards[name])) is not None
        },
    )
    context.note("outstanding", "proposal", "a proposal: no table opens under it")


def _subtable(context: ParseContext, table: Mapping[Any, Any], name: str) -> Mapping[Any, Any]:
    value = table.get(name, {})
    if isinstance(value, Mapping):
        return value
    context.error(f"proposal.{name}", f"{format_value(value)} is not a table", value=value)
    return {}


def _parse_lines(
    context: ParseContext, wager: object, table: object
) -> tuple[tuple[str, str], ...]:
    """The lines of one wager in file order: hand = "3 to 1"."""
    field = f"proposal.pays.{wager}"
    offered = [*context.letters, *context.game.fixed_paytables]
    if not isinstance(wager, str) or wager not in offered:
        hint = did_you_mean(str(wager), offered)
        context.error(field, f"not a paytable of this submission{hint}")
        return ()
    if not isinstance(table, Mapping) or not table:
        context.error(
            field, f'{format_value(table)} is not a list of lines, such as flush = "7 to 1"'
        )
        return ()
    hands = line_hands(context.game, wager)
    lines = []
    for hand, pays in table.items():
        if hand not in hands:
            context.unknown_key(f"{field}.", hand, sorted(hands))
            continue
        try:
            payout = parse_pays(pays if isinstance(pays, str) else "")
        except BadInput:
            context.error(
                f"{field}.{hand}", f'{format_value(pays)} is not a payout, such as "3 to 1"'
            )
            continue
        if payout.unit == "percent" and payout.meter not in context.meters:
            meters = join_or(tuple(context.meters)) if context.meters else "there are none"
            context.error(f"{field}.{hand}", f"{payout.meter} is not a meter here; {meters}")
            continue
        lines.append((hand, pays))
    return tuple(lines)


def _parse_sizes(context: ParseContext, name: object, value: object) -> tuple[int, ...]:
    """The bet sizes of one street, in antes."""
    field = f"proposal.raises.{name}"
    streets = {street.name: street for street in context.game.streets}
    if name not in streets:
        context.error(field, f"not a street{did_you_mean(str(name), tuple(streets))}")
        return ()
    count = len(bets_of(streets[name]))
    sizes = tuple(value) if isinstance(value, list) else ()
    valid = all(type(size) is int and 1 <= size <= MAX_ANTES for size in sizes)
    if not valid or not len(set(sizes)) == len(sizes) == count:
        expected = f"expected {count} different sizes from 1 to {MAX_ANTES} antes"
        context.error(field, f"{format_value(value)}: {expected}")
        return ()
    return sizes


def _parse_qualifier(context: ParseContext, value: object) -> str:
    """The lowest hand with which the dealer qualifies; empty if it is invalid."""
    field = "proposal.qualifier"
    qualifier = context.game.qualifier
    if qualifier is None:
        context.error(field, f"the dealer of {context.game.title} needs no qualifying hand")
        return ""
    if not isinstance(value, str):
        context.error(
            field, f'{format_value(value)} is not a qualifying hand, such as "pair" or "44"'
        )
        return ""
    try:
        qualifier.least(value)
    except BadInput as problem:
        context.error(field, str(problem), value=value)
        return ""
    return value


def _parse_card_count(context: ParseContext, name: object, value: object) -> int | None:
    """The number of cards of a hand, or of board cards shown on a street."""
    field = f"proposal.cards.{name}"
    title, possible = context.game.title, context.game.analysis.cards
    if not isinstance(name, str) or name not in possible:
        hint = did_you_mean(str(name), tuple(possible)) or (
            f"; {title} can be solved with other numbers of {join_or(tuple(possible))}"
            if possible
            else f"; {title} can only be solved with its own numbers"
        )
        context.error(field, f"not a number of cards that may be proposed{hint}")
        return None
    if type(value) is not int or value not in possible[name]:
        expected = join_or(tuple(map(str, possible[name])))
        context.error(field, f"{format_value(value)}: expected {expected}")
        return None
    return value
