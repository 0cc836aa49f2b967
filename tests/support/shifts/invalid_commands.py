"""Random commands that are mostly invalid: another account, another value, or any command."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from croupier.cards import NAMES
from croupier.table import Account, Command, Table
from croupier.table.parts import corrections, house_binding

PLAYERS = ("ada", "ben", "cleo", "dan", "eve", "fay", "gus")
WORDS = ("fold", "check", "1x", "2x", "3x", "4x", "", "late", "deck", "deck 2", "red", "blue")
NAMES_OF_THINGS = ("shuffler", "shoe", "progressive", "signed", "as", "10h", *NAMES[:3])
AMOUNTS = (-1, 0, 1, 2, 3, 6, 7, 9, 10, 37, 51, 52, 500, 1000, 10**9)
# Commands that no step proposes.
OFFICE = {spec.command for spec in (*house_binding.COMMANDS, *corrections.COMMANDS)}


class InvalidCommands:
    """A generator of mostly invalid commands for one table, from one random source."""

    def __init__(self, table: Table, accounts: tuple[Account, ...], rng: Random) -> None:
        self.rng, self.accounts = rng, accounts
        self.kinds = [spec.command for spec in table.command_specs() if spec.command not in OFFICE]
        self.wagers = [wager.name for wager in table.house.game.wagers]

    def mutated(self, command: Command, by: Account) -> tuple[Command, Account]:
        """Return the command from another account, or with another value in one field."""
        fields = command.__struct_fields__
        if not fields or self.rng.random() < 0.4:
            return command, self.rng.choice(self.accounts)
        name = self.rng.choice(fields)
        value = self.value_like(getattr(command, name))
        return msgspec.structs.replace(command, **{name: value}), by

    def invented(self) -> tuple[Command, Account]:
        """Return any command, with any values of the declared types, from any account."""
        kind = self.rng.choice(self.kinds)
        info = msgspec.inspect.type_info(kind)
        assert isinstance(info, msgspec.inspect.StructType)
        values = {field.name: self.value_of(field.type) for field in info.fields}
        return kind(**values), self.rng.choice(self.accounts)

    def value_of(self, kind: msgspec.inspect.Type) -> Any:
        """Return a random value of a declared type."""
        match kind:
            case msgspec.inspect.IntType():
                return self.value_like(1)
            case msgspec.inspect.BoolType():
                return self.value_like(True)
            case msgspec.inspect.StrType():
                return self.value_like("")
            case msgspec.inspect.LiteralType():
                return self.rng.choice(kind.values)
            case msgspec.inspect.DictType():
                return self.value_like({})
            case msgspec.inspect.UnionType():
                return self.value_of(self.rng.choice(kind.types))
            case msgspec.inspect.NoneType():
                return None
            case msgspec.inspect.VarTupleType():
                return self.value_like(())
            case msgspec.inspect.StructType():
                return self.rng.choice(self.accounts)
        raise AssertionError(f"no value of {kind}")

    def value_like(self, value: Any) -> Any:
        """Return a random value of the same type."""
        rng = self.rng
        match value:
            case bool():
                return rng.choice((True, False))
            case int() | None:
                return rng.choice(AMOUNTS)
            case str():
                return rng.choice((*WORDS, *PLAYERS, *NAMES_OF_THINGS))
            case Account():
                return rng.choice(self.accounts)
            case tuple():
                return tuple(rng.sample(NAMES, rng.randrange(4)))
            case dict():
                picked = rng.sample(self.wagers, rng.randrange(4))
                return {name: rng.choice((0, 100, 500, 1000, 1001, 10**7)) for name in picked}
        raise AssertionError(f"no value like {value!r}")
