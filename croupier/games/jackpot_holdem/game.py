"""Jackpot Hold 'Em: Ante and X-tra Bonus against the dealer, one Play bet, five meters.

Clause ids are those of the game's document; functions follow the order of chapters 7, 11 and 12.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.games.facts import (
    Facts,
    PaytableFacts,
    Results,
    loses,
    pushes,
    settle_paytable,
    versus,
    wins,
)
from croupier.games.game import (
    DEALER,
    AnalysisSpec,
    Basis,
    DealtHand,
    Game,
    Layout,
    Notice,
    Option,
    PayoutLimit,
    Procedure,
    Slot,
    Street,
    Wager,
    best_of_seven,
    leaves_dealer_in_shuffler,
    singly,
    stacks,
)
from croupier.games.hand_names import ROYAL_HANDS, best_five, poker_hand, royal_hand
from croupier.games.holdem import (
    BOARD_EXPOSURES,
    FOLDED,
    HAND_EXPOSURES,
    PAIR_OR_BETTER,
    Contest,
    announce_dealer,
    announce_player,
    ante_push_notice,
    board,
    describe_hand,
    every_contest,
    every_paytable_facts,
    example_deal,
    progressive_cards,
    qualifier_notice,
    qualifies,
)
from croupier.games.house import House
from croupier.games.jackpot_holdem.form import FORM, JackpotChoices
from croupier.games.layout_notices import limit_notice, multiples_notice
from croupier.money import EVEN_MONEY
from croupier.ranking import CATEGORIES, category, poker_value
from croupier.rulebook import RuleDocument


def settle(facts: Facts, house: House[JackpotChoices]) -> Results:
    """Chapter 11.G to 11.K with the odds of chapter 12. The progressive survives a fold."""
    match facts:
        case Contest():
            yield from settle_contest(facts, house)
        case PaytableFacts():
            yield from settle_paytable(facts, house)


def settle_contest(facts: Contest, house: House[JackpotChoices]) -> Results:
    """Ante, X-tra Bonus and Play. The Ante pushes if the dealer has no pair (A86, A87)."""
    if facts.folded:
        yield loses("ante", "11.G.2")
        yield loses("xtra_bonus", "11.G.2")
    elif facts.versus == "behind":
        yield loses("ante", "11.I.3.a") if facts.dealer_qualifies else pushes("ante", "11.I.1")
        yield loses("xtra_bonus", "11.I.3.a")
        yield loses("play", "11.I.3.a")
    elif facts.versus == "tied":
        yield pushes("ante", "11.I.3.c" if facts.dealer_qualifies else "11.I.1")
        yield pushes("xtra_bonus", "11.I.3.c")
        yield pushes("play", "11.I.3.c")
    else:
        if facts.dealer_qualifies:
            yield wins("ante", EVEN_MONEY, "12.A")
        else:
            yield pushes("ante", "11.I.1")
        yield from settle_paytable(PaytableFacts("xtra_bonus", facts.hand), house)
        yield wins("play", EVEN_MONEY, "12.A")


def judge(dealt: DealtHand, house: House[JackpotChoices]) -> Iterator[Facts]:
    """The facts of the wagers of one box (11.H, 11.I.2)."""
    own = best_five((*dealt.cards, *dealt.community))
    if dealt.folded:
        yield FOLDED
    else:
        dealer = best_five((*dealt.dealer, *dealt.community))
        hand = CATEGORIES[category(own)]
        yield Contest(False, qualifies(dealer, house), versus(own, dealer), hand)
    if "player_bonus" in dealt.wagers:
        yield PaytableFacts("player_bonus", poker_hand(own))
    if "progressive" in dealt.wagers:
        yield PaytableFacts("progressive", progressive_hand(dealt, house))


def progressive_hand(dealt: DealtHand, house: House[JackpotChoices]) -> str:
    """The hand that decides the progressive, with the suit of a royal flush (A2)."""
    all_seven = house.choices.progressive_basis == "best_five_of_seven"
    cards = progressive_cards(dealt, all_seven=all_seven)
    return royal_hand(poker_value(cards), cards)


def every_facts(house: House[JackpotChoices]) -> Iterator[Facts]:
    """The contest against the dealer and every wager offered."""
    yield from every_contest(qualifying=True)
    yield from every_paytable_facts(house, "player_bonus")
    yield from every_paytable_facts(house, "progressive")


def deal(house: House[JackpotChoices], seats: Sequence[int]) -> tuple[tuple[Slot, ...], ...]:
    """Chapters 8, 9 and 10: the whole board is dealt face down before any card is shown (A102)."""
    if house.dealing_method != "automated_shoe":
        return (*singly(seats, DEALER, times=2), *board(5)), (), ()
    dealer_first = house.choices.dealer_stack_order == "dealer_first"
    places: tuple[Slot, ...] = (DEALER, *seats) if dealer_first else (*seats, DEALER)
    return (*board(5), *stacks(places, 2)), (), ()


def progressive_basis(house: House[JackpotChoices]) -> Basis:
    """The cards that decide the progressive (A2)."""
    if house.choices.progressive_basis == "best_five_of_seven":
        return best_of_seven()
    return Basis(name="five", words="your two cards and the first three of the board")


JACKPOT_HOLDEM = Game(
    key="jackpot_holdem",
    title="Jackpot Hold 'Em",
    edition=1,
    aliases=("jackpot",),
    menu_place=4,
    document=RuleDocument(game="jackpot_holdem", package="croupier.games.jackpot_holdem"),
    form=FORM,
    choices=JackpotChoices,
    analysis=AnalysisSpec(
        solver="croupier.analysis.solvers.single_raise:solve",
        strategy="croupier.analysis.solvers.single_raise:PlayStrategy",
        simulator="croupier.analysis.simulation.single_raise_setup:setup",
        cost_model="croupier.analysis.strategies.holdem_cost:price_play",
        detector="croupier.analysis.exposure.single_raise_detection:DETECTOR",
        main={"xtra_bonus": ("A",)},
        sides={
            "progressive": {"progressive_basis": ("own_two_plus_first_three", "best_five_of_seven")}
        },
        knows=dict.fromkeys(
            (*HAND_EXPOSURES, *BOARD_EXPOSURES),
            "croupier.analysis.exposure.exposed_cards:one_play_bet",
        )
        | dict.fromkeys(
            ("flop:2", "flop:2 turn:1", "flop:2 river:1"),  # with the open card the whole flop
            "croupier.analysis.exposure.exposed_cards:play_on_boards",
        ),
        cards={"preflop": (0, 1)},
        main_values="main_values.json",
        practical_costs="practical_costs.json",
        net_distributions="net_distributions.json",
    ),
    tagline="One community card shows before the first bet; up to five jackpots wait.",
    player_cards=2,
    dealer_cards=2,
    community_cards=5,
    qualifier=PAIR_OR_BETTER,
    wagers=(
        Wager(name="ante", title="Ante", role="ante", clause="7.F.1"),
        Wager(
            name="xtra_bonus",
            title="X-tra Bonus",
            role="matching",
            clause="7.F.1",
            always_offered=True,
            hands=CATEGORIES,
        ),
        Wager(
            name="player_bonus",
            title="Player Bonus",
            role="optional",
            clause="7.F.2",
            judged_on=lambda house: best_of_seven(),
        ),
        Wager(
            name="progressive",
            title="Progressive",
            role="progressive",
            clause="7.F.3",
            judged_on=progressive_basis,
            hands=ROYAL_HANDS,
        ),
        Wager(name="play", title="Play", role="decision", clause="1.B.4"),
    ),
    streets=(
        Street(
            name="preflop",
            when="after the first card",
            shown=1,
            options=(
                Option(word="check", clause="11.C.2.b"),
                Option(word="3x", wager="play", times=3, clause="11.C.1"),
            ),
            clause="11.C",
        ),
        Street(
            name="flop",
            when="after three cards",
            shown=3,
            options=(
                Option(word="check", clause="11.E.2.b"),
                Option(word="2x", wager="play", times=2, clause="11.E.1"),
            ),
            clause="11.E",
        ),
        Street(
            name="river",
            when="after five cards",
            shown=5,
            options=(
                Option(word="1x", wager="play", times=1, clause="11.G.1"),
                Option(word="fold", clause="11.G.2"),
            ),
            clause="11.G",
        ),
    ),
    passes=(("ante", "xtra_bonus", "play", "player_bonus", "progressive"),),
    deal=deal,
    judge=judge,
    settle=settle,
    every_facts=every_facts,
    announce_player=announce_player,
    announce_dealer=announce_dealer,
    describe_hand=describe_hand,
    progressive_hand=progressive_hand,
    limit=PayoutLimit(
        clause="12.F",
        floor_clause="12.F.1",
        covers=("ante", "xtra_bonus", "play", "player_bonus"),
        best_deals=(example_deal("Ah Kh", "2c 2d", "Qh Jh Th 3s 4s"),),
    ),
    procedure=Procedure(
        dealer_waits=leaves_dealer_in_shuffler,
        variant=lambda house: house.choices.dealer_stack_order,
        peeks_all_boxes=lambda house: house.choices.peek_all_boxes,
    ),
    layout=Layout(
        cloth="#4a2a72",
        spots=(("ante", "+", "xtra_bonus"), ("play",)),
        notices=(
            Notice(name="qualify", words=qualifier_notice),
            Notice(name="ante", words=ante_push_notice),
            Notice(name="multiples", words=multiples_notice),
            Notice(name="limit", words=limit_notice),
        ),
    ),
    face_up_tolerated=1,
    saved_wager="player_bonus",
    saved_needs_board=True,
)
