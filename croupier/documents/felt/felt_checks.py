"""Proves that a finished felt and its sign carry what chapter 2 asks for.

The files are read back; what is required comes from the House. Every requirement that is met is
kept with its clauses, every other one is a finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from croupier.documents.felt import inscriptions
from croupier.documents.felt.legibility import flaws
from croupier.documents.felt.svg_reader import ReadArea, ReadDrawing, ReadText, read_svg, seen_from
from croupier.games import House, Wager

SEATS = range(1, 7)
NEAR_TRAY = 60.0  # millimetres: "directly in front of the table inventory container"


class FeltFinding(msgspec.Struct, frozen=True):
    """Something that is missing, wrong or cannot be read, and the clause that asks for it."""

    problem: str
    clauses: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.problem} [{', '.join(self.clauses)}]" if self.clauses else self.problem


class MetRequirement(msgspec.Struct, frozen=True):
    """A requirement that is met, and where."""

    what: str
    where: str
    clauses: tuple[str, ...]


class FeltCheckResult(msgspec.Struct, frozen=True):
    """All that was found in a felt and its sign."""

    findings: tuple[FeltFinding, ...]
    kept: tuple[MetRequirement, ...]

    @property
    def clauses(self) -> tuple[str, ...]:
        """Every clause that a requirement of this House cites and that is met everywhere."""
        broken = {clause for finding in self.findings for clause in finding.clauses}
        met = dict.fromkeys(clause for each in self.kept for clause in each.clauses)
        return tuple(clause for clause in met if clause not in broken)


def examine(house: House, felt: str, sign: str = "") -> FeltCheckResult:
    """Hold a finished felt, and the sign beside it if there is one, against the House."""
    table = read_svg(felt)
    posted = read_svg(sign) if sign else None
    found: list[MetRequirement | FeltFinding] = [
        *operator(house, table),
        *positions(house, table),
        *shared_areas(house, table),
        *odds(house, table, posted),
        *notices(house, table, posted),
        *(FeltFinding(flaw) for flaw in flaws(table, "felt")),
        *(FeltFinding(flaw) for flaw in (flaws(posted, "sign") if posted else ())),
    ]
    return FeltCheckResult(
        findings=tuple(each for each in found if isinstance(each, FeltFinding)),
        kept=tuple(each for each in found if isinstance(each, MetRequirement)),
    )


def operator(house: House, table: ReadDrawing) -> Iterator[MetRequirement | FeltFinding]:
    """The name of the facility operator, or a picture that stands for it."""
    clauses = house.cite("layout.operator", optional=True)
    written = joined([text for text in table.texts if text.kind == "operator"])
    if written == house.operator or table.pictures:
        yield MetRequirement(house.operator, "felt", clauses)
    else:
        yield FeltFinding(
            f"the operator's name is {written!r}, expected {house.operator!r}", clauses
        )


def positions(house: House, table: ReadDrawing) -> Iterator[MetRequirement | FeltFinding]:
    """A separate area for every offered wager at every position, with its name in it."""
    for wager in house.game.wagers:
        if not house.offers(wager.name):
            continue
        clauses = house.cite(f"layout.spot.{wager.name}", optional=True)
        missing = [seat for seat in SEATS if not labelled(spots(table, seat, wager), wager, table)]
        if missing:
            seats = ", ".join(map(str, missing))
            yield FeltFinding(f"no area named {wager.title} at position {seats}", clauses)
        else:
            yield MetRequirement(f"an area for {wager.title} at six positions", "felt", clauses)
    for row in house.game.layout.spots:
        yield from signs(house, table, row)


def spots(table: ReadDrawing, seat: int, wager: Wager) -> list[ReadArea]:
    """The areas of a wager at a position."""
    return [
        area
        for area in table.areas
        if area.kind == "spot" and area.seat == seat and area.wager == wager.name
    ]


def labelled(areas: Sequence[ReadArea], wager: Wager, table: ReadDrawing) -> bool:
    """Whether there is exactly one area, and the wager's name stands in it."""
    return len(areas) == 1 and joined(table.texts_in(areas[0])) == wager.title


def signs(
    house: House, table: ReadDrawing, row: Sequence[str]
) -> Iterator[MetRequirement | FeltFinding]:
    """An area to the right of another one as the player sees them, a sign between the two."""
    for left, sign, right in zip(row, row[1:], row[2:], strict=False):
        before, behind = house.game.wager(left), house.game.wager(right)
        if before is None or behind is None or house.game.wager(sign) is not None:
            continue
        clauses = house.cite(f"layout.spot.{right}", optional=True)
        missing = [seat for seat in SEATS if not between(table, seat, (before, sign, behind))]
        told = f"{behind.title} to the right of {before.title} with {sign} between them"
        if missing:
            yield FeltFinding(f"not {told} at position {', '.join(map(str, missing))}", clauses)
        else:
            yield MetRequirement(told, "felt", clauses)


def between(table: ReadDrawing, seat: int, row: tuple[Wager, str, Wager]) -> bool:
    """Whether a sign stands between two areas of a position, level with both."""
    left, sign, right = row
    first, last = spots(table, seat, left), spots(table, seat, right)
    if not first or not last:
        return False
    at, far = first[0].at, seen_from(first[0].at, last[0].at.x, last[0].at.y)
    for text in table.texts:
        if text.kind == "sign" and text.text == sign:
            along, away = seen_from(at, *text.centre)
            if 0 < along < far[0] and abs(away) < 12 and abs(far[1]) < 12:
                return True
    return False


def shared_areas(house: House, table: ReadDrawing) -> Iterator[MetRequirement | FeltFinding]:
    """The community cards directly before the table inventory, and the dealer's cards."""
    game = house.game
    board = [area for area in table.areas if area.kind == "community"]
    if game.community_cards:
        clauses = house.cite("layout.community", optional=True)
        if len(board) != game.community_cards:
            yield FeltFinding(
                f"{len(board)} areas for community cards, expected {game.community_cards}", clauses
            )
        elif not before_tray(board, table):
            yield FeltFinding(
                "the community cards do not lie directly before the inventory", clauses
            )
        else:
            yield MetRequirement(
                "community cards directly before the table inventory", "felt", clauses
            )
    for name, place in zip(game.layout.labels, game.layout.places, strict=True):
        yield label(house, table, [area for area in board if area.place == place], name)
    if game.dealer_cards:
        clauses = house.cite("layout.dealer", optional=True)
        if any(area.kind == "dealer" for area in table.areas):
            yield MetRequirement("an area for the dealer's cards", "felt", clauses)
        else:
            yield FeltFinding("no area for the dealer's cards", clauses)


def label(
    house: House, table: ReadDrawing, areas: Sequence[ReadArea], name: str
) -> MetRequirement | FeltFinding:
    """The inscription of one community card's place."""
    wager = house.game.wager(name)
    assert wager is not None, f"{house.game.key} has no {name}"
    clauses = house.cite(f"layout.label.{name}", optional=True)
    if labelled(areas, wager, table):
        return MetRequirement(f"{wager.title} on its place", "felt", clauses)
    return FeltFinding(f"a place for a community card is not inscribed {wager.title}", clauses)


def before_tray(board: Sequence[ReadArea], table: ReadDrawing) -> bool:
    """Whether nothing but a little cloth is between the inventory and the community cards."""
    for tray in (area for area in table.areas if area.kind == "tray"):
        edge = tray.at.y + tray.height / 2
        nearest = min(area.at.y - area.height / 2 for area in board)
        wide = all(abs(area.at.x - tray.at.x) < tray.width / 2 for area in board)
        return wide and 0 <= nearest - edge <= NEAR_TRAY
    return False


def odds(
    house: House, table: ReadDrawing, posted: ReadDrawing | None
) -> Iterator[MetRequirement | FeltFinding]:
    """The odds of every wager on the felt; otherwise a sign has all of them."""
    expected = inscriptions.odds(house)
    on_felt = [wrong_odds(block, table) for block in expected]
    where, wrong = "felt", on_felt
    if any(on_felt) and posted is not None:
        on_sign = [wrong_odds(block, posted) for block in expected]
        if sum(map(bool, on_sign)) <= sum(map(bool, on_felt)):
            where, wrong = "sign", on_sign
    for block, problem in zip(expected, wrong, strict=True):
        if problem:
            yield FeltFinding(f"{where}: {problem}", block.clauses)
        else:
            yield MetRequirement(f"the odds of {block.heading}", where, block.clauses)
    # What is inscribed beside the sign may not contradict it.
    if where == "sign":
        headings = {text.text for text in table.texts if text.kind == "heading"}
        for block, problem in zip(expected, on_felt, strict=True):
            if problem and block.heading in headings:
                yield FeltFinding(f"felt: {problem}", block.clauses)


def wrong_odds(block: inscriptions.Odds, drawing: ReadDrawing) -> str:
    """What is wrong with the odds of some wagers on a drawing; nothing if they are right."""
    for area in (area for area in drawing.areas if area.kind == "odds"):
        inside = drawing.texts_in(area)
        if not any(text.kind == "heading" and text.text == block.heading for text in inside):
            continue
        found = lines_of(inside)
        for line in block.lines:
            if line not in found:
                pays = next((pays for hand, pays in found if hand == line[0]), None)
                told = "is missing" if pays is None else f"is inscribed as {pays!r}"
                return f"{block.heading}: {line[0]} {line[1]} {told}"
        if len(found) != len(block.lines):
            more = next(line for line in found if line not in block.lines)
            return f"{block.heading}: {' '.join(more)} is not on the paytable"
        return ""
    return f"the odds of {block.heading} are missing"


def lines_of(texts: Sequence[ReadText]) -> list[tuple[str, str]]:
    """Hand and payout that stand on one line."""
    hands = [text for text in texts if text.kind == "hand"]
    pays = [text for text in texts if text.kind == "pays"]
    return [
        (hand.text, paid.text)
        for hand in hands
        for paid in pays
        if abs(hand.at.y - paid.at.y) < 0.5
    ]


def notices(
    house: House, table: ReadDrawing, posted: ReadDrawing | None
) -> Iterator[MetRequirement | FeltFinding]:
    """Every notice on the felt or on the sign; a limit that is referred to is posted."""
    on_felt = {text.text for text in table.texts if text.kind == "notice"}
    on_sign = sentences(posted)
    for said in inscriptions.notices(house):
        if said.words in on_felt:
            yield MetRequirement(said.words, "felt", said.clauses)
        elif said.words in on_sign:
            by_sign = house.cite("layout.sign", optional=True)
            yield MetRequirement(said.words, "sign", (*said.clauses, *by_sign))
        elif said.name == "limit" and inscriptions.amount(house) in on_sign:
            yield MetRequirement(inscriptions.amount(house), "sign", said.clauses)
        else:
            yield FeltFinding(
                f"{said.words!r} is neither on the felt nor on the sign", said.clauses
            )
            continue
        if said.name == "limit" and inscriptions.amount(house) not in on_felt | on_sign:
            told = f"{inscriptions.amount(house)!r} is not posted although the felt refers to it"
            yield FeltFinding(told, said.clauses)


def sentences(posted: ReadDrawing | None) -> set[str]:
    """The notices of a sign, whose lines may be broken: lines of one indent belong together."""
    if posted is None:
        return set()
    found: list[str] = []
    for text in posted.texts:
        if text.kind == "notice":
            found.append(text.text)
        elif text.kind == "more" and found:
            found[-1] += f" {text.text}"
    return set(found)


def joined(texts: Sequence[ReadText]) -> str:
    """The words of several lines."""
    return " ".join(text.text for text in texts)
