"""The cap scheduler: decides which requests become notifications, and counts them.

Requests of one instant are collected and decided together in a total order, so their order in a file has no
effect.
An admitted request counts for its caps. Delivery keeps the count, and removing, losing or refusing the request
releases it. A denied request counts for nothing.

The whole state is one dictionary of plain values, which is stored unchanged.
"""

import copy
import re

from civil import FAR, MINUTE, Moment, day_text, elapsed, end_of_window, in_window, next_repeat, weekday

ALLOWING = ("authorized", "provisional", "ephemeral")
BUCKETS = ["critical", "user", "standard"]
# The time after an immediate delivery within which the system may refuse it.
CONFIRMATION = MINUTE
# The number of days with deliveries that are kept: the week of the earliest date to which travel leads back.
KEPT_DAYS = 9


def fresh_state():
    return {
        # Deliveries and reservations by local day: of a bucket, and of a type as "type NAME".
        "days": {},
        # The counts by type: lifetime, and since the app was last opened.
        "lifetime": {},
        "lapse": {},
        "lapses": 0,
        # Admitted and not delivered; deferred by quiet hours; and handed to the system for their end.
        "pending": [],
        "held": [],
        "released": [],
        # Pending requests that may be decided again, as requested; some may no longer be pending.
        "originals": [],
        # Admitted and not counted yet because the counters lag.
        "uncounted": [],
        # Delivered immediately, and possibly refused later.
        "unconfirmed": [],
        # The requests of this instant.
        "collected": [],
        # The last critical request handed to the system, until its answer is known.
        "preempting": None,
        # The latest delivery by bucket.
        "last": {},
        "enabled": True,
        "off": [],
        "own_cap": None,
        # The boot, and the wall clock at uptime 0.
        "clocks": None,
        "zone": None,
    }


def follows_clock(request):
    """Returns whether a change of the wall clock shifts a single request: it is for the end of a length of time."""
    return request.get("elapsed", False) and request["deliverAt"] == request["scheduledFor"]


class CapScheduler:
    def __init__(self, program):
        self.program, self.policy = program, program.policy
        self.types = {name: position for position, name in enumerate(program.types)}
        names = sorted(plan.reminder for plan in program.plans)
        self.ranks = {name: rank for rank, name in enumerate(names)}
        self.state = fresh_state()
        self.permission = "notDetermined"
        # The latest delivery of a bucket according to the clocks only; the system may have been late.
        self.last_by_clock = {}
        # The time after its due time at which a pending request may still be shown; 0 unless alarms may be late.
        self.lateness = 0
        # The deferred requests that were reported as releases, and those of them that may be handed over.
        self.looked, self.ready = [], []
        # Whether a journey changed the end of quiet hours, and which releases are deferred again for that reason.
        self.looks_for_releases, self.taken_back = False, []
        self.announced = FAR
        self.changed = False

    # Storage

    def load(self, stored, now):
        self.state = {**fresh_state(), **stored}
        for key in ("pending", "held", "released", "originals", "collected", "unconfirmed"):
            # Drop reminders and types that an update of the app has removed.
            self.state[key] = [entry for entry in self.state[key] if self.is_known(entry)]
        self.looks_for_releases = self.has_system_requests()
        self.state["last"] = {bucket: Moment(*last) for bucket, last in self.state["last"].items()}
        for entry in self.state["uncounted"] + self.state["unconfirmed"]:
            entry["at"] = Moment(*entry["at"])
        # Requests that an earlier process did not decide are treated like due deferred requests.
        for request in [request for request in self.state["collected"] if request["deliverAt"] < now.wall]:
            self.state["collected"].remove(request)
            self.hold(request, request["deliverAt"])

    def is_known(self, entry):
        return entry["reminder"] in self.ranks and entry["type"] in self.types

    def import_counters(self, counters):
        """Imports counters of an earlier version of the app: ft.reminder.dailyCount.2026-03-02 and
        ft.reminder.training_day.sentCount."""
        items = counters.items() if isinstance(counters, dict) else [(c["key"], c["value"]) for c in counters]
        by_key = {f"ft.reminder.{snake_case(name)}.sentCount": name for name in self.types}
        for key, value in items:
            if key in by_key:
                self.state["lifetime"][by_key[key]] = int(value)
            elif key.startswith("ft.reminder.dailyCount."):
                self.state["days"].setdefault(key[-10:], {})["standard"] = int(value)

    # Decisions

    def submit(self, request):
        self.state["collected"].append(request)
        self.changed = True

    def is_unsettled(self):
        state = self.state
        waits = state["collected"] or state["held"] or state["released"] or state["preempting"]
        return bool(waits or self.looks_for_releases)

    def releases(self, now):
        """Returns the requests that quiet hours deferred: those held here, due or not, and those handed to the
        system."""
        state = self.state
        if not state["held"] and not state["released"] and not self.looks_for_releases:
            return []
        self.advance(now)
        self.keep_released()
        if self.looks_for_releases:
            self.take_back_releases(now)
            self.take_back_fixed(now)
        waiting = [request for request in state["held"] if request["releaseAt"] > now.wall]
        self.looked, self.ready = list(state["held"]), waiting
        releases = [self.released(held, now) if held in waiting else held for held in state["held"]]
        return releases + [
            self.released({**request, "releaseAt": self.release_of(request)}, now) for request in state["released"]
        ]

    def release_of(self, request):
        """Returns when the system is to show a request handed to it, or None if it does not have it any more."""
        places = [place["deliverAt"] for place in self.state["pending"] if is_same(place, request)]
        return places[0] if places else None

    def keep_released(self):
        """Drops the requests that the system has shown or no longer has."""
        kept = [request for request in self.state["released"] if self.release_of(request) is not None]
        self.changed = self.changed or len(kept) < len(self.state["released"])
        self.state["released"] = kept

    def take_back_releases(self, now):
        """Quiet hours end at another time than when these requests were handed over. Releases their counts and defers
        them, so
        that they are decided for the new time."""
        self.looks_for_releases = False
        for request in self.state["released"]:
            time = self.release_time(request, now)
            if time == self.release_of(request):
                continue
            self.give_pending_back(lambda entry, request=request: is_same(entry, request))
            self.hold_again([request], time)
        self.keep_released()

    def hold_again(self, requests, until):
        """Removes requests from the system. They are decided again for the same time or for another one."""
        for request in requests:
            self.hold(request, until)
            self.taken_back.append(request)

    def take_back_fixed(self, now):
        """In another zone: requests for an instant that is now in quiet hours are decided again if they can be
        deferred. Others
        stay, because another journey may follow."""
        hours, state = self.policy.quiet_hours, self.state
        for request in [one for one in state["originals"] if not one["floating"] and one["deliverAt"] > now.wall]:
            is_beyond = request["bucket"] == "critical" and self.policy.critical_bypasses
            if self.release_of(request) is None or not hours or is_beyond:
                continue
            if self.policy.quiet_action[request["bucket"]] != "defer":
                continue
            if end_of_window(hours, request["deliverAt"], self.zone) is None:
                continue
            self.taken_back.append(request)
            self.decide_again([request])

    def decide_again(self, requests):
        """Releases the counts of requests, which are decided again."""
        self.give_pending_back(lambda entry: any(is_same(entry, request) for request in requests))
        for request in requests:
            self.state["originals"].remove(request)
            self.submit(request)

    def has_system_requests(self):
        """Returns whether the system has requests that a journey can affect."""
        return bool(self.state["released"]) or any(not one["floating"] for one in self.state["originals"])

    def tell_taken_back(self, now, effects):
        """Reports which releases are removed from the system because they are deferred again. Only this is reported,
        so that
        the system has removed them before they are decided. Returns whether there are any."""
        taken_back, self.taken_back = self.taken_back, []
        for request in taken_back:
            effects.append(removal(request, "quietHours"))
        if taken_back:
            self.finish(now, effects)
        return bool(taken_back)

    def hold(self, request, until):
        self.state["held"].append({**request, "releaseAt": until})
        self.state["held"].sort(key=self.release_order)
        self.changed = True

    def released(self, held, now):
        """Returns the request as handed to the system for the end of quiet hours, wherever the phone is then. A
        request for a
        future instant that no journey moves keeps it, because quiet hours may end earlier elsewhere."""
        floats = held["floating"] or held["deliverAt"] <= now.wall
        request = {**held, "deliverAt": held["releaseAt"], "floating": floats}
        del request["releaseAt"]
        return request

    def withdraw_stale(self, stale, now, effects):
        """Removes stale requests that are due or that the system has. Later ones stay deferred and are not handed
        over."""
        self.advance(now)

        def is_stale(entry):
            return any(is_same(entry, other) for other in stale)

        self.ready = [request for request in self.ready if not is_stale(request)]
        # A request that is being removed from the system is checked again afterwards.
        stale = [request for request in stale if not any(is_same(request, one) for one in self.taken_back)]
        released = list(self.state["released"])
        self.drop_stale(is_stale, now, effects)
        self.withdraw_pending(
            "staleAtRelease",
            effects,
            lambda entry: is_stale(entry) and any(is_same(entry, one) for one in released),
        )
        self.finish(now, effects)

    def drop_stale(self, is_stale, now, effects):
        due = self.due_for_release(now)
        self.withdraw_from("held", "staleAtRelease", effects, lambda held: held in due and is_stale(held))

    def has_new_releases(self):
        return any(held not in self.looked for held in self.state["held"])

    def hand_over(self, now, effects):
        """Hands the first possible request to the system. Returns whether there was one."""
        ready = [held for held in self.ready if held in self.state["held"]]
        for held in sorted(ready, key=lambda held: (held["releaseAt"], *self.order(held))):
            self.ready.remove(held)
            request = self.released(held, now)
            if request["expiresAt"] <= request["deliverAt"]:
                continue
            decision = self.decide(request, now)
            if decision["outcome"] != "admit" and self.displace_later(request, now, effects):
                decision = self.decide(request, now)
            if decision["outcome"] != "admit":
                if self.make_way(request, now):
                    return self.tell_taken_back(now, effects)
                continue
            self.state["held"].remove(held)
            self.state["released"].append({key: held[key] for key in held if key != "releaseAt"})
            self.changed = True
            effects.append({"event": "decided", "request": request, **decision})
            self.add_to_system(request, now, effects)
            return True
        return False

    def make_way(self, request, now):
        """A request that was deferred to the same release and is decided later gives way to this one if that lets it
        be shown.
        It is deferred and decided afterwards. Returns whether one gives way."""
        release, state = request["deliverAt"], self.state
        later = [
            other
            for other in state["released"]
            if self.release_of(other) == release and self.order(request) < self.order(other)
        ]
        if not later:
            return False
        if not self.can_be_shown(request, later, now):
            return False
        self.give_pending_back(lambda entry: any(is_same(entry, other) for other in later))
        self.hold_again(later, release)
        self.keep_released()
        return True

    def can_be_shown(self, request, without, now):
        """Returns whether a request would be admitted for its delivery if the system did not have some others."""
        accounts = ("pending", "uncounted", "lifetime", "lapse", "days")
        before = copy.deepcopy({account: self.state[account] for account in accounts})
        self.give_pending_back(lambda entry: any(is_same(entry, other) for other in without))
        delivery = request["deliverAt"]
        blockers = self.blockers(request, delivery, self.zone.day(delivery), now)
        self.state.update(before)
        return not blockers

    def displace_later(self, request, now, effects):
        """A deferred request keeps its place: reservations for later instants that keep it from its release are
        decided again after it, the latest first, if it can then be shown. Returns whether it can."""

        def place(one):
            return (one["deliverAt"], *self.order(one))

        later = [one for one in self.state["originals"] if self.release_of(one) is not None]
        later = sorted((one for one in later if place(one) > place(request)), key=place, reverse=True)
        count = next((n for n in range(1, len(later) + 1) if self.can_be_shown(request, later[:n], now)), 0)
        displaced = later[:count]
        # The latest ones may not have been in the way.
        for other in later[:count]:
            rest = [one for one in displaced if one is not other]
            if self.can_be_shown(request, rest, now):
                displaced = rest
        for other in displaced:
            effects.append(removal(other, "quietHours"))
        self.decide_again(displaced)
        return bool(displaced)

    def due_for_release(self, now):
        return [request for request in self.state["held"] if request["releaseAt"] <= now.wall]

    def settle(self, now, effects):
        """Decides the collected requests and the due deferred ones. Stops after a request that is handed to the
        system, so that
        its answer is known before the next decision. Returns whether there is more."""
        self.advance(now)
        if self.tell_taken_back(now, effects):
            return True
        self.preempt(now, effects)
        for request in self.due_for_release(now):
            self.state["held"].remove(request)
            self.changed = True
            del request["releaseAt"]
            if request["expiresAt"] <= now.wall:
                effects.append({"event": "dropped", "request": request, "reason": "expiredAtRelease"})
            else:
                request["deliverAt"] = max(request["deliverAt"], now.wall)
                self.submit(request)
        collected = self.state["collected"]
        collected.sort(key=self.order)
        has_added = False
        while collected and not has_added:
            self.changed = True
            has_added = self.settle_one(collected.pop(0), now, effects)
        has_handed_over = not has_added and self.hand_over(now, effects)
        self.finish(now, effects)
        has_more = bool(collected) or has_handed_over or has_added and bool(self.ready) or self.has_new_releases()
        return has_more or self.state["preempting"] is not None

    def order(self, request):
        return (
            BUCKETS.index(request["bucket"]),
            request["priority"],
            request["scheduledFor"],
            self.types[request["type"]],
            self.ranks[request["reminder"]],
            request["occurrence"],
        )

    def settle_one(self, request, now, effects):
        """Returns whether the request is handed to the system."""
        if self.is_taken(request):
            return False
        if request["expiresAt"] <= now.wall:
            effects.append({"event": "dropped", "request": request, "reason": "expiredAtRelease"})
            return False
        decision = self.decide(request, now)
        effects.append({"event": "decided", "request": request, **decision})
        if decision["outcome"] == "defer":
            self.hold(request, decision["until"])
        if decision["outcome"] != "admit":
            return False
        self.add_to_system(request, now, effects)
        is_counted = request["bucket"] != "user" and self.policy.defers_counted
        if (not request["floating"] or is_counted) and not request["pattern"] and request["deliverAt"] > now.wall:
            kept = [one for one in self.state["originals"] if self.release_of(one) is not None]
            self.state["originals"] = kept + [dict(request)]
        return True

    def is_taken(self, request):
        taken = self.state["pending"] + self.state["held"] + self.state["unconfirmed"]
        return any(is_same(request, other) for other in taken)

    def add_to_system(self, request, now, effects):
        effects.append({"event": "add", "request": request})
        if request["bucket"] == "critical" and self.policy.critical_preempts:
            self.state["preempting"] = {**request, "deliverAt": max(request["deliverAt"], now.wall)}

    def release_order(self, held):
        return (held["releaseAt"], self.ranks[held["reminder"]], held["occurrence"])

    def decide(self, request, now):
        """Makes all checks for the instant of delivery. An admitted request is counted."""
        delivery = max(request["deliverAt"], now.wall)
        day = self.zone.day(delivery)
        found = self.blockers(request, delivery, day, now)
        blockers = [check for check in self.policy.check_order if check in found]
        if not blockers:
            self.take(request, delivery, day, now)
            return {"outcome": "admit", "blockers": []}
        decision = {"outcome": "deny", "reason": blockers[0], "blockers": blockers}
        defers = self.policy.quiet_action[request["bucket"]] == "defer"
        # Repeating requests cannot be deferred because the system determines their times.
        if blockers[0] == "quietHours" and defers and not request["pattern"]:
            until = end_of_window(self.policy.quiet_hours, delivery, self.zone)
            if until is not None:
                decision.update(outcome="defer", until=until)
        return decision

    def blockers(self, request, delivery, day, now):
        """Returns the reasons of all failed checks, in no order."""
        policy, state, kind, bucket = self.policy, self.state, request["type"], request["bucket"]
        if kind not in self.types:
            return {"notRegistered"}
        is_standard = bucket == "standard"
        failing = {
            "notRegistered": kind not in self.program.registered,
            "userDisabled": not self.is_wanted(request),
            "userDailyCap": is_standard and reaches(self.count("standard", day), state["own_cap"]),
            "permission": self.permission not in ALLOWING,
            "lifetimeCap": reaches(state["lifetime"].get(kind, 0), policy.lifetime_cap.get(kind)),
            "lapseCap": reaches(state["lapse"].get(kind, 0), policy.lapse_cap.get(kind)),
            "quietHours": self.is_quiet(delivery) and not (bucket == "critical" and policy.critical_bypasses),
        }
        if is_standard:
            daily = policy.type_daily_caps.get(kind, policy.type_daily_cap)
            weekly = policy.type_weekly_caps.get(kind)
            failing["typeDailyCap"] = reaches(self.count("type " + kind, day), daily)
            failing["typeWeeklyCap"] = weekly is not None and self.week_count(kind, day) >= weekly
            failing["dailyCap"] = reaches(self.count("standard", day), policy.daily_cap)
            failing["minimumInterval"] = self.is_too_close(delivery, now)
        if bucket == "critical":
            failing["criticalDailyCap"] = reaches(self.count("critical", day), policy.critical_daily_cap)
        return {check for check, fails in failing.items() if fails}

    def is_wanted(self, request):
        return self.state["enabled"] and request["type"] not in self.state["off"]

    def is_quiet(self, instant):
        hours = self.policy.quiet_hours
        return hours is not None and in_window(hours, self.zone.hands(instant))

    def count(self, subject, day):
        return self.state["days"].get(day_text(day), {}).get(subject, 0)

    def week_count(self, kind, day):
        monday = day - (weekday(day) - self.policy.week_start) % 7
        return sum(self.count("type " + kind, monday + number) for number in range(7))

    def is_too_close(self, delivery, now):
        """Returns whether another delivery is within the minimum interval, before or after. The monotonic clock
        measures past
        deliveries, and the wall clock determines reservations."""
        neighbours = ["standard", "critical"] if self.policy.interval_counts_criticals else ["standard"]
        for bucket in neighbours:
            last = self.state["last"].get(bucket)
            if last and elapsed(now, last) + delivery - now.wall < self.policy.interval:
                return True
        return any(
            reservation["bucket"] in neighbours
            and abs(reservation["deliverAt"] - delivery) < self.policy.interval
            for reservation in self.state["pending"]
        )

    def preempt(self, now, effects):
        """A shown notification is never recalled. Pending ones near a critical request are removed once the system
        has accepted
        it, except repeating requests, where removing one occurrence would remove all."""
        critical, self.state["preempting"] = self.state["preempting"], None
        if critical is None:
            return
        self.changed = True
        if not self.is_taken(critical):
            return
        interval = self.policy.interval
        self.withdraw_pending(
            "preempted",
            effects,
            lambda entry: entry["bucket"] == "standard"
            and not entry["pattern"]
            and abs(entry["deliverAt"] - critical["deliverAt"]) < interval,
        )

    # Accounts

    @property
    def zone(self):
        return self.program.zone_named(self.state["zone"])

    def take(self, request, delivery, day, now):
        """Reserves a later delivery. An immediate one counts as delivered unless the system refuses it."""
        kept = ("reminder", "occurrence", "type", "bucket", "floating", "pattern")
        reservation = {key: request[key] for key in kept}
        if follows_clock(request):
            reservation["elapsed"] = True
        reservation.update(deliverAt=delivery, day=day, lapses=self.state["lapses"])
        if self.policy.counter_lag == 0:
            self.add(reservation, now.wall)
        else:
            self.state["uncounted"].append({**reservation, "at": now})
        if delivery > now.wall:
            self.state["pending"].append(reservation)
            self.state["pending"].sort(key=self.delivery_order)
            return
        bucket = request["bucket"]
        previous = self.state["last"].get(bucket)
        self.state["unconfirmed"] = [e for e in self.state["unconfirmed"] if self.is_open(e, now)]
        self.state["unconfirmed"].append({**reservation, "at": now, "previous": previous})
        self.set_last(bucket, now)

    def delivery_order(self, entry):
        return (entry["deliverAt"], self.ranks[entry["reminder"]], entry["occurrence"])

    def is_open(self, unconfirmed, now):
        return elapsed(now, unconfirmed["at"]) <= CONFIRMATION

    def add(self, reservation, wall):
        """Counts a reservation."""
        kind, day = reservation["type"], day_text(reservation["day"])
        increase(self.state["lifetime"], kind)
        if reservation["lapses"] == self.state["lapses"]:
            increase(self.state["lapse"], kind)
        if reservation["bucket"] == "user":
            return
        counts = self.state["days"].setdefault(day, {})
        increase(counts, reservation["bucket"])
        if reservation["bucket"] == "standard":
            increase(counts, "type " + kind)
        today = day_text(self.zone.day(wall))
        for past in sorted(key for key in self.state["days"] if key < today)[:-KEPT_DAYS]:
            del self.state["days"][past]

    def give_back(self, reservation):
        """Releases the counts of a reservation; that of the lapse only within the same lapse."""
        self.changed = True
        for entry in self.state["uncounted"]:
            if is_same(entry, reservation):
                self.state["uncounted"].remove(entry)
                return
        kind = reservation["type"]
        decrease(self.state["lifetime"], kind)
        if reservation["lapses"] == self.state["lapses"]:
            decrease(self.state["lapse"], kind)
        counts = self.state["days"].get(day_text(reservation["day"]), {})
        decrease(counts, reservation["bucket"])
        if reservation["bucket"] == "standard":
            decrease(counts, "type " + kind)

    def set_last(self, bucket, moment, by_clock=None):
        if bucket == "user":
            return
        self.last_by_clock[bucket] = by_clock
        if moment is None:
            self.state["last"].pop(bucket, None)
        else:
            self.state["last"][bucket] = moment

    def advance(self, now):
        """Updates the accounts to the present: clocks, zone and deliveries."""
        state = self.state
        clocks = [now.boot, now.wall - now.uptime]
        if state["clocks"] != clocks:
            self.adopt_clocks(clocks, now)
        self.deliver_up_to(now.wall, lambda at: Moment(at, now.boot, now.uptime + at - now.wall, now.zone))
        if state["zone"] != now.zone:
            self.enter_zone(now)
            self.deliver_up_to(now.wall, lambda at: now)
        while state["uncounted"] and elapsed(now, state["uncounted"][0]["at"]) >= self.policy.counter_lag:
            self.changed = True
            self.add(state["uncounted"].pop(0), now.wall)

    def adopt_clocks(self, clocks, now):
        """The wall clock was set, or the phone has booted."""
        self.changed = True
        before, self.state["clocks"] = self.state["clocks"], clocks
        if before is None:
            return
        if before[0] == clocks[0]:
            # Requests that were due by the old clock were delivered by it. Those that a jump forward skips are
            # delivered now.
            begun = before[1]
            self.deliver_up_to(begun + now.uptime, lambda at: Moment(at, now.boot, at - begun, now.zone))
            self.shift_spans(clocks[1] - begun, now)
            self.deliver_up_to(now.wall, lambda at: now)
            if now.wall < begun + now.uptime:
                self.reschedule_deferrals(begun + now.uptime, now)
            return
        # Only the wall clock measures how long the phone was off. From here on the new boot's clock counts.
        for bucket, last in self.state["last"].items():
            wall = now.wall - elapsed(now, last)
            self.state["last"][bucket] = Moment(wall, now.boot, wall - clocks[1], now.zone)

    def deliver_up_to(self, wall, moment):
        pending, late = self.state["pending"], 0
        while late < len(pending) and pending[late]["deliverAt"] <= wall:
            if not pending[late]["pattern"] and pending[late]["deliverAt"] > wall - self.lateness:
                late += 1
                continue
            delivered = pending.pop(late)
            # All occurrences of a repeating request have the same name.
            by_clock = None if delivered["pattern"] else (delivered["reminder"], delivered["occurrence"])
            if delivered["pattern"] or not self.lateness:
                self.set_last(delivered["bucket"], moment(delivered["deliverAt"]), by_clock)
            self.changed = True
            if delivered["pattern"]:
                self.reserve_next(delivered)

    def reserve_next(self, delivered):
        """The system waits for the next occurrence, which counts like any other."""
        last = delivered["deliverAt"]
        following = next_repeat(delivered["pattern"], last, self.zone)
        reservation = {**delivered, "deliverAt": following, "day": self.zone.day(following)}
        reservation["lapses"] = self.state["lapses"]
        self.add(reservation, last)
        self.state["pending"].append(reservation)
        self.state["pending"].sort(key=self.delivery_order)

    def shift_spans(self, delta, now):
        """The wall clock was set: elapsed times continue unchanged. Quiet hours may begin or end between the old and
        the new end."""
        state = self.state
        for entry in state["pending"]:
            if entry.get("elapsed") or entry["pattern"] and entry["pattern"]["repeats"] == "span":
                entry["deliverAt"] += delta
        state["pending"].sort(key=self.delivery_order)
        shifted = [one for one in state["held"] + state["released"] + state["originals"] if follows_clock(one)]
        for request in shifted:
            request["scheduledFor"] += delta
            request["deliverAt"] += delta
        if shifted:
            self.reschedule(now)

    def enter_zone(self, now):
        """Floating deliveries keep their local time, and deferred requests wait for the end of quiet hours here."""
        self.changed = True
        old, self.state["zone"] = self.state["zone"], now.zone
        if old is None:
            return
        there = self.program.zone_named(old)
        state = self.state
        for entry in state["pending"] + state["held"] + state["released"] + state["originals"]:
            if entry["floating"] and entry["pattern"]:
                # The first one that is due here.
                self.give_back(entry)
                entry["deliverAt"] = next_repeat(entry["pattern"], now.wall, self.zone)
                entry["day"] = self.zone.day(entry["deliverAt"])
                self.add(entry, now.wall)
            elif entry["floating"]:
                entry["deliverAt"] = self.zone.first(there.wall(entry["deliverAt"]))
        self.state["pending"].sort(key=self.delivery_order)
        self.reschedule(now)

    def reschedule_deferrals(self, wall, now):
        """The wall clock was set back, possibly out of quiet hours. Requests due by the old clock are due now."""
        for request in self.state["held"] + self.state["released"]:
            # The end of a length of time has already been shifted.
            if request["deliverAt"] <= wall and not follows_clock(request):
                request["deliverAt"] = min(request["deliverAt"], now.wall)
        self.reschedule(now)

    def reschedule(self, now):
        # Releases are checked once it is known which of them were shown.
        self.looks_for_releases = self.has_system_requests()
        for held in self.state["held"]:
            held["releaseAt"] = self.release_time(held, now)
        self.state["held"].sort(key=self.release_order)

    def release_time(self, request, now):
        """Returns when a deferred request may be shown by the quiet hours of the phone's zone."""
        delivery, hours = max(request["deliverAt"], now.wall), self.policy.quiet_hours
        until = end_of_window(hours, delivery, self.zone) if hours else None
        return delivery if until is None else until

    # Events

    def process(self, event, now, effects):
        self.advance(now)
        kind = event["event"]
        if kind == "opened":
            self.state["lapses"] += 1
            self.state["lapse"] = {}
            self.changed = True
        elif kind == "permissionChanged":
            self.permission = event["permission"]
            if self.permission not in ALLOWING:
                # The system drops pending requests and does not restore them.
                self.give_pending_back(lambda entry: True)
        elif kind == "reinstalled":
            self.reinstall(effects)
        elif kind in ("addFailed", "pendingDropped"):
            self.refuse(event, now)
        elif kind == "delivered":
            # Intervals count from the actual time, whatever the clocks show.
            age = event.get("age", 0)
            then = now._replace(wall=now.wall - age, uptime=now.uptime - age)
            for bucket, known in self.last_by_clock.items():
                if known == (event["reminder"], event["occurrence"]):
                    self.set_last(bucket, then)
                    self.changed = True
            for entry in [entry for entry in self.state["pending"] if is_same(entry, event)]:
                # A repeating request has moved on to its next occurrence.
                if not entry["pattern"]:
                    self.state["pending"].remove(entry)
                    self.set_last(entry["bucket"], then)
                    self.changed = True
        elif kind == "cancel":
            self.withdraw("cancelled", now, effects, lambda entry: entry["reminder"] == event["reminder"])
        elif kind == "cancelAll":
            self.withdraw("cancelled", now, effects, lambda entry: True)
        elif kind == "deliveredElsewhere":
            self.count_elsewhere(event, now, effects)
        elif kind == "preferencesChanged":
            self.change_preferences(event, effects)
        self.finish(now, effects)

    def count_elsewhere(self, event, now, effects):
        """Another device of the person has shown a notification. It counts like a delivery here at that instant.
        Pending
        requests that would not be admitted in addition to it are removed, the latest first; repeating ones stay."""
        kind, bucket, age = event["type"], event["bucket"], event.get("age", 0)
        if kind not in self.types:
            return
        then = now._replace(wall=now.wall - age, uptime=now.uptime - age)
        day = self.zone.day(then.wall)
        # It belongs to no lapse here: opening the app ends the lapse of that device.
        self.add({"type": kind, "bucket": bucket, "day": day, "lapses": -1}, now.wall)
        self.changed = True
        self.note_delivery(bucket, then, now)
        for entry in list(reversed(self.state["pending"])):
            found = self.overrun(entry, kind, bucket, day, then.wall)
            blockers = [check for check in self.policy.check_order if check in found]
            if blockers:
                self.withdraw_pending(blockers[0], effects, lambda other, entry=entry: is_same(other, entry))

    def note_delivery(self, bucket, then, now):
        """Intervals count from the latest delivery, and from one elsewhere if the system refuses later ones."""
        last, age = self.state["last"].get(bucket), elapsed(now, then)
        if last is None or age < elapsed(now, last):
            self.set_last(bucket, then)
            return
        for entry in self.state["unconfirmed"]:
            if entry["bucket"] == bucket and elapsed(now, entry["at"]) <= age:
                if not entry["previous"] or age < elapsed(now, Moment(*entry["previous"])):
                    entry["previous"] = then
                return

    def overrun(self, entry, kind, bucket, day, wall):
        """Returns the caps that a counted reservation exceeds because of a delivery elsewhere."""
        policy, state = self.policy, self.state
        if entry["pattern"]:
            return set()

        def exceeds(count, cap):
            return reaches(count - 1, cap)

        same_type, same_day = entry["type"] == kind, entry["day"] == day
        standard, critical = ([entry["bucket"], bucket] == [name, name] for name in ("standard", "critical"))
        neighbours = ["standard", "critical"] if policy.interval_counts_criticals else ["standard"]
        first = entry["day"] - (weekday(entry["day"]) - policy.week_start) % 7
        daily = policy.type_daily_caps.get(kind, policy.type_daily_cap)
        count = self.count("standard", entry["day"])
        of_type, of_week = self.count("type " + kind, entry["day"]), self.week_count(kind, entry["day"])
        failing = {
            "lifetimeCap": same_type and exceeds(state["lifetime"].get(kind, 0), policy.lifetime_cap.get(kind)),
            "criticalDailyCap": critical
            and same_day
            and exceeds(self.count("critical", entry["day"]), policy.critical_daily_cap),
            "dailyCap": standard and same_day and exceeds(count, policy.daily_cap),
            "userDailyCap": standard and same_day and exceeds(count, state["own_cap"]),
            "typeDailyCap": standard and same_type and same_day and exceeds(of_type, daily),
            "typeWeeklyCap": standard
            and same_type
            and first <= day < first + 7
            and exceeds(of_week, policy.type_weekly_caps.get(kind)),
            "minimumInterval": entry["bucket"] == "standard"
            and bucket in neighbours
            and abs(entry["deliverAt"] - wall) < policy.interval,
        }
        return {check for check, fails in failing.items() if fails}

    def refuse(self, request, now):
        """The system refused a request: its counts are released, and the interval counts from the previous delivery.
        """
        self.give_pending_back(lambda entry: is_same(entry, request))
        unconfirmed = self.state["unconfirmed"]
        for entry in [e for e in unconfirmed if is_same(e, request) and self.is_open(e, now)]:
            index, bucket = unconfirmed.index(entry), entry["bucket"]
            unconfirmed.remove(entry)
            self.give_back(entry)
            later = [e for e in unconfirmed[index:] if e["bucket"] == bucket]
            previous = Moment(*entry["previous"]) if entry["previous"] else None
            if later:
                later[0]["previous"] = previous
            elif self.state["last"].get(bucket) == entry["at"]:
                self.set_last(bucket, previous)

    def reinstall(self, effects):
        """Resets the app's data. The system removes pending requests; they were never shown."""
        self.drop(self.state["held"] + sorted(self.state["collected"], key=self.order), "cancelled", effects)
        self.give_pending_back(lambda entry: True)
        old, self.state = self.state, fresh_state()
        self.state.update(clocks=old["clocks"], zone=old["zone"])
        for kind, count in old["lifetime"].items():
            if self.policy.lifetime_survives or kind in self.policy.kept_types:
                self.state["lifetime"][kind] = count
        self.changed = True

    def change_preferences(self, event, effects):
        """Requests of a disabled type are removed immediately. Enabling it restores nothing."""
        self.changed = True
        if "all" in event:
            self.state["enabled"] = event["all"]
        elif "type" in event:
            off = [kind for kind in self.state["off"] if kind != event["type"]]
            self.state["off"] = off if event["on"] else off + [event["type"]]
        else:
            self.state["own_cap"] = event["dailyCap"]
        self.withdraw_from("held", "userDisabled", effects, lambda entry: not self.is_wanted(entry))
        self.withdraw_pending("userDisabled", effects, lambda entry: not self.is_wanted(entry))

    # Removal

    def withdraw(self, reason, now, effects, test):
        """Removes undelivered requests and reports each: `remove` if the system has it, `dropped` otherwise."""
        self.state["collected"].sort(key=self.order)
        self.withdraw_from("collected", reason, effects, test)
        self.withdraw_from("held", reason, effects, test)
        self.withdraw_pending(reason, effects, test)
        self.finish(now, effects)

    def withdraw_from(self, place, reason, effects, test):
        found = [request for request in self.state[place] if test(request)]
        if found:
            self.changed = True
            self.state[place] = [request for request in self.state[place] if not test(request)]
            self.drop(found, reason, effects)

    def drop(self, requests, reason, effects):
        for request in requests:
            request = {key: value for key, value in request.items() if key != "releaseAt"}
            effects.append({"event": "dropped", "request": request, "reason": reason})

    def withdraw_pending(self, reason, effects, test):
        for entry in self.give_pending_back(test):
            effects.append(removal(entry, reason))

    def give_pending_back(self, test):
        found = [entry for entry in self.state["pending"] if test(entry)]
        if found:
            self.state["pending"] = [entry for entry in self.state["pending"] if not test(entry)]
            for entry in found:
                self.give_back(entry)
        return found

    def finish(self, now, effects):
        """Requests a wake-up at the next release if it has changed."""
        self.keep_released()
        held = self.state["held"]
        release = held[0]["releaseAt"] if held else FAR
        if self.announced <= now.wall and release != self.announced:
            self.announced = FAR
        if release != self.announced:
            self.announced = release
            effects.append({"event": "wakeForRelease", "at": None if release == FAR else release})


def is_same(a, b):
    return a["reminder"] == b["reminder"] and a["occurrence"] == b["occurrence"]


def removal(request, reason):
    """Returns the effect that removes a request from the system."""
    return {"event": "remove", "reminder": request["reminder"], "occurrence": request["occurrence"], "reason": reason}


def reaches(count, cap):
    return cap is not None and count >= cap


def increase(counts, key):
    counts[key] = counts.get(key, 0) + 1


def decrease(counts, key):
    if counts.get(key, 0) > 1:
        counts[key] -= 1
    else:
        counts.pop(key, None)


def snake_case(name):
    """Converts trainingDay to training_day and openURL to open_url."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
