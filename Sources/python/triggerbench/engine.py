"""Python callables as engines under test.

    import triggerbench

    def water(event, app):
        if event["event"] == "unlock" and 9 <= int(event["wall"][11:13]) < 18:
            yield triggerbench.request("water")

    triggerbench.run("water.yaml", engine=water)

In a process of its own, for `triggerbench run --engine "python water.py"`, end the file with

    if __name__ == "__main__":
        triggerbench.serve(water)

The wire form is documented in the article "The wire form" of TestBench, and in `scenarios/engines/README.md`.
"""

from __future__ import annotations

import base64
import contextlib
import json
import shlex
import socket
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from ._tables import Row, pick

Event = Row
Effect = Row


@dataclass
class App:
    """The app's process, as the callables of an engine see it."""

    #: The declarations of the scenario in their long forms.
    scenario: Row = field(default_factory=dict)
    #: The permission to notify, such as `authorized` or `denied`.
    permission: str = "notDetermined"
    #: The state that the phone stores for the app: values of JSON. It survives a restart of the app, except if the
    #: scenario loses or damages it.
    memory: dict[str, Any] = field(default_factory=dict)


#: Called with each event that the app observes. Yields effects, such as `request("water")`.
Match = Callable[[Event, App], "Iterable[Effect] | None"]
#: Called with each request, at the end of its instant. Returns `None` to admit it, or the reason to deny it.
Decide = Callable[[Effect, Event, App], "str | None"]


@dataclass(frozen=True)
class Engine:
    """An engine of one or two Python callables. The built-in engine does the half for which there is none.

    `match` determines which reminders request a notification. It is not called while the app's store is locked.
    `decide` decides on requests; it can admit or deny them, but not defer them.
    """

    match: Match | None = None
    decide: Decide | None = None
    name: str = "python"

    def __post_init__(self) -> None:
        """Rejects an engine that does nothing."""
        if self.match is None and self.decide is None:
            raise ValueError("an engine needs 'match', 'decide' or both")

    def serve(self) -> None:
        """Answers the bench on standard input and output until it ends the process.

        `print` writes to standard error meanwhile.
        """
        with open(0, "rb", closefd=False) as source, open(1, "wb", closefd=False) as sink:
            with contextlib.redirect_stdout(sys.stderr):
                _Session(self).serve(source, sink)


def serve(match: Match | None = None, decide: Decide | None = None) -> None:
    """Answers the bench with an engine of these callables. See `Engine`."""
    Engine(match, decide).serve()


def request(reminder: str, *, at: str | None = None, **fields: object) -> Effect:
    """Returns the effect that requests a notification.

    Args:
        reminder: The reminder's id.
        at: The wall-clock time of delivery, such as `2026-03-02T17:41:00+01:00`; by default now.
        fields: Other fields of the request. The scenario's declaration of the reminder gives `type` and `bucket`, and
            requests are numbered with `occurrence`.
    """
    times = {} if at is None else {"scheduledFor": at, "deliverAt": at}
    return {"event": "request", "reminder": reminder, **times, **fields}


def no_request(reminder: str, reason: str = "conditionFailed", *failed: str) -> Effect:
    """Returns the effect that reports why a trigger leads to no request, with the kinds of the failed conditions."""
    return {"event": "noRequest", "reminder": reminder, "reason": reason, "failed": list(failed)}


class _Session:
    """One process of the engine: from `hello` to `end`."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.app = App()
        # The number of requests by reminder, which is stored with the memory.
        self.counts: dict[str, int] = {}
        # Requests without a decision, and admitted requests that the system may still hold.
        self.open: list[Effect] = []
        self.pending: dict[tuple[str, int], Effect] = {}
        # Withdrawals of the other half since the last question.
        self.withdrawn: list[Effect] = []
        self.is_locked = False
        self.stored = self.state()

    def serve(self, source: BinaryIO, sink: BinaryIO) -> None:
        """Answers messages until the end."""
        try:
            for line in source:
                message = json.loads(line)
                if message.get("message") == "end":
                    return
                answer = self.answer(message)
                sink.write(b"".join(json.dumps(item).encode() + b"\n" for item in answer))
                sink.flush()
        except (BrokenPipeError, ConnectionResetError):
            # The bench has ended.
            return
        except Exception as problem:
            why = f"{type(problem).__name__}: {problem}"
            sink.write(json.dumps({"message": "failed", "why": why}).encode() + b"\n")
            sink.flush()
            raise

    def answer(self, message: Row) -> list[Row]:
        """Returns the lines that answer a message."""
        kind = message.get("message")
        if kind == "hello":
            claims = [name for name, half in (("match", self.engine.match), ("caps", self.engine.decide)) if half]
            return [{"message": "hello", "protocol": 1, "name": self.engine.name, "capabilities": claims}]
        if kind == "program":
            self.app.scenario = message["scenario"]
            return [{"message": "ready"}]
        if kind == "answer":
            return []
        if message.get("track") == "effect":
            self.hear(message)
            return []
        effects, done = self.effects(message, kind)
        return [*effects, *self.changed_state(), {"message": "done", **done}]

    def effects(self, message: Row, kind: str | None) -> tuple[list[Effect], Row]:
        effects: list[Effect] = []
        done: Row = {}
        if kind in ("launch", "open"):
            self.app.permission = message.get("permission", self.app.permission)
            self.is_locked = message["store"] == "locked"
            if message["store"] == "stored":
                effects += self.load(message["state"])
        elif kind == "settle":
            effects += self.settle(message)
            done["more"] = bool(self.open)
        elif kind == "withdraw":
            effects += self.withdraw()
        elif kind is None and not self.is_locked:
            effects += self.observe(message)
        # The other questions are about deferred requests and decisions. These engines have nothing to add.
        return effects, {**done, "unsettled": bool(self.open)}

    def observe(self, event: Event) -> Iterator[Effect]:
        """Yields the effects of `match`."""
        if event["event"] == "permissionChanged":
            self.app.permission = event["permission"]
        if event["event"] in ("delivered", "addFailed", "pendingDropped"):
            self.pending.pop((event["reminder"], event["occurrence"]), None)
        if self.engine.match is None:
            return
        for effect in self.engine.match(event, self.app) or ():
            if effect["event"] == "request":
                effect = self.numbered(effect, event)
                if self.engine.decide is not None:
                    self.open.append(effect)
            elif effect["event"] in ("remove", "withdraw"):
                self.open = [other for other in self.open if not _concerns(effect, other)]
            yield effect

    def numbered(self, effect: Effect, event: Event) -> Effect:
        """Returns a request with the fields that the callable left out."""
        name = effect["reminder"]
        number = effect.get("occurrence", self.counts.get(name, 0))
        self.counts[name] = number + 1
        notify = self.app.scenario.get("reminders", {}).get(name, {}).get("notify", {})
        usual = {"type": name, "bucket": "standard", **pick(notify, *(notify.keys() & {"type", "bucket", "priority"}))}
        times = {"scheduledFor": event["wall"], "deliverAt": event["wall"]}
        return {**usual, **times, **effect, "occurrence": number}

    def hear(self, record: Effect) -> None:
        """Takes note of an effect of the other half."""
        if self.engine.decide is None:
            return
        if record["event"] == "request":
            self.open.append(record)
        elif record["event"] in ("remove", "withdraw"):
            self.withdrawn.append(record)

    def settle(self, now: Event) -> Iterator[Effect]:
        """Decides until the first admitted request: the system answers each one before the next decision."""
        assert self.engine.decide is not None
        while self.open:
            effect = self.open.pop(0)
            same = pick(effect, "reminder", "occurrence")
            reason = self.engine.decide(effect, now, self.app)
            if reason is None:
                self.pending[effect["reminder"], effect["occurrence"]] = effect
                yield {"event": "decided", **same, "outcome": "admit", "blockers": []}
                yield {"event": "add", **same}
                return
            yield {"event": "decided", **same, "outcome": "deny", "reason": reason, "blockers": [reason]}

    def withdraw(self) -> Iterator[Effect]:
        """Yields removals of the requests that the other half has withdrawn."""
        withdrawals, self.withdrawn = self.withdrawn, []
        for effect in withdrawals:
            for other in [other for other in self.open if _concerns(effect, other)]:
                self.open.remove(other)
                yield {"event": "dropped", **pick(other, "reminder", "occurrence"), "reason": effect["reason"]}
            for key in [key for key, other in self.pending.items() if _concerns(effect, other)]:
                del self.pending[key]
                yield {"event": "remove", "reminder": key[0], "occurrence": key[1], "reason": effect["reason"]}

    # The stored state

    def state(self) -> str:
        state = {"memory": self.app.memory, "counts": self.counts, "pending": list(self.pending.values())}
        return base64.b64encode(json.dumps(state).encode()).decode()

    def changed_state(self) -> list[Effect]:
        state = self.state()
        if self.is_locked or state == self.stored:
            return []
        self.stored = state
        return [{"event": "persist", "state": state}]

    def load(self, text: str) -> list[Effect]:
        self.stored = text
        try:
            state = json.loads(base64.b64decode(text))
            self.app.memory, self.counts = state["memory"], state["counts"]
            self.pending = {(item["reminder"], item["occurrence"]): item for item in state["pending"]}
        except (ValueError, KeyError, TypeError):
            return [{"event": "storeUnusable", "problem": "torn"}]
        return []


def _concerns(withdrawal: Effect, other: Effect) -> bool:
    """Whether a `remove` or `withdraw` is about a request."""
    number = withdrawal.get("occurrence", other["occurrence"])
    return (withdrawal["reminder"], number) == (other["reminder"], other["occurrence"])


# Callables of this process


def command_of(engine: str | Engine | Callable[..., Any] | None, stack: ExitStack) -> str | None:
    """Returns the command of an engine. A callable is served in this process until the stack closes."""
    if engine is None or isinstance(engine, str):
        return engine
    return stack.enter_context(_serving(engine if isinstance(engine, Engine) else Engine(engine)))


@contextlib.contextmanager
def _serving(engine: Engine) -> Iterator[str]:
    """Serves an engine at a socket. The command that it yields relays its standard input and output to that socket."""
    with tempfile.TemporaryDirectory(prefix="triggerbench-") as folder, socket.socket(socket.AF_UNIX) as listener:
        path = str(Path(folder) / "engine")
        listener.bind(path)
        listener.listen()
        threading.Thread(target=_accept, args=(engine, listener), daemon=True).start()
        try:
            relay = Path(__file__).with_name("_relay.py")
            yield shlex.join([sys.executable, "-I", "-S", str(relay), path])
        finally:
            # `close` would not wake the thread that waits for a connection.
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)


def _accept(engine: Engine, listener: socket.socket) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_converse, args=(engine, connection), daemon=True).start()


def _converse(engine: Engine, connection: socket.socket) -> None:
    with connection, connection.makefile("rb") as source, connection.makefile("wb") as sink:
        try:
            _Session(engine).serve(source, sink)
        except Exception:
            # The bench reports the message; the place in the callable is only known here.
            traceback.print_exc()
