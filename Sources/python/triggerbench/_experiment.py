"""Compares policies over many people."""

from __future__ import annotations

import csv
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _binary
from ._binary import StrPath
from ._tables import Row, table

if TYPE_CHECKING:
    from ._tables import Table

_ESTIMATES = ("policy", "metric", "value", "lower", "upper", "numerator", "denominator", "people", "method")
_DIFFERENCES = ("policy", "metric", "difference", "lower", "upper", "people", "differing", "lack")
_PEOPLE = (
    "person", "policy", "requested", "shown", "tapped", "dismissed", "optedOut", "opens", "organicOpens", "personDays",
)  # fmt: skip

#: The report states these figures in millionths.
_MILLIONTHS = ("value", "difference", "lower", "upper")

ACCEPTED = (_binary.OK, _binary.REFUTED, _binary.INCONCLUSIVE)


class ExperimentResult:
    """The result of an experiment. Each table is a DataFrame, or a list of dicts if pandas is not installed."""

    def __init__(self, report: Row, exit_code: int, messages: str, people: list[Row] | None) -> None:
        #: The document `experiment.json`.
        self.report = report
        #: 0; 2 if a gate ended in 'kill'; 5 if the intervals are wider than requested.
        self.exit_code = exit_code
        #: The warnings that the tool printed.
        self.messages = messages
        self._people = people

    def __repr__(self) -> str:
        return f"<ExperimentResult of {self.report['command']!r}: {self.report['people']} people>"

    @property
    def passed(self) -> bool:
        """Whether no gate ended in 'kill', and the intervals are as narrow as requested."""
        return self.exit_code == _binary.OK

    @cached_property
    def estimates(self) -> Table:
        """The metrics of each policy, with their 95 % intervals."""
        rows = [
            {"policy": policy["name"], **_units(figure)}
            for policy in self.report["policies"]
            for figure in policy["figures"]
        ]
        return table(rows, _ESTIMATES)

    @cached_property
    def differences(self) -> Table:
        """The differences of each policy from the base, with their 95 % intervals."""
        return table([_units(difference) for difference in self.report["differences"]], _DIFFERENCES)

    @property
    def has_people(self) -> bool:
        """Whether there are rows per person: parts from several machines have only sums."""
        return self._people is not None

    @cached_property
    def people(self) -> Table:
        """A row for each person and policy.

        Raises:
            TriggerBenchError: The experiment ran on a cluster, or with `rows=False`.
        """
        if self._people is None:
            raise _binary.TriggerBenchError(
                "there are no rows per person: they need a run without a cluster, and with rows=True"
            )
        return table(self._people, _PEOPLE)


def _units(figure: Mapping[str, Any]) -> Row:
    return {key: value / 1_000_000 if key in _MILLIONTHS else value for key, value in figure.items()}


def experiment(
    file: StrPath,
    *,
    people: int | None = None,
    seed: int | None = None,
    settings: Mapping[str, object] | None = None,
    allow_paths: Iterable[StrPath] = (),
    jobs: int | None = None,
    reports: StrPath | None = None,
    require_gates: bool = False,
    rows: bool = True,
    client: Any = None,
    shards: int | None = None,
    parts: StrPath | None = None,
    retries: int = 3,
    progress: bool = True,
) -> ExperimentResult:
    """Estimates the effect of policy changes on people.

    Args:
        file: A file of the kind experiment.
        people: The maximum number of people, instead of the file's.
        seed: The random seed, instead of the file's.
        settings: One more policy to compare, such as `{"policy.minimumInterval": "3h"}`.
        allow_paths: Folders that the file may refer to, in addition to its own.
        jobs: The number of parallel jobs of this machine. By default it is the number of cores.
        reports: The folder for the reports. By default no reports are kept.
        require_gates: Whether an inconclusive gate gives the exit code 5.
        rows: Whether to keep a row for each person and policy.
        client: A Dask client. The people are then played by its cluster. The package must be installed on each
            worker, and the file must have the same path there.
        shards: The number of parts for the cluster. By default it is at least 64, and 8 for each thread.
        parts: The folder for finished parts; a later call plays only those that it does not contain. By default it is
            a folder of `reports/experiment-parts` for each experiment.
        retries: How often a part that fails is played again.
        progress: Whether to report the progress of the cluster on standard error.

    Raises:
        TriggerBenchError: The file cannot be used.
    """
    what: dict[str, Any] = {"settings": settings, "seed": seed}
    allowed = [os.fspath(path) for path in allow_paths]
    with tempfile.TemporaryDirectory(prefix="triggerbench-") as folder:
        output = _binary.options(
            json=True, reports=reports if reports is not None else Path(folder) / "reports", jobs=jobs,
            require_gates=require_gates,
        )  # fmt: skip
        if client is not None:
            from . import _dask

            plan = _dask.Plan(os.fspath(file), people, _dask.Options(allowed, **what))
            finished = _dask.play(plan, client, shards=shards, folder=parts, retries=retries, progress=progress)
            done = _binary.call(plan.merge(finished, output), accepting=ACCEPTED)
            result = ExperimentResult(json.loads(done.stdout), done.returncode, done.stderr, None)
            plan.check(result.report)
            return result
        csv_file = Path(folder) / "people.csv" if rows else None
        words = _binary.options(**what, allow_path=allowed, people=people, csv=csv_file)
        done = _binary.call(["experiment", *output, *words, "--", *_binary.path_list(file)], accepting=ACCEPTED)
        each = _read_people(csv_file) if csv_file else None
    return ExperimentResult(json.loads(done.stdout), done.returncode, done.stderr, each)


def _read_people(file: Path) -> list[Row]:
    with file.open(encoding="utf-8", newline="") as lines:
        return [
            {key: value if key == "policy" else int(value) for key, value in row.items()}
            for row in csv.DictReader(lines)
        ]
