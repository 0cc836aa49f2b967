"""Who acts at a table: roles, who stands above whom, and when two people must be two people."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Role: TypeAlias = Literal[
    "dealer", "floorperson", "pit_manager", "player", "surveillance", "system"
]
ROLES: tuple[Role, ...] = (
    "dealer",
    "floorperson",
    "pit_manager",
    "player",
    "surveillance",
    "system",
)
DEALER: tuple[Role, ...] = ("dealer",)
FLOOR: tuple[Role, ...] = ("floorperson", "pit_manager")  # "a floorperson or above"
MANAGER: tuple[Role, ...] = ("pit_manager",)
PLAYER: tuple[Role, ...] = ("player",)
STAFF: tuple[Role, ...] = ("dealer", "floorperson", "pit_manager")


class Person(msgspec.Struct, frozen=True):
    """One human being, or a machine, in one role; the name is what tells two people apart."""

    name: str
    role: Role

    def __str__(self) -> str:
        return f"{self.role} {self.name}"


SYSTEM = Person("system", "system")
