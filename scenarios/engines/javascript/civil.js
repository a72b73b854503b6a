"use strict";
// Civil time: instants, zones, days, daily windows and recurrences.
//
// An *instant* is a number of milliseconds since 1970 in UTC, as the phone's wall clock shows it. A *day* is
// a number of days since 1970-01-01 in local time. *Wall time* is what a clock on the wall shows, in
// milliseconds since 1970-01-01T00:00 there: an instant plus the zone's offset.

const MINUTE = 60_000;
const DAY = 86_400_000;
const MINUTES_A_DAY = 1_440;
// Later than everything, and still an exact integer.
const FAR = 9_000_000_000_000_000;
const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

const quotient = (a, b) => Math.floor(a / b);
const remainder = (a, b) => a - b * Math.floor(a / b);

// A moment is what the phone's clocks read: {wall, boot, uptime, zone}. Days go by the wall clock, which its
// user may set; intervals go by the monotonic one, which begins anew at every boot.

/** The time between two moments, never negative: across a boot only the wall clocks can say. */
function elapsed(now, since) {
  const span = now.boot === since.boot ? now.uptime - since.uptime : now.wall - since.wall;
  return Math.max(span, 0);
}

const isSameMoment = (a, b) =>
  a?.wall === b.wall && a.boot === b.boot && a.uptime === b.uptime && a.zone === b.zone;

// Days

/** The results of a function of one text or number, kept. */
function remembering(read) {
  const results = new Map();
  return (key) => {
    let result = results.get(key);
    if (result === undefined) results.set(key, (result = read(key)));
    return result;
  };
}

/** 2026-03-02 as a day. */
const dayNumber = remembering((text) => {
  const [year, month, day] = text.split("-").map(Number);
  return Date.UTC(year, month - 1, day) / DAY;
});

const dayText = remembering((day) => new Date(day * DAY).toISOString().slice(0, 10));

/** 0 is Monday. */
const weekday = (day) => remainder(day + 3, 7);

function monthNumber(day) {
  const date = new Date(day * DAY);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

// Instants

/** Z or +01:00 in milliseconds. */
const offset = remembering((text) => {
  if (text === "Z") return 0;
  const [hours, minutes, seconds = 0] = text.slice(1).split(":").map(Number);
  return (text[0] === "-" ? -1000 : 1000) * (hours * 3600 + minutes * 60 + seconds);
});

/** 2026-03-02T07:00:00.250+01:00 as an instant. */
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

/** In UTC: the bench reads any offset. */
const writeInstant = (instant) => new Date(instant).toISOString().replace(".000Z", "Z");

// Zones

/**
 * A time zone as a table of offsets, from two years before a day to twenty after it: an engine starts
 * whenever its app does, and a longer table takes longer to make. Beyond it the outermost offsets hold.
 *
 * The wall climbs steadily within a row of the table, and jumps between rows: forward (a gap, as in spring)
 * or back (a fold, as in autumn). The highest and the lowest wall time around a row make it invertible.
 */
class Zone {
  constructor(name, around) {
    const format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
    const offsetAt = (instant) => {
      const text = format.format(instant).split("GMT")[1];
      return text ? offset(text) : 0;
    };
    // No zone keeps an offset for less than six days, so none hides between two looks.
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
      // The highest wall time shown before, and the lowest still to be shown afterwards.
      const highest = Math.max(last.highest, high + last.offset - 1);
      rows.push({ start: high, end: FAR, offset: offsetAt(instant), highest, lowest: FAR });
    }
    for (let index = rows.length - 2; index >= 0; index--) {
      const next = rows[index + 1];
      rows[index].lowest = Math.min(next.lowest, next.start + next.offset - 1);
    }
    this.rows = rows;
    this.row = rows[0];
    // Dates that lie in a gap as a whole, such as 30 December 2011 in Samoa.
    this.skipped = new Set();
    for (const row of rows.slice(1)) {
      const end = quotient(row.start + row.offset, DAY);
      for (let day = quotient(row.highest, DAY) + 1; day < end; day++) this.skipped.add(day);
    }
  }

  /** The index of the row that holds an instant. */
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
   * Two minutes on the wall: the highest shown so far and the lowest still to come. They differ near a fold
   * only, where the first says what has begun and the second what has ended.
   */
  hands(instant) {
    const row = this.find(instant);
    const wall = instant + row.offset;
    return [quotient(Math.max(wall, row.highest), MINUTE), quotient(Math.min(wall, row.lowest), MINUTE)];
  }

  /** When the wall first shows a time; in a gap the gap's end. */
  first(wall) {
    // Offsets are less than a day.
    let index = this.indexOf(wall - DAY);
    while (index + 1 < this.rows.length && this.rows[index + 1].highest < wall) index++;
    return Math.max(this.rows[index].start, wall - this.rows[index].offset);
  }

  /** When the wall last shows a time; in a gap the gap's end. */
  last(wall) {
    let index = this.indexOf(wall - DAY);
    while (this.rows[index].lowest < wall) index++;
    return Math.min(this.rows[index].end, wall - this.rows[index].offset);
  }

  /** The instant of a minute of a day. */
  at(day, minute) {
    return this.first(day * DAY + minute * MINUTE);
  }
}

// Windows

/** Whether a daily window is open: from its start on, up to but not including its end. */
function inWindow([start, end], hands) {
  const length = remainder(end - start, MINUTES_A_DAY);
  const begun = hands[0] - remainder(hands[0] - start, MINUTES_A_DAY);
  return start !== end && hands[1] < begun + length;
}

/** When the window that is open at an instant closes; null when none is. */
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
 * Minutes of the day on days that recur, anchored on the first: a 31st stays a 31st after February. Monthly it may
 * be the n-th of a day of the week, -1 being the last; `shift` days after the day that recurs; from `notBefore` on;
 * and so often as `count` says.
 */
class Recurrence {
  constructor({ start, minutes, frequency, interval = 1, skip = "backward", days = null, ...rest }) {
    const { dayOfMonth = null, shift = 0, notBefore = null, count = null, weekStart = 0 } = rest;
    Object.assign(this, { start, minutes, frequency, interval, skip, dayOfMonth, shift, notBefore, count });
    this.anchor = { month: monthNumber(start), day: new Date(start * DAY).getUTCDate() };
    // Weekly: the day of the first week on which it begins, the days that recur counted from there, and how many of
    // them lie before the start.
    const intoWeek = remainder(weekday(start) - weekStart, 7);
    this.firstWeek = start - intoWeek;
    const recurring = days ? [...days].map((day) => remainder(day - weekStart, 7)) : [intoWeek];
    this.days = recurring.sort((a, b) => a - b);
    this.passed = this.days.filter((day) => day < intoWeek).length;
    // Whether its times are those of the clock on the wall, and whether nothing follows by itself.
    Object.assign(this, { isOfWall: true, ends: frequency === "once" });
    this.range = this.stepsThatCount();
  }

  /** The first and the last step that count, and how many of the minutes come on the last one's day. */
  stepsThatCount() {
    let first = 0;
    if (this.notBefore !== null) {
      first = this.indexBefore(this.notBefore - 3 - this.shift);
      while (this.shifted(first) < this.notBefore) first++;
    }
    if (this.count === null) return { first, last: Infinity, onLast: Infinity };
    let days = quotient(this.count - 1, this.minutes.length);
    let last = first;
    // Days that no calendar has do not count.
    for (let day; (day = this.shifted(last)) !== OVER && (days > 0 || day === NEVER); last++) {
      if (day !== NEVER) days--;
    }
    return { first, last, onLast: remainder(this.count - 1, this.minutes.length) + 1 };
  }

  /** The first occurrence at or after an instant; null when there is none. */
  next(instant, zone) {
    // Skipping moves a date by three days at most, and a gap is shorter than two.
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

  /** A step such that all before it lie before a day. */
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

  /** The day of the n-th step: NEVER when it does not exist and is left out, OVER after the last. */
  step(index, zone) {
    let day = this.shifted(index);
    if (zone.skipped.has(day)) {
      if (this.skip === "omit") return NEVER;
      while (zone.skipped.has(day)) day += this.skip === "forward" ? 1 : -1;
    }
    return day;
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
      let day = first + remainder(wanted - weekday(first), 7);
      day += number < 0 ? 7 * quotient(first + length - 1 - day, 7) : 7 * (number - 1);
      return this.start <= day && day < first + length ? day : NEVER;
    }
    if (this.anchor.day <= length) return first + this.anchor.day - 1;
    if (this.skip === "omit") return NEVER;
    return first + length - (this.skip === "forward" ? 0 : 1);
  }
}

/**
 * Minutes of the day on some days after the day of a fact, or before it where they are negative. It is told what the
 * fact is worth, and its day.
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

  /** The first occurrence at or after an instant, counted from a fact; null when there is none. */
  next(instant, zone, since) {
    if (since === null) return null;
    const found = this.days.map((shift) => this.recurrence(since, shift).next(instant, zone));
    const known = found.filter((occurrence) => occurrence !== null);
    return known.length > 0 ? Math.min(...known) : null;
  }

  /** Which of its days an occurrence belongs to; -1 when it is none. */
  position(occurrence, zone, since) {
    return this.days.findIndex((shift) => this.recurrence(since, shift).next(occurrence, zone) === occurrence);
  }
}

/**
 * Lengths of time after the instant that a fact holds, or before it where they are negative: the same wherever the
 * phone is.
 */
class RelativeSpans {
  constructor({ fact, spans }) {
    Object.assign(this, { fact, isOfWall: false, ends: true });
    this.spans = [...spans].sort((a, b) => a - b);
  }

  /** The first occurrence at or after an instant, counted from a fact; null when there is none. */
  next(instant, zone, since) {
    const times = since === null ? [] : this.spans.map((span) => since.value + span);
    return times.find((time) => time >= instant) ?? null;
  }

  /** Which of its lengths an occurrence belongs to; -1 when it is none. */
  position(occurrence, zone, since) {
    return this.spans.findIndex((span) => since.value + span === occurrence);
  }
}

/** What the system repeats has always been, and a day that a month does not have is the first of the next. */
const systemRecurrence = remembering((parts) => {
  const [frequency, month, day, minute] = JSON.parse(parts);
  const isWeekly = frequency === "weekly";
  // In 1600 January had every day of a month, and the year every day of a year.
  const start = Date.UTC(1600, month - 1, isWeekly ? 1 : day) / DAY;
  const days = isWeekly ? [day - 1] : null;
  return new Recurrence({ start, minutes: [minute], frequency, skip: "forward", days });
});

/** When the system shows a request next after an instant. The pattern is as a request carries it. */
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
