"""Top Five Poker: seven cards each, only tens to aces are live; the most live cards win.

Clause ids are those of the game's document; functions follow the order of chapters 6, 7, 11 and 12.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from croupier.cards import rank_of
from croupier.games.facts import (
    VERSUS,
    Facts,
    PaytableFacts,
    Result,
    Results,
    Versus,
    loses,
    pushes,
    settle_paytable,
    versus,
    wins,
)
from croupier.games.game import (
    DEALER,
    AnalysisSpec,
    Announcement,
    Basis,
    DealtHand,
    Game,
    Layout,
    Notice,
    Option,
    Procedure,
    Slot,
    Street,
    Wager,
    leaves_dealer_in_shuffler,
    load_code,
    singly,
    stacks,
)
from croupier.games.hand_names import LIVE_COUNTS, describe_category, live_card_hand, title
from croupier.games.holdem import (
    every_paytable_facts,
    no_qualify_reason,
    qualifier_notice,
    qualifies,
)
from croupier.games.house import House
from croupier.games.layout_notices import multiples_notice
from croupier.games.qualifier import Qualifier, minimum_live_card_value
from croupier.games.top_five.form import FORM, TopFiveChoices
from croupier.money import EVEN_MONEY
from croupier.ranking import (
    CATEGORIES,
    LIVE_CATEGORY_SHIFT,
    LOWEST_LIVE_RANK,
    live_card_category,
    live_card_value,
    live_count,
)
from croupier.rulebook import RuleDocument

# The lowest hand with which the dealer qualifies, by count, then rank (11.C.2, A13).
QUEEN_JACK = Qualifier("QJ", minimum_live_card_value)


class LiveCardContest(Facts, frozen=True):
    """The facts of Ante and Play: dealer qualification, then live cards, then rank."""

    folded: bool
    dealer_qualifies: bool
    by_count: Versus
    by_rank: Versus

    def why(self, result: Result, house: House[TopFiveChoices]) -> str:
        """The number of live cards, or their rank if the numbers are equal."""
        if self.folded:
            return "you folded"
        if result.wager == "ante" and not self.dealer_qualifies:
            return no_qualify_reason(house)
        if self.by_count != "tied":
            return f"{'you have' if self.by_count == 'ahead' else 'the dealer has'} more live cards"
        if self.by_rank != "tied":
            whose = "yours" if self.by_rank == "ahead" else "the dealer's"
            return f"same number of live cards, and {whose} rank higher"
        return "you and the dealer tie"


FOLDED = LiveCardContest(folded=True, dealer_qualifies=False, by_count="behind", by_rank="behind")

# The paragraph of 11.C.3 and 11.C.4 for each comparison: count first, rank when counts are equal.
_PARAGRAPHS = {
    ("behind", "tied"): "a",
    ("ahead", "tied"): "b",
    ("tied", "behind"): "c",
    ("tied", "ahead"): "d",
    ("tied", "tied"): "e",
}


def settle(facts: Facts, house: House[TopFiveChoices]) -> Results:
    """Chapter 11.B.2 and 11.C with the odds of chapter 12."""
    match facts:
        case LiveCardContest(folded=True):
            yield loses("ante", "11.B.2.a")
        case LiveCardContest():
            section = "11.C.4" if facts.dealer_qualifies else "11.C.3"
            clause = f"{section}.{_PARAGRAPHS[facts.by_count, facts.by_rank]}"
            standing = facts.by_rank if facts.by_count == "tied" else facts.by_count
            if not facts.dealer_qualifies:
                yield pushes("ante", "11.C.2")
            wagers = ("ante", "play") if facts.dealer_qualifies else ("play",)
            for wager in wagers:
                match standing:
                    case "ahead":
                        yield wins(wager, EVEN_MONEY, "12.A")
                    case "behind":
                        yield loses(wager, clause)
                    case "tied":
                        yield pushes(wager, clause)
        case PaytableFacts():
            yield from settle_paytable(facts, house)


def judge(dealt: DealtHand, house: House[TopFiveChoices]) -> Iterator[Facts]:
    """The facts of the wagers of one box (11.B.4, 11.C.1)."""
    own, dealer = values(dealt, house)
    yield FOLDED if dealt.folded else contest(own, dealer, house)
    if "top_five_bonus" in dealt.wagers:
        yield PaytableFacts("top_five_bonus", LIVE_COUNTS[live_count(own)])
    if "poker_bonus" in dealt.wagers:
        yield PaytableFacts("poker_bonus", live_card_hand(own))


def values(dealt: DealtHand, house: House[TopFiveChoices]) -> tuple[int, int]:
    """The values of the player's and the dealer's hand; extra cards may break ties (A11)."""
    extra_cards = house.choices.tie_break_extra_cards
    return live_card_value(dealt.cards, extra_cards), live_card_value(dealt.dealer, extra_cards)


def contest(own: int, dealer: int, house: House[TopFiveChoices]) -> LiveCardContest:
    """Compare two hands by count, and by rank if the counts are equal."""
    by_count = versus(live_count(own), live_count(dealer))
    by_rank = versus(own, dealer) if by_count == "tied" else "tied"
    return LiveCardContest(False, qualifies(dealer, house), by_count, by_rank)


def announce_dealer(dealt: DealtHand, house: House[TopFiveChoices]) -> Announcement:
    """Announce the dealer's live cards, and whether the dealer qualifies."""
    value = live_card_value(dealt.dealer)
    qualification = "announce.qualify" if qualifies(value, house) else "announce.no_qualify"
    return Announcement(hand_title(value), ("announce.dealer", hand_duty(value), qualification))


def announce_player(dealt: DealtHand, house: House[TopFiveChoices]) -> Announcement:
    """Announce the player's live cards, and what decides against the dealer's."""
    own, dealer = values(dealt, house)
    if own == dealer:
        comparison = "compare.tie"
    else:
        same = own >> LIVE_CATEGORY_SHIFT == dealer >> LIVE_CATEGORY_SHIFT
        comparison = "compare.cards" if same else "compare.category"
    facts = contest(own, dealer, house)
    qualified = "qualified" if facts.dealer_qualifies else "unqualified"
    standing = f"{qualified}.{facts.by_count}.{facts.by_rank}"
    duties = ("announce.player", hand_duty(own), comparison, standing)
    return Announcement(hand_title(own), duties)


def hand_title(value: int) -> str:
    """The count and category of a hand: "5 live cards, two pair"."""
    return f"{title(LIVE_COUNTS[live_count(value)])}, {title(live_card_hand(value))}"


def describe_hand(dealt: DealtHand, house: House[TopFiveChoices]) -> str:
    """Describe a hand with its ranks: "2 live cards, queen high"."""
    value = live_card_value(dealt.cards)
    count = title(LIVE_COUNTS[live_count(value)])
    if not live_count(value):
        return count
    hand = describe_category(live_card_category(value), value >> 24 & 15, value >> 20 & 15)
    return f"{count}, {hand}"


def hand_duty(value: int) -> str:
    """The duty that ranks a hand."""
    return f"hand.{CATEGORIES[live_card_category(value)]}"


def every_facts(house: House[TopFiveChoices]) -> Iterator[Facts]:
    """The contest and both bonuses. Rank matters only if the counts are equal."""
    yield FOLDED
    for dealer_qualifies in (False, True):
        for by_count in VERSUS:
            for by_rank in VERSUS if by_count == "tied" else ("tied",):
                yield LiveCardContest(False, dealer_qualifies, by_count, by_rank)
    yield from every_paytable_facts(house, "top_five_bonus")
    yield from every_paytable_facts(house, "poker_bonus")


def deal(house: House[TopFiveChoices], seats: Sequence[int]) -> tuple[tuple[Slot, ...], ...]:
    """Chapters 8, 9 and 10: seven cards to every seat and the dealer, singly or in stacks."""
    own, dealer = house.game.player_cards, house.game.dealer_cards
    if house.dealing_method == "automated_shoe":
        return (stacks(seats, own) + stacks((DEALER,), dealer),)
    together = singly(seats, DEALER, times=min(own, dealer))
    rest = singly(seats, times=own - dealer) + singly((), DEALER, times=dealer - own)
    return (together + rest,)


def hand_basis(name: str, words: str, house: House[TopFiveChoices]) -> Basis:
    """A basis of the player's cards; a proposal may deal other than the precomputed seven."""
    size = house.game.player_cards
    if size == TOP_FIVE.player_cards:
        return Basis(name=name, words=words)

    def count() -> Mapping[str, int]:
        hand_counts = load_code("croupier.games.top_five.hand_counts:hand_counts")
        counts: Mapping[str, int] = hand_counts(size)[name]
        return counts

    return Basis(name=f"{name}_of_{size}", words=words, count=count)


def qualify_or_push_notice(house: House[TopFiveChoices]) -> str:
    """The notice of the qualifier, and that the Ante pushes otherwise."""
    notice = qualifier_notice(house)
    return f"{notice}, otherwise the Ante pushes" if notice else ""


TOP_FIVE = Game(
    key="top_five",
    title="Top Five Poker",
    edition=1,
    aliases=("top five", "top"),
    menu_place=2,
    document=RuleDocument(game="top_five", package="croupier.games.top_five"),
    form=FORM,
    choices=TopFiveChoices,
    analysis=AnalysisSpec(
        solver="croupier.games.top_five.solver:solve",
        strategy="croupier.games.top_five.solver:TopFiveStrategy",
        simulator="croupier.games.top_five.simulator:setup",
        cost_model="croupier.games.top_five.strategy_cost:build_cost_model",
        hand_counts="croupier.games.top_five.hand_counts:hand_counts",
        detector="croupier.games.top_five.exposure:DETECTOR",
        main={"tie_break_extra_cards": (True, False)},
        knows={
            f"{whose}:{cards}": "croupier.games.top_five.exposure:exposed"
            for whose in ("dealer", "seat")
            for cards in range(1, 8)
        },
        cards={"player": tuple(range(2, 8)), "dealer": tuple(range(2, 8))},
        main_values="main_values.json",
        practical_costs="practical_costs.json",
        net_distributions="net_distributions.json",
    ),
    tagline="Only tens and higher are live: the most live cards win, then the best.",
    player_cards=7,
    dealer_cards=7,
    community_cards=0,
    qualifier=QUEEN_JACK,
    wagers=(
        Wager(name="ante", title="Ante", role="ante", clause="7.E.1"),
        Wager(
            name="top_five_bonus",
            title="Top Five Bonus",
            role="optional",
            clause="7.E.2.a",
            judged_on=lambda house: hand_basis("live_count", "how many live cards you have", house),
            hands=LIVE_COUNTS,
        ),
        Wager(
            name="poker_bonus",
            title="Poker Bonus",
            role="optional",
            clause="7.E.2.b",
            judged_on=lambda house: hand_basis("live_hand", "your live cards", house),
        ),
        Wager(name="play", title="Play", role="decision", clause="7.E.1"),
    ),
    streets=(
        Street(
            name="play",
            when="on seven cards",
            shown=0,
            options=(
                Option(word="1x", wager="play", times=1, clause="11.B.1.a"),
                Option(word="fold", clause="11.B.1.b"),
            ),
            clause="11.B",
        ),
    ),
    passes=(("ante", "play", "top_five_bonus", "poker_bonus"),),
    deal=deal,
    judge=judge,
    settle=settle,
    every_facts=every_facts,
    announce_player=announce_player,
    announce_dealer=announce_dealer,
    describe_hand=describe_hand,
    is_live=lambda card: rank_of(card) >= LOWEST_LIVE_RANK,
    procedure=Procedure(
        cover_cards=1,
        dealer_waits=leaves_dealer_in_shuffler,
        peeks_all_boxes=lambda house: house.choices.peek_all_boxes,
    ),
    layout=Layout(
        cloth="#7a1f33",
        spots=(("ante",), ("play",)),
        notices=(
            Notice(name="qualify", words=qualify_or_push_notice),
            Notice(name="multiples", words=multiples_notice),
        ),
    ),
)
