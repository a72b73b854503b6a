"""Reads the program: the scenario's document in its long forms, as the bench sends it.

Unknown forms are errors (KeyError, ValueError). An engine that guessed would be tested on something other than the
scenario.
"""

import operator
import re
from typing import NamedTuple

from civil import (
    DAY,
    FAR,
    MINUTE,
    WEEKDAYS,
    Recurrence,
    RelativeDays,
    RelativeSpans,
    Zone,
    day_number,
    day_text,
    elapsed,
    read_instant,
    weekday,
)

# The words of the document


def one_or_more(node):
    """Returns a list, or a list of one."""
    return node if isinstance(node, list) else [] if node is None else [node]


def truth(node):
    return {"true": True, "false": False, "on": True, "off": False}[str(node).lower()]


def minute(text):
    """Parses 08:10 as a minute of the day."""
    hours, minutes = re.fullmatch(r"(\d{1,2}):(\d{2})", text).groups()
    return int(hours) * 60 + int(minutes)


def minutes(text):
    """Parses 08:10, 20:00 as minutes of the day."""
    return [minute(part.strip()) for part in text.split(",")]


def window(node):
    """Parses 22:00-07:00, [22:00, 07:00] or {from, to} as two minutes of the day."""
    if isinstance(node, str):
        node = re.split(" *- *", node)
    elif isinstance(node, dict):
        node = [node["from"], node["to"]]
    return (minute(node[0]), minute(node[1]))


UNITS = {"ms": 1, "s": 1000, "min": MINUTE, "h": 60 * MINUTE, "d": DAY, "week": 7 * DAY}
for unit, names in {
    "s": "sec second seconds",
    "min": "minute minutes m",
    "h": "hour hours",
    "d": "day days",
    "week": "weeks",
}.items():
    UNITS.update((name, UNITS[unit]) for name in names.split())


def duration(text):
    """Parses 1 h 30 min as milliseconds."""
    parts = re.findall(r"(\d+(?:\.\d+)?) *([a-z]+)", text)
    return sum(round(float(number) * UNITS[unit]) for number, unit in parts)


def metres(text):
    """Parses 150 m or 0.15 km as metres."""
    number, unit = re.fullmatch(r"(\d+(?:\.\d+)?) *(m|km)", text).groups()
    return float(number) * {"m": 1, "km": 1000}[unit]


def weekdays(node):
    """Parses weekday, or monday, friday as numbers; 0 is Monday."""
    groups = {
        "day": range(7),
        "weekday": range(5),
        "weekdays": range(5),
        "weekend": range(5, 7),
        "weekends": range(5, 7),
    }
    groups.update((name, [number]) for number, name in enumerate(WEEKDAYS))
    names = node if isinstance(node, list) else node.split(",")
    return frozenset(day for name in names for day in groups[name.strip()])


def numbers(node):
    """Parses 3, 5, 7 as a list."""
    if isinstance(node, list):
        return [int(item) for item in node]
    return [int(part) for part in str(node).split(",")]


def thousandths(node):
    """Parses a number or a percentage as thousandths, so that comparisons are exact."""
    text = str(node).strip()
    if text.endswith("%"):
        return round(float(text[:-1]) * 10)
    return round(float(text) * 1000)


def cap(node):
    """Parses a number of notifications; none is None and means no cap."""
    return None if node in (None, "none") else int(node)


# The document


class Plan(NamedTuple):
    """A reminder as declared, or one of its edits."""

    reminder: str
    # The triggers as (event, subject).
    triggers: list
    # A recurrence, and the number of occurrences to schedule ahead.
    schedule: object
    ahead: int
    # The days since the app was last opened, and the minute of the day.
    lapse: object
    # The patterns of repeating requests, and the first day that counts.
    patterns: list
    first_day: object
    # The conditions as (kind, check). A check takes a view and returns None, or the reason why it fails.
    conditions: list
    withdrawals: list
    criticals: list
    # The facts of conditions and withdrawals.
    condition_facts: set
    withdrawal_facts: set
    places: list
    repeats: str
    made_later: bool
    expires: int
    type: str
    bucket: str
    priority: int
    copies: int
    useful_for: object


class Program:
    def __init__(self, message):
        document = message["scenario"]
        self.zones = {}
        self.start_day = day_number(document["start"][:10])
        self.zone = self.zone_named(document["zone"])
        self.facts = {name: fact_kind(node) for name, node in (document.get("facts") or {}).items()}
        # The values that facts of a day have after the end of the local day.
        self.day_ends = {
            name: self.constants(name)(node["endOfDay"])
            for name, node in (document.get("facts") or {}).items()
            if isinstance(node, dict) and "endOfDay" in node
        }
        # The places by name: position, and radius in metres.
        self.places = {
            name: (circle["at"], metres(circle["radius"]))
            for name, circle in (document.get("places") or {}).items()
        }
        self.policy = Policy(document.get("policy") or {})
        self.plans = [self.plan(name, node) for name, node in document["reminders"].items()]
        self.edits = {
            (reminder, name): self.plan(reminder, node)
            for reminder, edits in (document.get("edits") or {}).items()
            for name, node in edits.items()
        }
        everything = self.plans + list(self.edits.values())
        # The order of types is part of the order in which requests are decided.
        self.types = message.get("types") or sorted({plan.type for plan in everything})
        self.registered = registered_types(document.get("consumers"), self.types)
        # Counters of an earlier version of the app, which the first process finds in its store.
        self.counters = message.get("stored") or document.get("stored") or {}

    def zone_named(self, name):
        if name not in self.zones:
            self.zones[name] = Zone(name, self.start_day)
        return self.zones[name]

    def date(self, text):
        """Parses 2026-03-02, or 'day 3' of the scenario."""
        text = str(text)
        if text.startswith("day"):
            return self.start_day + int(text[3:]) - 1
        return day_number(text)

    def local_instant(self, text):
        """Parses a date and a time in the zone of the start."""
        day, time = re.fullmatch(r"(.+)[T ](\d.*)", text).groups()
        parts = [int(part) for part in time.split(":")] + [0]
        seconds = parts[0] * 3600 + parts[1] * 60 + parts[2]
        return self.zone.first(self.date(day) * DAY + seconds * 1000)

    def plan(self, name, node):
        triggers, schedule, ahead, lapse, places = [], None, 0, None, []
        patterns, first_day = [], None
        for trigger in one_or_more(node["when"]):
            if isinstance(trigger, str):
                trigger = {"event": trigger}
            ((kind, value),) = trigger.items()
            if kind == "event":
                if value not in ("unlock", "chargingStarted", "chargingStopped", "opened"):
                    raise ValueError(f"unknown trigger {value}")
                triggers.append((value, None))
            elif kind in ("appOpened", "regionEntered", "regionExited", "factChanged"):
                triggers.append((kind, value))
                if kind.startswith("region"):
                    places.append(value)
            elif kind == "scheduled":
                schedule, ahead = self.recurrence(value), int(value.get("ahead", 0))
            elif kind == "relative":
                schedule = self.relative(value)
                ahead = int(value.get("ahead", min(len(schedule.days) * len(schedule.minutes), 64)))
            elif kind == "elapsed":
                schedule = self.spans(value)
                ahead = int(value.get("ahead", min(len(schedule.spans), 64)))
            elif kind == "lapsed":
                lapse = (numbers(value["days"]), minute(value["at"]))
            elif kind == "repeating":
                patterns, first_day = self.repetition(value)
            else:
                raise ValueError(f"unknown trigger {kind}")
        nodes = one_or_more(node.get("if"))
        withdrawals = one_or_more(node.get("withdraw"))
        notify = node["notify"] if isinstance(node["notify"], dict) else {"title": node["notify"]}
        repeats = node.get("repeat")
        if repeats is None:
            recurs = not triggers and (
                schedule is None or schedule.frequency != "once" or len(schedule.minutes) > 1
            )
            repeats = "always" if recurs else "once"
        places += [item[key] for item in nodes for key in ("inside", "outside") if key in item]
        return Plan(
            reminder=name,
            triggers=list(dict.fromkeys(triggers)),
            schedule=schedule,
            ahead=ahead,
            lapse=lapse,
            patterns=patterns,
            first_day=first_day,
            conditions=[self.condition(item) for item in nodes],
            withdrawals=[self.comparison(item) for item in withdrawals],
            criticals=[self.comparison(item) for item in one_or_more(notify.get("criticalIf"))],
            condition_facts={name for item in nodes if "fact" in item for name in named(item["fact"])},
            withdrawal_facts={name for item in withdrawals for name in named(item)},
            places=places,
            repeats=repeats,
            made_later=node.get("exists") == "later",
            expires=self.local_instant(node["expires"]) if node.get("expires") else FAR,
            type=notify.get("type", name),
            bucket=notify.get("bucket", "standard"),
            priority=int(notify.get("priority", 100)),
            copies=len(notify.get("stages") or [1]),
            useful_for=duration(notify["usefulFor"]) if notify.get("usefulFor") else None,
        )

    def recurrence(self, node):
        days = weekdays(node["weekdays"]) if node.get("weekdays") else None
        recurrence = Recurrence(
            self.date(node["start"]),
            minutes(node["at"]),
            node["frequency"],
            int(node.get("interval", 1)),
            node.get("skip", "backward"),
            days,
            self.policy.week_start,
        )
        if node.get("dayOfMonth"):
            place, name = node["dayOfMonth"].split()
            number = -1 if place == "last" else PLACES.index(place) + 1
            recurrence.day_of_month = (number, weekdays(name))
        recurrence.not_before = self.date(node["notBefore"]) if node.get("notBefore") else None
        recurrence.count = int(node["times"]) if node.get("times") else None
        if node.get("until"):
            recurrence.until = self.date(node["until"])
        if node.get("except"):
            recurrence.exceptions = frozenset(self.date(day.strip()) for day in node["except"].split(","))
        recurrence.zone = self.zone_named(node["zone"]) if node.get("zone") else None
        return recurrence

    def relative(self, node):
        sign, fact = (-1, node["before"]) if "before" in node else (1, node["after"])
        days = [sign * number for number in numbers(node["days"])]
        yearly = truth(node.get("everyYear", False))
        return RelativeDays(fact, days, minutes(node["at"]), yearly, node.get("skip", "backward"))

    def spans(self, node):
        sign, fact = (-1, node["before"]) if "before" in node else (1, node["after"])
        spans = node["spans"] if isinstance(node["spans"], list) else node["spans"].split(",")
        return RelativeSpans(fact, [sign * duration(span) for span in spans])

    def repetition(self, node):
        """Returns the patterns of repeating requests: a span, or local times with one pattern for each weekday. Also
        returns the
        first day that counts, which the system does not know."""
        if "every" in node:
            return [{"repeats": "span", "repeatSeconds": duration(node["every"]) // 1000}], None
        first_day, unit = self.date(node["start"]), node["frequency"]
        _, month, day = map(int, day_text(first_day).split("-"))
        time = {"repeatMinute": minute(node["at"])}
        if unit == "weekly":
            days = weekdays(node["weekdays"]) if node.get("weekdays") else {weekday(first_day)}
            if len(days) < 7:
                patterns = [{"repeats": unit, "repeatDay": number + 1, **time} for number in sorted(days)]
                return patterns, first_day
            unit = "daily"
        parts = {
            "daily": {},
            "monthly": {"repeatDay": day},
            "yearly": {"repeatMonth": month, "repeatDay": day},
        }
        return [{"repeats": unit, **parts[unit], **time}], first_day

    # Conditions

    def condition(self, node):
        ((kind, value),) = node.items()
        failed = "conditionFailed"
        if kind == "timeWindow":
            hours = window(value)
            return ("timeWindow", lambda view: None if view.is_open(hours) else failed)
        if kind == "weekdays":
            days = weekdays(value)
            return ("weekdays", lambda view: None if view.weekday in days else failed)
        if kind == "inside":
            return ("region", lambda view: None if value in view.inside else failed)
        if kind == "outside":
            return ("region", lambda view: failed if value in view.inside else None)
        if kind == "charging":
            wanted = truth(value)
            return ("charging", lambda view: None if view.charging == wanted else failed)
        if kind == "fact":
            return ("fact", self.comparison(value))
        raise ValueError(f"unknown condition {kind}")

    def comparison(self, node):
        """Returns a check of a quantity against constants. An unknown value is stale unless the scenario states
        another reason."""
        failed = node.get("reason", "conditionFailed")
        unknown = "staleData" if failed == "conditionFailed" else failed
        quantity, read = self.quantity(node)
        constants = [read(item) for item in one_or_more(node["constants"])]
        compare = {
            "less": operator.lt,
            "lessOrEqual": operator.le,
            "greaterOrEqual": operator.ge,
            "greater": operator.gt,
        }
        if node["comparison"] == "equal":
            holds = lambda found: found in constants
        elif node["comparison"] == "notEqual":
            holds = lambda found: found not in constants
        else:
            holds = lambda found, sign=compare[node["comparison"]]: sign(found, constants[0])

        def check(view):
            found = quantity(view)
            if found is None:
                return unknown
            return None if holds(found) else failed

        return check

    def quantity(self, node):
        """Returns the compared quantity as a function of a view, and the parser of its constants."""
        if "age" in node:
            fact = node["age"]

            def age(view):
                value = self.known(view, fact)
                return None if value is None else elapsed(view.now, view.facts[fact][1])

            return age, lambda item: duration(item)
        if "daysSince" in node:
            fact = node["daysSince"]

            def days_since(view):
                day = self.day_of(view, fact)
                return None if day is None else view.day - day

            return days_since, lambda item: int(str(item).replace("days", ""))
        if "timeSince" in node:
            fact = node["timeSince"]

            def time_since(view):
                value = self.known(view, fact)
                return None if value is None else view.now.wall - value

            return time_since, lambda item: duration(item)
        fact = node["value"]
        if "dividedBy" in node:
            divisor = node["dividedBy"]

            def ratio(view):
                above, below = self.known(view, fact), self.known(view, divisor)
                return None if above is None or not below else above * 1000 / below

            return ratio, thousandths
        return (lambda view: self.known(view, fact)), self.constants(fact)

    def day_of(self, view, fact):
        """Returns the day of a fact or of its instant, or None if it is unknown."""
        value = self.known(view, fact)
        return value if value is None or self.facts[fact] == "date" else view.zone.day(value)

    def constants(self, fact):
        """Returns the parser of the constants that a fact is compared with."""
        readers = {"truth": truth, "number": thousandths, "name": str, "instant": self.local_instant}
        readers["date"] = self.date
        return readers[self.facts[fact]]

    def known(self, view, fact):
        """Returns the value of a fact in a view, or None if it is unknown. A fact of a day ends with its day."""
        value, since = view.facts.get(fact, (None, None))
        if since is not None and fact in self.day_ends:
            if view.day > self.zone_named(since.zone).day(since.wall):
                return self.day_ends[fact]
        return value

    def fact_value(self, fact, value):
        """Returns the value of a fact in an event, or None if it is missing."""
        if value is None:
            return None
        readers = {"truth": bool, "number": thousandths, "name": str, "instant": read_instant}
        readers["date"] = day_number
        return readers[self.facts[fact]](value)


def fact_kind(node):
    """Returns the kind of a fact: declared, or that of its first value."""
    if isinstance(node, dict):
        if "names" in node or "kind" in node:
            return node.get("kind", "name")
        node = node["initial"]
    if isinstance(node, list):
        return "name"
    if node in ("truth", "number", "instant", "date"):
        return node
    text = str(node).lower()
    if text in ("true", "false"):
        return "truth"
    return "instant" if ":" in text else "date" if text.count("-") == 2 else "number"


def named(node):
    """Returns the facts of a comparison."""
    return {node[key] for key in ("value", "dividedBy", "age", "daysSince", "timeSince") if key in node}


def registered_types(consumers, types):
    """Types without a consumer are not registered. Without consumers, links are not modelled."""
    if not consumers:
        return set(types)
    sent = set()
    for consumer in consumers.values():
        own = consumer.get("types") if isinstance(consumer, dict) else None
        sent.update(types if own is None else one_or_more(own))
    return sent


PLACES = ["first", "second", "third", "fourth", "fifth"]
STANDING_CHECKS = ["notRegistered", "userDisabled", "userDailyCap"]
CHECK_ORDER = [
    "permission",
    "lifetimeCap",
    "lapseCap",
    "quietHours",
    "typeDailyCap",
    "typeWeeklyCap",
    "dailyCap",
    "criticalDailyCap",
    "minimumInterval",
]


class Policy:
    """The rules of the cap scheduler. Missing ones have their defaults."""

    def __init__(self, node):
        if node.get("capsCount", "delivered") != "delivered":
            raise ValueError("this engine does not support 'capsCount: presented'")
        for key in ("weeklyCap", "monthlyCap", "rollingCap", "typeMonthlyCaps", "typeRollingCaps", "bypassQuietHours"):
            if node.get(key) not in (None, "none", {}, []):
                raise ValueError(f"this engine does not support '{key}'")
        quiet = node.get("quietHours", "22:00-07:00")
        if not is_one_window(quiet):
            raise ValueError("this engine does not support 'quietHours' with several windows or by weekday")
        self.quiet_hours = None if quiet in (None, "none") else window(quiet)
        action = node.get("quietAction", {})
        if isinstance(action, str):
            action = dict.fromkeys(("standard", "critical", "user"), action)
        self.quiet_action = {"standard": "drop", "critical": "drop", "user": "defer", **action}
        # Whether quiet hours defer requests of a bucket with caps by day.
        is_deferred = "defer" in (self.quiet_action["standard"], self.quiet_action["critical"])
        self.defers_counted = self.quiet_hours is not None and is_deferred
        self.critical_bypasses = truth(node.get("criticalBypassesQuietHours", False))
        self.critical_preempts = truth(node.get("criticalPreempts", True))
        self.daily_cap = cap(node.get("dailyCap", 3))
        self.critical_daily_cap = cap(node.get("criticalDailyCap", 1))
        self.type_daily_cap = cap(node.get("typeDailyCap", 1))
        self.type_daily_caps = caps_by_type(node, "typeDailyCaps")
        self.type_weekly_caps = caps_by_type(node, "typeWeeklyCaps")
        self.lifetime_cap = caps_by_type(node, "lifetimeCap")
        self.lapse_cap = caps_by_type(node, "lapseCap")
        self.week_start = WEEKDAYS.index(node.get("weekStart", "monday"))
        self.lifetime_survives = truth(node.get("lifetimeSurvivesReinstall", False))
        self.kept_types = set(one_or_more(node.get("keptThroughReinstall")))
        self.counter_lag = duration(node.get("counterLag", "0 s"))
        self.interval = duration(node.get("minimumInterval", "4 h").replace("none", "0 s"))
        self.interval_counts_criticals = node.get("minimumIntervalScope", "standard") == "all"
        order = node.get("checkOrder", CHECK_ORDER)
        self.check_order = [check for check in STANDING_CHECKS if check not in order] + order


def is_one_window(quiet):
    """Whether quiet hours are a window in one of its forms, or none."""
    if isinstance(quiet, dict):
        return set(quiet) == {"from", "to"}
    return not isinstance(quiet, list) or len(quiet) == 2 and not any("-" in str(time) for time in quiet)


def caps_by_type(node, key):
    return {name: cap(value) for name, value in (node.get(key) or {}).items()}
