"""Ultimate Texas Hold'Em Poker: Ante and Blind against the dealer, one Play bet, six side wagers.

Clause ids are those of the game's document; functions follow the order of chapters 6, 7, 11 and 12.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
    BOX,
    BURN,
    DEALER,
    AnalysisSpec,
    Basis,
    DealingMethod,
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
    best_of_seven,
    leaves_dealer_in_shuffler,
    singly,
    stacks,
)
from croupier.games.hand_names import (
    ACES_AGAINST_ACES,
    POCKETS_AND_DEALER,
    SIX_CARD_HANDS,
    best_five,
    pocket_hand_with_dealer,
    poker_hand,
    six_card_hand,
    title,
)
from croupier.games.holdem import (
    BOARD_EXPOSURES,
    FLOP_EXPOSURES,
    FOLDED,
    HAND_EXPOSURES,
    PAIR_OR_BETTER,
    TURN_AND_RIVER_EXPOSURE,
    TWO_CARD_EXPOSURES,
    Contest,
    announce_dealer,
    announce_player,
    ante_push_notice,
    board,
    boards_by_street,
    describe_hand,
    every_contest,
    every_paytable_facts,
    example_deal,
    progressive_cards,
    qualifies,
    winning_push_notice,
)
from croupier.games.house import House
from croupier.games.layout_notices import limit_notice, multiples_notice
from croupier.games.ultimate_texas_holdem.form import FORM, SIDE_WAGERS, UltimateChoices
from croupier.money import EVEN_MONEY
from croupier.ranking import CATEGORIES, category, poker_value
from croupier.rulebook import RuleDocument


class BadBeat(Facts, frozen=True):
    """The facts of the Bad Beat wager: both final hands, and which one lost (7.F.6)."""

    versus: Versus
    player_hand: str
    dealer_hand: str
    folded: bool

    def why(self, result: Result, house: House[UltimateChoices]) -> str:
        """The losing hand, if there is one."""
        if self.versus == "tied":
            return "neither hand lost"
        if self.folded and not house.choices.bad_beat_after_fold:
            return "you folded"
        yours = self.versus == "behind"
        hand = title(self.player_hand if yours else self.dealer_hand)
        return f"{'you' if yours else 'the dealer'} lost with: {hand}"


def settle(facts: Facts, house: House[UltimateChoices]) -> Results:
    """Chapter 11.F to 11.J with the odds of chapter 12, in the dealer's order."""
    match facts:
        case Contest():
            yield from settle_contest(facts, house)
        case BadBeat():
            yield from settle_bad_beat(facts, house)
        case PaytableFacts(wager="progressive", folded=True) if (
            not house.choices.progressive_after_fold
        ):
            yield loses("progressive", "11.F.2")
        case PaytableFacts():
            yield from settle_paytable(facts, house)


def settle_contest(facts: Contest, house: House[UltimateChoices]) -> Results:
    """Ante, Blind and Play. The Ante always pushes if the dealer has no pair (A86)."""
    if facts.folded:
        yield loses("ante", "11.F.2")
        yield loses("blind", "11.F.2")
    elif facts.versus == "behind":
        yield loses("ante", "11.H.3.a") if facts.dealer_qualifies else pushes("ante", "11.H.1")
        yield loses("blind", "11.H.3.a")
        yield loses("play", "11.H.3.a")
    elif facts.versus == "tied":
        yield pushes("ante", "11.H.3.d" if facts.dealer_qualifies else "11.H.1")
        yield pushes("blind", "11.H.3.d")
        yield pushes("play", "11.H.3.d")
    else:
        if facts.dealer_qualifies:
            yield wins("ante", EVEN_MONEY, "12.A")
        else:
            yield pushes("ante", "11.H.1")
        line = house.line("blind", facts.hand)
        if line is None:  # a straight under paytable B (A23)
            yield pushes("blind", "11.H.3.c")
        elif line.pays.unit == "push":
            yield pushes("blind", line.clause)
        else:
            yield wins("blind", line.pays, line.clause)
        yield wins("play", EVEN_MONEY, "12.A")


def settle_bad_beat(facts: BadBeat, house: House[UltimateChoices]) -> Results:
    """Pay by the rank of the losing hand; a tie has none (A15, A16)."""
    losing = facts.player_hand if facts.versus == "behind" else facts.dealer_hand
    counts = facts.versus == "behind" or (
        facts.versus == "ahead" and house.choices.bad_beat_scope == "either_hand"
    )
    forfeited = facts.folded and not house.choices.bad_beat_after_fold
    line = house.line("bad_beat", losing) if counts and not forfeited else None
    if line is None:
        yield loses("bad_beat", house.paytable("bad_beat").clause)
    else:
        yield wins("bad_beat", line.pays, line.clause)


def judge(dealt: DealtHand, house: House[UltimateChoices]) -> Iterator[Facts]:
    """The facts of the wagers of one box (11.G, 11.H.2)."""
    own = best_five((*dealt.cards, *dealt.community))
    dealer = best_five((*dealt.dealer, *dealt.community))
    standing = versus(own, dealer)
    if dealt.folded:
        yield FOLDED
    else:
        hand = CATEGORIES[category(own)]
        yield Contest(False, qualifies(dealer, house), standing, hand)
    for wager in dealt.wagers:
        match wager:
            case "trips":
                yield PaytableFacts("trips", poker_hand(own))
            case "six_card_bonus":
                yield PaytableFacts("six_card_bonus", six_card_hand((*dealt.cards, *dealt.box)))
            case "ultimate_pairs":
                yield PaytableFacts(
                    "ultimate_pairs", pocket_hand_with_dealer(dealt.cards, dealt.dealer)
                )
            case "bad_beat":
                hands = CATEGORIES[category(own)], CATEGORIES[category(dealer)]
                yield BadBeat(standing, *hands, dealt.folded)
            case "play_the_board":
                yield PaytableFacts("play_the_board", poker_hand(poker_value(dealt.community)))
            case "progressive":
                yield PaytableFacts("progressive", progressive_hand(dealt, house), dealt.folded)


def progressive_hand(dealt: DealtHand, house: House[UltimateChoices]) -> str:
    """The hand that decides the progressive and the envy bonus (A1)."""
    all_seven = house.choices.progressive_basis == "best_five_of_seven"
    return poker_hand(best_five(progressive_cards(dealt, all_seven=all_seven)))


def every_facts(house: House[UltimateChoices]) -> Iterator[Facts]:
    """The contest against the dealer and every wager offered."""
    yield from every_contest(qualifying=True)
    yield from every_paytable_facts(house, "trips")
    yield from every_paytable_facts(house, "six_card_bonus")
    yield from every_paytable_facts(house, "ultimate_pairs")
    yield from every_paytable_facts(house, "play_the_board")
    yield from every_paytable_facts(house, "progressive", fold_matters=True)
    if house.offers("bad_beat"):
        for standing in VERSUS:
            for player_hand in CATEGORIES:
                for dealer_hand in CATEGORIES:
                    for folded in (False, True):
                        yield BadBeat(standing, player_hand, dealer_hand, folded)


def deal(house: House[UltimateChoices], seats: Sequence[int]) -> tuple[tuple[Slot, ...], ...]:
    """Chapters 8, 9 and 10; burns only when dealing by hand (11.C.1, 11.E.1, A101)."""
    six_card_box = (BOX,) * 4 if house.offers("six_card_bonus") else ()
    if house.dealing_method == "automated_shoe":
        dealer_first = house.choices.dealer_stack_order == "dealer_first"
        places: tuple[Slot, ...] = (DEALER, *seats) if dealer_first else (*seats, DEALER)
        return (*six_card_box, *board(5), *stacks(places, 2)), (), ()
    burn = (BURN,) if house.dealing_method == "hand" else ()
    hands = singly(seats, DEALER, times=2)
    first, flop, river = boards_by_street(house)
    return (*hands, *six_card_box, *first), (*burn, *flop), (*burn, *river)


def first_card_duties(house: House[UltimateChoices]) -> tuple[str, ...]:
    """10.F and 11.L: a board dealt first, and electronic dealing."""
    board_first = house.choices.community_first and house.dealing_method == "automated_shoe"
    duties = ("deal.community_first",) if board_first else ()
    return (*duties, "deal.electronic") if house.choices.electronic_version else duties


def why_not_dealt(house: House[UltimateChoices], method: DealingMethod) -> tuple[str, str] | None:
    """Only 10.B.1 deals the Six Card box; chapters 8 and 9 do not mention it (A103)."""
    has_position = house.choices.six_card_deal_position is not None
    if house.offers("six_card_bonus") and not has_position and method != "automated_shoe":
        return "the six card box is dealt by the automated shoe only", "A103"
    return None


def side_wagers_covered(terms: Terms) -> tuple[str, ...]:
    """Side wagers that 12.F does not mention, if the operator chose to limit them too (A64)."""
    return SIDE_WAGERS if terms.choices.limit_covers_side_wagers else ()


def progressive_basis(house: House[UltimateChoices]) -> Basis:
    """The cards that decide the progressive (A1)."""
    if house.choices.progressive_basis == "best_five_of_seven":
        return best_of_seven()
    return Basis(name="five", words="your two cards and the flop")


def bad_beat_facts(wager: str, name: str) -> BadBeat:
    """The facts of a counted showdown: "ahead/straight/pair" has the player's hand first."""
    standing, player_hand, dealer_hand = name.split("/")
    return BadBeat(VERSUS[VERSUS.index(standing)], player_hand, dealer_hand, folded=False)


def bad_beat_basis(house: House[UltimateChoices]) -> Basis:
    """The hand that decides the Bad Beat (A15)."""
    if house.choices.bad_beat_scope == "either_hand":
        words = "the best five of seven cards of the loser, you or the dealer"
    else:
        words = "your best five of seven cards, if the dealer's hand beats them"
    return Basis(name="bad_beat", words=words, facts=bad_beat_facts)


def pockets_basis(house: House[UltimateChoices]) -> Basis:
    """The cards that decide Ultimate Pairs; one award needs the dealer's aces too."""
    with_dealer = house.line("ultimate_pairs", ACES_AGAINST_ACES)
    words = "your two cards"
    if with_dealer is not None and with_dealer.hand == ACES_AGAINST_ACES:
        words = "your two cards, and the dealer's if all are aces"
    return Basis(name="pocket_and_dealer", words=words)


BOARD = Basis(name="five", words="the board alone", board_only=True)


ULTIMATE_TEXAS_HOLDEM = Game(
    key="ultimate_texas_holdem",
    title="Ultimate Texas Hold'Em Poker",
    edition=1,
    aliases=("uth", "ultimate"),
    menu_place=3,
    document=RuleDocument(
        game="ultimate_texas_holdem", package="croupier.games.ultimate_texas_holdem"
    ),
    form=FORM,
    choices=UltimateChoices,
    analysis=AnalysisSpec(
        solver="croupier.analysis.solvers.single_raise:solve",
        strategy="croupier.analysis.solvers.single_raise:PlayStrategy",
        simulator="croupier.analysis.simulation.single_raise_setup:setup",
        cost_model="croupier.analysis.strategies.holdem_cost:price_play",
        detector="croupier.analysis.exposure.single_raise_detection:DETECTOR",
        main={"blind": ("A", "B")},
        sides={
            "bad_beat": {
                "bad_beat_scope": ("either_hand", "player_hand"),
                "bad_beat_after_fold": (True, False),
            },
            "progressive": {
                "progressive_basis": ("own_two_plus_flop", "best_five_of_seven"),
                "progressive_after_fold": (True, False),
                "progressive_stake": (1_00, 5_00),
            },
        },
        fold_counter="croupier.games.ultimate_texas_holdem.folded_hands:folded",
        together="croupier.games.ultimate_texas_holdem.joint_play:of_one_play_bet",
        envy="croupier.games.ultimate_texas_holdem.envy_frequency:both_stay",
        knows=dict.fromkeys(
            (*HAND_EXPOSURES, *BOARD_EXPOSURES, *TWO_CARD_EXPOSURES),
            "croupier.analysis.exposure.exposed_cards:one_play_bet",
        )
        | dict.fromkeys(
            (*FLOP_EXPOSURES, TURN_AND_RIVER_EXPOSURE),
            "croupier.analysis.exposure.exposed_cards:play_on_boards",
        ),
        cards={"preflop": (0, 1)},
        main_values="main_values.json",
        practical_costs="practical_costs.json",
        net_distributions="net_distributions.json",
        folded_hands="folded_hands.json",
    ),
    tagline="Beat the dealer with the best five of seven; bet four times, twice or once.",
    player_cards=2,
    dealer_cards=2,
    community_cards=5,
    qualifier=PAIR_OR_BETTER,
    wagers=(
        Wager(name="ante", title="Ante", role="ante", clause="7.F.1"),
        Wager(
            name="blind",
            title="Blind",
            role="matching",
            clause="7.F.1",
            always_offered=True,
            hands=CATEGORIES,
        ),
        Wager(
            name="trips",
            title="Trips",
            role="optional",
            clause="7.F.2",
            always_offered=True,
            judged_on=lambda house: best_of_seven(),
        ),
        Wager(
            name="progressive",
            title="Progressive",
            role="progressive",
            clause="7.F.3",
            outlives_fold=lambda house: house.choices.progressive_after_fold,
            judged_on=progressive_basis,
        ),
        Wager(
            name="six_card_bonus",
            title="Six Card Bonus",
            role="optional",
            clause="7.F.4",
            prerequisite="trips",
            judged_on=lambda house: Basis(name="six", words="your two cards and the box of four"),
            hands=SIX_CARD_HANDS,
        ),
        Wager(
            name="ultimate_pairs",
            title="Ultimate Pairs",
            role="optional",
            clause="7.F.5",
            judged_on=pockets_basis,
            hands=POCKETS_AND_DEALER,
        ),
        Wager(
            name="bad_beat",
            title="Bad Beat",
            role="optional",
            clause="7.F.6",
            outlives_fold=lambda house: house.choices.bad_beat_after_fold,
            judged_on=bad_beat_basis,
            hands=CATEGORIES,
        ),
        Wager(
            name="play_the_board",
            title="Play the Board",
            role="optional",
            clause="7.F.7",
            judged_on=lambda house: BOARD,
        ),
        Wager(name="play", title="Play", role="decision", clause="7.F.1"),
    ),
    streets=(
        Street(
            name="preflop",
            when="before the flop",
            shown=0,
            options=(
                Option(word="check", clause="11.B.2.b"),
                Option(word="3x", wager="play", times=3, clause="11.B.1"),
                Option(word="4x", wager="play", times=4, clause="11.B.1"),
            ),
            clause="11.B",
        ),
        Street(
            name="flop",
            when="after the flop",
            shown=3,
            options=(
                Option(word="check", clause="11.D.2.b"),
                Option(word="2x", wager="play", times=2, clause="11.D.1"),
            ),
            clause="11.D",
        ),
        Street(
            name="river",
            when="after the last two cards",
            shown=5,
            options=(
                Option(word="1x", wager="play", times=1, clause="11.F.1"),
                Option(word="fold", clause="11.F.2"),
            ),
            clause="11.F",
        ),
    ),
    passes=(
        ("ante", "blind", "play", "trips", "six_card_bonus")
        + ("ultimate_pairs", "bad_beat", "play_the_board", "progressive"),
    ),
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
        covers=("ante", "blind", "play", "trips"),
        also_covers=side_wagers_covered,
        # A royal flush over the straight flush on the board, the reverse, and a royal flush on it.
        best_deals=(
            example_deal("Ah Ad", "As Ac", "9h Th Jh Qh Kh"),
            example_deal("Ah Ad", "As Ac", "9s Ts Js Qs Ks"),
            example_deal("Ah Ad", "Ac 2c", "Ts Js Qs Ks As"),
        ),
    ),
    procedure=Procedure(
        credits=lambda house: house.choices.electronic_version,
        first_card_duties=first_card_duties,
        why_not_dealt=why_not_dealt,
        dealer_waits=leaves_dealer_in_shuffler,
        variant=lambda house: house.choices.dealer_stack_order,
        peeks_all_boxes=lambda house: house.choices.peek_all_boxes,
    ),
    layout=Layout(
        cloth="#1c4f82",
        spots=(("ante", "=", "blind"), ("play",)),
        notices=(
            Notice(name="ante", words=ante_push_notice),
            Notice(name="blind", words=lambda house: winning_push_notice(house, "blind")),
            Notice(name="multiples", words=multiples_notice),
            Notice(name="limit", words=limit_notice),
        ),
    ),
    face_up_tolerated=1,
    saved_wager="trips",
    saved_needs_board=True,
)
