"use strict";
// The matcher: determines which reminders request a notification, and handles the person's actions.
//
// It receives events and returns wishes: requests for the cap scheduler, and effects. It asks no questions and has no
// clock: events contain everything it knows.

const { FAR, MINUTE, inWindow, isSameMoment, monthNumber, quotient, readInstant, weekday } = require("./civil.js");
const {
  Reminder, countsFrom, deliver, foresees, foreseesState, keepTurn, lookAgainAfterLosses, monitor,
  noRequest, pendingEntry, pendingOf, putOffTurns, remove, takeOut, wake, withdraw,
} = require("./memory.js");
const { Places, degrees, distance, point } = require("./places.js");
const { Plans, failures, foreseen, usefulUntil } = require("./plans.js");

const SUBJECT = { appOpened: "app", regionEntered: "region", regionExited: "region", factChanged: "fact" };
// Events after which other places may be needed.
const REVIEWED = new Set(["create", "edit", "cancel", "reinstalled", "factChanged"]);
// Events that are not remembered unless they trigger something.
const INERT = new Set([
  "unlock", "lock", "chargingStarted", "chargingStopped", "batteryLevel", "appOpened", "backgrounded",
  "regionFailed", "tapped", "dismissed", "acted", "preferencesChanged", "located",
  "deliveredElsewhere",
]);

// The number of earlier turns that are remembered, and the maximum delay by a journey of requests that are due by the
// clocks.
const [KEPT_TURNS, LONGEST_JOURNEY] = [40, 26 * 60 * MINUTE];

/** The key that an event and its triggers share: an app, a place or a fact counts. */
const triggerKey = (event, subject) => `${event} ${subject ?? ""}`;

/** Returns what changes when the wall clock is set or the phone boots: [boot, wall at boot]. */
const clocksOf = ({ wall, boot, uptime }) => [boot, wall - uptime];

/** The subjects of conditions at one moment. */
class View {
  constructor(now, zone, charging, inside, facts) {
    Object.assign(this, { now, zone, charging, inside, facts });
    this.day = zone.day(now.wall);
    this.weekday = weekday(this.day);
    this.hands = zone.hands(now.wall);
  }

  isOpen(window) {
    return inWindow(window, this.hands);
  }
}

class Reminders extends Plans {
  constructor(program) {
    super();
    this.program = program;
    this.weekStart = program.policy.weekStart;
    this.reminders = new Map();
    for (const plan of program.plans) {
      this.reminders.set(plan.reminder, new Reminder(plan, program.edits[plan.reminder] || {}));
    }
    this.listeners = new Map();
    for (const reminder of this.reminders.values()) {
      for (const plan of reminder.plans) {
        for (const key of new Set(plan.triggers.map((trigger) => triggerKey(...trigger)))) {
          if (!this.listeners.has(key)) this.listeners.set(key, []);
          this.listeners.get(key).push({ reminder, plan });
        }
      }
    }
    const having = (test) => [...this.reminders.values()].filter((reminder) => reminder.plans.some(test));
    const isNamed = (place) => having((plan) => plan.places.includes(place)).length > 0;
    this.watched = Object.keys(program.places).filter(isNamed);
    this.places = new Places(Object.fromEntries(this.watched.map((place) => [place, program.places[place]])));
    // The number of regions that the system monitors, and the regions entered according to the position, whose events
    // may still follow.
    this.regionCapacity = Infinity;
    this.entered = new Set();
    this.scheduled = having((plan) => plan.schedule);
    this.mayLapse = having((plan) => plan.lapse);
    this.expiring = having((plan) => plan.expires < FAR);
    this.repeating = having((plan) => plan.patterns.length > 0);
    // By fact: reminders whose withdrawal it may cause, and those whose future occurrences depend on it.
    const byFact = (test) =>
      new Map(Object.keys(program.facts).map((fact) => [fact, having((plan) => test(plan, fact))]));
    this.withdrawing = byFact((plan, fact) => plan.withdrawalFacts.has(fact));
    // Those whose schedule counts from it.
    this.counting = byFact((plan, fact) => countsFrom(plan) === fact);
    this.foreseeing = byFact(foresees);
    this.foreseeingState = having(foreseesState);
    // The number of later requests that the system keeps, the number that may be planned, and the number of deferred
    // requests that it has.
    this.capacity = Infinity;
    const most = ({ ahead, lapse, patterns }) => ahead + (lapse ? lapse.days.length : 0) + patterns.length;
    const plans = [...this.reminders.values()].flatMap((reminder) => reminder.plans);
    this.mostPending = plans.reduce((sum, plan) => sum + most(plan), 0);
    this.releases = 0;
    // Until this instant there is no room for the occurrences without room; the round that is being planned.
    this.fullUntil = -FAR;
    this.round = null;
    // When the system last refused a request, by reminder.
    this.failedAt = new Map();
    this.hadNoRoom = false;
    // Known only to the process, and not stored.
    this.charging = false;
    this.changed = false;
    // When everything was last planned, and the requests handed over then.
    this.plannedAt = null;
    this.fresh = [];
    this.load({ inside: [], choice: null, facts: {}, zone: null, reminders: {} });
  }

  get lapsing() {
    return this.mayLapse.filter((reminder) => reminder.plan.lapse);
  }

  // Storage

  /** Continues from the stored state. Reminders are identified by name. */
  load({ inside, choice, facts, zone, reminders }) {
    this.inside = new Set(inside);
    // The monitored places, if the system monitors fewer than reminders use and the app knows its position.
    this.choice = choice;
    // The places of waiting reminders, if the system monitors fewer than reminders use; the next expiry; and the
    // places of
    // expired reminders, which may have expired while no process was running.
    Object.assign(this, { needed: null, waiting: [], nextExpiry: FAR, expired: [] });
    this.facts = new Map(Object.entries(facts).filter(([name]) => Object.hasOwn(this.program.facts, name)));
    this.plannedZone = zone;
    for (const [name, reminder] of this.reminders) reminder.remember(reminders[name] || {});
    this.snoozed = new Set([...this.reminders.values()].filter((reminder) => reminder.isSnoozed));
  }

  save() {
    const memories = [...this.reminders].map(([name, reminder]) => [name, reminder.remembered()]);
    return {
      inside: [...this.inside].sort(),
      choice: this.choice,
      facts: Object.fromEntries(this.facts),
      zone: this.plannedZone,
      reminders: Object.fromEntries(memories.filter(([, memory]) => Object.keys(memory).length > 0)),
    };
  }

  // Events

  /** Processes one event and returns the wishes. */
  process(event, now) {
    if (this.needed === null) this.findNeeded(now);
    const isInVain = this.isInVain(event);
    const asked = this.look(event, now);
    const plans = [];
    this.follow(event, now, plans);
    this.reviewPlaces(event.event, now, plans);
    // Replaced plans are removed before the event's own trigger makes a request, which is not a plan.
    const asks = ({ name }) => asked.some((wish) => wish.request?.reminder === name);
    const isFirst = ({ event, reason, reminder: name }) =>
      event === "withdraw" && reason === "superseded" && asks({ name });
    const wishes = [...plans.filter(isFirst), ...asked, ...plans.filter((wish) => !isFirst(wish))];
    this.fillUp(event, now, wishes);
    const isInert = isInVain || INERT.has(event.event);
    if (!isInert || wishes.some((wish) => wish.event !== "noRequest")) this.changed = true;
    return wishes;
  }

  /** A command without effect: its reminder already exists, or does not. */
  isInVain({ event, reminder }) {
    if (!["snooze", "cancel", "create"].includes(event)) return false;
    return this.reminders.get(reminder).cancelled === (event !== "create");
  }

  /** Updates the state for an event, and makes the requests that it triggers. */
  look(event, now) {
    const kind = event.event;
    const wishes = [];
    let isKnown = false;
    this.passDeadlines(now);
    if (kind === "chargingStarted" || kind === "chargingStopped") {
      this.charging = kind === "chargingStarted";
    } else if (kind === "regionEntered") {
      // An initial enter is no arrival if the app knows it, except for reminders that expect it.
      isKnown = event.initial && this.inside.has(event.region);
      this.inside.add(event.region);
      if (!event.found && this.entered.delete(event.region)) return wishes;
    } else if (kind === "regionExited") {
      this.inside.delete(event.region);
      if (!event.found) this.entered.delete(event.region);
    } else if (kind === "factChanged" || kind === "factFound") {
      const value = this.program.factValue(event.fact, event.value);
      const view = this.view(now);
      const before = this.program.known(view, event.fact);
      // A late event states since when it holds.
      const age = event.age || 0;
      const since = { ...now, wall: now.wall - age, uptime: now.uptime - age };
      this.facts.set(event.fact, { value, since });
      if (this.program.known(view, event.fact) === before || kind === "factFound") return wishes;
    }
    // A state and not a change triggers nothing.
    if (event.found) return wishes;
    let listeners;
    // A late event uses the turn of its own day.
    let [day, due] = [null, null];
    if (kind === "woken") {
      const reminder = this.reminders.get(event.reminder);
      due = reminder ? this.dueWake(reminder, now) : null;
      if (due !== null) {
        day = this.program.zoneNamed(now.zone).day(due);
        listeners = [{ reminder, plan: reminder.plan }];
      }
    } else {
      listeners = this.listeners.get(triggerKey(kind, event[SUBJECT[kind]]));
    }
    if (listeners) {
      const view = this.view(now);
      const misses = [];
      for (const { reminder, plan } of listeners) {
        if (plan !== reminder.plan || (isKnown && !reminder.expectsEnter)) continue;
        this.lookAt(reminder, view, due, day ?? view.day, wishes, misses);
      }
      wishes.push(...misses);
    }
    return wishes;
  }

  /**
   * Evaluates a trigger: whether the reminder waits for the turn of that day, and whether its conditions hold. Those on
   * the time of day are evaluated for the occurrence that is due, if there is one.
   */
  lookAt(reminder, view, due, day, wishes, misses) {
    if (reminder.isSnoozed) {
      misses.push(noRequest(reminder, { reason: "snoozed", failed: [] }));
    } else if (this.isArmed(reminder) && !this.hasTurn(reminder, day)) {
      const failure = failures(reminder.plan, due === null ? view : this.view(view.now, due));
      if (failure) {
        misses.push(noRequest(reminder, failure));
        return;
      }
      const wish = this.ask(reminder, view, day, view.now);
      if (due !== null) {
        reminder.undecided = wish.request.occurrence;
        wish.request.expiresAt = usefulUntil(reminder.plan, due);
      }
      wishes.push(wish);
    }
  }

  /** Handles the other consequences of an event. */
  follow(event, now, wishes) {
    const reminder = this.reminders.get(event.reminder);
    switch (event.event) {
      case "launched":
        this.watchPlaces(wishes);
        this.planAll(now, wishes, true);
        break;
      case "located":
        this.located([event.latitudeE7, event.longitudeE7], now, wishes);
        break;
      case "factFound":
      case "factChanged":
        // A process plans for the first time after it has found its facts.
        if (event.event === "factFound" && !this.plannedAt) break;
        this.inOrderOfTime(now, wishes, () => {
          for (const counting of this.counting.get(event.fact)) this.countAnew(counting, now, wishes);
        });
        this.withdrawWithoutReason(event.fact, now, wishes);
        this.foreseeAnew(event.fact, now, wishes);
        break;
      case "clockChanged":
        for (const one of this.reminders.values()) {
          if (one.snoozeClocks && one.standing) wishes.push(wake(one, one.snoozedUntil));
        }
        this.planAll(now, wishes);
        break;
      case "zoneChanged":
        this.planAll(now, wishes);
        break;
      case "woken":
        if (!reminder) break;
        this.serveWake(reminder, now);
        this.plan(reminder, now, wishes);
        break;
      case "chargingStarted":
      case "chargingStopped":
      case "regionEntered":
      case "regionExited":
        // A state that is reported later than at the launch is a change like any other.
        if (event.found && (!this.plannedAt || isSameMoment(this.plannedAt, now))) {
          this.planAgain(now, wishes);
          break;
        }
        if (!event.found) {
          for (const { reminder, plan } of this.listeners.get(triggerKey("regionEntered", event.region)) || []) {
            if (plan === reminder.plan) reminder.expectsEnter = false;
          }
        }
        this.foreseeStateAnew(now, wishes);
        break;
      case "delivered":
        this.delivered(reminder, event.occurrence);
        this.replenish(reminder, now, wishes);
        break;
      case "snooze":
        this.snooze(reminder, readInstant(event.until), event.length > 0 ? clocksOf(now) : null, now, wishes);
        break;
      case "create":
        this.create(reminder, now, wishes);
        break;
      case "cancel":
        this.cancel(reminder, wishes);
        break;
      case "edit":
        this.edit(reminder, event.to, now, wishes);
        break;
      case "opened":
        this.opened(now, wishes);
        break;
      case "permissionChanged":
        this.permissionChanged(event.permission, now, wishes);
        break;
      case "preferencesChanged":
        this.preferencesChanged(event, now, wishes);
        break;
      case "addFailed":
        this.undo([{ reminder, occurrence: event.occurrence }], now, wishes, true);
        break;
      case "pendingDropped":
        this.dropped(reminder, event.occurrence, now, wishes);
        break;
      case "cancelAll":
        this.allTakenBack(now, wishes);
        break;
      case "reinstalled":
        this.reset(now, wishes);
        break;
    }
  }

  /**
   * Shifts the ends of snoozes for a length of time if the wall clock was set. The system shifts their requests. Only
   * the wall clock measures a length of time across a boot.
   */
  shiftSnoozes(now) {
    const clocks = clocksOf(now);
    for (const reminder of this.snoozed) {
      if (!reminder.snoozeClocks) continue;
      const [boot, begun] = reminder.snoozeClocks;
      if (boot === clocks[0] && begun === clocks[1]) continue;
      if (boot === now.boot) reminder.snoozedUntil += clocks[1] - begun;
      reminder.snoozeClocks = clocks;
      this.changed = true;
    }
  }

  /** Ends snoozes and expires reminders. */
  passDeadlines(now) {
    this.shiftSnoozes(now);
    for (const reminder of this.snoozed) {
      if (reminder.isSnoozed && reminder.snoozedUntil > now.wall) continue;
      this.snoozed.delete(reminder);
      if (!reminder.isSnoozed) continue;
      const { askedAgain, snoozedUntil } = reminder;
      if (askedAgain) reminder.missedAt(now).snooze = { ...askedAgain, at: snoozedUntil };
      if (reminder.lateness > 0 && askedAgain) reminder.deferredSnooze ??= { ...askedAgain, at: snoozedUntil };
      reminder.endSnooze(now);
    }
    for (const reminder of this.expiring) {
      // A reminder that does not exist yet has nothing to end.
      const isThere = !reminder.cancelled || !reminder.own.madeLater;
      if (reminder.plan.expires <= now.wall && isThere) reminder.expired = true;
    }
  }

  // Places

  /** A process starts: requests the regions to monitor. */
  watchPlaces(wishes) {
    if (this.needed.length <= this.regionCapacity) {
      const before = this.choice ? this.choice.watched : this.expired;
      this.unwatch(wishes);
      this.stopWatching(before.filter((place) => !this.needed.includes(place)), wishes);
      wishes.push(...this.needed.map(monitor));
      return;
    }
    if (!this.choice) {
      const first = this.needed.slice(0, this.regionCapacity);
      this.stopWatching(this.expired.filter((place) => !first.includes(place)), wishes);
      wishes.push(...first.map(monitor));
      this.sayLeftOut(this.needed.slice(this.regionCapacity), wishes);
      return;
    }
    const { watched, center } = this.choice;
    const isNeeded = (place) => this.needed.includes(place);
    if (watched.length !== Math.max(1, this.regionCapacity - 1) || !watched.every(isNeeded)) {
      // The app was updated, or a reminder has expired.
      this.choose(center, wishes);
    }
    this.watchAround(wishes);
    wishes.push(...this.choice.watched.map(monitor));
  }

  unwatch(wishes) {
    if (!this.choice) return;
    wishes.push({ event: "unwatch" });
    this.choice = null;
    this.changed = true;
  }

  /**
   * Determines the needed places. If there is room for all, they are needed. Otherwise only those of reminders that
   * exist, have not expired and are not suspended by the plan.
   */
  findNeeded(now) {
    Object.assign(this, { needed: this.watched, waiting: [], nextExpiry: FAR, expired: [] });
    if (this.watched.length <= this.regionCapacity) return;
    const view = this.view(now);
    const named = new Set();
    for (const reminder of this.reminders.values()) {
      const { plan } = reminder;
      if (reminder.cancelled) continue;
      if (plan.expires <= now.wall) {
        this.expired.push(...plan.places);
        continue;
      }
      this.nextExpiry = Math.min(this.nextExpiry, plan.expires);
      if (plan.conditions.some(({ kind, check }) => kind === "fact" && check(view) === "notEntitled")) continue;
      for (const place of plan.places) named.add(place);
      this.waiting.push(reminder.name);
    }
    this.needed = this.places.names.filter((place) => named.has(place));
  }

  /** Other places may be needed than before. */
  reviewPlaces(kind, now, wishes) {
    if (kind === "launched" || (!REVIEWED.has(kind) && now.wall < this.nextExpiry)) return;
    const known = this.needed;
    this.findNeeded(now);
    if (this.needed.join(" ") === known.join(" ")) return;
    const before = this.choice ? this.choice.watched : known.slice(0, this.regionCapacity);
    const isLeft = (place) => !known.includes(place) && !this.choice.watched.includes(place);
    if (this.choice && this.needed.length > this.regionCapacity) {
      this.choose(this.choice.center, wishes);
      this.sayLeftOut(this.needed.filter(isLeft), wishes);
      return;
    }
    this.unwatch(wishes);
    const after = this.needed.slice(0, this.regionCapacity);
    this.stopWatching(before.filter((place) => !after.includes(place)), wishes);
    wishes.push(...after.filter((place) => !before.includes(place)).map(monitor));
    const left = this.needed.slice(after.length);
    this.sayLeftOut(left.filter((place) => before.includes(place) || !known.includes(place)), wishes);
  }

  stopWatching(places, wishes) {
    for (const region of places) {
      wishes.push({ event: "unmonitor", region });
      // No event will report that it is left.
      this.inside.delete(region);
    }
  }

  /** The app observes its position and chooses again if it has left the circle around the last choice. */
  located(position, now, wishes) {
    if (this.needed.length <= this.regionCapacity) return;
    const here = point(degrees(position));
    const last = this.choice;
    const origin = last && point(degrees(last.center));
    if (last && distance(origin, here) < last.radius) return;
    const before = last ? last.watched : this.needed.slice(0, this.regionCapacity);
    this.choose(position, wishes);
    for (const place of this.choice.watched) {
      const isNew = !before.includes(place) && !this.inside.has(place);
      if (!isNew || this.places.way(place, here) >= 0) continue;
      // It is unknown how the phone entered a place in which it was at the last evaluation.
      if (last && this.places.way(place, origin) >= 0) {
        wishes.push(...this.look({ event: "regionEntered", region: place }, now));
        this.entered.add(place);
      } else {
        for (const { reminder, plan } of (!last && this.listeners.get(triggerKey("regionEntered", place))) || []) {
          if (plan === reminder.plan && !reminder.cancelled) reminder.expectsEnter = true;
        }
        this.inside.add(place);
      }
      this.foreseeStateAnew(now, wishes);
    }
  }

  choose(position, wishes) {
    const room = Math.max(1, this.regionCapacity - 1);
    const before = this.choice ? this.choice.watched : this.needed.slice(0, this.regionCapacity);
    this.choice = this.places.nearest(room, this.needed, position, this.choice, this.inside);
    this.changed = true;
    const { watched } = this.choice;
    const leaving = before.filter((place) => !watched.includes(place));
    this.stopWatching(leaving, wishes);
    this.watchAround(wishes);
    wishes.push(...watched.filter((place) => !before.includes(place)).map(monitor));
    this.sayLeftOut(leaving, wishes);
  }

  watchAround(wishes) {
    if (this.regionCapacity <= 1) return;
    const { center, radius } = this.choice;
    wishes.push({ event: "watch", latitudeE7: center[0], longitudeE7: center[1], radius });
  }

  /** Reports each waiting reminder that uses one of these places as left out. */
  sayLeftOut(places, wishes) {
    const said = new Set();
    for (const place of places) {
      for (const name of [...this.waiting].sort()) {
        const reminder = this.reminders.get(name);
        if (!reminder.plan.places.includes(place) || said.has(name)) continue;
        wishes.push(noRequest(reminder, { reason: "regionLimit", failed: [] }));
        said.add(name);
      }
    }
  }

  // Matching

  /** Returns the view at a moment, or the present state at the time of day of another instant. */
  view(now, wall = now.wall) {
    const zone = this.program.zoneNamed(now.zone);
    const view = new View({ ...now, wall }, zone, this.charging, this.inside, this.facts);
    view.now = now;
    return view;
  }

  /** Returns whether it can match again: not cancelled, snoozed, expired or spent. */
  isArmed(reminder) {
    const isSpent = reminder.plan.repeats === "once" && reminder.turns.length > 0;
    return !(reminder.cancelled || reminder.isSnoozed || isSpent || reminder.expired);
  }

  /** Returns whether it has matched in the day's period: ever, or in the local day, week or month. */
  hasTurn(reminder, day) {
    const { repeats } = reminder.plan;
    if (repeats === "always" || reminder.turns.length === 0) return false;
    const period = this.period(day, repeats);
    return reminder.turns.some((turn) => this.period(turn.day, repeats) === period);
  }

  period(day, repeats) {
    // Day 4 was a Monday.
    if (repeats === "weekly") return quotient(day - 4 - this.weekStart, 7);
    if (repeats === "monthly") return monthNumber(day);
    return repeats === "daily" ? day : 0;
  }

  /** Counts a match for a day and makes its request. The n-th request has the n-th text. */
  ask(reminder, view, day, now, stage = null, isAhead = false) {
    const { plan } = reminder;
    stage ??= this.stageOf(reminder, this.dueWake(reminder, view.now), view.now);
    const occurrence = reminder.occurrences++;
    if (plan.repeats !== "always" || plan.lapse) {
      // A clock change or a journey may repeat some days before today.
      const today = this.program.zoneNamed(now.zone).day(now.wall);
      const past = reminder.turns.filter((turn) => turn.day < today);
      reminder.turns = [...past.slice(-KEPT_TURNS), ...reminder.turns.filter((turn) => turn.day >= today)];
      for (const turn of isAhead ? [] : reminder.turns) {
        if (turn.at !== null && turn.at + MINUTE <= now.wall - LONGEST_JOURNEY) turn.at = null;
      }
      reminder.turns.push({ day, occurrence, at: isAhead ? null : view.now.wall, own: view.now.wall });
    }
    const isCritical = plan.criticals.length > 0 && plan.criticals.every((check) => check(view) === null);
    const request = {
      reminder: reminder.name,
      occurrence,
      type: plan.type,
      bucket: isCritical ? "critical" : plan.bucket,
      priority: plan.priority,
      copy: reminder.copy(stage ?? occurrence),
      scheduledFor: view.now.wall,
      deliverAt: view.now.wall,
      expiresAt: usefulUntil(plan, view.now.wall),
      floating: false,
      pattern: null,
    };
    return { event: "request", request };
  }

  /** The request was not submitted: its reminder waits as if there had been no trigger. */
  takeBack(request, now) {
    const reminder = this.reminders.get(request.reminder);
    reminder.occurrences--;
    reminder.isDecided(request.occurrence);
    if (!reminder.isSnoozed) reminder.forgetTurn(request.occurrence, now);
  }

  /** Evaluates a deferred request again, for the time of its release if that is in the future. */
  stillHolds(request, now) {
    if (this.reminders.get(request.reminder).isDeferredSnooze(request.occurrence)) return true;
    const then = request.deliverAt > now.wall ? foreseen(request.deliverAt, now) : now;
    return !failures(this.reminders.get(request.reminder).plan, this.view(then));
  }

  // Actions of the person

  /**
   * Snoozes a reminder. One that has made a request makes it again then, as the person's own wish. `clocks` is null
   * unless the person chose a length of time.
   */
  snooze(reminder, until, clocks, now, wishes) {
    const { plan } = reminder;
    if (reminder.cancelled || Math.min(until, plan.expires) <= now.wall) return;
    const putOff = this.takeBackLast(reminder, until, now, wishes);
    Object.assign(reminder, { snoozedUntil: until, askedAgain: null, snoozeClocks: clocks });
    this.snoozed.add(reminder);
    if (putOff && until < plan.expires) {
      this.askAgain(reminder, until, putOff, now, wishes);
      if (reminder.wake !== null && reminder.wake <= until) {
        // A wake-up before the end of the snooze is due at its end, once.
        reminder.wake = this.nextOf(reminder, until, now);
        wishes.push(wake(reminder, reminder.wake));
      }
    }
    // The schedule continues at the end of the snooze.
    if (reminder.ahead || reminder.standing) wishes.push(wake(reminder, until));
  }

  /**
   * {copy, standsFor} is the snoozed request: its text, and when its occurrence is due. `due` is the end of the snooze
   * if that is before `until`.
   */
  askAgain(reminder, until, { copy, standsFor }, now, wishes, due = until) {
    const { type, priority, expires } = reminder.plan;
    const occurrence = reminder.occurrences++;
    if (reminder.isSnoozed) reminder.askedAgain = { occurrence, copy, standsFor };
    this.makeRoomForOthers(now, wishes);
    const request = {
      reminder: reminder.name,
      occurrence,
      type,
      bucket: "user",
      priority,
      copy,
      scheduledFor: due,
      deliverAt: until,
      expiresAt: expires,
      floating: false,
      pattern: null,
    };
    if (reminder.snoozeClocks) request.elapsed = true;
    wishes.push({ event: "request", request });
  }

  /**
   * Removes the requests that a snooze replaces: the last shown one or that of an earlier snooze, and the scheduled
   * and deferred ones that would be shown before or when the snooze ends. Returns what to request again, as for
   * askAgain, or null.
   */
  takeBackLast(reminder, until, now, wishes) {
    deliver(reminder, now);
    const removed = pendingOf(reminder).filter(({ at }) => at <= until);
    if (reminder.ahead) reminder.ahead.pending = reminder.ahead.pending.filter(({ at }) => at > until);
    Object.assign(reminder, { failed: reminder.failed.filter((at) => at > until), failedSnooze: false, withdrawn: [] });
    for (const { occurrence } of removed) wishes.push(remove(reminder, occurrence, "superseded"));
    const snoozed = reminder.ahead?.snoozed ?? [];
    if (reminder.ahead) reminder.ahead.snoozed = [...snoozed.filter(({ at }) => at <= until), ...removed];
    if (reminder.isSnoozed && reminder.snoozedUntil > until) {
      this.bringBackSnoozed(reminder, snoozed.filter(({ at }) => at > until), until, now, wishes);
    }
    const isOpen = ({ at }) => at !== null && at > reminder.passed(now) && (at <= until || at === FAR);
    const open = reminder.turns.filter(isOpen);
    open.sort((a, b) => a.occurrence - b.occurrence);
    for (const turn of open) {
      // Its match stays because the snooze replaces its request.
      turn.at = null;
      wishes.push(remove(reminder, turn.occurrence, "superseded"));
    }
    const { undecided } = reminder;
    reminder.undecided = null;
    let overdue = null;
    if (undecided !== null) {
      const turn = reminder.openTurn(undecided);
      if (turn) turn.at = null;
      wishes.push(remove(reminder, undecided, "superseded"));
      const stage = this.stageOf(reminder, this.lastUntil(reminder, now.wall, now), now);
      overdue = { copy: reminder.copy(stage ?? undecided), standsFor: -FAR };
    }
    // The request of an ended snooze may be deferred by quiet hours.
    const earlier = reminder.askedAgain ?? reminder.openDeferredSnooze(reminder.passed(now));
    reminder.deferredSnooze = null;
    if (earlier) {
      wishes.push(remove(reminder, earlier.occurrence, "superseded"));
      // Its occurrence is not before this end, or has passed.
      if (earlier.standsFor <= until) return earlier;
    }
    if (reminder.shown === null) {
      if (overdue) return overdue;
      if (open.length > 0) return { copy: reminder.copy(open[open.length - 1].occurrence), standsFor: -FAR };
      const taken = reminder.ahead?.snoozed ?? [];
      if (taken.length > 0) {
        const { occurrence, at } = taken[taken.length - 1];
        return { copy: reminder.copy(this.stageOf(reminder, at, now) ?? occurrence), standsFor: at };
      }
      // No notification was shown for an occurrence that is overdue, or will be when the snooze ends.
      const last = this.lastUntil(reminder, until, now);
      if (last === null) return null;
      // It is deferred, and shown later than that.
      if (last <= now.wall && putOffTurns(reminder, now).length > 0) return null;
      return { copy: reminder.copy(this.stageOf(reminder, last, now) ?? 0), standsFor: last };
    }
    const isRepeated = reminder.standing?.entries.some((entry) => entry.occurrence === reminder.shown);
    // The system has one repeating request for past and future occurrences, so it stays.
    if (!isRepeated) wishes.push(remove(reminder, reminder.shown, "superseded"));
    return overdue ?? { copy: reminder.copy(reminder.shown), standsFor: -FAR };
  }

  /** Restores occurrences that a longer snooze removed and that are due after its new end. */
  bringBackSnoozed(reminder, entries, until, now, wishes) {
    for (const { occurrence } of entries) reminder.forgetTurn(occurrence, now);
    if (reminder.ahead) reminder.ahead.lookedTo = Math.min(reminder.ahead.lookedTo, until);
    const isWokenFor = reminder.plan.schedule && reminder.plan.ahead === 0;
    if (!isWokenFor || (reminder.wake !== null && reminder.wake <= until)) return;
    reminder.wake = this.nextOf(reminder, until, now);
    wishes.push(wake(reminder, reminder.wake));
  }

  cancel(reminder, wishes) {
    if (reminder.cancelled) return;
    Object.assign(reminder, { cancelled: true, snoozedUntil: null, askedAgain: null, deferredSnooze: null });
    reminder.snoozeClocks = null;
    reminder.expectsEnter = false;
    Object.assign(reminder, { ahead: null, standing: null, leftOut: null, undecided: null });
    Object.assign(reminder, { failed: [], failedSnooze: false, withdrawn: [] });
    for (const turn of reminder.turns) turn.at = null;
    wishes.push(withdraw(reminder, "cancelled"), wake(reminder, null));
  }

  /**
   * Replaces the declaration, and removes what the old one shows. The reminder waits again, and its requests continue
   * to be numbered.
   */
  edit(reminder, name, now, wishes) {
    if (!reminder.edits[name]) return;
    wishes.push(withdraw(reminder, "superseded"), { event: "removeShown", reminder: reminder.name });
    this.beginAnew(reminder, name, now, wishes);
  }

  /** Creates a reminder, which waits as declared. */
  create(reminder, now, wishes) {
    if (reminder.cancelled) this.beginAnew(reminder, null, now, wishes);
  }

  beginAnew(reminder, edit, now, wishes) {
    reminder.remember({ edit, cancelled: false, occurrences: reminder.occurrences });
    reminder.undecided = null;
    if (!this.countAnew(reminder, now, wishes)) this.plan(reminder, now, wishes);
    // Registered again, the system reports that the phone is already there.
    const enters = reminder.plan.triggers.filter(([event]) => event === "regionEntered");
    for (const place of new Set(enters.map(([, place]) => place))) {
      if (!this.inside.has(place)) continue;
      reminder.expectsEnter = true;
      wishes.push({ event: "unmonitor", region: place }, monitor(place));
    }
  }

  /**
   * The app was reinstalled. Requests continue to be numbered, so that they differ from earlier ones. Facts belong to
   * the account and the system.
   */
  reset(now, wishes) {
    for (const reminder of this.reminders.values()) {
      reminder.remember({ occurrences: reminder.occurrences });
      reminder.undecided = null;
    }
    Object.assign(this, { inside: new Set(), charging: false, plannedZone: null, plannedAt: null });
    Object.assign(this, { entered: new Set(), fullUntil: -FAR });
    this.planAll(now, wishes);
  }

  /** The app observed that a request was shown. */
  delivered(reminder, occurrence) {
    reminder.isDecided(occurrence);
    const turn = reminder.openTurn(occurrence);
    if (turn) turn.at = -FAR;
    const entry = reminder.standing?.entries.find((entry) => entry.occurrence === occurrence);
    if (entry) entry.first = -FAR;
    const { ahead } = reminder;
    if (ahead) ahead.pending = ahead.pending.filter((entry) => entry.occurrence !== occurrence);
    if (reminder.isDeferredSnooze(occurrence)) reminder.deferredSnooze = null;
    reminder.wasShown(occurrence);
  }

  // Requests that come to nothing

  /**
   * Processes the scheduler's answers. A match is kept only if its request is admitted or deferred: a denied request
   * does not use the turn. Cancelled and replaced ones do.
   */
  settled(answers, now, wishes) {
    const [lost, failed] = [[], []];
    for (const answer of answers) {
      if (!["decided", "dropped", "remove"].includes(answer.event)) continue;
      const { outcome, reason } = answer;
      const { reminder: name, occurrence, deliverAt, scheduledFor } = answer.request || answer;
      const reminder = this.reminders.get(name);
      if (answer.event !== "remove") reminder.isDecided(occurrence);
      if (outcome === "deny") {
        lost.push({ reminder, occurrence });
        if (reason === "lapseCap" && reminder.ahead) reminder.ahead.lostToLapse = true;
      } else if (outcome === "fail") {
        failed.push({ reminder, occurrence });
      } else if (outcome === "defer" || (outcome === undefined && reason === "quietHours")) {
        this.putOff(reminder, occurrence, scheduledFor, now, wishes);
      } else if (outcome === "admit") {
        const delivery = Math.max(now.wall, deliverAt);
        if (delivery === now.wall) reminder.wasShown(occurrence);
        // It was deferred.
        if (scheduledFor < delivery) {
          if (reminder.isDeferredSnooze(occurrence)) reminder.deferredSnooze = { ...reminder.deferredSnooze, at: deliverAt };
          keepTurn(reminder, occurrence, delivery);
        }
      } else if (reason !== "cancelled" && reason !== "superseded") {
        if (answer.event === "remove" && reason === "userDisabled") this.keepForbidden(reminder, occurrence, now);
        if (answer.event === "remove" && reason === "staleAtRelease") this.keepStale(reminder, occurrence, now, wishes);
        else lost.push({ reminder, occurrence });
      }
    }
    if (lost.length > 0) this.undo(lost, now, wishes);
    if (failed.length > 0) this.undo(failed, now, wishes, true);
  }

  /** A request is deferred, possibly again: its delivery time is unknown. */
  putOff(reminder, occurrence, own, now, wishes) {
    if (reminder.askedAgain?.occurrence === occurrence) {
      const { copy } = reminder.askedAgain;
      reminder.deferredSnooze = { occurrence, copy, at: FAR };
    }
    if (reminder.isDeferredSnooze(occurrence)) return;
    const entry = pendingEntry(reminder, occurrence);
    if (entry) {
      // It may be shown when later occurrences have been due, which must not wait for it.
      entry.deliveredAt = FAR;
      this.wishUnlessFollowed(reminder, now, wishes);
      return;
    }
    const turn = reminder.turns.find((turn) => turn.occurrence === occurrence);
    if (turn) {
      turn.at = FAR;
    } else {
      // Reminders without further turns did not record one for this request.
      const day = this.program.zoneNamed(now.zone).day(now.wall);
      reminder.turns = [...reminder.turns.slice(-KEPT_TURNS), { day, occurrence, at: FAR, own }];
    }
  }

  /**
   * Requests will not be delivered: their reminders wait as if there had been no triggers. Refused plans are
   * requested again with the next plans.
   */
  undo(lost, now, wishes, isFailure = false) {
    this.changed = true;
    for (const { reminder, occurrence } of lost) {
      const turn = reminder.openTurn(occurrence);
      const isAskedAgain = reminder.askedAgain?.occurrence === occurrence;
      if (isFailure && (isAskedAgain || reminder.isDeferredSnooze(occurrence))) this.snoozeHasFailed(reminder, now);
      if (isFailure && reminder.plan.lapse && turn) this.hasFailed(reminder, turn.at, now);
      if (turn) reminder.forgetTurn(occurrence, now);
    }
    for (const { reminder, occurrence } of lost) {
      if (reminder.shown === occurrence) reminder.shown = null;
      if (reminder.lapse) reminder.lapse.losses = true;
      this.loseOccurrence(reminder, occurrence, isFailure, now, wishes);
      this.loseRepeat(reminder, occurrence, isFailure, now, wishes);
    }
  }

  /** A scheduled occurrence will not be shown: the schedule continues after those that are pending. */
  loseOccurrence(reminder, occurrence, isFailure, now, wishes) {
    const { ahead } = reminder;
    const entry = pendingEntry(reminder, occurrence);
    if (!entry) return;
    takeOut(reminder, [entry], now);
    if (isFailure && entry.at > now.wall) this.hasFailed(reminder, entry.at, now);
    else ahead.lostTo = Math.max(ahead.lostTo, entry.at);
    // Later occurrences were skipped because the reminder had had its turn.
    if (reminder.plan.repeats !== "always") lookAgainAfterLosses(ahead);
    this.wishUnlessFollowed(reminder, now, wishes);
  }
}

module.exports = { Reminders };
