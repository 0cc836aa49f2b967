"""Random values for what a step leaves open, and what somebody who counts would find."""

from __future__ import annotations

from random import Random
from typing import Any

from croupier.cards import DECK, UNSEEN, names
from croupier.games import COMMUNITY
from croupier.table import Step, Table
from croupier.table import commands as cmd
from croupier.table.core import fields
from croupier.table.parts.chips.piles import ExchangeField
from croupier.table.parts.limit_changes import NewLimits, OutsideLimits, lowest_stake
from croupier.table.parts.progressive.coin_count import accepted_wagers
from croupier.table.parts.round.dealing import community_after_street

INVENTORY = 5_000_000
FILL = 1_000_000


def sample(form: fields.FieldType, rng: Random) -> Any:
    """A random value that a form admits; cards depend on the deck and are dealt elsewhere."""
    match form:
        case fields.OneOfField():
            return rng.choice(form.values)
        case fields.Amount():
            first = form.example()
            top = first + 200_000 if form.most is None else form.most
            units = (top - first) // form.unit
            return first + form.unit * rng.choice((0, units, rng.randint(0, units)))
        case fields.CountField():
            top = form.least + 200_000 if form.most is None else form.most
            return rng.choice((form.least, top, rng.randint(form.least, top)))
        case fields.ChipsField():
            return pile(form, rng.randint(form.least, form.least + 200_000), rng)
        case ExchangeField() | OutsideLimits():
            return form.example()
        case fields.TextField():
            return form.example()
        case fields.Stakes():
            return stakes(form, rng)
        case fields.Counts():
            return found(form, rng)
        case NewLimits():
            least = rng.randint(1, form.most_minimum)
            most = rng.choice((None, lowest_stake(least, form.unit), 500_00))
            return cmd.GiveLimitNotice(wager=form.wager, minimum=least, maximum=most)
    raise AssertionError(f"no sample of {form}")


def pile(form: fields.ChipsField, cents: int, rng: Random) -> int | dict[str, int]:
    """About so much, in the fewest chips; now and then as a sum, where that will do."""
    if form.sums and rng.random() < 0.5:
        return cents
    found: dict[str, int] = {}
    for chip in reversed(form.kinds):
        found[str(chip.cents)], cents = divmod(cents, chip.cents)
    if cents:  # less than the lowest chip is left: one more of them
        found[str(form.kinds[0].cents)] += 1
    return found


def stakes(form: fields.Stakes, rng: Random) -> dict[str, int]:
    """Random wagers that a box admits; the example where a try fails."""
    if form.withdraws:
        return form.example()
    for _ in range(5):
        ante = form.terms[form.ante]
        most = min(ante.most or 20_000, form.chips // 4, 20_000)
        stake = max(ante.least, rng.randint(0, max(most, 0)) // 200 * 200)
        made = {form.ante: stake}
        for name, terms in form.terms.items():
            if terms.equals:
                made[name] = stake
            elif name != form.ante and rng.random() < 0.5:
                made[name] = terms.least
        if form.admits(made):
            return made
    return form.example()


def found(form: fields.Counts, rng: Random) -> dict[str, int]:
    """Cards at every place that come to the total, or do not, or were never counted."""
    if not form.whole and rng.random() < 0.5:
        return {}
    left = max(0, form.total - sum(form.known.values()))
    open_places = [place for place in form.places if place not in form.known]
    counts = {}
    for place in open_places:
        counts[place] = rng.randint(0, left // 2)
        left -= counts[place]
    counts[open_places[0]] += left if form.whole else left + 1
    return counts | form.known


def right_count(table: Table, step: Step, rng: Random) -> int | dict[str, int]:
    """What somebody finds who counts what a step asks for, and counts right."""
    form = step.fields.get("chips")
    if isinstance(form, fields.ChipsField):
        return pile(form, right_sum(table, step), rng)
    return right_number(table, step)


def right_sum(table: Table, step: Step) -> int:
    """The worth of the chips that are counted."""
    if step.command is cmd.CountInventory:
        return table.book.tray if table.shift.open else INVENTORY
    if step.command is cmd.RequestCredit:
        return max(1, table.book.tray // 2)
    if "slip" in step.fixed:  # what the floor asked for, if the tray can give it
        asked = table.chips.waiting[step.fixed["slip"]]
        return asked.chips if asked.kind == "fill" else min(asked.chips, table.book.tray)
    return FILL


def right_number(table: Table, step: Step) -> int:
    """The number of cards or progressive chips that are counted."""
    if step.command is cmd.CountStub:
        assert table.dealing is not None
        return 52 - len(table.dealing.left_deck)
    if step.command is cmd.CountProgressive:
        return accepted_wagers(table)
    assert step.command is cmd.Shuffle, step
    return 52


def unseen(table: Table) -> list[int]:
    """The cards that have not left the deck."""
    assert table.dealing is not None
    gone = table.dealing.gone
    return [card for card in DECK if card not in gone]


def lying(table: Table, command: cmd.ReadCards | cmd.ShowStreet | cmd.TurnHand) -> list[str]:
    """What is on record of the cards that a command tells, "??" where nobody has seen them."""
    current = table.dealing
    assert current is not None
    if isinstance(command, cmd.ShowStreet):
        fresh = [card for card in community_after_street(current) if card not in current.exposed]
        return names(fresh)
    return names(current.layout if command.place == COMMUNITY else current.pile(command.place))


def dealt(table: Table, step: Step, form: fields.Cards, rng: Random) -> tuple[str, ...]:
    """The next cards of a shuffled deck: mostly all that are due, now and then a royal's.

    One round in six is dealt unseen, and its cards are told when they are turned or read.
    """
    assert table.dealing is not None
    if step.command is not cmd.DealCards:
        trial = step.command(**{**step.fixed, "cards": ()})
        assert isinstance(trial, cmd.ReadCards | cmd.ShowStreet | cmd.TurnHand)
        fresh = iter(names(rng.sample(unseen(table), len(unseen(table)))))
        return tuple(next(fresh) if card == UNSEEN else card for card in lying(table, trial))
    if table.dealing.number % 6 == 0 and rng.random() < 0.9:
        return (UNSEEN,) * form.most
    if rng.random() < 0.3:
        return royal(table, rng)
    count = form.most if rng.random() < 0.9 else rng.randint(form.least, form.most)
    return tuple(names(rng.sample(unseen(table), count)))


def royal(table: Table, rng: Random) -> tuple[str, ...]:
    """Cards that give one box a royal or nearly: awards, envy, documents, checks."""
    current, left = table.dealing, unseen(table)
    assert current is not None
    boxes = current.boxes
    suited = [
        seat
        for seat, box in boxes.items()
        if box.cards and None not in box.cards and len({c & 3 for c in box.cards if c}) == 1
    ]
    lucky = rng.choice(suited or sorted(boxes))
    suit = (boxes[lucky].cards[0] or 0) & 3 if suited else rng.randrange(4)
    row = [rank * 4 + suit for rank in range(12, -1, -1) if rank * 4 + suit in left]
    own = row[:2] if lucky in current.pending else []
    shared = row[len(own) :]
    others = [card for card in left if card not in row[:8]]
    rng.shuffle(others)
    cards: list[int] = []
    for place in current.pending:
        source = {lucky: own, COMMUNITY: shared}.get(place) or others
        cards.append(source.pop(0))
        if cards[-1] in others:
            others.remove(cards[-1])
        elif cards[-1] in shared:
            shared.remove(cards[-1])
    return tuple(names(cards))
