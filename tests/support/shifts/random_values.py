"""Random values for the fields of a step, and the correct result of every count."""

from __future__ import annotations

from random import Random
from typing import Any

from croupier.cards import DECK, UNSEEN, names
from croupier.games import COMMUNITY
from croupier.table import Step, Table
from croupier.table import commands as cmd
from croupier.table.core import fields
from croupier.table.core.roles import STAFF
from croupier.table.parts.chips.piles import ExchangeField
from croupier.table.parts.limit_changes import NewLimits, OutsideLimits, lowest_stake
from croupier.table.parts.progressive.coin_count import accepted_wagers
from croupier.table.parts.round.card_reading import readings
from croupier.table.parts.round.dealing import community_after_street

INVENTORY = 5_000_000
FILL = 1_000_000


def sample(form: fields.FieldType, rng: Random) -> Any:
    """Return a random accepted value; for cards see `sample_cards`."""
    match form:
        case fields.OneOfField():
            return rng.choice(form.values)
        case fields.AmountField():
            first = form.example()
            top = first + 200_000 if form.most is None else form.most
            units = (top - first) // form.unit
            return first + form.unit * rng.choice((0, units, rng.randint(0, units)))
        case fields.CountField():
            top = form.least + 200_000 if form.most is None else form.most
            return rng.choice((form.least, top, rng.randint(form.least, top)))
        case fields.ChipsField():
            return make_pile(form, rng.randint(form.least, form.least + 200_000), rng)
        case ExchangeField() | OutsideLimits():
            return form.example()
        case fields.TextField():
            return form.example()
        case fields.StakesField():
            return stakes(form, rng)
        case fields.CountsField():
            return sample_counts(form, rng)
        case NewLimits():
            least = rng.randint(1, form.most_minimum)
            most = rng.choice((None, lowest_stake(least, form.unit), 500_00))
            return cmd.GiveLimitNotice(wager=form.wager, minimum=least, maximum=most)
    raise AssertionError(f"no sample of {form}")


def make_pile(form: fields.ChipsField, cents: int, rng: Random) -> int | dict[str, int]:
    """Return this amount in the fewest chips, rounded up; sometimes as a sum if accepted."""
    if form.sums and rng.random() < 0.5:
        return cents
    pieces: dict[str, int] = {}
    for chip in reversed(form.kinds):
        pieces[str(chip.cents)], cents = divmod(cents, chip.cents)
    if cents:  # the rest is less than the lowest chip: add one
        pieces[str(form.kinds[0].cents)] += 1
    return pieces


def stakes(form: fields.StakesField, rng: Random) -> dict[str, int]:
    """Return random accepted wagers, or the example after five failed tries."""
    if form.withdraws:
        return form.example()
    for _ in range(5):
        ante = form.terms[form.ante]
        most = min(ante.most or 20_000, form.chips // 4, 20_000)
        stake = max(ante.least, rng.randint(0, max(most, 0)) // 200 * 200)
        wagers = {form.ante: stake}
        for name, terms in form.terms.items():
            if terms.equals:
                wagers[name] = stake
            elif name != form.ante and rng.random() < 0.5:
                wagers[name] = terms.least
        if form.admits(wagers):
            return wagers
    return form.example()


def sample_counts(form: fields.CountsField, rng: Random) -> dict[str, int]:
    """Return counts at every place that add up to the total or not, or no counts."""
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
    """Return the correct count for a step."""
    form = step.fields.get("chips")
    if isinstance(form, fields.ChipsField):
        return make_pile(form, right_sum(table, step), rng)
    return right_number(table, step)


def right_sum(table: Table, step: Step) -> int:
    """Return the value of the chips that are counted."""
    if step.command is cmd.CountInventory:
        return table.book.tray if table.shift.open else INVENTORY
    if step.command is cmd.RequestCredit:
        return max(1, table.book.tray // 2)
    if "slip" in step.fixed:  # as requested, if the tray has it
        request = table.chips.waiting[step.fixed["slip"]]
        return request.chips if request.kind == "fill" else min(request.chips, table.book.tray)
    return FILL


def right_number(table: Table, step: Step) -> int:
    """Return the number of cards or progressive chips that are counted."""
    if step.command is cmd.CountStub:
        assert table.dealing is not None
        return 52 - len(table.dealing.left_deck)
    if step.command is cmd.CountProgressive:
        return accepted_wagers(table)
    assert step.command is cmd.Shuffle, step
    return 52


def cards_in_deck(table: Table) -> list[int]:
    """Return the cards that have not left the deck."""
    assert table.dealing is not None
    gone = table.dealing.gone
    return [card for card in DECK if card not in gone]


def possible_cards(table: Table, role: str) -> list[int]:
    """Return the cards that an account of a role may name: staff know only those face up."""
    assert table.dealing is not None
    if role not in STAFF:
        return cards_in_deck(table)
    return [card for card in DECK if card not in table.dealing.exposed]


def recorded_cards(
    table: Table, command: cmd.ReadCards | cmd.ShowStreet | cmd.TurnHand
) -> list[str]:
    """Return the recorded cards that a command is about, with "??" for unseen ones."""
    current = table.dealing
    assert current is not None
    if isinstance(command, cmd.ShowStreet):
        return names(
            [card for card in community_after_street(table, current) if card not in current.exposed]
        )
    if isinstance(command, cmd.TurnHand):
        return names(readings(table, current, command.place))
    return names(current.layout if command.place == COMMUNITY else current.pile(command.place))


def sample_cards(table: Table, step: Step, form: fields.CardsField, rng: Random) -> tuple[str, ...]:
    """Return random cards for a step: mostly all that are due, sometimes a royal flush.

    One round in six is dealt unseen; its cards are named when they are turned or read.
    """
    assert table.dealing is not None
    if step.command is not cmd.DealCards:
        trial = step.command(**{**step.fixed, "cards": ()})
        assert isinstance(trial, cmd.ReadCards | cmd.ShowStreet | cmd.TurnHand)
        deck = iter(names(rng.sample(cards_in_deck(table), len(cards_in_deck(table)))))
        recorded = recorded_cards(table, trial)
        return tuple(next(deck) if card == UNSEEN else card for card in recorded)
    if table.dealing.number % 6 == 0 and rng.random() < 0.9:
        return (UNSEEN,) * form.most
    if rng.random() < 0.3:
        return royal(table, rng)
    count = form.most if rng.random() < 0.9 else rng.randint(form.least, form.most)
    return tuple(names(rng.sample(cards_in_deck(table), count)))


def royal(table: Table, rng: Random) -> tuple[str, ...]:
    """Return cards that give one box a royal flush or nearly, to trigger awards and payouts."""
    current, left = table.dealing, cards_in_deck(table)
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
