"""`ResultDisplay`: how every result is shown in a session or a notebook, tabulated and plotted."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from html import escape
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from os import PathLike
from textwrap import wrap
from typing import TYPE_CHECKING, Any, ClassVar

from croupier.errors import BadInput
from croupier.games.game import load_code

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH = 80  # of a line of text
HTML_WIDTH = 160
INNER_WIDTH = 30  # of a value inside a collection
MOST_LINES = 24
MOST_WRAPPED = 12  # items of a mapping
FRAMES = ("pandas", "polars")
# Named by string: documents build on the analysis, not the other way around.
DRAW = "croupier.documents.charts.figures:draw"
Row = dict[str, Any]


class ResultDisplay:
    """Base class of result records, which are dataclasses or structs.

    `repr` fits one screen: a line per figure, collections shortened. `to_frame` and `plot` serve
    notebooks. `rows_in` names the part that `to_frame` tabulates, `array_columns` the columns of
    parts that are arrays.
    """

    __slots__ = ()
    rows_in: ClassVar[str] = ""
    array_columns: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    def __repr__(self) -> str:
        line = one_line(self, WIDTH + 1)
        if len(line) <= WIDTH:
            return line
        figures = {name: value for name, value in figures_of(self) if not is_empty(value)}
        column = max(map(len, figures)) + 2
        indent, rows = " " * (column + 2), [type(self).__name__]
        for name in figures:
            lines = wrapped(figures[name], WIDTH - len(indent))
            rows.append(f"  {name:{column}}{lines[0]}")
            rows += [indent + line for line in lines[1:]]
        if len(rows) > MOST_LINES:
            rows[MOST_LINES - 1 :] = [f"  ... {len(figures)} figures in all"]
        return "\n".join(rows)

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th style="text-align:left">{escape(name)}</th>'
            f'<td style="text-align:left">{escape(short(value, HTML_WIDTH))}</td></tr>'
            for name, value in figures_of(self)
            if not is_empty(value)
        )
        return f"<table><caption>{escape(type(self).__name__)}</caption>{rows}</table>"

    def to_frame(self, part: str | None = None) -> Any:
        """One part as a pandas data frame, or a Polars one if only Polars is installed.

        A collection has a row per item, the figures themselves are one row (`part=""`). Without
        `part` it is the collection that matters most. Fractions become floats. Raises BadInput for
        an unknown part and ImportError if neither library is installed.

            >>> from croupier import analyze, example
            >>> frame = analyze(example("top_five")).to_frame()  # doctest: +SKIP
        """
        part = self.rows_in if part is None else part
        figures = dict(figures_of(self))
        if part and part not in figures:
            raise BadInput(f"part {part!r}; expected one of: {', '.join(figures)}")
        rows = [scalars(self)] if not part else list(tabulate(self, part, figures[part]))
        columns = dict.fromkeys(chain.from_iterable(rows))
        data = {name: [row.get(name) for row in rows] for name in columns}
        return frame_library().DataFrame(data)

    def plot(self, path: str | PathLike[str] | None = None) -> Figure:
        """Draw the result; with a `path` ending in .svg, .pdf or .png, save it there too.

        Raises BadInput if there is nothing to plot.
        """
        figure: Figure = load_code(DRAW)(self)
        if path is not None:
            figure.savefig(path)
        return figure


def figures_of(result: object) -> Iterator[tuple[str, Any]]:
    """The derived figures of a result, then its fields; without those that are not available."""
    for kind in type(result).__mro__:
        for name, member in vars(kind).items():
            if isinstance(member, property) and not name.startswith("_"):
                with suppress(AssertionError):  # needs a distribution that was not computed
                    yield name, getattr(result, name)
    for name in field_names(result):
        yield name, getattr(result, name)


def is_empty(value: object) -> bool:
    """Whether a value is not worth a line: None, empty text, an empty collection."""
    return value is None or (isinstance(value, str | Mapping | tuple | list) and not value)


def wrapped(value: object, width: int) -> list[str]:
    """A value as lines of text: one, or several for a short mapping to numbers."""
    if (
        isinstance(value, Mapping)
        and len(value) <= MOST_WRAPPED
        and all(map(is_scalar, value.values()))
    ):
        return wrap(describe(value, WIDTH * MOST_WRAPPED), width)
    return [short(value, width)]


def field_names(value: object) -> tuple[str, ...]:
    """The fields of a dataclass, a struct or a named tuple; empty for anything else."""
    if dataclasses.is_dataclass(value):
        return tuple(field.name for field in dataclasses.fields(value))
    names: tuple[str, ...] = getattr(value, "__struct_fields__", getattr(value, "_fields", ()))
    return names


def short(value: object, width: int) -> str:
    """A value as text of at most `width` characters."""
    text = describe(value, width)
    return text if len(text) <= width else f"{text[: width - 3]}..."


def describe(value: object, width: int) -> str:
    """A value as text, of a collection not much more than `width` characters."""
    if isinstance(value, Fraction):
        exact, decimal = str(value), f"{float(value):.6g}"
        if exact == decimal or len(decimal) + len(exact) + 3 > width:
            return decimal
        return f"{decimal} = {exact}"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, ResultDisplay):
        return one_line(value, width)
    if isinstance(value, Mapping):
        items = (f"{describe(key, 20)}: {inner(entry)}" for key, entry in value.items())
        return f"{{{joined(items, len(value), width - 2)}}}"
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        return f"[{joined(map(inner, value), len(value), width - 2)}]"
    if hasattr(value, "shape"):
        return f"array of {' x '.join(map(str, value.shape))}"
    return str(value)


def inner(value: object) -> str:
    """A value inside a collection: fractions as decimals, the rest cut short."""
    return f"{float(value):.6g}" if isinstance(value, Fraction) else short(value, INNER_WIDTH)


def joined(items: Iterable[str], count: int, width: int) -> str:
    """The first items that fit, and how many there are."""
    text, end = "", f", ... {count} in all"
    fitting = ""  # the longest text that leaves room for the end
    for item in items:
        text = f"{text}, {item}" if text else item
        if len(text) > width:
            return (fitting or text[: width - len(end)]) + end
        if len(text) + len(end) <= width:
            fitting = text
    return text


def one_line(result: ResultDisplay, width: int) -> str:
    """A result in the form Name(figure=value, ...), cut off beyond `width`."""
    text = f"{type(result).__name__}("
    for name, value in figures_of(result):
        if len(text) > width:
            return f"{text[: width - 3]}..."
        if is_empty(value):
            continue
        text += f"{'' if text.endswith('(') else ', '}{name}={inner(value)}"
    return f"{text})"


def tabulate(result: ResultDisplay, part: str, value: Any) -> Iterator[Row]:
    """The rows of one part of a result."""
    if hasattr(value, "shape"):
        columns = result.array_columns.get(part, ())
        for row in value.tolist():
            yield dict(zip(columns, row, strict=True))
    elif isinstance(value, Mapping):
        yield from mapping_rows(value)
    elif isinstance(value, Sequence) and not isinstance(value, str) and not field_names(value):
        for item in value:
            yield scalars(item)
    else:
        yield scalars(value)


def mapping_rows(value: Mapping[Any, Any], level: int = 1) -> Iterator[Row]:
    """The rows of a mapping; of mappings in a mapping, the inner rows with all keys."""
    name = "key" if level == 1 else f"key_{level}"
    for key, entry in value.items():
        own = {name: plain(key)}
        if isinstance(entry, Mapping):
            yield from (own | row for row in mapping_rows(entry, level + 1))
        else:
            yield own | scalars(entry)


def scalars(value: object) -> Row:
    """Text, numbers and mappings to numbers of a record, by name; of anything else its value."""
    if not field_names(value):
        return {"value": plain(value)}
    row: Row = {}
    named = (
        figures_of(value)
        if isinstance(value, ResultDisplay)
        else ((name, getattr(value, name)) for name in field_names(value))
    )
    for name, entry in named:
        if is_scalar(entry):
            row[name] = plain(entry)
        elif isinstance(entry, Mapping) and all(
            isinstance(key, str) and is_scalar(number) for key, number in entry.items()
        ):
            row |= {f"{name}_{key}": plain(number) for key, number in entry.items()}
    return row


def is_scalar(value: object) -> bool:
    """Whether a value fits a cell of a table."""
    return value is None or isinstance(value, str | bool | int | float | Fraction)


def plain(value: Any) -> Any:
    """A fraction as a float, anything else as it is."""
    return float(value) if isinstance(value, Fraction) else value


def frame_library() -> Any:
    """pandas, or Polars if that is what is installed."""
    for name in FRAMES:
        if find_spec(name):
            return import_module(name)
    raise ImportError("to_frame needs pandas or Polars; run: pip install pandas", name="pandas")
