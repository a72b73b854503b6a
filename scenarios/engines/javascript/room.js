"use strict";
// What is handed over within what the system keeps: what is due next goes before what is due later.
//
// A system that keeps so many requests of an app throws away what is beyond them, and tells nobody.

const { FAR, nextRepeat } = require("./civil.js");
const {
  noRequest, openAfter, pendingEntry, pendingOf, remove, takeOut, wishToRepeat,
} = require("./memory.js");

// What happens outside of our app.
const OUTSIDE = new Set([
  "unlock", "lock", "chargingStarted", "chargingStopped", "batteryLevel", "appOpened", "backgrounded",
  "regionEntered", "regionExited", "regionFailed", "located",
]);

// The parts of what is planned together.
const [SCHEDULE, STAGE, REPETITION] = [0, 1, 2];

/** What waits for its turn, where there may be too little room: what is due next goes first. */
class Round {
  constructor() {
    // As {at, name, part, number}; and how far schedules were looked at, by name.
    this.turns = [];
    this.schedules = [];
    this.looks = new Map();
    // When the app is to be woken for what the system is to repeat, by name.
    this.wishes = new Map();
    // From when on there is no room, once turns are taken; and by name what found none first.
    this.fullFrom = null;
    this.withoutRoom = new Map();
    // What was left out and is tried again, as {at, name}.
    this.tried = [];
    this.triedAgain = [];
  }
}

/** What is due first; of one instant in the order of the names, whatever that of the declarations. */
const byTime = (a, b) => a.at - b.at || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
const byTurn = (a, b) =>
  byTime(a, b) || (a.part ?? 0) - (b.part ?? 0) || (a.number ?? a.occurrence ?? 0) - (b.number ?? b.occurrence ?? 0);
const least = (list) => list.reduce((a, b) => (a && byTurn(a, b) <= 0 ? a : b), null);
const greatest = (list) => list.reduce((a, b) => (a && byTurn(a, b) >= 0 ? a : b), null);

/** Whether it was said already that there is no room for an occurrence: for it, or for an earlier one to come. */
const isLeftOut = ({ leftOut }, at, now) => leftOut !== null && now.wall < leftOut && leftOut <= at;

/** The part of the matcher that keeps to what the system keeps. */
class Room {
  /** Whether so much may be planned that there is too little room. */
  get isTight() {
    return this.mostPending + this.snoozed.size + this.releases > this.capacity;
  }

  /**
   * What is planned in the body is handed over after it, what is due next first: that, and what was left out
   * before, as long as there is room.
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

  /** Hands over what is due next, if there is room. */
  takeTurn({ at, name, part, number }, now, wishes) {
    const plans = this.round;
    const reminder = this.reminders.get(name);
    // What was left out before is not even looked at.
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
      // What was left out comes to nothing for another reason by now, or was put off.
      if (withoutRoom > at) reminder.leftOut = withoutRoom;
      else if (withoutRoom === undefined && (reminder.lapse || reminder.standing)) reminder.leftOut = null;
    }
  }

  /** What is due first of what there was no room for, and is not tried yet. */
  firstLeftOut() {
    const leftOut = [...this.reminders.values()].filter((reminder) => reminder.leftOut !== null);
    const isTried = ({ at, name }) =>
      this.round?.tried.some((other) => other.at === at && other.name === name) ?? false;
    return least(leftOut.map(({ leftOut, name }) => ({ at: leftOut, name })).filter((one) => !isTried(one)));
  }

  /** Whether there is room for it, or would be if something later were given up; or it has passed. */
  mayHaveRoom(leftOut, now) {
    if (leftOut.at <= now.wall || this.pendingCount(now) < this.capacity) return true;
    const last = this.latestPending(now);
    return last !== null && byTime(leftOut, last) < 0;
  }

  /** Makes room for one more: gives up what is due last, if that is later. Returns whether there is room. */
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
      // What comes later in the order of time has no room either.
      if (fullFrom !== null) this.round.fullFrom = at;
    }
    this.hadNoRoom = true;
    this.leaveOut(reminder, at, now, wishes);
    return false;
  }

  /** Gives up what is due last: of what the system repeats only where nothing else is left. */
  makeRoomForOthers(now, wishes) {
    while (this.isTight && this.pendingCount(now) > this.capacity) {
      const last = this.latestPending(now) ?? this.latestRepeating(now);
      if (!last) return;
      this.giveUp(last, now, wishes);
    }
  }

  /** Keeps room for requests that were put off until quiet hours end. */
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

  /** There is no room for an occurrence: said once of each. */
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
   * Hands over what was left out, as far as there is room by now. Of what happens outside of the app only the
   * time that passes makes any.
   */
  fillUp(event, now, wishes) {
    const first = this.firstLeftOut();
    if (!first || (OUTSIDE.has(event.event) && now.wall < this.fullUntil)) return;
    if (this.isTight && !this.mayHaveRoom(first, now)) return;
    this.inOrderOfTime(now, wishes, () => {
      for (const reminder of this.leftOutToTry(now)) {
        this.tryLeftOut(reminder, now, wishes);
        const isLate = reminder.leftOut !== null && reminder.leftOut <= now.wall;
        // Tried once: it is said again if there is no room.
        if (isLate || reminder.lapse) reminder.leftOut = null;
      }
    });
    this.fullUntil = this.firstPending(now);
  }

  /**
   * What was left out and has passed; all, where there is room for all. And the schedules of which something has
   * come: what is due next of them is not to wait behind what was left out and is due later.
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

  // What is pending, as {at, name, occurrence}: when it is due, the reminder's name, the request's number

  pendingCount(now) {
    const snoozes = [...this.snoozed].filter(({ snoozedUntil }) => snoozedUntil !== null && snoozedUntil > now.wall);
    const standing = this.repeating.reduce((sum, one) => sum + (one.standing?.entries.length ?? 0), 0);
    return this.releases + snoozes.length + standing + this.pendingByTime(now).length;
  }

  /** Of schedules and lapses. */
  pendingByTime(now) {
    // What is put off is among the releases.
    const isPlanned = ({ at, deliveredAt }) => at > now.wall && deliveredAt === at;
    const occurrences = this.scheduled.flatMap((reminder) =>
      pendingOf(reminder).filter(isPlanned).map((entry) => ({ ...entry, name: reminder.name })),
    );
    const stages = this.lapsing.flatMap((reminder) =>
      openAfter(reminder, now.wall).filter(({ at }) => at !== FAR).map((turn) => ({ ...turn, name: reminder.name })),
    );
    return [...occurrences, ...stages];
  }

  /** What is due last of them. */
  latestPending(now) {
    return greatest(this.pendingByTime(now));
  }

  /** What is due last of what the system repeats. */
  latestRepeating(now) {
    const zone = this.program.zoneNamed(now.zone);
    const due = ({ first, pattern }) => (first > now.wall ? first : nextRepeat(pattern, now.wall, zone));
    return greatest(
      this.repeating.flatMap(({ name, standing }) =>
        (standing?.entries ?? []).map((entry) => ({ at: due(entry), name, occurrence: entry.occurrence })),
      ),
    );
  }

  /** When room comes by time alone. */
  firstPending(now) {
    const first = least(this.pendingByTime(now));
    return first ? first.at : -FAR;
  }
}

module.exports = { REPETITION, STAGE, Room };
