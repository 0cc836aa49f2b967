"""Every role opened: somebody else may give the command, or nobody needs a post for it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain

import msgspec

from croupier.table.commands import CallWager
from croupier.table.core.dispatch import COMMAND_ROUTES
from croupier.table.core.messages import kind_of
from croupier.table.core.part import CommandSpec
from croupier.table.core.roles import ROLES, STAFF, Role
from tests.clauses.attended.fixtures import round_moments, table_moments, tray_moments
from tests.clauses.attended.fixtures.moments import MOMENTS
from tools.mutation.mutant import Mutant, by_game, of_duties, our_games
from tools.mutation.refusals import meant

# They enter the moments.
assert table_moments and tray_moments and round_moments


def attended_acts() -> list[CommandSpec]:
    """Every command of an attended table."""
    return [plan.spec for plan in COMMAND_ROUTES["attended"].values()]


def put(act: CommandSpec) -> None:
    """Let the table go by other terms for one command, in every service that has it."""
    for plans in COMMAND_ROUTES.values():
        plan = plans.get(act.command)
        if plan is not None:
            plans[act.command] = msgspec.structs.replace(plan, spec=act)


def opened(act: CommandSpec, role: Role) -> Mutant:
    """One more role may give the command."""
    return Mutant(
        kind="role",
        name=f"{kind_of(act.command)}: {role}",
        place=f"Act of {act.command.__name__}",
        clauses=clauses_of(act),
        hint=f"test_exactly_the_right_people_may[{kind_of(act.command)}",
        apply=partial(put, msgspec.structs.replace(act, roles=(*act.roles, role))),
    )


def without_post(act: CommandSpec) -> Mutant:
    """Anybody of the staff may give the command, whoever serves this table."""
    return Mutant(
        kind="role",
        name=f"{kind_of(act.command)}: no post",
        place=f"Act of {act.command.__name__}",
        clauses=clauses_of(act),
        hint=f"test_exactly_the_right_people_may[{kind_of(act.command)}",
        apply=partial(put, msgspec.structs.replace(act, needs_no_post=True)),
    )


def clauses_of(act: CommandSpec) -> dict[str, frozenset[str]]:
    """Where the documents, or the regulation where they do not, name the person.

    Only of games in which there is a moment for the command at all.
    """
    law: str = getattr(act, "law", "")
    if law:
        return by_game(meant([law]))
    known = [
        found.games for name, found in MOMENTS.items() if name.split()[0] == kind_of(act.command)
    ]
    games = set(chain.from_iterable(known)) or {game.key for game in our_games()}
    return by_game(pair for pair in of_duties([act.duty]) if pair[0] in games)


def roles() -> Iterator[Mutant]:
    """Each command with each role that may not give it, and with people of other tables."""
    for act in attended_acts():
        if act.command is CallWager:
            continue  # refused whoever calls it, under the same clause
        for role in ROLES:
            if role not in act.roles:
                yield opened(act, role)
        if not act.needs_no_post and any(role in STAFF for role in act.roles):
            yield without_post(act)
