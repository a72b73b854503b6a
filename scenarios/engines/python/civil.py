"""Civil time: instants, zones, days, daily windows and recurrences.

An *instant* is a number of milliseconds since 1970 in UTC by the phone's wall clock. A *day* is a number of days
since
1970-01-01 in local time. *Wall time* is local time in milliseconds since 1970-01-01T00:00: an instant plus the
zone's
offset.
"""

from bisect import bisect_right
from datetime import date, datetime, timedelta
from functools import cached_property, lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

MINUTE, DAY = 60_000, 86_400_000
MINUTES_A_DAY = 1_440
# Later than everything, and an exact integer in JavaScript.
FAR = 9_000_000_000_000_000
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


class Moment(NamedTuple):
    """The readings of the phone's clocks. Days use the wall clock, which the user may set. Intervals use the
    monotonic clock,
    which restarts at every boot."""

    wall: int
    boot: int
    uptime: int
    zone: str


def elapsed(now, since):
    """Returns the time between two moments, never negative. Across a boot only the wall clocks can measure it."""
    span = now.uptime - since.uptime if now.boot == since.boot else now.wall - since.wall
    return max(span, 0)


# Days


@lru_cache(maxsize=None)
def day_number(text):
    """Parses 2026-03-02 as a day."""
    return date.fromisoformat(text).toordinal() - 719_163


@lru_cache(maxsize=4096)
def day_text(day):
    return date.fromordinal(day + 719_163).isoformat()


def weekday(day):
    """Returns the weekday; 0 is Monday."""
    return (day + 3) % 7


@lru_cache(maxsize=4096)
def month_number(day):
    found = date.fromordinal(day + 719_163)
    return found.year * 12 + found.month


# Instants


@lru_cache(maxsize=None)
def offset(text):
    """Parses Z or +01:00 as milliseconds."""
    if text == "Z":
        return 0
    parts = [int(part) for part in text[1:].split(":")] + [0]
    seconds = parts[0] * 3600 + parts[1] * 60 + parts[2]
    return (-1000 if text[0] == "-" else 1000) * seconds


def read_instant(text):
    """Parses 2026-03-02T07:00:00.250+01:00 as an instant."""
    wall = day_number(text[:10]) * DAY + int(text[11:13]) * 3_600_000 + int(text[14:16]) * MINUTE
    wall += int(text[17:19]) * 1000
    end = 19
    if text[19] == ".":
        wall += int(text[20:23])
        end = 23
    return wall - offset(text[end:])


def write_instant(instant):
    """Writes an instant in UTC; the bench reads any offset."""
    day, rest = divmod(instant, DAY)
    seconds, milliseconds = divmod(rest, 1000)
    text = f"{day_text(day)}T{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return text + (f".{milliseconds:03}Z" if milliseconds else "Z")


# Zones


class Row(NamedTuple):
    """A stretch of time with one offset."""

    start: int
    end: int
    offset: int
    # The highest wall time before it, and the lowest one after it.
    highest: int
    lowest: int


class Zone:
    """A time zone as a table of offsets, from two years before a day to twenty years after it. An engine starts
    whenever its
    app does, and a longer table takes longer to build. Beyond the table the outermost offsets apply.

    Wall time increases steadily within a row and jumps between rows: forward (a gap, as in spring) or back (a
    fold, as in
    autumn). The highest and lowest wall times around a row make the table invertible.
    """

    def __init__(self, name, around):
        zone = ZoneInfo(name)

        def offset_at(instant):
            found = datetime.fromtimestamp(instant // 1000, zone).utcoffset()
            return found // timedelta(milliseconds=1)

        # No zone has an offset for less than six days, so this step finds all of them.
        begin, end = (around - 2 * 365) * DAY, (around + 20 * 365) * DAY
        starts, offsets = [-FAR], [offset_at(begin)]
        for instant in range(begin + 5 * DAY, end, 5 * DAY):
            if offset_at(instant) == offsets[-1]:
                continue
            low, high = instant - 5 * DAY, instant
            while high - low > 1000:
                middle = (low + high) // 2000 * 1000
                low, high = (middle, high) if offset_at(middle) == offsets[-1] else (low, middle)
            starts.append(high)
            offsets.append(offset_at(instant))
        ends = starts[1:] + [FAR]
        highest, lowest = [-FAR], [FAR]
        for end, shift in zip(ends[:-1], offsets):
            highest.append(max(highest[-1], end + shift - 1))
        for start, shift in zip(starts[:0:-1], offsets[::-1]):
            lowest.insert(0, min(lowest[0], start + shift - 1))
        self.starts = starts
        self.rows = [Row(*row) for row in zip(starts, ends, offsets, highest, lowest)]
        # Dates that lie completely in a gap, such as 30 December 2011 in Samoa.
        self.skipped = {
            day
            for row in self.rows[1:]
            for day in range(row.highest // DAY + 1, (row.start + row.offset) // DAY)
        }
        self.row = self.rows[0]

    def find(self, instant):
        if not self.row.start <= instant < self.row.end:
            self.row = self.rows[bisect_right(self.starts, instant) - 1]
        return self.row

    def wall(self, instant):
        return instant + self.find(instant).offset

    def day(self, instant):
        return self.wall(instant) // DAY

    def hands(self, instant):
        """Returns two wall minutes: the highest shown so far and the lowest to come. They differ only near a fold.
        The first
        determines what has begun, the second what has ended."""
        row = self.find(instant)
        wall = instant + row.offset
        return (max(wall, row.highest) // MINUTE, min(wall, row.lowest) // MINUTE)

    def first(self, wall):
        """Returns when the wall clock first shows a time, or the end of the gap."""
        index = self.index_before(wall)
        while index + 1 < len(self.rows) and self.rows[index + 1].highest < wall:
            index += 1
        return max(self.rows[index].start, wall - self.rows[index].offset)

    def last(self, wall):
        """Returns when the wall clock last shows a time, or the end of the gap."""
        index = self.index_before(wall)
        while self.rows[index].lowest < wall:
            index += 1
        return min(self.rows[index].end, wall - self.rows[index].offset)

    def index_before(self, wall):
        """Returns a row before the wall clock shows a time; offsets are less than a day."""
        return bisect_right(self.starts, wall - DAY) - 1

    def at(self, day, minute):
        """Returns the instant of a minute of a day."""
        return self.first(day * DAY + minute * MINUTE)


# Windows


def in_window(window, hands):
    """Returns whether a half-open daily window is open."""
    start, end = window
    length = (end - start) % MINUTES_A_DAY
    begun = hands[0] - (hands[0] - start) % MINUTES_A_DAY
    return start != end and hands[1] < begun + length


def end_of_window(window, instant, zone):
    """Returns when the window that is open at an instant closes, or None if it is closed."""
    hands = zone.hands(instant)
    if not in_window(window, hands):
        return None
    begun = hands[0] - (hands[0] - window[0]) % MINUTES_A_DAY
    opening = zone.first(begun * MINUTE)
    closing = zone.last((begun + (window[1] - window[0]) % MINUTES_A_DAY) * MINUTE)
    return closing if opening < closing else None


# Recurrences

NEVER, OVER = -(10**9), 10**9
LAST_DAY = day_number("9999-12-31")


@lru_cache(maxsize=None)
def system_recurrence(unit, month, day, minute):
    """Repeating requests have no beginning, and a missing day of a month is the first of the next. In 1600, January
    had all
    days of a month, and the year all days of a year."""
    weekly = unit == "weekly"
    start = day_number(f"1600-{month:02}-{1 if weekly else day:02}")
    return Recurrence(start, [minute], unit, skip="forward", days=[day - 1] if weekly else None)


def next_repeat(pattern, instant, zone):
    """Returns when the system shows a request next after an instant. The pattern is as in a request."""
    if pattern["repeats"] == "span":
        return instant + pattern["repeatSeconds"] * 1000
    parts = [pattern.get(key, 1) for key in ("repeats", "repeatMonth", "repeatDay", "repeatMinute")]
    return system_recurrence(*parts).next(instant + 1, zone)


class Recurrence:
    """Minutes of the day on recurring days, anchored on the first day: a 31st stays a 31st after February."""

    def __init__(self, start, minutes, frequency, interval=1, skip="backward", days=None, week_start=0):
        self.start, self.minutes, self.frequency = start, minutes, frequency
        self.interval, self.skip = interval, skip
        # For monthly recurrences: the n-th day that is one of some weekdays as (n, weekdays), where -1 is the last; the
        # shift in days; the first day that counts; and the number of occurrences.
        self.day_of_month, self.shift, self.not_before, self.count = None, 0, None, None
        # The last day, the days without an occurrence, and the zone if it is not the phone's.
        self.until, self.exceptions, self.zone = OVER, frozenset(), None
        self.anchor = date.fromordinal(start + 719_163)
        # For weekly recurrences: the first day of the first week, the recurring days counted from there, and the
        # number of them
        # before the start.
        into_week = (weekday(start) - week_start) % 7
        self.first_week = start - into_week
        self.days = sorted((day - week_start) % 7 for day in days) if days is not None else [into_week]
        self.passed = sum(day < into_week for day in self.days)
        # Whether there is only one occurrence.
        self.ends = frequency == "once"

    @property
    def is_of_wall(self):
        """Whether the occurrences move with the phone's zone."""
        return self.zone is None

    def next(self, instant, zone, since=None):
        """Returns the first occurrence at or after an instant, or None."""
        zone = self.zone or zone
        # Skipping moves a date by at most three days, and a gap is shorter than two.
        earliest = zone.wall(instant) // DAY - 2
        first, last, on_last = self.range
        index = max(first, self.index_before(min(earliest - 3, LAST_DAY) - self.shift))
        while last is None or index <= last:
            day = self.step(index, zone)
            if day == OVER:
                return None
            if day >= earliest:
                for minute in self.minutes[: on_last if index == last else None]:
                    occurrence = zone.at(day, minute)
                    if occurrence >= instant:
                        return occurrence
            index += 1
        return None

    @cached_property
    def range(self):
        """Returns the first and the last step that count, and the number of minutes on the last one's day."""
        first = 0
        if self.not_before is not None:
            first = self.index_before(self.not_before - 3 - self.shift)
            while self.shifted(first) < self.not_before:
                first += 1
        if self.count is None:
            return first, None, None
        days, rest = divmod(self.count - 1, len(self.minutes))
        last = first
        # Days that do not exist do not count.
        while (day := self.shifted(last)) != OVER and (days > 0 or day == NEVER):
            days -= day != NEVER
            last += 1
        return first, last, rest + 1

    def index_before(self, day):
        """Returns a step such that all earlier steps are before a day."""
        if day <= self.start or self.frequency == "once":
            return 0
        if self.frequency == "daily":
            return (day - self.start) // self.interval
        if self.frequency == "weekly":
            weeks = (day - self.first_week) // (7 * self.interval)
            return max(0, weeks * len(self.days) - self.passed)
        then = date.fromordinal(day + 719_163)
        months = (then.year - self.anchor.year) * 12 + then.month - self.anchor.month
        return months // (12 if self.frequency == "yearly" else 1) // self.interval

    def step(self, index, zone):
        """Returns the day of the n-th step: NEVER if it does not exist and is skipped, OVER after the last."""
        day = self.shifted(index)
        if day in zone.skipped:
            if self.skip == "omit":
                return NEVER
            while day in zone.skipped:
                day += 1 if self.skip == "forward" else -1
        if day > self.until:
            return OVER
        return NEVER if day in self.exceptions else day

    def shifted(self, index):
        day = self.calendar_step(index)
        return day if day in (NEVER, OVER) else day + self.shift

    def calendar_step(self, index):
        if self.frequency == "once":
            return self.start if index == 0 else OVER
        if self.frequency == "daily":
            day = self.start + index * self.interval
        elif self.frequency == "weekly":
            if not self.days:
                return OVER
            week, position = divmod(index + self.passed, len(self.days))
            day = self.first_week + week * 7 * self.interval + self.days[position]
        else:
            return self.month_step(index * self.interval * (12 if self.frequency == "yearly" else 1))
        return day if day <= LAST_DAY else OVER

    def month_step(self, months):
        year, month = divmod(self.anchor.year * 12 + self.anchor.month - 1 + months, 12)
        if year > 9999:
            return OVER
        first = date(year, month + 1, 1).toordinal() - 719_163
        length = (date(year, month + 2, 1) - date(year, month + 1, 1)).days if month < 11 else 31
        if self.day_of_month:
            number, wanted = self.day_of_month
            days = [day for day in range(first, first + length) if weekday(day) in wanted]
            index = number if number < 0 else number - 1
            return days[index] if index < len(days) and days[index] >= self.start else NEVER
        if self.anchor.day <= length:
            return first + self.anchor.day - 1
        if self.skip == "omit":
            return NEVER
        return first + length - (0 if self.skip == "forward" else 1)


class RelativeDays:
    """Minutes of the day on days after the day of a fact, or before it if negative. Callers pass the fact's value and
    day."""

    frequency, is_of_wall = "relative", True

    def __init__(self, fact, days, minutes, yearly, skip):
        self.fact, self.days, self.minutes, self.skip = fact, sorted(days), minutes, skip
        self.unit = "yearly" if yearly else "once"
        self.ends = not yearly

    def recurrences(self, since):
        for shift in self.days:
            recurrence = Recurrence(since[1], self.minutes, self.unit, skip=self.skip)
            recurrence.shift = shift
            yield recurrence

    def next(self, instant, zone, since):
        """Returns the first occurrence at or after an instant, counted from a fact."""
        if since is None:
            return None
        found = [recurrence.next(instant, zone) for recurrence in self.recurrences(since)]
        return min((occurrence for occurrence in found if occurrence is not None), default=None)

    def position(self, occurrence, zone, since):
        """Returns the index of an occurrence's day."""
        for position, recurrence in enumerate(self.recurrences(since)):
            if recurrence.next(occurrence, zone) == occurrence:
                return position
        return None


class RelativeSpans:
    """Times after the instant of a fact, or before it if negative. They do not depend on the zone."""

    frequency, is_of_wall, ends = "relative", False, True

    def __init__(self, fact, spans):
        self.fact, self.spans = fact, sorted(spans)

    def next(self, instant, zone, since):
        """Returns the first occurrence at or after an instant, counted from a fact."""
        times = [since[0] + span for span in self.spans] if since else []
        return next((time for time in times if time >= instant), None)

    def position(self, occurrence, zone, since):
        """Returns the index of an occurrence's time."""
        spans = [position for position, span in enumerate(self.spans) if since[0] + span == occurrence]
        return spans[0] if spans else None
