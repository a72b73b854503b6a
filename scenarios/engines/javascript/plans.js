"use strict";
// Requests that are made ahead: schedules, repeating requests, and lapses.
//
// Plans are decided by the known facts, and follow later changes.

const { DAY, FAR, MINUTE, isSameMoment, nextRepeat } = require("./civil.js");
const {
  countsFrom, deliver, endPutOff, foresees, foreseesState, freshAhead, handsOver, inOrder, isOfWall, isSamePattern, isSpan,
  lookAgain, lookAgainAfterLosses, lookedToOf, noRequest, openAfter, pendingOf, putOffTurns, remove, takeBackAll,
  takeBackRepeats, takeOut, wake, wishToRepeat, withdraw,
} = require("./memory.js");
const { REPETITION, STAGE, Room } = require("./room.js");

const ALLOWING = ["authorized", "provisional", "ephemeral"];
// The number of ranges of served occurrences that are remembered.
const KEPT_SERVED = 8;
const KINDS = ["timeWindow", "weekdays", "region", "charging", "fact"];

/** The part of the matcher that makes plans. */
class Plans extends Room {
  // Schedules: a wake-up at the next occurrence, or several occurrences scheduled ahead

  /**
   * Plans everything at launch, and after a change of the zone or the wall clock. Occurrences that passed while the
   * app could not run, and those that a clock change skipped, are due now.
   */
  planAll(now, wishes, isLaunch = false) {
    if (!isSameMoment(this.plannedAt, now)) [this.plannedAt, this.fresh] = [now, []];
    this.askAgainAfterSnoozes(now, wishes);
    this.inOrderOfTime(now, wishes, () => {
      if (this.plannedZone && this.plannedZone !== now.zone) this.move(this.plannedZone, now, wishes);
      for (const reminder of this.scheduled) {
        if (reminder.cancelled) continue;
        if (this.countAnew(reminder, now, wishes)) continue;
        this.withdrawFailing(reminder, now, wishes, isLaunch);
        this.plan(reminder, now, wishes);
      }
      this.plannedZone = now.zone;
      for (const reminder of this.lapsing) {
        this.withdrawFailing(reminder, now, wishes, isLaunch);
        this.planLapse(reminder, now, wishes);
      }
      for (const reminder of this.repeating) {
        this.withdrawFailing(reminder, now, wishes, isLaunch);
        this.planRepeats(reminder, now, wishes);
      }
    });
    this.askAgainForWithdrawn(now, wishes);
  }

  /** The phone has entered another zone: scheduled occurrences keep their local time. */
  move(zone, now, wishes) {
    const [from, to] = [this.program.zoneNamed(zone), this.program.zoneNamed(now.zone)];
    const moved = (instant) => (Math.abs(instant) >= FAR ? instant : to.first(from.wall(instant)));
    for (const reminder of this.reminders.values()) {
      if (isOfWall(reminder.plan)) reminder.failed = inOrder(reminder.failed.map(moved));
    }
    for (const reminder of this.scheduled) {
      const { ahead } = reminder;
      // An elapsed time is the same everywhere.
      if (isOfWall(reminder.plan)) {
        for (const entry of ahead ? [...ahead.pending, ...ahead.snoozed] : []) {
          [entry.at, entry.deliveredAt] = [moved(entry.at), moved(entry.deliveredAt)];
        }
        if (ahead) ahead.takenBackTo = moved(ahead.takenBackTo);
        if (reminder.leftOut !== null) reminder.leftOut = moved(reminder.leftOut);
        const { askedAgain } = reminder;
        if (askedAgain) reminder.askedAgain = { ...askedAgain, standsFor: moved(askedAgain.standsFor) };
      }
      if (ahead && isOfWall(reminder.plan) && countsFrom(reminder.plan)) {
        // Days that are counted from a fact occur once.
        for (const key of ["lookedTo", "lostTo"]) ahead[key] = moved(ahead[key]);
      } else if (ahead) {
        // Farther west the day repeats times, and earlier evaluations were for other instants and days.
        lookAgain(ahead);
      }
      const late = pendingOf(reminder).filter(({ at }) => at >= reminder.plan.expires && at > now.wall);
      for (const { occurrence } of late) wishes.push(remove(reminder, occurrence, "expiredAtRelease"));
      takeOut(reminder, late, now);
      // The app observed deliveries before the journey.
      deliver(reminder, now);
      if (reminder.wake !== null && reminder.wake > now.wall) {
        // An occurrence that the journey skipped is due on arrival, as it is for the system.
        const there = isOfWall(reminder.plan) ? moved(reminder.wake) : reminder.wake;
        reminder.wake = there <= now.wall ? there : null;
        // Across the date line, an occurrence can be at the instant of the previous one.
        if (there <= now.wall) reminder.served = [];
      }
    }
    for (const reminder of [...this.lapsing, ...this.repeating]) {
      if (reminder.leftOut !== null) reminder.leftOut = moved(reminder.leftOut);
    }
    for (const reminder of this.lapsing) {
      // Also those that are due by the clocks and whose delivery the app has not observed.
      for (const turn of reminder.turns) {
        if (turn.at !== null) Object.assign(turn, { at: moved(turn.at), own: moved(turn.own) });
      }
      const { expires } = reminder.plan;
      for (const { occurrence } of expires < FAR ? openAfter(reminder, Math.max(now.wall, expires - 1)) : []) {
        wishes.push(remove(reminder, occurrence, "expiredAtRelease"));
        reminder.forgetTurn(occurrence, now);
      }
    }
    for (const reminder of this.reminders.values()) {
      for (const entry of reminder.withdrawn) entry.release = moved(entry.release);
      if (reminder.deferredSnooze) reminder.deferredSnooze = { ...reminder.deferredSnooze, at: moved(reminder.deferredSnooze.at) };
    }
    for (const { standing } of this.repeating) {
      if (!standing) continue;
      if (standing.lostTo > now.wall) standing.lostTo = moved(standing.lostTo);
      for (const entry of standing.entries) {
        if (entry.first === -FAR || isSpan(entry.pattern)) continue;
        entry.first = nextRepeat(entry.pattern, now.wall, to);
      }
    }
  }

  plan(reminder, now, wishes) {
    this.planLapse(reminder, now, wishes);
    this.planRepeats(reminder, now, wishes);
    const { schedule, ahead } = reminder.plan;
    if (!schedule) return;
    if (ahead > 0) {
      this.replenish(reminder, now, wishes);
      return;
    }
    reminder.wake = this.nextWake(reminder, now);
    wishes.push(wake(reminder, reminder.wake));
  }

  /**
   * Returns the next wake-up. If the clock was set back a little, earlier occurrences have already been due. If it
   * was set back further, the days are repeated. The wake-up of another zone has no meaning.
   */
  nextWake(reminder, now) {
    const due = reminder.wake;
    if (due !== null && due <= now.wall) {
      return this.overdue(reminder, due, now) ?? this.unserved(reminder, now.wall, now);
    }
    if (due !== null && (!this.plannedZone || this.plannedZone === now.zone)) {
      const tomorrow = this.unserved(reminder, now.wall + DAY, now);
      const isStill = this.nextOf(reminder, due - 1, now) === due;
      if (isStill && (tomorrow === null || tomorrow >= due)) return due;
    }
    return this.unserved(reminder, now.wall, now);
  }

  /** Returns the first occurrence after an instant for which the app was not woken yet, or null. */
  unserved(reminder, instant, now) {
    let at = this.nextOf(reminder, instant, now);
    for (;;) {
      const span = at === null ? undefined : reminder.served.find(([first, last]) => first <= at && at <= last);
      if (!span) return at;
      at = this.nextOf(reminder, span[1], now);
    }
  }

  /**
   * Returns the first occurrence that has passed and is not before a served one, or null. A clock that is set back and
   * forth passes occurrences again.
   */
  overdue(reminder, due, now) {
    const passed = reminder.served.filter(([first]) => first <= now.wall).map(([, last]) => Math.min(last, now.wall));
    const last = Math.max(...passed);
    if (passed.length === 0 || last < due) return due;
    const at = this.unserved(reminder, last, now);
    return at !== null && at <= now.wall ? at : null;
  }

  /** The app was woken for an occurrence, and no wake-up is requested any more. */
  serveWake(reminder, now) {
    const due = this.dueWake(reminder, now);
    if (reminder.wake !== null && reminder.wake <= now.wall) reminder.wake = null;
    if (due === null || reminder.served.some(([first, last]) => first <= due && due <= last)) return;
    let served = reminder.served;
    const span = [due, due];
    const before = served.findLast(([, last]) => last < due && this.nextOf(reminder, last, now) === due);
    if (before) [span[0], served] = [before[0], served.filter((one) => one !== before)];
    const after = served.find(([first]) => first > due && this.nextOf(reminder, due, now) === first);
    if (after) [span[1], served] = [after[1], served.filter((one) => one !== after)];
    reminder.served = [...served, span].slice(-KEPT_SERVED);
  }

  /**
   * Returns the occurrence for which the app is woken, or null if there is none or it is later. Of several that have
   * passed, the latest replaces the others.
   */
  dueWake(reminder, now) {
    if (reminder.wake === null || reminder.wake > now.wall) return null;
    const due = this.overdue(reminder, reminder.wake, now);
    return due === null ? null : this.latestOf(reminder, due, now);
  }

  /**
   * Returns the latest occurrence from one that has passed until now. Occurrences whose conditions do not hold are
   * skipped, unless none holds.
   */
  latestOf(reminder, first, now) {
    const holds = (at) => !failures(reminder.plan, this.view(now, at));
    let [latest, next] = [first, this.nextOf(reminder, first, now)];
    let isOpen = next === null || next > now.wall || holds(first);
    for (; next !== null && next <= now.wall; next = this.nextOf(reminder, next, now)) {
      const doesHold = holds(next);
      if (doesHold || !isOpen) [latest, isOpen] = [next, doesHold];
    }
    return latest;
  }

  /** Returns the first occurrence of the schedule after an instant, or null. */
  nextOf({ plan, countedFrom }, instant, now) {
    return plan.schedule.next(instant + 1, this.program.zoneNamed(now.zone), countedFrom);
  }

  /**
   * Returns the last occurrence up to an instant of a schedule with an end, however long ago. For other schedules,
   * returns
   * the occurrence for which the app is to be woken by then, possibly late. Null if there is none.
   */
  lastUntil(reminder, end, now) {
    if (!reminder.plan.schedule?.ends) {
      return reminder.wake !== null && reminder.wake <= end ? reminder.wake : null;
    }
    let last = null;
    let next = this.nextOf(reminder, -FAR, now);
    while (next !== null && next <= end) [last, next] = [next, this.nextOf(reminder, next, now)];
    return last;
  }

  /**
   * If the fact from which a schedule counts has changed, pending, deferred and visible requests end, and everything
   * is planned from the new value. Returns whether it has changed.
   */
  countAnew(reminder, now, wishes) {
    const fact = countsFrom(reminder.plan);
    if (!fact) return false;
    if (reminder.cancelled && reminder.own.madeLater) return true;
    const view = this.view(now);
    const known = reminder.countedFrom;
    const value = this.program.known(view, fact);
    if (value === (known ? known.value : null)) return false;
    reminder.countedFrom = value === null ? null : { value, day: this.program.dayOf(view, fact) };
    if (reminder.cancelled) return true;
    if (known) this.endOccasion(reminder, value === null, now, wishes);
    Object.assign(reminder, { ahead: null, wake: null, served: [] });
    this.plan(reminder, now, wishes);
    return true;
  }

  endOccasion(reminder, isForgotten, now, wishes) {
    deliver(reminder, now);
    takeOut(reminder, pendingOf(reminder), now);
    // If the fact is unknown now, nothing replaces the pending requests.
    if (reminder.occurrences > 0) wishes.push(withdraw(reminder, isForgotten ? "cancelled" : "superseded"));
    if (reminder.shown !== null && !isForgotten) {
      wishes.push(remove(reminder, reminder.shown, "superseded"));
      reminder.shown = null;
    }
    reminder.leftOut = null;
    endPutOff(reminder, now);
    if (reminder.isSnoozed) reminder.endSnooze(now);
  }

  /** Returns the text of an occurrence by its day, or null if it depends on the number of requests. */
  stageOf({ plan, countedFrom }, at, now) {
    if (!countsFrom(plan) || !countedFrom || at === null) return null;
    const position = plan.schedule.position(at, this.program.zoneNamed(now.zone), countedFrom);
    return position < 0 ? null : position;
  }

  /**
   * Schedules occurrences until the declared number is ahead. If none is pending afterwards, nothing else would
   * continue the schedule, so the app requests a wake-up at the last one.
   */
  replenish(reminder, now, wishes) {
    if (this.round) {
      this.round.schedules.push(reminder);
      return;
    }
    const look = this.beginLook(reminder, now, wishes);
    if (!look) return;
    while (this.lookOn(look, now, wishes));
    this.endLook(look, now, wishes);
  }

  beginLook(reminder, now, wishes) {
    const { plan } = reminder;
    if (reminder.cancelled || !plan.schedule || plan.ahead === 0) return null;
    if (reminder.isSnoozed) {
      wishes.push(wake(reminder, reminder.snoozedUntil));
      return null;
    }
    reminder.ahead ??= freshAhead();
    deliver(reminder, now);
    reminder.failed = reminder.failed.filter((at) => at > now.wall);
    const next = this.occurrenceAfter(reminder, Math.max(now.wall, reminder.ahead.takenBackTo), now);
    return { reminder, left: plan.ahead, next, isCut: false };
  }

  occurrenceAfter(reminder, instant, now) {
    const at = this.nextOf(reminder, instant, now);
    return at === null || at >= reminder.plan.expires ? null : at;
  }

  /** Evaluates one occurrence. Returns whether there is another. */
  lookOn(look, now, wishes) {
    const { reminder, next: at } = look;
    if (look.left === 0 || at === null) return false;
    const { ahead } = reminder;
    const hasFailed = reminder.failed.includes(at);
    // The system would refuse it again.
    if (hasFailed && this.hasJustFailed(reminder, now)) return false;
    if (at > ahead.lookedTo || hasFailed) {
      let occurrence = null;
      if (!ahead.pending.some((entry) => entry.at === at)) {
        this.hadNoRoom = false;
        occurrence = this.handOver(reminder, at, now, wishes);
        if (occurrence === null && this.hadNoRoom) {
          look.isCut = true;
          return false;
        }
      }
      ahead.lookedTo = Math.max(ahead.lookedTo, at);
      if (occurrence !== null) {
        ahead.pending.push({ occurrence, at, deliveredAt: at });
        ahead.pending.sort((one, other) => one.at - other.at);
      }
      reminder.failed = reminder.failed.filter((other) => other !== at);
    }
    look.left--;
    look.next = this.occurrenceAfter(reminder, at, now);
    return true;
  }

  endLook({ reminder, isCut }, now, wishes) {
    const lookedTo = lookedToOf(reminder);
    if (!isCut) reminder.leftOut = null;
    this.wish(reminder, lookedTo > now.wall ? lookedTo : null, wishes);
  }

  // Scheduling ahead

  /**
   * Requests a notification for a later instant if the conditions hold for that instant. `pattern` makes the system
   * repeat it. Returns the number of the request, or null without a request.
   */
  handOver(reminder, at, now, wishes, stage = null, pattern = null) {
    // A snoozed reminder waits for nothing until then, but this is later.
    if (!this.isArmed(reminder) && !reminder.isSnoozed) return null;
    const view = this.view(foreseen(at, now));
    if (this.hasTurn(reminder, view.day)) return null;
    const isGone = () => isWithdrawn(reminder.plan, view);
    const failure =
      failures(reminder.plan, view) || (isGone() ? { reason: "conditionFailed", failed: ["fact"] } : null);
    if (failure) {
      wishes.push(noRequest(reminder, failure));
      return null;
    }
    if (!this.makeRoom(reminder, at, now, wishes)) return null;
    const wish = this.ask(reminder, view, view.day, now, stage ?? this.stageOf(reminder, at, now), stage === null);
    wish.request.floating = !isSpan(pattern) && isOfWall(reminder.plan);
    wish.request.pattern = pattern;
    wishes.push(wish);
    const { occurrence } = wish.request;
    if (isSameMoment(this.plannedAt, now)) this.fresh.push({ reminder, occurrence });
    return occurrence;
  }

  /**
   * Requests a wake-up if nothing else continues the schedule, or cancels it. A deferred request is shown when others
   * may have been due.
   */
  wish(reminder, at, wishes) {
    const { ahead } = reminder;
    const isFollowed = ahead.pending.some((entry) => entry.deliveredAt === entry.at && entry.at <= at);
    const wished = isFollowed || !this.isArmed(reminder) ? null : at;
    if (ahead.wish || wished !== null) wishes.push(wake(reminder, wished));
    ahead.wish = wished !== null;
  }

  /** Requests a wake-up after occurrences were lost or deferred and nothing else continues the schedule in time.  */
  wishUnlessFollowed(reminder, now, wishes) {
    if (!reminder.ahead || reminder.isSnoozed || reminder.cancelled) return;
    this.wish(reminder, Math.max(lookedToOf(reminder), now.wall), wishes);
  }

  // Requests that the system refused, and how they are made again

  /** The system refused the request, which may be made again. */
  hasFailed(reminder, at, now) {
    if (at <= now.wall || at >= FAR) return;
    const others = reminder.failed.filter((other) => other > now.wall && other !== at);
    reminder.failed = inOrder([...others, at]);
    this.failedAt.set(reminder.name, now);
  }

  /** The system refused the request of a snooze. */
  snoozeHasFailed(reminder, now) {
    reminder.failedSnooze = true;
    this.failedAt.set(reminder.name, now);
  }

  hasJustFailed(reminder, now) {
    const at = this.failedAt.get(reminder.name) ?? null;
    return (reminder.failed.length > 0 || reminder.failedSnooze) && isSameMoment(at, now);
  }

  askAgainAfterSnoozes(now, wishes) {
    const isMeant = (reminder) => reminder.failedSnooze && !this.hasJustFailed(reminder, now);
    this.askAnewAfterSnoozes(isMeant, now, wishes);
  }

  /** Repeats the requests of snoozes that the system may not have any more. */
  askAnewAfterSnoozes(isMeant, now, wishes) {
    for (const reminder of [...this.reminders.values()].filter(isMeant)) {
      const asked = reminder.isSnoozed ? reminder.askedAgain : reminder.openDeferredSnooze(now.wall);
      const until = reminder.isSnoozed ? Math.max(reminder.snoozedUntil, now.wall) : now.wall;
      const hasEnded = reminder.plan.expires <= until;
      if (asked && !hasEnded && isWithdrawn(reminder.plan, this.view(foreseen(until, now)))) continue;
      reminder.failedSnooze = false;
      if (!asked || hasEnded) continue;
      const { occurrence, copy, standsFor } = asked;
      wishes.push(remove(reminder, occurrence, "superseded"));
      if (!reminder.isSnoozed) reminder.deferredSnooze = { occurrence: reminder.occurrences, copy, at: FAR };
      this.askAgain(reminder, until, { copy, standsFor }, now, wishes);
    }
  }

  // How plans follow changes

  /** Evaluates future occurrences again that were not scheduled because of a known fact. */
  foreseeAnew(fact, now, wishes) {
    this.askAgainAfterSnoozes(now, wishes);
    this.inOrderOfTime(now, wishes, () => {
      for (const reminder of this.foreseeing.get(fact)) {
        if (foresees(reminder.plan, fact)) this.lookAhead(reminder, now, wishes);
      }
    });
    this.askAgainForWithdrawn(now, wishes);
  }

  /** Does the same after a change of charging or of a place. */
  foreseeStateAnew(now, wishes) {
    this.inOrderOfTime(now, wishes, () => {
      for (const reminder of this.foreseeingState) {
        if (foreseesState(reminder.plan)) this.lookAhead(reminder, now, wishes);
      }
    });
    this.askAgainForWithdrawn(now, wishes);
  }

  /** Withdraws the pending requests whose conditions fail now, and schedules occurrences that were not. */
  lookAhead(reminder, now, wishes) {
    if (reminder.cancelled) return;
    this.withdrawFailing(reminder, now, wishes);
    this.completeLapse(reminder, now, wishes);
    this.planRepeats(reminder, now, wishes);
    if (!reminder.ahead) return;
    lookAgainAfterLosses(reminder.ahead);
    this.replenish(reminder, now, wishes);
  }

  /**
   * The process finds the phone on its charger or inside a place: repeats the plans of this instant, which did not
   * know.
   */
  planAgain(now, wishes) {
    if (!isSameMoment(this.plannedAt, now)) return;
    for (const reminder of this.foreseeingState) {
      if (reminder.cancelled) continue;
      const fresh = this.fresh.filter((one) => one.reminder === reminder).map((one) => one.occurrence);
      this.fresh = this.fresh.filter((one) => one.reminder !== reminder);
      for (const occurrence of fresh) wishes.push(remove(reminder, occurrence, "superseded"));
      for (const occurrence of fresh) reminder.forgetTurn(occurrence, now);
      const isOld = ({ occurrence }) => !fresh.includes(occurrence);
      if (reminder.ahead) reminder.ahead.pending = reminder.ahead.pending.filter(isOld);
      if (reminder.standing) reminder.standing.entries = reminder.standing.entries.filter(isOld);
      if (fresh.length > 0 && reminder.lapse) reminder.lapse.losses = true;
      this.lookAhead(reminder, now, wishes);
    }
  }

  /**
   * Withdraws the pending requests whose conditions will not hold when they are due. The time of day and the weekday
   * of an occurrence do not change, and deferred requests are evaluated for their release (`stillHolds`). A new
   * process does not know yet whether the phone is charging.
   */
  withdrawFailing(reminder, now, wishes, isLaunch = false) {
    const known = isLaunch ? ["region", "fact"] : ["region", "fact", "charging"];
    const conditions = reminder.plan.conditions.filter(({ kind }) => known.includes(kind));
    if (conditions.length === 0 || !handsOver(reminder.plan) || reminder.cancelled) return;
    const fails = (at) => {
      const view = this.view(foreseen(Math.max(at, now.wall), now));
      return conditions.some(({ check }) => check(view));
    };
    for (const entry of [...pendingOf(reminder)]) {
      const { occurrence, at, deliveredAt } = entry;
      if (deliveredAt !== at || at <= reminder.passed(now) || !fails(at)) continue;
      wishes.push(remove(reminder, occurrence, "cancelled"));
      takeOut(reminder, [entry], now);
    }
    const zone = this.program.zoneNamed(now.zone);
    for (const entry of [...(reminder.standing?.entries ?? [])]) {
      if (!fails(Math.max(entry.first, nextRepeat(entry.pattern, now.wall, zone)))) continue;
      wishes.push(remove(reminder, entry.occurrence, "cancelled"));
      reminder.standing.entries = reminder.standing.entries.filter((other) => other !== entry);
    }
    for (const { occurrence, at, own } of reminder.lapse ? openAfter(reminder, reminder.passed(now)).reverse() : []) {
      if (at !== own || !fails(at)) continue;
      wishes.push(remove(reminder, occurrence, "cancelled"));
      reminder.forgetTurn(occurrence, now);
      reminder.lapse.losses = true;
    }
  }

  /** A fact may end the reason for deferred or pending requests, as long as it has this value. */
  withdrawWithoutReason(fact, now, wishes) {
    for (const reminder of this.withdrawing.get(fact)) {
      if (reminder.cancelled) continue;
      const isGoneAt = (moment) => isWithdrawn(reminder.plan, this.view(moment));
      const isGone = isGoneAt(now);
      const pending = pendingOf(reminder);
      const ended = pending.filter(
        ({ at, deliveredAt }) => deliveredAt > reminder.passed(now) && isGoneAt(foreseen(Math.max(at, now.wall), now)),
      );
      if (isGone && ended.length === pending.length) wishes.push(withdraw(reminder, "cancelled"));
      else for (const { occurrence } of ended) wishes.push(remove(reminder, occurrence, "cancelled"));
      takeOut(reminder, ended, now);
      if (!isGone) continue;
      this.keepWithdrawn(reminder, ended, putOffTurns(reminder, now), false, now);
      const asked = reminder.askedAgain ?? reminder.openDeferredSnooze(now.wall);
      if (asked) {
        wishes.push(remove(reminder, asked.occurrence, "cancelled"));
        // It is requested again when the reason returns, possibly at this moment.
        reminder.failedSnooze = true;
      } else {
        const late = reminder.openDeferredSnooze(reminder.passed(now));
        if (late) wishes.push(remove(reminder, late.occurrence, "cancelled"));
        if (late) reminder.deferredSnooze = null;
      }
      if (reminder.standing) reminder.standing.entries = [];
      if (reminder.lapse) reminder.lapse.losses = true;
      reminder.forgetTurnsAfter(now);
    }
  }

  /**
   * Keeps withdrawn requests that quiet hours had deferred and whose own time has passed, so that nothing else
   * requests them when the reason for the withdrawal ends: scheduled ones and other turns.
   */
  keepWithdrawn(reminder, pending, turns, isForbidden, now) {
    const zone = this.program.zoneNamed(now.zone);
    for (const { occurrence, at, deliveredAt } of pending) {
      if (at > now.wall || deliveredAt === at || deliveredAt === FAR) continue;
      const copy = reminder.copy(this.stageOf(reminder, at, now) ?? occurrence);
      reminder.withdrawn.push({ day: zone.day(at), copy, release: deliveredAt - MINUTE, isForbidden, own: at });
    }
    for (const turn of turns) {
      const copy = this.copyOfTurn(reminder, turn, now);
      if (copy !== null) reminder.withdrawn.push({ day: turn.day, copy, release: turn.at, isForbidden, own: turn.own });
    }
  }

  holds(plan, view) {
    return !failures(plan, view) && !isWithdrawn(plan, view);
  }

  /**
   * The app took a deferred request back because its conditions fail at its release. It is requested again if they
   * hold in time.
   */
  keepStale(reminder, occurrence, now, wishes) {
    const isMeant = (one) => one.occurrence === occurrence;
    const pending = pendingOf(reminder).filter(isMeant);
    this.keepWithdrawn(reminder, pending, putOffTurns(reminder, now).filter(isMeant), false, now);
    // An occurrence in the future stays wanted.
    const isAhead = pending.some(({ at }) => at > now.wall);
    if (isAhead) takeOut(reminder, pending, now);
    this.undo([{ reminder, occurrence }], now, wishes);
    if (isAhead) this.wishUnlessFollowed(reminder, now, wishes);
  }

  /** Returns the text of a deferred request, or null if its own time has not passed. */
  copyOfTurn(reminder, { occurrence, at: release }, now) {
    let stage;
    if (reminder.lapse && reminder.plan.lapse) {
      const { days, minute } = reminder.plan.lapse;
      const zone = this.program.zoneNamed(now.zone);
      const times = days.map((count) => zone.at(reminder.lapse.since + count, minute));
      stage = times.findLastIndex((at) => at <= release);
      if (stage < 0 || times[stage] > now.wall) return null;
    } else {
      stage = this.stageOf(reminder, this.lastUntil(reminder, now.wall, now), now);
    }
    return reminder.copy(stage ?? occurrence);
  }

  // Requests that the system lost, and how they are made again

  /**
   * The system dropped a pending request. One that fell due while the app could not run is shown once, unless it has
   * expired.
   */
  dropped(reminder, occurrence, now, wishes) {
    this.keepForbidden(reminder, occurrence, now);
    const snooze = this.missedSnooze(reminder, occurrence, now);
    const match = this.missedOccurrence(reminder, occurrence, now) ?? this.missedTurn(reminder, occurrence, now);
    this.undo([{ reminder, occurrence }], now, wishes);
    if (reminder.cancelled || reminder.isSnoozed) return;
    if (snooze) {
      if (reminder.plan.expires <= now.wall || isWithdrawn(reminder.plan, this.view(now))) return;
      const { copy, at } = snooze;
      reminder.deferredSnooze = { occurrence: reminder.occurrences, copy, at: FAR };
      this.askAgain(reminder, now.wall, { copy, standsFor: -FAR }, now, wishes, at);
    } else if (match) {
      this.makeUp(reminder, match, now, wishes);
    }
  }

  /** Returns the text of the request of an ended snooze, and when it was due, or null. */
  missedSnooze(reminder, occurrence, now) {
    const [{ snooze }, deferred] = [reminder.missedAt(now), reminder.deferredSnooze];
    if (reminder.isDeferredSnooze(occurrence) && deferred.at <= now.wall) return deferred;
    return snooze?.occurrence === occurrence ? snooze : null;
  }

  /** Returns the due time, day and text of a passed occurrence that was scheduled ahead, or null. */
  missedOccurrence(reminder, occurrence, now) {
    let entry = pendingOf(reminder).find((entry) => entry.occurrence === occurrence);
    if (entry) {
      const isExact = entry.deliveredAt === entry.at || entry.deliveredAt === FAR;
      if ((isExact ? entry.deliveredAt : entry.deliveredAt - MINUTE) > now.wall) return null;
    } else {
      const passed = reminder.missedAt(now).occurrences;
      const index = passed.findIndex((entry) => entry.occurrence === occurrence);
      if (index < 0) return null;
      [entry] = passed.splice(index, 1);
      reminder.forgetTurn(occurrence, now);
    }
    const due = this.latestOf(reminder, entry.at, now);
    const copy = reminder.copy(this.stageOf(reminder, due, now) ?? occurrence);
    return { due, day: this.program.zoneNamed(now.zone).day(due), copy };
  }

  /** Returns the same of a stage, or of a turn whose request was deferred. */
  missedTurn(reminder, occurrence, now) {
    const turn = reminder.openTurn(occurrence);
    if (!turn || turn.at === -FAR || turn.at > now.wall) return null;
    const copy = this.copyOfTurn(reminder, turn, now);
    return copy === null ? null : { due: turn.at, day: turn.day, copy };
  }

  /** Requests a missed notification for now. It replaces an earlier one of this instant. */
  makeUp(reminder, { due, day, copy }, now, wishes) {
    const { plan } = reminder;
    const missed = reminder.missedAt(now);
    const earlier = missed.replacement;
    if ((earlier && earlier.due >= due) || this.hasTurn(reminder, day)) return;
    const isGone = () => isWithdrawn(plan, this.view(now));
    const failure =
      failures(plan, this.view(now, due)) || (isGone() ? { reason: "conditionFailed", failed: ["fact"] } : null);
    if (failure) {
      wishes.push(noRequest(reminder, failure));
      return;
    }
    if (earlier) {
      const turn = reminder.openTurn(earlier.occurrence);
      if (turn) turn.at = null;
      wishes.push(remove(reminder, earlier.occurrence, "superseded"));
    }
    missed.replacement = { occurrence: reminder.occurrences, due };
    const wish = this.ask(reminder, this.view(now), day, now);
    Object.assign(wish.request, { copy, scheduledFor: due, expiresAt: usefulUntil(plan, due) });
    wishes.push(wish);
    reminder.waitAgain(now);
  }

  /** Notifications are forbidden, and the system does not have the request any more. */
  keepForbidden(reminder, occurrence, now) {
    const isMeant = (one) => one.occurrence === occurrence;
    const pending = pendingOf(reminder).filter(isMeant);
    this.keepWithdrawn(reminder, pending, putOffTurns(reminder, now).filter(isMeant), true, now);
  }

  /** Notifications are forbidden, and the system has dropped the deferred requests without a report. */
  loseAllPutOff(now) {
    for (const reminder of this.reminders.values()) {
      for (const { occurrence } of putOffTurns(reminder, now)) {
        this.keepForbidden(reminder, occurrence, now);
        reminder.forgetTurn(occurrence, now);
      }
    }
  }

  /**
   * Repeats withdrawn requests that may be shown before quiet hours end, unless the reminder has had its turn since.
   * `isMeant` selects reminders for which the reason of the withdrawal may have ended.
   */
  askAgainForWithdrawn(now, wishes, isMeant = (_, isForbidden) => !isForbidden) {
    for (const name of [...this.reminders.keys()].sort()) {
      const reminder = this.reminders.get(name);
      const { withdrawn } = reminder;
      reminder.withdrawn = [];
      for (const entry of withdrawn.filter(({ release }) => release > now.wall)) {
        if (!isMeant(reminder, entry.isForbidden)) {
          reminder.withdrawn.push(entry);
        } else if (!this.holds(reminder.plan, this.view(foreseen(entry.release, now)))) {
          reminder.withdrawn.push({ ...entry, isForbidden: false });
        } else if (!this.hasTurn(reminder, entry.day)) {
          const wish = this.ask(reminder, this.view(now), entry.day, now);
          // The request keeps its place among others, and its name in the system.
          Object.assign(wish.request, { copy: entry.copy, scheduledFor: entry.own });
          wishes.push(wish);
        }
      }
    }
  }

  /** Restores future requests that the person cancelled; lapses restart. */
  opened(now, wishes) {
    this.inOrderOfTime(now, wishes, () => {
      for (const reminder of this.repeating) {
        if (reminder.standing?.takenBack) Object.assign(reminder.standing, { takenBack: false, lostTo: -FAR });
        this.planRepeats(reminder, now, wishes);
      }
      this.askAgainAfterSnoozes(now, wishes);
      for (const reminder of this.scheduled) {
        this.bringBack(reminder, now, wishes);
        // Occurrences without room are evaluated when there is room.
        if (reminder.leftOut === null) this.replenish(reminder, now, wishes);
      }
      this.askAgainForWithdrawn(now, wishes);
      for (const reminder of this.lapsing) {
        this.takeBackLapse(reminder, now, wishes);
        Object.assign(reminder, { leftOut: null, withdrawn: [] });
        this.planLapse(reminder, now, wishes);
      }
    });
  }

  bringBack(reminder, now, wishes) {
    const { ahead } = reminder;
    deliver(reminder, now);
    if (ahead?.takenBackTo > now.wall) {
      if (ahead.pending.length > 0) wishes.push(withdraw(reminder, "superseded"));
      takeOut(reminder, ahead.pending, now);
      ahead.takenBackTo = -FAR;
      // A restored request may be due before the one without room.
      reminder.leftOut = null;
      lookAgainAfterLosses(ahead);
    }
    if (ahead?.lostToLapse) {
      // The lapse whose cap denied some has ended.
      reminder.leftOut = null;
      lookAgain(ahead);
    }
  }

  /**
   * The person cancelled all pending requests, and nothing replaces them. Schedules continue when the time of the
   * last one has passed, or when the app is opened.
   */
  allTakenBack(now, wishes) {
    for (const reminder of this.lapsing) reminder.forgetTurnsAfter(now);
    for (const reminder of this.repeating) takeBackRepeats(reminder, wishes);
    for (const reminder of this.scheduled) {
      takeBackAll(reminder, now);
      this.wishUnlessFollowed(reminder, now, wishes);
    }
    for (const reminder of this.reminders.values()) {
      Object.assign(reminder, { failed: [], failedSnooze: false });
      endPutOff(reminder, now);
    }
  }

  /** When the permission is revoked, the system drops pending requests and does not restore them. */
  permissionChanged(permission, now, wishes) {
    if (ALLOWING.includes(permission)) {
      this.askAnew(() => true, now, wishes);
      return;
    }
    this.inOrderOfTime(now, wishes, () => {
      this.loseAllPutOff(now);
      for (const reminder of this.lapsing.filter(({ lapse }) => lapse)) {
        reminder.lapse.losses = true;
        reminder.forgetTurnsAfter(now);
      }
      for (const reminder of this.repeating) {
        for (const { occurrence } of [...(reminder.standing?.entries ?? [])]) {
          this.loseRepeat(reminder, occurrence, false, now, wishes);
        }
      }
      for (const reminder of this.scheduled.filter(({ ahead }) => ahead)) {
        deliver(reminder, now);
        for (const { occurrence } of reminder.ahead.pending) this.keepForbidden(reminder, occurrence, now);
        for (const { occurrence } of [...reminder.ahead.pending].reverse()) {
          this.undo([{ reminder, occurrence }], now, wishes);
        }
        this.wishUnlessFollowed(reminder, now, wishes);
      }
    });
  }

  /** The person changed a setting of the app, or the daily cap. */
  preferencesChanged(event, now, wishes) {
    if (event.all || "dailyCap" in event) this.askAnew(() => true, now, wishes);
    else if (event.on) this.askAnew(({ plan }) => plan.type === event.type, now, wishes);
  }

  /** Repeats future requests that were denied or dropped and may be shown now. */
  askAnew(isMeant, now, wishes) {
    this.changed = true;
    this.askAnewAfterSnoozes(isMeant, now, wishes);
    this.inOrderOfTime(now, wishes, () => {
      for (const reminder of this.lapsing.filter(isMeant)) this.completeLapse(reminder, now, wishes);
      for (const reminder of this.repeating.filter(isMeant)) {
        if (reminder.standing) reminder.standing.lostTo = -FAR;
        this.planRepeats(reminder, now, wishes);
      }
      for (const reminder of this.scheduled.filter(isMeant)) {
        if (reminder.ahead) lookAgain(reminder.ahead);
        this.replenish(reminder, now, wishes);
      }
    });
    this.askAgainForWithdrawn(now, wishes, (reminder, isForbidden) => isForbidden && isMeant(reminder));
  }

  // Repeating requests: handed over once, and ended only by removing them

  /**
   * Hands over missing requests if the conditions hold for their first time. Otherwise the app requests a wake-up at
   * the occurrence that is missed, and tries again then.
   */
  planRepeats(reminder, now, wishes) {
    const { patterns, firstDay } = reminder.plan;
    if (patterns.length === 0 || reminder.cancelled || reminder.isSnoozed) return;
    if (this.round?.wishes.has(reminder.name)) return;
    reminder.standing ??= { entries: [], lostTo: -FAR, takenBack: false, wish: FAR };
    const { standing } = reminder;
    if (standing.takenBack) return;
    reminder.failed = reminder.failed.filter((at) => at > now.wall);
    const zone = this.program.zoneNamed(now.zone);
    const after = firstDay === null ? now.wall : Math.max(now.wall, zone.at(firstDay, 0) - 1);
    let missed = FAR;
    for (const [number, pattern] of patterns.entries()) {
      if (standing.entries.some((entry) => isSamePattern(entry.pattern, pattern))) continue;
      const first = nextRepeat(pattern, after, zone);
      const isLost = !isSpan(pattern) && first <= standing.lostTo && !reminder.failed.includes(first);
      if (isLost || this.hasJustFailed(reminder, now)) {
        missed = Math.min(missed, first);
      } else if (this.round) {
        this.round.turns.push({ at: first, name: reminder.name, part: REPETITION, number });
      } else if (!this.handOverPattern(reminder, number, first, now, wishes)) {
        missed = Math.min(missed, first);
      }
    }
    if (this.round) this.round.wishes.set(reminder.name, missed);
    else wishToRepeat(reminder, missed, wishes);
  }

  /** Hands over a repeating request. Returns whether it did. */
  handOverPattern(reminder, number, first, now, wishes) {
    const pattern = reminder.plan.patterns[number];
    reminder.failed = reminder.failed.filter((at) => at !== first);
    const occurrence = this.handOver(reminder, first, now, wishes, null, pattern);
    if (occurrence === null) return false;
    reminder.standing.entries.push({ occurrence, pattern, first });
    return true;
  }

  /**
   * A repeating request was denied, refused or dropped: it is requested again after the occurrence that is missed.
   */
  loseRepeat(reminder, occurrence, isFailure, now, wishes) {
    const { standing } = reminder;
    const entry = standing?.entries.find((entry) => entry.occurrence === occurrence);
    if (!entry) return;
    standing.entries = standing.entries.filter((other) => other !== entry);
    const zone = this.program.zoneNamed(now.zone);
    const missed = entry.first > now.wall ? entry.first : nextRepeat(entry.pattern, now.wall, zone);
    if (isFailure) this.hasFailed(reminder, missed, now);
    else standing.lostTo = Math.max(standing.lostTo, missed);
    wishToRepeat(reminder, Math.min(standing.wish, missed), wishes);
  }

  // Lapses: stages for the time while the app stays closed, scheduled ahead

  /**
   * Schedules the future stages unless that was done since the app was last opened; then only those that the system
   * refused.
   */
  planLapse(reminder, now, wishes, since = null) {
    const { plan, lapse: planned } = reminder;
    if (!plan.lapse || reminder.cancelled) return;
    reminder.failed = reminder.failed.filter((at) => at > now.wall);
    if (planned && (reminder.failed.length === 0 || this.hasJustFailed(reminder, now))) return;
    const zone = this.program.zoneNamed(now.zone);
    if (!planned) {
      reminder.lapse = { since: since ?? zone.day(now.wall), losses: false };
      reminder.failed = [];
    }
    for (const [stage, count] of plan.lapse.days.entries()) {
      const at = zone.at(reminder.lapse.since + count, plan.lapse.minute);
      // A snooze replaces stages before its end.
      if (at <= Math.max(now.wall, reminder.snoozedUntil ?? -FAR) || (planned && !reminder.failed.includes(at))) continue;
      if (at >= plan.expires) return;
      if (this.round) this.round.turns.push({ at, name: reminder.name, part: STAGE, number: stage });
      else this.handOverStage(reminder, stage, at, now, wishes);
    }
  }

  handOverStage(reminder, stage, at, now, wishes) {
    reminder.failed = reminder.failed.filter((other) => other !== at);
    if (this.handOver(reminder, at, now, wishes, stage) === null) reminder.lapse.losses = true;
  }

  /** Plans missing stages again, from the same opening. */
  completeLapse(reminder, now, wishes) {
    if (!reminder.lapse?.losses) return;
    const { since } = reminder.lapse;
    this.takeBackLapse(reminder, now, wishes);
    this.planLapse(reminder, now, wishes, since);
  }

  takeBackLapse(reminder, now, wishes) {
    if (!reminder.lapse) return;
    reminder.lapse = null;
    wishes.push(withdraw(reminder, "superseded"));
    reminder.forgetTurnsAfter(now);
    // The request of a snooze was removed with the stages.
    this.askAnewAfterSnoozes((one) => one === reminder, now, wishes);
  }
}

// Conditions

/** Returns the clocks at a later instant if they are not set. */
const foreseen = (at, now) => ({ ...now, wall: at, uptime: now.uptime + at - now.wall });

/** Returns when a notification that was due at an instant is of no use any more. */
const usefulUntil = (plan, due) => Math.min(plan.expires, plan.usefulFor === null ? FAR : due + plan.usefulFor);

const isWithdrawn = (plan, view) => plan.withdrawals.some((check) => check(view) === null);

/** Returns the first reason and all kinds of failed conditions, or null if all hold. */
function failures(plan, view) {
  let reason = null;
  const kinds = new Set();
  for (const { kind, check } of plan.conditions) {
    const failed = check(view);
    if (failed === null) continue;
    reason ??= failed;
    kinds.add(kind);
  }
  return reason && { reason, failed: KINDS.filter((kind) => kinds.has(kind)) };
}

module.exports = { Plans, failures, foreseen, usefulUntil };
