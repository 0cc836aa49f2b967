"""What the guide, card, felt and sign of a House tell players, in the game's patron sentences.

Terms of the House choose the sentences and fill in their placeholders. The cards that decide a side
wager are its `Basis`, the effect of a fold is that of the table; neither needs a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from croupier.documents.formatting import short_dollars
from croupier.games import House, Wager
from croupier.games.layout_notices import MULTIPLICATION_SIGN
from croupier.games.odds import paytable_lines
from croupier.rulebook import PatronSentence, patron_text
from croupier.wording import join_words

ENVY = "envy"


class WagerDescription(msgspec.Struct, frozen=True, kw_only=True):
    """An offered wager in words for its players."""

    name: str
    title: str
    stakes: str
    decided_by: str  # "" for a wager of the main game that has no patron sentences
    sentences: tuple[str, ...]


def wager_descriptions(house: House) -> tuple[WagerDescription, ...]:
    """Every offered wager, those of the main game first; the envy bonus follows its progressive."""
    written = patron_text(house.game.document).wagers
    described = []
    offered = [wager for wager in house.game.wagers if house.offers(wager.name)]
    for wager in sorted(offered, key=lambda wager: wager.judged_on is not None):
        own = selected(house, written.get(wager.name, ()))
        described.append(
            WagerDescription(
                name=wager.name,
                title=wager.title,
                stakes=stakes_of(house, wager.name),
                decided_by=decided_by(house, wager),
                sentences=(*own, *conditions(house, wager)),
            )
        )
        if wager.role == "progressive" and house.envy_paytable() is not None:
            described.append(
                WagerDescription(
                    name=ENVY,
                    title="Envy Bonus",
                    stakes=f"part of the {wager.title}",
                    decided_by=of_another_player(decided_by(house, wager)),
                    sentences=selected(house, written.get(ENVY, ())),
                )
            )
    return tuple(described)


def decided_by(house: House, wager: Wager) -> str:
    """The cards that decide a wager: "your best five of seven cards"."""
    if wager.judged_on is not None:
        return wager.judged_on(house).words
    written = patron_text(house.game.document).decided_by.get(wager.name, ())
    return next(iter(selected(house, written)), "")


def of_another_player(words: str) -> str:
    """The cards that decide an envy bonus, from those that decide the progressive."""
    return words.replace("your", "another player's")


def conditions(house: House, wager: Wager) -> Iterator[str]:
    """What follows from the rules of the table: a wager that it needs, and the effect of a fold."""
    if required := house.game.wager(house.prerequisites.get(wager.name, "")):
        yield f"It needs a {required.title} wager."
    if wager.role in ("optional", "progressive"):
        stays = house.outlives_fold(wager.name)
        yield "It stays in play if you fold." if stays else "If you fold, you lose it."


def play(house: House) -> tuple[str, ...]:
    """What a player may do at this table."""
    return selected(house, patron_text(house.game.document).play)


def showdown(house: House) -> tuple[str, ...]:
    """When the dealer qualifies, and how the main wagers win, push and lose.

    A game without sentences has the notices of its layout.
    """
    written = selected(house, patron_text(house.game.document).showdown)
    notices = (words for notice in house.game.layout.notices if (words := notice.words(house)))
    return written or tuple(f"{words}." for words in notices)


def payouts(house: House) -> tuple[str, ...]:
    """How winnings are paid, and the maximum payout."""
    return (*selected(house, patron_text(house.game.document).payouts), *limit(house))


def limit(house: House) -> tuple[str, ...]:
    """The maximum payout."""
    return selected(house, patron_text(house.game.document).limit)


def interruptions(house: House) -> tuple[str, ...]:
    """What happens on a misdeal, a jam or an outage."""
    return selected(house, patron_text(house.game.document).interruptions)


def ranking(house: House) -> tuple[str, ...]:
    """The hands from best to worst."""
    return selected(house, patron_text(house.game.document).ranking)


def selected(house: House, sentences: Sequence[PatronSentence]) -> tuple[str, ...]:
    """The sentences that apply to a House, with its terms filled in."""
    terms = terms_of(house)
    return tuple(
        sentence.text.format_map(placeholders(house))
        for sentence in sentences
        if all(_agrees(terms.get(name), value) for name, value in sentence.when.items())
    )


def _agrees(term: Any, value: Any) -> bool:
    if isinstance(term, frozenset):  # the offered wagers
        return value in term
    return term in value if isinstance(value, tuple) else bool(term == value)


def terms_of(house: House) -> dict[str, Any]:
    """The terms that a sentence may depend on: operator choices and what follows from them."""
    pays = [
        line.pays
        for wager in house.game.wagers
        if house.offers(wager.name)
        for line in paytable_lines(house, wager.name)
    ]
    dealer_aces = "pocket_aces_player_and_dealer"
    return {
        **msgspec.structs.asdict(house.choices),
        "dealing_method": house.dealing_method,
        "offered": house.offered,
        "shuffler": house.shuffle_method != "manual",
        "several_boxes": house.max_adjacent_boxes > 1,
        "limit": house.payout_limit is not None,
        "pays_for": any(each.unit == "for" for each in pays),
        "pays_part": any(each.unit == "percent" and each.win < 100 for each in pays),
        "pays_dealer_aces": any(
            line.hand == dealer_aces
            for wager in house.game.wagers
            if house.offers(wager.name)
            for line in paytable_lines(house, wager.name)
        ),
    }


def placeholders(house: House) -> Mapping[str, Any]:
    """The values of the placeholders, "" where the House has none."""
    game, terms = house.game, house.progressive
    covered: tuple[str, ...] = ()
    if game.limit is not None:
        covered = (*game.limit.covers, *game.limit.also_covers(house))
    titles = [f"the {w.title}" for w in game.wagers if w.name in covered and house.offers(w.name)]
    lowest = house.lowest_chip
    return {
        "ante": game.ante.title,
        "instruments": join_words(house.choices.wagering_instruments, "or"),
        "max_boxes": house.max_adjacent_boxes,
        "lowest_chip": "" if lowest is None else short_dollars(lowest),
        "stake": "" if terms is None else short_dollars(terms.stake),
        "limit": "" if house.payout_limit is None else short_dollars(house.payout_limit),
        "limit_wagers": join_words(titles, "and"),
        "resets": join_words(
            [f"{name} {short_dollars(meter.reset)}" for name, meter in house.meters.items()], "and"
        ),
        "rates": join_words(
            [f"{float(m.rate_percent):g}% to {name}" for name, m in house.meters.items()], "and"
        ),
        "notice": {
            notice.name: as_clause(house, notice.words(house)) for notice in game.layout.notices
        },
    }


def stakes_of(house: House, name: str) -> str:
    """The allowed stakes of an offered wager."""
    wager = house.game.wager(name)
    assert wager is not None, f"{house.game.key} has no {name}"
    ante = house.game.ante.title
    match wager.role:
        case "matching":
            return f"equal to the {ante}"
        case "decision":
            times = [o.times for s in house.game.streets for o in s.options if o.wager == name]
            least, most = min(times), max(times)
            up_to = f" to {most}{MULTIPLICATION_SIGN}" if most > least else ""
            return f"{least}{MULTIPLICATION_SIGN}{up_to} the {ante}"
        case "progressive":
            assert house.progressive is not None, f"{house.game.key} has no progressive here"
            return f"exactly {short_dollars(house.progressive.stake)}"
    limits = house.limits[name]
    if limits.maximum is None:
        return f"{short_dollars(limits.minimum)} or more"
    if limits.maximum == limits.minimum:
        return f"exactly {short_dollars(limits.minimum)}"
    return f"{short_dollars(limits.minimum)} to {short_dollars(limits.maximum)}"


def as_clause(house: House, notice: str) -> str:
    """A notice of the layout as part of a sentence, with the articles that it leaves out."""
    if notice.startswith("Dealer "):
        return f"The d{notice[1:]}"
    subjects = tuple(f"{wager.title} pushes" for wager in house.game.wagers)
    return f"The {notice}" if notice.startswith(subjects) else notice
