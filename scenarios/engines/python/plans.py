"""Requests that are made ahead: schedules, repeating requests, and lapses.

Plans are decided by the known facts, and follow later changes.
"""

from civil import DAY, FAR, MINUTE, Moment, next_repeat
from memory import (
    counts_from,
    deliver,
    end_put_off,
    end_snooze,
    foresees,
    foresees_state,
    forget_turns_after,
    is_of_wall,
    is_span,
    fresh_ahead,
    hands_over,
    look_again,
    look_again_after_losses,
    looked_to_of,
    no_request,
    open_after,
    put_off_turns,
    remove,
    take_back_all,
    take_back_repeats,
    take_out,
    wake,
    wish_to_repeat,
    withdraw,
)
from room import REPETITION, STAGE, Room

ALLOWING = ("authorized", "provisional", "ephemeral")
# The number of ranges of served occurrences that are remembered.
KEPT_SERVED = 8
KINDS = ["timeWindow", "weekdays", "region", "charging", "fact"]


class Plans(Room):
    """The part of the matcher that makes plans."""

    # Schedules: a wake-up at the next occurrence, or several occurrences scheduled ahead

    def plan_all(self, now, wishes, is_launch=False):
        """Plans everything at launch, and after a change of the zone or the wall clock. Occurrences that passed while
        the app
        could not run, and those that a clock change skipped, are due now."""
        if self.planned_at != now:
            self.planned_at, self.fresh = now, []
        self.ask_again_after_snoozes(now, wishes)
        with self.in_order_of_time(now, wishes):
            if self.planned_zone not in (None, now.zone):
                self.move(self.planned_zone, now, wishes)
            for reminder in self.scheduled:
                if reminder.cancelled:
                    continue
                if not self.count_anew(reminder, now, wishes):
                    self.withdraw_failing(reminder, now, wishes, is_launch)
                    self.plan(reminder, now, wishes)
            self.planned_zone = now.zone
            for reminder in self.lapsing:
                self.withdraw_failing(reminder, now, wishes, is_launch)
                self.plan_lapse(reminder, now, wishes)
            for reminder in self.repeating:
                self.withdraw_failing(reminder, now, wishes, is_launch)
                self.plan_repeats(reminder, now, wishes)
        self.ask_again_for_withdrawn(now, wishes)

    def move(self, zone, now, wishes):
        """The phone has entered another zone: scheduled occurrences keep their local time."""
        old, new = self.program.zone_named(zone), self.program.zone_named(now.zone)

        def moved(instant):
            return instant if abs(instant) >= FAR else new.first(old.wall(instant))

        for reminder in self.reminders.values():
            if is_of_wall(reminder.plan):
                reminder.failed = sorted(map(moved, reminder.failed))
        for reminder in self.scheduled:
            ahead = reminder.ahead
            # An elapsed time is the same everywhere.
            if is_of_wall(reminder.plan):
                for entry in ahead["pending"] + ahead["snoozed"] if ahead else ():
                    entry[1:] = map(moved, entry[1:])
                if reminder.asked_again:
                    reminder.asked_again = [*reminder.asked_again[:2], moved(reminder.asked_again[2])]
                if ahead:
                    ahead["takenBackTo"] = moved(ahead["takenBackTo"])
                if reminder.left_out is not None:
                    reminder.left_out = moved(reminder.left_out)
            if ahead and is_of_wall(reminder.plan) and counts_from(reminder.plan):
                # Days that are counted from a fact occur once.
                for key in ("lookedTo", "lostTo"):
                    ahead[key] = moved(ahead[key])
            elif ahead:
                # Farther west the day repeats times, and earlier evaluations were for other instants and days.
                look_again(ahead)
            pending = ahead["pending"] if ahead else []
            late = [entry for entry in pending if entry[1] >= reminder.plan.expires and entry[1] > now.wall]
            wishes += [remove(reminder, entry[0], "expiredAtRelease") for entry in late]
            take_out(reminder, late, now)
            # The app observed deliveries before the journey.
            deliver(reminder, now)
            if reminder.wake is not None and reminder.wake > now.wall:
                # An occurrence that the journey skipped is due on arrival, as it is for the system.
                there = moved(reminder.wake) if is_of_wall(reminder.plan) else reminder.wake
                reminder.wake = there if there <= now.wall else None
                if there <= now.wall:
                    # Across the date line, an occurrence can be at the instant of the previous one.
                    reminder.served = []
        for reminder in self.lapsing + self.repeating:
            if reminder.left_out is not None:
                reminder.left_out = moved(reminder.left_out)
        for reminder in self.lapsing:
            for turn in reminder.turns:
                # Also those that are due by the clocks and whose delivery the app has not observed.
                if turn[2] is not None:
                    turn[2:] = map(moved, turn[2:])
            expires = reminder.plan.expires
            for turn in open_after(reminder, max(now.wall, expires - 1)) if expires < FAR else ():
                wishes.append(remove(reminder, turn[1], "expiredAtRelease"))
                reminder.forget_turn(turn[1], now)
        for reminder in self.reminders.values():
            if reminder.deferred_snooze:
                reminder.deferred_snooze = [*reminder.deferred_snooze[:2], moved(reminder.deferred_snooze[2])]
            for entry in reminder.withdrawn:
                entry[2] = moved(entry[2])
        for reminder in self.repeating:
            standing = reminder.standing
            if standing:
                if standing["lostTo"] > now.wall:
                    standing["lostTo"] = moved(standing["lostTo"])
                for entry in standing["entries"]:
                    if entry[2] != -FAR and not is_span(entry[1]):
                        entry[2] = next_repeat(entry[1], now.wall, new)

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
        """Returns the next wake-up. If the clock was set back a little, earlier occurrences have already been due. If
        it was set
        back further, the days are repeated. The wake-up of another zone has no meaning."""
        due = reminder.wake
        if due is not None and due <= now.wall:
            overdue = self.overdue(reminder, due, now)
            return self.unserved(reminder, now.wall, now) if overdue is None else overdue
        if due is not None and self.planned_zone in (None, now.zone):
            tomorrow = self.unserved(reminder, now.wall + DAY, now)
            if self.next_of(reminder, due - 1, now) == due and (tomorrow is None or tomorrow >= due):
                return due
        return self.unserved(reminder, now.wall, now)

    def unserved(self, reminder, instant, now):
        """Returns the first occurrence after an instant for which the app was not woken yet, or None."""
        occurrence = self.next_of(reminder, instant, now)
        while occurrence is not None:
            ends = [last for first, last in reminder.served if first <= occurrence <= last]
            if not ends:
                break
            occurrence = self.next_of(reminder, ends[0], now)
        return occurrence

    def overdue(self, reminder, due, now):
        """Returns the first occurrence that has passed and is not before a served one, or None. A clock that is set
        back and forth passes occurrences again."""
        last = max((min(last, now.wall) for first, last in reminder.served if first <= now.wall), default=None)
        if last is None or last < due:
            return due
        occurrence = self.unserved(reminder, last, now)
        return occurrence if occurrence is not None and occurrence <= now.wall else None

    def serve_wake(self, reminder, now):
        """The app was woken for an occurrence, and no wake-up is requested any more."""
        due = self.due_wake(reminder, now)
        if reminder.wake is not None and reminder.wake <= now.wall:
            reminder.wake = None
        if due is None or any(first <= due <= last for first, last in reminder.served):
            return
        served, span = list(reminder.served), [due, due]
        before = [one for one in served if one[1] < due and self.next_of(reminder, one[1], now) == due]
        if before:
            served.remove(before[-1])
            span[0] = before[-1][0]
        after = [one for one in served if one[0] > due and self.next_of(reminder, due, now) == one[0]]
        if after:
            served.remove(after[0])
            span[1] = after[0][1]
        reminder.served = [*served, span][-KEPT_SERVED:]

    def due_wake(self, reminder, now):
        """Returns the occurrence for which the app is woken, or None if there is none or it is later. Of several that
        have passed, the latest replaces the others."""
        if reminder.wake is None or reminder.wake > now.wall:
            return None
        due = self.overdue(reminder, reminder.wake, now)
        return None if due is None else self.latest_of(reminder, due, now)

    def latest_of(self, reminder, first, now):
        """Returns the latest occurrence from one that has passed until now. Occurrences whose conditions do not hold
        are skipped, unless none holds."""

        def holds(at):
            return not failures(reminder.plan, self.view(now, at))

        latest, occurrence = first, self.next_of(reminder, first, now)
        is_open = occurrence is None or occurrence > now.wall or holds(first)
        while occurrence is not None and occurrence <= now.wall:
            does_hold = holds(occurrence)
            if does_hold or not is_open:
                latest, is_open = occurrence, does_hold
            occurrence = self.next_of(reminder, occurrence, now)
        return latest

    def next_of(self, reminder, instant, now):
        """Returns the first occurrence of the schedule after an instant, or None."""
        zone = self.program.zone_named(now.zone)
        return reminder.plan.schedule.next(instant + 1, zone, reminder.counted_from)

    def last_until(self, reminder, end, now):
        """Returns the last occurrence up to an instant of a schedule with an end, however long ago. For other
        schedules, returns
        the occurrence for which the app is to be woken by then, possibly late. None if there is none."""
        schedule, last = reminder.plan.schedule, None
        if schedule is None or not schedule.ends:
            return reminder.wake if reminder.wake is not None and reminder.wake <= end else None
        occurrence = self.next_of(reminder, -FAR, now)
        while occurrence is not None and occurrence <= end:
            last, occurrence = occurrence, self.next_of(reminder, occurrence, now)
        return last

    def count_anew(self, reminder, now, wishes):
        """If the fact from which a schedule counts has changed, pending, deferred and visible requests end, and
        everything is
        planned from the new value. Returns whether it has changed."""
        fact = counts_from(reminder.plan)
        if fact is None:
            return False
        if reminder.cancelled and reminder.is_made_later:
            return True
        view, known = self.view(now), reminder.counted_from
        value, day = self.program.known(view, fact), self.program.day_of(view, fact)
        if value == (known and known[0]):
            return False
        reminder.counted_from = None if value is None else [value, day]
        if reminder.cancelled:
            return True
        if known:
            self.end_occasion(reminder, value is None, now, wishes)
        reminder.ahead = reminder.wake = None
        reminder.served = []
        self.plan(reminder, now, wishes)
        return True

    def end_occasion(self, reminder, is_forgotten, now, wishes):
        deliver(reminder, now)
        take_out(reminder, reminder.ahead["pending"] if reminder.ahead else [], now)
        if reminder.occurrences > 0:
            # If the fact is unknown now, nothing replaces the pending requests.
            wishes.append(withdraw(reminder, "cancelled" if is_forgotten else "superseded"))
        if reminder.shown is not None and not is_forgotten:
            wishes.append(remove(reminder, reminder.shown, "superseded"))
            reminder.shown = None
        reminder.left_out = None
        end_put_off(reminder, now)
        if reminder.is_snoozed:
            end_snooze(reminder, now)

    def stage_of(self, reminder, at, now):
        """Returns the text of an occurrence by its day, or None if it depends on the number of requests."""
        if counts_from(reminder.plan) is None or reminder.counted_from is None or at is None:
            return None
        return reminder.plan.schedule.position(at, self.program.zone_named(now.zone), reminder.counted_from)

    def replenish(self, reminder, now, wishes):
        """Schedules occurrences until the declared number is ahead. If none is pending afterwards, nothing else would
        continue
        the schedule, so the app requests a wake-up at the last one."""
        if self.round:
            self.round.schedules.append(reminder)
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
            reminder.ahead = fresh_ahead()
        deliver(reminder, now)
        reminder.failed = [at for at in reminder.failed if at > now.wall]
        after = max(now.wall, reminder.ahead["takenBackTo"])
        look = {"reminder": reminder, "left": plan.ahead, "cut": False}
        return {**look, "next": self.occurrence_after(reminder, after, now)}

    def occurrence_after(self, reminder, instant, now):
        occurrence = self.next_of(reminder, instant, now)
        return None if occurrence is None or occurrence >= reminder.plan.expires else occurrence

    def look_on(self, look, now, wishes):
        """Evaluates one occurrence. Returns whether there is another."""
        reminder, occurrence = look["reminder"], look["next"]
        if look["left"] == 0 or occurrence is None:
            return False
        ahead = reminder.ahead
        has_failed = occurrence in reminder.failed
        if has_failed and self.has_just_failed(reminder, now):
            # The system would refuse it again.
            return False
        if occurrence > ahead["lookedTo"] or has_failed:
            number = None
            if all(entry[1] != occurrence for entry in ahead["pending"]):
                self.had_no_room = False
                number = self.hand_over(reminder, occurrence, now, wishes)
                if number is None and self.had_no_room:
                    look["cut"] = True
                    return False
            ahead["lookedTo"] = max(ahead["lookedTo"], occurrence)
            if number is not None:
                ahead["pending"].append([number, occurrence, occurrence])
                ahead["pending"].sort(key=lambda entry: entry[1])
            if has_failed:
                reminder.failed.remove(occurrence)
        look["left"] -= 1
        look["next"] = self.occurrence_after(reminder, occurrence, now)
        return True

    def end_look(self, look, now, wishes):
        reminder = look["reminder"]
        looked_to = looked_to_of(reminder)
        if not look["cut"]:
            reminder.left_out = None
        self.wish(reminder, looked_to if looked_to > now.wall else None, wishes)

    # Scheduling ahead

    def hand_over(self, reminder, at, now, wishes, stage=None, pattern=None):
        """Requests a notification for a later instant if the conditions hold for that instant. `pattern` makes the
        system repeat
        it. Returns the number of the request, or None without a request."""
        # A snoozed reminder waits for nothing until then, but this is later.
        if not self.is_armed(reminder) and not reminder.is_snoozed:
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
        is_ahead, stage = stage is None, self.stage_of(reminder, at, now) if stage is None else stage
        wish = self.ask(reminder, view, view.day, now, stage, is_ahead)
        wish["request"]["floating"] = not is_span(pattern) and is_of_wall(reminder.plan)
        wish["request"]["pattern"] = pattern
        wishes.append(wish)
        number = wish["request"]["occurrence"]
        if self.planned_at == now:
            self.fresh.append((reminder, number))
        return number

    def wish(self, reminder, at, wishes):
        """Requests a wake-up if nothing else continues the schedule, or cancels it. A deferred request is shown when
        others may
        have been due."""
        ahead = reminder.ahead
        is_followed = at is None or any(due == delivered and due <= at for _, due, delivered in ahead["pending"])
        if is_followed or not self.is_armed(reminder):
            at = None
        if ahead["wish"] or at is not None:
            wishes.append(wake(reminder, at))
        ahead["wish"] = at is not None

    def wish_unless_followed(self, reminder, now, wishes):
        """Requests a wake-up after occurrences were lost or deferred and nothing else continues the schedule in time.
        """
        if reminder.ahead and not reminder.is_snoozed and not reminder.cancelled:
            self.wish(reminder, max(looked_to_of(reminder), now.wall), wishes)

    # Requests that the system lost, and how they are made again

    def dropped(self, reminder, occurrence, now, wishes):
        """The system dropped a pending request. One that fell due while the app could not run is shown once, unless
        it has
        expired."""
        self.keep_forbidden(reminder, occurrence, now)
        snooze = self.missed_snooze(reminder, occurrence, now)
        match = self.missed_occurrence(reminder, occurrence, now) or self.missed_turn(reminder, occurrence, now)
        self.undo([(reminder, occurrence)], now, wishes)
        if reminder.cancelled or reminder.is_snoozed:
            return
        if snooze:
            copy, due = snooze
            if reminder.plan.expires > now.wall and not is_withdrawn(reminder.plan, self.view(now)):
                reminder.deferred_snooze = [reminder.occurrences, copy, FAR]
                self.ask_again(reminder, now.wall, [copy, -FAR], now, wishes, due)
        elif match:
            self.make_up(reminder, *match, now, wishes)

    def missed_snooze(self, reminder, occurrence, now):
        """Returns the text of the request of an ended snooze, and when it was due, or None."""
        ended, deferred = reminder.missed_at(now)["snooze"], reminder.deferred_snooze
        if reminder.is_deferred_snooze(occurrence) and deferred[2] <= now.wall:
            return deferred[1:]
        return ended[1:] if ended and ended[0] == occurrence else None

    def missed_occurrence(self, reminder, occurrence, now):
        """Returns the due time, day and text of a passed occurrence that was scheduled ahead, or None."""
        zone, pending = self.program.zone_named(now.zone), reminder.ahead["pending"] if reminder.ahead else []
        entry = next((entry for entry in pending if entry[0] == occurrence), None)
        if entry:
            release = entry[2] if entry[2] in (entry[1], FAR) else entry[2] - MINUTE
            if release > now.wall:
                return None
        else:
            passed = reminder.missed_at(now)["occurrences"]
            entry = next((entry for entry in passed if entry[0] == occurrence), None)
            if not entry:
                return None
            passed.remove(entry)
            reminder.forget_turn(occurrence, now)
        due = self.latest_of(reminder, entry[1], now)
        stage = self.stage_of(reminder, due, now)
        return due, zone.day(due), reminder.copy(occurrence if stage is None else stage)

    def missed_turn(self, reminder, occurrence, now):
        """Returns the same of a stage, or of a turn whose request was deferred."""
        for turn in reminder.turns:
            if turn[1] == occurrence and turn[2] is not None and -FAR < turn[2] <= now.wall:
                copy = self.copy_of_turn(reminder, turn, now)
                return None if copy is None else (turn[2], turn[0], copy)
        return None

    def make_up(self, reminder, due, day, copy, now, wishes):
        """Requests a missed notification for now. It replaces an earlier one of this instant."""
        missed, plan = reminder.missed_at(now), reminder.plan
        earlier = missed["replacement"]
        if earlier and earlier[1] >= due or self.has_turn(reminder, day):
            return
        failure = failures(plan, self.view(now, due))
        if not failure and is_withdrawn(plan, self.view(now)):
            failure = ("conditionFailed", ["fact"])
        if failure:
            wishes.append(no_request(reminder, *failure))
            return
        if earlier:
            turn = reminder.open_turn(earlier[0])
            if turn:
                turn[2] = None
            wishes.append(remove(reminder, earlier[0], "superseded"))
        missed["replacement"] = (reminder.occurrences, due)
        wish = self.ask(reminder, self.view(now), day, now)
        wish["request"].update(copy=copy, scheduledFor=due, expiresAt=useful_until(plan, due))
        wishes.append(wish)
        reminder.wait_again(now)

    # Requests that the system refused, and how they are made again

    def has_failed(self, reminder, at, now):
        """The system refused the request, which may be made again."""
        if now.wall < at < FAR:
            reminder.failed = sorted({at, *(one for one in reminder.failed if one > now.wall)})
            self.failed_at[reminder.name] = now

    def snooze_has_failed(self, reminder, now):
        """The system refused the request of a snooze."""
        reminder.failed_snooze = True
        self.failed_at[reminder.name] = now

    def has_just_failed(self, reminder, now):
        has_failed = bool(reminder.failed) or reminder.failed_snooze
        return has_failed and self.failed_at.get(reminder.name) == now

    def ask_again_after_snoozes(self, now, wishes):
        def is_meant(reminder):
            return reminder.failed_snooze and not self.has_just_failed(reminder, now)

        self.ask_anew_after_snoozes(is_meant, now, wishes)

    def ask_anew_after_snoozes(self, is_meant, now, wishes):
        """Repeats the requests of snoozes that the system may not have any more."""
        for reminder in filter(is_meant, self.reminders.values()):
            asked = reminder.asked_again if reminder.is_snoozed else reminder.open_deferred_snooze(now.wall)
            until = max(reminder.snoozed_until, now.wall) if reminder.is_snoozed else now.wall
            has_ended = reminder.plan.expires <= until
            if asked and not has_ended and is_withdrawn(reminder.plan, self.view(foreseen(until, now))):
                continue
            reminder.failed_snooze = False
            if not asked or has_ended:
                continue
            wishes.append(remove(reminder, asked[0], "superseded"))
            if not reminder.is_snoozed:
                reminder.deferred_snooze = [reminder.occurrences, asked[1], FAR]
            self.ask_again(reminder, until, asked[1:], now, wishes)

    # How plans follow changes

    def foresee_anew(self, fact, now, wishes):
        """Evaluates future occurrences again that were not scheduled because of a known fact."""
        self.ask_again_after_snoozes(now, wishes)
        with self.in_order_of_time(now, wishes):
            for reminder in self.foreseeing[fact]:
                if foresees(reminder.plan, fact):
                    self.look_ahead(reminder, now, wishes)
        self.ask_again_for_withdrawn(now, wishes)

    def foresee_state_anew(self, now, wishes):
        """Does the same after a change of charging or of a place."""
        with self.in_order_of_time(now, wishes):
            for reminder in self.foreseeing_state:
                if foresees_state(reminder.plan):
                    self.look_ahead(reminder, now, wishes)
        self.ask_again_for_withdrawn(now, wishes)

    def look_ahead(self, reminder, now, wishes):
        """Withdraws the pending requests whose conditions fail now, and schedules occurrences that were not."""
        if reminder.cancelled:
            return
        self.withdraw_failing(reminder, now, wishes)
        self.complete_lapse(reminder, now, wishes)
        self.plan_repeats(reminder, now, wishes)
        if reminder.ahead:
            look_again_after_losses(reminder.ahead)
            self.replenish(reminder, now, wishes)

    def plan_again(self, now, wishes):
        """The process finds the phone on its charger or inside a place: repeats the plans of this instant, which did
        not know."""
        if self.planned_at != now:
            return
        for reminder in self.foreseeing_state:
            if reminder.cancelled:
                continue
            numbers = [number for other, number in self.fresh if other is reminder]
            self.fresh = [(other, number) for other, number in self.fresh if other is not reminder]
            wishes += [remove(reminder, number, "superseded") for number in numbers]
            for number in numbers:
                reminder.forget_turn(number, now)
            for plans, key in ((reminder.ahead, "pending"), (reminder.standing, "entries")):
                if plans:
                    plans[key] = [entry for entry in plans[key] if entry[0] not in numbers]
            if numbers and reminder.lapse:
                reminder.lapse["losses"] = True
            self.look_ahead(reminder, now, wishes)

    def withdraw_failing(self, reminder, now, wishes, is_launch=False):
        """Withdraws the pending requests whose conditions will not hold when they are due. The time of day and the
        weekday of an occurrence do not change, and deferred requests are evaluated for their release (`still_holds`).
        A new process does not know yet whether the phone is charging."""
        known = ("region", "fact") if is_launch else ("region", "fact", "charging")
        checks = [check for kind, check in reminder.plan.conditions if kind in known]
        if not checks or not hands_over(reminder.plan) or reminder.cancelled:
            return

        def fails(at):
            view = self.view(foreseen(max(at, now.wall), now))
            return any(check(view) for check in checks)

        for entry in list(reminder.ahead["pending"]) if reminder.ahead else ():
            if entry[2] == entry[1] > reminder.passed(now) and fails(entry[1]):
                wishes.append(remove(reminder, entry[0], "cancelled"))
                take_out(reminder, [entry], now)
        zone = self.program.zone_named(now.zone)
        for entry in list(reminder.standing["entries"]) if reminder.standing else ():
            if fails(max(entry[2], next_repeat(entry[1], now.wall, zone))):
                wishes.append(remove(reminder, entry[0], "cancelled"))
                reminder.standing["entries"].remove(entry)
        for turn in reversed(open_after(reminder, reminder.passed(now))) if reminder.lapse else ():
            if turn[2] == turn[3] and fails(turn[2]):
                wishes.append(remove(reminder, turn[1], "cancelled"))
                reminder.forget_turn(turn[1], now)
                reminder.lapse["losses"] = True

    def withdraw_without_reason(self, fact, now, wishes):
        """A fact may end the reason for deferred or pending requests, as long as it has this value."""
        for reminder in self.withdrawing[fact]:
            if reminder.cancelled:
                continue
            is_gone = is_withdrawn(reminder.plan, self.view(now))
            pending = reminder.ahead["pending"] if reminder.ahead else []
            ended = [
                entry
                for entry in pending
                if entry[2] > reminder.passed(now)
                and is_withdrawn(reminder.plan, self.view(foreseen(max(entry[1], now.wall), now)))
            ]
            if is_gone and len(ended) == len(pending):
                wishes.append(withdraw(reminder, "cancelled"))
            else:
                wishes += [remove(reminder, entry[0], "cancelled") for entry in ended]
            take_out(reminder, ended, now)
            if is_gone:
                self.keep_withdrawn(reminder, ended, put_off_turns(reminder, now), False, now)
            asked = reminder.asked_again or reminder.open_deferred_snooze(now.wall)
            if is_gone and asked:
                wishes.append(remove(reminder, asked[0], "cancelled"))
                # It is requested again when the reason returns, possibly at this moment.
                reminder.failed_snooze = True
            elif is_gone:
                late = reminder.open_deferred_snooze(reminder.passed(now))
                if late:
                    wishes.append(remove(reminder, late[0], "cancelled"))
                    reminder.deferred_snooze = None
            if is_gone:
                if reminder.standing:
                    reminder.standing["entries"] = []
                if reminder.lapse:
                    reminder.lapse["losses"] = True
                forget_turns_after(reminder, now)

    def keep_withdrawn(self, reminder, pending, opened, is_forbidden, now):
        """Keeps withdrawn requests that quiet hours had deferred and whose own time has passed, so that nothing else
        requests them
        when the reason for the withdrawal ends: scheduled ones and other turns."""
        for number, at, delivered_at in pending:
            if at <= now.wall and delivered_at not in (at, FAR):
                stage = self.stage_of(reminder, at, now)
                copy = reminder.copy(number if stage is None else stage)
                day = self.program.zone_named(now.zone).day(at)
                reminder.withdrawn.append([day, copy, delivered_at - MINUTE, is_forbidden, at])
        for turn in opened:
            copy = self.copy_of_turn(reminder, turn, now)
            if copy is not None:
                reminder.withdrawn.append([turn[0], copy, turn[2], is_forbidden, turn[3]])

    def copy_of_turn(self, reminder, turn, now):
        """Returns the text of a deferred request, or None if its own time has not passed."""
        number, delivery = turn[1:3]
        if reminder.lapse and reminder.plan.lapse:
            (days, minute), zone = reminder.plan.lapse, self.program.zone_named(now.zone)
            times = [zone.at(reminder.lapse["since"] + count, minute) for count in days]
            passed = [stage for stage, at in enumerate(times) if at <= delivery]
            if not passed or times[passed[-1]] > now.wall:
                return None
            stage = passed[-1]
        else:
            stage = self.stage_of(reminder, self.last_until(reminder, now.wall, now), now)
        return reminder.copy(number if stage is None else stage)

    def keep_forbidden(self, reminder, occurrence, now):
        """Notifications are forbidden, and the system does not have the request any more."""
        pending = reminder.ahead["pending"] if reminder.ahead else []
        pending = [entry for entry in pending if entry[0] == occurrence]
        opened = [turn for turn in put_off_turns(reminder, now) if turn[1] == occurrence]
        self.keep_withdrawn(reminder, pending, opened, True, now)

    def holds(self, plan, view):
        return not failures(plan, view) and not is_withdrawn(plan, view)

    def keep_stale(self, reminder, occurrence, now, wishes):
        """The app took a deferred request back because its conditions fail at its release. It is requested again if
        they hold in time."""
        pending = reminder.ahead["pending"] if reminder.ahead else []
        pending = [entry for entry in pending if entry[0] == occurrence]
        opened = [turn for turn in put_off_turns(reminder, now) if turn[1] == occurrence]
        self.keep_withdrawn(reminder, pending, opened, False, now)
        # An occurrence in the future stays wanted.
        is_ahead = any(entry[1] > now.wall for entry in pending)
        if is_ahead:
            take_out(reminder, pending, now)
        self.undo([(reminder, occurrence)], now, wishes)
        if is_ahead:
            self.wish_unless_followed(reminder, now, wishes)

    def lose_all_put_off(self, now):
        """Notifications are forbidden, and the system has dropped the deferred requests without a report."""
        for reminder in self.reminders.values():
            for _, occurrence, *_ in put_off_turns(reminder, now):
                self.keep_forbidden(reminder, occurrence, now)
                reminder.forget_turn(occurrence, now)

    def ask_again_for_withdrawn(self, now, wishes, is_meant=lambda reminder, is_forbidden: not is_forbidden):
        """Repeats withdrawn requests that may be shown before quiet hours end, unless the reminder has had its turn
        since.
        `is_meant` selects reminders for which the reason of the withdrawal may have ended."""
        for name in sorted(self.reminders):
            reminder = self.reminders[name]
            withdrawn, reminder.withdrawn = reminder.withdrawn, []
            for day, copy, release, is_forbidden, own in withdrawn:
                if release <= now.wall:
                    continue
                if not is_meant(reminder, is_forbidden):
                    reminder.withdrawn.append([day, copy, release, is_forbidden, own])
                elif not self.holds(reminder.plan, self.view(foreseen(release, now))):
                    reminder.withdrawn.append([day, copy, release, False, own])
                elif not self.has_turn(reminder, day):
                    wish = self.ask(reminder, self.view(now), day, now)
                    # The request keeps its place among others, and its name in the system.
                    wish["request"].update(copy=copy, scheduledFor=own)
                    wishes.append(wish)

    def opened(self, now, wishes):
        """Restores future requests that the person cancelled; lapses restart."""
        with self.in_order_of_time(now, wishes):
            for reminder in self.repeating:
                if reminder.standing and reminder.standing["takenBack"]:
                    reminder.standing.update(takenBack=False, lostTo=-FAR)
                self.plan_repeats(reminder, now, wishes)
            self.ask_again_after_snoozes(now, wishes)
            for reminder in self.scheduled:
                self.bring_back(reminder, now, wishes)
                # Occurrences without room are evaluated when there is room.
                if reminder.left_out is None:
                    self.replenish(reminder, now, wishes)
            self.ask_again_for_withdrawn(now, wishes)
            for reminder in self.lapsing:
                self.take_back_lapse(reminder, now, wishes)
                reminder.left_out, reminder.withdrawn = None, []
                self.plan_lapse(reminder, now, wishes)

    def bring_back(self, reminder, now, wishes):
        ahead = reminder.ahead
        deliver(reminder, now)
        if ahead and ahead["takenBackTo"] > now.wall:
            if ahead["pending"]:
                wishes.append(withdraw(reminder, "superseded"))
            take_out(reminder, ahead["pending"], now)
            ahead["takenBackTo"] = -FAR
            # A restored request may be due before the one without room.
            reminder.left_out = None
            look_again_after_losses(ahead)
        if ahead and ahead["lostToLapse"]:
            # The lapse whose cap denied some has ended.
            reminder.left_out = None
            look_again(ahead)

    def all_taken_back(self, now, wishes):
        """The person cancelled all pending requests, and nothing replaces them. Schedules continue when the time of
        the last one
        has passed, or when the app is opened."""
        for reminder in self.lapsing:
            forget_turns_after(reminder, now)
        for reminder in self.repeating:
            take_back_repeats(reminder, wishes)
        for reminder in self.scheduled:
            take_back_all(reminder, now)
            self.wish_unless_followed(reminder, now, wishes)
        for reminder in self.reminders.values():
            reminder.failed, reminder.failed_snooze = [], False
            end_put_off(reminder, now)

    def permission_changed(self, permission, now, wishes):
        """When the permission is revoked, the system drops pending requests and does not restore them."""
        if permission in ALLOWING:
            self.ask_anew(lambda reminder: True, now, wishes)
            return
        with self.in_order_of_time(now, wishes):
            self.lose_all_put_off(now)
            for reminder in self.lapsing:
                if reminder.lapse:
                    reminder.lapse["losses"] = True
                    forget_turns_after(reminder, now)
            for reminder in self.repeating:
                standing = reminder.standing
                for entry in list(standing["entries"]) if standing else ():
                    self.lose_repeat(reminder, entry[0], False, now, wishes)
            for reminder in self.scheduled:
                ahead = reminder.ahead
                if ahead:
                    deliver(reminder, now)
                    for entry in ahead["pending"]:
                        self.keep_forbidden(reminder, entry[0], now)
                    for entry in list(reversed(ahead["pending"])):
                        self.undo([(reminder, entry[0])], now, wishes)
                    self.wish_unless_followed(reminder, now, wishes)

    def preferences_changed(self, event, now, wishes):
        """The person changed a setting of the app, or the daily cap."""
        if event.get("all") or "dailyCap" in event:
            self.ask_anew(lambda reminder: True, now, wishes)
        elif event.get("on"):
            self.ask_anew(lambda reminder: reminder.plan.type == event["type"], now, wishes)

    def ask_anew(self, is_meant, now, wishes):
        """Repeats future requests that were denied or dropped and may be shown now."""
        self.changed = True
        self.ask_anew_after_snoozes(is_meant, now, wishes)
        with self.in_order_of_time(now, wishes):
            for reminder in filter(is_meant, self.lapsing):
                self.complete_lapse(reminder, now, wishes)
            for reminder in filter(is_meant, self.repeating):
                if reminder.standing:
                    reminder.standing["lostTo"] = -FAR
                self.plan_repeats(reminder, now, wishes)
            for reminder in filter(is_meant, self.scheduled):
                if reminder.ahead:
                    look_again(reminder.ahead)
                self.replenish(reminder, now, wishes)
        self.ask_again_for_withdrawn(now, wishes, lambda reminder, is_forbidden: is_forbidden and is_meant(reminder))

    # Repeating requests: handed over once, and ended only by removing them

    def plan_repeats(self, reminder, now, wishes):
        """Hands over missing requests if the conditions hold for their first time. Otherwise the app requests a
        wake-up at the
        occurrence that is missed, and tries again then."""
        plan = reminder.plan
        if not plan.patterns or reminder.cancelled or reminder.is_snoozed:
            return
        if self.round and reminder.name in self.round.wishes:
            return
        if not reminder.standing:
            reminder.standing = {"entries": [], "lostTo": -FAR, "takenBack": False, "wish": FAR}
        standing, zone, missed = reminder.standing, self.program.zone_named(now.zone), FAR
        if standing["takenBack"]:
            return
        reminder.failed = [at for at in reminder.failed if at > now.wall]
        after = now.wall if plan.first_day is None else max(now.wall, zone.at(plan.first_day, 0) - 1)
        for number, pattern in enumerate(plan.patterns):
            if any(entry[1] == pattern for entry in standing["entries"]):
                continue
            first = next_repeat(pattern, after, zone)
            is_lost = not is_span(pattern) and first <= standing["lostTo"] and first not in reminder.failed
            if is_lost or self.has_just_failed(reminder, now):
                missed = min(missed, first)
            elif self.round:
                self.round.turns.append((first, reminder.name, REPETITION, number))
            elif not self.hand_over_pattern(reminder, number, first, now, wishes):
                missed = min(missed, first)
        if self.round:
            self.round.wishes[reminder.name] = missed
        else:
            wish_to_repeat(reminder, missed, wishes)

    def hand_over_pattern(self, reminder, number, first, now, wishes):
        """Hands over a repeating request. Returns whether it did."""
        pattern = reminder.plan.patterns[number]
        reminder.failed = [at for at in reminder.failed if at != first]
        occurrence = self.hand_over(reminder, first, now, wishes, pattern=pattern)
        if occurrence is None:
            return False
        reminder.standing["entries"].append([occurrence, pattern, first])
        return True

    def lose_repeat(self, reminder, occurrence, is_failure, now, wishes):
        """A repeating request was denied, refused or dropped: it is requested again after the occurrence that is
        missed."""
        standing = reminder.standing
        for entry in standing["entries"] if standing else ():
            if entry[0] == occurrence:
                standing["entries"].remove(entry)
                _, pattern, missed = entry
                if missed <= now.wall:
                    missed = next_repeat(pattern, now.wall, self.program.zone_named(now.zone))
                if is_failure:
                    self.has_failed(reminder, missed, now)
                else:
                    standing["lostTo"] = max(standing["lostTo"], missed)
                wish_to_repeat(reminder, min(standing["wish"], missed), wishes)
                return

    # Lapses: stages for the time while the app stays closed, scheduled ahead

    def plan_lapse(self, reminder, now, wishes, since=None):
        """Schedules the future stages unless that was done since the app was last opened; then only those that the
        system refused."""
        plan, planned = reminder.plan, reminder.lapse
        if not plan.lapse or reminder.cancelled:
            return
        reminder.failed = [at for at in reminder.failed if at > now.wall]
        if planned and (not reminder.failed or self.has_just_failed(reminder, now)):
            return
        zone = self.program.zone_named(now.zone)
        if not planned:
            since = zone.day(now.wall) if since is None else since
            reminder.lapse = {"since": since, "losses": False}
            reminder.failed = []
        days, minute = plan.lapse
        for stage, count in enumerate(days):
            at = zone.at(reminder.lapse["since"] + count, minute)
            # A snooze replaces stages before its end.
            if at <= max(now.wall, reminder.snoozed_until or -FAR) or planned and at not in reminder.failed:
                continue
            if at >= plan.expires:
                return
            if self.round:
                self.round.turns.append((at, reminder.name, STAGE, stage))
            else:
                self.hand_over_stage(reminder, stage, at, now, wishes)

    def hand_over_stage(self, reminder, stage, at, now, wishes):
        reminder.failed = [time for time in reminder.failed if time != at]
        if self.hand_over(reminder, at, now, wishes, stage) is None:
            reminder.lapse["losses"] = True

    def complete_lapse(self, reminder, now, wishes):
        """Plans missing stages again, from the same opening."""
        if reminder.lapse and reminder.lapse["losses"]:
            since = reminder.lapse["since"]
            self.take_back_lapse(reminder, now, wishes)
            self.plan_lapse(reminder, now, wishes, since)

    def take_back_lapse(self, reminder, now, wishes):
        if reminder.lapse:
            reminder.lapse = None
            wishes.append(withdraw(reminder, "superseded"))
            forget_turns_after(reminder, now)
            # The request of a snooze was removed with the stages.
            self.ask_anew_after_snoozes(lambda one: one is reminder, now, wishes)


# Conditions


def foreseen(at, now):
    """Returns the clocks at a later instant if they are not set."""
    return Moment(at, now.boot, now.uptime + at - now.wall, now.zone)


def useful_until(plan, due):
    """Returns when a notification that was due at an instant is of no use any more."""
    return min(plan.expires, FAR if plan.useful_for is None else due + plan.useful_for)


def is_withdrawn(plan, view):
    return any(check(view) is None for check in plan.withdrawals)


def failures(plan, view):
    """Returns the first reason and all kinds of failed conditions, or None if all hold."""
    reason, kinds = None, set()
    for kind, check in plan.conditions:
        failed = check(view)
        if failed:
            reason = reason or failed
            kinds.add(kind)
    return (reason, [kind for kind in KINDS if kind in kinds]) if reason else None
