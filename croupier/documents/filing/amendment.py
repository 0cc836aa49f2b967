"""Amendment of a Rules Submission: changes in terms, on the layout and in money."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

import msgspec

from croupier.documents.felt import inscriptions
from croupier.documents.filing.document_blocks import (
    Block,
    FilingDocument,
    Heading,
    Pairs,
    Paragraph,
    Row,
    TableBlock,
    make_document,
)
from croupier.documents.filing.rules_submission import TO_SIGN, label, value_of, wager_title
from croupier.documents.formatting import field_title, percent, short_dollars
from croupier.errors import BadInput
from croupier.games import House, Limits
from croupier.games.expected_returns import returns
from croupier.games.layout_notices import notices_on_sign, odds_on_sign
from croupier.games.payout import PayoutCalculator
from croupier.money import Cents, dollars, up_to_cent
from croupier.wording import counted

Subject: TypeAlias = Literal["law", "felt", "money"]
HEADINGS: Mapping[Subject, str] = {
    "law": "Changes in the rules and terms",
    "felt": "Changes on the layout and sign",
    "money": "Changes in house edge, payout limit and exposure",
}
NONE = "none"
MAIN = "main"  # the main game, among the returns of a House
# Notice is enough to change a maximum or lower a minimum; raising a minimum needs an amendment.
BY_NOTICE, AMENDED = "36.05.03.21C, by notice", "36.05.03.21B, amended"


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One change between two submissions; `under` is the clause or regulation that governs it."""

    subject: Subject
    what: str
    before: str
    after: str
    under: str = ""

    def __str__(self) -> str:
        cited = f" [{self.under}]" if self.under else ""
        return f"{self.subject}: {self.what}: {self.before} -> {self.after}{cited}"


def changes(old: House, new: House) -> tuple[Change, ...]:
    """All changes between two Houses of one game; BadInput if the games differ."""
    if old.game.key != new.game.key:
        raise BadInput(
            f"{old.game.key} and {new.game.key} are different games; "
            "expected two submissions of one game"
        )
    return (*in_law(old, new), *on_felt(old, new), *in_money(old, new))


def in_law(old: House, new: House) -> Iterator[Change]:
    """Operator, edition, choices, paytables, limits and meters."""
    yield from differing(
        "law",
        {"Operator": old.operator, "Edition": str(old.game.edition)},
        {"Operator": new.operator, "Edition": str(new.game.edition)},
    )
    for choice in new.game.form.choices:
        before, after = value_of(old, choice), value_of(new, choice)
        if before != after:
            yield Change(
                subject="law",
                what=label(choice.name),
                before=before,
                after=after,
                under=choice.clause,
            )
    for wager in new.game.wagers:
        offer = new.game.form.offer(wager.name)
        before, after = paytable_letter(old, wager.name), paytable_letter(new, wager.name)
        if offer and before != after:
            yield Change(
                subject="law",
                what=f"{wager.title}, paytable",
                before=before,
                after=after,
                under=offer.letter_clause,
            )
    yield from in_limits(old, new)
    yield from in_meters(old, new)


def paytable_letter(house: House, wager: str) -> str:
    return house.letters.get(wager, "not offered")


def in_limits(old: House, new: House) -> Iterator[Change]:
    """Limits of wagers that are offered both before and after."""
    for name in new.limits:
        if name not in old.limits:
            continue
        before, after = old.limits[name], new.limits[name]
        for what, one, other in (
            ("minimum", before.minimum, after.minimum),
            ("maximum", before.maximum, after.maximum),
        ):
            if one != other:
                yield Change(
                    subject="law",
                    what=f"{wager_title(new, name)}, {what}",
                    before=NONE if one is None else short_dollars(one),
                    after=NONE if other is None else short_dollars(other),
                    under=AMENDED if raised_minimum(before, after, what) else BY_NOTICE,
                )


def raised_minimum(before: Limits, after: Limits, what: str) -> bool:
    """Whether a change of limits needs an amendment."""
    return what == "minimum" and after.minimum > before.minimum


def in_meters(old: House, new: House) -> Iterator[Change]:
    """Amounts and rates of all meters."""
    form = new.game.form.meters
    for name in dict.fromkeys((*old.meters, *new.meters)):
        before, after = meter_terms(old, name), meter_terms(new, name)
        for what in dict.fromkeys((*before, *after)):
            one, other = before.get(what, NONE), after.get(what, NONE)
            if one != other:
                cited = form.rate_clause(name) if what == "rate" else form.amount_clause(name)
                yield Change(
                    subject="law",
                    what=f"Meter {name}, {what}",
                    before=one,
                    after=other,
                    under=cited,
                )


def meter_terms(house: House, name: str) -> dict[str, str]:
    """The stated amounts and rates of a meter."""
    meter = house.meters.get(name)
    if meter is None:
        return {}
    reserve = meter.reserve_percent
    return {
        "initial amount": short_dollars(meter.initial),
        "reset amount": short_dollars(meter.reset),
        "rate": f"{float(meter.rate_percent):g}%",
        "limit": NONE if meter.limit is None else short_dollars(meter.limit),
        "reserve rate": NONE if reserve is None else f"{float(reserve):g}%",
    }


def on_felt(old: House, new: House) -> Iterator[Change]:
    """Betting areas, odds and notices that differ on the felt or sign."""
    yield from differing("felt", carriers(old), carriers(new))
    yield from differing("felt", areas(old), areas(new))
    yield from differing("felt", odds(old), odds(new))
    yield from differing("felt", bases(old), bases(new))
    yield from differing("felt", notices(old), notices(new))


def carriers(house: House) -> dict[str, str]:
    """Whether odds and notices are on the felt or the sign."""
    return {
        "Odds are on the": "sign" if odds_on_sign(house) else "felt",
        "Notices are on the": "sign" if notices_on_sign(house) else "felt",
    }


def areas(house: House) -> dict[str, str]:
    return {
        f"Area for {wager.title}": f"at {counted(house.positions, 'position')}"
        for wager in house.game.wagers
        if house.offers(wager.name)
    }


def odds(house: House) -> dict[str, str]:
    return {
        f"{block.heading}: {hand}": pays
        for block in inscriptions.odds(house)
        for hand, pays in block.lines
    }


def bases(house: House) -> dict[str, str]:
    return {
        f"{block.heading}, decided by": block.basis
        for block in inscriptions.odds(house)
        if block.basis
    }


def notices(house: House) -> dict[str, str]:
    return {f"Notice: {field_title(item.name)}": item.words for item in inscriptions.notices(house)}


def differing(
    subject: Subject, before: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[Change]:
    """Changes between two mappings, in the order of the new one."""
    for what in dict.fromkeys((*after, *before)):
        one, other = before.get(what, NONE), after.get(what, NONE)
        if one != other:
            yield Change(subject=subject, what=what, before=one, after=other)


def in_money(old: House, new: House) -> Iterator[Change]:
    """House edge of every wager and the payout limit."""
    yield from differing("money", edges(old), edges(new))
    yield from differing("money", payout_limit(old), payout_limit(new))
    yield from differing("money", at_maximum(old), at_maximum(new))


def at_maximum(house: House) -> dict[str, str]:
    """What a wager at its maximum may cost: the largest payout, and the house's expected win."""
    result = {}
    main, ante = returns(house).get(MAIN), house.limits[house.game.ante.name].maximum
    for wager, largest in largest_payouts(house).items():
        result[f"{wager_title(house, wager)} at its maximum, largest payout"] = largest
    if main is not None and ante is not None:
        expected = dollars(up_to_cent((1 - main) * ante))
        result[f"{house.game.ante.title} at its maximum, expected win of the house"] = expected
    for wager, share in returns(house).items():
        most = house.limits[wager].maximum if wager in house.limits else None
        if wager != MAIN and most is not None:
            name = f"{wager_title(house, wager)} at its maximum, expected win of the house"
            result[name] = dollars(up_to_cent((1 - share) * most))
    return result


def largest_payouts(house: House) -> dict[str, str]:
    """The largest winnings of every wager with a maximum, within the payout limit."""
    largest: dict[str, Cents] = {}
    for results in house.tabulate().values():
        for result in results:
            most = highest_stake(house, result.wager)
            if result.outcome == "win" and result.pays.unit != "percent" and most is not None:
                won = PayoutCalculator(house, {}).pay(result, most).returned - most
                largest[result.wager] = max(won, largest.get(result.wager, 0))
    return {wager: short_dollars(won) for wager, won in largest.items()}


def highest_stake(house: House, name: str) -> Cents | None:
    """The highest stake of a wager; None if it has no maximum."""
    wager = house.game.wager(name)
    assert wager is not None, f"{house.game.key} has no {name}"
    if wager.role == "progressive":
        return house.progressive.stake if house.progressive else None
    if wager.role in ("ante", "matching", "decision"):
        times = [o.times for s in house.game.streets for o in s.options if o.wager == name]
        ante = house.limits[house.game.ante.name].maximum
        return None if ante is None else ante * max(times, default=1)
    return house.limits[name].maximum


def edges(house: House) -> dict[str, str]:
    """House edge of every wager; of the main game per ante."""
    result = {}
    for wager, share in returns(house).items():
        name = "Main game, per ante" if wager == MAIN else wager_title(house, wager)
        result[f"{name}, house edge"] = percent(1 - share)
    return result


def payout_limit(house: House) -> dict[str, str]:
    text = NONE if house.payout_limit is None else short_dollars(house.payout_limit)
    return {"Payout limit": text}


def amendment(old: House, new: House, approved: str = "") -> FilingDocument:
    """The amendment document (COMAR 36.05.03.21B)."""
    differences = changes(old, new)
    blocks: list[Block] = [
        Pairs(
            rows=(
                ("in force", old.digest),
                ("proposed", new.digest),
                ("authority", "COMAR 36.05.03.21B"),
            )
        ),
        TO_SIGN,
    ]
    for subject, heading in HEADINGS.items():
        rows = [
            Row((change.what, change.before, change.after, change.under))
            for change in differences
            if change.subject == subject
        ]
        blocks.append(Heading(text=heading))
        if rows:
            blocks.append(table(rows, cited=subject == "law"))
        else:
            blocks.append(Paragraph(text="No changes."))
    return make_document(new, "amendment", "Amendment of the Rules Submission", blocks, approved)


def table(rows: list[Row], *, cited: bool) -> TableBlock:
    """A table of changes, with the governing clause if `cited`."""
    return TableBlock(
        titles=("what", "before", "after", "under")[: 4 if cited else 3],
        rows=tuple(row if cited else Row(row.cells[:3]) for row in rows),
        widths=("1fr", "42mm", "42mm", "40mm")[: 4 if cited else 3],
        sides=("left", "left", "left", "left")[: 4 if cited else 3],
    )
