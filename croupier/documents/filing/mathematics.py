"""Mathematics document: every wager at exact odds and as offered, at minimum and maximum stakes.

The figures come from `croupier.analysis`.
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
    make_document,
)
from croupier.documents.formatting import percent, short_dollars
from croupier.documents.par import par_sheet
from croupier.documents.par.wager_details import long_run
from croupier.games import House, Limits
from croupier.money import Cents

CHART = "Best first decision by starting hand: suited above the diagonal, offsuit below."
UNLIMITED_MULTIPLE = 100  # of the minimum, used as maximum if none is set


class SideWagerAnalysis(msgspec.Struct, frozen=True, kw_only=True):
    """A side wager at exact odds, and as paid at its minimum and maximum stake."""

    wager: str
    by_odds: analysis.SideResult
    least: analysis.SideResult
    most: analysis.SideResult


class FilingAnalysis(msgspec.Struct, frozen=True, kw_only=True):
    """The analyses behind the mathematics document."""

    by_odds: analysis.Analysis
    offered: analysis.Analysis  # at the minimum ante, with the house edge by ante up to the maximum
    sides: tuple[SideWagerAnalysis, ...]


def analyze_for_filing(
    house: House, progress: Callable[[float, str], None] | None = None
) -> FilingAnalysis:
    """Analyze a House at exact odds and as offered."""
    report = progress or (lambda done, what: None)
    least = house.limits[house.game.ante.name].minimum
    by_odds = analysis.analyze(house, lambda done, what: report(done / 2, what))
    offered = analysis.analyze(house, lambda done, what: report(0.5 + done / 2, what), least)
    at_least = {wager: result for wager, _, _, result in offered.sides()}
    sides = tuple(
        SideWagerAnalysis(
            wager=wager,
            by_odds=result,
            least=at_least[wager],
            most=at_most(house, wager, at_least[wager]),
        )
        for wager, _, _, result in by_odds.sides()
    )
    return FilingAnalysis(by_odds=by_odds, offered=offered, sides=sides)


def at_most(house: House, wager: str, least: analysis.SideResult) -> analysis.SideResult:
    """A side wager at its maximum stake; a progressive has a fixed stake."""
    limits = house.limits.get(wager)
    if limits is None:
        return least
    stake = limits.maximum or limits.minimum * UNLIMITED_MULTIPLE
    if stake == least.stake:
        return least
    at_maximum = house.as_played(limits={wager: Limits(minimum=stake, maximum=stake)})
    return analysis.side_result(at_maximum, wager, offered=True)


def mathematics(house: House, analyses: FilingAnalysis) -> FilingDocument:
    """The mathematics document (COMAR 36.05.03.20A(3)), with the effect of limit and rounding."""
    # The bands belong to the PAR sheet only.
    sheets = par_sheet.make_par_sheet(house, analyses.offered, rounds=()).sheets
    blocks: list[Block] = [*overview(house, analyses), *assumptions(analyses)]
    blocks += main_game(house, analyses, sheets[0])
    for side, sheet in zip(analyses.sides, sheets[1:], strict=True):
        blocks += side_wager(side, sheet)
    return make_document(house, "4-mathematics", "Mathematics of the wagers as offered", blocks)


def overview(house: House, analyses: FilingAnalysis) -> Iterator[Block]:
    """House edge, hit frequency and standard deviation of every wager."""
    first, last = analyses.offered.by_ante[0], analyses.offered.by_ante[-1]
    main = analyses.offered.main
    rows = [
        Row(
            (
                f"Main game, per {house.game.ante.title}",
                percent(analyses.by_odds.main.house_edge),
                percent(first.house_edge),
                percent(last.house_edge),
                percent(main.outcomes["win"]),
                percent(main.element_of_risk),
                f"{main.standard_deviation:.4f}",
            )
        )
    ]
    for side in analyses.sides:
        wager = house.game.wager(side.wager)
        assert wager is not None, f"{house.game.key} has no {side.wager}"
        edges = (side.by_odds.ev, side.least.ev, side.most.ev)
        rows.append(
            Row(
                (
                    wager.title,
                    *(percent(-ev) for ev in edges),
                    percent(side.least.hit_frequency),
                    percent(-side.least.ev),
                    f"{side.least.standard_deviation:.4f}",
                )
            )
        )
    yield Heading(text="House edge of every wager")
    yield TableBlock(
        titles=(
            ("wager", "exact odds", "at minimum", "at maximum")
            + ("hit frequency", "element of risk", "deviation")
        ),
        rows=tuple(rows),
        widths=("1fr", *["auto"] * 6),
        sides=("left", *["right"] * 6),
    )
    yield from in_the_long_run(house)
    yield Paragraph(
        text="Exact odds: every payout in full, without rounding or a payout limit. At minimum and "
        "at maximum: as paid here, rounded to chips and subject to the payout limit. "
        "Progressives are at their reset amounts, without envy bonuses.",
        tone="quiet",
    )


def in_the_long_run(house: House) -> Iterator[Block]:
    """The progressive at reset and in the long run."""
    if later := long_run(house):
        yield Paragraph(
            text=f"The house edge of the progressive is {percent(-later.at_reset)} while the "
            f"meters are at their reset amounts, and {percent(-later.ev)} in the long run: "
            f"{percent(later.increment)} of every wager goes to the meters and returns to the "
            "players in larger awards."
        )


def assumptions(analyses: FilingAnalysis) -> Iterator[Block]:
    yield Heading(text="Assumptions", level=3)
    version = f"calculated by Croupier {analyses.offered.version}"
    yield Listing(items=(*analyses.offered.assumptions, version))


def main_game(
    house: House, analyses: FilingAnalysis, sheet: par_sheet.WagerSheet
) -> Iterator[Block]:
    """The main game: figures, distribution, edge by ante, strategy and return table."""
    result = analyses.offered.main
    yield Heading(text=sheet.title)
    yield Paragraph(text=sheet.about[0].upper() + sheet.about[1:] + ".")
    yield figures(sheet)
    yield plot(net_shares(result), f"units of the {house.game.ante.title}", sheet)
    yield Heading(text="As offered, by ante", level=3)
    yield TableBlock(
        titles=("ante", "house edge", "effect of limit and rounding"),
        rows=tuple(
            Row(
                (
                    short_dollars(entry.ante),
                    percent(entry.house_edge),
                    f"{100 * float(entry.house_edge - analyses.by_odds.main.house_edge):+.4f}%",
                )
            )
            for entry in analyses.offered.by_ante
        ),
        widths=("auto", "auto", "auto"),
        sides=("right", "right", "right"),
    )
    yield Heading(text="Return table", level=3)
    yield lines(sheet)
    yield from details(sheet)
    yield from strategy(result)


def details(sheet: par_sheet.WagerSheet) -> Iterator[Block]:
    """Each wager of the main game, the meters of a progressive, and worked examples."""
    for heading, titles, rows in par_sheet.detail_tables(sheet):
        left = ("wager", "meter", "cards")
        yield Heading(text=heading, level=3)
        yield TableBlock(
            titles=titles,
            rows=tuple(map(Row, rows)),
            widths=tuple("1fr" if title == "cards" else "auto" for title in titles),
            sides=tuple("left" if title in left else "right" for title in titles),
        )


def net_shares(result: analysis.MainResult) -> dict[Fraction, Fraction]:
    """The probability of each net result of a round."""
    total = sum(result.distribution.values())
    return {value: Fraction(count, total) for value, count in result.distribution.items()}


def strategy(result: analysis.MainResult) -> Iterator[Block]:
    """Optimal strategy: the first decision as a chart, action frequencies, close decisions."""
    yield Heading(text="Optimal strategy", level=2)
    if chart := document_charts.chart(result):
        yield Paragraph(text=CHART)
        yield chart
    rows = tuple(
        Row((street, word, percent(share)))
        for street, taken in result.actions.items()
        for word, share in taken.items()
    )
    yield Heading(text="Frequency of each decision", level=3)
    yield TableBlock(
        titles=("street", "decision", "share of hands that reach it"),
        rows=rows,
        widths=("auto", "auto", "auto"),
        sides=("left", "left", "right"),
    )
    closest = tuple(
        Row((street.street, c.hand, c.board, f"{float(c.gain):+.7f}"))
        for street in result.streets
        for c in street.marginal[:5]
    )
    if closest:
        yield Heading(text="Closest decisions", level=3)
        yield TableBlock(
            titles=("street", "hand", "board", "gain from betting, in antes"),
            rows=closest,
            widths=("auto", "auto", "auto", "auto"),
            sides=("left", "left", "left", "right"),
        )


def side_wager(side: SideWagerAnalysis, sheet: par_sheet.WagerSheet) -> Iterator[Block]:
    """A side wager: figures, distribution, return table and the effect of the stake."""
    yield Heading(text=sheet.title)
    about = sheet.about[0].upper() + sheet.about[1:] + "."
    yield Paragraph(text=" ".join((about, *sheet.notes)))
    yield figures(sheet)
    yield plot(side.least.shares, "units staked", sheet)
    yield Heading(text="Return table", level=3)
    yield lines(sheet)
    yield Heading(text="Effect of the payout limit and rounding", level=3)
    yield TableBlock(
        titles=("stake", "house edge", "effect of limit and rounding"),
        rows=tuple(
            Row(
                (
                    short_dollars(paid.stake),
                    percent(-paid.ev),
                    f"{100 * float(exact - paid.ev):+.4f}%",
                )
            )
            for paid in {result.stake: result for result in (side.least, side.most)}.values()
            for exact in (by_odds_at(side.by_odds, paid.stake),)
        ),
        widths=("auto", "auto", "auto"),
        sides=("right", "right", "right"),
    )
    yield from details(sheet)


def by_odds_at(result: analysis.SideResult, stake: Cents) -> Fraction:
    """The expected value at exact odds; it depends on the stake if a line pays a fixed amount."""
    if not result.per_cent_staked:
        return result.ev
    return result.fixed + result.per_cent_staked / stake


def figures(sheet: par_sheet.WagerSheet) -> Pairs:
    return Pairs(rows=tuple(par_sheet.printed_figures(sheet)))


def plot(shares: dict[Fraction, Fraction], unit: str, sheet: par_sheet.WagerSheet) -> Picture:
    """The distribution of net results as a drawing."""
    alt = f"{sheet.title}: net results from {min(shares)} to {max(shares)} {unit}."
    return Picture(svg=document_charts.distribution(shares, unit), alt=alt, width="140mm")


def lines(sheet: par_sheet.WagerSheet) -> TableBlock:
    titles, rows = par_sheet.printed_lines(sheet)
    return TableBlock(
        titles=tuple(titles),
        rows=tuple(Row(tuple(row)) for row in rows),
        widths=("1fr", *["auto"] * (len(titles) - 1)),
        sides=("left", *["right"] * (len(titles) - 1)),
    )
