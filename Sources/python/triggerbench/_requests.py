"""Joins the records of a journal to one row per request."""

from __future__ import annotations

from collections.abc import Iterable

from ._tables import Row, pick

COLUMNS = (
    "file", "person", "device", "reminder", "occurrence", "type", "bucket", "priority", "at", "scheduledFor",
    "deliverAt", "expiresAt", "decision", "reason", "blockers", "end", "endReason", "endAt", "surface",
)  # fmt: skip

#: The fields of a request that a later record may change.
_CHANGING = ("type", "bucket", "priority", "scheduledFor", "deliverAt", "expiresAt")


def requests(records: Iterable[Row]) -> list[Row]:
    """Returns a row for each request in a journal, in the order in which they were made.

    `decision` is the scheduler's last decision: `admit`, `deny`, `defer` or `fail`, with its `reason` and all
    `blockers`. `end` says how the request ended: `delivered` (on a `surface`), `refused` by the system,
    `removed` or `dropped` (with `endReason`), or `None` while it is pending.
    """
    rows: list[Row] = []
    latest: dict[tuple[object, ...], Row] = {}
    for record in records:
        if record["track"] not in ("effect", "outcome") or "occurrence" not in record:
            continue
        key = tuple(record.get(name) for name in ("file", "person", "device", "reminder", "occurrence"))
        event, row = record["event"], latest.get(key)
        # A process with an old stored state may decide a request that has ended.
        is_again = row is not None and row["end"] is not None and event in ("decided", "dropped")
        if event == "request" or (row is None and event == "decided") or is_again:
            before = row if is_again else None
            row = _made(record, before)
            rows.append(row)
            latest[key] = row
        if row is None:
            continue
        if event == "repeated" and row["end"] is not None:
            row = _made(record, row) | pick(row, "decision")
            rows.append(row)
            latest[key] = row
        _apply(record, row)
    return rows


def _made(record: Row, before: Row | None) -> Row:
    """Returns the row of a new request, with the fields of the one `before` it that has the same number."""
    made = {**dict.fromkeys(COLUMNS), **pick(record, "file", "person", "device", "reminder", "occurrence")}
    return {**made, **pick(before or {}, *_CHANGING), "at": record["t"], "blockers": []}


def _apply(record: Row, row: Row) -> None:
    """Updates the row of a request with one of its records."""
    event = record["event"]
    if event in ("request", "decided", "repeated"):
        row.update((key, record[key]) for key in _CHANGING if key in record)
    if event == "decided":
        row.update(decision=record["outcome"], reason=record.get("reason"), blockers=record["blockers"])
    elif event == "delivered":
        row.update(end=event, endAt=record["t"], surface=record["surface"])
    elif event == "removed" and record["reason"] == "quietHours" and row["decision"] == "admit":
        # Quiet hours end at another time than when the request was handed over.
        row.update(decision="defer", reason="quietHours")
    elif event in ("removed", "dropped", "refused"):
        row.update(end=event, endReason=record["reason"], endAt=record["t"])
