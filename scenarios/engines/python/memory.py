"""What is remembered of a reminder, and what is asked for because of it.

Wishes are dictionaries: requests for the cap scheduler, and effects.
"""

from civil import FAR, MINUTE

# Conditions on what a process finds out when it begins.
OF_STATE = ("region", "charging")


class Reminder:
    """A reminder and what is remembered of it."""

    # A turn is a match that counts for a day: [day, occurrence, when it is delivered]; None in place of that once
    # it is not asked any more whether it comes to nothing, and where `ahead` says it. `shown` is the request
    # shown last, `ahead` what was handed over of a schedule, `lapse` which stages were planned for the time
    # without the app, `standing` what the system was asked to repeat: [occurrence, pattern, its first time,
    # -FAR once the app knows that it has come], `left_out` the occurrence for which there was no room, `failed`
    # the times of what the system did not take and is to be asked for again, `failed_snooze` whether what a snooze
    # asked for is.
    FRESH = {"occurrences": 0, "turns": [], "edit": None, "expired": False, "left_out": None, "failed": []}
    FRESH.update({"failed_snooze": False})
    FRESH.update({"shown": None, "wake": None, "ahead": None, "lapse": None, "standing": None})
    # Until when it is put off, and what was asked for then: [occurrence, text, when that which it stands for is due by
    # itself, -FAR where that was due before]; and [occurrence, text, the time for which the system has it] where quiet
    # hours put it off: the person asked for it, and no condition ends it.
    FRESH.update({"snoozed_until": None, "asked_again": None, "deferred_snooze": None})
    # What quiet hours had put off when it was taken away, and which comes again if what took it away is over before they
    # end: [the day that it counts for, its text, their end, whether notifications were forbidden, and not its reason
    # gone].
    FRESH.update({"withdrawn": []})
    # The value of the fact from which its schedule counts, and the day of it.
    FRESH.update({"counted_from": None})

    # How long after its time what the system has may still come: not at all, unless alarms may be late.
    lateness = 0

    def __init__(self, plan, edits):
        self.name = plan.reminder
        self.plans = {None: plan, **edits}
        # One that is made later is not there at first, as if it had been taken back.
        self.is_made_later = plan.made_later
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

    def is_deferred_snooze(self, occurrence):
        return self.deferred_snooze is not None and self.deferred_snooze[0] == occurrence

    def passed(self, now):
        """What is due up to then has come, though nobody has told the app."""
        return now.wall - self.lateness

    def open_deferred_snooze(self, after):
        """What a snooze that has ended asked for, and is still to come, as quiet hours keep it back or its alarm is
        late: [occurrence, text, -FAR]."""
        is_open = self.deferred_snooze is not None and self.deferred_snooze[2] > after
        return [*self.deferred_snooze[:2], -FAR] if is_open else None

    def forget_turn(self, occurrence, now):
        """A match is as if it had not been."""
        self.turns = [turn for turn in self.turns if turn[1] != occurrence]
        self.wait_again(now)

    def wait_again(self, now):
        """What has expired waits no longer, though the clock be set back, until something is looked at anew."""
        if not self.cancelled and not self.is_snoozed:
            self.expired = self.plan.expires <= now.wall

    def open_turn(self, occurrence):
        """The turn of a request that may still come to nothing; occurrences handed over apart."""
        return next((turn for turn in self.turns if turn[1] == occurrence and turn[2] is not None), None)

    def copy(self, stage):
        """Which text the n-th shows: later ones the last."""
        return min(stage, self.plan.copies - 1, 255)

    def was_shown(self, occurrence):
        """A request was shown. One that this installation does not know is not its own."""
        if occurrence < self.occurrences:
            self.shown = occurrence


# What was handed over of a schedule, as [the request's number, when it is due, from when on it counts as delivered]


def deliver(reminder, now):
    """The time of everything up to now has come. Whether the system has shown it the app learns when it is
    told: a journey may have moved it, an alarm may be late, a store may be an old one."""
    if reminder.ahead:
        pending = reminder.ahead["pending"]
        pending[:] = [entry for entry in pending if entry[2] > reminder.passed(now)]


def pending_entry(reminder, number):
    pending = reminder.ahead["pending"] if reminder.ahead else []
    return next((entry for entry in pending if entry[0] == number), None)


def take_out(reminder, entries, now):
    """Occurrences that were handed over are as if they had not been."""
    for entry in list(entries):
        reminder.ahead["pending"].remove(entry)
        reminder.forget_turn(entry[0], now)


def take_back_all(reminder, now):
    """The person took back what is pending, and what there was no room for: the schedule goes on after it."""
    deliver(reminder, now)
    ahead, left_out, reminder.left_out = reminder.ahead, reminder.left_out, None
    if ahead:
        lasts = [looked_to_of(reminder), -FAR if left_out is None else left_out]
        lasts += [entry[1] for entry in ahead["pending"][-1:]]
        ahead["takenBackTo"] = ahead["lookedTo"] = max(lasts)
        reminder.failed = []
        take_out(reminder, ahead["pending"], now)


def looked_to_of(reminder):
    """The last occurrence that was looked at, or is to be asked for again."""
    return max([reminder.ahead["lookedTo"], *reminder.failed])


def fresh_ahead():
    """Nothing was looked at. `lostToLapse`: some were denied by a cap of the present lapse; `snoozed`: what a snooze
    took back, as those that are pending."""
    times = {"lookedTo": -FAR, "takenBackTo": -FAR, "lostTo": -FAR}
    return {"pending": [], "snoozed": [], **times, "wish": False, "lostToLapse": False}


def look_again(ahead):
    """Looks again at all that is not pending."""
    ahead.update(lostTo=-FAR, lostToLapse=False)
    look_again_after_losses(ahead)


def look_again_after_losses(ahead):
    """Looks again at all that is not pending, but not at what was lost or before it."""
    ahead["lookedTo"] = max(ahead["takenBackTo"], ahead["lostTo"])


def keep_turn(reminder, occurrence, delivery):
    """A request comes later than its time."""
    turn, entry = reminder.open_turn(occurrence), pending_entry(reminder, occurrence)
    if turn:
        turn[2] = delivery
    if entry:
        entry[2] = delivery + MINUTE


# Turns


def end_snooze(reminder, now):
    reminder.failed_snooze = reminder.failed_snooze and reminder.open_deferred_snooze(now.wall) is not None
    reminder.snoozed_until = reminder.asked_again = None
    if reminder.ahead:
        reminder.ahead["snoozed"] = []
    reminder.wait_again(now)


def open_after(reminder, wall):
    """The turns of what is delivered later, the latest request first."""
    turns = [turn for turn in reminder.turns if turn[2] is not None and turn[2] > wall]
    return sorted(turns, key=lambda turn: turn[1], reverse=True)


def put_off_turns(reminder, now):
    """The turns of what the system has for a later time, in order."""
    return [turn for turn in reversed(open_after(reminder, now.wall)) if turn[2] != FAR]


def end_put_off(reminder, now):
    """The person or the app itself has taken back what is put off: it comes no more, and has had its turn."""
    for turn in put_off_turns(reminder, now):
        turn[2] = None
    reminder.withdrawn = []


def forget_turns_after(reminder, now):
    for turn in open_after(reminder, reminder.passed(now)):
        reminder.forget_turn(turn[1], now)


# What the system repeats


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


# Declarations


def hands_over(plan):
    """Whether it asks for notifications before their time."""
    return plan.ahead or plan.lapse or plan.patterns


def foresees(plan, fact):
    """Whether the value of a fact decides what it hands over."""
    return hands_over(plan) and fact in plan.condition_facts | plan.withdrawal_facts


def foresees_state(plan):
    """Whether charger or place do."""
    return hands_over(plan) and any(kind in OF_STATE for kind, _ in plan.conditions)


def counts_from(plan):
    """The fact from which a schedule counts; None where the calendar says its days."""
    return getattr(plan.schedule, "fact", None)


def is_of_wall(plan):
    """Whether its times are those of the clock on the wall, which a journey moves."""
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
