"use strict";
// The state of a reminder, and the wishes that result from it.
//
// Wishes are requests for the cap scheduler, and effects.

const { FAR, MINUTE } = require("./civil.js");

// Conditions on states that a process finds when it starts.
const OF_STATE = ["region", "charging"];

// A turn is a match that counts for a day: {day, occurrence, at, own}, where `at` is the delivery time and `own` that
// of the match. `at` is null when
// the
// match can no longer come to nothing, and when `ahead` has it. `shown` is the last shown request, `ahead` the
// scheduled
// occurrences, `lapse` the stages that were planned for the time without the app, and `standing` the repeating
// requests:
// {occurrence, pattern, first}, where `first` is the first time, or -FAR once the app knows that it was shown.
// `leftOut`
// is the occurrence without room, and `failed` the times of requests that the system refused and that are to be made
// again.
const fresh = () => ({
  // Whether the next initial enter is an arrival although the app knows that the phone is there: it was created or
  // edited there, or the app has just begun to monitor the place.
  expectsEnter: false,
  occurrences: 0,
  turns: [],
  edit: null,
  expired: false,
  // The end of a snooze; its request {occurrence, copy, standsFor}, where `standsFor` is when the snoozed occurrence
  // is due,
  // or -FAR if it was due before; and its request {occurrence, copy, at} if quiet hours deferred it, where `at` is
  // the time
  // for which the system has it. The person asked for it, so no condition ends it.
  snoozedUntil: null,
  // The clocks for which `snoozedUntil` is the end, if the person chose a length of time: [boot, wall at boot].
  snoozeClocks: null,
  askedAgain: null,
  deferredSnooze: null,
  shown: null,
  wake: null,
  // The occurrences for which the app was woken, as ranges of consecutive ones: [first, last].
  served: [],
  ahead: null,
  lapse: null,
  standing: null,
  leftOut: null,
  failed: [],
  failedSnooze: false,
  // Deferred requests that were withdrawn and are made again if the reason ends before quiet hours do: {day, copy,
  // release,
  // isForbidden}, which are the day it counts for, its text, the end of quiet hours, and whether notifications were
  // forbidden instead of a condition failing.
  withdrawn: [],
  // The value of the fact from which the schedule counts, and its day.
  countedFrom: null,
});

/** A reminder and its state. */
class Reminder {
  /** The time after its due time at which a pending request may still be shown; 0 unless alarms may be late. */
  lateness = 0;
  // What fell due at one instant and may have been lost, and the request of a wake-up that is undecided. Not stored.
  missed = { at: null };
  undecided = null;

  constructor(plan, edits) {
    this.name = plan.reminder;
    this.own = plan;
    this.edits = edits;
    // A reminder that is created later does not exist at first, as if it had been cancelled.
    this.start = () => ({ ...fresh(), cancelled: plan.madeLater });
    this.remember({});
  }

  get plans() {
    return [this.own, ...Object.values(this.edits)];
  }

  remember(stored) {
    Object.assign(this, this.start(), stored);
    // The declaration in force; an app update may have removed an edit.
    this.plan = this.edits[this.edit] || this.own;
  }

  /** Returns the parts of the state that differ from the initial state. */
  remembered() {
    const start = this.start();
    const changed = Object.keys(start).filter((key) =>
      Array.isArray(start[key]) ? this[key].length > 0 : this[key] !== start[key],
    );
    return Object.fromEntries(changed.map((key) => [key, this[key]]));
  }

  get isSnoozed() {
    return this.snoozedUntil !== null;
  }

  /**
   * Returns what fell due at this instant: occurrences that count as delivered, the request of a snooze that ended,
   * and the request that was made for a lost one, with the due time of that one.
   */
  missedAt({ wall }) {
    if (this.missed.at !== wall) this.missed = { at: wall, occurrences: [], snooze: null, replacement: null };
    return this.missed;
  }

  isDecided(occurrence) {
    if (this.undecided === occurrence) this.undecided = null;
  }

  isDeferredSnooze(occurrence) {
    return this.deferredSnooze?.occurrence === occurrence;
  }

  /** Returns the time up to which requests have been shown even if the app has not observed it. */
  passed(now) {
    return now.wall - this.lateness;
  }

  /**
   * Returns the request of an ended snooze that is still pending because quiet hours deferred it or its alarm is
   * late.
   */
  openDeferredSnooze(after) {
    const { occurrence, copy, at } = this.deferredSnooze ?? { at: -FAR };
    return at > after ? { occurrence, copy, standsFor: -FAR } : null;
  }

  /** Drops a match as if it had not happened. */
  forgetTurn(occurrence, now) {
    this.turns = this.turns.filter((turn) => turn.occurrence !== occurrence);
    this.waitAgain(now);
  }

  /** An expired reminder does not wait again even if the clock is set back, until something is evaluated again.  */
  waitAgain(now) {
    if (!this.cancelled && !this.isSnoozed) this.expired = this.plan.expires <= now.wall;
  }

  endSnooze(now) {
    this.failedSnooze &&= this.openDeferredSnooze(now.wall) !== null;
    Object.assign(this, { snoozedUntil: null, askedAgain: null, snoozeClocks: null });
    if (this.ahead) this.ahead.snoozed = [];
    this.waitAgain(now);
  }

  /** Returns the turn of a request that may still come to nothing, except scheduled occurrences. */
  openTurn(occurrence) {
    return this.turns.find((turn) => turn.occurrence === occurrence && turn.at !== null);
  }

  /** Returns the text of the n-th request; later ones have the last text. */
  copy(stage) {
    return Math.min(stage, this.plan.copies - 1, 255);
  }

  /** A request was shown. One that this installation does not know is not its own. */
  wasShown(occurrence) {
    if (occurrence < this.occurrences) this.shown = occurrence;
  }

  forgetTurnsAfter(now) {
    for (const { occurrence } of openAfter(this, this.passed(now))) this.forgetTurn(occurrence, now);
  }
}

// Scheduled occurrences: {occurrence, at, deliveredAt}, where `deliveredAt` is when it counts as delivered

const pendingOf = ({ ahead }) => ahead?.pending ?? [];
const pendingEntry = (reminder, number) => pendingOf(reminder).find(({ occurrence }) => occurrence === number);

/**
 * Marks everything up to now as due. The app observes later whether the system has shown it: a journey may have moved
 * it, an alarm may be late, or the stored state may be old.
 */
function deliver(reminder, now) {
  const { ahead } = reminder;
  if (!ahead) return;
  const isPast = ({ deliveredAt }) => deliveredAt <= reminder.passed(now);
  reminder.missedAt(now).occurrences.push(...ahead.pending.filter(isPast));
  ahead.pending = ahead.pending.filter((entry) => !isPast(entry));
}

/** Drops scheduled occurrences as if they had not been requested. */
function takeOut(reminder, entries, now) {
  const { ahead } = reminder;
  if (ahead) ahead.pending = ahead.pending.filter((entry) => !entries.includes(entry));
  for (const { occurrence } of entries) reminder.forgetTurn(occurrence, now);
}

/** The person cancelled pending requests and those without room. The schedule continues after them. */
function takeBackAll(reminder, now) {
  deliver(reminder, now);
  const { ahead, leftOut } = reminder;
  reminder.leftOut = null;
  if (!ahead) return;
  ahead.lookedTo = Math.max(lookedToOf(reminder), leftOut ?? -FAR, ...ahead.pending.map(({ at }) => at));
  ahead.takenBackTo = ahead.lookedTo;
  reminder.failed = [];
  takeOut(reminder, ahead.pending, now);
}

/** Returns the last occurrence that was evaluated or is to be requested again. */
function lookedToOf({ ahead, failed }) {
  return Math.max(ahead.lookedTo, ...failed);
}

/**
 * Nothing was evaluated. `lostToLapse`: a cap of the current lapse denied some. `snoozed`: the ones that a snooze
 * removed, like those that are pending.
 */
const freshAhead = () => ({
  pending: [], snoozed: [], lookedTo: -FAR, takenBackTo: -FAR, lostTo: -FAR, wish: false, lostToLapse: false,
});

/** Evaluates all occurrences that are not pending again. */
function lookAgain(ahead) {
  Object.assign(ahead, { lostTo: -FAR, lostToLapse: false });
  lookAgainAfterLosses(ahead);
}

/** Evaluates occurrences that are not pending again, but not lost ones or earlier ones. */
function lookAgainAfterLosses(ahead) {
  ahead.lookedTo = Math.max(ahead.takenBackTo, ahead.lostTo);
}

/** A request is delivered later than its time. */
function keepTurn(reminder, occurrence, delivery) {
  const turn = reminder.openTurn(occurrence);
  const entry = pendingEntry(reminder, occurrence);
  if (turn) turn.at = delivery;
  if (entry) entry.deliveredAt = delivery + MINUTE;
}

/** Returns the turns that are delivered later, the latest request first. */
function openAfter(reminder, wall) {
  const turns = reminder.turns.filter(({ at }) => at !== null && at > wall);
  return turns.sort((one, other) => other.occurrence - one.occurrence);
}

/** Returns the turns of requests that the system has for a later time, in order. */
const putOffTurns = (reminder, now) => openAfter(reminder, now.wall).reverse().filter(({ at }) => at !== FAR);

/** The person or the app cancelled the deferred request. It is not shown, and its turn is used. */
function endPutOff(reminder, now) {
  for (const turn of putOffTurns(reminder, now)) turn.at = null;
  reminder.withdrawn = [];
}

// Repeating requests

const isSpan = (pattern) => pattern?.repeats === "span";
const isSamePattern = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Requests a wake-up for an occurrence that the system will not show, or cancels it. */
function wishToRepeat(reminder, at, wishes) {
  const { standing } = reminder;
  if (standing.wish !== FAR || at !== FAR) wishes.push(wake(reminder, at === FAR ? null : at));
  standing.wish = at;
}

/** The person cancelled pending requests: nothing is repeated until the app is opened again. */
function takeBackRepeats(reminder, wishes) {
  const { standing } = reminder;
  if (!standing) return;
  for (const { occurrence } of standing.entries) wishes.push(remove(reminder, occurrence, "cancelled"));
  Object.assign(standing, { entries: [], takenBack: true });
  wishToRepeat(reminder, FAR, wishes);
}

// Declarations

/** Returns whether the reminder is scheduled ahead. */
const handsOver = (plan) => plan.ahead > 0 || plan.lapse || plan.patterns.length > 0;

/** Returns whether the value of a fact determines scheduled occurrences. */
const foresees = (plan, fact) =>
  handsOver(plan) && (plan.conditionFacts.has(fact) || plan.withdrawalFacts.has(fact));

/** Returns whether charging or places determine them. */
const foreseesState = (plan) => handsOver(plan) && plan.conditions.some(({ kind }) => OF_STATE.includes(kind));

/** Returns the fact from which a schedule counts, or undefined if the calendar determines its days. */
const countsFrom = ({ schedule }) => schedule?.fact;

/** Returns whether its times are wall times, which a journey moves. */
const isOfWall = ({ schedule }) => schedule?.isOfWall ?? true;

const inOrder = (numbers) => numbers.sort((one, other) => one - other);

// Wishes

const monitor = (region) => ({ event: "monitor", region });

const noRequest = ({ name }, { reason, failed }) => ({ event: "noRequest", reminder: name, reason, failed });
const withdraw = ({ name }, reason) => ({ event: "withdraw", reminder: name, reason });
const remove = ({ name }, occurrence, reason) => ({ event: "remove", reminder: name, occurrence, reason });
const wake = ({ name }, at) => ({ event: "wake", reminder: name, at });

module.exports = {
  Reminder, countsFrom, deliver, endPutOff, foresees, foreseesState, freshAhead, inOrder, isOfWall, isSamePattern,
  handsOver, isSpan, keepTurn, lookAgain, lookAgainAfterLosses, lookedToOf, monitor, noRequest, openAfter,
  pendingEntry, pendingOf, putOffTurns, remove, takeBackAll, takeBackRepeats, takeOut, wake, wishToRepeat, withdraw,
};
