"""Schedules requests within the system's limit: earlier ones have precedence.

A system with a limit drops further requests of an app without a report.
"""

import math
from contextlib import contextmanager

from civil import FAR, next_repeat
from memory import no_request, open_after, pending_entry, remove, take_out, wish_to_repeat

# Events outside of the app.
OUTSIDE = {"unlock", "lock", "chargingStarted", "chargingStopped", "batteryLevel", "appOpened"}
OUTSIDE |= {"backgrounded", "regionEntered", "regionExited", "regionFailed", "located"}

# The parts of what is planned together.
SCHEDULE, STAGE, REPETITION = range(3)


class Round:
    """Requests that wait for their turn when room is limited; the earliest is first."""

    def __init__(self):
        # The turns as (time, name of the reminder, part, number), and how far schedules were evaluated.
        self.turns, self.schedules, self.looks = [], [], {}
        # The wake-ups for repeating requests, by name.
        self.wishes = {}
        # The time from which there is no room, once turns are taken; and the first occurrence without room, by name.
        self.full_from, self.without_room = None, {}
        # The occurrences without room that are tried again, as (time, name).
        self.tried, self.tried_again = [], []


class Room:
    """The part of the matcher that keeps within the system's limit."""

    def is_tight(self):
        """Returns whether more may be planned than there is room for."""
        most = self.most_pending + len(self.snoozed) + self.releases
        return self.capacity is not None and most > self.capacity

    @contextmanager
    def in_order_of_time(self, now, wishes):
        """Plans within the body are handed over at its end, the earliest first, with the occurrences that had no
        room, as long as
        there is room."""
        if not self.is_tight() or self.round:
            yield
            return
        plans = self.round = Round()
        yield
        self.begin_looks(now, wishes)
        plans.full_from = math.inf
        while True:
            first, turn = self.first_left_out(), min(plans.turns, default=None)
            if first and first[0] < plans.full_from and (turn is None or first < turn[:2]):
                if not self.may_have_room(first, now):
                    plans.full_from = first[0]
                    continue
                plans.tried.append(first)
                plans.tried_again.append(first)
                self.try_left_out(self.reminders[first[1]], now, wishes)
                self.begin_looks(now, wishes)
            elif turn:
                plans.turns.remove(turn)
                self.take_turn(turn, now, wishes)
            else:
                break
        self.end_round(now, wishes)

    def begin_looks(self, now, wishes):
        schedules, self.round.schedules = self.round.schedules, []
        for reminder in schedules:
            look = None if reminder.name in self.round.looks else self.begin_look(reminder, now, wishes)
            if look:
                self.round.looks[reminder.name] = look
                self.add_turn_of(look)

    def add_turn_of(self, look):
        if look["next"] is not None:
            self.round.turns.append((look["next"], look["reminder"].name, SCHEDULE, 0))

    def take_turn(self, turn, now, wishes):
        """Hands over the next request if there is room."""
        (at, name, part, number), plans = turn, self.round
        reminder = self.reminders[name]
        # An occurrence that had no room before is not evaluated.
        self.had_no_room = at >= plans.full_from and is_left_out(reminder, at, now)
        if part == SCHEDULE:
            look = plans.looks[name]
            if self.had_no_room and look["left"] > 0:
                look["cut"] = True
            elif self.look_on(look, now, wishes):
                self.add_turn_of(look)
            self.had_no_room = look["cut"]
        elif part == STAGE:
            if self.had_no_room:
                reminder.lapse["losses"] = True
            else:
                self.hand_over_stage(reminder, number, at, now, wishes)
        elif self.had_no_room or not self.hand_over_pattern(reminder, number, at, now, wishes):
            plans.wishes[name] = min(plans.wishes.get(name, FAR), at)
        if self.had_no_room:
            plans.without_room.setdefault(name, at)

    def end_round(self, now, wishes):
        plans, self.round = self.round, None
        for look in plans.looks.values():
            self.end_look(look, now, wishes)
        for name, at in plans.wishes.items():
            wish_to_repeat(self.reminders[name], at, wishes)
        for at, name in plans.tried_again:
            reminder, without_room = self.reminders[name], plans.without_room.get(name)
            if reminder.left_out != at:
                continue
            if without_room is not None and without_room > at:
                # The occurrence without room was denied for another reason meanwhile, or was deferred.
                reminder.left_out = without_room
            elif without_room is None and (reminder.lapse or reminder.standing):
                reminder.left_out = None

    def first_left_out(self):
        """Returns the earliest occurrence without room that has not been tried."""
        left_out = [(one.left_out, one.name) for one in self.reminders.values() if one.left_out is not None]
        return min((one for one in left_out if not self.round or one not in self.round.tried), default=None)

    def may_have_room(self, left_out, now):
        """Returns whether there is room for it, or would be after removing something later, or whether it has passed.
        """
        last = self.latest_pending(now)
        has_room = left_out[0] <= now.wall or self.pending_count(now) < self.capacity
        return has_room or last is not None and left_out < last[:2]

    def make_room(self, reminder, at, now, wishes):
        """Makes room for one more by removing the latest if it is later. Returns whether there is room."""
        is_full = self.round and self.round.full_from is not None and at >= self.round.full_from
        if not is_full:
            has_room = not self.is_tight() or self.pending_count(now) < self.capacity
            last = None if has_room else self.latest_pending(now)
            if last and (at, reminder.name) < last[:2]:
                self.give_up(last, now, wishes)
                has_room = True
            if has_room:
                if reminder.left_out == at:
                    reminder.left_out = None
                return True
            # Later ones have no room either.
            if self.round and self.round.full_from is not None:
                self.round.full_from = at
        self.had_no_room = True
        self.leave_out(reminder, at, now, wishes)
        return False

    def make_room_for_others(self, now, wishes):
        """Removes the latest request; a repeating one only if nothing else is left."""
        while self.is_tight() and self.pending_count(now) > self.capacity:
            last = self.latest_pending(now) or self.latest_repeating(now)
            if last is None:
                return
            self.give_up(last, now, wishes)

    def keep_room(self, releases, now, wishes):
        """Keeps room for deferred requests."""
        if releases != self.releases:
            self.releases = releases
            self.make_room_for_others(now, wishes)

    def give_up(self, last, now, wishes):
        at, name, number = last
        reminder = self.reminders[name]
        wishes.append(remove(reminder, number, "superseded"))
        entry = pending_entry(reminder, number)
        if entry:
            take_out(reminder, [entry], now)
            reminder.ahead["lookedTo"] = min(reminder.ahead["lookedTo"], at - 1)
            if self.round and name in self.round.looks:
                self.round.looks[name]["cut"] = True
        elif reminder.open_turn(number):
            reminder.forget_turn(number, now)
            if reminder.lapse:
                reminder.lapse["losses"] = True
        else:
            entries = reminder.standing["entries"]
            reminder.standing["entries"] = [entry for entry in entries if entry[0] != number]
            wish_to_repeat(reminder, at, wishes)
        self.leave_out(reminder, at, now, wishes)

    def leave_out(self, reminder, at, now, wishes):
        """Reports once that there is no room for an occurrence."""
        self.full_until = -FAR
        if is_left_out(reminder, at, now):
            return
        reminder.left_out = at
        if self.round and (at, reminder.name) in self.round.tried:
            self.round.tried.remove((at, reminder.name))
        wishes.append(no_request(reminder, "pendingLimit", []))

    def fill_up(self, event, now, wishes):
        """Hands over occurrences that had no room, as far as there is room now. Of events outside of the app, only
        the passing
        time makes room."""
        first = self.first_left_out()
        if first is None or event["event"] in OUTSIDE and now.wall < self.full_until:
            return
        if self.is_tight() and not self.may_have_room(first, now):
            return
        with self.in_order_of_time(now, wishes):
            for reminder in self.left_out_to_try(now):
                self.try_left_out(reminder, now, wishes)
                is_late = reminder.left_out is not None and reminder.left_out <= now.wall
                # It is tried once and reported again if there is no room.
                if is_late or reminder.lapse:
                    reminder.left_out = None
        self.full_until = self.first_pending(now)

    def left_out_to_try(self, now):
        """Returns the occurrences without room that have passed, or all if there is room for all. Also returns the
        schedules with
        a shown occurrence, whose next one must not wait behind a later one without room."""
        left_out = [reminder for reminder in self.reminders.values() if reminder.left_out is not None]
        if not self.is_tight():
            return left_out
        return [
            reminder
            for reminder in self.reminders.values()
            if reminder in left_out
            and reminder.left_out <= now.wall
            or reminder.ahead
            and reminder.ahead["pending"]
            and reminder.ahead["pending"][0][1] <= now.wall
        ]

    def try_left_out(self, reminder, now, wishes):
        self.complete_lapse(reminder, now, wishes)
        self.plan_repeats(reminder, now, wishes)
        self.replenish(reminder, now, wishes)

    # Pending requests, as (due time, name of the reminder, number of the request)

    def pending_count(self, now):
        count = self.releases + sum(one.is_snoozed and one.snoozed_until > now.wall for one in self.snoozed)
        standing = [reminder.standing["entries"] for reminder in self.repeating if reminder.standing]
        occurrences = [entry for entry in self.pending_occurrences() if entry[0] > now.wall]
        return count + sum(map(len, standing)) + len(occurrences) + len(self.pending_stages(now))

    def pending_occurrences(self):
        schedules = [reminder for reminder in self.scheduled if reminder.ahead]
        # Deferred requests are among the releases.
        return [
            (at, one.name, number)
            for one in schedules
            for number, at, delivered_at in one.ahead["pending"]
            if delivered_at == at
        ]

    def pending_stages(self, now):
        stages = [(turn[2], one.name, turn[1]) for one in self.lapsing for turn in open_after(one, now.wall)]
        return [stage for stage in stages if stage[0] != FAR]

    def latest_pending(self, now):
        """Returns the latest one of schedules and lapses."""
        occurrences = [entry for entry in self.pending_occurrences() if entry[0] > now.wall]
        return max(occurrences + self.pending_stages(now), default=None)

    def latest_repeating(self, now):
        """Returns the latest repeating one."""
        zone, standing = self.program.zone_named(now.zone), [one for one in self.repeating if one.standing]
        return max(
            (
                (first if first > now.wall else next_repeat(pattern, now.wall, zone), one.name, number)
                for one in standing
                for number, pattern, first in one.standing["entries"]
            ),
            default=None,
        )

    def first_pending(self, now):
        """Returns when time makes room."""
        occurrences = [entry for entry in self.pending_occurrences() if entry[0] > now.wall]
        return min(occurrences + self.pending_stages(now), default=(-FAR,))[0]


def is_left_out(reminder, at, now):
    """Returns whether it was reported that there is no room for an occurrence or an earlier future one."""
    return reminder.left_out is not None and now.wall < reminder.left_out <= at
