"use strict";
// The cap scheduler: decides which requests become notifications, and counts them.
//
// Requests of one instant are collected and decided together in a total order, so their order in a file has no
// effect.
// An admitted request counts for its caps. Delivery keeps the count, and removing, losing or refusing the request
// releases it. A denied request counts for nothing.
//
// The whole state is one object of plain values, which is stored unchanged.

const { FAR, MINUTE, dayText, elapsed, endOfWindow, inWindow } = require("./civil.js");
const { isSameMoment, nextRepeat, remainder, weekday } = require("./civil.js");

const ALLOWING = ["authorized", "provisional", "ephemeral"];
const BUCKETS = ["critical", "user", "standard"];
// The time after an immediate delivery within which the system may refuse it.
const CONFIRMATION = MINUTE;
// The number of days with deliveries that are kept: the week of the earliest date to which travel leads back.
const KEPT_DAYS = 9;

const freshState = () => ({
  // Deliveries and reservations by local day: of a bucket, and of a type as "type NAME".
  days: {},
  // The counts by type: lifetime, and since the app was last opened.
  lifetime: {},
  lapse: {},
  lapses: 0,
  // Admitted and not delivered; deferred by quiet hours; and handed to the system for their end.
  pending: [],
  held: [],
  released: [],
  // Pending requests that may be decided again, as requested; some may no longer be pending.
  originals: [],
  // Admitted and not counted yet because the counters lag.
  uncounted: [],
  // Delivered immediately, and possibly refused later.
  unconfirmed: [],
  // The requests of this instant.
  collected: [],
  // The last critical request handed to the system, until its answer is known.
  preempting: null,
  // The latest delivery by bucket.
  last: {},
  enabled: true,
  off: [],
  ownCap: null,
  // The boot, and the wall clock at uptime 0.
  clocks: null,
  zone: null,
});

/** Returns whether a change of the wall clock shifts a single request: it is for the end of a length of time. */
const followsClock = ({ elapsed, deliverAt, scheduledFor }) => Boolean(elapsed) && deliverAt === scheduledFor;

class CapScheduler {
  constructor(program) {
    this.program = program;
    this.policy = program.policy;
    this.types = new Map(program.types.map((name, position) => [name, position]));
    const names = program.plans.map((plan) => plan.reminder).sort();
    this.ranks = new Map(names.map((name, rank) => [name, rank]));
    this.state = freshState();
    this.permission = "notDetermined";
    // The latest delivery of a bucket according to the clocks only; the system may have been late.
    this.lastByClock = {};
    // The time after its due time at which a pending request may still be shown; 0 unless alarms may be late.
    this.lateness = 0;
    // The deferred requests that were reported as releases, and those of them that may be handed over.
    this.looked = [];
    this.ready = [];
    // Whether a journey changed the end of quiet hours, and which releases are deferred again for that reason.
    this.looksForReleases = false;
    this.takenBack = [];
    this.announced = FAR;
    this.changed = false;
  }

  // Storage

  load(stored, now) {
    this.state = { ...freshState(), ...stored };
    // Drop reminders and types that an update of the app has removed.
    const isKnown = ({ reminder, type }) => this.ranks.has(reminder) && this.types.has(type);
    for (const key of ["pending", "held", "released", "originals", "collected", "unconfirmed"]) {
      this.state[key] = this.state[key].filter(isKnown);
    }
    this.looksForReleases = this.hasSystemRequests();
    // Requests that an earlier process did not decide are treated like due deferred requests.
    const isLate = ({ deliverAt }) => deliverAt < now.wall;
    const late = this.state.collected.filter(isLate);
    this.state.collected = this.state.collected.filter((request) => !isLate(request));
    for (const request of late) this.hold(request, request.deliverAt);
  }

  /**
   * Imports counters of an earlier version of the app: ft.reminder.dailyCount.2026-03-02 and
   * ft.reminder.training_day.sentCount.
   */
  importCounters(counters) {
    const isList = Array.isArray(counters);
    const items = isList ? counters : Object.entries(counters).map(([key, value]) => ({ key, value }));
    const byKey = new Map();
    for (const name of this.types.keys()) byKey.set(`ft.reminder.${snakeCase(name)}.sentCount`, name);
    for (const { key, value } of items) {
      if (byKey.has(key)) {
        this.state.lifetime[byKey.get(key)] = Number(value);
      } else if (key.startsWith("ft.reminder.dailyCount.")) {
        this.state.days[key.slice(-10)] = { standard: Number(value) };
      }
    }
  }

  // Decisions

  submit(request) {
    this.state.collected.push(request);
    this.changed = true;
  }

  dueForRelease(now) {
    return this.state.held.filter((request) => request.releaseAt <= now.wall);
  }

  isUnsettled() {
    const { collected, held, released, preempting } = this.state;
    const waits = collected.length > 0 || held.length > 0 || released.length > 0;
    return waits || preempting !== null || this.looksForReleases;
  }

  /** Returns the requests that quiet hours deferred: those held here, due or not, and those handed to the system. */
  releases(now) {
    const { state } = this;
    if (state.held.length === 0 && state.released.length === 0 && !this.looksForReleases) return [];
    this.advance(now);
    this.keepReleased();
    if (this.looksForReleases) {
      this.takeBackReleases(now);
      this.takeBackFixed(now);
    }
    this.looked = [...state.held];
    this.ready = state.held.filter((held) => held.releaseAt > now.wall);
    return [
      ...state.held.map((held) => (this.ready.includes(held) ? this.released(held, now) : held)),
      ...state.released.map((request) => this.released({ ...request, releaseAt: this.releaseOf(request) }, now)),
    ];
  }

  /** Returns when the system is to show a request handed to it, or undefined if it does not have it any more. */
  releaseOf(request) {
    return this.state.pending.find((entry) => isSame(entry, request))?.deliverAt;
  }

  /** Drops the requests that the system has shown or no longer has. */
  keepReleased() {
    const kept = this.state.released.filter((request) => this.releaseOf(request) !== undefined);
    if (kept.length < this.state.released.length) this.changed = true;
    this.state.released = kept;
  }

  /**
   * Quiet hours end at another time than when these requests were handed over. Releases their counts and defers them,
   * so that they are decided for the new time.
   */
  takeBackReleases(now) {
    this.looksForReleases = false;
    for (const request of this.state.released) {
      const time = this.releaseTime(request, now);
      if (time === this.releaseOf(request)) continue;
      this.givePendingBack((entry) => isSame(entry, request));
      this.holdAgain([request], time);
    }
    this.keepReleased();
  }

  /** Removes requests from the system. They are decided again for the same time or for another one. */
  holdAgain(requests, until) {
    for (const request of requests) this.hold(request, until);
    this.takenBack.push(...requests);
  }

  /**
   * In another zone: requests for an instant that is now in quiet hours are decided again if they can be deferred.
   * Others stay, because another journey may follow.
   */
  takeBackFixed(now) {
    const { quietHours, criticalBypasses, quietAction } = this.policy;
    const isQuiet = (request) =>
      !request.floating && request.deliverAt > now.wall && this.releaseOf(request) !== undefined &&
      !(request.bucket === "critical" && criticalBypasses) && quietAction[request.bucket] === "defer" &&
      (quietHours && endOfWindow(quietHours, request.deliverAt, this.zone)) != null;
    const quiet = this.state.originals.filter(isQuiet);
    this.takenBack.push(...quiet);
    this.decideAgain(quiet);
  }

  /** Releases the counts of requests, which are decided again. */
  decideAgain(requests) {
    this.givePendingBack((entry) => requests.some((request) => isSame(entry, request)));
    this.state.originals = this.state.originals.filter((request) => !requests.includes(request));
    for (const request of requests) this.submit(request);
  }

  /** Returns whether the system has requests that a journey can affect. */
  hasSystemRequests() {
    return this.state.released.length > 0 || this.state.originals.some(({ floating }) => !floating);
  }

  /**
   * Reports which releases are removed from the system because they are deferred again. Only this is reported, so
   * that the system has removed them before they are decided. Returns whether there are any.
   */
  tellTakenBack(now, effects) {
    const { takenBack } = this;
    this.takenBack = [];
    for (const { reminder, occurrence } of takenBack) {
      effects.push({ event: "remove", reminder, occurrence, reason: "quietHours" });
    }
    if (takenBack.length > 0) this.finish(now, effects);
    return takenBack.length > 0;
  }

  hold(request, releaseAt) {
    this.state.held.push({ ...request, releaseAt });
    this.sortHeld();
    this.changed = true;
  }

  /**
   * Returns the request as handed to the system for the end of quiet hours, wherever the phone is then. A request for
   * a future instant that no journey moves keeps it, because quiet hours may end earlier elsewhere.
   */
  released({ releaseAt, ...request }, now) {
    return { ...request, deliverAt: releaseAt, floating: request.floating || request.deliverAt <= now.wall };
  }

  /** Removes stale requests that are due or that the system has. Later ones stay deferred and are not handed over. */
  withdrawStale(stale, now, effects) {
    this.advance(now);
    const isOneOf = (list) => (entry) => list.some((other) => isSame(entry, other));
    const [isTakenBack, isReleased] = [isOneOf(this.takenBack), isOneOf(this.state.released)];
    this.ready = this.ready.filter((held) => !isOneOf(stale)(held));
    // A request that is being removed from the system is checked again afterwards.
    const isStale = isOneOf(stale.filter((request) => !isTakenBack(request)));
    const due = this.dueForRelease(now);
    this.withdrawFrom("held", "staleAtRelease", effects, (held) => due.includes(held) && isStale(held));
    this.withdrawPending("staleAtRelease", effects, (entry) => isStale(entry) && isReleased(entry));
    this.finish(now, effects);
  }

  hasNewReleases() {
    return this.state.held.some((held) => !this.looked.includes(held));
  }

  /** Hands the first possible request to the system. Returns whether there was one. */
  handOver(now, effects) {
    const inOrder = (a, b) => a.releaseAt - b.releaseAt || this.inOrder(a, b);
    for (const held of this.ready.filter((held) => this.state.held.includes(held)).sort(inOrder)) {
      this.ready = this.ready.filter((other) => other !== held);
      const request = this.released(held, now);
      if (request.expiresAt <= request.deliverAt) continue;
      let decision = this.decide(request, now);
      if (decision.outcome !== "admit" && this.displaceLater(request, now, effects)) decision = this.decide(request, now);
      if (decision.outcome !== "admit") {
        if (this.makeWay(request, now)) return this.tellTakenBack(now, effects);
        continue;
      }
      this.state.held = this.state.held.filter((other) => other !== held);
      const { releaseAt, ...putOff } = held;
      this.state.released.push(putOff);
      this.changed = true;
      effects.push({ event: "decided", request, ...decision });
      this.addToSystem(request, now, effects);
      return true;
    }
    return false;
  }

  /**
   * A request that was deferred to the same release and is decided later gives way to this one if that lets it be
   * shown. It is deferred and decided afterwards. Returns whether one gives way.
   */
  makeWay(request, now) {
    const { state } = this;
    const release = request.deliverAt;
    const later = state.released.filter(
      (other) => this.releaseOf(other) === release && this.inOrder(request, other) < 0,
    );
    if (later.length === 0) return false;
    if (!this.canBeShown(request, later, now)) return false;
    this.givePendingBack((entry) => later.some((other) => isSame(entry, other)));
    this.holdAgain(later, release);
    this.keepReleased();
    return true;
  }

  /** Returns whether a request would be admitted for its delivery if the system did not have some others. */
  canBeShown(request, without, now) {
    const { pending, uncounted, lifetime, lapse, days } = this.state;
    const before = { pending, uncounted: [...uncounted], ...structuredClone({ lifetime, lapse, days }) };
    this.givePendingBack((entry) => without.some((other) => isSame(entry, other)));
    const { deliverAt } = request;
    const blockers = Object.values(this.blockers(request, deliverAt, this.zone.day(deliverAt), now));
    Object.assign(this.state, before);
    return !blockers.some(Boolean);
  }

  /**
   * A deferred request keeps its place: reservations for later instants that keep it from its release are decided
   * again after it, the latest first, if it can then be shown. Returns whether it can.
   */
  displaceLater(request, now, effects) {
    const inOrder = (a, b) => a.deliverAt - b.deliverAt || this.inOrder(a, b);
    const later = this.state.originals
      .filter((one) => this.releaseOf(one) !== undefined && inOrder(request, one) < 0)
      .sort((a, b) => inOrder(b, a));
    let count = 0;
    while (count <= later.length && !this.canBeShown(request, later.slice(0, count), now)) count += 1;
    if (count === 0 || count > later.length) return false;
    let displaced = later.slice(0, count);
    // The latest ones may not have been in the way.
    for (const other of later.slice(0, count)) {
      const rest = displaced.filter((one) => one !== other);
      if (this.canBeShown(request, rest, now)) displaced = rest;
    }
    for (const { reminder, occurrence } of displaced) {
      effects.push({ event: "remove", reminder, occurrence, reason: "quietHours" });
    }
    this.decideAgain(displaced);
    return true;
  }

  /**
   * Decides the collected requests and the due deferred ones. Stops after a request that is handed to the system, so
   * that its answer is known before the next decision. Returns whether there is more.
   */
  settle(now, effects) {
    this.advance(now);
    if (this.tellTakenBack(now, effects)) return true;
    this.preempt(now, effects);
    for (const held of this.dueForRelease(now)) {
      this.state.held = this.state.held.filter((other) => other !== held);
      this.changed = true;
      const { releaseAt, ...request } = held;
      if (request.expiresAt <= now.wall) {
        effects.push({ event: "dropped", request, reason: "expiredAtRelease" });
      } else {
        request.deliverAt = Math.max(request.deliverAt, now.wall);
        this.submit(request);
      }
    }
    const { collected } = this.state;
    collected.sort((a, b) => this.inOrder(a, b));
    let hasAdded = false;
    while (collected.length > 0 && !hasAdded) {
      this.changed = true;
      hasAdded = this.settleOne(collected.shift(), now, effects);
    }
    const hasHandedOver = !hasAdded && this.handOver(now, effects);
    this.finish(now, effects);
    const mayHandOver = hasHandedOver || (hasAdded && this.ready.length > 0);
    const hasMore = collected.length > 0 || mayHandOver || this.hasNewReleases();
    return hasMore || this.state.preempting !== null;
  }

  inOrder(a, b) {
    return (
      BUCKETS.indexOf(a.bucket) - BUCKETS.indexOf(b.bucket) ||
      a.priority - b.priority ||
      a.scheduledFor - b.scheduledFor ||
      this.types.get(a.type) - this.types.get(b.type) ||
      this.byName(a, b)
    );
  }

  byName(a, b) {
    return this.ranks.get(a.reminder) - this.ranks.get(b.reminder) || a.occurrence - b.occurrence;
  }

  /** Returns whether the request is handed to the system. */
  settleOne(request, now, effects) {
    if (this.isTaken(request)) return false;
    if (request.expiresAt <= now.wall) {
      effects.push({ event: "dropped", request, reason: "expiredAtRelease" });
      return false;
    }
    const decision = this.decide(request, now);
    effects.push({ event: "decided", request, ...decision });
    if (decision.outcome === "defer") this.hold(request, decision.until);
    if (decision.outcome !== "admit") return false;
    this.addToSystem(request, now, effects);
    const isCounted = request.bucket !== "user" && this.policy.defersCounted;
    if ((!request.floating || isCounted) && !request.pattern && request.deliverAt > now.wall) {
      const kept = this.state.originals.filter((one) => this.releaseOf(one) !== undefined);
      this.state.originals = [...kept, { ...request }];
    }
    return true;
  }

  isTaken(request) {
    const taken = [...this.state.pending, ...this.state.held, ...this.state.unconfirmed];
    return taken.some((other) => isSame(request, other));
  }

  addToSystem(request, now, effects) {
    effects.push({ event: "add", request });
    if (request.bucket !== "critical" || !this.policy.criticalPreempts) return;
    this.state.preempting = { ...request, deliverAt: Math.max(request.deliverAt, now.wall) };
  }

  sortHeld() {
    this.state.held.sort((a, b) => a.releaseAt - b.releaseAt || this.byName(a, b));
  }

  sortPending() {
    this.state.pending.sort((a, b) => a.deliverAt - b.deliverAt || this.byName(a, b));
  }

  /** Makes all checks for the instant of delivery. An admitted request is counted. */
  decide(request, now) {
    const delivery = Math.max(request.deliverAt, now.wall);
    const day = this.zone.day(delivery);
    const found = this.blockers(request, delivery, day, now);
    const blockers = this.policy.checkOrder.filter((check) => found[check]);
    if (blockers.length === 0) {
      this.take(request, delivery, day, now);
      return { outcome: "admit", blockers };
    }
    const [reason] = blockers;
    const defers = this.policy.quietAction[request.bucket] === "defer";
    // Repeating requests cannot be deferred because the system determines their times.
    if (reason === "quietHours" && defers && !request.pattern) {
      const until = endOfWindow(this.policy.quietHours, delivery, this.zone);
      if (until !== null) return { outcome: "defer", reason, blockers, until };
    }
    return { outcome: "deny", reason, blockers };
  }

  /** Returns all checks, and whether each fails. */
  blockers(request, delivery, day, now) {
    const { policy, state } = this;
    const { type, bucket } = request;
    if (!this.types.has(type)) return { notRegistered: true };
    const failing = {
      notRegistered: !this.program.registered.has(type),
      userDisabled: !this.isWanted(request),
      permission: !ALLOWING.includes(this.permission),
      lifetimeCap: reaches(state.lifetime[type], policy.lifetimeCap.get(type)),
      lapseCap: reaches(state.lapse[type], policy.lapseCap.get(type)),
      quietHours: this.isQuiet(delivery) && !(bucket === "critical" && policy.criticalBypasses),
    };
    if (bucket === "standard") {
      const daily = policy.typeDailyCaps.has(type) ? policy.typeDailyCaps.get(type) : policy.typeDailyCap;
      const weekly = policy.typeWeeklyCaps.get(type);
      failing.userDailyCap = reaches(this.count("standard", day), state.ownCap);
      failing.typeDailyCap = reaches(this.count(`type ${type}`, day), daily);
      failing.typeWeeklyCap = weekly !== undefined && this.weekCount(type, day) >= weekly;
      failing.dailyCap = reaches(this.count("standard", day), policy.dailyCap);
      failing.minimumInterval = this.isTooClose(delivery, now);
    }
    if (bucket === "critical") {
      failing.criticalDailyCap = reaches(this.count("critical", day), policy.criticalDailyCap);
    }
    return failing;
  }

  isWanted(request) {
    return this.state.enabled && !this.state.off.includes(request.type);
  }

  isQuiet(instant) {
    const { quietHours } = this.policy;
    return quietHours !== null && inWindow(quietHours, this.zone.hands(instant));
  }

  count(subject, day) {
    return this.state.days[dayText(day)]?.[subject] ?? 0;
  }

  weekCount(type, day) {
    const first = day - remainder(weekday(day) - this.policy.weekStart, 7);
    let sum = 0;
    for (let number = 0; number < 7; number++) sum += this.count(`type ${type}`, first + number);
    return sum;
  }

  /**
   * Returns whether another delivery is within the minimum interval, before or after. The monotonic clock measures
   * past deliveries, and the wall clock determines reservations.
   */
  isTooClose(delivery, now) {
    const { interval, intervalCountsCriticals } = this.policy;
    const neighbours = intervalCountsCriticals ? ["standard", "critical"] : ["standard"];
    for (const bucket of neighbours) {
      const last = this.state.last[bucket];
      if (last && elapsed(now, last) + delivery - now.wall < interval) return true;
    }
    return this.state.pending.some(
      (reservation) =>
        neighbours.includes(reservation.bucket) && Math.abs(reservation.deliverAt - delivery) < interval,
    );
  }

  /**
   * A shown notification is never recalled. Pending ones near a critical request are removed once the system has
   * accepted it, except repeating requests, where removing one occurrence would remove all.
   */
  preempt(now, effects) {
    const critical = this.state.preempting;
    if (critical === null) return;
    this.state.preempting = null;
    this.changed = true;
    if (!this.isTaken(critical)) return;
    const isNear = (entry) => Math.abs(entry.deliverAt - critical.deliverAt) < this.policy.interval;
    const isLesser = (entry) => entry.bucket === "standard" && !entry.pattern;
    this.withdrawPending("preempted", effects, (entry) => isLesser(entry) && isNear(entry));
  }

  // Accounts

  get zone() {
    return this.program.zoneNamed(this.state.zone);
  }

  /** Reserves a later delivery. An immediate one counts as delivered unless the system refuses it. */
  take(request, delivery, day, now) {
    const { reminder, occurrence, type, bucket, floating, pattern } = request;
    const { lapses } = this.state;
    const kept = { reminder, occurrence, type, bucket, floating, pattern };
    const reservation = { ...kept, deliverAt: delivery, day, lapses };
    if (followsClock(request)) reservation.elapsed = true;
    if (this.policy.counterLag === 0) this.add(reservation, now.wall);
    else this.state.uncounted.push({ ...reservation, at: now });
    if (delivery > now.wall) {
      this.state.pending.push(reservation);
      this.sortPending();
      return;
    }
    const previous = this.state.last[bucket] ?? null;
    this.state.unconfirmed = this.state.unconfirmed.filter((entry) => isOpen(entry, now));
    this.state.unconfirmed.push({ ...reservation, at: now, previous });
    this.setLast(bucket, now);
  }

  /** Counts a reservation. */
  add(reservation, wall) {
    const { type, bucket } = reservation;
    increase(this.state.lifetime, type);
    if (reservation.lapses === this.state.lapses) increase(this.state.lapse, type);
    if (bucket === "user") return;
    const { days } = this.state;
    const counts = (days[dayText(reservation.day)] ??= {});
    increase(counts, bucket);
    if (bucket === "standard") increase(counts, `type ${type}`);
    const today = dayText(this.zone.day(wall));
    const past = Object.keys(days).filter((key) => key < today).sort();
    for (const key of past.slice(0, -KEPT_DAYS)) delete days[key];
  }

  /** Releases the counts of a reservation; that of the lapse only within the same lapse. */
  giveBack(reservation) {
    this.changed = true;
    const { type, bucket } = reservation;
    const uncounted = this.state.uncounted.findIndex((entry) => isSame(entry, reservation));
    if (uncounted >= 0) {
      this.state.uncounted.splice(uncounted, 1);
      return;
    }
    decrease(this.state.lifetime, type);
    if (reservation.lapses === this.state.lapses) decrease(this.state.lapse, type);
    const counts = this.state.days[dayText(reservation.day)] || {};
    decrease(counts, bucket);
    if (bucket === "standard") decrease(counts, `type ${type}`);
  }

  setLast(bucket, moment, byClock = null) {
    if (bucket === "user") return;
    this.lastByClock[bucket] = byClock;
    if (moment) this.state.last[bucket] = moment;
    else delete this.state.last[bucket];
  }

  /** Updates the accounts to the present: clocks, zone and deliveries. */
  advance(now) {
    const clocks = { boot: now.boot, begun: now.wall - now.uptime };
    const before = this.state.clocks;
    if (before?.boot !== clocks.boot || before.begun !== clocks.begun) this.adoptClocks(clocks, now);
    this.deliverUpTo(now.wall, (at) => ({ ...now, wall: at, uptime: now.uptime + at - now.wall }));
    if (this.state.zone !== now.zone) {
      this.enterZone(now);
      this.deliverUpTo(now.wall, () => now);
    }
    const { uncounted } = this.state;
    while (uncounted.length > 0 && elapsed(now, uncounted[0].at) >= this.policy.counterLag) {
      this.changed = true;
      this.add(uncounted.shift(), now.wall);
    }
  }

  /** The wall clock was set, or the phone has booted. */
  adoptClocks(clocks, now) {
    this.changed = true;
    const before = this.state.clocks;
    this.state.clocks = clocks;
    if (!before) return;
    if (before.boot === clocks.boot) {
      // Requests that were due by the old clock were delivered by it. Those that a jump forward skips are delivered
      // now.
      this.deliverUpTo(before.begun + now.uptime, (at) => ({ ...now, wall: at, uptime: at - before.begun }));
      this.shiftSpans(clocks.begun - before.begun, now);
      this.deliverUpTo(now.wall, () => now);
      if (now.wall < before.begun + now.uptime) this.rescheduleDeferrals(before.begun + now.uptime, now);
      return;
    }
    // Only the wall clock measures how long the phone was off. From here on the new boot's clock counts.
    for (const [bucket, last] of Object.entries(this.state.last)) {
      const wall = now.wall - elapsed(now, last);
      this.state.last[bucket] = { ...now, wall, uptime: wall - clocks.begun };
    }
  }

  deliverUpTo(wall, moment) {
    const { pending } = this.state;
    let late = 0;
    while (late < pending.length && pending[late].deliverAt <= wall) {
      if (!pending[late].pattern && pending[late].deliverAt > wall - this.lateness) {
        late += 1;
        continue;
      }
      const [delivered] = pending.splice(late, 1);
      // All occurrences of a repeating request have the same name.
      const byClock = delivered.pattern ? null : delivered;
      if (delivered.pattern || this.lateness === 0) {
        this.setLast(delivered.bucket, moment(delivered.deliverAt), byClock);
      }
      this.changed = true;
      if (delivered.pattern) this.reserveNext(delivered);
    }
  }

  /** The system waits for the next occurrence, which counts like any other. */
  reserveNext(delivered) {
    const deliverAt = nextRepeat(delivered.pattern, delivered.deliverAt, this.zone);
    const { lapses } = this.state;
    const reservation = { ...delivered, deliverAt, day: this.zone.day(deliverAt), lapses };
    this.add(reservation, delivered.deliverAt);
    this.state.pending.push(reservation);
    this.sortPending();
  }

  /**
   * The wall clock was set: elapsed times continue unchanged. Quiet hours may begin or end between the old and the new
   * end.
   */
  shiftSpans(delta, now) {
    const { pending, held, released, originals } = this.state;
    for (const entry of pending) if (entry.elapsed || entry.pattern?.repeats === "span") entry.deliverAt += delta;
    this.sortPending();
    const shifted = [...held, ...released, ...originals].filter(followsClock);
    for (const request of shifted) {
      request.scheduledFor += delta;
      request.deliverAt += delta;
    }
    if (shifted.length > 0) this.reschedule(now);
  }

  /** Floating deliveries keep their local time, and deferred requests wait for the end of quiet hours here. */
  enterZone(now) {
    this.changed = true;
    const old = this.state.zone;
    this.state.zone = now.zone;
    if (old === null) return;
    const there = this.program.zoneNamed(old);
    const { pending, held, released, originals } = this.state;
    for (const entry of [...pending, ...held, ...released, ...originals]) {
      if (entry.floating && entry.pattern) {
        // The first one that is due here.
        this.giveBack(entry);
        entry.deliverAt = nextRepeat(entry.pattern, now.wall, this.zone);
        entry.day = this.zone.day(entry.deliverAt);
        this.add(entry, now.wall);
      } else if (entry.floating) {
        entry.deliverAt = this.zone.first(there.wall(entry.deliverAt));
      }
    }
    this.sortPending();
    this.reschedule(now);
  }

  /** The wall clock was set back, possibly out of quiet hours. Requests due by the old clock are due now. */
  rescheduleDeferrals(wall, now) {
    for (const request of [...this.state.held, ...this.state.released]) {
      // The end of a length of time has already been shifted.
      if (followsClock(request)) continue;
      if (request.deliverAt <= wall) request.deliverAt = Math.min(request.deliverAt, now.wall);
    }
    this.reschedule(now);
  }

  reschedule(now) {
    // Releases are checked once it is known which of them were shown.
    this.looksForReleases = this.hasSystemRequests();
    for (const request of this.state.held) request.releaseAt = this.releaseTime(request, now);
    this.sortHeld();
  }

  /** Returns when a deferred request may be shown by the quiet hours of the phone's zone. */
  releaseTime(request, now) {
    const delivery = Math.max(request.deliverAt, now.wall);
    const { quietHours } = this.policy;
    return (quietHours && endOfWindow(quietHours, delivery, this.zone)) ?? delivery;
  }

  // Events

  process(event, now, effects) {
    this.advance(now);
    switch (event.event) {
      case "opened":
        this.state.lapses++;
        this.state.lapse = {};
        this.changed = true;
        break;
      case "permissionChanged":
        this.permission = event.permission;
        // The system drops pending requests and does not restore them.
        if (!ALLOWING.includes(this.permission)) this.givePendingBack(() => true);
        break;
      case "reinstalled":
        this.reinstall(effects);
        break;
      case "addFailed":
      case "pendingDropped":
        this.refuse(event, now);
        break;
      case "delivered": {
        // Intervals count from the actual time, whatever the clocks show.
        const age = event.age ?? 0;
        const then = { ...now, wall: now.wall - age, uptime: now.uptime - age };
        for (const [bucket, known] of Object.entries(this.lastByClock)) {
          if (!known || !isSame(known, event)) continue;
          this.setLast(bucket, then);
          this.changed = true;
        }
        for (const entry of this.state.pending.filter((entry) => isSame(entry, event))) {
          // A repeating request has moved on to its next occurrence.
          if (entry.pattern) continue;
          this.state.pending = this.state.pending.filter((other) => other !== entry);
          this.setLast(entry.bucket, then);
          this.changed = true;
        }
        break;
      }
      case "cancel":
        this.withdraw("cancelled", now, effects, (entry) => entry.reminder === event.reminder);
        break;
      case "cancelAll":
        this.withdraw("cancelled", now, effects, () => true);
        break;
      case "deliveredElsewhere":
        this.countElsewhere(event, now, effects);
        break;
      case "preferencesChanged":
        this.changePreferences(event, effects);
        break;
    }
    this.finish(now, effects);
  }

  /**
   * Another device of the person has shown a notification. It counts like a delivery here at that instant. Pending
   * requests that would not be admitted in addition to it are removed, the latest first; repeating ones stay.
   */
  countElsewhere({ type, bucket, age = 0 }, now, effects) {
    if (!this.types.has(type)) return;
    const then = { ...now, wall: now.wall - age, uptime: now.uptime - age };
    const day = this.zone.day(then.wall);
    // It belongs to no lapse here: opening the app ends the lapse of that device.
    this.add({ type, bucket, day, lapses: -1 }, now.wall);
    this.changed = true;
    this.noteDelivery(bucket, then, now);
    for (const entry of [...this.state.pending].reverse()) {
      const found = this.overrun(entry, { type, bucket, day, wall: then.wall });
      const reason = this.policy.checkOrder.find((check) => found[check]);
      if (reason) this.withdrawPending(reason, effects, (other) => isSame(other, entry));
    }
  }

  /** Intervals count from the latest delivery, and from one elsewhere if the system refuses later ones. */
  noteDelivery(bucket, then, now) {
    const last = this.state.last[bucket];
    const age = elapsed(now, then);
    if (!last || age < elapsed(now, last)) {
      this.setLast(bucket, then);
      return;
    }
    const next = this.state.unconfirmed.find(
      (entry) => entry.bucket === bucket && elapsed(now, entry.at) <= age,
    );
    if (next && (!next.previous || age < elapsed(now, next.previous))) next.previous = then;
  }

  /** Returns the caps that a counted reservation exceeds because of a delivery elsewhere. */
  overrun(entry, { type, bucket, day, wall }) {
    const { policy, state } = this;
    if (entry.pattern) return {};
    const exceeds = (count, cap) => reaches(count - 1, cap);
    const isOfBoth = (name) => entry.bucket === name && bucket === name;
    const isSameDay = entry.day === day;
    const failing = {};
    if (entry.type === type) failing.lifetimeCap = exceeds(state.lifetime[type] ?? 0, policy.lifetimeCap.get(type));
    if (isOfBoth("critical") && isSameDay) {
      failing.criticalDailyCap = exceeds(this.count("critical", day), policy.criticalDailyCap);
    }
    if (isOfBoth("standard") && isSameDay) {
      failing.dailyCap = exceeds(this.count("standard", day), policy.dailyCap);
      failing.userDailyCap = exceeds(this.count("standard", day), state.ownCap);
    }
    if (isOfBoth("standard") && entry.type === type) {
      const daily = policy.typeDailyCaps.has(type) ? policy.typeDailyCaps.get(type) : policy.typeDailyCap;
      const first = entry.day - remainder(weekday(entry.day) - policy.weekStart, 7);
      failing.typeDailyCap = isSameDay && exceeds(this.count(`type ${type}`, day), daily);
      failing.typeWeeklyCap =
        first <= day && day < first + 7
        && exceeds(this.weekCount(type, entry.day), policy.typeWeeklyCaps.get(type));
    }
    const neighbours = policy.intervalCountsCriticals ? ["standard", "critical"] : ["standard"];
    failing.minimumInterval =
      entry.bucket === "standard"
      && neighbours.includes(bucket)
      && Math.abs(entry.deliverAt - wall) < policy.interval;
    return failing;
  }

  /** The system refused a request: its counts are released, and the interval counts from the previous delivery.  */
  refuse(request, now) {
    this.givePendingBack((entry) => isSame(entry, request));
    const isRefused = (entry) => isSame(entry, request) && isOpen(entry, now);
    for (const entry of this.state.unconfirmed.filter(isRefused)) {
      const index = this.state.unconfirmed.indexOf(entry);
      this.state.unconfirmed.splice(index, 1);
      this.giveBack(entry);
      const later = this.state.unconfirmed.slice(index).find((other) => other.bucket === entry.bucket);
      const last = this.state.last[entry.bucket];
      if (later) later.previous = entry.previous;
      else if (isSameMoment(last, entry.at)) this.setLast(entry.bucket, entry.previous);
    }
  }

  /** Resets the app's data. The system removes pending requests; they were never shown. */
  reinstall(effects) {
    const collected = this.state.collected.sort((a, b) => this.inOrder(a, b));
    this.drop([...this.state.held, ...collected], "cancelled", effects);
    this.givePendingBack(() => true);
    const old = this.state;
    this.state = { ...freshState(), clocks: old.clocks, zone: old.zone };
    for (const [type, count] of Object.entries(old.lifetime)) {
      if (this.policy.lifetimeSurvives || this.policy.keptTypes.has(type)) this.state.lifetime[type] = count;
    }
    this.changed = true;
  }

  /** Requests of a disabled type are removed immediately. Enabling it restores nothing. */
  changePreferences(event, effects) {
    this.changed = true;
    if ("all" in event) {
      this.state.enabled = event.all;
    } else if ("type" in event) {
      this.state.off = this.state.off.filter((type) => type !== event.type);
      if (!event.on) this.state.off.push(event.type);
    } else {
      this.state.ownCap = event.dailyCap;
    }
    this.withdrawFrom("held", "userDisabled", effects, (entry) => !this.isWanted(entry));
    this.withdrawPending("userDisabled", effects, (entry) => !this.isWanted(entry));
  }

  // Removal

  /** Removes undelivered requests and reports each: `remove` if the system has it, `dropped` otherwise. */
  withdraw(reason, now, effects, test) {
    this.state.collected.sort((a, b) => this.inOrder(a, b));
    this.withdrawFrom("collected", reason, effects, test);
    this.withdrawFrom("held", reason, effects, test);
    this.withdrawPending(reason, effects, test);
    this.finish(now, effects);
  }

  withdrawFrom(place, reason, effects, test) {
    const found = this.state[place].filter(test);
    if (found.length === 0) return;
    this.changed = true;
    this.state[place] = this.state[place].filter((request) => !test(request));
    this.drop(found, reason, effects);
  }

  drop(requests, reason, effects) {
    for (const { releaseAt, ...request } of requests) effects.push({ event: "dropped", request, reason });
  }

  withdrawPending(reason, effects, test) {
    for (const { reminder, occurrence } of this.givePendingBack(test)) {
      effects.push({ event: "remove", reminder, occurrence, reason });
    }
  }

  givePendingBack(test) {
    const found = this.state.pending.filter(test);
    if (found.length > 0) this.state.pending = this.state.pending.filter((entry) => !test(entry));
    for (const entry of found) this.giveBack(entry);
    return found;
  }

  /** Requests a wake-up at the next release if it has changed. */
  finish(now, effects) {
    this.keepReleased();
    const release = this.state.held.length > 0 ? this.state.held[0].releaseAt : FAR;
    if (this.announced <= now.wall && release !== this.announced) this.announced = FAR;
    if (release !== this.announced) {
      this.announced = release;
      effects.push({ event: "wakeForRelease", at: release === FAR ? null : release });
    }
  }
}

const isOpen = (unconfirmed, now) => elapsed(now, unconfirmed.at) <= CONFIRMATION;
const isSame = (a, b) => a.reminder === b.reminder && a.occurrence === b.occurrence;
const reaches = (count, cap) => cap !== null && cap !== undefined && (count ?? 0) >= cap;

function increase(counts, key) {
  counts[key] = (counts[key] ?? 0) + 1;
}

function decrease(counts, key) {
  if (counts[key] > 1) counts[key]--;
  else delete counts[key];
}

/** Converts trainingDay to training_day and openURL to open_url. */
const snakeCase = (name) => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();

module.exports = { CapScheduler, isSame };
