"""The matcher: which reminders ask for a notification, and what is planned beforehand.

It is told events and answers with wishes, as dictionaries: requests for the cap scheduler, and effects. It
asks nobody anything and has no clock: everything it knows was told.
"""

import math
from contextlib import contextmanager

from civil import FAR, Moment, in_window, month_number, next_repeat, read_instant, weekday
from places import Places, degrees, point

ALLOWING = ("authorized", "provisional", "ephemeral")
KINDS = ["timeWindow", "weekdays", "region", "charging", "fact"]
# Conditions on what a process finds out when it begins.
OF_STATE = ("region", "charging")
SUBJECT = {
    "appOpened": "app",
    "regionEntered": "region",
    "regionExited": "region",
    "factChanged": "fact",
}
# After these other places may be needed.
REVIEWED = ("create", "edit", "cancel", "reinstalled", "factChanged")
# What happens outside of our app.
OUTSIDE = {"unlock", "lock", "chargingStarted", "chargingStopped", "batteryLevel", "appOpened"}
OUTSIDE |= {"backgrounded", "regionEntered", "regionExited", "regionFailed", "located"}
# Events of which nothing is remembered unless they trigger something.
INERT = {"unlock", "lock", "chargingStarted", "chargingStopped", "batteryLevel", "appOpened"}
INERT |= {"backgrounded", "regionFailed", "tapped", "dismissed", "acted", "preferencesChanged", "located"}
INERT |= {"deliveredElsewhere"}


def trigger_key(event, subject):
    """What an event and a trigger must have in common: an app, a place or a fact counts."""
    return (event, subject)


class View:
    """What conditions are about, at one moment."""

    def __init__(self, now, zone, charging, inside, facts):
        self.now, self.zone = now, zone
        self.charging, self.inside, self.facts = charging, inside, facts
        self.day = zone.day(now.wall)
        self.weekday = weekday(self.day)
        self.hands = zone.hands(now.wall)

    def is_open(self, window):
        return in_window(window, self.hands)


class Reminder:
    """A reminder and what is remembered of it."""

    # A turn is a match that counts for a day: [day, occurrence, when it is delivered]. `shown` is the request
    # shown last, `ahead` what was handed over of a schedule, `lapse` which stages were planned for the time
    # without the app, `standing` what the system was asked to repeat: [occurrence, pattern, its first time,
    # -FAR once the app knows that it has come], `left_out` the occurrence for which there was no room.
    FRESH = {"occurrences": 0, "turns": [], "edit": None, "snoozed_until": None}
    FRESH.update({"shown": None, "wake": None, "ahead": None, "lapse": None, "standing": None})
    # The value of the fact from which its schedule counts, and the day of it.
    FRESH.update({"counted_from": None})
    FRESH.update({"left_out": None})

    def __init__(self, plan, edits):
        self.name = plan.reminder
        self.plans = {None: plan, **edits}
        # One that is made later is not there at first, as if it had been taken back.
        self.start = {**self.FRESH, "cancelled": plan.made_later}
        self.remember({})

    def remember(self, stored):
        for key, fresh in self.start.items():
            value = stored.get(key, fresh)
            setattr(self, key, list(value) if isinstance(value, list) else value)
        # The declaration in force; an app update may have removed an edit.
        self.plan = self.plans.get(self.edit, self.plans[None])

    def remembered(self):
        """Only what is not as at the start."""
        values = {key: getattr(self, key) for key in self.start}
        return {key: value for key, value in values.items() if value != self.start[key]}

    @property
    def is_snoozed(self):
        return self.snoozed_until is not None

    def forget_turn(self, occurrence):
        self.turns = [turn for turn in self.turns if turn[1] != occurrence]

    def was_shown(self, occurrence):
        """A request was shown. One that this installation does not know is not its own."""
        if occurrence < self.occurrences:
            self.shown = occurrence


class Reminders:
    def __init__(self, program):
        self.program = program
        self.week_start = program.policy.week_start
        self.reminders = {}
        for plan in program.plans:
            edits = {
                name: edit for (reminder, name), edit in program.edits.items() if reminder == plan.reminder
            }
            self.reminders[plan.reminder] = Reminder(plan, edits)
        self.listeners = {}
        for reminder in self.reminders.values():
            for plan in reminder.plans.values():
                for event, subject in plan.triggers:
                    self.listeners.setdefault(trigger_key(event, subject), []).append((reminder, plan))
        plans = [plan for reminder in self.reminders.values() for plan in reminder.plans.values()]
        self.watched = [place for place in program.places if any(place in plan.places for plan in plans)]
        self.places = Places({place: program.places[place] for place in self.watched})
        # How many regions the system watches, and those entered by where the app is, of which it may tell yet.
        self.region_capacity, self.entered = math.inf, []
        self.scheduled = self.having(lambda plan: plan.schedule)
        self.lapsing = self.having(lambda plan: plan.lapse)
        self.repeating = self.having(lambda plan: plan.patterns)
        # By fact: whose reason its value may end, and on which occurrences to come it may bear.
        # And which count their days from it.
        self.withdrawing, self.foreseeing, self.counting = {}, {}, {}
        for fact in program.facts:
            self.counting[fact] = self.having(lambda plan: counts_from(plan) == fact)
            self.withdrawing[fact] = self.having(lambda plan: fact in plan.withdrawal_facts)
            self.foreseeing[fact] = self.having(
                lambda plan: hands_over(plan)
                and fact in plan.condition_facts | plan.withdrawal_facts
            )
        self.foreseeing_state = self.having(
            lambda plan: hands_over(plan) and any(kind in OF_STATE for kind, _ in plan.conditions)
        )
        # How many requests for later the system keeps, None if it does not say; how many may be planned, and how
        # many it has that were put off until quiet hours end.
        self.capacity, self.releases = None, 0
        self.most_pending = sum(
            plan.ahead + (len(plan.lapse[0]) if plan.lapse else 0) + len(plan.patterns) for plan in plans
        )
        # Before this instant there is no room for what was left out; what is to be replenished together.
        self.full_until, self.batch, self.had_no_room = -FAR, None, False
        # By name, when the system has not taken something of a reminder last.
        self.failed_at = {}
        # What only the process knows, and what is stored beside the reminders.
        self.charging = False
        self.changed = False
        # When everything was planned last, and what was handed over then.
        self.planned_at, self.fresh = None, []
        self.load({})

    def having(self, test):
        return [
            reminder for reminder in self.reminders.values() if any(map(test, reminder.plans.values()))
        ]

    # Storage

    def load(self, stored):
        """Goes on from what was stored. Reminders are found again by name."""
        self.inside = set(stored.get("inside", []))
        # What is watched, where the system watches less than reminders name and the app knows where it is.
        self.choice = stored.get("choice")
        self.facts = {}
        for name, (value, since) in stored.get("facts", {}).items():
            if name in self.program.facts:
                self.facts[name] = (value, Moment(*since))
        self.planned_zone = stored.get("zone")
        for name, reminder in self.reminders.items():
            reminder.remember(stored.get("reminders", {}).get(name, {}))
        self.snoozed = [reminder for reminder in self.reminders.values() if reminder.is_snoozed]
        # The places of those that wait, where the system watches less than reminders name; when one expires next.
        self.needed, self.waiting, self.next_expiry = None, set(), FAR

    def save(self):
        memories = {name: reminder.remembered() for name, reminder in self.reminders.items()}
        return {
            "inside": sorted(self.inside),
            "choice": self.choice,
            "facts": self.facts,
            "zone": self.planned_zone,
            "reminders": {name: memory for name, memory in memories.items() if memory},
        }

    # Events

    def process(self, event, now):
        """Takes one event; returns what is wished for."""
        if self.needed is None:
            self.find_needed(now)
        wishes = self.look(event, now)
        self.follow(event, now, wishes)
        self.review_places(event["event"], now, wishes)
        self.fill_up(event, now, wishes)
        if event["event"] not in INERT or any(wish["event"] != "noRequest" for wish in wishes):
            self.changed = True
        return wishes

    def look(self, event, now):
        """Takes in what an event says, and asks for what it triggers."""
        kind, wishes = event["event"], []
        self.end_snoozes(now)
        if kind in ("chargingStarted", "chargingStopped"):
            self.charging = kind == "chargingStarted"
        elif kind == "regionEntered":
            self.inside.add(event["region"])
            if not event.get("found") and event["region"] in self.entered:
                self.entered.remove(event["region"])
                return wishes
        elif kind == "regionExited":
            self.inside.discard(event["region"])
            if not event.get("found") and event["region"] in self.entered:
                self.entered.remove(event["region"])
        elif kind in ("factChanged", "factFound"):
            fact, value = event["fact"], self.program.fact_value(event["fact"], event["value"])
            view = self.view(now)
            before = self.program.known(view, fact)
            # It is told late, and says since when it holds.
            age = event.get("age", 0)
            since = now._replace(wall=now.wall - age, uptime=now.uptime - age)
            self.facts[fact] = (value, since)
            if self.program.known(view, fact) == before or kind == "factFound":
                return wishes
        if event.get("found"):
            # A state and not a change: it triggers nothing.
            return wishes
        if kind == "woken":
            reminder = self.reminders.get(event.get("reminder"))
            due = reminder and reminder.wake is not None and reminder.wake <= now.wall
            listeners = [(reminder, reminder.plan)] if due else ()
        else:
            subject = event[SUBJECT[kind]] if kind in SUBJECT else None
            listeners = self.listeners.get(trigger_key(kind, subject), ())
        if listeners:
            view, misses = self.view(now), []
            for reminder, plan in listeners:
                if plan is reminder.plan:
                    self.look_at(reminder, view, wishes, misses)
            wishes += misses
        return wishes

    def look_at(self, reminder, view, wishes, misses):
        """A trigger has come: does the reminder wait for it, and do its conditions hold?"""
        if reminder.is_snoozed:
            misses.append(no_request(reminder, "snoozed", []))
        elif self.is_armed(reminder, view.now) and not self.has_turn(reminder, view.day):
            failure = failures(reminder.plan, view)
            if failure:
                misses.append(no_request(reminder, *failure))
            else:
                wishes.append(self.ask(reminder, view, view.day))

    def follow(self, event, now, wishes):
        """Does what an event asks for beside the triggers."""
        kind = event["event"]
        reminder = self.reminders.get(event.get("reminder"))
        if kind == "launched":
            self.watch_places(wishes)
            self.plan_all(now, wishes, is_launch=True)
        elif kind == "located":
            self.located([event["latitudeE7"], event["longitudeE7"]], now, wishes)
        elif kind == "factChanged":
            for counting in self.counting[event["fact"]]:
                self.count_anew(counting, now, wishes)
            self.withdraw_without_reason(event["fact"], now, wishes)
            self.foresee_anew(event["fact"], now, wishes)
        elif kind in ("zoneChanged", "clockChanged"):
            self.plan_all(now, wishes)
        elif kind == "woken" and reminder:
            if reminder.wake is not None and reminder.wake <= now.wall:
                reminder.wake = None
            self.plan(reminder, now, wishes)
        elif kind in ("chargingStarted", "chargingStopped", "regionEntered", "regionExited"):
            if event.get("found"):
                self.plan_again(now, wishes)
            else:
                for foreseeing in self.foreseeing_state:
                    if not foreseeing.cancelled:
                        self.look_ahead(foreseeing, now, wishes)
        elif kind == "delivered":
            self.delivered(reminder, event["occurrence"])
            self.replenish(reminder, now, wishes)
        elif kind == "snooze":
            self.snooze(reminder, read_instant(event["until"]), now, wishes)
        elif kind == "create":
            self.create(reminder, now, wishes)
        elif kind == "cancel":
            self.cancel(reminder, wishes)
        elif kind == "edit":
            self.edit(reminder, event["to"], now, wishes)
        elif kind == "opened":
            for repeating in self.repeating:
                self.bring_back_repeats(repeating, now, wishes)
            with self.in_order_of_time(now, wishes):
                for scheduled in self.scheduled:
                    self.bring_back(scheduled, now, wishes)
                    self.replenish(scheduled, now, wishes)
            for lapsing in self.lapsing:
                self.take_back_lapse(lapsing, now, wishes)
                self.plan_lapse(lapsing, now, wishes)
        elif kind == "permissionChanged":
            self.permission_changed(event["permission"], now, wishes)
        elif kind in ("addFailed", "pendingDropped"):
            self.undo([(reminder, event["occurrence"])], now, wishes, is_failure=kind == "addFailed")
        elif kind == "cancelAll":
            for lapsing in self.lapsing:
                forget_turns_after(lapsing, now.wall)
            for repeating in self.repeating:
                take_back_repeats(repeating, wishes)
            for scheduled in self.scheduled:
                take_back_all(scheduled, now)
                self.wish_after_loss(scheduled, now, wishes)
        elif kind == "reinstalled":
            self.reset(now, wishes)

    def end_snoozes(self, now):
        for reminder in list(self.snoozed):
            if reminder.snoozed_until is None or reminder.snoozed_until <= now.wall:
                reminder.snoozed_until = None
                self.snoozed.remove(reminder)

    # Places

    def watch_places(self, wishes):
        """A process starts: asks for what is to be watched."""
        if len(self.needed) <= self.region_capacity:
            if self.choice:
                wishes.append({"event": "unwatch"})
                self.choice, self.changed = None, True
            wishes += [monitor(place) for place in self.needed]
            return
        if self.choice is None:
            first = self.needed[: self.region_capacity]
            wishes += map(monitor, first)
            self.say_left_out([place for place in self.needed if place not in first], wishes)
            return
        watched = self.choice["watched"]
        if len(watched) != max(1, self.region_capacity - 1) or not set(watched) <= set(self.needed):
            # The app was updated, or something has expired.
            self.choose(self.choice["center"], wishes)
        self.watch_around(wishes)
        wishes += map(monitor, self.choice["watched"])

    def find_needed(self, now):
        """Which places are needed: where there is room for all that reminders name, it is all of them; else those of
        reminders that exist, have not expired, and do not sleep for want of a plan."""
        self.needed, self.waiting, self.next_expiry = self.watched, set(), FAR
        if len(self.watched) <= self.region_capacity:
            return
        view, named = self.view(now), set()
        for reminder in self.reminders.values():
            plan = reminder.plan
            if reminder.cancelled or plan.expires <= now.wall or not plan.places:
                continue
            self.next_expiry = min(self.next_expiry, plan.expires)
            if not any(kind == "fact" and check(view) == "notEntitled" for kind, check in plan.conditions):
                named.update(plan.places)
                self.waiting.add(reminder.name)
        self.needed = [place for place in self.places.names if place in named]

    def review_places(self, kind, now, wishes):
        """Others may be needed than before."""
        if kind == "launched" or kind not in REVIEWED and now.wall < self.next_expiry:
            return
        known = self.needed
        self.find_needed(now)
        if self.needed == known:
            return
        before = self.choice["watched"] if self.choice else known[: self.region_capacity]
        if self.choice and len(self.needed) > self.region_capacity:
            self.choose(self.choice["center"], wishes)
            after = self.choice["watched"]
            self.say_left_out([p for p in self.needed if p not in known and p not in after], wishes)
            return
        if self.choice:
            wishes.append({"event": "unwatch"})
            self.choice, self.changed = None, True
        after = self.needed[: self.region_capacity] if len(self.needed) > self.region_capacity else self.needed
        self.stop_watching([place for place in before if place not in after], wishes)
        wishes += [monitor(place) for place in after if place not in before]
        left = [p for p in self.needed if p not in after and (p in before or p not in known)]
        self.say_left_out(left, wishes)

    def stop_watching(self, places, wishes):
        for place in places:
            wishes.append({"event": "unmonitor", "region": place})
            # Nobody will tell when it is left.
            self.inside.discard(place)

    def located(self, position, now, wishes):
        """The app learns where it is: it chooses again when it has left the circle around the last choice."""
        if len(self.needed) <= self.region_capacity:
            return
        here, last = point(degrees(position)), self.choice
        if last and math.dist(point(degrees(last["center"])), here) < last["radius"]:
            return
        before = last["watched"] if last else self.needed[: self.region_capacity]
        self.choose(position, wishes)
        for place in self.choice["watched"]:
            if place in before or place in self.inside or self.places.way(place, here) >= 0:
                continue
            # Nobody knows how the phone came into a place that it was in when it was looked at last.
            if last and self.places.way(place, point(degrees(last["center"]))) >= 0:
                wishes += self.look({"event": "regionEntered", "region": place}, now)
                self.entered.append(place)
            else:
                self.inside.add(place)
            for foreseeing in self.foreseeing_state:
                if not foreseeing.cancelled:
                    self.look_ahead(foreseeing, now, wishes)

    def choose(self, position, wishes):
        room = max(1, self.region_capacity - 1)
        before = self.choice["watched"] if self.choice else self.needed[: self.region_capacity]
        self.choice = self.places.nearest(room, self.needed, position, self.choice, self.inside)
        self.changed = True
        leaving = [place for place in before if place not in self.choice["watched"]]
        self.stop_watching(leaving, wishes)
        self.watch_around(wishes)
        wishes += [monitor(place) for place in self.choice["watched"] if place not in before]
        self.say_left_out(leaving, wishes)

    def watch_around(self, wishes):
        if self.region_capacity > 1:
            latitude, longitude = self.choice["center"]
            radius = self.choice["radius"]
            wishes.append(
                {"event": "watch", "latitudeE7": latitude, "longitudeE7": longitude, "radius": radius}
            )

    def say_left_out(self, places, wishes):
        """Says of each reminder that names one of these, and needs it, that it is left out."""
        said = set()
        for place in places:
            for name in sorted(self.waiting - said):
                if place in self.reminders[name].plan.places:
                    wishes.append(no_request(self.reminders[name], "regionLimit", []))
                    said.add(name)

    # Matching

    def view(self, now):
        zone = self.program.zone_named(now.zone)
        return View(now, zone, self.charging, self.inside, self.facts)

    def is_armed(self, reminder, now):
        """Whether it may match again some day: not taken back, put off, expired or spent."""
        spent = reminder.plan.repeats == "once" and reminder.turns
        is_over = reminder.plan.expires <= now.wall
        return not (reminder.cancelled or reminder.is_snoozed or spent or is_over)

    def has_turn(self, reminder, day):
        """Whether it has matched in the day's period: once, or once in each local day, week or month."""
        repeats = reminder.plan.repeats
        if repeats == "always" or not reminder.turns:
            return False
        period = self.period(day, repeats)
        return any(self.period(turn[0], repeats) == period for turn in reminder.turns)

    def period(self, day, repeats):
        if repeats == "weekly":
            # Day 4 was a Monday.
            return (day - 4 - self.week_start) // 7
        if repeats == "monthly":
            return month_number(day)
        return day if repeats == "daily" else 0

    def ask(self, reminder, view, today, stage=None):
        """Counts a match, and makes the request for it. The n-th shows the n-th text."""
        plan, occurrence = reminder.plan, reminder.occurrences
        if stage is None and reminder.wake is not None:
            stage = self.stage_of(reminder, reminder.wake, view.now)
        reminder.occurrences += 1
        if plan.repeats != "always" or plan.lapse:
            # Of the turns before today the last is enough: each has a period of its own.
            past = [turn for turn in reminder.turns if turn[0] < today]
            reminder.turns = past[-1:] + [turn for turn in reminder.turns if turn[0] >= today]
            reminder.turns.append([view.day, occurrence, view.now.wall])
        is_critical = plan.criticals and all(check(view) is None for check in plan.criticals)
        return {
            "event": "request",
            "request": {
                "reminder": reminder.name,
                "occurrence": occurrence,
                "type": plan.type,
                "bucket": "critical" if is_critical else plan.bucket,
                "priority": plan.priority,
                "copy": min(occurrence if stage is None else stage, plan.copies - 1, 255),
                "scheduledFor": view.now.wall,
                "deliverAt": view.now.wall,
                "expiresAt": min(
                    plan.expires, FAR if plan.useful_for is None else view.now.wall + plan.useful_for
                ),
                "floating": False,
                "pattern": None,
            },
        }

    def take_back(self, request):
        """Nobody was told of a request: its reminder waits as if the trigger had not come."""
        reminder = self.reminders[request["reminder"]]
        reminder.occurrences -= 1
        reminder.forget_turn(request["occurrence"])

    def still_holds(self, request, now):
        """Asked again of a request that was put off: as for its release, if that is to come."""
        then = foreseen(request["deliverAt"], now) if request["deliverAt"] > now.wall else now
        return not failures(self.reminders[request["reminder"]].plan, self.view(then))

    # Schedules: woken at the next occurrence, or some occurrences handed over beforehand

    def move(self, zone, now, wishes):
        """The phone has come to another zone: what was handed over keeps its local time there."""
        old, new = self.program.zone_named(zone), self.program.zone_named(now.zone)

        def moved(instant):
            return instant if abs(instant) >= FAR else new.first(old.wall(instant))

        for reminder in self.scheduled:
            ahead = reminder.ahead
            if ahead:
                for entry in ahead["pending"]:
                    entry[1] = moved(entry[1])
                    postpone_turn(reminder, *entry)
                for key in ("lookedTo", "takenBackTo", "lostTo"):
                    ahead[key] = moved(ahead[key])
                ahead["failed"] = sorted(moved(at) for at in ahead["failed"])
                for number, at in list(ahead["pending"]):
                    if at >= reminder.plan.expires and at > now.wall:
                        wishes.append(remove(reminder, number, "expiredAtRelease"))
                        ahead["pending"].remove([number, at])
                        reminder.forget_turn(number)
                # Of what was delivered before the journey the app was told before it.
                deliver(reminder, now.wall)
            if reminder.wake is not None and reminder.wake > now.wall:
                reminder.wake = None
        for reminder in self.lapsing:
            for turn in reminder.turns:
                # Also those that the clocks have passed, of whose delivery the app was not told.
                turn[2] = moved(turn[2])
            expires = reminder.plan.expires
            late = [turn[1] for turn in reminder.turns if turn[2] >= expires and turn[2] > now.wall]
            for number in sorted(late, reverse=True) if expires < FAR else ():
                wishes.append(remove(reminder, number, "expiredAtRelease"))
                reminder.forget_turn(number)
        for reminder in self.repeating:
            standing = reminder.standing
            if standing:
                if standing["lostTo"] > now.wall:
                    standing["lostTo"] = moved(standing["lostTo"])
                for entry in standing["entries"]:
                    if entry[2] != -FAR and not is_span(entry[1]):
                        entry[2] = next_repeat(entry[1], now.wall, new)

    def plan_all(self, now, wishes, is_launch=False):
        """At launch, and when the zone or the wall clock has changed. What the app would have been woken for
        before a launch is past; what a clock that was set forward passed over has come now."""
        if self.planned_at != now:
            self.planned_at, self.fresh = now, []
        if self.planned_zone not in (None, now.zone):
            self.move(self.planned_zone, now, wishes)
        with self.in_order_of_time(now, wishes):
            for reminder in self.scheduled:
                if reminder.cancelled:
                    continue
                if is_launch and reminder.wake is not None and reminder.wake <= now.wall:
                    reminder.wake = None
                if not self.count_anew(reminder, now, wishes):
                    self.plan(reminder, now, wishes)
        self.planned_zone = now.zone
        for reminder in self.lapsing:
            self.plan_lapse(reminder, now, wishes)
        for reminder in self.repeating:
            self.plan_repeats(reminder, now, wishes)

    def plan(self, reminder, now, wishes):
        self.plan_lapse(reminder, now, wishes)
        self.plan_repeats(reminder, now, wishes)
        if reminder.plan.schedule is None:
            return
        if reminder.plan.ahead > 0:
            self.replenish(reminder, now, wishes)
            return
        reminder.wake = self.next_wake(reminder, now)
        wishes.append(wake(reminder, reminder.wake))

    def next_wake(self, reminder, now):
        """Where the clock was set back a little, what comes before the wake-up has been due already."""
        if reminder.wake is not None:
            tomorrow = self.next_of(reminder, now.wall + 86_400_000, now)
            if reminder.wake <= now.wall or tomorrow is None or tomorrow >= reminder.wake:
                return reminder.wake
        return self.next_of(reminder, now.wall, now)

    def next_of(self, reminder, instant, now):
        """The first occurrence of its schedule after an instant; None when there is none."""
        since = reminder.counted_from and reminder.counted_from[1]
        return reminder.plan.schedule.next(instant + 1, self.program.zone_named(now.zone), since)

    def count_anew(self, reminder, now, wishes):
        """Where the fact from which a schedule counts has another value, what is pending, put off or visible has
        ended, and everything is planned from the new one. Returns whether it was."""
        fact = counts_from(reminder.plan)
        if fact is None:
            return False
        view, known = self.view(now), reminder.counted_from
        value, day = self.program.known(view, fact), self.program.day_of(view, fact)
        if value == (known and known[0]):
            return False
        reminder.counted_from = None if value is None else [value, day]
        if reminder.cancelled:
            return True
        if known:
            deliver(reminder, now.wall)
            take_out(reminder, reminder.ahead["pending"] if reminder.ahead else [])
            if reminder.occurrences > 0:
                # Where nobody knows it any more, nothing takes the place of what is pending.
                wishes.append(withdraw(reminder, "cancelled" if value is None else "superseded"))
            if reminder.shown is not None and value is not None:
                wishes.append(remove(reminder, reminder.shown, "superseded"))
                reminder.shown = None
            reminder.left_out = reminder.snoozed_until = None
        reminder.ahead = reminder.wake = None
        self.plan(reminder, now, wishes)
        return True

    def stage_of(self, reminder, at, now):
        """Which text an occurrence shows: that of its day; None: by how often it was asked for."""
        if counts_from(reminder.plan) is None or reminder.counted_from is None or at is None:
            return None
        zone = self.program.zone_named(now.zone)
        return reminder.plan.schedule.position(at, zone, reminder.counted_from[1])

    def replenish(self, reminder, now, wishes):
        """Hands occurrences over until as many as the schedule says are ahead of now. When none is pending
        then, nothing would bring the schedule up again: the app asks to be woken at the last."""
        if self.batch is not None:
            self.batch.append(reminder)
            return
        look = self.begin_look(reminder, now, wishes)
        if look:
            while self.look_on(look, now, wishes):
                pass
            self.end_look(look, now, wishes)

    def begin_look(self, reminder, now, wishes):
        plan = reminder.plan
        if reminder.cancelled or plan.schedule is None or plan.ahead == 0:
            return None
        if reminder.is_snoozed:
            wishes.append(wake(reminder, reminder.snoozed_until))
            return None
        if not reminder.ahead:
            reminder.ahead = {"pending": [], "lookedTo": -FAR, "takenBackTo": -FAR, "lostTo": -FAR}
            reminder.ahead.update({"failed": [], "wish": False})
        deliver(reminder, now.wall)
        reminder.ahead["failed"] = [at for at in reminder.ahead["failed"] if at > now.wall]
        after = max(now.wall, reminder.ahead["takenBackTo"])
        look = {"reminder": reminder, "left": plan.ahead, "cut": False}
        return {**look, "next": self.occurrence_after(reminder, after, now)}

    def occurrence_after(self, reminder, instant, now):
        occurrence = self.next_of(reminder, instant, now)
        return None if occurrence is None or occurrence >= reminder.plan.expires else occurrence

    def look_on(self, look, now, wishes):
        """Looks at one occurrence. Returns whether there is another."""
        reminder, occurrence = look["reminder"], look["next"]
        if look["left"] == 0 or occurrence is None:
            return False
        ahead = reminder.ahead
        has_failed = occurrence in ahead["failed"]
        if has_failed and self.failed_at.get(reminder.name) == now.wall:
            # The system would say the same again.
            return False
        if occurrence > ahead["lookedTo"] or has_failed:
            if has_failed:
                ahead["failed"].remove(occurrence)
            number = None
            if all(at != occurrence for _, at in ahead["pending"]):
                self.had_no_room = False
                number = self.hand_over(reminder, occurrence, now, wishes)
                if number is None and self.had_no_room:
                    look["cut"] = True
                    return False
            ahead["lookedTo"] = max(ahead["lookedTo"], occurrence)
            if number is not None:
                ahead["pending"].append([number, occurrence])
                ahead["pending"].sort(key=lambda entry: entry[1])
        look["left"] -= 1
        look["next"] = self.occurrence_after(reminder, occurrence, now)
        return True

    def end_look(self, look, now, wishes):
        reminder, looked_to = look["reminder"], looked_to_of(look["reminder"].ahead)
        if not look["cut"]:
            reminder.left_out = None
        self.wish(reminder, looked_to if looked_to > now.wall else None, now, wishes)

    # What is handed over within what the system keeps: what is due next goes before what is due later

    def is_tight(self):
        """Whether so much may be planned that there is too little room."""
        most = self.most_pending + len(self.snoozed) + self.releases
        return self.capacity is not None and most > self.capacity

    @contextmanager
    def in_order_of_time(self, now, wishes):
        """What is to be replenished in it is replenished at its end, what is due next first."""
        if not self.is_tight() or self.batch is not None:
            yield
            return
        self.batch = []
        yield
        reminders, self.batch = dict.fromkeys(self.batch), None
        looks = [look for reminder in reminders if (look := self.begin_look(reminder, now, wishes))]
        rest = [look for look in looks if look["next"] is not None]
        while rest:
            first = min(rest, key=lambda look: (look["next"], look["reminder"].name))
            if not self.look_on(first, now, wishes) or first["next"] is None:
                rest.remove(first)
        for look in looks:
            self.end_look(look, now, wishes)

    def make_room(self, reminder, at, now, wishes):
        """Makes room for one more: gives up what is due last, if that is later. Returns whether there is room."""
        has_room = not self.is_tight() or self.pending_count(now) < self.capacity
        last = None if has_room else self.latest_pending()
        if last and (at, reminder.name) < (last[1], last[0].name):
            self.give_up(*last, now, wishes)
            has_room = True
        if has_room:
            if reminder.left_out == at:
                reminder.left_out = None
            return True
        self.had_no_room = True
        self.leave_out(reminder, at, now, wishes)
        return False

    def make_room_for_others(self, now, wishes):
        while self.is_tight() and self.pending_count(now) > self.capacity and self.latest_pending():
            self.give_up(*self.latest_pending(), now, wishes)

    def keep_room(self, releases, now, wishes):
        """Keeps room for requests that were put off until quiet hours end."""
        self.releases = releases
        self.make_room_for_others(now, wishes)

    def give_up(self, reminder, at, now, wishes):
        entry = next(entry for entry in reminder.ahead["pending"] if entry[1] == at)
        wishes.append(remove(reminder, entry[0], "superseded"))
        take_out(reminder, [entry])
        reminder.ahead["lookedTo"] = min(reminder.ahead["lookedTo"], at - 1)
        self.leave_out(reminder, at, now, wishes)

    def leave_out(self, reminder, at, now, wishes):
        """There is no room for an occurrence: said once of each."""
        self.full_until = -FAR
        if reminder.left_out is None or not now.wall < reminder.left_out <= at:
            reminder.left_out = at
            wishes.append(no_request(reminder, "pendingLimit", []))

    def fill_up(self, event, now, wishes):
        """Hands over what was left out, as far as there is room by now. Of what happens outside of the app only
        the time that passes makes any."""
        left_out = [reminder for reminder in self.reminders.values() if reminder.left_out is not None]
        if not left_out or event["event"] in OUTSIDE and now.wall < self.full_until:
            return
        with self.in_order_of_time(now, wishes):
            for reminder in left_out:
                if reminder.lapse:
                    # Tried once: it is said again if there is no room.
                    reminder.left_out = None
                self.complete_lapse(reminder, now, wishes)
                self.plan_repeats(reminder, now, wishes)
                self.replenish(reminder, now, wishes)
                if reminder.left_out is not None and reminder.left_out <= now.wall:
                    reminder.left_out = None
        entries = [at for reminder in self.scheduled if reminder.ahead for _, at in reminder.ahead["pending"]]
        self.full_until = min((at for at in entries if at > now.wall), default=-FAR)

    def pending_count(self, now):
        count = self.releases + sum(reminder.snoozed_until > now.wall for reminder in self.snoozed)
        for reminder in self.reminders.values():
            count += sum(at > now.wall for _, at in reminder.ahead["pending"]) if reminder.ahead else 0
            count += len(reminder.standing["entries"]) if reminder.standing else 0
        return count + sum(turn[2] > now.wall for reminder in self.lapsing for turn in reminder.turns)

    def latest_pending(self):
        """The reminder and the time of what is due last."""
        lasts = [reminder for reminder in self.scheduled if reminder.ahead and reminder.ahead["pending"]]
        last = max(lasts, key=lambda one: (one.ahead["pending"][-1][1], one.name), default=None)
        return last and (last, last.ahead["pending"][-1][1])

    def hand_over(self, reminder, at, now, wishes, stage=None, pattern=None):
        """Asks now for a notification at a later instant, if the conditions hold as for then. The system is
        to repeat it by the pattern. Returns the request's number, None when nothing is asked for."""
        if not self.is_armed(reminder, now):
            return None
        view = self.view(foreseen(at, now))
        if self.has_turn(reminder, view.day):
            return None
        failure = failures(reminder.plan, view)
        if not failure and is_withdrawn(reminder.plan, view):
            failure = ("conditionFailed", ["fact"])
        if failure:
            wishes.append(no_request(reminder, *failure))
            return None
        if not self.make_room(reminder, at, now, wishes):
            return None
        stage = self.stage_of(reminder, at, now) if stage is None else stage
        wish = self.ask(reminder, view, self.program.zone_named(now.zone).day(now.wall), stage)
        wish["request"]["floating"] = not is_span(pattern)
        wish["request"]["pattern"] = pattern
        wishes.append(wish)
        number = wish["request"]["occurrence"]
        if self.planned_at == now:
            self.fresh.append((reminder, number))
        return number

    def wish(self, reminder, at, now, wishes):
        """Asks to be woken when nothing of a schedule is pending any more; otherwise takes that back."""
        ahead = reminder.ahead
        if ahead["pending"] or not self.is_armed(reminder, now):
            at = None
        if ahead["wish"] or at is not None:
            wishes.append(wake(reminder, at))
        ahead["wish"] = at is not None

    def foresee_anew(self, fact, now, wishes):
        """Looks again at the occurrences to come that were not handed over, because of what was known."""
        for reminder in self.foreseeing[fact]:
            if not reminder.cancelled:
                self.look_ahead(reminder, now, wishes)

    def look_ahead(self, reminder, now, wishes):
        """Hands over what was kept back, and can be no longer."""
        self.complete_lapse(reminder, now, wishes)
        self.plan_repeats(reminder, now, wishes)
        if reminder.ahead:
            look_again_after_losses(reminder.ahead)
            self.replenish(reminder, now, wishes)

    def plan_again(self, now, wishes):
        """The process finds the phone on its charger or inside a place: plans of this instant, which did not
        know, are made again."""
        if self.planned_at != now:
            return
        for reminder in self.foreseeing_state:
            if reminder.cancelled:
                continue
            numbers = [number for other, number in self.fresh if other is reminder]
            self.fresh = [(other, number) for other, number in self.fresh if other is not reminder]
            wishes += [remove(reminder, number, "superseded") for number in numbers]
            for number in numbers:
                reminder.forget_turn(number)
            for plans, key in ((reminder.ahead, "pending"), (reminder.standing, "entries")):
                if plans:
                    plans[key] = [entry for entry in plans[key] if entry[0] not in numbers]
            if numbers and reminder.lapse:
                reminder.lapse["losses"] = True
            self.look_ahead(reminder, now, wishes)

    def bring_back(self, reminder, now, wishes):
        """The app was opened: what the person had taken back, and is still to come, comes back."""
        ahead = reminder.ahead
        if not ahead or reminder.cancelled:
            return
        deliver(reminder, now.wall)
        if ahead["takenBackTo"] > now.wall:
            if ahead["pending"]:
                wishes.append(withdraw(reminder, "superseded"))
            take_out(reminder, ahead["pending"])
            ahead["takenBackTo"] = -FAR
            look_again_after_losses(ahead)

    def permission_changed(self, permission, now, wishes):
        """The system throws away what is pending when the permission goes, and does not bring it back."""
        if permission in ALLOWING:
            for reminder in self.lapsing:
                self.complete_lapse(reminder, now, wishes)
            for reminder in self.repeating:
                if reminder.standing:
                    reminder.standing["lostTo"] = -FAR
                self.plan_repeats(reminder, now, wishes)
            with self.in_order_of_time(now, wishes):
                for reminder in self.scheduled:
                    if reminder.ahead:
                        reminder.ahead["lostTo"] = -FAR
                        look_again_after_losses(reminder.ahead)
                    self.replenish(reminder, now, wishes)
            return
        for reminder in self.lapsing:
            if reminder.lapse:
                reminder.lapse["losses"] = True
                forget_turns_after(reminder, now.wall)
        for reminder in self.repeating:
            for number, *_ in list(reminder.standing["entries"]) if reminder.standing else ():
                self.lose_repeat(reminder, number, now, wishes)
        for reminder in self.scheduled:
            if reminder.ahead:
                deliver(reminder, now.wall)
                lost = [(reminder, occurrence) for occurrence, _ in reversed(reminder.ahead["pending"])]
                self.undo(lost, now, wishes)
                self.wish_after_loss(reminder, now, wishes)

    # What the system repeats: handed over once, and only taking it back ends it

    def plan_repeats(self, reminder, now, wishes):
        """Hands over what does not stand yet, if the conditions hold as for its first time. Where nothing
        comes of that, the app asks to be woken at the occurrence that is missed so, and tries again then."""
        plan = reminder.plan
        if not plan.patterns or reminder.cancelled or reminder.is_snoozed:
            return
        if not reminder.standing:
            reminder.standing = {"entries": [], "lostTo": -FAR, "takenBack": False, "wish": FAR}
        standing, zone, missed = reminder.standing, self.program.zone_named(now.zone), FAR
        if standing["takenBack"]:
            return
        after = now.wall if plan.first_day is None else max(now.wall, zone.at(plan.first_day, 0) - 1)
        for pattern in plan.patterns:
            if any(entry[1] == pattern for entry in standing["entries"]):
                continue
            first, number = next_repeat(pattern, after, zone), None
            if is_span(pattern) or first > standing["lostTo"]:
                number = self.hand_over(reminder, first, now, wishes, pattern=pattern)
            if number is None:
                missed = min(missed, first)
            else:
                standing["entries"].append([number, pattern, first])
        wish_to_repeat(reminder, missed, wishes)

    def lose_repeat(self, reminder, occurrence, now, wishes):
        """A request that the system was to repeat was denied, refused or dropped: it is asked for again after
        the occurrence that is missed so."""
        standing = reminder.standing
        for entry in standing["entries"] if standing else ():
            if entry[0] == occurrence:
                standing["entries"].remove(entry)
                _, pattern, missed = entry
                if missed <= now.wall:
                    missed = next_repeat(pattern, now.wall, self.program.zone_named(now.zone))
                standing["lostTo"] = max(standing["lostTo"], missed)
                wish_to_repeat(reminder, min(standing["wish"], missed), wishes)
                return

    def bring_back_repeats(self, reminder, now, wishes):
        """The app was opened: what the person had taken back comes back."""
        if reminder.standing and reminder.standing["takenBack"]:
            reminder.standing.update(takenBack=False, lostTo=-FAR)
        self.plan_repeats(reminder, now, wishes)

    # Lapses: stages for the time in which the app stays closed, handed over beforehand

    def plan_lapse(self, reminder, now, wishes, since=None):
        plan = reminder.plan
        if not plan.lapse or reminder.lapse or reminder.cancelled or reminder.is_snoozed:
            return
        zone = self.program.zone_named(now.zone)
        since = zone.day(now.wall) if since is None else since
        reminder.lapse = {"since": since, "losses": False}
        days, minute = plan.lapse
        for stage, count in enumerate(days):
            at = zone.at(since + count, minute)
            if at >= plan.expires:
                return
            if at > now.wall and self.hand_over(reminder, at, now, wishes, stage) is None:
                reminder.lapse["losses"] = True

    def complete_lapse(self, reminder, now, wishes):
        """Stages that were kept back are planned again, from the same opening."""
        if reminder.lapse and reminder.lapse["losses"]:
            since = reminder.lapse["since"]
            self.take_back_lapse(reminder, now, wishes)
            self.plan_lapse(reminder, now, wishes, since)

    def take_back_lapse(self, reminder, now, wishes):
        if reminder.lapse:
            reminder.lapse = None
            wishes.append(withdraw(reminder, "superseded"))
            forget_turns_after(reminder, now.wall)

    def withdraw_without_reason(self, fact, now, wishes):
        """A fact may end the reason for which requests are held or pending, for as long as it is gone."""
        for reminder in self.withdrawing[fact]:
            if reminder.cancelled:
                continue
            is_gone = is_withdrawn(reminder.plan, self.view(now))
            pending = reminder.ahead["pending"] if reminder.ahead else []
            ended = [
                entry
                for entry in pending
                if entry[1] > now.wall and is_withdrawn(reminder.plan, self.view(foreseen(entry[1], now)))
            ]
            if is_gone and len(ended) == len(pending):
                wishes.append(withdraw(reminder, "cancelled"))
            else:
                wishes += [remove(reminder, number, "cancelled") for number, _ in ended]
            take_out(reminder, ended)
            if is_gone:
                if reminder.standing:
                    reminder.standing["entries"] = []
                if reminder.lapse:
                    reminder.lapse["losses"] = True
                forget_turns_after(reminder, now.wall)

    def delivered(self, reminder, occurrence):
        """The app learned that a request was shown."""
        postpone_turn(reminder, occurrence, -FAR)
        for entry in reminder.standing["entries"] if reminder.standing else ():
            if entry[0] == occurrence:
                entry[2] = -FAR
        if reminder.ahead:
            pending = reminder.ahead["pending"]
            reminder.ahead["pending"] = [entry for entry in pending if entry[0] != occurrence]
        reminder.was_shown(occurrence)

    # What the person asks for

    def snooze(self, reminder, until, now, wishes):
        """Puts a reminder off. One that has asked before asks again then, as the person's own wish."""
        plan = reminder.plan
        if reminder.cancelled or min(until, plan.expires) <= now.wall:
            return
        last = self.take_back_last(reminder, until, now, wishes)
        reminder.snoozed_until = until
        if reminder not in self.snoozed:
            self.snoozed.append(reminder)
        if last is not None and until < plan.expires:
            request = {"reminder": reminder.name, "occurrence": reminder.occurrences, "type": plan.type}
            reminder.occurrences += 1
            self.make_room_for_others(now, wishes)
            request.update(bucket="user", priority=plan.priority, copy=min(last, plan.copies - 1, 255))
            request.update(scheduledFor=until, deliverAt=until, expiresAt=plan.expires)
            request.update(floating=False, pattern=None)
            wishes.append({"event": "request", "request": request})
        if reminder.ahead or reminder.standing:
            # At the end of the snooze the schedule goes on.
            wishes.append(wake(reminder, until))

    def take_back_last(self, reminder, until, now, wishes):
        """Takes back what a snooze puts off: the request shown last and, of occurrences handed over, those
        that would come before the snooze ends. Returns which is to be asked again."""
        deliver(reminder, now.wall)
        pending = reminder.ahead["pending"] if reminder.ahead else []
        removed = [occurrence for occurrence, at in pending if at < until]
        del pending[: len(removed)]
        wishes += [remove(reminder, occurrence, "superseded") for occurrence in removed]
        if reminder.shown is None:
            return removed[-1] if removed else None
        standing = reminder.standing["entries"] if reminder.standing else []
        if all(entry[0] != reminder.shown for entry in standing):
            # What the system repeats is one request for what it has shown and for what it will: that goes on.
            wishes.append(remove(reminder, reminder.shown, "superseded"))
        return reminder.shown

    def cancel(self, reminder, wishes):
        if reminder.cancelled:
            return
        reminder.cancelled = True
        reminder.snoozed_until = reminder.ahead = reminder.standing = reminder.left_out = None
        wishes += [withdraw(reminder, "cancelled"), wake(reminder, None)]

    def edit(self, reminder, name, now, wishes):
        """Puts another declaration in its place; it waits anew, and its requests go on being numbered."""
        if name not in reminder.plans:
            return
        wishes.append(withdraw(reminder, "superseded"))
        self.begin(reminder, name, now, wishes)

    def create(self, reminder, now, wishes):
        """Makes one that is not there; it waits as it was declared."""
        if reminder.cancelled:
            self.begin(reminder, None, now, wishes)

    def begin(self, reminder, name, now, wishes):
        reminder.remember({"edit": name, "cancelled": False, "occurrences": reminder.occurrences})
        if not self.count_anew(reminder, now, wishes):
            self.plan(reminder, now, wishes)

    def reset(self, now, wishes):
        """The app was deleted and installed again. Requests go on being numbered, so that none is taken for
        an earlier one; facts are the account's and the system's."""
        for reminder in self.reminders.values():
            reminder.remember({"occurrences": reminder.occurrences})
        self.inside, self.charging, self.planned_zone, self.planned_at = set(), False, None, None
        self.plan_all(now, wishes)

    # Requests that come to nothing

    def settled(self, answers, now, wishes):
        """What the scheduler said. A match is kept only if its request is admitted or held: a denied request
        does not use up the turn. What the person took back, and what another replaces, does."""
        lost = []
        for answer in answers:
            kind = answer["event"]
            if kind not in ("decided", "dropped", "remove"):
                continue
            request = answer.get("request", answer)
            reminder, occurrence = self.reminders[request["reminder"]], request["occurrence"]
            outcome = answer.get("outcome")
            if outcome in ("deny", "fail"):
                lost.append((reminder, occurrence))
            elif outcome == "defer":
                postpone_turn(reminder, occurrence, FAR)
            elif outcome == "admit":
                postpone_turn(reminder, occurrence, max(now.wall, request["deliverAt"]))
                if request["deliverAt"] <= now.wall:
                    reminder.was_shown(occurrence)
            elif answer["reason"] not in ("cancelled", "superseded"):
                lost.append((reminder, occurrence))
        if lost:
            self.undo(lost, now, wishes)

    def undo(self, lost, now, wishes, is_failure=False):
        """Requests will not be delivered: their reminders wait as if the triggers had not come. What the system
        did not take of a schedule is asked for again when that is planned next."""
        self.changed = True
        for reminder, occurrence in lost:
            reminder.forget_turn(occurrence)
            if reminder.shown == occurrence:
                reminder.shown = None
            if reminder.lapse:
                reminder.lapse["losses"] = True
            self.lose_repeat(reminder, occurrence, now, wishes)
            ahead = reminder.ahead
            for entry in ahead["pending"] if ahead else ():
                if entry[0] == occurrence:
                    # The schedule goes on after those that are pending.
                    ahead["pending"].remove(entry)
                    if is_failure and entry[1] > now.wall:
                        ahead["failed"] = sorted([*ahead["failed"], entry[1]])
                        self.failed_at[reminder.name] = now.wall
                    else:
                        ahead["lostTo"] = max(ahead["lostTo"], entry[1])
                    if reminder.plan.repeats != "always":
                        look_again_after_losses(ahead)
                    self.wish_after_loss(reminder, now, wishes)
                    break

    def wish_after_loss(self, reminder, now, wishes):
        if reminder.ahead and not reminder.is_snoozed and not reminder.cancelled:
            self.wish(reminder, max(looked_to_of(reminder.ahead), now.wall), now, wishes)


def counts_from(plan):
    """The fact from which a schedule counts its days; None where the calendar says them."""
    return getattr(plan.schedule, "fact", None)


# What was handed over of a schedule


def deliver(reminder, wall):
    """The time of everything up to now has come. Whether the system has shown it the app learns when it is
    told: a journey may have moved it, an alarm may be late, a store may be an old one."""
    pending = reminder.ahead["pending"] if reminder.ahead else []
    while pending and pending[0][1] <= wall:
        pending.pop(0)


def take_out(reminder, entries):
    """Occurrences that were handed over are as if they had not been."""
    for entry in list(entries):
        reminder.ahead["pending"].remove(entry)
        reminder.forget_turn(entry[0])


def take_back_all(reminder, now):
    """The person took back what is pending, and what there was no room for: the schedule goes on after it."""
    ahead = reminder.ahead
    if ahead:
        deliver(reminder, now.wall)
        last = ahead["pending"][-1][1] if ahead["pending"] else -FAR
        left_out = -FAR if reminder.left_out is None else reminder.left_out
        take_out(reminder, ahead["pending"])
        ahead["takenBackTo"] = ahead["lookedTo"] = max(looked_to_of(ahead), last, left_out)
        ahead["failed"] = []
        reminder.left_out = None


def looked_to_of(ahead):
    """The last occurrence that was looked at, or is to be asked for again."""
    return max([ahead["lookedTo"], *ahead["failed"]])


def look_again_after_losses(ahead):
    """Looks again at all that is not pending, but not at what was lost or before it."""
    ahead["lookedTo"] = max(ahead["takenBackTo"], ahead["lostTo"])


# What the system repeats


def hands_over(plan):
    """Whether it asks for notifications before their time."""
    return plan.ahead or plan.lapse or plan.patterns


def is_span(pattern):
    return pattern is not None and pattern["repeats"] == "span"


def wish_to_repeat(reminder, at, wishes):
    """Asks to be woken at what the system will not show; otherwise takes that back."""
    standing = reminder.standing
    if standing["wish"] != FAR or at != FAR:
        wishes.append(wake(reminder, None if at == FAR else at))
    standing["wish"] = at


def take_back_repeats(reminder, wishes):
    """The person took back what is pending: nothing is repeated until the app is opened again."""
    standing = reminder.standing
    if standing:
        wishes += [remove(reminder, number, "cancelled") for number, *_ in standing["entries"]]
        standing.update(entries=[], takenBack=True)
        wish_to_repeat(reminder, FAR, wishes)


# Turns


def forget_turns_after(reminder, wall):
    reminder.turns = [turn for turn in reminder.turns if turn[2] <= wall]


def postpone_turn(reminder, occurrence, at):
    for turn in reminder.turns:
        if turn[1] == occurrence:
            turn[2] = at


# Wishes


def foreseen(at, now):
    """What the clocks will read at a later instant, if nobody sets them."""
    return Moment(at, now.boot, now.uptime + at - now.wall, now.zone)


def is_withdrawn(plan, view):
    return any(check(view) is None for check in plan.withdrawals)


def failures(plan, view):
    """The first reason and all kinds of the conditions that do not hold; None when all do."""
    reason, kinds = None, set()
    for kind, check in plan.conditions:
        failed = check(view)
        if failed:
            reason = reason or failed
            kinds.add(kind)
    return (reason, [kind for kind in KINDS if kind in kinds]) if reason else None


def monitor(place):
    return {"event": "monitor", "region": place}


def no_request(reminder, reason, failed):
    return {"event": "noRequest", "reminder": reminder.name, "reason": reason, "failed": failed}


def withdraw(reminder, reason):
    return {"event": "withdraw", "reminder": reminder.name, "reason": reason}


def remove(reminder, occurrence, reason):
    return {"event": "remove", "reminder": reminder.name, "occurrence": occurrence, "reason": reason}


def wake(reminder, at):
    return {"event": "wake", "reminder": reminder.name, "at": at}
