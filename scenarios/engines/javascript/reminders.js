"use strict";
// The matcher: which reminders ask for a notification, and what is planned beforehand.
//
// It is told events and answers with wishes: requests for the cap scheduler, and effects. It asks nobody
// anything and has no clock: everything it knows was told.

const { FAR, inWindow, isSameMoment, monthNumber, nextRepeat, quotient } = require("./civil.js");
const { readInstant, weekday } = require("./civil.js");
const { Places, degrees, distance, point } = require("./places.js");

const ALLOWING = ["authorized", "provisional", "ephemeral"];
const KINDS = ["timeWindow", "weekdays", "region", "charging", "fact"];
// Conditions on what a process finds out when it begins.
const OF_STATE = ["region", "charging"];
const SUBJECT = { appOpened: "app", regionEntered: "region", regionExited: "region", factChanged: "fact" };
// After these other places may be needed.
const REVIEWED = new Set(["create", "edit", "cancel", "reinstalled", "factChanged"]);
// What happens outside of our app.
const OUTSIDE = new Set([
  "unlock", "lock", "chargingStarted", "chargingStopped", "batteryLevel", "appOpened", "backgrounded",
  "regionEntered", "regionExited", "regionFailed", "located",
]);
// Events of which nothing is remembered unless they trigger something.
const INERT = new Set([
  "unlock", "lock", "chargingStarted", "chargingStopped", "batteryLevel", "appOpened", "backgrounded",
  "regionFailed", "tapped", "dismissed", "acted", "preferencesChanged", "located",
  "deliveredElsewhere",
]);

/** What an event and a trigger must have in common: an app, a place or a fact counts. */
const triggerKey = (event, subject) => `${event} ${subject ?? ""}`;

/** What conditions are about, at one moment. */
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

// A turn is a match that counts for a day: {day, occurrence, at}, `at` being when it is delivered. `shown` is
// the request shown last, `ahead` what was handed over of a schedule, `lapse` which stages were planned for
// the time without the app, `standing` what the system was asked to repeat: {occurrence, pattern, first}, its
// first time being -FAR once the app knows that it has come, `leftOut` the occurrence for which there was no
// room.
const fresh = () => ({
  occurrences: 0,
  turns: [],
  edit: null,
  snoozedUntil: null,
  shown: null,
  wake: null,
  ahead: null,
  lapse: null,
  standing: null,
  leftOut: null,
  // The value of the fact from which its schedule counts, and the day of it.
  countedFrom: null,
});

/** A reminder and what is remembered of it. */
class Reminder {
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
      key === "turns" ? this.turns.length > 0 : this[key] !== start[key],
    );
    return Object.fromEntries(changed.map((key) => [key, this[key]]));
  }

  get isSnoozed() {
    return this.snoozedUntil !== null;
  }

  forgetTurn(occurrence) {
    this.turns = this.turns.filter((turn) => turn.occurrence !== occurrence);
  }

  /** A request was shown. One that this installation does not know is not its own. */
  wasShown(occurrence) {
    if (occurrence < this.occurrences) this.shown = occurrence;
  }

  forgetTurnsAfter(wall) {
    this.turns = this.turns.filter((turn) => turn.at <= wall);
  }

  postponeTurn(occurrence, at) {
    for (const turn of this.turns) if (turn.occurrence === occurrence) turn.at = at;
  }
}

class Reminders {
  constructor(program) {
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
    // How many regions the system watches, and those entered by where the app is, of which it may tell yet.
    this.regionCapacity = Infinity;
    this.entered = new Set();
    this.scheduled = having((plan) => plan.schedule);
    this.lapsing = having((plan) => plan.lapse);
    this.repeating = having((plan) => plan.patterns.length > 0);
    // By fact: whose reason its value may end, and on which occurrences to come it may bear.
    const byFact = (test) =>
      new Map(Object.keys(program.facts).map((fact) => [fact, having((plan) => test(plan, fact))]));
    this.withdrawing = byFact((plan, fact) => plan.withdrawalFacts.has(fact));
    // Which count their days from it.
    this.counting = byFact((plan, fact) => countsFrom(plan) === fact);
    this.foreseeing = byFact(
      (plan, fact) =>
        handsOver(plan) && (plan.conditionFacts.has(fact) || plan.withdrawalFacts.has(fact)),
    );
    this.foreseeingState = having(
      (plan) => handsOver(plan) && plan.conditions.some(({ kind }) => OF_STATE.includes(kind)),
    );
    // How many requests for later the system keeps, and how many may be planned; how many it has that were put
    // off until quiet hours end.
    this.capacity = Infinity;
    const most = ({ ahead, lapse, patterns }) => ahead + (lapse ? lapse.days.length : 0) + patterns.length;
    const plans = [...this.reminders.values()].flatMap((reminder) => reminder.plans);
    this.mostPending = plans.reduce((sum, plan) => sum + most(plan), 0);
    this.releases = 0;
    // Before this instant there is no room for what was left out; what is to be replenished together.
    this.fullUntil = -FAR;
    this.batch = null;
    // By name, when the system has not taken something of a reminder last.
    this.failedAt = new Map();
    this.hadNoRoom = false;
    // What only the process knows, and what is stored beside the reminders.
    this.charging = false;
    this.changed = false;
    // When everything was planned last, and what was handed over then.
    this.plannedAt = null;
    this.fresh = [];
    this.load({ inside: [], choice: null, facts: {}, zone: null, reminders: {} });
  }

  // Storage

  /** Goes on from what was stored. Reminders are found again by name. */
  load({ inside, choice, facts, zone, reminders }) {
    this.inside = new Set(inside);
    // What is watched, where the system watches less than reminders name and the app knows where it is.
    this.choice = choice;
    // The places of those that wait, where the system watches less than reminders name; when one expires next.
    Object.assign(this, { needed: null, waiting: [], nextExpiry: FAR });
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

  /** Takes one event; returns what is wished for. */
  process(event, now) {
    if (this.needed === null) this.findNeeded(now);
    const wishes = this.look(event, now);
    this.follow(event, now, wishes);
    this.reviewPlaces(event.event, now, wishes);
    this.fillUp(event, now, wishes);
    if (!INERT.has(event.event) || wishes.some((wish) => wish.event !== "noRequest")) this.changed = true;
    return wishes;
  }

  /** Takes in what an event says, and asks for what it triggers. */
  look(event, now) {
    const kind = event.event;
    const wishes = [];
    this.endSnoozes(now);
    if (kind === "chargingStarted" || kind === "chargingStopped") {
      this.charging = kind === "chargingStarted";
    } else if (kind === "regionEntered") {
      this.inside.add(event.region);
      if (!event.found && this.entered.delete(event.region)) return wishes;
    } else if (kind === "regionExited") {
      this.inside.delete(event.region);
      if (!event.found) this.entered.delete(event.region);
    } else if (kind === "factChanged" || kind === "factFound") {
      const value = this.program.factValue(event.fact, event.value);
      const view = this.view(now);
      const before = this.program.known(view, event.fact);
      // It is told late, and says since when it holds.
      const age = event.age || 0;
      const since = { ...now, wall: now.wall - age, uptime: now.uptime - age };
      this.facts.set(event.fact, { value, since });
      if (this.program.known(view, event.fact) === before || kind === "factFound") return wishes;
    }
    // A state and not a change: it triggers nothing.
    if (event.found) return wishes;
    let listeners;
    if (kind === "woken") {
      const reminder = this.reminders.get(event.reminder);
      const isDue = reminder && reminder.wake !== null && reminder.wake <= now.wall;
      listeners = isDue ? [{ reminder, plan: reminder.plan }] : undefined;
    } else {
      listeners = this.listeners.get(triggerKey(kind, event[SUBJECT[kind]]));
    }
    if (listeners) {
      const view = this.view(now);
      const misses = [];
      for (const { reminder, plan } of listeners) {
        if (plan === reminder.plan) this.lookAt(reminder, view, wishes, misses);
      }
      wishes.push(...misses);
    }
    return wishes;
  }

  /** A trigger has come: does the reminder wait for it, and do its conditions hold? */
  lookAt(reminder, view, wishes, misses) {
    if (reminder.isSnoozed) {
      misses.push(noRequest(reminder, { reason: "snoozed", failed: [] }));
    } else if (this.isArmed(reminder, view.now) && !this.hasTurn(reminder, view.day)) {
      const failure = failures(reminder.plan, view);
      if (failure) misses.push(noRequest(reminder, failure));
      else wishes.push(this.ask(reminder, view, view.day));
    }
  }

  /** Does what an event asks for beside the triggers. */
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
      case "factChanged":
        for (const counting of this.counting.get(event.fact)) this.countAnew(counting, now, wishes);
        this.withdrawWithoutReason(event.fact, now, wishes);
        this.foreseeAnew(event.fact, now, wishes);
        break;
      case "zoneChanged":
      case "clockChanged":
        this.planAll(now, wishes);
        break;
      case "woken":
        if (!reminder) break;
        if (reminder.wake !== null && reminder.wake <= now.wall) reminder.wake = null;
        this.plan(reminder, now, wishes);
        break;
      case "chargingStarted":
      case "chargingStopped":
      case "regionEntered":
      case "regionExited":
        if (event.found) {
          this.planAgain(now, wishes);
        } else {
          for (const foreseeing of this.foreseeingState) {
            if (!foreseeing.cancelled) this.lookAhead(foreseeing, now, wishes);
          }
        }
        break;
      case "delivered":
        this.delivered(reminder, event.occurrence);
        this.replenish(reminder, now, wishes);
        break;
      case "snooze":
        this.snooze(reminder, readInstant(event.until), now, wishes);
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
        for (const repeating of this.repeating) this.bringBackRepeats(repeating, now, wishes);
        this.inOrderOfTime(now, wishes, () => {
          for (const scheduled of this.scheduled) {
            this.bringBack(scheduled, now, wishes);
            this.replenish(scheduled, now, wishes);
          }
        });
        for (const lapsing of this.lapsing) {
          this.takeBackLapse(lapsing, now, wishes);
          this.planLapse(lapsing, now, wishes);
        }
        break;
      case "permissionChanged":
        this.permissionChanged(event.permission, now, wishes);
        break;
      case "addFailed":
      case "pendingDropped":
        this.undo([{ reminder, occurrence: event.occurrence }], now, wishes, event.event === "addFailed");
        break;
      case "cancelAll":
        for (const lapsing of this.lapsing) lapsing.forgetTurnsAfter(now.wall);
        for (const repeating of this.repeating) takeBackRepeats(repeating, wishes);
        for (const scheduled of this.scheduled) {
          takeBackAll(scheduled, now);
          this.wishAfterLoss(scheduled, now, wishes);
        }
        break;
      case "reinstalled":
        this.reset(now, wishes);
        break;
    }
  }

  endSnoozes(now) {
    for (const reminder of this.snoozed) {
      if (reminder.isSnoozed && reminder.snoozedUntil > now.wall) continue;
      reminder.snoozedUntil = null;
      this.snoozed.delete(reminder);
    }
  }

  // Places

  /** A process starts: asks for what is to be watched. */
  watchPlaces(wishes) {
    if (this.needed.length <= this.regionCapacity) {
      this.unwatch(wishes);
      wishes.push(...this.needed.map(monitor));
      return;
    }
    if (!this.choice) {
      const first = this.needed.slice(0, this.regionCapacity);
      wishes.push(...first.map(monitor));
      this.sayLeftOut(this.needed.slice(this.regionCapacity), wishes);
      return;
    }
    const { watched, center } = this.choice;
    const isNeeded = (place) => this.needed.includes(place);
    if (watched.length !== Math.max(1, this.regionCapacity - 1) || !watched.every(isNeeded)) {
      // The app was updated, or something has expired.
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
   * Which places are needed: where there is room for all that reminders name, it is all of them; else those of
   * reminders that exist, have not expired, and do not sleep for want of a plan.
   */
  findNeeded(now) {
    Object.assign(this, { needed: this.watched, waiting: [], nextExpiry: FAR });
    if (this.watched.length <= this.regionCapacity) return;
    const view = this.view(now);
    const named = new Set();
    for (const reminder of this.reminders.values()) {
      const { plan } = reminder;
      if (reminder.cancelled || plan.expires <= now.wall || plan.places.length === 0) continue;
      this.nextExpiry = Math.min(this.nextExpiry, plan.expires);
      if (plan.conditions.some(({ kind, check }) => kind === "fact" && check(view) === "notEntitled")) continue;
      for (const place of plan.places) named.add(place);
      this.waiting.push(reminder.name);
    }
    this.needed = this.places.names.filter((place) => named.has(place));
  }

  /** Others may be needed than before. */
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
      // Nobody will tell when it is left.
      this.inside.delete(region);
    }
  }

  /** The app learns where it is: it chooses again when it has left the circle around the last choice. */
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
      // Nobody knows how the phone came into a place that it was in when it was looked at last.
      if (last && this.places.way(place, origin) >= 0) {
        wishes.push(...this.look({ event: "regionEntered", region: place }, now));
        this.entered.add(place);
      } else {
        this.inside.add(place);
      }
      for (const foreseeing of this.foreseeingState) {
        if (!foreseeing.cancelled) this.lookAhead(foreseeing, now, wishes);
      }
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

  /** Says of each reminder that names one of these, and waits, that it is left out. */
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

  view(now) {
    return new View(now, this.program.zoneNamed(now.zone), this.charging, this.inside, this.facts);
  }

  /** Whether it may match again some day: not taken back, put off, expired or spent. */
  isArmed(reminder, now) {
    const isSpent = reminder.plan.repeats === "once" && reminder.turns.length > 0;
    const isOver = reminder.plan.expires <= now.wall;
    return !(reminder.cancelled || reminder.isSnoozed || isSpent || isOver);
  }

  /** Whether it has matched in the day's period: once, or once in each local day, week or month. */
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

  /** Counts a match, and makes the request for it. The n-th shows the n-th text. */
  ask(reminder, view, today, stage = null) {
    const { plan } = reminder;
    stage ??= this.stageOf(reminder, reminder.wake, view.now);
    const occurrence = reminder.occurrences++;
    if (plan.repeats !== "always" || plan.lapse) {
      // Of the turns before today the last is enough: each has a period of its own.
      const past = reminder.turns.filter((turn) => turn.day < today);
      reminder.turns = [...past.slice(-1), ...reminder.turns.filter((turn) => turn.day >= today)];
      reminder.turns.push({ day: view.day, occurrence, at: view.now.wall });
    }
    const isCritical = plan.criticals.length > 0 && plan.criticals.every((check) => check(view) === null);
    const request = {
      reminder: reminder.name,
      occurrence,
      type: plan.type,
      bucket: isCritical ? "critical" : plan.bucket,
      priority: plan.priority,
      copy: Math.min(stage ?? occurrence, plan.copies - 1, 255),
      scheduledFor: view.now.wall,
      deliverAt: view.now.wall,
      expiresAt: Math.min(plan.expires, plan.usefulFor === null ? FAR : view.now.wall + plan.usefulFor),
      floating: false,
      pattern: null,
    };
    return { event: "request", request };
  }

  /** Nobody was told of a request: its reminder waits as if the trigger had not come. */
  takeBack(request) {
    const reminder = this.reminders.get(request.reminder);
    reminder.occurrences--;
    reminder.forgetTurn(request.occurrence);
  }

  /** Asked again of a request that was put off: as for its release, if that is to come. */
  stillHolds(request, now) {
    const then = request.deliverAt > now.wall ? foreseen(request.deliverAt, now) : now;
    return !failures(this.reminders.get(request.reminder).plan, this.view(then));
  }

  // Schedules: woken at the next occurrence, or some occurrences handed over beforehand

  /** At launch, and when the zone or the wall clock has changed. */
  planAll(now, wishes, isLaunch = false) {
    if (!isSameMoment(this.plannedAt, now)) [this.plannedAt, this.fresh] = [now, []];
    if (this.plannedZone && this.plannedZone !== now.zone) this.move(this.plannedZone, now, wishes);
    this.inOrderOfTime(now, wishes, () => {
      for (const reminder of this.scheduled) {
        if (reminder.cancelled) continue;
        // What the app would have been woken for before a launch is past.
        if (isLaunch && reminder.wake !== null && reminder.wake <= now.wall) reminder.wake = null;
        if (!this.countAnew(reminder, now, wishes)) this.plan(reminder, now, wishes);
      }
    });
    this.plannedZone = now.zone;
    for (const reminder of this.lapsing) this.planLapse(reminder, now, wishes);
    for (const reminder of this.repeating) this.planRepeats(reminder, now, wishes);
  }

  /** The phone has come to another zone: what was handed over keeps its local time there. */
  move(zone, now, wishes) {
    const [from, to] = [this.program.zoneNamed(zone), this.program.zoneNamed(now.zone)];
    const moved = (instant) => (Math.abs(instant) >= FAR ? instant : to.first(from.wall(instant)));
    for (const reminder of this.scheduled) {
      const { ahead } = reminder;
      if (ahead) {
        for (const entry of ahead.pending) {
          entry.at = moved(entry.at);
          reminder.postponeTurn(entry.occurrence, entry.at);
        }
        for (const key of ["lookedTo", "takenBackTo", "lostTo"]) ahead[key] = moved(ahead[key]);
        ahead.failed = ahead.failed.map(moved);
        const isLate = ({ at }) => at >= reminder.plan.expires && at > now.wall;
        for (const { occurrence } of ahead.pending.filter(isLate)) {
          wishes.push(remove(reminder, occurrence, "expiredAtRelease"));
          reminder.forgetTurn(occurrence);
        }
        ahead.pending = ahead.pending.filter((entry) => !isLate(entry));
        // Of what was delivered before the journey the app was told before it.
        deliver(reminder, now.wall);
      }
      if (reminder.wake !== null && reminder.wake > now.wall) reminder.wake = null;
    }
    for (const reminder of this.lapsing) {
      // Also those that the clocks have passed, of whose delivery the app was not told.
      for (const turn of reminder.turns) turn.at = moved(turn.at);
      const { expires } = reminder.plan;
      if (expires >= FAR) continue;
      const late = reminder.turns.filter(({ at }) => at >= expires && at > now.wall);
      for (const { occurrence } of late.sort((one, other) => other.occurrence - one.occurrence)) {
        wishes.push(remove(reminder, occurrence, "expiredAtRelease"));
        reminder.forgetTurn(occurrence);
      }
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

  /** Where the clock was set back a little, what comes before the wake-up has been due already. */
  nextWake(reminder, now) {
    if (reminder.wake !== null) {
      const tomorrow = this.nextOf(reminder, now.wall + 86_400_000, now);
      if (reminder.wake <= now.wall || tomorrow === null || tomorrow >= reminder.wake) return reminder.wake;
    }
    return this.nextOf(reminder, now.wall, now);
  }

  /** The first occurrence of its schedule after an instant; null when there is none. */
  nextOf({ plan, countedFrom }, instant, now) {
    return plan.schedule.next(instant + 1, this.program.zoneNamed(now.zone), countedFrom && countedFrom.day);
  }

  /**
   * Where the fact from which a schedule counts has another value, what is pending, put off or visible has ended,
   * and everything is planned from the new one. Returns whether it was.
   */
  countAnew(reminder, now, wishes) {
    const fact = countsFrom(reminder.plan);
    if (!fact) return false;
    const view = this.view(now);
    const known = reminder.countedFrom;
    const value = this.program.known(view, fact);
    if (value === (known ? known.value : null)) return false;
    reminder.countedFrom = value === null ? null : { value, day: this.program.dayOf(view, fact) };
    if (reminder.cancelled) return true;
    if (known) {
      deliver(reminder, now.wall);
      if (reminder.ahead) takeOut(reminder, reminder.ahead.pending);
      // Where nobody knows it any more, nothing takes the place of what is pending.
      if (reminder.occurrences > 0) wishes.push(withdraw(reminder, value === null ? "cancelled" : "superseded"));
      if (reminder.shown !== null && value !== null) {
        wishes.push(remove(reminder, reminder.shown, "superseded"));
        reminder.shown = null;
      }
      Object.assign(reminder, { leftOut: null, snoozedUntil: null });
    }
    Object.assign(reminder, { ahead: null, wake: null });
    this.plan(reminder, now, wishes);
    return true;
  }

  /** Which text an occurrence shows: that of its day; null: by how often it was asked for. */
  stageOf({ plan, countedFrom }, at, now) {
    if (!countsFrom(plan) || !countedFrom || at === null) return null;
    const position = plan.schedule.position(at, this.program.zoneNamed(now.zone), countedFrom.day);
    return position < 0 ? null : position;
  }

  /**
   * Hands occurrences over until as many as the schedule says are ahead of now. When none is pending then,
   * nothing would bring the schedule up again: the app asks to be woken at the last.
   */
  replenish(reminder, now, wishes) {
    if (this.batch !== null) {
      this.batch.push(reminder);
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
    const none = { pending: [], lookedTo: -FAR, takenBackTo: -FAR, lostTo: -FAR, failed: [], wish: false };
    reminder.ahead ??= none;
    deliver(reminder, now.wall);
    reminder.ahead.failed = reminder.ahead.failed.filter((at) => at > now.wall);
    const next = this.occurrenceAfter(reminder, Math.max(now.wall, reminder.ahead.takenBackTo), now);
    return { reminder, left: plan.ahead, next, isCut: false };
  }

  occurrenceAfter(reminder, instant, now) {
    const at = this.nextOf(reminder, instant, now);
    return at === null || at >= reminder.plan.expires ? null : at;
  }

  /** Looks at one occurrence. Returns whether there is another. */
  lookOn(look, now, wishes) {
    const { reminder, next: at } = look;
    if (look.left === 0 || at === null) return false;
    const { ahead } = reminder;
    const hasFailed = ahead.failed.includes(at);
    // The system would say the same again.
    if (hasFailed && this.failedAt.get(reminder.name) === now.wall) return false;
    if (at > ahead.lookedTo || hasFailed) {
      ahead.failed = ahead.failed.filter((other) => other !== at);
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
        ahead.pending.push({ occurrence, at });
        ahead.pending.sort((one, other) => one.at - other.at);
      }
    }
    look.left--;
    look.next = this.occurrenceAfter(reminder, at, now);
    return true;
  }

  endLook({ reminder, isCut }, now, wishes) {
    const lookedTo = lookedToOf(reminder.ahead);
    if (!isCut) reminder.leftOut = null;
    this.wish(reminder, lookedTo > now.wall ? lookedTo : null, now, wishes);
  }

  // What is handed over within what the system keeps: what is due next goes before what is due later

  /** Whether so much may be planned that there is too little room. */
  get isTight() {
    return this.mostPending + this.snoozed.size + this.releases > this.capacity;
  }

  /** What is to be replenished in the body is replenished after it, what is due next first. */
  inOrderOfTime(now, wishes, body) {
    if (!this.isTight || this.batch !== null) {
      body();
      return;
    }
    this.batch = [];
    body();
    const reminders = [...new Set(this.batch)];
    this.batch = null;
    const looks = reminders.map((reminder) => this.beginLook(reminder, now, wishes)).filter(Boolean);
    let rest = looks.filter(({ next }) => next !== null);
    while (rest.length > 0) {
      const first = rest.reduce((one, other) =>
        isBefore(other.next, other.reminder, one.next, one.reminder) ? other : one,
      );
      const goesOn = this.lookOn(first, now, wishes) && first.next !== null;
      if (!goesOn) rest = rest.filter((look) => look !== first);
    }
    for (const look of looks) this.endLook(look, now, wishes);
  }

  /** Makes room for one more: gives up what is due last, if that is later. Returns whether there is room. */
  makeRoom(reminder, at, now, wishes) {
    let hasRoom = !this.isTight || this.pendingCount(now) < this.capacity;
    const last = hasRoom ? null : this.latestPending();
    if (last && isBefore(at, reminder, last.at, last.reminder)) {
      this.giveUp(last, now, wishes);
      hasRoom = true;
    }
    if (hasRoom) {
      if (reminder.leftOut === at) reminder.leftOut = null;
      return true;
    }
    this.hadNoRoom = true;
    this.leaveOut(reminder, at, now, wishes);
    return false;
  }

  makeRoomForOthers(now, wishes) {
    while (this.isTight && this.pendingCount(now) > this.capacity) {
      const last = this.latestPending();
      if (!last) return;
      this.giveUp(last, now, wishes);
    }
  }

  /** Keeps room for requests that were put off until quiet hours end. */
  keepRoom(releases, now, wishes) {
    this.releases = releases;
    this.makeRoomForOthers(now, wishes);
  }

  giveUp({ reminder, at }, now, wishes) {
    const entry = reminder.ahead.pending.find((entry) => entry.at === at);
    wishes.push(remove(reminder, entry.occurrence, "superseded"));
    takeOut(reminder, [entry]);
    reminder.ahead.lookedTo = Math.min(reminder.ahead.lookedTo, at - 1);
    this.leaveOut(reminder, at, now, wishes);
  }

  /** There is no room for an occurrence: said once of each. */
  leaveOut(reminder, at, now, wishes) {
    this.fullUntil = -FAR;
    const known = reminder.leftOut;
    if (known !== null && known > now.wall && known <= at) return;
    reminder.leftOut = at;
    wishes.push(noRequest(reminder, { reason: "pendingLimit", failed: [] }));
  }

  /**
   * Hands over what was left out, as far as there is room by now. Of what happens outside of the app only the
   * time that passes makes any.
   */
  fillUp(event, now, wishes) {
    const leftOut = [...this.reminders.values()].filter((reminder) => reminder.leftOut !== null);
    if (leftOut.length === 0 || (OUTSIDE.has(event.event) && now.wall < this.fullUntil)) return;
    this.inOrderOfTime(now, wishes, () => {
      for (const reminder of leftOut) {
        // Tried once: it is said again if there is no room.
        if (reminder.lapse) reminder.leftOut = null;
        this.completeLapse(reminder, now, wishes);
        this.planRepeats(reminder, now, wishes);
        this.replenish(reminder, now, wishes);
        if (reminder.leftOut !== null && reminder.leftOut <= now.wall) reminder.leftOut = null;
      }
    });
    const entries = this.scheduled.flatMap(({ ahead }) => ahead?.pending ?? []);
    const next = Math.min(...entries.map(({ at }) => at).filter((at) => at > now.wall));
    this.fullUntil = next === Infinity ? -FAR : next;
  }

  pendingCount(now) {
    const later = (entries) => entries.filter(({ at }) => at > now.wall).length;
    let count = this.releases;
    for (const reminder of this.snoozed) if (reminder.snoozedUntil > now.wall) count++;
    for (const { ahead, standing } of this.reminders.values()) {
      count += later(ahead?.pending ?? []) + (standing?.entries.length ?? 0);
    }
    for (const { turns } of this.lapsing) count += later(turns);
    return count;
  }

  /** What is due last, and of which reminder. */
  latestPending() {
    let last = null;
    for (const reminder of this.scheduled) {
      const { at } = reminder.ahead?.pending.at(-1) ?? {};
      if (at !== undefined && (!last || isBefore(last.at, last.reminder, at, reminder))) {
        last = { reminder, at };
      }
    }
    return last;
  }

  /**
   * Asks now for a notification at a later instant, if the conditions hold as for then. The system is to
   * repeat it by the pattern. Returns the request's number, null when nothing is asked for.
   */
  handOver(reminder, at, now, wishes, { stage = null, pattern = null } = {}) {
    if (!this.isArmed(reminder, now)) return null;
    const view = this.view(foreseen(at, now));
    if (this.hasTurn(reminder, view.day)) return null;
    let failure = failures(reminder.plan, view);
    if (!failure && isWithdrawn(reminder.plan, view)) {
      failure = { reason: "conditionFailed", failed: ["fact"] };
    }
    if (failure) {
      wishes.push(noRequest(reminder, failure));
      return null;
    }
    if (!this.makeRoom(reminder, at, now, wishes)) return null;
    const today = this.program.zoneNamed(now.zone).day(now.wall);
    const wish = this.ask(reminder, view, today, stage ?? this.stageOf(reminder, at, now));
    Object.assign(wish.request, { floating: !isSpan(pattern), pattern });
    wishes.push(wish);
    const { occurrence } = wish.request;
    if (isSameMoment(this.plannedAt, now)) this.fresh.push({ reminder, occurrence });
    return occurrence;
  }

  /** Asks to be woken when nothing of a schedule is pending any more; otherwise takes that back. */
  wish(reminder, at, now, wishes) {
    const { ahead } = reminder;
    if (ahead.pending.length > 0 || !this.isArmed(reminder, now)) at = null;
    if (ahead.wish || at !== null) wishes.push(wake(reminder, at));
    ahead.wish = at !== null;
  }

  /** Looks again at the occurrences to come that were not handed over, because of what was known. */
  foreseeAnew(fact, now, wishes) {
    for (const reminder of this.foreseeing.get(fact)) {
      if (!reminder.cancelled) this.lookAhead(reminder, now, wishes);
    }
  }

  /** Hands over what was kept back, and can be no longer. */
  lookAhead(reminder, now, wishes) {
    this.completeLapse(reminder, now, wishes);
    this.planRepeats(reminder, now, wishes);
    if (!reminder.ahead) return;
    lookAgainAfterLosses(reminder.ahead);
    this.replenish(reminder, now, wishes);
  }

  /**
   * The process finds the phone on its charger or inside a place: plans of this instant, which did not know,
   * are made again.
   */
  planAgain(now, wishes) {
    if (!isSameMoment(this.plannedAt, now)) return;
    for (const reminder of this.foreseeingState) {
      if (reminder.cancelled) continue;
      const numbers = this.fresh.filter((wish) => wish.reminder === reminder).map((wish) => wish.occurrence);
      this.fresh = this.fresh.filter((wish) => wish.reminder !== reminder);
      for (const occurrence of numbers) {
        wishes.push(remove(reminder, occurrence, "superseded"));
        reminder.forgetTurn(occurrence);
      }
      const isOld = ({ occurrence }) => !numbers.includes(occurrence);
      const { ahead, standing, lapse } = reminder;
      if (ahead) ahead.pending = ahead.pending.filter(isOld);
      if (standing) standing.entries = standing.entries.filter(isOld);
      if (lapse && numbers.length > 0) lapse.losses = true;
      this.lookAhead(reminder, now, wishes);
    }
  }

  /** The app was opened: what the person had taken back, and is still to come, comes back. */
  bringBack(reminder, now, wishes) {
    const { ahead } = reminder;
    if (!ahead || reminder.cancelled) return;
    deliver(reminder, now.wall);
    if (ahead.takenBackTo <= now.wall) return;
    if (ahead.pending.length > 0) wishes.push(withdraw(reminder, "superseded"));
    takeOut(reminder, ahead.pending);
    ahead.takenBackTo = -FAR;
    lookAgainAfterLosses(ahead);
  }

  /** The system throws away what is pending when the permission goes, and does not bring it back. */
  permissionChanged(permission, now, wishes) {
    if (ALLOWING.includes(permission)) {
      for (const reminder of this.lapsing) this.completeLapse(reminder, now, wishes);
      for (const reminder of this.repeating) {
        if (reminder.standing) reminder.standing.lostTo = -FAR;
        this.planRepeats(reminder, now, wishes);
      }
      this.inOrderOfTime(now, wishes, () => {
        for (const reminder of this.scheduled) {
          if (reminder.ahead) {
            reminder.ahead.lostTo = -FAR;
            lookAgainAfterLosses(reminder.ahead);
          }
          this.replenish(reminder, now, wishes);
        }
      });
      return;
    }
    for (const reminder of this.lapsing) {
      if (!reminder.lapse) continue;
      reminder.lapse.losses = true;
      reminder.forgetTurnsAfter(now.wall);
    }
    for (const reminder of this.repeating) {
      const entries = reminder.standing?.entries ?? [];
      for (const { occurrence } of entries) this.loseRepeat(reminder, occurrence, now, wishes);
    }
    for (const reminder of this.scheduled) {
      if (!reminder.ahead) continue;
      deliver(reminder, now.wall);
      const lost = reminder.ahead.pending.map(({ occurrence }) => ({ reminder, occurrence })).reverse();
      this.undo(lost, now, wishes);
      this.wishAfterLoss(reminder, now, wishes);
    }
  }

  // What the system repeats: handed over once, and only taking it back ends it

  /**
   * Hands over what does not stand yet, if the conditions hold as for its first time. Where nothing comes of
   * that, the app asks to be woken at the occurrence that is missed so, and tries again then.
   */
  planRepeats(reminder, now, wishes) {
    const { patterns, firstDay } = reminder.plan;
    if (patterns.length === 0 || reminder.cancelled || reminder.isSnoozed) return;
    const standing = (reminder.standing ??= { entries: [], lostTo: -FAR, takenBack: false, wish: FAR });
    if (standing.takenBack) return;
    const zone = this.program.zoneNamed(now.zone);
    const after = firstDay === null ? now.wall : Math.max(now.wall, zone.at(firstDay, 0) - 1);
    let missed = FAR;
    for (const pattern of patterns) {
      if (standing.entries.some((entry) => isSamePattern(entry.pattern, pattern))) continue;
      const first = nextRepeat(pattern, after, zone);
      const isLost = !isSpan(pattern) && first <= standing.lostTo;
      const occurrence = isLost ? null : this.handOver(reminder, first, now, wishes, { pattern });
      if (occurrence === null) missed = Math.min(missed, first);
      else standing.entries.push({ occurrence, pattern, first });
    }
    wishToRepeat(reminder, missed, wishes);
  }

  /**
   * A request that the system was to repeat was denied, refused or dropped: it is asked for again after the
   * occurrence that is missed so.
   */
  loseRepeat(reminder, occurrence, now, wishes) {
    const { standing } = reminder;
    const entry = standing?.entries.find((entry) => entry.occurrence === occurrence);
    if (!entry) return;
    standing.entries = standing.entries.filter((other) => other !== entry);
    const zone = this.program.zoneNamed(now.zone);
    const missed = entry.first > now.wall ? entry.first : nextRepeat(entry.pattern, now.wall, zone);
    standing.lostTo = Math.max(standing.lostTo, missed);
    wishToRepeat(reminder, Math.min(standing.wish, missed), wishes);
  }

  /** The app was opened: what the person had taken back comes back. */
  bringBackRepeats(reminder, now, wishes) {
    if (reminder.standing?.takenBack) Object.assign(reminder.standing, { takenBack: false, lostTo: -FAR });
    this.planRepeats(reminder, now, wishes);
  }

  // Lapses: stages for the time in which the app stays closed, handed over beforehand

  planLapse(reminder, now, wishes, since = null) {
    const { plan } = reminder;
    if (!plan.lapse || reminder.lapse || reminder.cancelled || reminder.isSnoozed) return;
    const zone = this.program.zoneNamed(now.zone);
    since ??= zone.day(now.wall);
    reminder.lapse = { since, losses: false };
    for (const [stage, days] of plan.lapse.days.entries()) {
      const at = zone.at(since + days, plan.lapse.minute);
      if (at >= plan.expires) return;
      if (at > now.wall && this.handOver(reminder, at, now, wishes, { stage }) === null) {
        reminder.lapse.losses = true;
      }
    }
  }

  /** Stages that were kept back are planned again, from the same opening. */
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
    reminder.forgetTurnsAfter(now.wall);
  }

  /** A fact may end the reason for which requests are held or pending, for as long as it is gone. */
  withdrawWithoutReason(fact, now, wishes) {
    for (const reminder of this.withdrawing.get(fact)) {
      if (reminder.cancelled) continue;
      const { plan, ahead } = reminder;
      const isGone = isWithdrawn(plan, this.view(now));
      const pending = ahead ? ahead.pending : [];
      const ended = pending.filter(
        ({ at }) => at > now.wall && isWithdrawn(plan, this.view(foreseen(at, now))),
      );
      if (isGone && ended.length === pending.length) {
        wishes.push(withdraw(reminder, "cancelled"));
      } else {
        for (const { occurrence } of ended) wishes.push(remove(reminder, occurrence, "cancelled"));
      }
      takeOut(reminder, ended);
      if (!isGone) continue;
      if (reminder.standing) reminder.standing.entries = [];
      if (reminder.lapse) reminder.lapse.losses = true;
      reminder.forgetTurnsAfter(now.wall);
    }
  }

  /** The app learned that a request was shown. */
  delivered(reminder, occurrence) {
    reminder.postponeTurn(occurrence, -FAR);
    const { ahead, standing } = reminder;
    const repeated = standing?.entries.find((entry) => entry.occurrence === occurrence);
    if (repeated) repeated.first = -FAR;
    if (ahead) ahead.pending = ahead.pending.filter((entry) => entry.occurrence !== occurrence);
    reminder.wasShown(occurrence);
  }

  // What the person asks for

  /** Puts a reminder off. One that has asked before asks again then, as the person's own wish. */
  snooze(reminder, until, now, wishes) {
    const { plan } = reminder;
    if (reminder.cancelled || Math.min(until, plan.expires) <= now.wall) return;
    const last = this.takeBackLast(reminder, until, now, wishes);
    reminder.snoozedUntil = until;
    this.snoozed.add(reminder);
    if (last !== null && until < plan.expires) {
      const occurrence = reminder.occurrences++;
      this.makeRoomForOthers(now, wishes);
      const request = {
        reminder: reminder.name, occurrence, type: plan.type, bucket: "user", priority: plan.priority,
        copy: Math.min(last, plan.copies - 1, 255), scheduledFor: until, deliverAt: until,
        expiresAt: plan.expires, floating: false, pattern: null,
      };
      wishes.push({ event: "request", request });
    }
    // At the end of the snooze the schedule goes on.
    if (reminder.ahead || reminder.standing) wishes.push(wake(reminder, until));
  }

  /**
   * Takes back what a snooze puts off: the request shown last and, of occurrences handed over, those that
   * would come before the snooze ends. Returns which is to be asked again.
   */
  takeBackLast(reminder, until, now, wishes) {
    deliver(reminder, now.wall);
    const { ahead, standing, shown } = reminder;
    const removed = ahead?.pending.filter((entry) => entry.at < until) ?? [];
    ahead?.pending.splice(0, removed.length);
    for (const { occurrence } of removed) wishes.push(remove(reminder, occurrence, "superseded"));
    if (shown === null) return removed.length > 0 ? removed[removed.length - 1].occurrence : null;
    // What the system repeats is one request for what it has shown and for what it will: that goes on.
    const goesOn = standing?.entries.some((entry) => entry.occurrence === shown);
    if (!goesOn) wishes.push(remove(reminder, shown, "superseded"));
    return shown;
  }

  cancel(reminder, wishes) {
    if (reminder.cancelled) return;
    const none = { snoozedUntil: null, ahead: null, standing: null, leftOut: null };
    Object.assign(reminder, { cancelled: true, ...none });
    wishes.push(withdraw(reminder, "cancelled"), wake(reminder, null));
  }

  /** Puts another declaration in its place; it waits anew, and its requests go on being numbered. */
  edit(reminder, name, now, wishes) {
    if (!Object.hasOwn(reminder.edits, name)) return;
    wishes.push(withdraw(reminder, "superseded"));
    this.begin(reminder, name, now, wishes);
  }

  /** Makes one that is not there; it waits as it was declared. */
  create(reminder, now, wishes) {
    if (reminder.cancelled) this.begin(reminder, null, now, wishes);
  }

  begin(reminder, name, now, wishes) {
    reminder.remember({ edit: name, cancelled: false, occurrences: reminder.occurrences });
    if (!this.countAnew(reminder, now, wishes)) this.plan(reminder, now, wishes);
  }

  /**
   * The app was deleted and installed again. Requests go on being numbered, so that none is taken for an
   * earlier one; facts are the account's and the system's.
   */
  reset(now, wishes) {
    for (const reminder of this.reminders.values()) reminder.remember({ occurrences: reminder.occurrences });
    this.inside = new Set();
    this.charging = false;
    this.plannedZone = null;
    this.plannedAt = null;
    this.planAll(now, wishes);
  }

  // Requests that come to nothing

  /**
   * What the scheduler said. A match is kept only if its request is admitted or held: a denied request does
   * not use up the turn. What the person took back, and what another replaces, does.
   */
  settled(answers, now, wishes) {
    const lost = [];
    for (const answer of answers) {
      if (!["decided", "dropped", "remove"].includes(answer.event)) continue;
      const { reminder: name, occurrence, deliverAt } = answer.request || answer;
      const reminder = this.reminders.get(name);
      if (answer.outcome === "deny" || answer.outcome === "fail") {
        lost.push({ reminder, occurrence });
      } else if (answer.outcome === "defer") {
        reminder.postponeTurn(occurrence, FAR);
      } else if (answer.outcome === "admit") {
        reminder.postponeTurn(occurrence, Math.max(now.wall, deliverAt));
        if (deliverAt <= now.wall) reminder.wasShown(occurrence);
      } else if (answer.reason !== "cancelled" && answer.reason !== "superseded") {
        lost.push({ reminder, occurrence });
      }
    }
    if (lost.length > 0) this.undo(lost, now, wishes);
  }

  /**
   * Requests will not be delivered: their reminders wait as if the triggers had not come. What the system did not
   * take of a schedule is asked for again when that is planned next.
   */
  undo(lost, now, wishes, isFailure = false) {
    this.changed = true;
    for (const { reminder, occurrence } of lost) {
      reminder.forgetTurn(occurrence);
      if (reminder.shown === occurrence) reminder.shown = null;
      if (reminder.lapse) reminder.lapse.losses = true;
      this.loseRepeat(reminder, occurrence, now, wishes);
      const { ahead } = reminder;
      const entry = ahead?.pending.find((entry) => entry.occurrence === occurrence);
      if (!entry) continue;
      // The schedule goes on after those that are pending.
      ahead.pending = ahead.pending.filter((other) => other !== entry);
      if (isFailure && entry.at > now.wall) {
        ahead.failed.push(entry.at);
        this.failedAt.set(reminder.name, now.wall);
      } else {
        ahead.lostTo = Math.max(ahead.lostTo, entry.at);
      }
      if (reminder.plan.repeats !== "always") lookAgainAfterLosses(ahead);
      this.wishAfterLoss(reminder, now, wishes);
    }
  }

  wishAfterLoss(reminder, now, wishes) {
    if (reminder.ahead && !reminder.isSnoozed && !reminder.cancelled) {
      this.wish(reminder, Math.max(lookedToOf(reminder.ahead), now.wall), now, wishes);
    }
  }
}

// What was handed over of a schedule

/**
 * The time of everything up to now has come. Whether the system has shown it the app learns when it is told: a
 * journey may have moved it, an alarm may be late, a store may be an old one.
 */
function deliver(reminder, wall) {
  const pending = reminder.ahead?.pending ?? [];
  while (pending.length > 0 && pending[0].at <= wall) pending.shift();
}

/** The person took back what is pending, and what there was no room for: the schedule goes on after it. */
function takeBackAll(reminder, now) {
  const { ahead, leftOut } = reminder;
  if (!ahead) return;
  deliver(reminder, now.wall);
  const last = ahead.pending.length > 0 ? ahead.pending[ahead.pending.length - 1].at : -FAR;
  takeOut(reminder, ahead.pending);
  ahead.lookedTo = Math.max(lookedToOf(ahead), last, leftOut ?? -FAR);
  ahead.failed = [];
  ahead.takenBackTo = ahead.lookedTo;
  reminder.leftOut = null;
}

/** Occurrences that were handed over are as if they had not been. */
function takeOut(reminder, entries) {
  for (const { occurrence } of entries) reminder.forgetTurn(occurrence);
  const { ahead } = reminder;
  if (ahead) ahead.pending = ahead.pending.filter((entry) => !entries.includes(entry));
}

/** The last occurrence that was looked at, or is to be asked for again. */
function lookedToOf(ahead) {
  return Math.max(ahead.lookedTo, ...ahead.failed);
}

/** Looks again at all that is not pending, but not at what was lost or before it. */
function lookAgainAfterLosses(ahead) {
  ahead.lookedTo = Math.max(ahead.takenBackTo, ahead.lostTo);
}

// What the system repeats

/** Whether it asks for notifications before their time. */
/** The fact from which a schedule counts its days; nothing where the calendar says them. */
const countsFrom = ({ schedule }) => schedule?.fact;

const handsOver = (plan) => plan.ahead > 0 || plan.lapse || plan.patterns.length > 0;

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

// Wishes

/** What the clocks will read at a later instant, if nobody sets them. */
/** What is due first; of one instant in the order of the names, whatever that of the declarations. */
const isBefore = (at, reminder, otherAt, other) =>
  at < otherAt || (at === otherAt && reminder.name < other.name);

const foreseen = (at, now) => ({ ...now, wall: at, uptime: now.uptime + at - now.wall });

const isWithdrawn = (plan, view) => plan.withdrawals.some((check) => check(view) === null);

/** The first reason and all kinds of the conditions that do not hold; null when all do. */
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

const monitor = (region) => ({ event: "monitor", region });

const noRequest = ({ name }, { reason, failed }) => ({ event: "noRequest", reminder: name, reason, failed });
const withdraw = ({ name }, reason) => ({ event: "withdraw", reminder: name, reason });
const remove = ({ name }, occurrence, reason) => ({ event: "remove", reminder: name, occurrence, reason });
const wake = ({ name }, at) => ({ event: "wake", reminder: name, at });

module.exports = { Reminders };
