"""Run 'Em Twice Poker: two five-card hands through one cross of community cards, no dealer hand.

Clause ids are those of its document; chapters 7, 11 and 12 are followed in their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.cards import Card, Face
from croupier.games.facts import (
    Facts,
    Posted,
    Result,
    Settled,
    loses,
    pushes,
    settle_posted,
    wins,
)
from croupier.games.game import (
    AnalysisSpec,
    Announcement,
    Basis,
    Game,
    Layout,
    Notice,
    Option,
    PayoutLimit,
    Procedure,
    Seen,
    Slot,
    Street,
    Wager,
    singly,
    stacks,
)
from croupier.games.hand_names import POCKETS, POKER_HANDS, pocket, poker_hand, spoken, title
from croupier.games.holdem import board, dealt, every_posted, hand_duties
from croupier.games.house import House
from croupier.games.layout_notices import limit, multiples
from croupier.games.run_em_twice.form import FORM, RunChoices
from croupier.money import EVEN_MONEY, PUSH
from croupier.ranking import poker_value
from croupier.rulebook import RuleDocument

# The cross as it is listed: the horizontal line is the first run, the vertical one the second.
LAYOUT = ("left", "right", "top", "bottom", "center")
CENTER = LAYOUT.index("center")
FIRST_RUN = (LAYOUT.index("left"), CENTER, LAYOUT.index("right"))
SECOND_RUN = (LAYOUT.index("top"), CENTER, LAYOUT.index("bottom"))


class Runs(Facts, frozen=True):
    """What decides both Antes, both runs and the Center: the two hands, or the street of a fold."""

    folded_at: str
    first: str
    second: str

    def why(self, result: Result, house: House[RunChoices]) -> str:
        """The run that a wager follows, and its hand."""
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
    """A box that folded: nobody looks at its runs."""
    return Runs(street, "high_card", "high_card")


def settle(facts: Facts, house: House[RunChoices]) -> Settled:
    """Chapter 11.B to 11.J with the odds of chapter 12."""
    match facts:
        case Runs(folded_at="first"):
            yield from lose_all("11.B.2.a", "first_ante", "second_ante")
        case Runs(folded_at="second"):
            yield from lose_all("11.D.1.a", "first_ante", "second_ante", "first_run")
        case Runs(folded_at="center"):
            ended = ("first_ante", "second_ante", "first_run", "second_run")
            yield from lose_all("11.F.1.a", *ended)
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
        case Posted(wager="progressive", folded=True) if not house.choices.progressive_after_fold:
            yield loses("progressive", "11.B.2.b")
        case Posted():
            yield from settle_posted(facts, house)


def lose_all(clause: str, *wagers: str) -> Settled:
    """A folded box loses what it has bet so far (A84)."""
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
    """The better of the two outcomes rules, paid at the higher hand or at even money (A30, A31)."""
    better = max(first, second, key=_standing)
    if better.outcome == "win":
        return wins("center", better.pays if paid_as_run(house) else EVEN_MONEY, "11.I.3.e")
    if better.outcome == "lose":
        return loses("center", "11.I.3.d")
    if first.outcome == second.outcome:
        return Result("center", "push", PUSH, "A31")
    return pushes("center", "11.I.3.b" if first.outcome == "push" else "11.I.3.c")


def paid_as_run(house: House[RunChoices]) -> bool:
    """Whether the Center is paid at the higher of the two hands (A30)."""
    return house.choices.center_rule == "higher_run_table"


def judge(seen: Seen, house: House[RunChoices]) -> Iterator[Facts]:
    """The facts of one box (11.H, 11.I.1, 11.I.2); a folded box keeps its bonuses (11.B.3)."""
    if seen.folded:
        yield folded(seen.folded_at)
    else:
        yield Runs("", *(poker_hand(value) for value in run_values(seen, house)))
    for wager in seen.wagers:
        match wager:
            case "five_card_bonus":
                value = poker_value(seen.community, house.choices.ace_low_straight)
                yield Posted("five_card_bonus", poker_hand(value))
            case "ultimate_pairs_bonus":
                yield Posted("ultimate_pairs_bonus", pocket(seen.cards))
            case "progressive":
                yield Posted("progressive", progressive_hand(seen, house), seen.folded)


def run_cards(seen: Seen, run: Sequence[int]) -> tuple[Card, ...]:
    """The five cards of one run."""
    return (*seen.cards, *(seen.community[place] for place in run))


def run_values(seen: Seen, house: House[RunChoices]) -> tuple[int, int]:
    """The values of the first and the second run."""
    ace_low = house.choices.ace_low_straight
    first = poker_value(run_cards(seen, FIRST_RUN), ace_low)
    return first, poker_value(run_cards(seen, SECOND_RUN), ace_low)


def progressive_hand(seen: Seen, house: House[RunChoices]) -> str:
    """The hand behind the progressive and the envy bonus (A3, A55)."""
    first, second = run_values(seen, house)
    match house.choices.progressive_basis:
        case "first_run":
            return poker_hand(first)
        case "higher_run":
            return poker_hand(max(first, second))
    cards = (*seen.cards, *seen.community)
    return poker_hand(poker_value(cards, house.choices.ace_low_straight))


def announce_player(seen: Seen, house: House[RunChoices]) -> Announcement:
    """Both run hands (11.I.1, 11.I.2)."""
    values = run_values(seen, house)
    first, second = (title(poker_hand(value)) for value in values)
    duties = dict.fromkeys(duty for value in values for duty in hand_duties(value))
    return Announcement(
        f"1st run {first}, 2nd run {second}", ("announce.player", *duties, "compare.category")
    )


def speak(seen: Seen, house: House[RunChoices]) -> str:
    """Both run hands with their ranks."""
    first, second = run_values(seen, house)
    return f"1st run {spoken(first)}, 2nd run {spoken(second)}"


def every_facts(house: House[RunChoices]) -> Iterator[Facts]:
    """Three folds, every pair of run hands, and every wager offered."""
    for street in ("first", "second", "center"):
        yield folded(street)
    for first in POKER_HANDS:
        for second in POKER_HANDS:
            yield Runs("", first, second)
    yield from every_posted(house, "five_card_bonus")
    yield from every_posted(house, "ultimate_pairs_bonus")
    yield from every_posted(house, "progressive", fold_matters=True)


def deal(house: House[RunChoices], seats: Sequence[int]) -> tuple[tuple[Slot, ...], ...]:
    """Chapters 8, 9 and 10: the cross first, then two cards to every seat; no dealer hand."""
    if house.dealing_method == "automated_shoe":
        return (*board(5), *stacks(seats, 2)), (), (), ()
    return (*board(5), *singly(seats, times=2)), (), (), ()


def arrange_community(cards: Sequence[Face], house: House[RunChoices]) -> list[Face]:
    """The cards of the cross as they are listed, whatever order they were laid in (A108)."""
    laid = dict(zip(house.choices.cross_order, cards, strict=False))
    return [laid[place] for place in LAYOUT if place in laid]


def any_amount(house: House[RunChoices]) -> bool:
    """Whether a run is bet at anything from one to three times the Ante (A32)."""
    return house.choices.run_bet_steps == "any_amount"


def counted(name: str, words: str, house: House[RunChoices]) -> Basis:
    """A poker hand; where A-2-3-4-5 is no straight, hands come in other numbers (A8)."""
    return Basis(name=name if house.choices.ace_low_straight else f"{name}_ace_high", words=words)


def progressive_basis(house: House[RunChoices]) -> Basis:
    """What the progressive is judged on here (A3)."""
    match house.choices.progressive_basis:
        case "first_run":
            return counted("five", "your two cards and the horizontal line", house)
        case "higher_run":
            return counted("higher_run", "the better of your two runs", house)
    return counted("seven", "your best five of seven cards", house)


def run_options(wager: str, clause: str, fold_clause: str) -> tuple[Option, ...]:
    """One to three times the ante, or a fold."""
    bets = (
        Option(word=f"{times}x", wager=wager, times=times, clause=clause) for times in (1, 2, 3)
    )
    return (*bets, Option(word="fold", clause=fold_clause))


def antes_follow(house: House[RunChoices]) -> str:
    """What decides the antes here (A29)."""
    own = house.choices.ante_rule == "own_run"
    return f"Each Ante follows {'its own' if own else 'the better'} run"


def center_pays(house: House[RunChoices]) -> str:
    """What the Center is paid here (A30)."""
    return "Center is paid as the higher run" if paid_as_run(house) else ""


def low_ace(house: House[RunChoices]) -> str:
    """Which way the ace counts has to be displayed either way (A8)."""
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
        pricing="croupier.games.run_em_twice.strategy_cost:build_cost_model",
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
                "progressive_after_fold": (True, False),
                "progressive_stake": (1_00, 5_00),
            },
        },
        forfeits="croupier.games.run_em_twice.folded_hands:folded",
        together="croupier.games.run_em_twice.joint_play:of_two_runs",
        knows={
            f"{place}:{cards}": "croupier.games.run_em_twice.exposure:exposed"
            for place, most in (("center", 1), ("horizontal", 2), ("vertical", 2), ("seat", 2))
            for cards in range(1, most + 1)
        },
        main_values="main_values.json",
        net_distributions="net_distributions.json",
        folded_hands="folded_hands.json",
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
            judged_on=lambda house: counted("five", "the five cards of the cross", house),
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
            outlives_fold=lambda house: house.choices.progressive_after_fold,
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
    speak=speak,
    progressive_hand=progressive_hand,
    fixed_paytables=("run", "five_card_bonus"),
    limit=PayoutLimit(
        clause="12.C",
        floor_clause="12.C",
        covers=("first_run", "second_run", "center"),
        # A royal flush across and a straight flush down: three cards of a suit serve both.
        best_deals=(dealt("Jh Th", "", "Ah Kh 9h 8h Qh"),),
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
        notices=(
            Notice(name="multiples", words=multiples),
            Notice(name="antes", words=antes_follow),
            Notice(name="center", words=center_pays),
            Notice(name="ace_low", words=low_ace),
            Notice(name="limit", words=limit),
        ),
    ),
    any_amount=any_amount,
    skipped_player_sits_out=True,
    arrange_community=arrange_community,
)
