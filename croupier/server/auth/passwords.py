"""Passwords and PINs that are refused because they are short or easily guessed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from croupier.errors import BadInput

PASSWORD_MIN = 10
PASSWORD_MAX = 200  # characters; longer ones only cost time
DIFFERENT_MIN = 5  # characters
PIN_MIN, PIN_MAX = 6, 12  # digits
KEYBOARD = ("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "abcdefghijklmnopqrstuvwxyz")
COMMON = frozenset(
    ("password", "letmein", "welcome", "croupier", "casino", "admin", "changeme", "iloveyou")
)


def check_password(password: str, account: str, display_name: str = "") -> None:
    """BadInput for a password that is too short, too long or easily guessed."""
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
        expected = f"{PASSWORD_MIN} to {PASSWORD_MAX} characters"
        raise BadInput(f"password: {expected} expected, got {len(password)}")
    if problem := why_weak(password, (account, display_name, *display_name.split())):
        raise BadInput(f"password: {problem}; choose another one, such as four unrelated words")


def why_weak(password: str, of_owner: Iterable[str]) -> str:
    """Why a password is easily guessed, also by the names of its owner; empty if it is not."""
    folded = password.casefold()
    letters = re.sub(r"[^a-z]", "", folded)
    names = {re.sub(r"[^a-z]", "", name.casefold()) for name in of_owner} - {""}
    if len({*folded}) < DIFFERENT_MIN:
        return f"it has fewer than {DIFFERENT_MIN} different characters"
    if is_run(folded):
        return "it is a row of keys or numbers"
    if any(letters == name * times for name in names for times in range(1, 5)):
        return "it is the name of the account"
    if letters in COMMON or any(letters == word * 2 for word in COMMON):
        return "it is a common word"
    return ""


def is_run(text: str) -> bool:
    """Whether a text goes along a row of keys, forward or backward, perhaps again and again."""
    rows = [row + row for row in KEYBOARD]
    steps = [any(a + b in row or b + a in row for row in rows) or a == b for a, b in pairwise(text)]
    return sum(steps) >= len(steps) - 1


def check_pin(pin: str) -> None:
    """BadInput for a PIN that is not 6 to 12 digits, or easily guessed."""
    if not (pin.isascii() and pin.isdecimal() and PIN_MIN <= len(pin) <= PIN_MAX):
        raise BadInput(f"PIN: {PIN_MIN} to {PIN_MAX} digits expected")
    if len({*pin}) < 3 or is_run(pin):
        raise BadInput("PIN: too easily guessed; choose another one")
