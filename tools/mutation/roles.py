"""Mutants of roles: one more role may give a command, or it needs no post at the table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain

import msgspec

from croupier.table.commands import NoteConduct
from croupier.table.core.dispatch import COMMAND_ROUTES
from croupier.table.core.messages import kind_of
from croupier.table.core.part import CommandSpec
from croupier.table.core.roles import ROLES, STAFF, Role
from tests.clauses.attended.fixtures import round_moments, table_moments, tray_moments
from tests.clauses.attended.fixtures.moments import MOMENTS
from tools.mutation.mutant import Mutant, by_game, of_duties, our_games
from tools.mutation.refusals import resolve_clauses

# Importing them registers their moments.
assert table_moments and tray_moments and round_moments


def attended_acts() -> list[CommandSpec]:
    """The specs of all commands of an attended table."""
    return [plan.spec for plan in COMMAND_ROUTES["attended"].values()]


def install(act: CommandSpec) -> None:
    """Replace the spec of a command in every kind of table."""
    for plans in COMMAND_ROUTES.values():
        plan = plans.get(act.command)
        if plan is not None:
            plans[act.command] = msgspec.structs.replace(plan, spec=act)


def opened(act: CommandSpec, role: Role) -> Mutant:
    """The mutant in which one more role may give the command."""
    return Mutant(
        kind="role",
        name=f"{kind_of(act.command)}: {role}",
        place=f"Act of {act.command.__name__}",
        clauses=clauses_of(act),
        breaks=frozenset() if act.command is NoteConduct else None,  # a note breaks no rule
        hint=f"test_exactly_the_right_people_may[{kind_of(act.command)}",
        apply=partial(install, msgspec.structs.replace(act, roles=(*act.roles, role))),
    )


def without_post(act: CommandSpec) -> Mutant:
    """The mutant in which staff of other tables may give the command."""
    return Mutant(
        kind="role",
        name=f"{kind_of(act.command)}: no post",
        place=f"Act of {act.command.__name__}",
        clauses=clauses_of(act),
        breaks=frozenset() if act.command is NoteConduct else None,  # a note breaks no rule
        hint=f"test_exactly_the_right_people_may[{kind_of(act.command)}",
        apply=partial(install, msgspec.structs.replace(act, needs_no_post=True)),
    )


def clauses_of(act: CommandSpec) -> dict[str, frozenset[str]]:
    """The clauses that name the role, of the documents or else of the regulation.

    Only of games in which the command can occur.
    """
    law: str = getattr(act, "law", "")
    if law:
        return by_game(resolve_clauses([law]))
    games_by_moment = [
        moment.games for name, moment in MOMENTS.items() if name.split()[0] == kind_of(act.command)
    ]
    games = set(chain.from_iterable(games_by_moment)) or {game.key for game in our_games()}
    return by_game(pair for pair in of_duties([act.duty]) if pair[0] in games)


def roles() -> Iterator[Mutant]:
    """Each command with each other role, and with staff of other tables."""
    for act in attended_acts():
        for role in ROLES:
            if role not in act.roles:
                yield opened(act, role)
        if not act.needs_no_post and any(role in STAFF for role in act.roles):
            yield without_post(act)
