"""What the hold'em games share: five community cards, a dealer's hand, wagers around them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from croupier.cards import Card, parse_cards
from croupier.games.facts import VERSUS, Facts, PaytableFacts, Result, Versus
from croupier.games.game import COMMUNITY, Announcement, AnyHouse, DealtHand, Slot
from croupier.games.hand_names import best_five, describe_value, poker_hand, title
from croupier.games.house import House
from croupier.games.qualifier import Qualifier, least_poker
from croupier.ranking import (
    CATEGORIES,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    category,
    leading_rank,
)

# Cards that somebody may see before the first decision: the dealer's, another seat's, and those of
# the board to come, the first three of which are the flop. Where one lies open from the start, two
# more would be too many to be told apart.
HAND_SIGHTS = ("dealer:1", "dealer:2", "seat:1", "seat:2")
BOARD_SIGHTS = tuple(
    f"{dealer}{place}:1" for dealer in ("", "dealer:1 ") for place in ("flop", "turn", "river")
)
BOARD_PAIRS = ("flop:2", "flop:1 turn:1", "flop:1 river:1")
# All that lies on the flop, or comes after it; words as they are sorted.
WHOLE_FLOPS = ("flop:3", "flop:3 turn:1", "flop:3 river:1")
AFTER_THE_FLOP = "river:1 turn:1"


class Contest(Facts, frozen=True):
    """What decides the wagers against the dealer: 2 x 2 x 3 x 10 combinations at the most."""

    folded: bool
    dealer_qualifies: bool
    versus: Versus
    hand: str

    def why(self, result: Result, house: AnyHouse) -> str:
        """Who is ahead, or what keeps the winning hand from being paid."""
        if self.folded:
            return "you folded"
        if result.wager == house.game.ante.name and not self.dealer_qualifies:
            return below_qualifying(house)
        if self.versus == "tied":
            return "you and the dealer tie"
        if self.versus == "behind":
            return "the dealer has the better hand"
        if result.outcome == "push":
            return f"you win, but it is paid from a {title(least_paid(house, result.wager))} up"
        return "you have the better hand"


FOLDED = Contest(folded=True, dealer_qualifies=False, versus="behind", hand="high_card")


def every_contest(*, qualifying: bool) -> Iterator[Contest]:
    """A fold, and every showdown; the dealer always qualifies where no clause asks for it."""
    yield FOLDED
    for dealer_qualifies in (False, True) if qualifying else (True,):
        for standing in VERSUS:
            for hand in CATEGORIES:
                yield Contest(False, dealer_qualifies, standing, hand)


def every_posted(
    house: House, wager: str, *, fold_matters: bool = False
) -> Iterator[PaytableFacts]:
    """Every hand a posted wager can see; none if it is not offered."""
    known = house.game.wager(wager)
    if known is not None and house.offers(wager):
        for hand in known.hands:
            yield PaytableFacts(wager, hand)
            if fold_matters:
                yield PaytableFacts(wager, hand, folded=True)


# What the documents ask of the dealer; a proposal may ask for something else.
PAIR_OR_BETTER = Qualifier(CATEGORIES[PAIR], least_poker)


def qualifies(value: int, house: House) -> bool:
    """Whether a dealer's hand is one that plays; any is where nothing is asked."""
    asked = house.game.qualifier
    return asked is None or value >= asked.value


def asked_of(house: House) -> str:
    """The least hand that plays, in words; "" where any does."""
    asked = house.game.qualifier
    return asked.words if asked else ""


def below_qualifying(house: House) -> str:
    """Why the Ante of a dealer who does not play goes back."""
    words = asked_of(house)
    if words == f"a {title(CATEGORIES[PAIR])}":
        return f"the dealer has no {title(CATEGORIES[PAIR])}"
    return f"the dealer is below {words}"


def what_qualifies(house: House) -> str:
    """The notice of what is asked of the dealer."""
    words = asked_of(house)
    return f"Dealer qualifies with {words} or better" if words else ""


def ante_pushes(house: House) -> str:
    """The notice of what becomes of the Ante when the dealer does not qualify."""
    words = asked_of(house)
    return f"{house.game.ante.title} pushes if the dealer has less than {words}" if words else ""


def least_paid(house: House, wager: str) -> str:
    """The least winning hand on which a wager is paid, as settlement has it."""
    for hand in CATEGORIES:
        facts = Contest(False, True, "ahead", hand)
        if any(each.wager == wager and each.outcome == "win" for each in house.settle(facts)):
            return hand
    raise AssertionError(f"{house.game.key} never pays the {wager}")


def pushes_below(house: House, wager: str) -> str:
    """The notice of the least winning hand on which a wager is paid, as settlement has it."""
    known = house.game.wager(wager)
    assert known is not None, f"{house.game.key} has no {wager}"
    least = title(least_paid(house, wager))
    return f"{known.title} pushes if the winning hand is less than a {least}"


def board(size: int) -> tuple[Slot, ...]:
    """So many community cards."""
    return (COMMUNITY,) * size


def boards_by_street(house: House) -> list[tuple[Slot, ...]]:
    """The community cards that come with each street, where they are dealt when they are shown."""
    shown = [0, *(street.shown for street in house.game.streets)]
    return [board(after - before) for before, after in pairwise(shown)]


def progressive_cards(seen: DealtHand, *, all_seven: bool) -> tuple[Card, ...]:
    """The cards behind a progressive: all seven, or the own two with the first three (A1, A2)."""
    community = seen.community if all_seven else seen.community[:3]
    return (*seen.cards, *community)


def dealt(cards: str, dealer: str, community: str) -> DealtHand:
    """A deal in words, every card shown."""
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
    """The clauses that rank a hand: its category, and the low ace where it completes one."""
    kind = category(value)
    duty = f"hand.{CATEGORIES[kind]}"
    if kind in (STRAIGHT, STRAIGHT_FLUSH) and leading_rank(value) == FIVE_HIGH:
        return duty, "ace_low"
    return (duty,)


def comparison(own: int, dealer: int) -> str:
    """The clause that decides between two hands: category, cards, or a tie (A4, A5)."""
    if own == dealer:
        return "compare.tie"
    return "compare.cards" if category(own) == category(dealer) else "compare.category"


def announce_dealer(seen: DealtHand, house: House) -> Announcement:
    """The dealer's best five of seven."""
    value = best_five((*seen.dealer, *seen.community))
    duties = ("announce.dealer", *hand_duties(value))
    if not qualifies(value, house):
        duties = (*duties, "announce.no_qualify")
    return Announcement(title(poker_hand(value)), duties)


def speak(seen: DealtHand, house: House) -> str:
    """The best five cards with their ranks."""
    return describe_value(best_five((*seen.cards, *seen.community)))


def announce_player(seen: DealtHand, house: House) -> Announcement:
    """A player's best five of seven against the dealer's."""
    own = best_five((*seen.cards, *seen.community))
    dealer = best_five((*seen.dealer, *seen.community))
    duties = ("announce.player", *hand_duties(own), comparison(own, dealer))
    return Announcement(title(poker_hand(own)), duties)
