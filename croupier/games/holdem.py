"""Rules that the hold'em games share: a contest against the dealer with five community cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from croupier.cards import Card, parse_cards
from croupier.games.facts import VERSUS, Facts, PaytableFacts, Result, Versus
from croupier.games.game import COMMUNITY, Announcement, AnyHouse, DealtHand, Slot
from croupier.games.hand_names import best_five, describe_value, poker_hand, title
from croupier.games.house import House
from croupier.games.qualifier import Qualifier, minimum_poker_value
from croupier.ranking import (
    CATEGORIES,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    category,
    leading_rank,
)

# Cards exposed before the first decision whose value to a player can be computed: of the dealer, of
# another seat, and of the board to come, where the first three cards are the flop.
HAND_EXPOSURES = ("dealer:1", "dealer:2", "seat:1", "seat:2")
BOARD_EXPOSURES = tuple(
    f"{dealer}{place}:1" for dealer in ("", "dealer:1 ") for place in ("flop", "turn", "river")
)
TWO_CARD_EXPOSURES = ("flop:2", "flop:1 turn:1", "flop:1 river:1")
# The whole flop, or both cards after it. Words are in alphabetical order.
FLOP_EXPOSURES = ("flop:3", "flop:3 turn:1", "flop:3 river:1")
TURN_AND_RIVER_EXPOSURE = "river:1 turn:1"


class Contest(Facts, frozen=True):
    """The facts of the wagers against the dealer: at most 2 x 2 x 3 x 10 combinations."""

    folded: bool
    dealer_qualifies: bool
    versus: Versus
    hand: str

    def why(self, result: Result, house: AnyHouse) -> str:
        """The better hand, or why a winning hand is not paid."""
        if self.folded:
            return "you folded"
        if result.wager == house.game.ante.name and not self.dealer_qualifies:
            return no_qualify_reason(house)
        if self.versus == "tied":
            return "you and the dealer tie"
        if self.versus == "behind":
            return "the dealer has the better hand"
        if result.outcome == "push":
            lowest = title(lowest_paying_hand(house, result.wager))
            return f"you win, but it pays only with a {lowest} or better"
        return "you have the better hand"


FOLDED = Contest(folded=True, dealer_qualifies=False, versus="behind", hand="high_card")


def every_contest(*, qualifying: bool) -> Iterator[Contest]:
    """All facts of the contest: a fold, and every showdown.

    Without a qualifier (`qualifying=False`) the dealer always qualifies.
    """
    yield FOLDED
    for dealer_qualifies in (False, True) if qualifying else (True,):
        for standing in VERSUS:
            for hand in CATEGORIES:
                yield Contest(False, dealer_qualifies, standing, hand)


def every_paytable_facts(
    house: House, wager: str, *, fold_matters: bool = False
) -> Iterator[PaytableFacts]:
    """All facts of a wager with a paytable; none if the wager is not offered."""
    definition = house.game.wager(wager)
    if definition is not None and house.offers(wager):
        for hand in definition.hands:
            yield PaytableFacts(wager, hand)
            if fold_matters:
                yield PaytableFacts(wager, hand, folded=True)


PAIR_OR_BETTER = Qualifier(CATEGORIES[PAIR], minimum_poker_value)


def qualifies(value: int, house: House) -> bool:
    """Whether a dealer's hand qualifies; every hand does in a game without a qualifier."""
    qualifier = house.game.qualifier
    return qualifier is None or value >= qualifier.value


def qualifier_text(house: House) -> str:
    """The lowest qualifying hand: "a pair"; "" if every hand qualifies."""
    qualifier = house.game.qualifier
    return qualifier.words if qualifier else ""


def no_qualify_reason(house: House) -> str:
    """Why the Ante pushes when the dealer does not qualify, for the player."""
    words = qualifier_text(house)
    if words == f"a {title(CATEGORIES[PAIR])}":
        return f"the dealer has no {title(CATEGORIES[PAIR])}"
    return f"the dealer is below {words}"


def qualifier_notice(house: House) -> str:
    """The notice of the hand with which the dealer qualifies."""
    words = qualifier_text(house)
    return f"Dealer qualifies with {words} or better" if words else ""


def ante_push_notice(house: House) -> str:
    """The notice that the Ante pushes when the dealer does not qualify."""
    words = qualifier_text(house)
    return f"{house.game.ante.title} pushes if the dealer has less than {words}" if words else ""


def lowest_paying_hand(house: House, wager: str) -> str:
    """The lowest winning hand on which settlement pays a wager."""
    for hand in CATEGORIES:
        facts = Contest(False, True, "ahead", hand)
        if any(r.wager == wager and r.outcome == "win" for r in house.settle(facts)):
            return hand
    raise AssertionError(f"{house.game.key} never pays the {wager}")


def winning_push_notice(house: House, wager: str) -> str:
    """The notice of the lowest winning hand on which a wager is paid."""
    definition = house.game.wager(wager)
    assert definition is not None, f"{house.game.key} has no {wager}"
    lowest = title(lowest_paying_hand(house, wager))
    return f"{definition.title} pushes if the winning hand is less than a {lowest}"


def board(size: int) -> tuple[Slot, ...]:
    """The places of `size` community cards."""
    return (COMMUNITY,) * size


def boards_by_street(house: House) -> list[tuple[Slot, ...]]:
    """The community cards of each street, if they are dealt when they are shown."""
    shown = [0, *(street.shown for street in house.game.streets)]
    return [board(after - before) for before, after in pairwise(shown)]


def progressive_cards(dealt: DealtHand, *, all_seven: bool) -> tuple[Card, ...]:
    """The cards that decide a progressive: all seven, or the player's and the flop (A1, A2)."""
    community = dealt.community if all_seven else dealt.community[:3]
    return (*dealt.cards, *community)


def example_deal(cards: str, dealer: str, community: str) -> DealtHand:
    """A dealt hand from the text of its cards."""
    return DealtHand(
        cards=parse_cards(cards),
        dealer=parse_cards(dealer),
        community=parse_cards(community),
        box=(),
        folded_at="",
        wagers=(),
    )


FIVE_HIGH = 3  # the rank of the five, at the top of A-2-3-4-5


def hand_duties(value: int) -> tuple[str, ...]:
    """The duties that rank a hand: its category, and the low ace if it is used as such."""
    kind = category(value)
    duty = f"hand.{CATEGORIES[kind]}"
    if kind in (STRAIGHT, STRAIGHT_FLUSH) and leading_rank(value) == FIVE_HIGH:
        return duty, "ace_low"
    return (duty,)


def comparison(own: int, dealer: int) -> str:
    """The duty that decides between two hands: category, cards, or a tie (A4, A5)."""
    if own == dealer:
        return "compare.tie"
    return "compare.cards" if category(own) == category(dealer) else "compare.category"


def announce_dealer(dealt: DealtHand, house: House) -> Announcement:
    """Announce the dealer's best five of seven."""
    value = best_five((*dealt.dealer, *dealt.community))
    duties = ("announce.dealer", *hand_duties(value))
    if not qualifies(value, house):
        duties = (*duties, "announce.no_qualify")
    return Announcement(title(poker_hand(value)), duties)


def describe_hand(dealt: DealtHand, house: House) -> str:
    """Describe the player's best five of seven with its ranks."""
    return describe_value(best_five((*dealt.cards, *dealt.community)))


def announce_player(dealt: DealtHand, house: House) -> Announcement:
    """Announce the player's best five of seven, and what decides against the dealer's."""
    own = best_five((*dealt.cards, *dealt.community))
    dealer = best_five((*dealt.dealer, *dealt.community))
    duties = ("announce.player", *hand_duties(own), comparison(own, dealer))
    return Announcement(title(poker_hand(own)), duties)
