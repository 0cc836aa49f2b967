"""Checks a finished felt and sign against chapter 2 of the rules.

The SVG files are read back; the requirements come from the House. A requirement that is met is
listed with its clauses, any other is a finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from croupier.documents.felt import inscriptions
from croupier.documents.felt.legibility import flaws
from croupier.documents.felt.svg_reader import ReadArea, ReadDrawing, ReadText, read_svg, seen_from
from croupier.games import House, Wager
from croupier.games.layout_notices import limit_amount_notice
from croupier.wording import counted

TRAY_DISTANCE_MAX = 60.0  # millimeters: "directly in front of the table inventory container"


class FeltFinding(msgspec.Struct, frozen=True):
    """A missing, wrong or illegible item, and the clauses that require it."""

    problem: str
    clauses: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.problem} [{', '.join(self.clauses)}]" if self.clauses else self.problem


class MetRequirement(msgspec.Struct, frozen=True):
    """A requirement that is met on the felt or the sign."""

    what: str
    where: str
    clauses: tuple[str, ...]


class FeltCheckResult(msgspec.Struct, frozen=True):
    """The result of checking a felt and its sign."""

    findings: tuple[FeltFinding, ...]
    met: tuple[MetRequirement, ...]

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses with a met requirement and no finding."""
        broken = {clause for finding in self.findings for clause in finding.clauses}
        cited = dict.fromkeys(clause for met in self.met for clause in met.clauses)
        return tuple(clause for clause in cited if clause not in broken)


def examine(house: House, felt: str, sign: str = "") -> FeltCheckResult:
    """Check the SVG of a felt, and of its sign if there is one, against the House."""
    table = read_svg(felt)
    posted = read_svg(sign) if sign else None
    results: list[MetRequirement | FeltFinding] = [
        *operator(house, table),
        *positions(house, table),
        *shared_areas(house, table),
        *odds(house, table, posted),
        *bases(house, table, posted),
        *notices(house, table, posted),
        *(FeltFinding(flaw) for flaw in flaws(table, "felt")),
        *(FeltFinding(flaw) for flaw in (flaws(posted, "sign") if posted else ())),
    ]
    return FeltCheckResult(
        findings=tuple(result for result in results if isinstance(result, FeltFinding)),
        met=tuple(result for result in results if isinstance(result, MetRequirement)),
    )


def operator(house: House, table: ReadDrawing) -> Iterator[MetRequirement | FeltFinding]:
    """The name of the facility operator, or its logo."""
    clauses = house.cite("layout.operator", optional=True)
    written = joined([text for text in table.texts if text.kind == "operator"])
    if written == house.operator or table.pictures:
        yield MetRequirement(house.operator, "felt", clauses)
    else:
        yield FeltFinding(
            f"the operator's name is {written!r}, expected {house.operator!r}", clauses
        )


def positions(house: House, table: ReadDrawing) -> Iterator[MetRequirement | FeltFinding]:
    """A separate, labeled area for every offered wager at every position."""
    seats = range(1, house.positions + 1)
    drawn = {area.seat for area in table.areas if area.seat}
    places = house.cite("table.places")
    if drawn == set(seats):
        yield MetRequirement(f"{counted(house.positions, 'betting position')}", "felt", places)
    else:
        yield FeltFinding(f"{len(drawn)} betting positions, expected {house.positions}", places)
    for wager in house.game.wagers:
        if not house.offers(wager.name):
            continue
        clauses = house.cite(f"layout.spot.{wager.name}", optional=True)
        missing = [
            seat for seat in seats if not is_labeled(spots(table, seat, wager), wager, table)
        ]
        if missing:
            listed = ", ".join(map(str, missing))
            yield FeltFinding(f"no area named {wager.title} at position {listed}", clauses)
        else:
            yield MetRequirement(f"an area for {wager.title} at every position", "felt", clauses)
    for row in house.game.layout.spots:
        yield from symbols(house, table, row)
    if house.game.layout.blank_area(house):
        clauses = house.cite("layout.spot.blank", optional=True)
        blank = {area.seat for area in table.areas if area.kind == "spot" and not area.wager}
        if blank == set(seats):
            yield MetRequirement("a blank betting area at every position", "felt", clauses)
        else:
            yield FeltFinding("no blank betting area at every position", clauses)


def spots(table: ReadDrawing, seat: int, wager: Wager) -> list[ReadArea]:
    """The areas of a wager at a position."""
    return [
        area
        for area in table.areas
        if area.kind == "spot" and area.seat == seat and area.wager == wager.name
    ]


def is_labeled(areas: Sequence[ReadArea], wager: Wager, table: ReadDrawing) -> bool:
    """Whether there is exactly one area, with the wager's title in it."""
    return len(areas) == 1 and joined(table.texts_in(areas[0])) == wager.title


def symbols(
    house: House, table: ReadDrawing, row: Sequence[str]
) -> Iterator[MetRequirement | FeltFinding]:
    """An area to the right of another, as the player sees them, with a symbol between them."""
    for left, symbol, right in zip(row, row[1:], row[2:], strict=False):
        first, second = house.game.wager(left), house.game.wager(right)
        if first is None or second is None or house.game.wager(symbol) is not None:
            continue
        clauses = house.cite(f"layout.spot.{right}", optional=True)
        pair = (first, symbol, second)
        seats = range(1, house.positions + 1)
        missing = [seat for seat in seats if not between(table, seat, pair)]
        text = f"{second.title} to the right of {first.title} with {symbol} between them"
        if missing:
            yield FeltFinding(f"not {text} at position {', '.join(map(str, missing))}", clauses)
        else:
            yield MetRequirement(text, "felt", clauses)


def between(table: ReadDrawing, seat: int, row: tuple[Wager, str, Wager]) -> bool:
    """Whether a symbol is between two areas of a position, level with both."""
    left, symbol, right = row
    first, last = spots(table, seat, left), spots(table, seat, right)
    if not first or not last:
        return False
    at, far = first[0].at, seen_from(first[0].at, last[0].at.x, last[0].at.y)
    for text in table.texts:
        if text.kind == "sign" and text.text == symbol:
            along, away = seen_from(at, *text.center)
            if 0 < along < far[0] and abs(away) < 12 and abs(far[1]) < 12:
                return True
    return False


def shared_areas(house: House, table: ReadDrawing) -> Iterator[MetRequirement | FeltFinding]:
    """The community cards directly in front of the table inventory, and the dealer's cards."""
    game = house.game
    board = [area for area in table.areas if area.kind == "community"]
    if game.community_cards:
        clauses = house.cite("layout.community", optional=True)
        if len(board) != game.community_cards:
            yield FeltFinding(
                f"{len(board)} areas for community cards, expected {game.community_cards}", clauses
            )
        elif not in_front_of_tray(board, table):
            yield FeltFinding(
                "the community cards are not directly in front of the table inventory", clauses
            )
        else:
            yield MetRequirement(
                "community cards directly in front of the table inventory", "felt", clauses
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
    """The inscription of the area of one community card."""
    wager = house.game.wager(name)
    assert wager is not None, f"{house.game.key} has no {name}"
    clauses = house.cite(f"layout.label.{name}", optional=True)
    if is_labeled(areas, wager, table):
        return MetRequirement(f"{wager.title} on its community card area", "felt", clauses)
    return FeltFinding(f"a place for a community card is not inscribed {wager.title}", clauses)


def in_front_of_tray(board: Sequence[ReadArea], table: ReadDrawing) -> bool:
    """Whether the community cards are close to the table inventory and within its width."""
    for tray in (area for area in table.areas if area.kind == "tray"):
        edge = tray.at.y + tray.height / 2
        nearest = min(area.at.y - area.height / 2 for area in board)
        aligned = all(abs(area.at.x - tray.at.x) < tray.width / 2 for area in board)
        return aligned and 0 <= nearest - edge <= TRAY_DISTANCE_MAX
    return False


def odds(
    house: House, table: ReadDrawing, posted: ReadDrawing | None
) -> Iterator[MetRequirement | FeltFinding]:
    """The odds of every wager on the felt; if any is missing, all of them on the sign."""
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
    # Odds on the felt must not contradict the sign.
    if where == "sign":
        headings = {text.text for text in table.texts if text.kind == "heading"}
        for block, problem in zip(expected, on_felt, strict=True):
            if problem and block.heading in headings:
                yield FeltFinding(f"felt: {problem}", block.clauses)


def bases(
    house: House, table: ReadDrawing, posted: ReadDrawing | None
) -> Iterator[MetRequirement | FeltFinding]:
    """The cards that decide each wager, on the felt or the sign."""
    for block in inscriptions.odds(house):
        if not block.basis:
            continue
        what = f"the cards that decide {block.heading}"
        if has_basis(block, table):
            yield MetRequirement(what, "felt", block.clauses)
        elif posted and (block.sentence in sentences(posted) or has_basis(block, posted)):
            yield MetRequirement(what, "sign", block.clauses)
        else:
            yield FeltFinding(f"{what} are neither on the felt nor on the sign", block.clauses)


def has_basis(block: inscriptions.OddsBlock, drawing: ReadDrawing) -> bool:
    """Whether a drawing has the basis of a block below its heading."""
    for area in (area for area in drawing.areas if area.kind == "odds"):
        inside = drawing.texts_in(area)
        if any(text.kind == "heading" and text.text == block.heading for text in inside):
            return joined([text for text in inside if text.kind == "basis"]) == block.basis
    return False


def wrong_odds(block: inscriptions.OddsBlock, drawing: ReadDrawing) -> str:
    """What is wrong with a block of odds on a drawing; empty if it is right."""
    for area in (area for area in drawing.areas if area.kind == "odds"):
        inside = drawing.texts_in(area)
        if not any(text.kind == "heading" and text.text == block.heading for text in inside):
            continue
        inscribed = odds_lines(inside)
        for line in block.lines:
            if line not in inscribed:
                pays = next((pays for hand, pays in inscribed if hand == line[0]), None)
                problem = "is missing" if pays is None else f"is inscribed as {pays!r}"
                return f"{block.heading}: {line[0]} {line[1]} {problem}"
        if len(inscribed) != len(block.lines):
            extra = next(line for line in inscribed if line not in block.lines)
            return f"{block.heading}: {' '.join(extra)} is not on the paytable"
        return ""
    return f"the odds of {block.heading} are missing"


def odds_lines(texts: Sequence[ReadText]) -> list[tuple[str, str]]:
    """Pairs of hand and payout on the same baseline."""
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
    """Every notice on the felt or sign; a payout limit that the felt refers to is posted."""
    on_felt = {text.text for text in table.texts if text.kind == "notice"}
    on_sign = sentences(posted)
    for notice in inscriptions.notices(house):
        if notice.words in on_felt:
            yield MetRequirement(notice.words, "felt", notice.clauses)
        elif notice.words in on_sign:
            by_sign = house.cite("layout.sign", optional=True)
            yield MetRequirement(notice.words, "sign", (*notice.clauses, *by_sign))
        elif notice.name == "limit" and limit_amount_notice(house) in on_sign:
            yield MetRequirement(limit_amount_notice(house), "sign", notice.clauses)
        else:
            yield FeltFinding(
                f"{notice.words!r} is neither on the felt nor on the sign", notice.clauses
            )
            continue
        if notice.name == "limit" and limit_amount_notice(house) not in on_felt | on_sign:
            limit = limit_amount_notice(house)
            yield FeltFinding(
                f"{limit!r} is not posted although the felt refers to it", notice.clauses
            )


def sentences(posted: ReadDrawing | None) -> set[str]:
    """The notices of a sign, with continuation lines joined."""
    if posted is None:
        return set()
    notices: list[str] = []
    for text in posted.texts:
        if text.kind == "notice":
            notices.append(text.text)
        elif text.kind == "more" and notices:
            notices[-1] += f" {text.text}"
    return set(notices)


def joined(texts: Sequence[ReadText]) -> str:
    """The text of several lines."""
    return " ".join(text.text for text in texts)
