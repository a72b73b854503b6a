"""Measures the Dask driver on the cores of this machine: `python tests/measure_dask.py EXPERIMENT PEOPLE SHARDS`.

It plays the people in one process with two jobs, and on two workers, in turn. It prints the seconds of each, and the
rate of the workers relative to that of the process, by the best of three times.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import triggerbench
from triggerbench import _dask


def seconds(body: Callable[[], object]) -> float:
    """Returns the duration of a call."""
    start = time.monotonic()
    body()
    return time.monotonic() - start


def main(file: str, people: int, shards: int) -> None:
    """Prints the durations."""
    from distributed import Client, LocalCluster

    single: list[float] = []
    cluster: list[float] = []
    folder = Path(tempfile.mkdtemp(prefix="triggerbench-"))
    whole = ["simulate", file, "--people", f"0:{people}", "--jobs", "2", "--output", str(folder / "whole.json")]
    plan = _dask.Plan(file, people, _dask.Options([]))
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local, Client(local) as client:
        for turn in range(3):
            single.append(seconds(partial(subprocess.run, [triggerbench.find(), *whole], check=True)))
            play = partial(_dask.play, plan, client, shards=shards, folder=folder / str(turn), progress=False)
            cluster.append(seconds(play))
            print(f"one process {single[-1]:.1f} s, two workers {cluster[-1]:.1f} s", flush=True)
    shutil.rmtree(folder)
    print(f"rate of the workers: {min(single) / min(cluster) * 100:.0f} % of the process's")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
