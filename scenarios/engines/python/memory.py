"""The state of a reminder, and the wishes that result from it.

Wishes are dictionaries: requests for the cap scheduler, and effects.
"""

from civil import FAR, MINUTE

# Conditions on states that a process finds when it starts.
OF_STATE = ("region", "charging")


class Reminder:
    """A reminder and its state."""

    # A turn is a match that counts for a day: [day, occurrence, delivery time, its own time]. The delivery time is
    # None when the match can
    # no longer
    # come to nothing, and when `ahead` has it. `shown` is the last shown request, `ahead` the scheduled occurrences,
    # `lapse`
    # the stages that were planned for the time without the app, and `standing` the repeating requests: [occurrence,
    # pattern,
    # first time, or -FAR once the app knows that it was shown]. `left_out` is the occurrence without room, `failed`
    # the times
    # of requests that the system refused and that are to be made again, and `failed_snooze` whether the snooze's
    # request is
    # one of them.
    FRESH = {"occurrences": 0, "turns": [], "edit": None, "expired": False, "left_out": None, "failed": []}
    FRESH.update({"failed_snooze": False})
    FRESH.update({"shown": None, "wake": None, "ahead": None, "lapse": None, "standing": None})
    # The end of a snooze; its request: [occurrence, text, when the snoozed occurrence is due, or -FAR if it was due
    # before];
    # and its request if quiet hours deferred it: [occurrence, text, the time for which the system has it]. The person
    # asked
    # for it, so no condition ends it.
    FRESH.update({"snoozed_until": None, "asked_again": None, "deferred_snooze": None})
    # The clocks for which `snoozed_until` is the end, if the person chose a length of time: [boot, wall at boot].
    FRESH.update({"snooze_clocks": None})
    # Deferred requests that were withdrawn and are made again if the reason ends before quiet hours do: [the day it
    # counts
    # for, text, end of quiet hours, whether notifications were forbidden instead of a condition failing, its own time].
    FRESH.update({"withdrawn": []})
    # Whether the next initial enter is an arrival although the app knows that the phone is there: it was created or
    # edited there, or the app has just begun to monitor the place.
    FRESH.update({"expects_enter": False})
    # The value of the fact from which the schedule counts, and its day.
    FRESH.update({"counted_from": None})
    # The occurrences for which the app was woken, as ranges of consecutive ones: [first, last].
    FRESH.update({"served": []})

    # The time after its due time at which a pending request may still be shown; 0 unless alarms may be late.
    lateness = 0

    def __init__(self, plan, edits):
        self.name = plan.reminder
        self.plans = {None: plan, **edits}
        # A reminder that is created later does not exist at first, as if it had been cancelled.
        self.is_made_later = plan.made_later
        self.start = {**self.FRESH, "cancelled": plan.made_later}
        # What fell due at one instant and may have been lost, and the request of a wake-up that is undecided. Not
        # stored.
        self.missed, self.undecided = {"at": None}, None
        self.remember({})

    def remember(self, stored):
        for key, fresh in self.start.items():
            value = stored.get(key, fresh)
            setattr(self, key, list(value) if isinstance(value, list) else value)
        # The declaration in force; an app update may have removed an edit.
        self.plan = self.plans.get(self.edit, self.plans[None])

    def remembered(self):
        """Returns the parts of the state that differ from the initial state."""
        values = {key: getattr(self, key) for key in self.start}
        return {key: value for key, value in values.items() if value != self.start[key]}

    @property
    def is_snoozed(self):
        return self.snoozed_until is not None

    def missed_at(self, now):
        """Returns what fell due at this instant: occurrences that count as delivered, the request of a snooze that
        ended, and the request that was made for a lost one, with the due time of that one."""
        if self.missed["at"] != now.wall:
            self.missed = {"at": now.wall, "occurrences": [], "snooze": None, "replacement": None}
        return self.missed

    def is_decided(self, occurrence):
        if self.undecided == occurrence:
            self.undecided = None

    def is_deferred_snooze(self, occurrence):
        return self.deferred_snooze is not None and self.deferred_snooze[0] == occurrence

    def passed(self, now):
        """Returns the time up to which requests have been shown even if the app has not observed it."""
        return now.wall - self.lateness

    def open_deferred_snooze(self, after):
        """Returns the request of an ended snooze that is still pending because quiet hours deferred it or its alarm
        is late:
        [occurrence, text, -FAR]."""
        is_open = self.deferred_snooze is not None and self.deferred_snooze[2] > after
        return [*self.deferred_snooze[:2], -FAR] if is_open else None

    def forget_turn(self, occurrence, now):
        """Drops a match as if it had not happened."""
        self.turns = [turn for turn in self.turns if turn[1] != occurrence]
        self.wait_again(now)

    def wait_again(self, now):
        """An expired reminder does not wait again even if the clock is set back, until something is evaluated again.
        """
        if not self.cancelled and not self.is_snoozed:
            self.expired = self.plan.expires <= now.wall

    def open_turn(self, occurrence):
        """Returns the turn of a request that may still come to nothing, except scheduled occurrences."""
        return next((turn for turn in self.turns if turn[1] == occurrence and turn[2] is not None), None)

    def copy(self, stage):
        """Returns the text of the n-th request; later ones have the last text."""
        return min(stage, self.plan.copies - 1, 255)

    def was_shown(self, occurrence):
        """A request was shown. One that this installation does not know is not its own."""
        if occurrence < self.occurrences:
            self.shown = occurrence


# Scheduled occurrences, as [request number, due time, time from which on it counts as delivered]


def deliver(reminder, now):
    """Marks everything up to now as due. The app observes later whether the system has shown it: a journey may have
    moved it,
    an alarm may be late, or the stored state may be old."""
    if reminder.ahead:
        pending = reminder.ahead["pending"]
        reminder.missed_at(now)["occurrences"] += [entry for entry in pending if entry[2] <= reminder.passed(now)]
        pending[:] = [entry for entry in pending if entry[2] > reminder.passed(now)]


def pending_entry(reminder, number):
    pending = reminder.ahead["pending"] if reminder.ahead else []
    return next((entry for entry in pending if entry[0] == number), None)


def take_out(reminder, entries, now):
    """Drops scheduled occurrences as if they had not been requested."""
    for entry in list(entries):
        reminder.ahead["pending"].remove(entry)
        reminder.forget_turn(entry[0], now)


def take_back_all(reminder, now):
    """The person cancelled pending requests and those without room. The schedule continues after them."""
    deliver(reminder, now)
    ahead, left_out, reminder.left_out = reminder.ahead, reminder.left_out, None
    if ahead:
        lasts = [looked_to_of(reminder), -FAR if left_out is None else left_out]
        lasts += [entry[1] for entry in ahead["pending"][-1:]]
        ahead["takenBackTo"] = ahead["lookedTo"] = max(lasts)
        reminder.failed = []
        take_out(reminder, ahead["pending"], now)


def looked_to_of(reminder):
    """Returns the last occurrence that was evaluated or is to be requested again."""
    return max([reminder.ahead["lookedTo"], *reminder.failed])


def fresh_ahead():
    """Nothing was evaluated. `lostToLapse`: a cap of the current lapse denied some. `snoozed`: the ones that a snooze
    removed,
    like those that are pending."""
    times = {"lookedTo": -FAR, "takenBackTo": -FAR, "lostTo": -FAR}
    return {"pending": [], "snoozed": [], **times, "wish": False, "lostToLapse": False}


def look_again(ahead):
    """Evaluates all occurrences that are not pending again."""
    ahead.update(lostTo=-FAR, lostToLapse=False)
    look_again_after_losses(ahead)


def look_again_after_losses(ahead):
    """Evaluates occurrences that are not pending again, but not lost ones or earlier ones."""
    ahead["lookedTo"] = max(ahead["takenBackTo"], ahead["lostTo"])


def keep_turn(reminder, occurrence, delivery):
    """A request is delivered later than its time."""
    turn, entry = reminder.open_turn(occurrence), pending_entry(reminder, occurrence)
    if turn:
        turn[2] = delivery
    if entry:
        entry[2] = delivery + MINUTE


# Turns


def end_snooze(reminder, now):
    reminder.failed_snooze = reminder.failed_snooze and reminder.open_deferred_snooze(now.wall) is not None
    reminder.snoozed_until = reminder.asked_again = reminder.snooze_clocks = None
    if reminder.ahead:
        reminder.ahead["snoozed"] = []
    reminder.wait_again(now)


def open_after(reminder, wall):
    """Returns the turns that are delivered later, the latest request first."""
    turns = [turn for turn in reminder.turns if turn[2] is not None and turn[2] > wall]
    return sorted(turns, key=lambda turn: turn[1], reverse=True)


def put_off_turns(reminder, now):
    """Returns the turns of requests that the system has for a later time, in order."""
    return [turn for turn in reversed(open_after(reminder, now.wall)) if turn[2] != FAR]


def end_put_off(reminder, now):
    """The person or the app cancelled the deferred request. It is not shown, and its turn is used."""
    for turn in put_off_turns(reminder, now):
        turn[2] = None
    reminder.withdrawn = []


def forget_turns_after(reminder, now):
    for turn in open_after(reminder, reminder.passed(now)):
        reminder.forget_turn(turn[1], now)


# Repeating requests


def is_span(pattern):
    return pattern is not None and pattern["repeats"] == "span"


def wish_to_repeat(reminder, at, wishes):
    """Requests a wake-up for an occurrence that the system will not show, or cancels it."""
    standing = reminder.standing
    if standing["wish"] != FAR or at != FAR:
        wishes.append(wake(reminder, None if at == FAR else at))
    standing["wish"] = at


def take_back_repeats(reminder, wishes):
    """The person cancelled pending requests: nothing is repeated until the app is opened again."""
    standing = reminder.standing
    if standing:
        wishes += [remove(reminder, number, "cancelled") for number, *_ in standing["entries"]]
        standing.update(entries=[], takenBack=True)
        wish_to_repeat(reminder, FAR, wishes)


# Declarations


def hands_over(plan):
    """Returns whether the reminder is scheduled ahead."""
    return plan.ahead or plan.lapse or plan.patterns


def foresees(plan, fact):
    """Returns whether the value of a fact determines scheduled occurrences."""
    return hands_over(plan) and fact in plan.condition_facts | plan.withdrawal_facts


def foresees_state(plan):
    """Returns whether charging or places determine them."""
    return hands_over(plan) and any(kind in OF_STATE for kind, _ in plan.conditions)


def counts_from(plan):
    """Returns the fact from which a schedule counts, or None if the calendar determines its days."""
    return getattr(plan.schedule, "fact", None)


def is_of_wall(plan):
    """Returns whether its times are wall times, which a journey moves."""
    return plan.schedule is None or plan.schedule.is_of_wall


# Wishes


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
