"""The matcher: determines which reminders request a notification, and handles the person's actions.

It receives events and returns wishes as dictionaries: requests for the cap scheduler, and effects. It asks no
questions
and has no clock: events contain everything it knows.
"""

import math

from civil import FAR, MINUTE, Moment, in_window, month_number, read_instant, weekday
from memory import (
    Reminder,
    counts_from,
    deliver,
    end_snooze,
    foresees,
    foresees_state,
    keep_turn,
    look_again_after_losses,
    monitor,
    no_request,
    pending_entry,
    put_off_turns,
    remove,
    take_out,
    wake,
    withdraw,
)
from places import Places, degrees, point
from plans import Plans, failures, foreseen, useful_until

SUBJECT = {
    "appOpened": "app",
    "regionEntered": "region",
    "regionExited": "region",
    "factChanged": "fact",
}
# Events after which other places may be needed.
REVIEWED = ("create", "edit", "cancel", "reinstalled", "factChanged")
# Events that are not remembered unless they trigger something.
INERT = {"unlock", "lock", "chargingStarted", "chargingStopped", "batteryLevel", "appOpened"}
INERT |= {"backgrounded", "regionFailed", "tapped", "dismissed", "acted", "preferencesChanged", "located"}
INERT |= {"deliveredElsewhere"}

# The number of earlier turns that are remembered, and the maximum delay by a journey of requests that are due by the
# clocks.
KEPT_TURNS, LONGEST_JOURNEY = 40, 26 * 60 * MINUTE


def trigger_key(event, subject):
    """The key that an event and its triggers share: an app, a place or a fact counts."""
    return (event, subject)


class View:
    """The subjects of conditions at one moment."""

    def __init__(self, now, zone, charging, inside, facts):
        self.now, self.zone = now, zone
        self.charging, self.inside, self.facts = charging, inside, facts
        self.day = zone.day(now.wall)
        self.weekday = weekday(self.day)
        self.hands = zone.hands(now.wall)

    def is_open(self, window):
        return in_window(window, self.hands)


class Reminders(Plans):
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
        # The number of regions that the system monitors, and the regions entered according to the position, whose
        # events may
        # still follow.
        self.region_capacity, self.entered = math.inf, []
        self.scheduled = self.having(lambda plan: plan.schedule)
        self.may_lapse = self.having(lambda plan: plan.lapse)
        self.repeating = self.having(lambda plan: plan.patterns)
        self.expiring = self.having(lambda plan: plan.expires < FAR)
        # By fact: reminders whose withdrawal it may cause, those whose future occurrences depend on it, and those whose
        # schedule counts from it.
        self.withdrawing, self.foreseeing, self.counting = {}, {}, {}
        for fact in program.facts:
            self.counting[fact] = self.having(lambda plan: counts_from(plan) == fact)
            self.withdrawing[fact] = self.having(lambda plan: fact in plan.withdrawal_facts)
            self.foreseeing[fact] = self.having(lambda plan: foresees(plan, fact))
        self.foreseeing_state = self.having(foresees_state)
        # The number of later requests that the system keeps, or None; the number that may be planned; and the number
        # of deferred
        # requests that it has.
        self.capacity, self.releases = None, 0
        self.most_pending = sum(
            plan.ahead + (len(plan.lapse[0]) if plan.lapse else 0) + len(plan.patterns) for plan in plans
        )
        # Until this instant there is no room for the occurrences without room; the round that is being planned.
        self.full_until, self.round, self.had_no_room = -FAR, None, False
        # When the system last refused a request, by reminder.
        self.failed_at = {}
        # Known only to the process, and not stored.
        self.charging = False
        self.changed = False
        # When everything was last planned, and the requests handed over then.
        self.planned_at, self.fresh = None, []
        self.load({})

    def having(self, test):
        return [
            reminder for reminder in self.reminders.values() if any(map(test, reminder.plans.values()))
        ]

    @property
    def lapsing(self):
        return [reminder for reminder in self.may_lapse if reminder.plan.lapse]

    # Storage

    def load(self, stored):
        """Continues from the stored state. Reminders are identified by name."""
        self.inside = set(stored.get("inside", []))
        # The monitored places, if the system monitors fewer than reminders use and the app knows its position.
        self.choice = stored.get("choice")
        self.facts = {}
        for name, (value, since) in stored.get("facts", {}).items():
            if name in self.program.facts:
                self.facts[name] = (value, Moment(*since))
        self.planned_zone = stored.get("zone")
        for name, reminder in self.reminders.items():
            reminder.remember(stored.get("reminders", {}).get(name, {}))
        self.snoozed = [reminder for reminder in self.reminders.values() if reminder.is_snoozed]
        # The places of waiting reminders, if the system monitors fewer than reminders use; and the next expiry.
        self.needed, self.waiting, self.next_expiry = None, set(), FAR
        # The places of expired reminders, which may have expired while no process was running.
        self.expired = []

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
        """Processes one event and returns the wishes."""
        if self.needed is None:
            self.find_needed(now)
        is_in_vain = self.is_in_vain(event)
        wishes = self.look(event, now)
        asked = {wish["request"]["reminder"] for wish in wishes if wish["event"] == "request"}
        plans = []
        self.follow(event, now, plans)
        self.review_places(event["event"], now, plans)
        # Replaced plans are removed before the event's own trigger makes a request, which is not a plan.
        first = [
            wish
            for wish in plans
            if wish["event"] == "withdraw" and wish["reason"] == "superseded" and wish["reminder"] in asked
        ]
        wishes = first + wishes + [wish for wish in plans if wish not in first]
        self.fill_up(event, now, wishes)
        is_inert = is_in_vain or event["event"] in INERT
        if not is_inert or any(wish["event"] != "noRequest" for wish in wishes):
            self.changed = True
        return wishes

    def is_in_vain(self, event):
        """A command without effect: its reminder already exists, or does not."""
        if event["event"] not in ("snooze", "cancel", "create"):
            return False
        return self.reminders[event["reminder"]].cancelled == (event["event"] != "create")

    def look(self, event, now):
        """Updates the state for an event, and makes the requests that it triggers."""
        kind, wishes, is_known = event["event"], [], False
        self.pass_deadlines(now)
        if kind in ("chargingStarted", "chargingStopped"):
            self.charging = kind == "chargingStarted"
        elif kind == "regionEntered":
            # An initial enter is no arrival if the app knows it, except for reminders that expect it.
            is_known = event.get("initial") and event["region"] in self.inside
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
            # A late event states since when it holds.
            age = event.get("age", 0)
            since = now._replace(wall=now.wall - age, uptime=now.uptime - age)
            self.facts[fact] = (value, since)
            if self.program.known(view, fact) == before or kind == "factFound":
                return wishes
        if event.get("found"):
            # A state and not a change triggers nothing.
            return wishes
        # A late event uses the turn of its own day.
        day = due = None
        if kind == "woken":
            reminder = self.reminders.get(event.get("reminder"))
            due = self.due_wake(reminder, now) if reminder else None
            listeners = () if due is None else [(reminder, reminder.plan)]
            if due is not None:
                day = self.program.zone_named(now.zone).day(due)
        else:
            subject = event[SUBJECT[kind]] if kind in SUBJECT else None
            listeners = self.listeners.get(trigger_key(kind, subject), ())
        if listeners:
            view, misses = self.view(now), []
            for reminder, plan in listeners:
                if plan is reminder.plan and (reminder.expects_enter or not is_known):
                    self.look_at(reminder, view, due, view.day if day is None else day, wishes, misses)
            wishes += misses
        return wishes

    def look_at(self, reminder, view, due, day, wishes, misses):
        """Evaluates a trigger: whether the reminder waits for the turn of that day, and whether its conditions hold.
        Those on the time of day are evaluated for the occurrence that is due, if there is one."""
        if reminder.is_snoozed:
            misses.append(no_request(reminder, "snoozed", []))
        elif self.is_armed(reminder) and not self.has_turn(reminder, day):
            failure = failures(reminder.plan, view if due is None else self.view(view.now, due))
            if failure:
                misses.append(no_request(reminder, *failure))
                return
            wish = self.ask(reminder, view, day, view.now)
            if due is not None:
                reminder.undecided = wish["request"]["occurrence"]
                wish["request"]["expiresAt"] = useful_until(reminder.plan, due)
            wishes.append(wish)

    def follow(self, event, now, wishes):
        """Handles the other consequences of an event."""
        kind = event["event"]
        reminder = self.reminders.get(event.get("reminder"))
        if kind == "launched":
            self.watch_places(wishes)
            self.plan_all(now, wishes, True)
        elif kind == "located":
            self.located([event["latitudeE7"], event["longitudeE7"]], now, wishes)
        elif kind == "factChanged" or (kind == "factFound" and self.planned_at is not None):
            # A process plans for the first time after it has found its facts.
            with self.in_order_of_time(now, wishes):
                for counting in self.counting[event["fact"]]:
                    self.count_anew(counting, now, wishes)
            self.withdraw_without_reason(event["fact"], now, wishes)
            self.foresee_anew(event["fact"], now, wishes)
        elif kind in ("zoneChanged", "clockChanged"):
            if kind == "clockChanged":
                for one in self.reminders.values():
                    if one.snooze_clocks and one.standing:
                        wishes.append(wake(one, one.snoozed_until))
            self.plan_all(now, wishes)
        elif kind == "woken" and reminder:
            self.serve_wake(reminder, now)
            self.plan(reminder, now, wishes)
        elif kind in ("chargingStarted", "chargingStopped", "regionEntered", "regionExited"):
            # A state that is reported later than at the launch is a change like any other.
            if event.get("found") and self.planned_at in (None, now):
                self.plan_again(now, wishes)
            else:
                if not event.get("found"):
                    for listener, plan in self.listeners.get(trigger_key("regionEntered", event.get("region")), ()):
                        if plan is listener.plan:
                            listener.expects_enter = False
                self.foresee_state_anew(now, wishes)
        elif kind == "delivered":
            self.delivered(reminder, event["occurrence"])
            self.replenish(reminder, now, wishes)
        elif kind == "snooze":
            clocks = [now.boot, now.wall - now.uptime] if event.get("length", 0) > 0 else None
            self.snooze(reminder, read_instant(event["until"]), clocks, now, wishes)
        elif kind == "create":
            self.create(reminder, now, wishes)
        elif kind == "cancel":
            self.cancel(reminder, wishes)
        elif kind == "edit":
            self.edit(reminder, event["to"], now, wishes)
        elif kind == "opened":
            self.opened(now, wishes)
        elif kind == "permissionChanged":
            self.permission_changed(event["permission"], now, wishes)
        elif kind == "preferencesChanged":
            self.preferences_changed(event, now, wishes)
        elif kind == "pendingDropped":
            self.dropped(reminder, event["occurrence"], now, wishes)
        elif kind == "addFailed":
            self.undo([(reminder, event["occurrence"])], now, wishes, is_failure=True)
        elif kind == "cancelAll":
            self.all_taken_back(now, wishes)
        elif kind == "reinstalled":
            self.reset(now, wishes)

    def shift_snoozes(self, now):
        """Shifts the ends of snoozes for a length of time if the wall clock was set. The system shifts their requests.
        Only the wall clock measures a length of time across a boot."""
        clocks = [now.boot, now.wall - now.uptime]
        for reminder in self.snoozed:
            if reminder.snooze_clocks in (None, clocks):
                continue
            boot, begun = reminder.snooze_clocks
            if boot == now.boot:
                reminder.snoozed_until += clocks[1] - begun
            reminder.snooze_clocks, self.changed = clocks, True

    def pass_deadlines(self, now):
        """Ends snoozes and expires reminders."""
        self.shift_snoozes(now)
        for reminder in list(self.snoozed):
            if reminder.snoozed_until is None or reminder.snoozed_until <= now.wall:
                self.snoozed.remove(reminder)
                if reminder.is_snoozed:
                    if reminder.asked_again:
                        reminder.missed_at(now)["snooze"] = [*reminder.asked_again[:2], reminder.snoozed_until]
                    if reminder.lateness and reminder.asked_again and not reminder.deferred_snooze:
                        reminder.deferred_snooze = [*reminder.asked_again[:2], reminder.snoozed_until]
                    end_snooze(reminder, now)
        for reminder in self.expiring:
            # A reminder that does not exist yet has nothing to end.
            if reminder.plan.expires <= now.wall and not (reminder.cancelled and reminder.is_made_later):
                reminder.expired = True

    # Places

    def watch_places(self, wishes):
        """A process starts: requests the regions to monitor."""
        if len(self.needed) <= self.region_capacity:
            before = self.expired
            if self.choice:
                before = self.choice["watched"]
                wishes.append({"event": "unwatch"})
                self.choice, self.changed = None, True
            self.stop_watching([place for place in before if place not in self.needed], wishes)
            wishes += [monitor(place) for place in self.needed]
            return
        if self.choice is None:
            first = self.needed[: self.region_capacity]
            self.stop_watching([place for place in self.expired if place not in first], wishes)
            wishes += map(monitor, first)
            self.say_left_out([place for place in self.needed if place not in first], wishes)
            return
        watched = self.choice["watched"]
        if len(watched) != max(1, self.region_capacity - 1) or not set(watched) <= set(self.needed):
            # The app was updated, or a reminder has expired.
            self.choose(self.choice["center"], wishes)
        self.watch_around(wishes)
        wishes += map(monitor, self.choice["watched"])

    def find_needed(self, now):
        """Determines the needed places. If there is room for all, they are needed. Otherwise only those of reminders
        that exist,
        have not expired and are not suspended by the plan."""
        self.needed, self.waiting, self.next_expiry, self.expired = self.watched, set(), FAR, []
        if len(self.watched) <= self.region_capacity:
            return
        view, named = self.view(now), set()
        for reminder in self.reminders.values():
            plan = reminder.plan
            if reminder.cancelled:
                continue
            if plan.expires <= now.wall:
                self.expired += plan.places
                continue
            self.next_expiry = min(self.next_expiry, plan.expires)
            if not any(kind == "fact" and check(view) == "notEntitled" for kind, check in plan.conditions):
                named.update(plan.places)
                self.waiting.add(reminder.name)
        self.needed = [place for place in self.places.names if place in named]

    def review_places(self, kind, now, wishes):
        """Other places may be needed than before."""
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
            # No event will report that it is left.
            self.inside.discard(place)

    def located(self, position, now, wishes):
        """The app observes its position and chooses again if it has left the circle around the last choice."""
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
            # It is unknown how the phone entered a place in which it was at the last evaluation.
            if last and self.places.way(place, point(degrees(last["center"]))) >= 0:
                wishes += self.look({"event": "regionEntered", "region": place}, now)
                self.entered.append(place)
            else:
                for listener, plan in self.listeners.get(trigger_key("regionEntered", place), ()) if not last else ():
                    if plan is listener.plan and not listener.cancelled:
                        listener.expects_enter = True
                self.inside.add(place)
            self.foresee_state_anew(now, wishes)

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
        """Reports each reminder that needs one of these places as left out."""
        said = set()
        for place in places:
            for name in sorted(self.waiting - said):
                if place in self.reminders[name].plan.places:
                    wishes.append(no_request(self.reminders[name], "regionLimit", []))
                    said.add(name)

    # Matching

    def view(self, now, time=None):
        """Returns the view at a moment, or the present state at the time of day of another instant."""
        zone = self.program.zone_named(now.zone)
        view = View(now if time is None else now._replace(wall=time), zone, self.charging, self.inside, self.facts)
        view.now = now
        return view

    def is_armed(self, reminder):
        """Returns whether it can match again: not cancelled, snoozed, expired or spent."""
        spent = reminder.plan.repeats == "once" and reminder.turns
        return not (reminder.cancelled or reminder.is_snoozed or spent or reminder.expired)

    def has_turn(self, reminder, day):
        """Returns whether it has matched in the day's period: ever, or in the local day, week or month."""
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

    def ask(self, reminder, view, day, now, stage=None, is_ahead=False):
        """Counts a match for a day and makes its request. The n-th request has the n-th text."""
        plan, occurrence = reminder.plan, reminder.occurrences
        if stage is None:
            stage = self.stage_of(reminder, self.due_wake(reminder, view.now), view.now)
        reminder.occurrences += 1
        if plan.repeats != "always" or plan.lapse:
            # A clock change or a journey may repeat some days before today.
            today = self.program.zone_named(now.zone).day(now.wall)
            past = [turn for turn in reminder.turns if turn[0] < today][-KEPT_TURNS:]
            reminder.turns = past + [turn for turn in reminder.turns if turn[0] >= today]
            for turn in reminder.turns if not is_ahead else ():
                if turn[2] is not None and turn[2] + MINUTE <= now.wall - LONGEST_JOURNEY:
                    turn[2] = None
            reminder.turns.append([day, occurrence, None if is_ahead else view.now.wall, view.now.wall])
        is_critical = plan.criticals and all(check(view) is None for check in plan.criticals)
        return {
            "event": "request",
            "request": {
                "reminder": reminder.name,
                "occurrence": occurrence,
                "type": plan.type,
                "bucket": "critical" if is_critical else plan.bucket,
                "priority": plan.priority,
                "copy": reminder.copy(occurrence if stage is None else stage),
                "scheduledFor": view.now.wall,
                "deliverAt": view.now.wall,
                "expiresAt": useful_until(plan, view.now.wall),
                "floating": False,
                "pattern": None,
            },
        }

    def take_back(self, request, now):
        """The request was not submitted: its reminder waits as if there had been no trigger."""
        reminder = self.reminders[request["reminder"]]
        reminder.occurrences -= 1
        reminder.is_decided(request["occurrence"])
        if not reminder.is_snoozed:
            reminder.forget_turn(request["occurrence"], now)

    def still_holds(self, request, now):
        """Evaluates a deferred request again, for the time of its release if that is in the future."""
        if self.reminders[request["reminder"]].is_deferred_snooze(request["occurrence"]):
            return True
        then = foreseen(request["deliverAt"], now) if request["deliverAt"] > now.wall else now
        return not failures(self.reminders[request["reminder"]].plan, self.view(then))

    # Actions of the person

    def snooze(self, reminder, until, clocks, now, wishes):
        """Snoozes a reminder. One that has made a request makes it again then, as the person's own wish. `clocks` is
        not None if the person chose a length of time."""
        plan = reminder.plan
        if reminder.cancelled or min(until, plan.expires) <= now.wall:
            return
        put_off = self.take_back_last(reminder, until, now, wishes)
        reminder.snoozed_until, reminder.asked_again, reminder.snooze_clocks = until, None, clocks
        if reminder not in self.snoozed:
            self.snoozed.append(reminder)
        if put_off and until < plan.expires:
            self.ask_again(reminder, until, put_off, now, wishes)
            if reminder.wake is not None and reminder.wake <= until:
                # A wake-up before the end of the snooze is due at its end, once.
                reminder.wake = self.next_of(reminder, until, now)
                wishes.append(wake(reminder, reminder.wake))
        if reminder.ahead or reminder.standing:
            # The schedule continues at the end of the snooze.
            wishes.append(wake(reminder, until))

    def ask_again(self, reminder, until, put_off, now, wishes, due=None):
        """`put_off` is the snoozed request: [its text, when its occurrence is due]. `due` is the end of the snooze if
        that is
        before `until`."""
        plan, copy = reminder.plan, put_off[0]
        request = {"reminder": reminder.name, "occurrence": reminder.occurrences, "type": plan.type}
        if reminder.is_snoozed:
            reminder.asked_again = [reminder.occurrences, *put_off]
        reminder.occurrences += 1
        self.make_room_for_others(now, wishes)
        request.update(bucket="user", priority=plan.priority, copy=copy, deliverAt=until)
        request.update(scheduledFor=until if due is None else due)
        request.update(expiresAt=plan.expires, floating=False, pattern=None)
        if reminder.snooze_clocks:
            request["elapsed"] = True
        wishes.append({"event": "request", "request": request})

    def take_back_last(self, reminder, until, now, wishes):
        """Removes the requests that a snooze replaces: the last shown one or that of an earlier snooze, and the
        scheduled and
        deferred ones that would be shown before or when the snooze ends. Returns what to request again, as for
        ask_again, or
        None."""
        deliver(reminder, now)
        pending = reminder.ahead["pending"] if reminder.ahead else []
        removed = [entry for entry in pending if entry[1] <= until]
        del pending[: len(removed)]
        reminder.failed, reminder.failed_snooze = [at for at in reminder.failed if at > until], False
        reminder.withdrawn = []
        wishes += [remove(reminder, entry[0], "superseded") for entry in removed]
        again = []
        if reminder.ahead:
            again = [entry for entry in reminder.ahead["snoozed"] if entry[1] > until]
            kept = [entry for entry in reminder.ahead["snoozed"] if entry[1] <= until]
            reminder.ahead["snoozed"] = kept + removed
        if reminder.is_snoozed and reminder.snoozed_until > until:
            self.bring_back_snoozed(reminder, again, until, now, wishes)
        opened = [turn for turn in reminder.turns if turn[2] is not None and reminder.passed(now) < turn[2]]
        opened = [turn for turn in opened if turn[2] <= until or turn[2] == FAR]
        opened.sort(key=lambda turn: turn[1])
        for turn in opened:
            # Its match stays because the snooze replaces its request.
            turn[2] = None
            wishes.append(remove(reminder, turn[1], "superseded"))
        undecided, reminder.undecided = reminder.undecided, None
        if undecided is not None:
            turn = reminder.open_turn(undecided)
            if turn:
                turn[2] = None
            wishes.append(remove(reminder, undecided, "superseded"))
            stage = self.stage_of(reminder, self.last_until(reminder, now.wall, now), now)
            overdue = [reminder.copy(undecided if stage is None else stage), -FAR]
        # The request of an ended snooze may be deferred by quiet hours.
        earlier = reminder.asked_again or reminder.open_deferred_snooze(reminder.passed(now))
        reminder.deferred_snooze = None
        if earlier:
            wishes.append(remove(reminder, earlier[0], "superseded"))
            # Its occurrence is not before this end, or has passed.
            if earlier[2] <= until:
                return earlier[1:]
        if reminder.shown is None:
            if undecided is not None:
                return overdue
            if opened:
                return [reminder.copy(opened[-1][1]), -FAR]
            if reminder.ahead and reminder.ahead["snoozed"]:
                number, at, _ = reminder.ahead["snoozed"][-1]
                stage = self.stage_of(reminder, at, now)
                return [reminder.copy(number if stage is None else stage), at]
            # No notification was shown for an occurrence that is overdue, or will be when the snooze ends.
            last = self.last_until(reminder, until, now)
            if last is not None and last <= now.wall and put_off_turns(reminder, now):
                # It is deferred, and shown later than that.
                return None
            return None if last is None else [reminder.copy(self.stage_of(reminder, last, now) or 0), last]
        standing = reminder.standing["entries"] if reminder.standing else []
        if all(entry[0] != reminder.shown for entry in standing):
            # The system has one repeating request for past and future occurrences, so it stays.
            wishes.append(remove(reminder, reminder.shown, "superseded"))
        return [reminder.copy(reminder.shown), -FAR] if undecided is None else overdue

    def bring_back_snoozed(self, reminder, entries, until, now, wishes):
        """Restores occurrences that a longer snooze removed and that are due after its new end."""
        for entry in entries:
            reminder.forget_turn(entry[0], now)
        if reminder.ahead:
            reminder.ahead["lookedTo"] = min(reminder.ahead["lookedTo"], until)
        is_woken_for = reminder.plan.schedule is not None and reminder.plan.ahead == 0
        if is_woken_for and (reminder.wake is None or reminder.wake > until):
            reminder.wake = self.next_of(reminder, until, now)
            wishes.append(wake(reminder, reminder.wake))

    def cancel(self, reminder, wishes):
        if reminder.cancelled:
            return
        reminder.cancelled, reminder.expects_enter, reminder.undecided = True, False, None
        reminder.snoozed_until = reminder.asked_again = reminder.deferred_snooze = None
        reminder.snooze_clocks = None
        reminder.ahead = reminder.standing = reminder.left_out = None
        reminder.failed, reminder.failed_snooze, reminder.withdrawn = [], False, []
        for turn in reminder.turns:
            turn[2] = None
        wishes += [withdraw(reminder, "cancelled"), wake(reminder, None)]

    def edit(self, reminder, name, now, wishes):
        """Replaces the declaration, and removes what the old one shows. The reminder waits again, and its requests
        continue to be numbered."""
        if name not in reminder.plans:
            return
        wishes += [withdraw(reminder, "superseded"), {"event": "removeShown", "reminder": reminder.name}]
        self.begin(reminder, name, now, wishes)

    def create(self, reminder, now, wishes):
        """Creates a reminder, which waits as declared."""
        if reminder.cancelled:
            self.begin(reminder, None, now, wishes)

    def begin(self, reminder, name, now, wishes):
        reminder.remember({"edit": name, "cancelled": False, "occurrences": reminder.occurrences})
        reminder.undecided = None
        if not self.count_anew(reminder, now, wishes):
            self.plan(reminder, now, wishes)
        # Registered again, the system reports that the phone is already there.
        for event, place in reminder.plan.triggers:
            if event == "regionEntered" and place in self.inside:
                reminder.expects_enter = True
                wishes += [{"event": "unmonitor", "region": place}, monitor(place)]

    def reset(self, now, wishes):
        """The app was reinstalled. Requests continue to be numbered, so that they differ from earlier ones. Facts
        belong to the
        account and the system."""
        for reminder in self.reminders.values():
            reminder.remember({"occurrences": reminder.occurrences})
            reminder.undecided = None
        self.inside, self.charging, self.planned_zone, self.planned_at = set(), False, None, None
        self.entered, self.full_until = [], -FAR
        self.plan_all(now, wishes)

    def delivered(self, reminder, occurrence):
        """The app observed that a request was shown."""
        reminder.is_decided(occurrence)
        turn = reminder.open_turn(occurrence)
        if turn:
            turn[2] = -FAR
        for entry in reminder.standing["entries"] if reminder.standing else ():
            if entry[0] == occurrence:
                entry[2] = -FAR
        if reminder.ahead:
            pending = reminder.ahead["pending"]
            reminder.ahead["pending"] = [entry for entry in pending if entry[0] != occurrence]
        if reminder.is_deferred_snooze(occurrence):
            reminder.deferred_snooze = None
        reminder.was_shown(occurrence)

    # Requests that come to nothing

    def settled(self, answers, now, wishes):
        """Processes the scheduler's answers. A match is kept only if its request is admitted or deferred: a denied
        request does
        not use the turn. Cancelled and replaced ones do."""
        lost, failed = [], []
        for answer in answers:
            kind = answer["event"]
            if kind not in ("decided", "dropped", "remove"):
                continue
            request = answer.get("request", answer)
            reminder, occurrence = self.reminders[request["reminder"]], request["occurrence"]
            outcome = answer.get("outcome")
            if kind != "remove":
                reminder.is_decided(occurrence)
            if outcome == "deny":
                lost.append((reminder, occurrence))
                if answer["reason"] == "lapseCap" and reminder.ahead:
                    reminder.ahead["lostToLapse"] = True
            elif outcome == "fail":
                failed.append((reminder, occurrence))
            elif outcome == "defer" or outcome is None and answer["reason"] == "quietHours":
                self.put_off(reminder, occurrence, request.get("scheduledFor"), now, wishes)
            elif outcome == "admit":
                delivery = max(now.wall, request["deliverAt"])
                if delivery == now.wall:
                    reminder.was_shown(occurrence)
                if request["scheduledFor"] < delivery:
                    # It was deferred.
                    if reminder.is_deferred_snooze(occurrence):
                        reminder.deferred_snooze = [*reminder.deferred_snooze[:2], request["deliverAt"]]
                    keep_turn(reminder, occurrence, delivery)
            elif answer["reason"] not in ("cancelled", "superseded"):
                if kind == "remove" and answer["reason"] == "userDisabled":
                    self.keep_forbidden(reminder, occurrence, now)
                if kind == "remove" and answer["reason"] == "staleAtRelease":
                    self.keep_stale(reminder, occurrence, now, wishes)
                else:
                    lost.append((reminder, occurrence))
        if lost:
            self.undo(lost, now, wishes)
        if failed:
            self.undo(failed, now, wishes, is_failure=True)

    def put_off(self, reminder, occurrence, own, now, wishes):
        """A request is deferred, possibly again: its delivery time is unknown."""
        if reminder.asked_again and reminder.asked_again[0] == occurrence:
            reminder.deferred_snooze = [*reminder.asked_again[:2], FAR]
        if reminder.is_deferred_snooze(occurrence):
            return
        entry = pending_entry(reminder, occurrence)
        if entry:
            # It may be shown when later occurrences have been due, which must not wait for it.
            entry[2] = FAR
            self.wish_unless_followed(reminder, now, wishes)
            return
        # Reminders without further turns did not record one for this request.
        turn = next((turn for turn in reminder.turns if turn[1] == occurrence), None)
        if turn:
            turn[2] = FAR
        else:
            day = self.program.zone_named(now.zone).day(now.wall)
            reminder.turns = [*reminder.turns[-KEPT_TURNS:], [day, occurrence, FAR, own]]

    def undo(self, lost, now, wishes, is_failure=False):
        """Requests will not be delivered: their reminders wait as if there had been no triggers. Refused plans are
        requested again
        with the next plans."""
        self.changed = True
        for reminder, occurrence in lost:
            turn = reminder.open_turn(occurrence)
            is_asked_again = reminder.asked_again and reminder.asked_again[0] == occurrence
            if is_failure and (is_asked_again or reminder.is_deferred_snooze(occurrence)):
                self.snooze_has_failed(reminder, now)
            if is_failure and reminder.plan.lapse and turn:
                self.has_failed(reminder, turn[2], now)
            if turn:
                reminder.forget_turn(occurrence, now)
        for reminder, occurrence in lost:
            if reminder.shown == occurrence:
                reminder.shown = None
            if reminder.lapse:
                reminder.lapse["losses"] = True
            self.lose_occurrence(reminder, occurrence, is_failure, now, wishes)
            self.lose_repeat(reminder, occurrence, is_failure, now, wishes)

    def lose_occurrence(self, reminder, occurrence, is_failure, now, wishes):
        """A scheduled occurrence will not be shown: the schedule continues after those that are pending."""
        ahead, entry = reminder.ahead, pending_entry(reminder, occurrence)
        if not entry:
            return
        take_out(reminder, [entry], now)
        if is_failure and entry[1] > now.wall:
            self.has_failed(reminder, entry[1], now)
        else:
            ahead["lostTo"] = max(ahead["lostTo"], entry[1])
        if reminder.plan.repeats != "always":
            # Later occurrences were skipped because the reminder had had its turn.
            look_again_after_losses(ahead)
        self.wish_unless_followed(reminder, now, wishes)
