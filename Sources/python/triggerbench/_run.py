"""Replays scenarios, and reads the report and the journal of the run."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from . import _binary
from ._binary import StrPath
from ._requests import COLUMNS as REQUEST_COLUMNS
from ._requests import requests as join_requests
from ._tables import Row, pick, table
from .engine import Engine, command_of

if TYPE_CHECKING:
    from ._tables import Table

#: The tables of a run.
TableName = Literal["fires", "requests", "events", "metrics", "expectations"]

_FIRES = ("file", "reminder", "occurrence", "at", "local", "exposure", "response")
_METRICS = ("file", "reminder", "name", "numerator", "denominator", "value", "unknown", "text", "evidence")
_EVENTS = ("file", "track", "event", "t", "wall", "zone", "boot", "uptime", "person", "device")
_EXPECTATIONS = ("file", "line", "column", "text", "verdict", "got", "nearest", "reasons")


@dataclass(frozen=True)
class Failure:
    """A failed expectation, a gate that ended in 'kill', or an error in a file."""

    file: str
    #: The line in the file, counted from 1, or `None` if the failure has no place.
    line: int | None
    column: int | None
    message: str
    #: What was expected, and what happened. Empty for errors.
    expected: str = ""
    got: str = ""
    #: The nearest fire.
    nearest: str = ""
    #: Why the reminder did not fire.
    reasons: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The file, line and column, such as `milk.yaml:22:5`."""
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)

    def __str__(self) -> str:
        """The words of the command line."""
        lines = [("expected", self.expected), ("got", self.got), ("nearest", self.nearest)]
        lines += [("" if index else "because", reason) for index, reason in enumerate(self.reasons)]
        return "\n".join([f"{self.place}: {self.message}"] + [f"  {a:9} {b}" for a, b in lines if b])


class RunResult:
    """The result of a run. The report and the journal of the run are its only sources.

    Each table is a DataFrame, or a list of dicts if pandas is not installed. `rows` returns the list in both cases.
    """

    def __init__(self, report: Row, exit_code: int, messages: str, journal: Path) -> None:
        #: The document `report.json`. `triggerbench schema --report` describes it.
        self.report = report
        self.exit_code = exit_code
        #: The warnings and errors that the tool printed.
        self.messages = messages
        self._journal = journal

    def __repr__(self) -> str:
        return f"<RunResult of {self.report['command']!r}: {self.report['verdict']}>"

    @property
    def passed(self) -> bool:
        """Whether all expectations and gates hold, and all files can be used."""
        return self.exit_code == _binary.OK

    @cached_property
    def failures(self) -> list[Failure]:
        """The failed expectations and gates, and the errors of files, each with its file and line."""
        return failures_of(self.report)

    @cached_property
    def fires(self) -> Table:
        """The notifications that were delivered, in the order of the report. `exposure` says who could see them."""
        return table(self.rows("fires"), _FIRES)

    @cached_property
    def requests(self) -> Table:
        """The requests of the engine.

        `decision` is the scheduler's last decision, with its `reason` and all `blockers`. `end` says how the request
        ended: `delivered`, `refused` by the system, `removed` or `dropped` (with `endReason`), or `None` while it is
        pending. The `endReason` `superseded` means that a later plan replaced the request.
        """
        return table(self.rows("requests"), REQUEST_COLUMNS)

    @cached_property
    def events(self) -> Table:
        """The events that happened (track `truth`) and that the app observed (track `observed`)."""
        return table(self.rows("events"), _EVENTS)

    @cached_property
    def metrics(self) -> Table:
        """The metrics of each scenario, and of each of its reminders; `reminder` is `None` for all together."""
        return table(self.rows("metrics"), _METRICS)

    @cached_property
    def expectations(self) -> Table:
        """The expectations with their lines and verdicts."""
        return table(self.rows("expectations"), _EXPECTATIONS)

    def rows(self, name: TableName) -> list[Row]:
        """Returns a table as a list of dicts, whether pandas is installed or not."""
        makers: dict[TableName, Callable[[], list[Row]]] = {
            "fires": lambda: [{**pick(fire, *_FIRES), "file": file} for file, fire in self._each("fires")],
            "requests": lambda: join_requests(self.journal()),
            "events": lambda: [record for record in self.journal() if record["track"] in ("truth", "observed")],
            "metrics": self._metrics,
            "expectations": lambda: [
                {**pick(item, *_EXPECTATIONS), "file": file} for file, item in self._each("expectations")
            ],
        }
        return makers[name]()

    def journal(self) -> Iterator[Row]:
        """Yields the records of the journal, each with its `file`. `triggerbench schema --journal` describes them."""
        file = ""
        with self._journal.open(encoding="utf-8") as lines:
            for line in lines:
                record: Row = json.loads(line)
                if "track" in record:
                    yield {"file": file, **record}
                else:
                    file = record.get("file", file)

    def _each(self, key: str) -> Iterator[tuple[str, Row]]:
        for scenario in self.report["scenarios"]:
            for item in scenario[key]:
                yield scenario["file"], item

    def _metrics(self) -> list[Row]:
        rows: list[Row] = []
        for scenario in self.report["scenarios"]:
            for reminder in [{"id": None, **pick(scenario, "metrics")}, *scenario["reminders"]]:
                for metric in reminder.get("metrics", []):
                    row = {**pick(metric, *_METRICS), "file": scenario["file"], "reminder": reminder["id"]}
                    row["value"] = row["numerator"] / row["denominator"] if row["denominator"] else None
                    rows.append(row)
        return rows


def failures_of(report: Mapping[str, Any]) -> list[Failure]:
    """Returns the failures in a report."""
    failures = [
        Failure(
            error["file"], error.get("line"), error.get("column"),
            "; ".join([f"{error['severity']}: {error['message']}", *filter(None, [error.get("hint")])]),
        )
        for error in report["errors"]
    ]  # fmt: skip
    for scenario in report["scenarios"]:
        file = scenario["file"]
        for item in scenario["expectations"]:
            if item["verdict"] != "passed":
                failures.append(
                    Failure(
                        file, item["line"], item["column"], "expectation failed", item["text"], item["got"],
                        item.get("nearest", ""), tuple(item.get("reasons", ())),
                    )
                )  # fmt: skip
        for why in scenario["contradictions"]:
            failures.append(Failure(file, None, None, f"the accounts do not close: {why}"))
        failures += [_killed(file, gate) for gate in scenario["gates"] if gate["fails"]]
    failures += [_killed("the gates of all scenarios", gate) for gate in report["gates"] if gate["fails"]]
    return failures


def _killed(file: str, gate: Row) -> Failure:
    return Failure(file, None, None, f"gate '{gate['name']}' ended in '{gate['verdict']}': {gate['text']}")


def run(
    paths: StrPath | Iterable[StrPath] = "scenarios",
    *,
    engine: str | Engine | Callable[..., Any] | None = None,
    filter: str | None = None,
    profile: str | None = None,
    seed: int | None = None,
    person: int | None = None,
    settings: Mapping[str, object] | None = None,
    allow_paths: Iterable[StrPath] = (),
    reports: StrPath | None = None,
    require_gates: bool = False,
) -> RunResult:
    """Replays scenarios, and checks their expectations.

    A failed expectation is a result, not an exception: see `RunResult.passed` and `RunResult.failures`.

    Args:
        paths: Scenario files, or folders to search for them.
        engine: The engine under test: a command, or a Python callable (see `triggerbench.Engine`). By default it is
            the built-in engine.
        filter: Only files whose path contains this text.
        profile: The platform profile, instead of the files' profiles: `ideal`, `ios` or `android`.
        seed: The random seed, instead of the files' seeds.
        person: Replay this person of each population, and skip other files.
        settings: Settings that replace those of the files, such as `{"policy.minimumInterval": "3h"}`.
        allow_paths: Folders that files may refer to, in addition to their own.
        reports: The folder for the reports. By default no reports are kept.
        require_gates: Whether an inconclusive gate fails the run.

    Raises:
        TriggerBenchError: There is nothing to run, or an argument is wrong.
    """
    folder = Path(tempfile.mkdtemp(prefix="triggerbench-"))
    try:
        with ExitStack() as stack:
            arguments = _binary.options(
                engine=command_of(engine, stack), filter=filter, profile=profile, seed=seed, person=person,
                settings=settings, allow_path=[os.fspath(path) for path in allow_paths], require_gates=require_gates,
                reports=reports if reports is not None else folder / "reports", journal=folder / "journal.ndjson",
            )  # fmt: skip
            result = RunResult(*call_run(arguments, paths), folder / "journal.ndjson")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    # The journal is read on demand, so it lives as long as the result.
    weakref.finalize(result, shutil.rmtree, str(folder), ignore_errors=True)
    return result


def call_run(arguments: list[str], paths: StrPath | Iterable[StrPath]) -> tuple[Row, int, str]:
    """Calls `triggerbench run`, and returns the report, the exit code and the messages."""
    done = _binary.call(
        ["run", "--json", *arguments, "--", *_binary.path_list(paths)],
        accepting=(_binary.OK, _binary.FAILED, _binary.REFUTED, _binary.INCONCLUSIVE),
    )
    if not done.stdout.strip():
        raise _binary.failure(done)
    return json.loads(done.stdout), done.returncode, done.stderr
