"""Rows, and DataFrames of them where pandas is installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import TypeAlias

    import pandas

    #: A DataFrame; without pandas it is a list of dicts. `rows` returns such a list in both cases.
    Table: TypeAlias = pandas.DataFrame

Row = dict[str, Any]

#: The columns with instants. Other times are wall-clock times, which stay texts.
INSTANTS = ("at", "t", "endAt")


def table(rows: Sequence[Row], columns: Iterable[str]) -> Table:
    """Returns rows as a DataFrame, or unchanged if pandas is not installed.

    The named columns come first, and exist even if there are no rows.
    """
    try:
        import pandas
    except ImportError:
        return rows  # type: ignore[return-value]
    others = dict.fromkeys(key for row in rows for key in row)
    frame = pandas.DataFrame(rows, columns=[*dict.fromkeys([*columns, *others])])
    for name in INSTANTS:
        if name in frame:
            frame[name] = pandas.to_datetime(frame[name], utc=True, format="ISO8601")
    return frame


def pick(source: Mapping[str, Any], *names: str) -> Row:
    """Returns the named values; a missing one is `None`."""
    return {name: source.get(name) for name in names}
