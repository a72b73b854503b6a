"use strict";
// Civil time: instants, zones, days, daily windows and recurrences.
//
// An *instant* is a number of milliseconds since 1970 in UTC by the phone's wall clock. A *day* is a number of days
// since
// 1970-01-01 in local time. *Wall time* is local time in milliseconds since 1970-01-01T00:00: an instant plus the
// zone's
// offset.

const MINUTE = 60_000;
const DAY = 86_400_000;
const MINUTES_A_DAY = 1_440;
// Later than everything, and an exact integer.
const FAR = 9_000_000_000_000_000;
const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

const quotient = (a, b) => Math.floor(a / b);
const remainder = (a, b) => a - b * Math.floor(a / b);

// A moment has the readings of the phone's clocks: {wall, boot, uptime, zone}. Days use the wall clock, which the
// user
// may set. Intervals use the monotonic clock, which restarts at every boot.

/** Returns the time between two moments, never negative. Across a boot only the wall clocks can measure it. */
function elapsed(now, since) {
  const span = now.boot === since.boot ? now.uptime - since.uptime : now.wall - since.wall;
  return Math.max(span, 0);
}

const isSameMoment = (a, b) =>
  a?.wall === b.wall && a.boot === b.boot && a.uptime === b.uptime && a.zone === b.zone;

// Days

/** Caches the results of a function of one text or number. */
function remembering(read) {
  const results = new Map();
  return (key) => {
    let result = results.get(key);
    if (result === undefined) results.set(key, (result = read(key)));
    return result;
  };
}

/** Parses 2026-03-02 as a day. */
const dayNumber = remembering((text) => {
  const [year, month, day] = text.split("-").map(Number);
  return Date.UTC(year, month - 1, day) / DAY;
});

const dayText = remembering((day) => new Date(day * DAY).toISOString().slice(0, 10));

/** Returns the weekday; 0 is Monday. */
const weekday = (day) => remainder(day + 3, 7);

function monthNumber(day) {
  const date = new Date(day * DAY);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

// Instants

/** Parses Z or +01:00 as milliseconds. */
const offset = remembering((text) => {
  if (text === "Z") return 0;
  const [hours, minutes, seconds = 0] = text.slice(1).split(":").map(Number);
  return (text[0] === "-" ? -1000 : 1000) * (hours * 3600 + minutes * 60 + seconds);
});

/** Parses 2026-03-02T07:00:00.250+01:00 as an instant. */
function readInstant(text) {
  let wall = dayNumber(text.slice(0, 10)) * DAY + Number(text.slice(11, 13)) * 3_600_000;
  wall += Number(text.slice(14, 16)) * MINUTE + Number(text.slice(17, 19)) * 1000;
  let end = 19;
  if (text[19] === ".") {
    wall += Number(text.slice(20, 23));
    end = 23;
  }
  return wall - offset(text.slice(end));
}

/** Writes an instant in UTC; the bench reads any offset. */
const writeInstant = (instant) => new Date(instant).toISOString().replace(".000Z", "Z");

// Zones

/**
 * A time zone as a table of offsets, from two years before a day to twenty years after it. An engine starts
 * whenever its
 * app does, and a longer table takes longer to build. Beyond the table the outermost offsets apply.
 *
 * Wall time increases steadily within a row and jumps between rows: forward (a gap, as in spring) or back (a
 * fold, as in
 * autumn). The highest and lowest wall times around a row make the table invertible.
 */
class Zone {
  constructor(name, around) {
    const format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
    const offsetAt = (instant) => {
      const text = format.format(instant).split("GMT")[1];
      return text ? offset(text) : 0;
    };
    // No zone has an offset for less than six days, so this step finds all of them.
    const [begin, end] = [(around - 2 * 365) * DAY, (around + 20 * 365) * DAY];
    const rows = [{ start: -FAR, end: FAR, offset: offsetAt(begin), highest: -FAR, lowest: FAR }];
    for (let instant = begin + 5 * DAY; instant < end; instant += 5 * DAY) {
      const last = rows[rows.length - 1];
      if (offsetAt(instant) === last.offset) continue;
      let [low, high] = [instant - 5 * DAY, instant];
      while (high - low > 1000) {
        const middle = quotient(low + high, 2000) * 1000;
        if (offsetAt(middle) === last.offset) low = middle;
        else high = middle;
      }
      last.end = high;
      // The highest wall time before it, and the lowest one after it.
      const highest = Math.max(last.highest, high + last.offset - 1);
      rows.push({ start: high, end: FAR, offset: offsetAt(instant), highest, lowest: FAR });
    }
    for (let index = rows.length - 2; index >= 0; index--) {
      const next = rows[index + 1];
      rows[index].lowest = Math.min(next.lowest, next.start + next.offset - 1);
    }
    this.rows = rows;
    this.row = rows[0];
    // Dates that lie completely in a gap, such as 30 December 2011 in Samoa.
    this.skipped = new Set();
    for (const row of rows.slice(1)) {
      const end = quotient(row.start + row.offset, DAY);
      for (let day = quotient(row.highest, DAY) + 1; day < end; day++) this.skipped.add(day);
    }
  }

  /** Returns the index of the row with an instant. */
  indexOf(instant) {
    let [low, high] = [0, this.rows.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.rows[middle].start <= instant) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  find(instant) {
    if (!(this.row.start <= instant && instant < this.row.end)) this.row = this.rows[this.indexOf(instant)];
    return this.row;
  }

  wall(instant) {
    return instant + this.find(instant).offset;
  }

  day(instant) {
    return quotient(this.wall(instant), DAY);
  }

  /**
   * Returns two wall minutes: the highest shown so far and the lowest to come. They differ only near a fold. The
   * first determines what has begun, the second what has ended.
   */
  hands(instant) {
    const row = this.find(instant);
    const wall = instant + row.offset;
    return [quotient(Math.max(wall, row.highest), MINUTE), quotient(Math.min(wall, row.lowest), MINUTE)];
  }

  /** Returns when the wall clock first shows a time, or the end of the gap. */
  first(wall) {
    // Offsets are less than a day.
    let index = this.indexOf(wall - DAY);
    while (index + 1 < this.rows.length && this.rows[index + 1].highest < wall) index++;
    return Math.max(this.rows[index].start, wall - this.rows[index].offset);
  }

  /** Returns when the wall clock last shows a time, or the end of the gap. */
  last(wall) {
    let index = this.indexOf(wall - DAY);
    while (this.rows[index].lowest < wall) index++;
    return Math.min(this.rows[index].end, wall - this.rows[index].offset);
  }

  /** Returns the instant of a minute of a day. */
  at(day, minute) {
    return this.first(day * DAY + minute * MINUTE);
  }
}

// Windows

/** Returns whether a half-open daily window is open. */
function inWindow([start, end], hands) {
  const length = remainder(end - start, MINUTES_A_DAY);
  const begun = hands[0] - remainder(hands[0] - start, MINUTES_A_DAY);
  return start !== end && hands[1] < begun + length;
}

/** Returns when the window that is open at an instant closes, or null if it is closed. */
function endOfWindow(window, instant, zone) {
  const hands = zone.hands(instant);
  if (!inWindow(window, hands)) return null;
  const begun = hands[0] - remainder(hands[0] - window[0], MINUTES_A_DAY);
  const opening = zone.first(begun * MINUTE);
  const closing = zone.last((begun + remainder(window[1] - window[0], MINUTES_A_DAY)) * MINUTE);
  return opening < closing ? closing : null;
}

// Recurrences

const [NEVER, OVER] = [-1e9, 1e9];
const LAST_DAY = dayNumber("9999-12-31");

/**
 * Minutes of the day on recurring days, anchored on the first day: a 31st stays a 31st after February. A monthly
 * recurrence may be the n-th of the days on some weekdays, where -1 is the last. `shift` is a number of days after the
 * recurring day, `notBefore` the first day that counts, and `count` the number of occurrences. `until` is the last day,
 * `exceptions` are the days without an occurrence, and `zone` is null if it is the phone's.
 */
class Recurrence {
  constructor({ start, minutes, frequency, interval = 1, skip = "backward", days = null, ...rest }) {
    const { dayOfMonth = null, shift = 0, notBefore = null, count = null, weekStart = 0 } = rest;
    const { until = OVER, exceptions = [], zone = null } = rest;
    Object.assign(this, { start, minutes, frequency, interval, skip, dayOfMonth, shift, notBefore, count });
    Object.assign(this, { until, exceptions: new Set(exceptions), zone });
    this.anchor = { month: monthNumber(start), day: new Date(start * DAY).getUTCDate() };
    // For weekly recurrences: the first day of the first week, the recurring days counted from there, and the number
    // of them before the start.
    const intoWeek = remainder(weekday(start) - weekStart, 7);
    this.firstWeek = start - intoWeek;
    const recurring = days ? [...days].map((day) => remainder(day - weekStart, 7)) : [intoWeek];
    this.days = recurring.sort((a, b) => a - b);
    this.passed = this.days.filter((day) => day < intoWeek).length;
    // Whether its times are wall times, and whether there is only one occurrence.
    Object.assign(this, { isOfWall: zone === null, ends: frequency === "once" });
    this.range = this.stepsThatCount();
  }

  /** Returns the first and the last step that count, and the number of minutes on the last one's day. */
  stepsThatCount() {
    let first = 0;
    if (this.notBefore !== null) {
      first = this.indexBefore(this.notBefore - 3 - this.shift);
      while (this.shifted(first) < this.notBefore) first++;
    }
    if (this.count === null) return { first, last: Infinity, onLast: Infinity };
    let days = quotient(this.count - 1, this.minutes.length);
    let last = first;
    // Days that do not exist do not count.
    for (let day; (day = this.shifted(last)) !== OVER && (days > 0 || day === NEVER); last++) {
      if (day !== NEVER) days--;
    }
    return { first, last, onLast: remainder(this.count - 1, this.minutes.length) + 1 };
  }

  /** Returns the first occurrence at or after an instant, or null. */
  next(instant, phoneZone) {
    const zone = this.zone ?? phoneZone;
    // Skipping moves a date by at most three days, and a gap is shorter than two.
    const earliest = zone.day(instant) - 2;
    const { first, last, onLast } = this.range;
    let index = Math.max(first, this.indexBefore(Math.min(earliest - 3, LAST_DAY) - this.shift));
    for (; index <= last; index++) {
      const day = this.step(index, zone);
      if (day === OVER) return null;
      if (day < earliest) continue;
      for (const minute of this.minutes.slice(0, index === last ? onLast : undefined)) {
        const occurrence = zone.at(day, minute);
        if (occurrence >= instant) return occurrence;
      }
    }
    return null;
  }

  /** Returns a step such that all earlier steps are before a day. */
  indexBefore(day) {
    if (day <= this.start || this.frequency === "once") return 0;
    if (this.frequency === "daily") return quotient(day - this.start, this.interval);
    if (this.frequency === "weekly") {
      const weeks = quotient(day - this.firstWeek, 7 * this.interval);
      return Math.max(0, weeks * this.days.length - this.passed);
    }
    const months = monthNumber(day) - this.anchor.month;
    return quotient(quotient(months, this.frequency === "yearly" ? 12 : 1), this.interval);
  }

  /** Returns the day of the n-th step: NEVER if it does not exist and is skipped, OVER after the last. */
  step(index, zone) {
    let day = this.shifted(index);
    if (zone.skipped.has(day)) {
      if (this.skip === "omit") return NEVER;
      while (zone.skipped.has(day)) day += this.skip === "forward" ? 1 : -1;
    }
    if (day > this.until) return OVER;
    return this.exceptions.has(day) ? NEVER : day;
  }

  shifted(index) {
    const day = this.calendarStep(index);
    return day === NEVER || day === OVER ? day : day + this.shift;
  }

  calendarStep(index) {
    let day;
    if (this.frequency === "once") return index === 0 ? this.start : OVER;
    if (this.frequency === "daily") {
      day = this.start + index * this.interval;
    } else if (this.frequency === "weekly") {
      if (this.days.length === 0) return OVER;
      const position = index + this.passed;
      const week = quotient(position, this.days.length);
      day = this.firstWeek + week * 7 * this.interval + this.days[remainder(position, this.days.length)];
    } else {
      return this.monthStep(index * this.interval * (this.frequency === "yearly" ? 12 : 1));
    }
    return day <= LAST_DAY ? day : OVER;
  }

  monthStep(months) {
    const month = this.anchor.month + months;
    const year = quotient(month, 12);
    if (year > 9999) return OVER;
    const first = Date.UTC(year, remainder(month, 12), 1) / DAY;
    const length = Date.UTC(year, remainder(month, 12) + 1, 1) / DAY - first;
    if (this.dayOfMonth) {
      const [number, wanted] = this.dayOfMonth;
      const days = Array.from({ length }, (_, index) => first + index).filter((day) => wanted.has(weekday(day)));
      const day = days.at(number < 0 ? number : number - 1) ?? NEVER;
      return this.start <= day ? day : NEVER;
    }
    if (this.anchor.day <= length) return first + this.anchor.day - 1;
    if (this.skip === "omit") return NEVER;
    return first + length - (this.skip === "forward" ? 0 : 1);
  }
}

/**
 * Minutes of the day on days after the day of a fact, or before it if negative. Callers pass the fact's value and
 * day.
 */
class RelativeDays {
  constructor({ fact, days, minutes, isYearly, skip }) {
    Object.assign(this, { fact, minutes, skip, frequency: isYearly ? "yearly" : "once" });
    Object.assign(this, { isOfWall: true, ends: !isYearly });
    this.days = [...days].sort((a, b) => a - b);
  }

  recurrence(since, shift) {
    const { minutes, frequency, skip } = this;
    return new Recurrence({ start: since.day, minutes, frequency, skip, shift });
  }

  /** Returns the first occurrence at or after an instant, counted from a fact, or null. */
  next(instant, zone, since) {
    if (since === null) return null;
    const found = this.days.map((shift) => this.recurrence(since, shift).next(instant, zone));
    const known = found.filter((occurrence) => occurrence !== null);
    return known.length > 0 ? Math.min(...known) : null;
  }

  /** Returns the index of an occurrence's day, or -1 if it has none. */
  position(occurrence, zone, since) {
    return this.days.findIndex((shift) => this.recurrence(since, shift).next(occurrence, zone) === occurrence);
  }
}

/** Times after the instant of a fact, or before it if negative. They do not depend on the zone. */
class RelativeSpans {
  constructor({ fact, spans }) {
    Object.assign(this, { fact, isOfWall: false, ends: true });
    this.spans = [...spans].sort((a, b) => a - b);
  }

  /** Returns the first occurrence at or after an instant, counted from a fact, or null. */
  next(instant, zone, since) {
    const times = since === null ? [] : this.spans.map((span) => since.value + span);
    return times.find((time) => time >= instant) ?? null;
  }

  /** Returns the index of an occurrence's time, or -1 if it has none. */
  position(occurrence, zone, since) {
    return this.spans.findIndex((span) => since.value + span === occurrence);
  }
}

/** Repeating requests have no beginning, and a missing day of a month is the first of the next. */
const systemRecurrence = remembering((parts) => {
  const [frequency, month, day, minute] = JSON.parse(parts);
  const isWeekly = frequency === "weekly";
  // In 1600, January had all days of a month, and the year all days of a year.
  const start = Date.UTC(1600, month - 1, isWeekly ? 1 : day) / DAY;
  const days = isWeekly ? [day - 1] : null;
  return new Recurrence({ start, minutes: [minute], frequency, skip: "forward", days });
});

/** Returns when the system shows a request next after an instant. The pattern is as in a request. */
function nextRepeat({ repeats, repeatMonth = 1, repeatDay = 1, repeatMinute, repeatSeconds }, instant, zone) {
  if (repeats === "span") return instant + repeatSeconds * 1000;
  const parts = JSON.stringify([repeats, repeatMonth, repeatDay, repeatMinute]);
  return systemRecurrence(parts).next(instant + 1, zone);
}

module.exports = {
  MINUTE, DAY, FAR, WEEKDAYS, quotient, remainder, elapsed, dayNumber, dayText, weekday, monthNumber,
  readInstant, writeInstant, Zone, inWindow, endOfWindow, Recurrence, RelativeDays, RelativeSpans,
  nextRepeat, isSameMoment,
};
