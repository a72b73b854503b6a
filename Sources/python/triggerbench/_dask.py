"""Plays an experiment on a Dask cluster.

The people are divided into shards. A worker plays a shard with `triggerbench simulate`, and this process stores its
part and adds all parts with `triggerbench merge`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import _binary
from ._binary import StrPath, TriggerBenchError
from ._tables import Row

#: The people of a shard: the first one, and the one after the last one.
Shard = tuple[int, int]

#: The key `people` of an experiment at the left margin: a number, or `most` in one line or in a block.
_PEOPLE = re.compile(
    r"^people:[ \t]*(?:"
    r"(\d+)[ \t]*(?:#.*)?$"
    r"|\{[^}\n]*\bmost:[ \t]*(\d+)"
    r"|(?:#.*)?\n(?:[ \t]+.*\n)*?[ \t]+most:[ \t]*(\d+))",
    re.MULTILINE,
)


@dataclass
class Options:
    """The options that define an experiment in addition to its file."""

    allow_paths: list[str]
    settings: Any = None
    seed: int | None = None

    def words(self, *, absolute: bool = False) -> list[str]:
        """Returns the arguments. Absolute paths are valid in the working folder of any worker."""
        paths = [os.path.abspath(path) if absolute else path for path in self.allow_paths]
        return _binary.options(settings=self.settings, seed=self.seed, allow_path=paths)


@dataclass
class Plan:
    """What to play: an experiment and its number of people."""

    file: str
    requested: int | None
    options: Options
    #: The number of people.
    people: int = field(init=False)

    def __post_init__(self) -> None:
        """Reads the number of people from the file if none is requested."""
        self.people = self.requested if self.requested is not None else _people_of(self.file)

    def simulate(self) -> list[str]:
        """Returns the command that plays people, without the people and the output."""
        return ["simulate", os.path.abspath(self.file), *self.options.words(absolute=True)]

    def merge(self, parts: Iterable[Path], output: Sequence[str]) -> list[str]:
        """Returns the command that adds parts."""
        return ["merge", *self.options.words(), *output, "--", self.file, *map(str, parts)]

    def check(self, report: Row) -> None:
        """Checks the number of people that was read from the file: the tool's own command states a different one."""
        if self.requested is None and " --people " in report["command"]:
            raise TriggerBenchError(f"{self.file} requests another number of people than {self.people}; state 'people'")


def _people_of(file: str) -> int:
    try:
        found = _PEOPLE.search(Path(file).read_text(encoding="utf-8"))
    except OSError as problem:
        raise TriggerBenchError(f"cannot read {file}: {problem.strerror}") from None
    if not found:
        raise TriggerBenchError(f"{file} does not state its number of people in a plain form; state 'people'")
    return int(next(filter(None, found.groups())))


def simulate(words: list[str], shard: Shard) -> tuple[bytes, str]:
    """Plays a shard, on a worker. Returns the bytes of the part and the name of the machine."""
    with tempfile.TemporaryDirectory(prefix="triggerbench-") as folder:
        file = Path(folder) / "part.json"
        people = f"{shard[0]}:{shard[1]}"
        _binary.call([*words, "--people", people, "--output", str(file), "--jobs", "1"])
        return file.read_bytes(), os.uname().nodename


@dataclass
class Store:
    """The folder of the finished parts of an experiment. Parts of others are ignored."""

    folder: Path
    #: The experiment and the version of the tool, which all parts have in common.
    identity: tuple[str, str]

    def finished(self, people: int) -> dict[Shard, Path]:
        """Returns stored parts that do not overlap, by shard."""
        parts: dict[Shard, Path] = {}
        for path in sorted(self.folder.glob("*.json")):
            head = _head(path.read_bytes())
            if head and head[0] == self.identity and head[1][1] <= people:
                parts[head[1]] = path
        chosen: dict[Shard, Path] = {}
        end = 0
        for shard in sorted(parts):
            if shard[0] >= end:
                chosen[shard], end = parts[shard], shard[1]
        return chosen

    def add(self, shard: Shard, part: bytes, machine: str) -> None:
        """Stores a part, completely or not at all."""
        if _head(part) != (self.identity, shard):
            raise TriggerBenchError(f"{machine} has other files or another version of triggerbench")
        path = self.folder / f"{shard[0]}-{shard[1]}.json"
        draft = path.with_suffix(".draft")
        draft.write_bytes(part)
        draft.replace(path)


def _head(part: bytes) -> tuple[tuple[str, str], Shard] | None:
    """Returns the identity and the people of a part, or `None` if it is damaged."""
    try:
        document = json.loads(part)
        return (document["experiment"], document["tool"]), (document["people"][0], document["people"][1])
    except (ValueError, KeyError, TypeError, IndexError):
        return None


def missing(finished: Iterable[Shard], people: int, shards: int) -> list[Shard]:
    """Returns the shards that remain to be played.

    Their size is that of `shards` equal ones, except that a shard does not extend over a finished one.
    """
    rest: list[Shard] = []
    end = 0
    for first, after in [*sorted(finished), (people, people)]:
        gap = first - end
        count = min(gap, max(1, round(gap * shards / people)))
        rest += [(end + gap * i // count, end + gap * (i + 1) // count) for i in range(count)]
        end = after
    return rest


def play(
    plan: Plan, client: Any, *, shards: int | None = None, folder: StrPath | None = None, retries: int = 3,
    progress: bool = True,
) -> list[Path]:  # fmt: skip
    """Plays all people on a cluster, and returns the files of the parts.

    A shard of a lost worker is played again. Finished parts are stored, so that a later call plays only the others.
    """
    from distributed import as_completed

    words = plan.simulate()
    # One person, played here, reports errors of the file and gives the identity of the experiment.
    first = _head(simulate(words, (0, 1))[0])
    assert first is not None
    identity = first[0]
    store = Store(Path(folder or Path("reports") / "experiment-parts") / identity[0], identity)
    store.folder.mkdir(parents=True, exist_ok=True)
    threads = sum(client.nthreads().values())
    finished = store.finished(plan.people)
    rest = missing(finished, plan.people, min(plan.people, shards or max(64, 8 * threads)))
    meter = _Meter(progress, plan.people, finished)

    failures: Counter[Shard] = Counter()
    futures = {client.submit(simulate, words, shard, pure=False): shard for shard in rest}
    completed = as_completed(list(futures))
    try:
        for future in completed:
            shard = futures.pop(future)
            try:
                part, machine = future.result()
            except Exception as problem:
                # The shard failed, or its worker was lost several times.
                failures[shard] += 1
                if failures[shard] > retries:
                    raise TriggerBenchError(f"people {shard[0]}:{shard[1]} cannot be played: {problem}") from problem
                again = client.submit(simulate, words, shard, pure=False)
                futures[again] = shard
                completed.add(again)
                continue
            store.add(shard, part, machine)
            meter.add(shard)
    finally:
        client.cancel(list(futures))
        meter.end()
    return [path for _, path in sorted(store.finished(plan.people).items())]


class _Meter:
    """Reports the progress: on a terminal in one line, otherwise at each tenth."""

    def __init__(self, is_shown: bool, people: int, finished: Iterable[Shard]) -> None:
        self.is_shown, self.people = is_shown, people
        self.is_terminal = sys.stderr.isatty()
        self.before = self.done = sum(end - first for first, end in finished)
        self.start = time.monotonic()
        if self.done:
            self.write(f"{self.done:,} of {people:,} people were played before", "\n")

    def add(self, shard: Shard) -> None:
        """Counts a finished shard."""
        tenth = self.done * 10 // self.people
        self.done += shard[1] - shard[0]
        seconds = time.monotonic() - self.start
        left = seconds * (self.people - self.done) / (self.done - self.before)
        text = f"{self.done:,} of {self.people:,} people, about {left:.0f} s left"
        if self.is_terminal:
            self.write(f"\r\033[K{text}")
        elif self.done * 10 // self.people > tenth:
            self.write(text, "\n")

    def end(self) -> None:
        """Clears the line on a terminal."""
        if self.is_terminal:
            self.write("\r\033[K")

    def write(self, text: str, end: str = "") -> None:
        """Writes to standard error."""
        if self.is_shown:
            print(text, end=end, file=sys.stderr, flush=True)


def main(arguments: Sequence[str]) -> int:
    """Runs `python -m triggerbench experiment FILE --dask ADDRESS`, and returns the exit code of the merge."""
    parser = argparse.ArgumentParser(
        "triggerbench experiment", description="Plays an experiment on a Dask cluster, and reports its result."
    )
    parser.add_argument("file", help="a file of the kind experiment; its path is the same on each worker")
    parser.add_argument("--dask", required=True, metavar="ADDRESS", help="the scheduler, such as tcp://10.0.0.1:8786")
    parser.add_argument("--people", type=int, help="the number of people, instead of the file's")
    parser.add_argument("--seed", type=int, help="the random seed, instead of the file's")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="also compare this policy")
    parser.add_argument("--allow-path", action="append", default=[], metavar="DIR", help="also read files from here")
    parser.add_argument("--shards", type=int, help="the number of parts (default: at least 64, and 8 for each thread)")
    parser.add_argument("--parts", metavar="DIR", help="the folder of parts (default: reports/experiment-parts)")
    parser.add_argument("--retries", type=int, default=3, help="how often a part that fails is played again")
    parser.add_argument("--reports", default="reports/experiment", metavar="DIR", help="the folder for the reports")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--require-gates", action="store_true", help="exit with code 5 if a gate is inconclusive")
    given = parser.parse_args(arguments)
    try:
        from distributed import Client
    except ImportError:
        raise TriggerBenchError("--dask needs the package 'distributed': pip install distributed") from None
    settings = dict(word.split("=", 1) for words in given.set for word in words.split(","))
    plan = Plan(given.file, given.people, Options(given.allow_path, settings, given.seed))
    try:
        client = Client(given.dask)
    except OSError as problem:
        raise TriggerBenchError(f"no Dask scheduler answers at {given.dask}: {problem}") from None
    with client:
        parts = play(plan, client, shards=given.shards, folder=given.parts, retries=given.retries)
    output = _binary.options(reports=given.reports, json=given.json, require_gates=given.require_gates)
    code = subprocess.run([_binary.find(), *plan.merge(parts, output)], check=False).returncode
    report = Path(given.reports) / "experiment.json"
    if code in (_binary.OK, _binary.REFUTED, _binary.INCONCLUSIVE):
        plan.check(json.loads(report.read_text(encoding="utf-8")))
    return code
