"""Harbor Duel: two cards against the dealer's two; twins beat mates, mates beat strangers.

Clause ids are those of the game's document; functions follow the order of chapters 6, 7, 11 and
12. The second edition also pays the Ante of a winner who holds an ace (11.C.3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import msgspec

from croupier.cards import RANKS, Card, rank_of, suit_of
from croupier.games import (
    DEALER,
    VERSUS,
    AnalysisSpec,
    Announcement,
    Basis,
    DealtHand,
    Facts,
    Game,
    House,
    Option,
    PaytableFacts,
    Procedure,
    Results,
    Slot,
    Street,
    Versus,
    Wager,
    loses,
    pushes,
    settle_paytable,
    singly,
    stacks,
    title,
    versus,
    wins,
)
from croupier.money import EVEN_MONEY
from croupier.rulebook import RuleDocument
from harbor_duel.form import FORM, DuelChoices

HANDS = ("strangers", "mates", "twins", "twin_aces")
ACE = RANKS.index("A")
DuelHouse: TypeAlias = House[DuelChoices]


class Duel(Facts, frozen=True):
    """The facts of Ante and Play: the comparison, and whether a winning Ante is paid."""

    folded: bool
    versus: Versus
    ante_paid: bool


FOLDED = Duel(folded=True, versus="behind", ante_paid=False)


def hand(cards: Sequence[Card]) -> str:
    """The hand of two cards (6.A)."""
    first, second = cards
    if rank_of(first) == rank_of(second):
        return "twin_aces" if rank_of(first) == ACE else "twins"
    return "mates" if suit_of(first) == suit_of(second) else "strangers"


def value(cards: Sequence[Card]) -> int:
    """The value of a hand, by kind, high card and low card (6.A, 6.B)."""
    low, high = sorted(rank_of(card) for card in cards)
    kind = min(HANDS.index(hand(cards)), HANDS.index("twins"))
    return (kind * len(RANKS) + high) * len(RANKS) + low


def pays_ante_1(cards: Sequence[Card]) -> bool:
    """The first edition pays the Ante of twins and mates."""
    return hand(cards) != "strangers"


def pays_ante_2(cards: Sequence[Card]) -> bool:
    """The second edition also pays it with an ace."""
    return pays_ante_1(cards) or any(rank_of(card) == ACE for card in cards)


def settle(facts: Facts, house: DuelHouse) -> Results:
    """Chapter 11.B and 11.C with the odds of chapter 12."""
    match facts:
        case Duel(folded=True):
            yield loses("ante", "11.B.2")
        case Duel(versus="behind"):
            yield loses("ante", "11.C.1")
            yield loses("play", "11.C.1")
        case Duel(versus="tied"):
            yield pushes("ante", "11.C.2")
            yield pushes("play", "11.C.2")
        case Duel():
            yield wins("ante", EVEN_MONEY, "12.A") if facts.ante_paid else pushes("ante", "11.C.3")
            yield wins("play", EVEN_MONEY, "12.A")
        case PaytableFacts():
            yield from settle_paytable(facts, house)


def judge_by(
    pays_ante: Callable[[Sequence[Card]], bool],
) -> Callable[[DealtHand, DuelHouse], Iterator[Facts]]:
    """The `judge` function of an edition (11.C)."""

    def judge(dealt: DealtHand, house: DuelHouse) -> Iterator[Facts]:
        if dealt.folded:
            yield FOLDED
        else:
            standing = versus(value(dealt.cards), value(dealt.dealer))
            yield Duel(False, standing, pays_ante(dealt.cards))
        if "twin_bonus" in dealt.wagers:
            yield PaytableFacts("twin_bonus", hand(dealt.cards))

    return judge


def every_facts(house: DuelHouse) -> Iterator[Facts]:
    """Seven duels, and four hands of the bonus."""
    yield FOLDED
    for standing in VERSUS:
        for ante_paid in (False, True):
            yield Duel(False, standing, ante_paid)
    if house.offers("twin_bonus"):
        yield from (PaytableFacts("twin_bonus", name) for name in HANDS)


def announce_dealer(dealt: DealtHand, house: DuelHouse) -> Announcement:
    """Announce the dealer's hand."""
    return Announcement(title(hand(dealt.dealer)), ("announce.dealer",))


def announce_player(dealt: DealtHand, house: DuelHouse) -> Announcement:
    """Announce the player's hand, and what decides against the dealer's."""
    own, dealer = value(dealt.cards), value(dealt.dealer)
    same_kind = own // len(RANKS) ** 2 == dealer // len(RANKS) ** 2
    comparison = "compare.cards" if same_kind else "compare.category"
    duties = ("announce.player", "compare.tie" if own == dealer else comparison)
    return Announcement(title(hand(dealt.cards)), duties)


def deal(house: DuelHouse, seats: Sequence[int]) -> tuple[tuple[Slot, ...], ...]:
    """Chapters 8, 9 and 10: two cards to every seat and the dealer, singly or in stacks."""
    if house.dealing_method == "automated_shoe":
        return (stacks((*seats, DEALER), 2),)
    return (singly(seats, DEALER, times=2),)


def count_hands() -> dict[str, int]:
    """The number of deals of each hand of the bonus."""
    return {"twin_aces": 6, "twins": 72, "mates": 312, "strangers": 936}


def document(edition: int, clauses: str) -> RuleDocument:
    """The rule document of an edition; editions differ only in their clauses."""
    return RuleDocument(
        game="harbor_duel",
        edition=edition,
        package="harbor_duel",
        clauses=clauses,
        readings="readings.toml",
    )


HARBOR_DUEL_1 = Game(
    key="harbor_duel",
    title="Harbor Duel",
    edition=1,
    tagline="Two cards against two: twins beat mates, mates beat strangers.",
    aliases=("duel",),
    document=document(1, "clauses_1.csv"),
    form=FORM,
    choices=DuelChoices,
    analysis=AnalysisSpec(
        solver="harbor_duel.solver:solve",
        strategy="harbor_duel.solver:DuelStrategy",
    ),
    player_cards=2,
    dealer_cards=2,
    community_cards=0,
    wagers=(
        Wager(name="ante", title="Ante", role="ante", clause="7.E.1"),
        Wager(
            name="twin_bonus",
            title="Twin Bonus",
            role="optional",
            clause="7.E.3",
            judged_on=lambda house: Basis(name="twins", words="your two cards", count=count_hands),
        ),
        Wager(name="play", title="Play", role="decision", clause="7.E.1"),
    ),
    streets=(
        Street(
            name="duel",
            when="on two cards",
            shown=0,
            options=(
                Option(word="1x", wager="play", times=1, clause="11.B.1"),
                Option(word="fold", clause="11.B.2"),
            ),
            clause="11.B",
        ),
    ),
    passes=(("ante", "play", "twin_bonus"),),
    deal=deal,
    judge=judge_by(pays_ante_1),
    settle=settle,
    every_facts=every_facts,
    announce_player=announce_player,
    announce_dealer=announce_dealer,
    procedure=Procedure(
        cover_cards=1,
        peeks_all_boxes=lambda house: house.choices.peek_all_boxes,
    ),
)

HARBOR_DUEL_2 = msgspec.structs.replace(
    HARBOR_DUEL_1,
    edition=2,
    document=document(2, "clauses_2.csv"),
    judge=judge_by(pays_ante_2),
)
