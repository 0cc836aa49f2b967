"""Samples of stored events, one file per kind: `python -m tests.ledger.sampling` adds missing ones.

A sample that exists is never written again: it stands for events that are on disks somewhere.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from croupier.ledger import codec
from croupier.table.events import Event

FOLDER = Path(__file__).parent / "samples"


def load(kind: str) -> list[dict[str, Any]]:
    """The samples of a kind, one per schema: its shape and an event."""
    path = FOLDER / f"{kind}.json"
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.exists() else []
    return found


def shape(kind: type[Event]) -> dict[str, Any]:
    """The fields with their types and whether they may be missing; prose left out."""
    bare: dict[str, Any] = json.loads(json.dumps(_bare(msgspec.json.schema(kind))))
    return bare


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _bare(v) for k, v in value.items() if k not in ("description", "title")}
    return [_bare(each) for each in value] if isinstance(value, list) else value


def make(kind: type[Event]) -> dict[str, Any]:
    """An event of this kind with a value in every field."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    fields = {field.name: _value(field.name, field.type) for field in info.fields}
    fields["schema"] = codec.SCHEMAS[str(info.tag)]
    event = msgspec.convert(fields | {"kind": info.tag}, kind)
    told: dict[str, Any] = json.loads(msgspec.json.encode(event, order="sorted"))
    return told


def _value(name: str, kind: Any) -> Any:
    match kind:
        case msgspec.inspect.BoolType():
            return True
        case msgspec.inspect.IntType():
            return 7
        case msgspec.inspect.StrType():
            return f"a {name}"
        case msgspec.inspect.LiteralType():
            return kind.values[0]
        case msgspec.inspect.UnionType():
            return _value(name, kind.types[0])
        case msgspec.inspect.DictType():
            return {
                "ante" if "int" not in str(kind.key_type).lower() else 1: _value(
                    name, kind.value_type
                )
            }
        case msgspec.inspect.VarTupleType() | msgspec.inspect.ListType():
            return [_value(name, kind.item_type)]
        case msgspec.inspect.StructType():
            return {field.name: _value(field.name, field.type) for field in kind.fields}
        case msgspec.inspect.AnyType():
            return "anything"
    raise AssertionError(f"no sample for {name}: {kind}")


def main() -> None:
    """Add what is missing."""
    FOLDER.mkdir(exist_ok=True)
    for tag, kind in codec.KINDS.items():
        samples = load(tag)
        if codec.SCHEMAS[tag] in [sample["event"]["schema"] for sample in samples]:
            continue
        samples.append({"event": make(kind), "shape": shape(kind)})
        text = json.dumps(samples, indent=1, sort_keys=True, ensure_ascii=False)
        (FOLDER / f"{tag}.json").write_text(text + "\n", "utf-8")
        print(f"added {tag} schema {codec.SCHEMAS[tag]}")


if __name__ == "__main__":
    main()
