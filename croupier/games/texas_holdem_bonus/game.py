"""Texas Hold 'Em Bonus Poker: Ante, Flop, Turn and River against the dealer; a two-card bonus.

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
    BURN,
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
    Terms,
    Wager,
    singly,
    stacks,
)
from croupier.games.hand_names import POCKETS_AND_DEALER, best_five, pocket_hand_with_dealer
from croupier.games.holdem import (
    BOARD_EXPOSURES,
    FLOP_EXPOSURES,
    FOLDED,
    HAND_EXPOSURES,
    TURN_AND_RIVER_EXPOSURE,
    TWO_CARD_EXPOSURES,
    Contest,
    announce_dealer,
    announce_player,
    board,
    describe_hand,
    every_contest,
    every_paytable_facts,
    example_deal,
    winning_push_notice,
)
from croupier.games.house import House
from croupier.games.layout_notices import limit_notice, multiples_notice
from croupier.games.texas_holdem_bonus.form import FORM, TexasChoices
from croupier.money import EVEN_MONEY
from croupier.ranking import CATEGORIES, category
from croupier.rulebook import RuleDocument

DECISION_WAGERS = ("flop", "turn", "river")


def settle(facts: Facts, house: House[TexasChoices]) -> Results:
    """Chapter 11.C and 11.I with the odds of chapter 12."""
    match facts:
        case Contest(folded=True):
            yield loses("ante", "11.C.2")
        case Contest(versus="behind"):
            for wager in ("ante", *DECISION_WAGERS):
                yield loses(wager, "11.I.3.d.i")
        case Contest(versus="tied"):
            for wager in ("ante", *DECISION_WAGERS):
                yield pushes(wager, "11.I.3.d.iv")
        case Contest():
            threshold = CATEGORIES.index(house.choices.ante_return_threshold)
            if CATEGORIES.index(facts.hand) < threshold:
                yield pushes("ante", "11.I.3.d.iii")
            else:
                yield wins("ante", EVEN_MONEY, "12.A")
            for wager in DECISION_WAGERS:
                yield wins(wager, EVEN_MONEY, "12.A")
        case PaytableFacts():
            yield from settle_paytable(facts, house)


def judge(dealt: DealtHand, house: House[TexasChoices]) -> Iterator[Facts]:
    """The facts of one box (11.I.2, 11.I.3.b); two cards decide the bonus (11.I.4)."""
    if dealt.folded:
        yield FOLDED
    elif len(dealt.community) == 5:  # a void round may settle only the bonus (13.C, 13.G)
        own = best_five((*dealt.cards, *dealt.community))
        dealer = best_five((*dealt.dealer, *dealt.community))
        yield Contest(False, True, versus(own, dealer), CATEGORIES[category(own)])
    if "texas_holdem_bonus" in dealt.wagers:
        yield PaytableFacts(
            "texas_holdem_bonus", pocket_hand_with_dealer(dealt.cards, dealt.dealer)
        )


def every_facts(house: House[TexasChoices]) -> Iterator[Facts]:
    """The contest against the dealer, who always qualifies, and the bonus."""
    yield from every_contest(qualifying=False)
    yield from every_paytable_facts(house, "texas_holdem_bonus")


def deal(house: House[TexasChoices], seats: Sequence[int]) -> tuple[tuple[Slot, ...], ...]:
    """Chapters 8, 9 and 10: a burn before flop, turn and river unless the board is dealt first."""
    if house.dealing_method != "automated_shoe":
        hands = singly(seats, DEALER, times=2)
    elif deals_board_first(house):  # 10.I
        return (*board(5), *stacks((*seats, DEALER), 2)), (), (), ()
    else:
        hands = stacks((*seats, DEALER), 2)
    return hands, (BURN, *board(3)), (BURN, *board(1)), (BURN, *board(1))


def deals_board_first(terms: Terms) -> bool:
    """Whether an automated shoe dispenses the board before the hands (10.I)."""
    return bool(terms.choices.community_first) and terms.dealing_method == "automated_shoe"


def board_by_hand(terms: Terms) -> bool:
    """With an automated shoe, the board is still dealt by hand (10.B.4, A137)."""
    return terms.dealing_method == "automated_shoe" and not deals_board_first(terms)


def first_card_duties(house: House[TexasChoices]) -> tuple[str, ...]:
    """10.I: a continuous shuffler may dispense the board first."""
    return ("deal.community_first",) if deals_board_first(house) else ()


def show_duties(house: House[TexasChoices]) -> tuple[str, ...]:
    """10.I.2: a board that was dealt first is turned over street by street."""
    return ("show.community_first",) if deals_board_first(house) else ()


TEXAS_HOLDEM_BONUS = Game(
    key="texas_holdem_bonus",
    title="Texas Hold 'Em Bonus Poker",
    edition=1,
    aliases=("texas", "texas bonus", "thb"),
    menu_place=1,
    document=RuleDocument(game="texas_holdem_bonus", package="croupier.games.texas_holdem_bonus"),
    form=FORM,
    choices=TexasChoices,
    analysis=AnalysisSpec(
        solver="croupier.games.texas_holdem_bonus.solver:solve",
        strategy="croupier.games.texas_holdem_bonus.solver:TexasStrategy",
        simulator="croupier.games.texas_holdem_bonus.simulator:setup",
        cost_model="croupier.games.texas_holdem_bonus.strategy_cost:price",
        detector="croupier.games.texas_holdem_bonus.exposure:DETECTOR",
        main={"ante_return_threshold": ("straight", "flush")},
        knows=dict.fromkeys(
            (*HAND_EXPOSURES, *BOARD_EXPOSURES, *TWO_CARD_EXPOSURES),
            "croupier.games.texas_holdem_bonus.exposure:by_hand",
        )
        | dict.fromkeys(
            (*FLOP_EXPOSURES, TURN_AND_RIVER_EXPOSURE),
            "croupier.games.texas_holdem_bonus.exposure:on_boards",
        ),
        main_values="main_values.json",
        practical_costs="practical_costs.json",
        net_distributions="net_distributions.json",
    ),
    tagline="Pay twice the ante to see the flop, then bet or check the turn and the river.",
    player_cards=2,
    dealer_cards=2,
    community_cards=5,
    wagers=(
        Wager(name="ante", title="Ante", role="ante", clause="7.F.1"),
        Wager(
            name="texas_holdem_bonus",
            title="Bonus",
            role="optional",
            clause="7.F.2",
            judged_on=lambda house: Basis(
                name="pocket_and_dealer", words="your two cards, and the dealer's if all are aces"
            ),
            hands=POCKETS_AND_DEALER,
        ),
        Wager(name="flop", title="Flop", role="decision", clause="1.B.5"),
        Wager(name="turn", title="Turn", role="decision", clause="1.B.11"),
        Wager(name="river", title="River", role="decision", clause="1.B.9"),
    ),
    streets=(
        Street(
            name="preflop",
            when="before the flop",
            shown=0,
            options=(
                Option(word="2x", wager="flop", times=2, clause="11.B.2"),
                Option(word="fold", clause="11.B.1"),
            ),
            clause="11.B",
        ),
        Street(
            name="flop",
            when="after the flop",
            shown=3,
            options=(
                Option(word="check", clause="11.E.2.a"),
                Option(word="1x", wager="turn", times=1, clause="11.E.2.b"),
            ),
            clause="11.E.1",
        ),
        Street(
            name="turn",
            when="after the turn",
            shown=4,
            options=(
                Option(word="check", clause="11.G.2"),
                Option(word="1x", wager="river", times=1, clause="11.G.2"),
            ),
            clause="11.G.1",
        ),
    ),
    passes=(("ante", *DECISION_WAGERS, "texas_holdem_bonus"),),
    deal=deal,
    judge=judge,
    settle=settle,
    every_facts=every_facts,
    announce_player=announce_player,
    announce_dealer=announce_dealer,
    describe_hand=describe_hand,
    limit=PayoutLimit(
        clause="12.C",
        floor_clause="12.C",
        covers=("ante", *DECISION_WAGERS, "texas_holdem_bonus"),
        # Pocket aces that make a royal flush, against the other two aces.
        best_deals=(example_deal("Ah Ad", "As Ac", "Kh Qh Jh Th 2c"),),
    ),
    procedure=Procedure(
        board_by_hand=board_by_hand,
        first_card_duties=first_card_duties,
        show_duties=show_duties,
    ),
    layout=Layout(
        spots=(("ante",), DECISION_WAGERS),
        notices=(
            Notice(name="threshold", words=lambda house: winning_push_notice(house, "ante")),
            Notice(name="multiples", words=multiples_notice),
            Notice(name="limit", words=limit_notice),
        ),
    ),
    face_up_tolerated=1,
    saved_wager="texas_holdem_bonus",
    lists_unseen_board=False,
)
