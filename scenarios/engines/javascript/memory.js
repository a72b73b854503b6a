"use strict";
// What is remembered of a reminder, and what is asked for because of it.
//
// Wishes are requests for the cap scheduler, and effects.

const { FAR, MINUTE } = require("./civil.js");

// Conditions on what a process finds out when it begins.
const OF_STATE = ["region", "charging"];

// A turn is a match that counts for a day: {day, occurrence, at}, `at` being when it is delivered; null once it is
// not asked any more whether it comes to nothing, and where `ahead` says it. `shown` is the request shown last,
// `ahead` what was handed over of a schedule, `lapse` which stages were planned for the time without the app,
// `standing` what the system was asked to repeat: {occurrence, pattern, first}, its first time being -FAR once the
// app knows that it has come, `leftOut` the occurrence for which there was no room, `failed` the times of what the
// system did not take and is to be asked for again.
const fresh = () => ({
  occurrences: 0,
  turns: [],
  edit: null,
  expired: false,
  // Until when it is put off, and what was asked for then: {occurrence, copy, standsFor}, when that which it stands for
  // is due by itself, -FAR where that was due before; and {occurrence, copy, at}, the time at which the system has it,
  // where quiet hours put it off: the person asked for it, and no condition ends it.
  snoozedUntil: null,
  askedAgain: null,
  deferredSnooze: null,
  shown: null,
  wake: null,
  ahead: null,
  lapse: null,
  standing: null,
  leftOut: null,
  failed: [],
  failedSnooze: false,
  // What quiet hours had put off when it was taken away, and which comes again if what took it away is over before they
  // end: {day, copy, release, isForbidden}: the day that it counts for, its text, their end, whether notifications were
  // forbidden, and not its reason gone.
  withdrawn: [],
  // The value of the fact from which its schedule counts, and the day of it.
  countedFrom: null,
});

/** A reminder and what is remembered of it. */
class Reminder {
  /** How long after its time what the system has may still come: not at all, unless alarms may be late. */
  lateness = 0;

  constructor(plan, edits) {
    this.name = plan.reminder;
    this.own = plan;
    this.edits = edits;
    // One that is made later is not there at first, as if it had been taken back.
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

  /** Only what is not as at the start. */
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

  isDeferredSnooze(occurrence) {
    return this.deferredSnooze?.occurrence === occurrence;
  }

  /** What is due up to then has come, though nobody has told the app. */
  passed(now) {
    return now.wall - this.lateness;
  }

  /** What a snooze that has ended asked for, and is still to come: quiet hours keep it back, or its alarm is late. */
  openDeferredSnooze(after) {
    const { occurrence, copy, at } = this.deferredSnooze ?? { at: -FAR };
    return at > after ? { occurrence, copy, standsFor: -FAR } : null;
  }

  /** A match is as if it had not been. */
  forgetTurn(occurrence, now) {
    this.turns = this.turns.filter((turn) => turn.occurrence !== occurrence);
    this.waitAgain(now);
  }

  /** What has expired waits no longer, though the clock be set back, until something is looked at anew. */
  waitAgain(now) {
    if (!this.cancelled && !this.isSnoozed) this.expired = this.plan.expires <= now.wall;
  }

  endSnooze(now) {
    this.failedSnooze &&= this.openDeferredSnooze(now.wall) !== null;
    Object.assign(this, { snoozedUntil: null, askedAgain: null });
    if (this.ahead) this.ahead.snoozed = [];
    this.waitAgain(now);
  }

  /** The turn of a request that may still come to nothing; occurrences handed over apart. */
  openTurn(occurrence) {
    return this.turns.find((turn) => turn.occurrence === occurrence && turn.at !== null);
  }

  /** Which text the n-th shows: later ones the last. */
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

// What was handed over of a schedule: {occurrence, at, deliveredAt}, from when on it counts as delivered

const pendingOf = ({ ahead }) => ahead?.pending ?? [];
const pendingEntry = (reminder, number) => pendingOf(reminder).find(({ occurrence }) => occurrence === number);

/**
 * The time of everything up to now has come. Whether the system has shown it the app learns when it is told: a
 * journey may have moved it, an alarm may be late, a store may be an old one.
 */
function deliver(reminder, now) {
  const { ahead } = reminder;
  if (ahead) ahead.pending = ahead.pending.filter(({ deliveredAt }) => deliveredAt > reminder.passed(now));
}

/** Occurrences that were handed over are as if they had not been. */
function takeOut(reminder, entries, now) {
  const { ahead } = reminder;
  if (ahead) ahead.pending = ahead.pending.filter((entry) => !entries.includes(entry));
  for (const { occurrence } of entries) reminder.forgetTurn(occurrence, now);
}

/** The person took back what is pending, and what there was no room for: the schedule goes on after it. */
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

/** The last occurrence that was looked at, or is to be asked for again. */
function lookedToOf({ ahead, failed }) {
  return Math.max(ahead.lookedTo, ...failed);
}

/**
 * Nothing was looked at. `lostToLapse`: some were denied by a cap of the present lapse; `snoozed`: what a snooze took
 * back, as those that are pending.
 */
const freshAhead = () => ({
  pending: [], snoozed: [], lookedTo: -FAR, takenBackTo: -FAR, lostTo: -FAR, wish: false, lostToLapse: false,
});

/** Looks again at all that is not pending. */
function lookAgain(ahead) {
  Object.assign(ahead, { lostTo: -FAR, lostToLapse: false });
  lookAgainAfterLosses(ahead);
}

/** Looks again at all that is not pending, but not at what was lost or before it. */
function lookAgainAfterLosses(ahead) {
  ahead.lookedTo = Math.max(ahead.takenBackTo, ahead.lostTo);
}

/** A request comes later than its time. */
function keepTurn(reminder, occurrence, delivery) {
  const turn = reminder.openTurn(occurrence);
  const entry = pendingEntry(reminder, occurrence);
  if (turn) turn.at = delivery;
  if (entry) entry.deliveredAt = delivery + MINUTE;
}

/** The turns of what is delivered later, the latest request first. */
function openAfter(reminder, wall) {
  const turns = reminder.turns.filter(({ at }) => at !== null && at > wall);
  return turns.sort((one, other) => other.occurrence - one.occurrence);
}

/** The turns of what the system has for a later time, in order. */
const putOffTurns = (reminder, now) => openAfter(reminder, now.wall).reverse().filter(({ at }) => at !== FAR);

/** The person or the app itself has taken back what is put off: it comes no more, and has had its turn. */
function endPutOff(reminder, now) {
  for (const turn of putOffTurns(reminder, now)) turn.at = null;
  reminder.withdrawn = [];
}

// What the system repeats

const isSpan = (pattern) => pattern?.repeats === "span";
const isSamePattern = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Asks to be woken at what the system will not show; otherwise takes that back. */
function wishToRepeat(reminder, at, wishes) {
  const { standing } = reminder;
  if (standing.wish !== FAR || at !== FAR) wishes.push(wake(reminder, at === FAR ? null : at));
  standing.wish = at;
}

/** The person took back what is pending: nothing is repeated until the app is opened again. */
function takeBackRepeats(reminder, wishes) {
  const { standing } = reminder;
  if (!standing) return;
  for (const { occurrence } of standing.entries) wishes.push(remove(reminder, occurrence, "cancelled"));
  Object.assign(standing, { entries: [], takenBack: true });
  wishToRepeat(reminder, FAR, wishes);
}

// Declarations

/** Whether it asks for notifications before their time. */
const handsOver = (plan) => plan.ahead > 0 || plan.lapse || plan.patterns.length > 0;

/** Whether the value of a fact decides what it hands over. */
const foresees = (plan, fact) =>
  handsOver(plan) && (plan.conditionFacts.has(fact) || plan.withdrawalFacts.has(fact));

/** Whether charger or place do. */
const foreseesState = (plan) => handsOver(plan) && plan.conditions.some(({ kind }) => OF_STATE.includes(kind));

/** The fact from which a schedule counts; nothing where the calendar says its days. */
const countsFrom = ({ schedule }) => schedule?.fact;

/** Whether its times are those of the clock on the wall, which a journey moves. */
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
  isSpan, keepTurn, lookAgain, lookAgainAfterLosses, lookedToOf, monitor, noRequest, openAfter,
  pendingEntry, pendingOf, putOffTurns, remove, takeBackAll, takeBackRepeats, takeOut, wake, wishToRepeat, withdraw,
};
