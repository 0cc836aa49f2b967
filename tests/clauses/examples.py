"""Example cards for every named hand, and the places where each wager looks for them."""

from __future__ import annotations

from tests.support.rounds import JACKPOT, RUN, TOP, UTH

# Two own cards, three community cards that make the hand, two more, and a losing dealer hand.
HOLDEM: dict[str, tuple[str, str, str, str]] = {
    "royal_flush": ("As Ks", "Qs Js Ts", "2h 5d", "9h 9c"),
    "royal_flush_non_diamonds": ("As Ks", "Qs Js Ts", "2h 5d", "9h 9c"),
    "royal_flush_diamonds": ("Ad Kd", "Qd Jd Td", "2h 5c", "9h 9c"),
    "straight_flush": ("9h 8h", "7h 6h 5h", "2c Kd", "Ac Ad"),
    "four_of_a_kind": ("7s 7h", "7d 7c Kd", "2h 4s", "Ac Ad"),
    "full_house": ("Kh Kd", "Kc 4s 4h", "9d 2c", "Ac Ad"),
    "flush": ("Ah 9h", "6h 4h 2h", "Kc Qd", "Ks Jd"),
    "straight": ("9c 8d", "7h 6s 5c", "Kd 2h", "Ks Jd"),
    "three_of_a_kind": ("Qh Qd", "Qs 8c 3d", "5h Jc", "Ac Ad"),
    "two_pair": ("Jh Jd", "8c 8s 3d", "5h Kc", "9h 9d"),
    "pair_A": ("Ah Ad", "Qs 8c 3d", "5h Jc", "Kc Kd"),
    "pair_K": ("Kh Kd", "Qs 8c 3d", "5h Tc", "9c 9d"),
    "pair_J": ("Jh Jd", "Qs 8c 3d", "5h Kc", "9c 9d"),
    "pair_T": ("Th Td", "Qs 8c 3d", "5h Kc", "9c 9d"),
    "pair_9": ("9h 9d", "Qs 8c 3d", "5h Kc", "7c 7d"),
    "pair_6": ("6h 6d", "Qs 8c 3d", "Th Kc", "2c 2d"),
    "pair_5": ("5h 5d", "Qs 8c 3d", "Th Kc", "2c 2d"),
    "high_card": ("Kh Jd", "8c 5s 3d", "2h 9c", "Td 7c"),
}

# A paytable line that covers several hands is proved at each end of its range.
COVERED: dict[str, tuple[str, ...]] = {
    "less_than_straight": ("three_of_a_kind", "two_pair", "pair_A", "high_card"),
    "pair_tens_or_better": ("pair_A", "pair_T"),
    "pair_jacks_or_better": ("pair_A", "pair_J"),
    "pair_sixes_or_better": ("pair_A", "pair_6"),
    "pair_sixes_to_tens": ("pair_T", "pair_6"),
    "pair_aces_or_kings": ("pair_A", "pair_K"),
    "super_royal_any": ("super_royal_diamonds", "super_royal_non_diamonds"),
}

# Four cards of the Six Card Bonus box with two own ones.
SIX_CARD: dict[str, tuple[str, str]] = {
    "super_royal_diamonds": ("Ad 9d", "Kd Qd Jd Td"),
    "super_royal_non_diamonds": ("As Ks", "Qs Js Ts 9s"),
    "royal_flush": ("As Ks", "Qs Js Ts 2h"),
    "straight_flush": ("9h 8h", "7h 6h 5h 2c"),
    "four_of_a_kind": ("7s 7h", "7d 7c Kd 2h"),
    "full_house": ("Kh Kd", "Kc 4s 4h 9d"),
    "flush": ("Ah 9h", "6h 4h 2h Kc"),
    "straight": ("9c 8d", "7h 6s 5c Kd"),
    "three_of_a_kind": ("Qh Qd", "Qs 8c 3d 5h"),
}

# A board on which the first hand, of the named rank, loses to the second.
BEATEN: dict[str, tuple[str, str, str]] = {
    "straight_flush": ("4h 3h", "9h 8h", "7h 6h 5h 2c Kd"),
    "four_of_a_kind": ("7s 7h", "Ks Kc", "7d 7c Kd Kh 2s"),
    "full_house": ("9h 9s", "Kh Kd", "Kc 4s 4h 9d 2c"),
    "flush": ("9h 8h", "Ah 3h", "6h 4h 2h Kc Qd"),
    "straight": ("8d 4c", "9c 8h", "7h 6s 5c Kd 2h"),
    "three_of_a_kind": ("8h 8d", "Qh Qd", "Qs 8c 3d 5h Jc"),
}

# Two own cards, every kind that a line names.
POCKETS: dict[str, tuple[str, ...]] = {
    "pocket_aces_player_and_dealer": ("As Ac",),
    "pocket_aces": ("As Ac", "Ah Ac"),
    "pocket_aces_hearts_diamonds": ("Ah Ad",),
    "ace_king_suited": ("As Ks",),
    "ace_queen_or_ace_jack_suited": ("Ah Qh", "Ad Jd"),
    "ace_king_offsuit": ("As Kd",),
    "pocket_jacks_queens_kings": ("Kh Kd", "Qc Qs", "Jh Jd"),
    "ace_queen_or_ace_jack_offsuit": ("As Qd", "Jd Ac"),
    "pocket_pair_tens_or_lower": ("Th Td", "2c 2h"),
}

TOP_FIVE: dict[str, str] = {
    "count_7": "As Kd Qh Js Ac Td Th",
    "count_6": "As Kd Qh Js Ac Td 2h",
    "count_5": "As Kd Qh Js Ac 3d 2h",
    "count_4": "As Kd Qh Js 9c 3d 2h",
    "count_3": "As Kd Qh 9s 9c 3d 2h",
    "royal_flush": "As Ks Qs Js Ts 2h 3d",
    "four_of_a_kind": "Qs Qh Qd Qc 2h 3d 4c",
    "full_house": "Ks Kh Kd Js Jd 2h 3c",
    "straight": "As Kd Qh Js Tc 2h 3d",
    "three_of_a_kind": "Ts Th Td Ac 2h 3d 4c",
    "two_pair": "As Ah Ts Td 2h 3d 4c",
    "pair_A": "As Ah 8s 8d 2h 3d 4c",
    "pair_K": "Ks Kh Td 8d 2h 3d 4c",
    "pair_Q": "Qs Qh Td 8d 2h 3d 4c",
    "high_card": "As Kh 8d 7d 2h 3d 4c",
}
TOP_FIVE_DEALER = "9d 8h 7h 6h 5h 4h 3s"  # no live card

ON_POCKET = ("texas_holdem_bonus", "ultimate_pairs", "ultimate_pairs_bonus")
ON_BOARD = ("play_the_board", "five_card_bonus")


def examples(wager: str, line: str) -> list[dict[str, str]]:
    """Example cards for a paytable line by place; "own" are the player's."""
    if wager in ON_POCKET:
        dealer = "Ah Ad" if line == "pocket_aces_player_and_dealer" else ""
        return [{"own": own, "dealer": dealer} for own in POCKETS[line]]
    return [cards for hand in COVERED.get(line, (line,)) for cards in cards_for(wager, hand)]


def cards_for(wager: str, hand: str) -> list[dict[str, str]]:
    """Cards that make the hand at the place where the wager looks."""
    if wager in ("top_five_bonus", "poker_bonus"):
        return [{"own": TOP_FIVE[hand], "dealer": TOP_FIVE_DEALER}]
    if wager == "six_card_bonus":
        own, box = SIX_CARD[hand]
        return [{"own": own, "box": box}]
    if wager == "bad_beat":
        lower, higher, board = BEATEN[hand]
        return [
            {"own": lower, "dealer": higher, "community": board},
            {"own": higher, "dealer": lower, "community": board},
        ]
    own, three, two, dealer = HOLDEM[hand]
    if wager in ON_BOARD:
        return [{"own": two, "community": f"{own} {three}"}]
    if wager in ("first_run", "second_run"):
        return [{"own": own, "community": cross(three, two, wager)}]
    return [{"own": own, "community": f"{three} {two}", "dealer": dealer}]


def cross(line: str, others: str, run: str) -> str:
    """A cross (left, right, top, bottom, center) with three cards on the line of a run."""
    first, center, last = line.split()
    if run == "first_run":
        return f"{first} {last} {others} {center}"
    return f"{others} {first} {last} {center}"


def progressive_example(game: str, hand: str) -> dict[str, str]:
    """Cards that make the hand for the progressive wager of a game."""
    wager = "first_run" if game == RUN else "progressive"
    return cards_for(wager, hand)[0]


# Decisions that reach the showdown.
STAYING = {
    "texas_holdem_bonus": "2x check check",
    TOP: "1x",
    UTH: "check check 1x",
    JACKPOT: "check check 1x",
    RUN: "1x 1x 1x",
}
