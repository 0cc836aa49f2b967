"""What changes between two submissions of one game: in law, on the felt and in money."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
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
    document,
)
from croupier.documents.filing.document_blocks_plain import amount, title_of
from croupier.documents.filing.rules_submission import known, value_of
from croupier.errors import BadInput
from croupier.games import House, Limits
from croupier.games.expected_returns import returns

Subject: TypeAlias = Literal["law", "felt", "money"]
HEADINGS: Mapping[Subject, str] = {"law": "In law", "felt": "On the felt", "money": "In money"}
NOTHING = "none"
# A maximum may move and a minimum may fall without an amendment; a minimum may not rise.
FREE, AMENDED = "36.05.03.21C, by notice", "36.05.03.21B, amended"


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is not as it was; `under` says which clause or regulation it falls under."""

    subject: Subject
    what: str
    before: str
    after: str
    under: str = ""

    def __str__(self) -> str:
        cited = f" [{self.under}]" if self.under else ""
        return f"{self.subject}: {self.what}: {self.before} -> {self.after}{cited}"


def changes(old: House, new: House) -> tuple[Change, ...]:
    """Everything that differs between two Houses of one game."""
    if old.game.key != new.game.key:
        raise BadInput(
            f"{old.game.key} and {new.game.key} are two games; expected two submissions of one"
        )
    return (*in_law(old, new), *on_felt(old, new), *in_money(old, new))


def in_law(old: House, new: House) -> Iterator[Change]:
    """Who operates, which edition, which choices and paytables, limits and meters."""
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
                what=title_of(choice.name),
                before=before,
                after=after,
                under=choice.clause,
            )
    for wager in new.game.wagers:
        offer = new.game.form.offer(wager.name)
        before, after = offered(old, wager.name), offered(new, wager.name)
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


def offered(house: House, wager: str) -> str:
    """The paytable of a wager."""
    return house.letters.get(wager, "not offered")


def in_limits(old: House, new: House) -> Iterator[Change]:
    """Limits of wagers that are offered before and after."""
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
                    what=f"{known(new, name)}, {what}",
                    before=NOTHING if one is None else amount(one),
                    after=NOTHING if other is None else amount(other),
                    under=AMENDED if raised_minimum(before, after, what) else FREE,
                )


def raised_minimum(before: Limits, after: Limits, what: str) -> bool:
    """Whether a change of limits is the one that notice alone does not allow."""
    return what == "minimum" and after.minimum > before.minimum


def in_meters(old: House, new: House) -> Iterator[Change]:
    """Amounts and rates of every meter."""
    form = new.game.form.meters
    for name in dict.fromkeys((*old.meters, *new.meters)):
        before, after = meter_terms(old, name), meter_terms(new, name)
        for what in dict.fromkeys((*before, *after)):
            one, other = before.get(what, NOTHING), after.get(what, NOTHING)
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
    """What is stated of a meter."""
    meter = house.meters.get(name)
    if meter is None:
        return {}
    reserve = meter.reserve_percent
    return {
        "initial amount": amount(meter.initial),
        "reset amount": amount(meter.reset),
        "rate": f"{float(meter.rate_percent):g} %",
        "limit": NOTHING if meter.limit is None else amount(meter.limit),
        "reserve rate": NOTHING if reserve is None else f"{float(reserve):g} %",
    }


def on_felt(old: House, new: House) -> Iterator[Change]:
    """Betting areas, odds and notices that a felt or a sign would say otherwise."""
    yield from differing("felt", carriers(old), carriers(new))
    yield from differing("felt", areas(old), areas(new))
    yield from differing("felt", odds(old), odds(new))
    yield from differing("felt", notices(old), notices(new))


def carriers(house: House) -> dict[str, str]:
    """Where odds and notices stand, as the operator chose."""
    return {
        "Odds stand on the": "sign" if inscriptions.odds_on_sign(house) else "felt",
        "Notices stand on the": "sign" if inscriptions.notices_on_sign(house) else "felt",
    }


def areas(house: House) -> dict[str, str]:
    """The betting areas of a position."""
    return {
        f"Area for {wager.title}": "at six positions"
        for wager in house.game.wagers
        if house.offers(wager.name)
    }


def odds(house: House) -> dict[str, str]:
    """Every line of odds."""
    return {
        f"{block.heading}: {hand}": pays
        for block in inscriptions.odds(house)
        for hand, pays in block.lines
    }


def notices(house: House) -> dict[str, str]:
    """Every notice."""
    return {f"Notice: {title_of(said.name)}": said.words for said in inscriptions.notices(house)}


def differing(
    subject: Subject, before: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[Change]:
    """What two lists do not have in common, in the order of the later one."""
    for what in dict.fromkeys((*after, *before)):
        one, other = before.get(what, NOTHING), after.get(what, NOTHING)
        if one != other:
            yield Change(subject=subject, what=what, before=one, after=other)


def in_money(old: House, new: House) -> Iterator[Change]:
    """The house edge of every wager, exactly, and the payout limit."""
    before, after = edges(old), edges(new)
    yield from differing("money", before, after)
    yield from differing("money", limit(old), limit(new))


def edges(house: House) -> dict[str, str]:
    """What the house keeps of every wager; a main game is told per ante."""
    found = {}
    for wager, share in returns(house).items():
        name = "Main game, of one ante" if wager == "main" else known(house, wager)
        found[f"{name}, house edge"] = edge(1 - share)
    return found


def edge(share: Fraction) -> str:
    """A house edge as it is printed."""
    return f"{100 * float(share):.4f} %"


def limit(house: House) -> dict[str, str]:
    """The payout limit."""
    told = NOTHING if house.payout_limit is None else amount(house.payout_limit)
    return {"Payout limit": told}


def amendment(old: House, new: House, approved: str = "") -> FilingDocument:
    """The page that an amendment needs (COMAR 36.05.03.21B)."""
    found = changes(old, new)
    blocks: list[Block] = [
        Pairs(
            rows=(
                ("in force", old.digest),
                ("proposed", new.digest),
                ("authority", "COMAR 36.05.03.21B"),
            )
        )
    ]
    for subject, heading in HEADINGS.items():
        rows = [
            Row((change.what, change.before, change.after, change.under))
            for change in found
            if change.subject == subject
        ]
        blocks.append(Heading(text=heading))
        if rows:
            blocks.append(table(rows, cited=subject == "law"))
        else:
            blocks.append(Paragraph(text="Nothing changes."))
    return document(new, "amendment", "Amendment of the Rules Submission", blocks, approved)


def table(rows: list[Row], *, cited: bool) -> TableBlock:
    """Changes below each other; only the law has something to cite."""
    kept = [row if cited else Row(row.cells[:3]) for row in rows]
    return TableBlock(
        titles=("what", "before", "after", "under")[: 4 if cited else 3],
        rows=tuple(kept),
        widths=("1fr", "42mm", "42mm", "40mm")[: 4 if cited else 3],
        sides=("left", "left", "left", "left")[: 4 if cited else 3],
    )
