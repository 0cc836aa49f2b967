"""Commands that are mostly wrong: another person, another value, or anything at all."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from croupier.cards import NAMES
from croupier.table import Account, Command, Table
from croupier.table.parts import corrections, house_binding

PLAYERS = ("ada", "ben", "cleo", "dan", "eve", "fay", "gus")
WORDS = ("fold", "check", "1x", "2x", "3x", "4x", "", "late", "deck", "deck 2", "red", "blue")
THINGS = ("shuffler", "shoe", "progressive", "signed", "as", "10h", *NAMES[:3])
AMOUNTS = (-1, 0, 1, 2, 3, 6, 7, 9, 10, 37, 51, 52, 500, 1000, 10**9)
# Commands that no step proposes.
OFFICE = {spec.command for spec in (*house_binding.COMMANDS, *corrections.COMMANDS)}


class InvalidCommands:
    """Wrong commands for one table, all from one source of chance."""

    def __init__(self, table: Table, cast: tuple[Account, ...], rng: Random) -> None:
        self.rng, self.cast = rng, cast
        self.kinds = [spec.command for spec in table.command_specs() if spec.command not in OFFICE]
        self.wagers = [wager.name for wager in table.house.game.wagers]

    def mutated(self, command: Command, by: Account) -> tuple[Command, Account]:
        """The same by another person, or with another value in one field."""
        fields = command.__struct_fields__
        if not fields or self.rng.random() < 0.4:
            return command, self.rng.choice(self.cast)
        name = self.rng.choice(fields)
        value = self.like(getattr(command, name))
        return msgspec.structs.replace(command, **{name: value}), by

    def invented(self) -> tuple[Command, Account]:
        """Any command, with any values of the declared types, by anybody."""
        kind = self.rng.choice(self.kinds)
        info = msgspec.inspect.type_info(kind)
        assert isinstance(info, msgspec.inspect.StructType)
        values = {field.name: self.of(field.type) for field in info.fields}
        return kind(**values), self.rng.choice(self.cast)

    def of(self, kind: msgspec.inspect.Type) -> Any:
        """Some value of a declared type."""
        match kind:
            case msgspec.inspect.IntType():
                return self.like(1)
            case msgspec.inspect.BoolType():
                return self.like(True)
            case msgspec.inspect.StrType():
                return self.like("")
            case msgspec.inspect.LiteralType():
                return self.rng.choice(kind.values)
            case msgspec.inspect.DictType():
                return self.like({})
            case msgspec.inspect.UnionType():
                return self.of(self.rng.choice(kind.types))
            case msgspec.inspect.NoneType():
                return None
            case msgspec.inspect.VarTupleType():
                return self.like(())
            case msgspec.inspect.StructType():
                return self.rng.choice(self.cast)
        raise AssertionError(f"no value of {kind}")

    def like(self, value: Any) -> Any:
        """Some value of the same type."""
        rng = self.rng
        match value:
            case bool():
                return rng.choice((True, False))
            case int() | None:
                return rng.choice(AMOUNTS)
            case str():
                return rng.choice((*WORDS, *PLAYERS, *THINGS))
            case Account():
                return rng.choice(self.cast)
            case tuple():
                return tuple(rng.sample(NAMES, rng.randrange(4)))
            case dict():
                picked = rng.sample(self.wagers, rng.randrange(4))
                return {name: rng.choice((0, 100, 500, 1000, 1001, 10**7)) for name in picked}
        raise AssertionError(f"nothing is like {value!r}")
