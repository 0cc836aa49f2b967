"""The mathematics of every wager as offered: at the table's minimum, at its maximum, by the odds.

Everything comes from the study room; here it is only put on pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import msgspec

from croupier import analysis
from croupier.documents.charts import document_charts
from croupier.documents.filing.document_blocks import (
    Block,
    FilingDocument,
    Heading,
    Listing,
    Pairs,
    Paragraph,
    Picture,
    Row,
    TableBlock,
    document,
)
from croupier.documents.filing.document_blocks_plain import amount
from croupier.documents.par import par_sheet
from croupier.games import House, Limits
from croupier.money import Cents

CHART = "The best first decision by starting hand: suited above the diagonal, off-suit below."
UNLIMITED = 100  # times the minimum, where no maximum is set


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """A side wager by its odds, and as it is paid at its least and at its greatest stake."""

    wager: str
    by_odds: analysis.SideResult
    least: analysis.SideResult
    most: analysis.SideResult


class Studied(msgspec.Struct, frozen=True, kw_only=True):
    """What was worked out of a House."""

    by_odds: analysis.Analysis
    offered: analysis.Analysis  # at the least ante, with the value of every ante to the greatest
    sides: tuple[Side, ...]


def studied(house: House, progress: Callable[[float, str], None] | None = None) -> Studied:
    """Work out a House by its odds and as it is offered."""
    report = progress or (lambda done, what: None)
    least = house.limits[house.game.ante.name].minimum
    by_odds = analysis.analyze(house, lambda done, what: report(done / 2, what))
    offered = analysis.analyze(house, lambda done, what: report(0.5 + done / 2, what), least)
    at_least = {wager: result for wager, _, _, result in offered.sides()}
    sides = tuple(
        Side(
            wager=wager,
            by_odds=result,
            least=at_least[wager],
            most=at_most(house, wager, at_least[wager]),
        )
        for wager, _, _, result in by_odds.sides()
    )
    return Studied(by_odds=by_odds, offered=offered, sides=sides)


def at_most(house: House, wager: str, least: analysis.SideResult) -> analysis.SideResult:
    """A side wager at its greatest stake; that of a progressive is always the same."""
    limits = house.limits.get(wager)
    if limits is None:
        return least
    most = greatest(limits)
    if most == least.stake:
        return least
    moved = house.as_played(limits={wager: Limits(minimum=most, maximum=most)})
    return analysis.side_result(moved, wager, offered=True)


def greatest(limits: Limits) -> Cents:
    """The most that is staked; a wager without a maximum is looked at far above its minimum."""
    return limits.maximum or limits.minimum * UNLIMITED


def mathematics(house: House, found: Studied) -> FilingDocument:
    """What 36.05.03.20A(3) asks of each wager, and what the limit and the chips change."""
    sheets = par_sheet.par(house, found.offered, rounds=()).sheets  # bands are for the PAR sheet
    blocks: list[Block] = [*overview(house, found), *assumptions(found)]
    blocks += main_game(house, found, sheets[0])
    for side, sheet in zip(found.sides, sheets[1:], strict=True):
        blocks += side_wager(side, sheet)
    return document(house, "4-mathematics", "Mathematics of the wagers as offered", blocks)


def overview(house: House, found: Studied) -> Iterator[Block]:
    """Every wager on one line."""
    first, last = found.offered.by_ante[0], found.offered.by_ante[-1]
    main = found.offered.main
    rows = [
        Row(
            (
                f"Main game, of one {house.game.ante.title}",
                percent(found.by_odds.main.house_edge),
                percent(first.house_edge),
                percent(last.house_edge),
                percent(main.outcomes["win"]),
                f"{main.standard_deviation:.4f}",
            )
        )
    ]
    for side in found.sides:
        wager = house.game.wager(side.wager)
        assert wager is not None, f"{house.game.key} has no {side.wager}"
        edges = (side.by_odds.ev, side.least.ev, side.most.ev)
        rows.append(
            Row(
                (
                    wager.title,
                    *(percent(-ev) for ev in edges),
                    percent(side.least.hit_frequency),
                    f"{side.least.standard_deviation:.4f}",
                )
            )
        )
    yield Heading(text="House edge of every wager")
    yield TableBlock(
        titles=("wager", "by the odds", "at the minimum", "at the maximum", "hits", "deviation"),
        rows=tuple(rows),
        widths=("1fr", "auto", "auto", "auto", "auto", "auto"),
        sides=("left", "right", "right", "right", "right", "right"),
    )
    yield Paragraph(
        text="By the odds: as if every winning could be paid exactly and without a limit. At the "
        "minimum and the maximum: as paid here, rounded to chips and under the payout limit. "
        "Progressives are at their reset amounts, without envy.",
        tone="quiet",
    )


def assumptions(found: Studied) -> Iterator[Block]:
    """What the figures rest on."""
    yield Heading(text="Assumptions", level=3)
    made = f"worked out by Croupier {found.offered.version}"
    yield Listing(items=(*found.offered.assumptions, made))


def main_game(house: House, found: Studied, sheet: par_sheet.ParSheet) -> Iterator[Block]:
    """The main game: figures, antes, distribution, strategy and every net result."""
    result = found.offered.main
    yield Heading(text=sheet.title, new_page=True)
    yield Paragraph(text=sheet.about[0].upper() + sheet.about[1:] + ".")
    yield figures(sheet)
    yield plot(net_shares(result), f"units of one {house.game.ante.title}", sheet)
    yield Heading(text="As offered, by ante", level=3)
    yield TableBlock(
        titles=("ante", "house edge", "change by limit and chips"),
        rows=tuple(
            Row(
                (
                    amount(at.ante),
                    percent(at.house_edge),
                    f"{100 * float(at.house_edge - found.by_odds.main.house_edge):+.4f} %",
                )
            )
            for at in found.offered.by_ante
        ),
        widths=("auto", "auto", "auto"),
        sides=("right", "right", "right"),
    )
    yield from strategy(result)
    yield Heading(text="Return table", level=3, new_page=True)
    yield lines(sheet)


def net_shares(result: analysis.MainResult) -> dict[Fraction, Fraction]:
    """How often each net result of a round comes."""
    total = sum(result.distribution.values())
    return {value: Fraction(count, total) for value, count in result.distribution.items()}


def strategy(result: analysis.MainResult) -> Iterator[Block]:
    """The best play: the first decision as a chart, later ones in numbers."""
    yield Heading(text="Best play", level=2, new_page=True)
    if square := document_charts.chart(result):
        yield Paragraph(text=CHART)
        yield square
    rows = tuple(
        Row((street, word, percent(share)))
        for street, taken in result.actions.items()
        for word, share in taken.items()
    )
    yield Heading(text="How often each decision is best", level=3)
    yield TableBlock(
        titles=("street", "decision", "of those who come to it"),
        rows=rows,
        widths=("auto", "auto", "auto"),
        sides=("left", "left", "right"),
    )
    for street in result.streets:
        if street.marginal:
            yield Heading(text=f"Closest decisions: {street.street}", level=3)
            yield TableBlock(
                titles=("hand", "on the table", "what betting gains, in antes"),
                rows=tuple(
                    Row((c.hand, c.board, f"{float(c.gain):+.7f}")) for c in street.marginal[:5]
                ),
                widths=("auto", "auto", "auto"),
                sides=("left", "left", "right"),
            )


def side_wager(side: Side, sheet: par_sheet.ParSheet) -> Iterator[Block]:
    """A side wager: figures, distribution, return table and what stakes change."""
    yield Heading(text=sheet.title, new_page=True)
    yield Paragraph(text=sheet.about[0].upper() + sheet.about[1:] + ".")
    yield figures(sheet)
    yield plot(side.least.shares, "units staked", sheet)
    yield Heading(text="Return table", level=3)
    yield lines(sheet)
    yield Heading(text="What the payout limit and the chips change", level=3)
    yield TableBlock(
        titles=("stake", "house edge", "change by limit and chips"),
        rows=tuple(
            Row((amount(at.stake), percent(-at.ev), f"{100 * float(plain - at.ev):+.4f} %"))
            for at in {at.stake: at for at in (side.least, side.most)}.values()
            for plain in (by_odds_at(side.by_odds, at.stake),)
        ),
        widths=("auto", "auto", "auto"),
        sides=("right", "right", "right"),
    )
    for note in sheet.notes:
        yield Paragraph(text=note, tone="quiet")


def by_odds_at(result: analysis.SideResult, stake: Cents) -> Fraction:
    """The value by the odds at a stake, which matters where a line pays dollars."""
    if not result.per_cent_staked:
        return result.ev
    return result.fixed + result.per_cent_staked / stake


def figures(sheet: par_sheet.ParSheet) -> Pairs:
    """The figures of a wager."""
    return Pairs(rows=tuple((name, value) for name, value in par_sheet.printed_figures(sheet)))


def plot(shares: dict[Fraction, Fraction], unit: str, sheet: par_sheet.ParSheet) -> Picture:
    """The distribution of a wager."""
    told = f"{sheet.title}: net results from {min(shares)} to {max(shares)} {unit}."
    return Picture(svg=document_charts.distribution(shares, unit), alt=told)


def lines(sheet: par_sheet.ParSheet) -> TableBlock:
    """The return table of a wager."""
    titles, rows = par_sheet.printed_lines(sheet)
    return TableBlock(
        titles=tuple(titles),
        rows=tuple(Row(tuple(row)) for row in rows),
        widths=("1fr", *["auto"] * (len(titles) - 1)),
        sides=("left", *["right"] * (len(titles) - 1)),
    )


def percent(value: Fraction) -> str:
    """A share as it is printed."""
    return f"{100 * float(value):.4f} %"
