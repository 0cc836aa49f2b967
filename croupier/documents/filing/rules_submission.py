"""The Rules Submission on paper: every choice with its clause, its reading and the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from croupier.documents.filing.document_blocks import (
    Block,
    FilingDocument,
    Heading,
    Listing,
    OperatorChoice,
    Pairs,
    Paragraph,
    Paytables,
    Row,
    TableBlock,
    TwoColumnTable,
    document,
    listed_ids,
)
from croupier.documents.filing.document_blocks_plain import amount, chapter, spoken, title_of
from croupier.games import House, most_at_minimum, payout_floor, title
from croupier.submission.issues import Issue
from croupier.games.forms import (Choice)
from croupier.games.layout_notices import TIMES
from croupier.games.odds import Schedule, schedules
from croupier.money import dollars
from croupier.rulebook import Reading, clauses, meter_floors, readings

NOT_STATED = "not stated"


def rules(house: House, issues: Iterable[Issue], approved: str) -> FilingDocument:
    """What 36.05.03.19 asks for: which options of the standard rules this table uses."""
    blocks = [
        *head(house, approved),
        *open_points(issues),
        *wagers(house),
        *chosen(house),
        *equipment(house),
        *paytables(house),
        *progressive(house),
        *payout_limit(house),
        *unclear(house),
    ]
    return document(house, "1-rules-submission", "Rules Submission", blocks, approved)


def head(house: House, approved: str) -> Iterator[Block]:
    """Who submits what."""
    yield Pairs(
        rows=(
            ("facility operator", house.operator),
            ("game", f"{house.game.title}, edition {house.game.edition}"),
            ("digest", house.digest),
            ("approval", approved or "not on file"),
            ("authority", "COMAR 36.05.03.19"),
        )
    )


def open_points(issues: Iterable[Issue]) -> Iterator[Block]:
    """What is still to be filed, and what was left to the usual reading."""
    found = tuple(issues)
    for severity, heading in (
        ("outstanding", "To be on file before a table opens"),
        ("warning", "Left to the usual reading"),
    ):
        items = tuple(str(issue) for issue in found if issue.severity == severity)
        if items:
            yield Heading(text=heading)
            yield Listing(items=items)


def wagers(house: House) -> Iterator[Block]:
    """Every wager of the document: offered or not, its limits and its paytable."""
    yield Heading(text="Wagers")
    rows = []
    for wager in house.game.wagers:
        offer = house.game.form.offer(wager.name)
        cited = (offer.clause, offer.letter_clause) if offer else (wager.clause,)
        ids = tuple(dict.fromkeys(id for each in cited for id in listed_ids(each)))
        stakes = stakes_of(house, wager.name) if house.offers(wager.name) else "not offered"
        letter = house.letters.get(wager.name, "")
        rows.append(Row((wager.title, stakes, letter, ", ".join(ids)), ids))
    yield TableBlock(
        titles=("wager", "stakes", "paytable", "clauses"),
        rows=tuple(rows),
        widths=("auto", "1fr", "auto", "auto"),
        sides=("left", "left", "left", "left"),
    )


def stakes_of(house: House, name: str) -> str:
    """What may be staked on an offered wager."""
    wager = house.game.wager(name)
    assert wager is not None, f"{house.game.key} has no {name}"
    ante = house.game.ante.title
    match wager.role:
        case "matching":
            return f"as much as the {ante}"
        case "decision":
            times = [o.times for s in house.game.streets for o in s.options if o.wager == name]
            least, most = min(times), max(times)
            return f"{least}{TIMES} the {ante}" + (f" to {most}{TIMES}" if most > least else "")
        case "progressive":
            assert house.progressive is not None, f"{house.game.key} has no progressive here"
            return f"{amount(house.progressive.stake)}, no more and no less"
    limits = house.limits[name]
    if limits.maximum is None:
        return f"{amount(limits.minimum)} or more"
    if limits.maximum == limits.minimum:
        return f"{amount(limits.minimum)}, no more and no less"
    return f"{amount(limits.minimum)} to {amount(limits.maximum)}"


def chosen(house: House) -> Iterator[Block]:
    """Every field of [table] and [choices] with what it decides."""
    yield Heading(text="Choices")
    known = readings(house.game.document)
    for choice in house.game.form.choices:
        about = readings_about(house, choice, known)
        yield OperatorChoice(
            title=title_of(choice.name),
            cited=f"{choice.field}, {choice.clause}",
            value=value_of(house, choice),
            about=choice.note.replace("`", ""),
            readings=tuple((each.id, told(each)) for each in about),
            clauses=listed_ids(choice.clause),
        )


def value_of(house: House, choice: Choice) -> str:
    """What a House has for a field, as it is spoken."""
    holder = house if choice.section == "table" or choice.name == "payout_limit" else house.choices
    value = getattr(holder, choice.name)
    return NOT_STATED if value is None else spoken(choice.kind.write(value))


def readings_about(house: House, choice: Choice, known: dict[str, Reading]) -> tuple[Reading, ...]:
    """The unclear places that a field settles."""
    key = house.game.key
    settled = (r for r in known.values() if choice.name in r.fields and key in r.games)
    named = (known[choice.reading],) if choice.reading in known else ()
    return tuple({each.id: each for each in (*named, *settled)}.values())


def told(reading: Reading) -> str:
    """An unclear place: the question, what it could mean, and the reason for the usual reading."""
    meant = " ".join(f"({letter}) {words}" for letter, words in reading.readings.items())
    usual = f"Usually ({reading.default}): " if reading.default else ""
    return f"{reading.question} {meant} {usual}{reading.why}"


def equipment(house: House) -> Iterator[Block]:
    """Cards, chips and devices, and the dealing procedure that goes with them."""
    yield Heading(text="Equipment")
    yield Pairs(
        rows=(
            ("cards", f"{house.decks} deck{'s' if house.decks > 1 else ''} of 52"),
            ("shuffle", spoken(house.shuffle_method)),
            ("dealing", spoken(house.dealing_method)),
            ("chips", ", ".join(amount(chip.cents) for chip in house.chips)),
        ),
        clauses=("3.B", "5.A"),
    )
    yield Heading(text="Dealing procedure")
    dealt = chapter(house.cite("no_more_bets")[0])
    yield TableBlock(
        titles=("clause", "procedure"),
        rows=tuple(
            Row((clause.id, clause.summary), (clause.id,))
            for clause in clauses(house.game.document)
            if chapter(clause.id) in ("5", dealt)
        ),
        widths=("18mm", "1fr"),
        sides=("left", "left"),
    )


def paytables(house: House) -> Iterator[Block]:
    """What every offered wager pays, with the clause of the table."""
    yield Heading(text="Paytables", new_page=True)
    yield Paytables(tables=tuple(paytable(house, each) for each in schedules(house)))


def paytable(house: House, schedule: Schedule) -> TwoColumnTable:
    """One table: hand and payout."""
    letter = house.letters.get(schedule.name, "")
    return TwoColumnTable(
        title=schedule.title,
        about=" ".join(filter(None, [letter and f"paytable {letter},", schedule.clause])),
        titles=("hand", "pays"),
        rows=tuple((hand_of(line.hand), str(line.pays)) for line in schedule.lines),
        clauses=(schedule.clause, *(line.clause for line in schedule.lines if line.clause)),
    )


def hand_of(name: str) -> str:
    """A line's hand; one without a name pays every win."""
    words = title(name) if name else "every win"
    return words[0].upper() + words[1:]


def progressive(house: House) -> Iterator[Block]:
    """Meters with what they begin with, reset to and grow by, beside the least allowed."""
    if house.progressive is None:
        return
    yield Heading(text="Progressive")
    form = house.game.form.meters
    floors = {
        floor.meter: floor
        for floor in meter_floors(house.game.document, house.letters["progressive"])
    }
    rows = []
    for name, meter in house.meters.items():
        floor = floors.get(name)
        cited = (form.rate_clause(name), form.amount_clause(name), floor.clause if floor else "")
        ids = tuple(dict.fromkeys(id for each in cited for id in listed_ids(each)))
        least = amount(floor.minimum_dollars * 100) if floor else "none"
        share = f"{float(meter.rate_percent):g} %"
        cells = (name, amount(meter.initial), amount(meter.reset), least, share, ", ".join(ids))
        rows.append(Row(cells, ids))
    yield TableBlock(
        titles=("meter", "begins with", "resets to", "least allowed", "of each wager", "clauses"),
        rows=tuple(rows),
        widths=("1fr", "auto", "auto", "auto", "auto", "auto"),
        sides=("left", "right", "right", "right", "right", "left"),
    )
    unstated = [name for name, meter in house.meters.items() if meter.unstated]
    if unstated:
        yield Paragraph(
            text=f"Amounts of {', '.join(unstated)} are not stated and stand at the least allowed.",
            tone="quiet",
        )


def payout_limit(house: House) -> Iterator[Block]:
    """The limit with its computation: the most that one player can win at the minimum."""
    limit = house.game.limit
    if limit is None:
        return
    yield Heading(text="Payout limit")
    most, floor = most_at_minimum(house), payout_floor(house)
    yield Pairs(
        rows=(
            ("limit here", "none" if house.payout_limit is None else dollars(house.payout_limit)),
            ("least allowed", f"{dollars(floor)}, the greater of the two below"),
            ("fixed amount", dollars(limit.fixed_floor)),
            ("most at the minimum", dollars(most.total)),
        ),
        clauses=(*listed_ids(limit.clause), *listed_ids(limit.floor_clause)),
    )
    yield TableBlock(
        titles=("covered wager", "stake", "pays", "wins"),
        rows=(
            *(
                Row((known(house, s.wager), dollars(s.stake), str(s.pays), dollars(s.amount)))
                for s in most.shares
            ),
            Row(("the most that one player can win", "", "", dollars(most.total))),
        ),
        widths=("1fr", "auto", "auto", "auto"),
        sides=("left", "right", "right", "right"),
    )


def known(house: House, name: str) -> str:
    """The title of a wager."""
    wager = house.game.wager(name)
    return wager.title if wager else title_of(name)


def unclear(house: House) -> Iterator[Block]:
    """The other unclear places, which no field settles, and how this table reads them."""
    yield Heading(text="How unclear clauses are read", new_page=True)
    yield Paragraph(
        text="Where the standard rules can be read in more than one way and no choice above "
        "decides, the table follows the reading named here.",
    )
    rows = []
    for reading in readings(house.game.document).values():
        if house.game.key not in reading.games or reading.fields or not reading.default:
            continue
        read = f"{reading.readings[reading.default]} {reading.why}"
        rows.append(Row((reading.id, reading.title, read)))
    yield TableBlock(
        titles=("", "unclear place", "reading and reason"),
        rows=tuple(rows),
        widths=("10mm", "48mm", "1fr"),
        sides=("left", "left", "left"),
    )
