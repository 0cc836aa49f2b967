"""Rules Submission document: every choice with its clause, reading and reason."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from croupier.documents.filing.document_blocks import (
    Block,
    DetailEntry,
    FilingDocument,
    Heading,
    Listing,
    Pairs,
    Paragraph,
    Paytables,
    Row,
    SignatureLines,
    TableBlock,
    TwoColumnTable,
    chapter,
    listed_ids,
    make_document,
)
from croupier.documents.formatting import display_value, field_title, short_dollars
from croupier.documents.patron_sentences import stakes_of
from croupier.games import House, title
from croupier.games.forms import Choice
from croupier.games.forms.field_types import Dollars
from croupier.games.odds import Schedule, schedules
from croupier.money import dollars
from croupier.rulebook import (
    Reading,
    clauses,
    field_label,
    meter_floors,
    readings,
    value_sentence,
)
from croupier.submission import maximum_win_at_minimum, payout_floor
from croupier.submission.issues import Issue
from croupier.wording import counted

NOT_STATED = "not stated"
CITED_MAX = 6
TO_SIGN = SignatureLines(
    names=(
        "License number of the facility operator",
        "Date of submission",
        "Contact: name and title",
        "Contact: telephone and e-mail",
        "Submitted by: name and title",
        "Signature",
    )
)
QUOTED_KEY = re.compile(r'"\w+"')


def rules(house: House, issues: Iterable[Issue], approved: str) -> FilingDocument:
    """The Rules Submission document (COMAR 36.05.03.19)."""
    blocks = [
        *head(house, approved),
        *open_points(house, issues, approved),
        *wagers(house),
        *choices(house),
        *equipment(house),
        *paytables(house),
        *progressive(house),
        *payout_limit(house),
        *ambiguous_clauses(house),
    ]
    return make_document(house, "1-rules-submission", "Rules Submission", blocks, approved)


def head(house: House, approved: str) -> Iterator[Block]:
    """Operator, game, digest and approval."""
    yield Pairs(
        rows=(
            ("facility operator", house.operator),
            ("game", f"{house.game.title}, edition {house.game.edition}"),
            ("digest", house.digest),
            ("approval", approved or "not on file"),
            ("authority", "COMAR 36.05.03.19"),
        )
    )
    yield TO_SIGN


def open_points(house: House, issues: Iterable[Issue], approved: str) -> Iterator[Block]:
    """What is still to do before a table opens, and fields that the submission leaves out."""
    reported = tuple(issues)
    to_do = [to_do_item(house, issue) for issue in reported if issue.severity == "outstanding"]
    if house.choices.chip_set is None:
        to_do.append("Chips: list the chips of the table with their colors (clause 7.A).")
    if not approved:
        to_do.append("Rules Submission: written approval (COMAR 36.05.03.19).")
    if to_do:
        yield Heading(text="To do before a table opens")
        yield Listing(items=tuple(to_do), to_do=True)
    warnings = [issue for issue in reported if issue.severity == "warning"]
    unstated = [issue for issue in warnings if issue.message.startswith(NOT_STATED)]
    if unstated:
        yield Heading(text="Not stated by the operator")
        yield Paragraph(text="The sentences below apply to these points unless amended.")
        yield Listing(items=tuple(unstated_item(house, issue) for issue in unstated))
    if noted := [issue for issue in warnings if issue not in unstated]:
        yield Heading(text="To note")
        yield Listing(items=tuple(to_do_item(house, issue) for issue in noted))


def to_do_item(house: House, issue: Issue) -> str:
    """An outstanding filing as a thing to do."""
    message = issue.message
    for needed in ("; needed before a table opens", ", needed before a table opens"):
        message = message.replace(needed, "")
    message = QUOTED_KEY.sub(lambda key: key[0].replace("_", " "), message)
    clause = f" (clause {issue.clause})" if issue.clause else ""
    return f"{label_of(house, issue.field)}: {message}{clause}."


def unstated_item(house: House, issue: Issue) -> str:
    """A field that the submission leaves out, with the sentence that then applies."""
    choice = choice_of(house, issue.field)
    sentence = sentence_of(house, choice) if choice else ""
    return f"{label_of(house, issue.field)}: {sentence or issue.message}"


def choice_of(house: House, field: str) -> Choice | None:
    """The field of the form at a path such as "choices.idle_minutes"."""
    return next((each for each in house.game.form.choices if each.field == field), None)


def label_of(house: House, field: str) -> str:
    """The label of a field by its path, for people."""
    section, _, name = field.partition(".")
    if choice_of(house, field) is not None:
        return label(name)
    if section == "meters":
        meter, _, what = name.partition(".")
        amount = f"{what} amount" if what in ("initial", "reset") else what
        return f"Meter {meter}, {amount or 'amounts'}"
    wager = house.game.wager(name.partition(".")[0])
    return wager.title if wager else field_title(field.replace(".", " "))


def label(name: str) -> str:
    """The label of a field."""
    return field_label(name) or field_title(name)


def wagers(house: House) -> Iterator[Block]:
    """Every wager of the game: limits if offered, paytable and clauses."""
    yield Heading(text="Wagers")
    rows = []
    for wager in house.game.wagers:
        offer = house.game.form.offer(wager.name)
        cited = (offer.clause, offer.letter_clause) if offer else (wager.clause,)
        ids = tuple(dict.fromkeys(id for citation in cited for id in listed_ids(citation)))
        stakes = stakes_of(house, wager.name) if house.offers(wager.name) else "not offered"
        letter = house.letters.get(wager.name, "")
        rows.append(Row((wager.title, stakes, letter, ", ".join(ids)), ids))
    yield TableBlock(
        titles=("wager", "limits", "paytable", "clauses"),
        rows=tuple(rows),
        widths=("auto", "1fr", "auto", "auto"),
        sides=("left", "left", "left", "left"),
    )


def choices(house: House) -> Iterator[Block]:
    """Every stated field of [table] and [choices], and the sentence that states its value."""
    yield Heading(text="Choices of the operator")
    by_id = readings(house.game.document)
    unused = []
    for choice in house.game.form.choices:
        settled = [reading.id for reading in settled_by(house, choice, by_id)]
        if value_of(house, choice) == NOT_STATED:
            unused.append(choice)
            continue
        cited = f"clause {choice.clause}" if choice.clause not in settled else ""
        interpreted = f"interpretation {', '.join(settled)}" if settled else ""
        yield DetailEntry(
            title=label(choice.name),
            detail=", ".join(filter(None, (cited, interpreted))),
            lead=value_of(house, choice),
            text=sentence_of(house, choice),
            clauses=listed_ids(choice.clause),
        )
    if unused:
        yield Paragraph(
            text=f"Not stated or not applicable here: {'; '.join(label(c.name) for c in unused)}.",
            tone="quiet",
            clauses=tuple(id for choice in unused for id in listed_ids(choice.clause)),
        )


def value_of(house: House, choice: Choice) -> str:
    """The value of a field for print."""
    value = raw_value(house, choice)
    if value is None:
        return NOT_STATED
    if isinstance(choice.kind, Dollars):
        return short_dollars(value)
    return display_value(choice.kind.write(value))


def raw_value(house: House, choice: Choice) -> Any:
    """The value of a field; None if it is not stated."""
    holder = house if choice.section == "table" or choice.name == "payout_limit" else house.choices
    return getattr(holder, choice.name)


def sentence_of(house: House, choice: Choice) -> str:
    """The sentence that states the value of a field, or what the field is about."""
    value = raw_value(house, choice)
    written = "" if value is None else choice.kind.write(value)
    sentence = value_sentence(choice.name, written, value_of(house, choice))
    return sentence or choice.note.replace("`", "")


def settled_by(house: House, choice: Choice, by_id: dict[str, Reading]) -> tuple[Reading, ...]:
    """The ambiguous clauses that a field settles."""
    key = house.game.key
    settled = (r for r in by_id.values() if choice.name in r.fields and key in r.games)
    named = [by_id[id] for id in (choice.clause, choice.reading) if id in by_id]
    return tuple({reading.id: reading for reading in (*named, *settled)}.values())


def equipment(house: House) -> Iterator[Block]:
    """Cards, chips and devices, and the dealing procedure."""
    yield Heading(text="Equipment")
    yield Pairs(
        rows=(
            ("cards", deck_count(house)),
            ("shuffle", display_value(house.shuffle_method)),
            ("dealing", display_value(house.dealing_method)),
            ("chips", chips_in_use(house)),
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


def chips_in_use(house: House) -> str:
    """The chips that the operator states."""
    chips = house.choices.chip_set or ()
    listed = ", ".join(f"{short_dollars(chip.cents)} {chip.colour}" for chip in chips)
    return listed or "to be listed by the operator"


def deck_count(house: House) -> str:
    return f"{counted(house.decks, 'deck')} of 52 cards"


def paytables(house: House) -> Iterator[Block]:
    """The paytable of every offered wager."""
    yield Heading(text="Paytables")
    yield Paytables(tables=tuple(paytable(house, schedule) for schedule in schedules(house)))


def paytable(house: House, schedule: Schedule) -> TwoColumnTable:
    """One paytable: hand and payout."""
    letter = house.letters.get(schedule.name, "")
    return TwoColumnTable(
        title=schedule.title,
        about=" ".join(filter(None, [letter and f"paytable {letter},", schedule.clause])),
        titles=("hand", "pays"),
        rows=tuple((hand_of(line.hand), str(line.pays)) for line in schedule.lines),
        clauses=(schedule.clause, *(line.clause for line in schedule.lines if line.clause)),
    )


def hand_of(name: str) -> str:
    """The hand of a paytable line; a line without a hand pays every win."""
    words = title(name) if name else "every win"
    return words[0].upper() + words[1:]


def progressive(house: House) -> Iterator[Block]:
    """Initial amount, reset amount and rate of every meter, with the minimum allowed."""
    if house.progressive is None:
        return
    yield Heading(text="Progressive")
    wager = house.game.wager("progressive")
    if wager is not None and wager.judged_on is not None:
        decided = wager.judged_on(house).words.replace("your", "the player's")
        yield Paragraph(text=f"The progressive is decided by {decided}.")
    form = house.game.form.meters
    floors = {
        floor.meter: floor
        for floor in meter_floors(house.game.document, house.letters["progressive"])
    }
    rows = []
    for name, meter in house.meters.items():
        floor = floors.get(name)
        cited = (form.rate_clause(name), form.amount_clause(name), floor.clause if floor else "")
        ids = tuple(dict.fromkeys(id for citation in cited for id in listed_ids(citation)))
        least = short_dollars(floor.minimum_dollars * 100) if floor else "none"
        share = f"{float(meter.rate_percent):g}%"
        cells = (
            name,
            short_dollars(meter.initial),
            short_dollars(meter.reset),
            least,
            share,
            ", ".join(ids),
        )
        rows.append(Row(cells, ids))
    yield TableBlock(
        titles=("meter", "initial", "reset", "minimum allowed", "rate", "clauses"),
        rows=tuple(rows),
        widths=("1fr", "auto", "auto", "auto", "auto", "auto"),
        sides=("left", "right", "right", "right", "right", "left"),
    )
    unstated = [name for name, meter in house.meters.items() if meter.unstated]
    if unstated:
        yield Paragraph(
            text=f"Amounts of {', '.join(unstated)} are not stated and default to the minimum.",
            tone="quiet",
        )


def payout_limit(house: House) -> Iterator[Block]:
    """The payout limit and the calculation of its minimum."""
    limit = house.game.limit
    if limit is None:
        return
    yield Heading(text="Payout limit")
    most, floor = maximum_win_at_minimum(house), payout_floor(house)
    yield Pairs(
        rows=(
            (
                "limit at this table",
                "none" if house.payout_limit is None else dollars(house.payout_limit),
            ),
            ("minimum allowed", f"{dollars(floor)}, the greater of the two below"),
            ("fixed amount", dollars(limit.fixed_floor)),
            ("maximum win at minimum bets", dollars(most.total)),
        ),
        clauses=(*listed_ids(limit.clause), *listed_ids(limit.floor_clause)),
    )
    yield TableBlock(
        titles=("covered wager", "stake", "pays", "wins"),
        rows=(
            *(
                Row((wager_title(house, s.wager), dollars(s.stake), str(s.pays), dollars(s.amount)))
                for s in most.shares
            ),
            Row(("maximum win of one player", "", "", dollars(most.total))),
        ),
        widths=("1fr", "auto", "auto", "auto"),
        sides=("left", "right", "right", "right"),
    )


def cited_in(game: str, reading: Reading) -> str:
    """The clauses of a game that a reading concerns; of many the first and the last."""
    cited = [citation.removeprefix(f"{game} ") for citation in reading.clauses]
    cited = [clause for clause in cited if " " not in clause]
    return ", ".join(cited) if len(cited) <= CITED_MAX else f"{cited[0]} to {cited[-1]}"


def wager_title(house: House, name: str) -> str:
    """The title of a wager by its name."""
    wager = house.game.wager(name)
    return wager.title if wager else field_title(name)


def ambiguous_clauses(house: House) -> Iterator[Block]:
    """Ambiguous clauses that no field settles: the reading in force in one sentence."""
    game = house.game.key
    yield Heading(text="Interpretation of ambiguous clauses")
    yield Paragraph(
        text="Where the standard rules can be read in more than one way and no choice above "
        "settles the question, these rules are in force at this table.",
    )
    rows = tuple(
        Row((reading.id, reading.rule_of(game), cited_in(game, reading)))
        for reading in readings(house.game.document).values()
        if house.game.key in reading.games and not reading.fields and reading.default
    )
    yield TableBlock(
        titles=("", "rule", "clauses"),
        rows=rows,
        widths=("10mm", "3fr", "1fr"),
        sides=("left", "left", "left"),
    )
