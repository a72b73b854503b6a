"""The tables of an experiment agree with its report, and a cluster gives the bytes of a single run."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

import triggerbench
from triggerbench import _binary, _dask

EXPERIMENT = """\
kind: experiment
version: 1
title: More notifications for those who pay
question: Do they come back more?
population: people.yaml
seed: 1
days: 6
variants:
  paid:
    policy: {dailyCap: 6, minimumInterval: 2 h}
metrics: [tapThrough, firesPerDay, optOuts]
people: 256
sensitivity: none
"""

NAMES = ("experiment.json", "experiment.md", "experiment.html")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an experiment whose people use phones, and the reports of its single run."""
    folder = tmp_path_factory.mktemp("experiment")
    (folder / "my.yaml").write_text(EXPERIMENT)
    (folder / "people.yaml").write_bytes((ROOT / "scenarios/populations/fitme-iphones.yaml").read_bytes())
    done = subprocess.run(
        [triggerbench.find(), "experiment", "my.yaml", "--reports", "single"], cwd=folder, check=False
    )
    assert done.returncode in (0, 5)
    return folder


@pytest.fixture
def here(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The working folder, with the experiment, the reports of its single run, and no parts."""
    for name in ("my.yaml", "people.yaml"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "single").symlink_to(folder / "single")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def assert_same(reports: Path, folder: Path) -> None:
    for name in NAMES:
        assert (reports / name).read_bytes() == (folder / "single" / name).read_bytes(), name


# Tables


def test_estimates_are_those_of_the_report(here: Path) -> None:
    result = triggerbench.experiment("my.yaml")
    assert result.report == json.loads((here / "single/experiment.json").read_text())
    figures = [figure for policy in result.report["policies"] for figure in policy["figures"]]
    estimates: list[dict[str, Any]] = [*as_rows(result.estimates)]
    assert [row["metric"] for row in estimates] == [figure["metric"] for figure in figures]
    for name in ("value", "lower", "upper"):
        assert [row[name] for row in estimates] == [figure[name] / 1_000_000 for figure in figures]
    assert [row["difference"] for row in as_rows(result.differences)] == [
        difference["difference"] / 1_000_000 for difference in result.report["differences"]
    ]


def test_people_add_up_to_the_sums_of_the_report(here: Path, no_pandas: None) -> None:
    result = triggerbench.experiment("my.yaml")
    people: Any = result.people
    assert len(people) == 256 * 2
    for policy in result.report["policies"]:
        mine = [row for row in people if row["policy"] == policy["name"]]
        for name in ("requested", "shown", "tapped", "personDays"):
            assert sum(row[name] for row in mine) == policy[name]


def test_without_rows_people_are_refused(here: Path) -> None:
    result = triggerbench.experiment("my.yaml", people=200, rows=False)
    assert not result.has_people
    with pytest.raises(triggerbench.TriggerBenchError, match="no rows per person"):
        result.people  # noqa: B018


def test_a_wrong_file_is_an_error(here: Path) -> None:
    (here / "my.yaml").write_text(EXPERIMENT.replace("metrics:", "metric:"))
    with pytest.raises(triggerbench.TriggerBenchError, match="did you mean 'metrics'"):
        triggerbench.experiment("my.yaml")


def as_rows(table: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table if isinstance(table, list) else table.to_dict("records")
    return rows


# Shards


@pytest.mark.parametrize(
    ("line", "people"),
    [
        ("people: 256", 256),
        ("people: 256  # enough", 256),
        ("people: {least: 200, most: 3000}", 3000),
        ("people:\n  least: 200\n  # more\n  most: 3000", 3000),
    ],
)
def test_the_number_of_people_is_read_from_the_file(tmp_path: Path, line: str, people: int) -> None:
    (tmp_path / "my.yaml").write_text(EXPERIMENT.replace("people: 256", line))
    assert _dask._people_of(str(tmp_path / "my.yaml")) == people


@pytest.mark.parametrize("line", ["", "people: &count 256", "people: *count", "people: 1_000"])
def test_a_number_in_another_form_must_be_stated(tmp_path: Path, line: str) -> None:
    (tmp_path / "my.yaml").write_text(EXPERIMENT.replace("people: 256", line))
    with pytest.raises(triggerbench.TriggerBenchError, match="state 'people'"):
        _dask._people_of(str(tmp_path / "my.yaml"))


def test_shards_cover_everybody_once_whatever_is_finished() -> None:
    draw = random.Random(1)
    for _ in range(500):
        people = draw.randint(1, 300)
        ends = sorted({0, people, *(draw.randint(0, people) for _ in range(draw.randint(0, 8)))})
        finished = [shard for shard in pairwise(ends) if draw.random() < 0.5]
        shards = draw.randint(1, 80)
        rest = _dask.missing(finished, people, min(people, shards))
        everybody = sorted(person for first, end in [*finished, *rest] for person in range(first, end))
        assert everybody == list(range(people))
        assert finished or len(rest) == min(people, shards)


# The cluster


@pytest.fixture
def client() -> Iterator[Any]:
    """A cluster of two threads in this process, which sees changes of the environment."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def processes() -> Iterator[Any]:
    """A cluster of two worker processes."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.mark.parametrize("shards", [1, 7, 64])
def test_a_cluster_gives_the_bytes_of_the_single_run(here: Path, client: Any, shards: int) -> None:
    result = triggerbench.experiment("my.yaml", client=client, shards=shards, reports="out", progress=False)
    assert_same(here / "out", here)
    assert result.report == json.loads((here / "single/experiment.json").read_text())
    assert not result.has_people
    assert len(list(here.glob("reports/experiment-parts/*/*.json"))) == shards


def when(condition: Callable[[], bool], action: Callable[[], None]) -> threading.Thread:
    """Starts a thread that acts once a condition holds."""

    def watch() -> None:
        while not condition():
            time.sleep(0.01)
        action()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


def parts(folder: Path) -> list[Path]:
    return sorted(folder.glob("reports/experiment-parts/*/*.json"))


def test_the_shards_of_a_killed_worker_are_played_again(here: Path, processes: Any) -> None:
    workers = list(processes.run(os.getpid).values())
    kill = when(lambda: len(parts(here)) >= 5, lambda: os.kill(workers[0], signal.SIGKILL))
    triggerbench.experiment("my.yaml", client=processes, shards=64, reports="out", progress=False)
    kill.join()
    assert_same(here / "out", here)


def test_a_killed_run_continues_with_the_other_shards(here: Path, processes: Any) -> None:
    command = [sys.executable, "-m", "triggerbench", "experiment", "my.yaml", "--dask", processes.scheduler.address]
    run = subprocess.Popen([*command, "--shards", "64", "--reports", "out"], stderr=subprocess.DEVNULL)
    when(lambda: len(parts(here)) >= 5, run.kill).join()
    run.wait()
    before = {path: path.stat().st_mtime_ns for path in parts(here)}
    assert 5 <= len(before) < 64
    # Other sizes of shards are possible, too.
    done = subprocess.run([*command, "--shards", "9", "--reports", "out"], capture_output=True, text=True, check=False)
    assert "people were played before" in done.stderr
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert_same(here / "out", here)


def test_a_failed_shard_is_played_again(here: Path, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    flaky = here / "flaky"
    flaky.write_text(f"""\
#!/bin/sh
case "$*" in *"--people 64:128"*)
  if [ ! -e {here}/failed ]; then touch {here}/failed; echo lost >&2; exit 1; fi
esac
exec {triggerbench.find()} "$@"
""")
    flaky.chmod(0o755)
    monkeypatch.setattr(_binary, "find", lambda: str(flaky))
    with pytest.raises(triggerbench.TriggerBenchError, match="people 64:128 cannot be played: lost"):
        triggerbench.experiment("my.yaml", client=client, shards=4, retries=0, progress=False)
    (here / "failed").unlink()
    triggerbench.experiment("my.yaml", client=client, shards=4, reports="out", progress=False)
    assert (here / "failed").exists()
    assert_same(here / "out", here)


def test_parts_of_another_experiment_are_not_used(here: Path, client: Any) -> None:
    triggerbench.experiment("my.yaml", client=client, shards=4, parts="parts", progress=False)
    [first] = (here / "parts").iterdir()
    other = triggerbench.experiment("my.yaml", client=client, shards=4, seed=2, parts="parts", progress=False)
    assert other.report["seed"] == 2
    assert len(list((here / "parts").iterdir())) == 2
    # A part that is in the wrong folder, and one that was cut off.
    second = next(path for path in (here / "parts").iterdir() if path != first)
    (second / "0-64.json").rename(first / "0-64.json")
    (first / "64-128.json").write_text('{"format": "triggerbench-part"')
    triggerbench.experiment("my.yaml", client=client, shards=4, parts="parts", reports="out", progress=False)
    assert_same(here / "out", here)


def test_a_worker_with_another_version_is_reported(tmp_path: Path) -> None:
    store = _dask.Store(tmp_path, ("1c3b98efd003c59f", "0.1.0"))
    part = {"format": "triggerbench-part", "experiment": "1c3b98efd003c59f", "tool": "0.0.9", "people": [0, 4]}
    with pytest.raises(triggerbench.TriggerBenchError, match="node-7 has other files or another version"):
        store.add((0, 4), json.dumps(part).encode(), "node-7")
    assert list(tmp_path.iterdir()) == []
