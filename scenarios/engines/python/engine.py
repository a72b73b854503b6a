#!/usr/bin/env python3
"""An engine for TriggerBench in plain Python (3.9 or later), without packages.

    triggerbench run --engine "python3 scenarios/engines/python/engine.py" scenarios/milk.yaml

The bench writes one JSON object per line to standard input, and this program answers on standard output. It is an
example of an engine in another language. Start reading here. Then read `reminders.py` (which reminders make
requests),
`plans.py` (requests that are scheduled ahead), `caps.py` (decisions), `program.py` (the scenario's declarations)
and
`civil.py` (local time).
"""

import base64
import json
import math
import sys

# Leave no compiled files in the folder of the scenarios.
sys.dont_write_bytecode = True

from caps import CapScheduler
from civil import DAY, FAR, Moment, elapsed, read_instant, write_instant
from program import Program
from reminders import Reminders

HELLO = {
    "message": "hello",
    "protocol": 1,
    "name": "example-python",
    "version": "1.0",
    "capabilities": ["match", "caps"],
    # The parts of the scenario format that this engine supports, by the keys of its long forms.
    "features": {
        "triggers": "unlock chargingStarted chargingStopped opened appOpened regionEntered regionExited "
        "factChanged scheduled relative elapsed lapsed repeating".split(),
        "schedules": "once daily weekly monthly yearly interval weekdays dayOfMonth skip notBefore times until "
        "except zone ahead every everyYear".split(),
        "conditions": "timeWindow weekdays inside outside charging fact".split(),
        "quantities": "value dividedBy age daysSince timeSince".split(),
        "repeats": "once daily weekly monthly always".split(),
        "reminders": "exists expires withdraw edits criticalIf priority stages usefulFor".split(),
        "commands": "snooze create cancel edit cancelAll preferencesChanged deliveredElsewhere".split(),
        "caps": "quietHours quietAction criticalBypassesQuietHours criticalPreempts dailyCap criticalDailyCap typeDailyCap "
        "typeDailyCaps typeWeeklyCaps lifetimeCap lapseCap weekStart lifetimeSurvivesReinstall "
        "keptThroughReinstall counterLag minimumInterval minimumIntervalScope checkOrder".split(),
        "storage": "stored locked counters".split(),
    },
}

# Times in requests and effects are numbers internally and texts on the wire.
TIMES = ("scheduledFor", "deliverAt", "expiresAt", "at", "until")

# The longest delay of an alarm: hours in Doze, and as many for a journey.
LONGEST_LATENESS = 2 * DAY

# The stored state begins with its form, version and length in bytes.
FORM, VERSION = "example-engine", 1

# Events that report a state, which are processed when a locked store opens.
CONCERNS_STORE = {"opened", "regionEntered", "regionExited", "regionFailed", "factChanged", "factFound"}
CONCERNS_STORE |= {"chargingStarted", "chargingStopped"}
CONCERNS_STORE |= {"permissionChanged", "reinstalled", "addFailed", "pendingDropped", "delivered"}
CONCERNS_STORE |= {"tapped", "dismissed", "acted", "snooze", "create", "cancel", "edit", "cancelAll"}
CONCERNS_STORE |= {"preferencesChanged"}
CONCERNS_STORE |= {"deliveredElsewhere"}
# Those of them that can report a state instead of a change.
STATES = {"chargingStarted", "chargingStopped", "regionEntered", "regionExited", "opened"}


to_json = json.JSONEncoder(separators=(",", ":")).encode


class StoreProblem(ValueError):
    """The stored state cannot be used."""


class Engine:
    """The matcher and the cap scheduler in one process of the app."""

    def __init__(self, program):
        self.program = program
        self.begin()

    def begin(self):
        self.reminders = Reminders(self.program)
        self.caps = CapScheduler(self.program)
        # Whether the store cannot be read yet, and the events since then that concern the stored state.
        self.is_locked = False
        self.told = []

    # Processes

    def launch(self, message, now, effects):
        """A process starts. Of the previous one only the stored state is left."""
        self.begin()
        self.caps.permission = message.get("permission", "notDetermined")
        self.reminders.capacity = message.get("pendingCapacity")
        self.reminders.region_capacity = message.get("regionCapacity", math.inf)
        self.reminders.charging = bool(message.get("charging"))
        self.set_lateness(LONGEST_LATENESS if message.get("lateAlarms") else 0)
        if message["store"] == "locked":
            # Starting with empty counters would repeat all reminders, so triggers pass until the store opens.
            self.is_locked = True
        elif message["store"] == "stored":
            self.load(message["state"], now, effects)
        else:
            self.caps.import_counters(self.program.counters)

    def open(self, message, now, effects):
        """The store can be read: continues with its state."""
        self.begin_again()
        if message["store"] == "stored":
            self.load(message["state"], now, effects)

    def load(self, text, now, effects):
        try:
            stored = decode(text)
            self.reminders.load(stored["reminders"])
            self.caps.load(stored["caps"], now)
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            self.begin_again()
            # A well-formed state that this engine would not write is contradictory.
            word = str(problem) if isinstance(problem, StoreProblem) else "contradictory"
            effects.append({"event": "storeUnusable", "problem": word})

    def begin_again(self):
        """Resets everything except the facts of this process."""
        permission, told = self.caps.permission, self.told
        charging, capacity = self.reminders.charging, self.reminders.capacity
        region_capacity, lateness = self.reminders.region_capacity, self.caps.lateness
        planned_at = self.reminders.planned_at
        self.begin()
        self.caps.permission, self.told = permission, told
        self.reminders.charging, self.reminders.capacity = charging, capacity
        self.reminders.region_capacity, self.reminders.planned_at = region_capacity, planned_at
        self.set_lateness(lateness)

    def set_lateness(self, lateness):
        """If alarms may be late, the system may show a request this much after its time. The request is pending until
        then, or
        until the app observes its delivery."""
        self.caps.lateness = lateness
        for reminder in self.reminders.reminders.values():
            reminder.lateness = lateness

    # Events

    def process(self, event, now, effects):
        if self.is_locked:
            self.let_pass(event, now, effects)
            return
        if event["event"] == "storeAvailable":
            self.make_up(now, effects)
            event = {**event, "event": "launched"}
        self.take(event, now, effects)

    def take(self, event, now, effects):
        wishes = self.reminders.process(event, now)
        # Accounts are updated first, so that requests for an event follow the removals for it.
        first = len(effects)
        self.caps.process(event, now, effects)
        if event["event"] in ("preferencesChanged", "deliveredElsewhere"):
            self.reminders.settled(effects[first:], now, wishes)
        for wish in wishes:
            self.fulfil(wish, now, effects, first)

    def fulfil(self, wish, now, effects, first):
        """Passes a wish of the matcher to the scheduler or to the system. The effects of this event begin at `first`.
        """
        kind = wish["event"]
        if kind == "request":
            effects.append({"event": "request", "request": dict(wish["request"])})
            self.caps.submit(wish["request"])
        elif kind == "remove":
            self.caps.withdraw(wish["reason"], now, effects, lambda entry: is_same(entry, wish))
            # By the clocks it was delivered, but on a journey or if late, the system may still have it.
            taken = [effect for effect in effects[first:] if effect["event"] in ("remove", "dropped")]
            if not any(is_same(effect.get("request", effect), wish) for effect in taken):
                effects.append(wish)
        elif kind == "withdraw":
            name = wish["reminder"]
            self.caps.withdraw(wish["reason"], now, effects, lambda entry: entry["reminder"] == name)
            # The scheduler considers it delivered, but the system may still have it.
            effects.append(wish)
        else:
            effects.append(wish)

    def let_pass(self, event, now, effects):
        """Processes an event before the store can be read."""
        if event["event"] == "launched":
            # Plans from an empty store are discarded.
            self.reminders.process(event, now)
            return
        for wish in self.reminders.look(event, now):
            if wish["event"] == "request":
                self.reminders.take_back(wish["request"], now)
                reminder = wish["request"]["reminder"]
                wish = {"event": "noRequest", "reminder": reminder, "reason": "staleData", "failed": []}
            effects.append(wish)
        if event["event"] in CONCERNS_STORE:
            self.told.append((event, now))

    def make_up(self, now, effects):
        """Processes the events from the time while the store was locked as states, because the triggers have passed.
        """
        told, self.told = self.told, []
        for event, then in told:
            if event["event"] in ("factChanged", "factFound"):
                event = {**event, "event": "factFound", "age": event.get("age", 0) + elapsed(now, then)}
            elif event["event"] == "deliveredElsewhere":
                event = {**event, "age": event.get("age", 0) + elapsed(now, then)}
            elif event["event"] in STATES:
                event = {**event, "found": True}
            elif event["event"] == "snooze" and event.get("length", 0) > 0:
                # The clock may have been set since.
                shift = now.wall - elapsed(now, then) - then.wall
                event = {**event, "until": write_instant(read_instant(event["until"]) + shift)}
            self.take(event, now, effects)

    def settle(self, now, effects):
        """Decides the requests of this instant. Returns whether there is more to decide."""
        if self.is_locked:
            return False
        releases = self.caps.releases(now)
        stale = [request for request in releases if not self.reminders.still_holds(request, now)]
        if stale:
            self.caps.withdraw_stale(stale, now, effects)
        wishes, first = [], len(effects)
        self.reminders.keep_room(len(releases), now, wishes)
        for wish in wishes:
            self.fulfil(wish, now, effects, first)
        has_more = self.caps.settle(now, effects)
        self.reminders.settled(list(effects), now, effects)
        return has_more

    def is_unsettled(self, now):
        # Also if room that was reserved for deferred requests has become free.
        return not self.is_locked and (self.caps.is_unsettled() or self.reminders.releases > 0)

    # Storage

    def take_state(self):
        """Returns the state to store, or None if it has not changed since the last call."""
        if self.is_locked or not (self.reminders.changed or self.caps.changed):
            return None
        self.reminders.changed = self.caps.changed = False
        return encode({"reminders": self.reminders.save(), "caps": self.caps.state})


def is_same(a, b):
    return a["reminder"] == b["reminder"] and a["occurrence"] == b["occurrence"]


def encode(state):
    body = to_json(state).encode()
    return base64.b64encode(b"%s %d %d\n" % (FORM.encode(), VERSION, len(body)) + body).decode()


def decode(text):
    head, _, body = base64.b64decode(text).partition(b"\n")
    words = head.split(b" ")
    if words[0] != FORM.encode():
        # A partial first word is the beginning of a truncated state.
        raise StoreProblem("torn" if FORM.encode().startswith(words[0]) else "unknownForm")
    if len(words) < 3:
        raise StoreProblem("torn")
    if int(words[1]) > VERSION:
        raise StoreProblem("newerVersion")
    if len(body) != int(words[2]):
        raise StoreProblem("torn")
    return json.loads(body)


# The protocol


def main():
    engine = None
    for line in sys.stdin.buffer:
        message = json.loads(line.decode())
        kind = message.get("message", "event")
        if kind == "end":
            return
        if kind == "answer":
            # The system's answer to an add needs no reply; a refusal is also sent as `addFailed`.
            continue
        if kind == "hello":
            write([HELLO])
            continue
        if kind == "program":
            engine = Engine(Program(message))
            write([{"message": "ready"}])
            continue
        effects, done = [], {"message": "done"}
        now = read_moment(message)
        if kind == "launch":
            engine.launch(message, now, effects)
        elif kind == "open":
            engine.open(message, now, effects)
        elif kind == "settle":
            done["more"] = engine.settle(now, effects)
        elif kind == "event":
            engine.process(message, now, effects)
        else:
            raise ValueError(f"unknown message {kind}")
        state = engine.take_state()
        if state is not None:
            effects.append({"event": "persist", "state": state})
        done["unsettled"] = engine.is_unsettled(now)
        write([wire(effect) for effect in effects] + [done])


def read_moment(stamp):
    return Moment(read_instant(stamp["wall"]), stamp["boot"], stamp["uptime"], stamp["zone"])


def wire(effect):
    """Returns an effect as on the wire: flat, and with times as text."""
    fields = {key: value for key, value in effect.items() if key != "request"}
    if "request" in effect:
        fields = {"event": fields.pop("event"), **effect["request"], **fields}
        fields.update(fields.pop("pattern") or {})
        if fields["expiresAt"] >= FAR:
            del fields["expiresAt"]
        if not fields["floating"]:
            del fields["floating"]
    for key in TIMES:
        if fields.get(key) is not None:
            fields[key] = write_instant(fields[key])
    return fields


def write(lines):
    """One flush per answer."""
    text = "".join(to_json(line) + "\n" for line in lines)
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    try:
        main()
    except Exception as problem:
        # Report the reason before exiting; standard error has the details.
        write([{"message": "failed", "why": f"{type(problem).__name__}: {problem}"}])
        raise
