"""What a progressive returns at its reset amounts, exactly (A1, A2, A3).

The cards behind the award are the operator's choice, and some choices return several times the
stake. How often each hand comes is counted once and for all; what it pays is the House's own line.
Envy bonuses are left out, since they depend on who else plays.
"""

from __future__ import annotations

from fractions import Fraction

from croupier.games.house import House
from croupier.money import Cents
from croupier.ranking import CATEGORIES
from croupier.submission.draft import Draft
from croupier.submission.kinds import percent

# Hands by category, high card first, of every way the cards can fall.
FIVE_CARDS = (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4)
BEST_OF_SEVEN = (
    (23294460, 58627800, 31433400, 6461620, 6180020)
    + (4047644, 3473184, 224848, 37260, 4324)
)  # fmt: skip
# The higher of two runs through the same cross: three cards shared, two more each.
HIGHER_OF_TWO = (
    (8357866704, 15822692160, 2392821648, 1099815408, 217974816)
    + (108993584, 80237664, 13490880, 778256, 86480)
)  # fmt: skip
# The same where A-2-3-4-5 is no straight (A8).
FIVE_CARDS_ACE_HIGH = (1303560, 1098240, 123552, 54912, 9180, 5112, 3744, 624, 32, 4)
BEST_OF_SEVEN_ACE_HIGH = (
    (23620800, 58877280, 31456080, 6466680, 5576460)
    + (4051784, 3473184, 224848, 33120, 4324)
)  # fmt: skip
HIGHER_OF_TWO_ACE_HIGH = (
    (8370835128, 15830770560, 2393372448, 1099999008, 196193592)
    + (109080056, 80237664, 13490880, 691784, 86480)
)  # fmt: skip

COUNTS = {
    "own_two_plus_flop": (FIVE_CARDS, FIVE_CARDS_ACE_HIGH),
    "own_two_plus_first_three": (FIVE_CARDS, FIVE_CARDS_ACE_HIGH),
    "first_run": (FIVE_CARDS, FIVE_CARDS_ACE_HIGH),
    "best_five_of_seven": (BEST_OF_SEVEN, BEST_OF_SEVEN_ACE_HIGH),
    "higher_run": (HIGHER_OF_TWO, HIGHER_OF_TWO_ACE_HIGH),
}
# A royal flush is of diamonds one time in four; no paytable asks for the suit of another hand,
# and none names a pair.
ROYALS = (
    ("royal_flush_diamonds", Fraction(1, 4)),
    ("royal_flush_non_diamonds", Fraction(3, 4)),
)


def progressive_return(house: House) -> Fraction:
    """What comes back of one unit staked on the progressive while its meters are at reset."""
    ace_high = house.choices.get("ace_low_straight") is False
    counts = COUNTS[house.choice("progressive_basis")][ace_high]
    stake: Cents = house.choice("progressive_stake")
    total = Fraction(0)
    for category, count in zip(CATEGORIES, counts, strict=True):
        shares = ROYALS if category == "royal_flush" else ((category, Fraction(1)),)
        for hand, share in shares:
            total += count * share * award(house, hand, stake)
    return total / (sum(counts) * stake)


def award(house: House, hand: str, stake: Cents) -> Fraction:
    """The cents that a hand brings back, its stake included where it comes back."""
    line = house.line("progressive", hand)
    if line is None:
        return Fraction(0)
    pays = line.pays
    if pays.unit == "percent":
        return Fraction(house.meters[pays.meter].reset * pays.win, 100)
    return pays.winnings(stake) + stake


def check_return(draft: Draft, house: House) -> None:
    """A progressive that returns more than the stake is refused unless that is meant."""
    returned = progressive_return(house)
    if returned <= 1 or draft.says("accept_player_edge"):
        return
    choice = draft.form.choice("progressive_basis")
    draft.error(
        "choices.progressive_basis",
        f'"{house.choice("progressive_basis")}" returns {percent(returned * 100)} percent of the '
        f"stake at the reset amounts; choices.accept_player_edge = true says that this is meant "
        f"({choice.reading})",
        clause=choice.clause,
        value=house.choice("progressive_basis"),
        allowed="a return of 100 percent at the most",
    )
