"""Run 'Em Twice Poker: two five-card hands through one cross of community cards, no dealer hand.

Clause ids are those of the game's document; functions follow the order of chapters 7, 11 and 12.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.cards import Card, Face
from croupier.games.facts import (
    Facts,
    PaytableFacts,
    Result,
    Results,
    loses,
    pushes,
    settle_paytable,
    wins,
)
from croupier.games.game import (
    AnalysisSpec,
    Announcement,
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
    singly,
    stacks,
)
from croupier.games.hand_names import (
    POCKETS,
    POKER_HANDS,
    describe_value,
    pocket_hand,
    poker_hand,
    title,
)
from croupier.games.holdem import board, every_paytable_facts, example_deal, hand_duties
from croupier.games.house import House
from croupier.games.layout_notices import limit_notice, multiples_notice
from croupier.games.run_em_twice.form import FORM, RunChoices
from croupier.money import EVEN_MONEY, PUSH
from croupier.ranking import poker_value
from croupier.rulebook import RuleDocument

# The places of the cross in layout order: the horizontal line is the first run, the vertical line
# the second.
LAYOUT = ("left", "right", "top", "bottom", "center")
CENTER = LAYOUT.index("center")
FIRST_RUN = (LAYOUT.index("left"), CENTER, LAYOUT.index("right"))
SECOND_RUN = (LAYOUT.index("top"), CENTER, LAYOUT.index("bottom"))


class Runs(Facts, frozen=True):
    """The facts of both Antes, both runs and the Center: the two hands, or the street of a fold."""

    folded_at: str
    first: str
    second: str

    def why(self, result: Result, house: House[RunChoices]) -> str:
        """The run that decides the wager, and its hand."""
        if self.folded_at:
            return "you folded"
        own_run = house.choices.ante_rule == "own_run"
        if result.wager == "first_run" or (result.wager == "first_ante" and own_run):
            return f"the 1st run: {title(self.first)}"
        if result.wager == "second_run" or (result.wager == "second_ante" and own_run):
            return f"the 2nd run: {title(self.second)}"
        runs = ((settle_run("", hand, house), hand) for hand in (self.first, self.second))
        return f"the better run: {title(max(runs, key=lambda run: _standing(run[0]))[1])}"


def folded(street: str) -> Runs:
    """The facts of a folded box, whose hands do not matter."""
    return Runs(street, "high_card", "high_card")


def settle(facts: Facts, house: House[RunChoices]) -> Results:
    """Chapter 11.B to 11.J with the odds of chapter 12."""
    match facts:
        case Runs(folded_at="first"):
            yield from lose_all("11.B.2.a", "first_ante", "second_ante")
        case Runs(folded_at="second"):
            yield from lose_all("11.D.1.a", "first_ante", "second_ante", "first_run")
        case Runs(folded_at="center"):
            made = ("first_ante", "second_ante", "first_run", "second_run")
            yield from lose_all("11.F.1.a", *made)
        case Runs():
            first = settle_run("first_run", facts.first, house)
            second = settle_run("second_run", facts.second, house)
            better = max(first, second, key=_standing)
            own_run = house.choices.ante_rule == "own_run"
            yield settle_ante("first_ante", first if own_run else better)
            yield settle_ante("second_ante", second if own_run else better)
            yield first
            yield second
            yield settle_center(first, second, house)
        case PaytableFacts():
            yield from settle_paytable(facts, house)


def lose_all(clause: str, *wagers: str) -> Results:
    """A folded box loses the bets it has made so far (A84)."""
    for wager in wagers:
        yield loses(wager, clause)


def settle_run(wager: str, hand: str, house: House[RunChoices]) -> Result:
    """A run wins from a pair of jacks, pushes on sixes to tens, or loses (12.B)."""
    line = house.line("run", hand)
    if line is None:
        return loses(wager, "11.I.3.a")
    if line.pays.unit == "push":
        return pushes(wager, line.clause)
    return wins(wager, line.pays, line.clause)


def _standing(run: Result) -> tuple[int, int]:
    return ("lose", "push", "win").index(run.outcome), run.pays.win


def settle_ante(wager: str, run: Result) -> Result:
    """An Ante follows its run, or the better one, at even money (A29)."""
    if run.outcome == "win":
        return wins(wager, EVEN_MONEY, "12.A")
    if run.outcome == "push":
        return pushes(wager, "A29")
    return loses(wager, "11.I.3.a")


def settle_center(first: Result, second: Result, house: House[RunChoices]) -> Result:
    """The better run decides; paid at the odds of its hand or at even money (A30, A31)."""
    better = max(first, second, key=_standing)
    if better.outcome == "win":
        return wins("center", better.pays if paid_as_run(house) else EVEN_MONEY, "11.I.3.e")
    if better.outcome == "lose":
        return loses("center", "11.I.3.d")
    if first.outcome == second.outcome:
        return Result("center", "push", PUSH, "A31")
    return pushes("center", "11.I.3.b" if first.outcome == "push" else "11.I.3.c")


def paid_as_run(house: House[RunChoices]) -> bool:
    """Whether the Center is paid at the odds of the higher hand (A30)."""
    return house.choices.center_rule == "higher_run_table"


def judge(dealt: DealtHand, house: House[RunChoices]) -> Iterator[Facts]:
    """The facts of one box (11.H, 11.I.1, 11.I.2); bonuses survive a fold (11.B.3)."""
    if dealt.folded:
        yield folded(dealt.folded_at)
    else:
        yield Runs("", *(poker_hand(value) for value in run_values(dealt, house)))
    for wager in dealt.wagers:
        match wager:
            case "five_card_bonus":
                value = poker_value(dealt.community, house.choices.ace_low_straight)
                yield PaytableFacts("five_card_bonus", poker_hand(value))
            case "ultimate_pairs_bonus":
                yield PaytableFacts("ultimate_pairs_bonus", pocket_hand(dealt.cards))
            case "progressive":
                yield PaytableFacts("progressive", progressive_hand(dealt, house))


def run_cards(dealt: DealtHand, run: Sequence[int]) -> tuple[Card, ...]:
    """The five cards of one run."""
    return (*dealt.cards, *(dealt.community[place] for place in run))


def run_values(dealt: DealtHand, house: House[RunChoices]) -> tuple[int, int]:
    """The values of the first and the second run."""
    ace_low = house.choices.ace_low_straight
    first = poker_value(run_cards(dealt, FIRST_RUN), ace_low)
    return first, poker_value(run_cards(dealt, SECOND_RUN), ace_low)


def progressive_hand(dealt: DealtHand, house: House[RunChoices]) -> str:
    """The hand that decides the progressive and the envy bonus (A3, A55)."""
    first, second = run_values(dealt, house)
    match house.choices.progressive_basis:
        case "first_run":
            return poker_hand(first)
        case "higher_run":
            return poker_hand(max(first, second))
    cards = (*dealt.cards, *dealt.community)
    return poker_hand(poker_value(cards, house.choices.ace_low_straight))


def announce_player(dealt: DealtHand, house: House[RunChoices]) -> Announcement:
    """Announce both run hands (11.I.1, 11.I.2)."""
    values = run_values(dealt, house)
    first, second = (title(poker_hand(value)) for value in values)
    duties = dict.fromkeys(duty for value in values for duty in hand_duties(value))
    return Announcement(
        f"1st run {first}, 2nd run {second}", ("announce.player", *duties, "compare.category")
    )


def describe_hand(dealt: DealtHand, house: House[RunChoices]) -> str:
    """Describe both run hands with their ranks."""
    first, second = run_values(dealt, house)
    return f"1st run {describe_value(first)}, 2nd run {describe_value(second)}"


def every_facts(house: House[RunChoices]) -> Iterator[Facts]:
    """Three folds, every pair of run hands, and every wager offered."""
    for street in ("first", "second", "center"):
        yield folded(street)
    for first in POKER_HANDS:
        for second in POKER_HANDS:
            yield Runs("", first, second)
    yield from every_paytable_facts(house, "five_card_bonus")
    yield from every_paytable_facts(house, "ultimate_pairs_bonus")
    yield from every_paytable_facts(house, "progressive")


def deal(house: House[RunChoices], seats: Sequence[int]) -> tuple[tuple[Slot, ...], ...]:
    """Chapters 8, 9 and 10: the cross, then two cards to every seat; no dealer hand."""
    if house.dealing_method == "automated_shoe":
        return (*board(5), *stacks(seats, 2)), (), (), ()
    return (*board(5), *singly(seats, times=2)), (), (), ()


def arrange_community(cards: Sequence[Face], house: House[RunChoices]) -> list[Face]:
    """The cards of the cross in layout order, from the order they were dealt in (A108)."""
    by_place = dict(zip(house.choices.cross_order, cards, strict=False))
    return [by_place[place] for place in LAYOUT if place in by_place]


def any_amount(house: House[RunChoices]) -> bool:
    """Whether a run bet may be any amount from one to three times the Ante (A32)."""
    return house.choices.run_bet_steps == "any_amount"


def poker_basis(
    name: str, words: str, house: House[RunChoices], *, board_only: bool = False
) -> Basis:
    """A basis of poker hands; counts differ where A-2-3-4-5 is not a straight (A8)."""
    counted = name if house.choices.ace_low_straight else f"{name}_ace_high"
    return Basis(name=counted, words=words, board_only=board_only)


def progressive_basis(house: House[RunChoices]) -> Basis:
    """The cards that decide the progressive (A3)."""
    match house.choices.progressive_basis:
        case "first_run":
            return poker_basis("five", "your 1st Run hand alone", house)
        case "higher_run":
            return poker_basis("higher_run", "the better of your two runs", house)
    return poker_basis("seven", "your best five of seven cards", house)


def run_options(wager: str, clause: str, fold_clause: str) -> tuple[Option, ...]:
    """One to three times the ante, or a fold."""
    bets = (
        Option(word=f"{times}x", wager=wager, times=times, clause=clause) for times in (1, 2, 3)
    )
    return (*bets, Option(word="fold", clause=fold_clause))


def antes_notice(house: House[RunChoices]) -> str:
    """The notice of the run that decides each Ante (A29)."""
    own = house.choices.ante_rule == "own_run"
    return f"Each Ante follows {'its own' if own else 'the better'} run"


def center_notice(house: House[RunChoices]) -> str:
    """The notice of the odds of the Center (A30)."""
    return "Center is paid as the higher run" if paid_as_run(house) else ""


def progressive_notice(house: House[RunChoices]) -> str:
    """The notice of the hand that the progressive is paid for, as the document is silent (A3)."""
    if not house.offers("progressive"):
        return ""
    hands = {"first_run": "the 1st Run hand alone", "higher_run": "the better of the two runs"}
    basis = house.choices.progressive_basis or ""
    return f"Progressive pays for {hands.get(basis, 'the best five of all seven cards')}"


def low_ace_notice(house: House[RunChoices]) -> str:
    """The notice whether A-2-3-4-5 is a straight, required either way (A8)."""
    return f"A-2-3-4-5 is {'' if house.choices.ace_low_straight else 'not '}a straight"


RUN_EM_TWICE = Game(
    key="run_em_twice",
    title="Run 'Em Twice Poker",
    edition=1,
    aliases=("run", "run em", "run twice", "ret"),
    menu_place=5,
    document=RuleDocument(game="run_em_twice", package="croupier.games.run_em_twice"),
    form=FORM,
    choices=RunChoices,
    analysis=AnalysisSpec(
        solver="croupier.games.run_em_twice.solver:solve",
        strategy="croupier.games.run_em_twice.solver:RunStrategy",
        simulator="croupier.games.run_em_twice.simulator:setup",
        cost_model="croupier.games.run_em_twice.strategy_cost:build_cost_model",
        hand_counts="croupier.games.run_em_twice.hand_counts:hand_counts",
        detector="croupier.games.run_em_twice.exposure:DETECTOR",
        main={
            "ante_rule": ("own_run", "better_run"),
            "center_rule": ("higher_run_table", "even_money"),
            "ace_low_straight": (True, False),
        },
        sides={
            "five_card_bonus": {"ace_low_straight": (True, False)},
            "progressive": {
                "progressive_basis": ("first_run", "higher_run", "best_five_of_seven"),
                "ace_low_straight": (True, False),
                "progressive_stake": (1_00, 5_00),
            },
        },
        knows={
            f"{place}:{cards}": "croupier.games.run_em_twice.exposure:exposed"
            for place, most in (("center", 1), ("horizontal", 2), ("vertical", 2), ("seat", 2))
            for cards in range(1, most + 1)
        },
        main_values="main_values.json",
        practical_costs="practical_costs.json",
        net_distributions="net_distributions.json",
    ),
    tagline="Two cards, one cross, two hands: bet one to three times at every turn, or fold.",
    player_cards=2,
    dealer_cards=0,
    community_cards=5,
    wagers=(
        Wager(name="first_ante", title="1st Ante", role="ante", clause="7.E.1"),
        Wager(name="second_ante", title="2nd Ante", role="matching", clause="7.E.1"),
        Wager(
            name="five_card_bonus",
            title="Five Card Bonus",
            role="optional",
            clause="7.E.2.a",
            judged_on=lambda house: poker_basis(
                "five", "the five cards of the cross", house, board_only=True
            ),
        ),
        Wager(
            name="ultimate_pairs_bonus",
            title="Ultimate Pairs",
            role="optional",
            clause="7.E.2.b",
            judged_on=lambda house: Basis(name="pocket", words="your two cards"),
            hands=POCKETS,
        ),
        Wager(
            name="progressive",
            title="Progressive",
            role="progressive",
            clause="7.E.2.c",
            judged_on=progressive_basis,
        ),
        Wager(
            name="first_run",
            title="1st Run",
            role="decision",
            clause="7.E.1",
            pays_as=lambda house: "run",
        ),
        Wager(
            name="second_run",
            title="2nd Run",
            role="decision",
            clause="7.E.1",
            pays_as=lambda house: "run",
        ),
        Wager(
            name="center",
            title="Center",
            role="decision",
            clause="7.E.1",
            pays_as=lambda house: "run" if paid_as_run(house) else "",
        ),
    ),
    streets=(
        Street(
            name="first",
            when="on two cards",
            shown=0,
            options=run_options("first_run", "11.B.1.a", "11.B.1.b"),
            clause="11.B.1",
        ),
        Street(
            name="second",
            when="after the horizontal pair",
            shown=2,
            options=run_options("second_run", "11.D", "11.D"),
            clause="11.D",
        ),
        Street(
            name="center",
            when="after the vertical pair",
            shown=4,
            options=run_options("center", "11.F", "11.F"),
            clause="11.F",
        ),
    ),
    passes=(
        ("five_card_bonus", "ultimate_pairs_bonus"),
        ("first_ante", "second_ante", "first_run", "second_run", "center"),
        ("progressive",),
    ),
    deal=deal,
    judge=judge,
    settle=settle,
    every_facts=every_facts,
    announce_player=announce_player,
    describe_hand=describe_hand,
    progressive_hand=progressive_hand,
    fixed_paytables=("run", "five_card_bonus"),
    limit=PayoutLimit(
        clause="12.C",
        floor_clause="12.C",
        covers=("first_run", "second_run", "center"),
        # A royal flush across and a straight flush down, sharing the hole cards and the center.
        best_deals=(example_deal("Jh Th", "", "Ah Kh 9h 8h Qh"),),
    ),
    procedure=Procedure(
        cover_cards=1,
        floor_rules_on_misdeal=lambda house: house.dealing_method != "automated_shoe",
    ),
    layout=Layout(
        cloth="#8a3a16",
        places=LAYOUT,
        lines={"1st run": FIRST_RUN, "2nd run": SECOND_RUN},
        labels=("first_ante", "first_ante", "second_ante", "second_ante", "center"),
        spots=(("first_ante", "second_ante"), ("first_run", "center", "second_run")),
        blank_area=lambda house: house.choices.sixth_area == "blank",
        notices=(
            Notice(name="multiples", words=multiples_notice),
            Notice(name="antes", words=antes_notice),
            Notice(name="center", words=center_notice),
            Notice(name="ace_low", words=low_ace_notice),
            Notice(name="progressive", words=progressive_notice),
            Notice(name="limit", words=limit_notice),
        ),
    ),
    any_amount=any_amount,
    skipped_player_sits_out=True,
    arrange_community=arrange_community,
)
