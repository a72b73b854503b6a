"use strict";
// Schedules requests within the system's limit: earlier ones have precedence.
//
// A system with a limit drops further requests of an app without a report.

const { FAR, nextRepeat } = require("./civil.js");
const {
  noRequest, openAfter, pendingEntry, pendingOf, remove, takeOut, wishToRepeat,
} = require("./memory.js");

// Events outside of the app.
const OUTSIDE = new Set([
  "unlock", "lock", "chargingStarted", "chargingStopped", "batteryLevel", "appOpened", "backgrounded",
  "regionEntered", "regionExited", "regionFailed", "located",
]);

// The parts of what is planned together.
const [SCHEDULE, STAGE, REPETITION] = [0, 1, 2];

/** Requests that wait for their turn when room is limited; the earliest is first. */
class Round {
  constructor() {
    // The turns as {at, name, part, number}, and how far schedules were evaluated, by name.
    this.turns = [];
    this.schedules = [];
    this.looks = new Map();
    // The wake-ups for repeating requests, by name.
    this.wishes = new Map();
    // The time from which there is no room, once turns are taken; and the first occurrence without room, by name.
    this.fullFrom = null;
    this.withoutRoom = new Map();
    // The occurrences without room that are tried again, as {at, name}.
    this.tried = [];
    this.triedAgain = [];
  }
}

/** The order of time, then of names, independent of the order of the declarations. */
const byTime = (a, b) => a.at - b.at || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
const byTurn = (a, b) =>
  byTime(a, b) || (a.part ?? 0) - (b.part ?? 0) || (a.number ?? a.occurrence ?? 0) - (b.number ?? b.occurrence ?? 0);
const least = (list) => list.reduce((a, b) => (a && byTurn(a, b) <= 0 ? a : b), null);
const greatest = (list) => list.reduce((a, b) => (a && byTurn(a, b) >= 0 ? a : b), null);

/** Returns whether it was reported that there is no room for an occurrence or an earlier future one. */
const isLeftOut = ({ leftOut }, at, now) => leftOut !== null && now.wall < leftOut && leftOut <= at;

/** The part of the matcher that keeps within the system's limit. */
class Room {
  /** Returns whether more may be planned than there is room for. */
  get isTight() {
    return this.mostPending + this.snoozed.size + this.releases > this.capacity;
  }

  /**
   * Plans within the body are handed over after it, the earliest first, with the occurrences that had no room, as
   * long as
   * there is room.
   */
  inOrderOfTime(now, wishes, body) {
    if (!this.isTight || this.round) {
      body();
      return;
    }
    const plans = new Round();
    this.round = plans;
    body();
    this.beginLooks(now, wishes);
    plans.fullFrom = Infinity;
    for (;;) {
      const first = this.firstLeftOut();
      const turn = least(plans.turns);
      if (first && first.at < plans.fullFrom && (!turn || byTime(first, turn) < 0)) {
        if (!this.mayHaveRoom(first, now)) {
          plans.fullFrom = first.at;
          continue;
        }
        plans.tried.push(first);
        plans.triedAgain.push(first);
        this.tryLeftOut(this.reminders.get(first.name), now, wishes);
        this.beginLooks(now, wishes);
      } else if (turn) {
        plans.turns = plans.turns.filter((other) => other !== turn);
        this.takeTurn(turn, now, wishes);
      } else {
        break;
      }
    }
    this.endRound(now, wishes);
  }

  beginLooks(now, wishes) {
    const { schedules } = this.round;
    this.round.schedules = [];
    for (const reminder of schedules) {
      const look = this.round.looks.has(reminder.name) ? null : this.beginLook(reminder, now, wishes);
      if (!look) continue;
      this.round.looks.set(reminder.name, look);
      this.addTurnOf(look);
    }
  }

  addTurnOf({ reminder, next }) {
    if (next !== null) this.round.turns.push({ at: next, name: reminder.name, part: SCHEDULE, number: 0 });
  }

  /** Hands over the next request if there is room. */
  takeTurn({ at, name, part, number }, now, wishes) {
    const plans = this.round;
    const reminder = this.reminders.get(name);
    // An occurrence that had no room before is not evaluated.
    this.hadNoRoom = at >= plans.fullFrom && isLeftOut(reminder, at, now);
    if (part === SCHEDULE) {
      const look = plans.looks.get(name);
      if (this.hadNoRoom && look.left > 0) look.isCut = true;
      else if (this.lookOn(look, now, wishes)) this.addTurnOf(look);
      this.hadNoRoom = look.isCut;
    } else if (part === STAGE) {
      if (this.hadNoRoom) reminder.lapse.losses = true;
      else this.handOverStage(reminder, number, at, now, wishes);
    } else if (this.hadNoRoom || !this.handOverPattern(reminder, number, at, now, wishes)) {
      plans.wishes.set(name, Math.min(plans.wishes.get(name) ?? FAR, at));
    }
    if (this.hadNoRoom && !plans.withoutRoom.has(name)) plans.withoutRoom.set(name, at);
  }

  endRound(now, wishes) {
    const plans = this.round;
    this.round = null;
    for (const look of plans.looks.values()) this.endLook(look, now, wishes);
    for (const [name, at] of plans.wishes) wishToRepeat(this.reminders.get(name), at, wishes);
    for (const { at, name } of plans.triedAgain) {
      const reminder = this.reminders.get(name);
      if (reminder.leftOut !== at) continue;
      const withoutRoom = plans.withoutRoom.get(name);
      // The occurrence without room was denied for another reason meanwhile, or was deferred.
      if (withoutRoom > at) reminder.leftOut = withoutRoom;
      else if (withoutRoom === undefined && (reminder.lapse || reminder.standing)) reminder.leftOut = null;
    }
  }

  /** Returns the earliest occurrence without room that has not been tried. */
  firstLeftOut() {
    const leftOut = [...this.reminders.values()].filter((reminder) => reminder.leftOut !== null);
    const isTried = ({ at, name }) =>
      this.round?.tried.some((other) => other.at === at && other.name === name) ?? false;
    return least(leftOut.map(({ leftOut, name }) => ({ at: leftOut, name })).filter((one) => !isTried(one)));
  }

  /** Returns whether there is room for it, or would be after removing something later, or whether it has passed.  */
  mayHaveRoom(leftOut, now) {
    if (leftOut.at <= now.wall || this.pendingCount(now) < this.capacity) return true;
    const last = this.latestPending(now);
    return last !== null && byTime(leftOut, last) < 0;
  }

  /** Makes room for one more by removing the latest if it is later. Returns whether there is room. */
  makeRoom(reminder, at, now, wishes) {
    const fullFrom = this.round?.fullFrom ?? null;
    if (fullFrom === null || at < fullFrom) {
      let hasRoom = !this.isTight || this.pendingCount(now) < this.capacity;
      const last = hasRoom ? null : this.latestPending(now);
      if (last && byTime({ at, name: reminder.name }, last) < 0) {
        this.giveUp(last, now, wishes);
        hasRoom = true;
      }
      if (hasRoom) {
        if (reminder.leftOut === at) reminder.leftOut = null;
        return true;
      }
      // Later ones have no room either.
      if (fullFrom !== null) this.round.fullFrom = at;
    }
    this.hadNoRoom = true;
    this.leaveOut(reminder, at, now, wishes);
    return false;
  }

  /** Removes the latest request; a repeating one only if nothing else is left. */
  makeRoomForOthers(now, wishes) {
    while (this.isTight && this.pendingCount(now) > this.capacity) {
      const last = this.latestPending(now) ?? this.latestRepeating(now);
      if (!last) return;
      this.giveUp(last, now, wishes);
    }
  }

  /** Keeps room for deferred requests. */
  keepRoom(releases, now, wishes) {
    if (releases === this.releases) return;
    this.releases = releases;
    this.makeRoomForOthers(now, wishes);
  }

  giveUp({ at, name, occurrence }, now, wishes) {
    const reminder = this.reminders.get(name);
    wishes.push(remove(reminder, occurrence, "superseded"));
    const entry = pendingEntry(reminder, occurrence);
    if (entry) {
      takeOut(reminder, [entry], now);
      reminder.ahead.lookedTo = Math.min(reminder.ahead.lookedTo, at - 1);
      const look = this.round?.looks.get(name);
      if (look) look.isCut = true;
    } else if (reminder.openTurn(occurrence)) {
      reminder.forgetTurn(occurrence, now);
      if (reminder.lapse) reminder.lapse.losses = true;
    } else {
      const { standing } = reminder;
      standing.entries = standing.entries.filter((other) => other.occurrence !== occurrence);
      wishToRepeat(reminder, at, wishes);
    }
    this.leaveOut(reminder, at, now, wishes);
  }

  /** Reports once that there is no room for an occurrence. */
  leaveOut(reminder, at, now, wishes) {
    this.fullUntil = -FAR;
    if (isLeftOut(reminder, at, now)) return;
    reminder.leftOut = at;
    if (this.round) {
      this.round.tried = this.round.tried.filter((one) => one.at !== at || one.name !== reminder.name);
    }
    wishes.push(noRequest(reminder, { reason: "pendingLimit", failed: [] }));
  }

  /**
   * Hands over occurrences that had no room, as far as there is room now. Of events outside of the app, only the
   * passing time makes room.
   */
  fillUp(event, now, wishes) {
    const first = this.firstLeftOut();
    if (!first || (OUTSIDE.has(event.event) && now.wall < this.fullUntil)) return;
    if (this.isTight && !this.mayHaveRoom(first, now)) return;
    this.inOrderOfTime(now, wishes, () => {
      for (const reminder of this.leftOutToTry(now)) {
        this.tryLeftOut(reminder, now, wishes);
        const isLate = reminder.leftOut !== null && reminder.leftOut <= now.wall;
        // It is tried once and reported again if there is no room.
        if (isLate || reminder.lapse) reminder.leftOut = null;
      }
    });
    this.fullUntil = this.firstPending(now);
  }

  /**
   * Returns the occurrences without room that have passed, or all if there is room for all. Also returns the
   * schedules with a shown occurrence, whose next one must not wait behind a later one without room.
   */
  leftOutToTry(now) {
    const reminders = [...this.reminders.values()];
    if (!this.isTight) return reminders.filter(({ leftOut }) => leftOut !== null);
    return reminders.filter((reminder) => {
      const [first] = pendingOf(reminder);
      return (reminder.leftOut !== null && reminder.leftOut <= now.wall) || (first && first.at <= now.wall);
    });
  }

  tryLeftOut(reminder, now, wishes) {
    this.completeLapse(reminder, now, wishes);
    this.planRepeats(reminder, now, wishes);
    this.replenish(reminder, now, wishes);
  }

  // Pending requests, as {at, name, occurrence}: due time, name of the reminder, number of the request

  pendingCount(now) {
    const snoozes = [...this.snoozed].filter(({ snoozedUntil }) => snoozedUntil !== null && snoozedUntil > now.wall);
    const standing = this.repeating.reduce((sum, one) => sum + (one.standing?.entries.length ?? 0), 0);
    return this.releases + snoozes.length + standing + this.pendingByTime(now).length;
  }

  /** Returns those of schedules and lapses. */
  pendingByTime(now) {
    // Deferred requests are among the releases.
    const isPlanned = ({ at, deliveredAt }) => at > now.wall && deliveredAt === at;
    const occurrences = this.scheduled.flatMap((reminder) =>
      pendingOf(reminder).filter(isPlanned).map((entry) => ({ ...entry, name: reminder.name })),
    );
    const stages = this.lapsing.flatMap((reminder) =>
      openAfter(reminder, now.wall).filter(({ at }) => at !== FAR).map((turn) => ({ ...turn, name: reminder.name })),
    );
    return [...occurrences, ...stages];
  }

  /** Returns the latest one. */
  latestPending(now) {
    return greatest(this.pendingByTime(now));
  }

  /** Returns the latest repeating one. */
  latestRepeating(now) {
    const zone = this.program.zoneNamed(now.zone);
    const due = ({ first, pattern }) => (first > now.wall ? first : nextRepeat(pattern, now.wall, zone));
    return greatest(
      this.repeating.flatMap(({ name, standing }) =>
        (standing?.entries ?? []).map((entry) => ({ at: due(entry), name, occurrence: entry.occurrence })),
      ),
    );
  }

  /** Returns when time makes room. */
  firstPending(now) {
    const first = least(this.pendingByTime(now));
    return first ? first.at : -FAR;
  }
}

module.exports = { REPETITION, STAGE, Room };
