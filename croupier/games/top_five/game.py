"""Top Five Poker: seven cards each, only tens to aces live; the most live cards win.

Clause ids are those of its document; chapters 6, 7, 11 and 12 are followed in their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from croupier.cards import rank_of
from croupier.games.expected_returns import named
from croupier.games.facts import (
    VERSUS,
    Facts,
    Posted,
    Result,
    Settled,
    Versus,
    loses,
    pushes,
    settle_posted,
    versus,
    wins,
)
from croupier.games.game import (
    DEALER,
    AnalysisSpec,
    Announcement,
    Basis,
    Game,
    Layout,
    Notice,
    Option,
    Procedure,
    Seen,
    Slot,
    Street,
    Wager,
    singly,
    stacks,
)
from croupier.games.hand_names import COUNTS, live_card_hand, spoken_as, title
from croupier.games.holdem import below_qualifying, every_posted, qualifies, what_qualifies
from croupier.games.house import House
from croupier.games.layout_notices import multiples
from croupier.games.qualifier import Qualifier, least_live
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

# The lowest hand that qualifies the dealer: count first, then rank (11.C.2, A13).
QUEEN_JACK = Qualifier("QJ", least_live)


class LiveCardContest(Facts, frozen=True):
    """What decides Ante and Play: whether the dealer qualifies, then count, then rank."""

    folded: bool
    dealer_qualifies: bool
    by_count: Versus
    by_rank: Versus

    def why(self, result: Result, house: House[TopFiveChoices]) -> str:
        """How many cards live on both sides, then how they rank."""
        if self.folded:
            return "you folded"
        if result.wager == "ante" and not self.dealer_qualifies:
            return below_qualifying(house)
        if self.by_count != "tied":
            return f"{'you have' if self.by_count == 'ahead' else 'the dealer has'} more live cards"
        if self.by_rank != "tied":
            whose = "yours" if self.by_rank == "ahead" else "the dealer's"
            return f"as many live cards, and {whose} rank higher"
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


def settle(facts: Facts, house: House[TopFiveChoices]) -> Settled:
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
        case Posted():
            yield from settle_posted(facts, house)


def judge(seen: Seen, house: House[TopFiveChoices]) -> Iterator[Facts]:
    """The facts of one box at its turn (11.B.4, 11.C.1)."""
    own, dealer = values(seen, house)
    yield FOLDED if seen.folded else contest(own, dealer, house)
    if "top_five_bonus" in seen.wagers:
        yield Posted("top_five_bonus", COUNTS[live_count(own)])
    if "poker_bonus" in seen.wagers:
        yield Posted("poker_bonus", live_card_hand(own))


def values(seen: Seen, house: House[TopFiveChoices]) -> tuple[int, int]:
    """The player's and the dealer's hand; a sixth and seventh card may break ties (A11)."""
    extra_cards = house.choices.tie_break_extra_cards
    return live_card_value(seen.cards, extra_cards), live_card_value(seen.dealer, extra_cards)


def contest(own: int, dealer: int, house: House[TopFiveChoices]) -> LiveCardContest:
    """How two hands stand: count first, rank when the counts are equal."""
    by_count = versus(live_count(own), live_count(dealer))
    by_rank = versus(own, dealer) if by_count == "tied" else "tied"
    return LiveCardContest(False, qualifies(dealer, house), by_count, by_rank)


def announce_dealer(seen: Seen, house: House[TopFiveChoices]) -> Announcement:
    """The dealer's live cards, and whether they qualify."""
    value = live_card_value(seen.dealer)
    plays = "announce.qualify" if qualifies(value, house) else "announce.no_qualify"
    return Announcement(spoken(value), ("announce.dealer", hand_duty(value), plays))


def announce_player(seen: Seen, house: House[TopFiveChoices]) -> Announcement:
    """A player's live cards against the dealer's."""
    own, dealer = values(seen, house)
    if own == dealer:
        decided = "compare.tie"
    else:
        same = own >> LIVE_CATEGORY_SHIFT == dealer >> LIVE_CATEGORY_SHIFT
        decided = "compare.cards" if same else "compare.category"
    facts = contest(own, dealer, house)
    dealer_is = "qualified" if facts.dealer_qualifies else "unqualified"
    stands = f"{dealer_is}.{facts.by_count}.{facts.by_rank}"
    return Announcement(spoken(own), ("announce.player", hand_duty(own), decided, stands))


def spoken(value: int) -> str:
    """ "5 live cards, two pair"."""
    return f"{title(COUNTS[live_count(value)])}, {title(live_card_hand(value))}"


def speak(seen: Seen, house: House[TopFiveChoices]) -> str:
    """How many cards live, and what they make: "2 live cards, queen high"."""
    value = live_card_value(seen.cards)
    count = title(COUNTS[live_count(value)])
    if not live_count(value):
        return count
    return f"{count}, {spoken_as(live_card_category(value), value >> 24 & 15, value >> 20 & 15)}"


def hand_duty(value: int) -> str:
    """The clause that ranks a Top Five hand."""
    return f"hand.{CATEGORIES[live_card_category(value)]}"


def every_facts(house: House[TopFiveChoices]) -> Iterator[Facts]:
    """The contest and both bonuses. Rank is only looked at when the counts are equal."""
    yield FOLDED
    for dealer_qualifies in (False, True):
        for by_count in VERSUS:
            for by_rank in VERSUS if by_count == "tied" else ("tied",):
                yield LiveCardContest(False, dealer_qualifies, by_count, by_rank)
    yield from every_posted(house, "top_five_bonus")
    yield from every_posted(house, "poker_bonus")


def deal(house: House[TopFiveChoices], seats: Sequence[int]) -> tuple[tuple[Slot, ...], ...]:
    """Chapters 8, 9 and 10: seven cards to every seat and the dealer, singly or in stacks."""
    own, dealer = house.game.player_cards, house.game.dealer_cards
    if house.dealing_method == "automated_shoe":
        return (stacks(seats, own) + stacks((DEALER,), dealer),)
    together = singly(seats, DEALER, times=min(own, dealer))
    rest = singly(seats, times=own - dealer) + singly((), DEALER, times=dealer - own)
    return (together + rest,)


def counted(name: str, words: str, house: House[TopFiveChoices]) -> Basis:
    """What seven cards come to is kept; a proposal with another number has it counted."""
    size = house.game.player_cards
    if size == TOP_FIVE.player_cards:
        return Basis(name=name, words=words)

    def count() -> Mapping[str, int]:
        found: Mapping[str, int] = named("croupier.games.top_five.hand_counts:hand_counts")(size)[
            name
        ]
        return found

    return Basis(name=f"{name}_of_{size}", words=words, count=count)


def qualification(house: House[TopFiveChoices]) -> str:
    """The notice of what is asked of the dealer, and what becomes of the Ante."""
    notice = what_qualifies(house)
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
        pricing="croupier.games.top_five.strategy_cost:build_cost_model",
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
        net_distributions="net_distributions.json",
    ),
    tagline="Throw away everything below a ten; the most cards left win, then the best.",
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
            judged_on=lambda house: counted("live_count", "how many of your cards live", house),
            hands=COUNTS,
        ),
        Wager(
            name="poker_bonus",
            title="Poker Bonus",
            role="optional",
            clause="7.E.2.b",
            judged_on=lambda house: counted("live_hand", "your live cards", house),
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
    speak=speak,
    lives=lambda card: rank_of(card) >= LOWEST_LIVE_RANK,
    procedure=Procedure(
        cover_cards=1,
        peeks_all_boxes=lambda house: house.choices.peek_all_boxes,
    ),
    layout=Layout(
        cloth="#7a1f33",
        spots=(("ante",), ("play",)),
        notices=(
            Notice(name="qualify", words=qualification),
            Notice(name="multiples", words=multiples),
        ),
    ),
)
