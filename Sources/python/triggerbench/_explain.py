"""Explains why a reminder did or did not fire."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import cached_property
from typing import Any

from . import _binary
from ._binary import StrPath
from ._tables import Row
from .engine import Engine, command_of


class Explanation:
    """The answer of `triggerbench explain`."""

    def __init__(self, ask: Callable[[bool], str]) -> None:
        self._ask = ask
        #: The answer as text, which `str()` returns too.
        self.text = ask(False).rstrip("\n")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    @cached_property
    def data(self) -> Row:
        """The answer as a JSON document. The first access calls the tool again."""
        data: Row = json.loads(self._ask(True))
        return data

    @property
    def smallest_change(self) -> str | None:
        """The smallest change that would make the reminder fire, or `None` if there is none or it fired."""
        change: str | None = self.data.get("smallestChange")
        return change


def explain(
    file: StrPath,
    reminder: str | None = None,
    at: str | None = None,
    *,
    plan: bool = False,
    person: int | None = None,
    engine: str | Engine | Callable[..., Any] | None = None,
    allow_paths: Iterable[StrPath] = (),
) -> Explanation:
    """Explains why a reminder did or did not fire, and the smallest change that would make it fire.

    Args:
        file: A scenario file, or with `person` a population.
        reminder: The reminder's id; not with `plan`.
        at: The phone's local time, such as `2026-03-02 17:40` or `day 2 17:40`.
        plan: Explain which requests should be pending at that time instead.
        person: The person of the population.
        engine: The engine to explain, as in `triggerbench.run`.
        allow_paths: Folders that the file may refer to, in addition to its own.
    """
    about = [*_binary.path_list(file), *([reminder] if reminder else [])]
    allowed = list(allow_paths)

    def ask(as_json: bool) -> str:
        with ExitStack() as stack:
            arguments = _binary.options(
                at=at, plan=plan, person=person, engine=command_of(engine, stack), allow_path=allowed, json=as_json
            )
            return _binary.call(["explain", *arguments, "--", *about]).stdout

    return Explanation(ask)
