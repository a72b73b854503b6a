"use strict";
// Reads the program: the scenario's document in its long forms, as the bench sends it.
//
// Unknown forms are errors. An engine that guessed would be tested on something other than the scenario.

const { DAY, FAR, MINUTE, WEEKDAYS, Recurrence, RelativeDays, RelativeSpans, Zone } = require("./civil.js");
const { dayNumber, dayText, elapsed, readInstant, weekday } = require("./civil.js");

// The words of the document

/** Returns a list, or a list of one. */
const oneOrMore = (node) => (Array.isArray(node) ? node : node === undefined || node === null ? [] : [node]);

/** Returns the entry for a word of a table, or throws an error. */
function known(table, word) {
  if (!Object.hasOwn(table, word)) throw new Error(`unknown word ${JSON.stringify(word)}`);
  return table[word];
}

const truth = (node) => known({ true: true, false: false, on: true, off: false }, String(node));

/** Parses 08:10 as a minute of the day. */
function minute(text) {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text);
  return Number(hours) * 60 + Number(minutes);
}

/** Parses 08:10, 20:00 as minutes of the day. */
const minutes = (text) => text.split(",").map((part) => minute(part.trim()));

const PLACES = ["first", "second", "third", "fourth", "fifth"];

/** Parses 22:00-07:00, [22:00, 07:00] or {from, to} as two minutes of the day. */
function window(node) {
  if (typeof node === "string") node = node.split(/ *- */);
  else if (!Array.isArray(node)) node = [node.from, node.to];
  return [minute(node[0]), minute(node[1])];
}

const UNITS = { ms: 1 };
for (const [names, length] of [
  ["s sec second seconds", 1000],
  ["min minute minutes m", MINUTE],
  ["h hour hours", 60 * MINUTE],
  ["d day days", DAY],
  ["week weeks", 7 * DAY],
]) {
  for (const name of names.split(" ")) UNITS[name] = length;
}

/** Parses 1 h 30 min as milliseconds. */
function duration(text) {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?) *([a-z]+)/g)];
  return parts.reduce((sum, [, number, unit]) => sum + Math.round(number * known(UNITS, unit)), 0);
}

const DAYS = {
  day: [0, 1, 2, 3, 4, 5, 6],
  weekday: [0, 1, 2, 3, 4],
  weekdays: [0, 1, 2, 3, 4],
  weekend: [5, 6],
  weekends: [5, 6],
};
WEEKDAYS.forEach((name, number) => (DAYS[name] = [number]));

/** Parses 150 m or 0.15 km as metres. */
function metres(text) {
  const [, number, unit] = /^(\d+(?:\.\d+)?) *(m|km)$/.exec(text);
  return Number(number) * (unit === "km" ? 1000 : 1);
}

/** Parses weekday, or monday, friday as numbers; 0 is Monday. */
function weekdays(node) {
  const names = Array.isArray(node) ? node : node.split(",");
  return new Set(names.flatMap((name) => known(DAYS, name.trim())));
}

/** Parses 3, 5, 7 as a list. */
const numbers = (node) => (Array.isArray(node) ? node : String(node).split(",")).map(Number);

/** Parses a number or a percentage as thousandths, so that comparisons are exact. */
function thousandths(node) {
  const text = String(node).trim();
  return text.endsWith("%") ? Math.round(Number(text.slice(0, -1)) * 10) : Math.round(Number(text) * 1000);
}

/** Parses a number of notifications; none is null and means no cap. */
const cap = (node) => (node === null || node === "none" ? null : Number(node));

// The document

class Program {
  constructor(message) {
    const document = message.scenario;
    this.zones = new Map();
    this.startDay = dayNumber(document.start.slice(0, 10));
    this.zone = this.zoneNamed(document.zone);
    this.facts = {};
    for (const [name, node] of Object.entries(document.facts || {})) this.facts[name] = factKind(node);
    // The values that facts of a day have after the end of the local day.
    this.dayEnds = new Map();
    for (const [name, node] of Object.entries(document.facts || {})) {
      if (node?.endOfDay !== undefined) this.dayEnds.set(name, this.constants(name)(node.endOfDay));
    }
    // The places by name: position, and radius in metres.
    this.places = {};
    for (const [name, { at, radius }] of Object.entries(document.places || {})) {
      this.places[name] = { at, radius: metres(radius) };
    }
    this.policy = readPolicy(document.policy || {});
    // The reminders as declared, and their edits by reminder and name.
    this.plans = Object.entries(document.reminders).map(([name, node]) => this.plan(name, node));
    this.edits = {};
    for (const [reminder, edits] of Object.entries(document.edits || {})) {
      const plans = Object.entries(edits).map(([name, node]) => [name, this.plan(reminder, node)]);
      this.edits[reminder] = Object.fromEntries(plans);
    }
    const everything = [...this.plans, ...Object.values(this.edits).flatMap(Object.values)];
    // The order of types is part of the order in which requests are decided.
    this.types = message.types || [...new Set(everything.map((plan) => plan.type))].sort();
    this.registered = registeredTypes(document.consumers, this.types);
    // Counters of an earlier version of the app, which the first process finds in its store.
    this.counters = message.stored || document.stored || {};
  }

  zoneNamed(name) {
    let zone = this.zones.get(name);
    if (!zone) this.zones.set(name, (zone = new Zone(name, this.startDay)));
    return zone;
  }

  /** Parses 2026-03-02, or 'day 3' of the scenario. */
  date(text) {
    return text.startsWith("day") ? this.startDay + Number(text.slice(3)) - 1 : dayNumber(text);
  }

  /** Parses a date and a time in the zone of the start. */
  localInstant(text) {
    const [, date, time] = /^(.+)[T ](\d.*)$/.exec(text);
    const [hours, minutes, seconds = 0] = time.split(":").map(Number);
    return this.zone.first(this.date(date) * DAY + (hours * 3600 + minutes * 60 + seconds) * 1000);
  }

  plan(name, node) {
    const triggers = [];
    const places = [];
    let [schedule, ahead, lapse, repetition] = [null, 0, null, { patterns: [], firstDay: null }];
    for (const trigger of oneOrMore(node.when)) {
      const [[kind, value]] = Object.entries(typeof trigger === "string" ? { event: trigger } : trigger);
      if (kind === "event") {
        known({ unlock: 1, chargingStarted: 1, chargingStopped: 1, opened: 1 }, value);
        triggers.push([value, null]);
      } else if (["appOpened", "regionEntered", "regionExited", "factChanged"].includes(kind)) {
        triggers.push([kind, value]);
        if (kind.startsWith("region")) places.push(value);
      } else if (kind === "scheduled") {
        [schedule, ahead] = [this.recurrence(value), Number(value.ahead || 0)];
      } else if (kind === "relative") {
        schedule = this.relative(value);
        ahead = Number(value.ahead ?? Math.min(schedule.days.length * schedule.minutes.length, 64));
      } else if (kind === "elapsed") {
        schedule = this.spans(value);
        ahead = Number(value.ahead ?? Math.min(schedule.spans.length, 64));
      } else if (kind === "lapsed") {
        lapse = { days: numbers(value.days), minute: minute(value.at) };
      } else if (kind === "repeating") {
        repetition = this.repetition(value);
      } else {
        throw new Error(`unknown trigger ${kind}`);
      }
    }
    const conditions = oneOrMore(node.if);
    const withdrawals = oneOrMore(node.withdraw);
    const notify = typeof node.notify === "string" ? { title: node.notify } : node.notify;
    const isOnce = schedule instanceof Recurrence && schedule.frequency === "once" && schedule.minutes.length === 1;
    const recurs = triggers.length === 0 && !isOnce;
    for (const item of conditions) {
      if (item.inside || item.outside) places.push(item.inside || item.outside);
    }
    return {
      reminder: name,
      triggers,
      // A recurrence, and the number of occurrences to schedule ahead.
      schedule,
      ahead,
      // The days since the app was last opened, and the minute of the day.
      lapse,
      // The patterns of repeating requests, and the first day that counts.
      ...repetition,
      // The conditions as {kind, check}. A check takes a view and returns null, or the reason why it fails.
      conditions: conditions.map((item) => this.condition(item)),
      withdrawals: withdrawals.map((item) => this.comparison(item)),
      criticals: oneOrMore(notify.criticalIf).map((item) => this.comparison(item)),
      conditionFacts: new Set(conditions.flatMap((item) => (item.fact ? named(item.fact) : []))),
      withdrawalFacts: new Set(withdrawals.flatMap(named)),
      places,
      repeats: node.repeat || (recurs ? "always" : "once"),
      madeLater: node.exists === "later",
      expires: node.expires ? this.localInstant(node.expires) : FAR,
      type: notify.type || name,
      bucket: notify.bucket || "standard",
      priority: Number(notify.priority ?? 100),
      copies: notify.stages ? notify.stages.length : 1,
      usefulFor: notify.usefulFor ? duration(notify.usefulFor) : null,
    };
  }

  recurrence(node) {
    const [place, name] = (node.dayOfMonth || "").split(" ");
    const number = place === "last" ? -1 : PLACES.indexOf(place) + 1;
    return new Recurrence({
      start: this.date(node.start),
      minutes: minutes(node.at),
      dayOfMonth: name ? [number, weekdays(name)] : null,
      notBefore: node.notBefore ? this.date(node.notBefore) : null,
      count: node.times ? Number(node.times) : null,
      until: node.until ? this.date(node.until) : undefined,
      exceptions: node.except ? node.except.split(",").map((day) => this.date(day.trim())) : [],
      zone: node.zone ? this.zoneNamed(node.zone) : null,
      frequency: node.frequency,
      interval: Number(node.interval || 1),
      skip: node.skip || "backward",
      days: node.weekdays ? weekdays(node.weekdays) : null,
      weekStart: this.policy.weekStart,
    });
  }

  relative(node) {
    const sign = node.before ? -1 : 1;
    return new RelativeDays({
      fact: node.before || node.after,
      days: numbers(node.days).map((number) => sign * number),
      minutes: minutes(node.at),
      isYearly: truth(node.everyYear ?? false),
      skip: node.skip || "backward",
    });
  }

  spans(node) {
    const sign = node.before ? -1 : 1;
    const spans = Array.isArray(node.spans) ? node.spans : node.spans.split(",");
    return new RelativeSpans({ fact: node.before || node.after, spans: spans.map((span) => sign * duration(span)) });
  }

  /**
   * Returns the patterns of repeating requests: a span, or local times with one pattern for each weekday. Also
   * returns the first day that counts, which the system does not know.
   */
  repetition(node) {
    if (node.every) {
      return { patterns: [{ repeats: "span", repeatSeconds: duration(node.every) / 1000 }], firstDay: null };
    }
    const firstDay = this.date(node.start);
    const [, repeatMonth, repeatDay] = dayText(firstDay).split("-").map(Number);
    const repeatMinute = minute(node.at);
    let repeats = node.frequency;
    if (repeats === "weekly") {
      const days = [...(node.weekdays ? weekdays(node.weekdays) : [weekday(firstDay)])].sort();
      if (days.length < 7) {
        return { patterns: days.map((day) => ({ repeats, repeatDay: day + 1, repeatMinute })), firstDay };
      }
      repeats = "daily";
    }
    const pattern = known(
      {
        daily: { repeats, repeatMinute },
        monthly: { repeats, repeatDay, repeatMinute },
        yearly: { repeats, repeatMonth, repeatDay, repeatMinute },
      },
      repeats,
    );
    return { patterns: [pattern], firstDay };
  }

  // Conditions

  condition(node) {
    const [[kind, value]] = Object.entries(node);
    const make = (kind, holds) => ({ kind, check: (view) => (holds(view) ? null : "conditionFailed") });
    if (kind === "timeWindow") {
      const hours = window(value);
      return make(kind, (view) => view.isOpen(hours));
    }
    if (kind === "weekdays") {
      const days = weekdays(value);
      return make(kind, (view) => days.has(view.weekday));
    }
    if (kind === "inside") return make("region", (view) => view.inside.has(value));
    if (kind === "outside") return make("region", (view) => !view.inside.has(value));
    if (kind === "charging") {
      const wanted = truth(value);
      return make(kind, (view) => view.charging === wanted);
    }
    if (kind === "fact") return { kind, check: this.comparison(value) };
    throw new Error(`unknown condition ${kind}`);
  }

  /**
   * Returns a check of a quantity against constants. An unknown value is stale unless the scenario states another
   * reason.
   */
  comparison(node) {
    const failed = node.reason || "conditionFailed";
    const unknown = failed === "conditionFailed" ? "staleData" : failed;
    const { measure, read } = this.quantity(node);
    const constants = oneOrMore(node.constants).map(read);
    const holds = known(
      {
        less: (found) => found < constants[0],
        lessOrEqual: (found) => found <= constants[0],
        equal: (found) => constants.includes(found),
        notEqual: (found) => !constants.includes(found),
        greaterOrEqual: (found) => found >= constants[0],
        greater: (found) => found > constants[0],
      },
      node.comparison,
    );
    return (view) => {
      const found = measure(view);
      if (found === null) return unknown;
      return holds(found) ? null : failed;
    };
  }

  /** Returns the compared quantity as a function of a view, and the parser of its constants. */
  quantity(node) {
    const value = (view, fact) => this.known(view, fact);
    if (node.age) {
      const age = (view) => {
        const isKnown = value(view, node.age) !== null;
        return isKnown ? elapsed(view.now, view.facts.get(node.age).since) : null;
      };
      return { measure: age, read: duration };
    }
    if (node.daysSince) {
      const days = (view) => {
        const day = this.dayOf(view, node.daysSince);
        return day === null ? null : view.day - day;
      };
      return { measure: days, read: (item) => Number(String(item).replace("days", "")) };
    }
    if (node.timeSince) {
      const time = (view) => {
        const instant = value(view, node.timeSince);
        return instant === null ? null : view.now.wall - instant;
      };
      return { measure: time, read: duration };
    }
    const fact = node.value;
    if (node.dividedBy) {
      const ratio = (view) => {
        const [above, below] = [value(view, fact), value(view, node.dividedBy)];
        return above === null || !below ? null : (above * 1000) / below;
      };
      return { measure: ratio, read: thousandths };
    }
    return { measure: (view) => value(view, fact), read: this.constants(fact) };
  }

  /** Returns the day of a fact or of its instant, or null if it is unknown. */
  dayOf(view, fact) {
    const value = this.known(view, fact);
    return value === null || this.facts[fact] === "date" ? value : view.zone.day(value);
  }

  /** Returns the parser of the constants that a fact is compared with. */
  constants(fact) {
    const readers = { truth, number: thousandths, name: String, instant: (item) => this.localInstant(item) };
    readers.date = (item) => this.date(item);
    return known(readers, this.facts[fact]);
  }

  /** Returns the value of a fact in a view, or null if it is unknown. A fact of a day ends with its day. */
  known(view, fact) {
    const found = view.facts.get(fact);
    if (!found) return null;
    const isOver =
      this.dayEnds.has(fact) && view.day > this.zoneNamed(found.since.zone).day(found.since.wall);
    return isOver ? this.dayEnds.get(fact) : found.value;
  }

  /** Returns the value of a fact in an event, or null if it is missing. */
  factValue(fact, value) {
    if (value === null) return null;
    const readers = { truth: Boolean, number: thousandths, name: String, instant: readInstant, date: dayNumber };
    return known(readers, this.facts[fact])(value);
  }
}

/** Returns the kind of a fact: declared, or that of its first value. */
function factKind(node) {
  if (node !== null && typeof node === "object" && !Array.isArray(node)) {
    if (node.kind || node.names) return node.kind || "name";
    node = node.initial;
  }
  if (Array.isArray(node)) return "name";
  const text = String(node);
  if (["truth", "number", "instant", "date"].includes(text)) return text;
  if (text === "true" || text === "false") return "truth";
  return text.includes(":") ? "instant" : /^\d+-\d+-\d+$/.test(text) ? "date" : "number";
}

/** Returns the facts of a comparison. */
const named = (node) =>
  [node.value, node.dividedBy, node.age, node.daysSince, node.timeSince].filter(Boolean);

/** Types without a consumer are not registered. Without consumers, links are not modelled. */
function registeredTypes(consumers, types) {
  if (!consumers) return new Set(types);
  const sent = (consumer) => (consumer.types ? oneOrMore(consumer.types) : types);
  return new Set(Object.values(consumers).flatMap(sent));
}

const STANDING_CHECKS = ["notRegistered", "userDisabled", "userDailyCap"];
const CHECK_ORDER = [
  "permission", "lifetimeCap", "lapseCap", "quietHours", "typeDailyCap", "typeWeeklyCap", "dailyCap",
  "criticalDailyCap", "minimumInterval",
];

/** Whether quiet hours are a window in one of its forms, or none. */
function isOneWindow(quiet) {
  if (Array.isArray(quiet)) return quiet.length === 2 && !quiet.some((time) => String(time).includes("-"));
  return quiet === null || typeof quiet !== "object" || ("from" in quiet && "to" in quiet);
}

/** The rules of the cap scheduler. Missing ones have their defaults. */
function readPolicy(node) {
  const quiet = node.quietHours === undefined ? "22:00-07:00" : node.quietHours;
  if ((node.capsCount || "delivered") !== "delivered") {
    throw new Error("this engine does not support 'capsCount: presented'");
  }
  const keys = ["weeklyCap", "monthlyCap", "rollingCap", "typeMonthlyCaps", "typeRollingCaps", "bypassQuietHours"];
  for (const key of keys) {
    const value = node[key] ?? "none";
    if (value !== "none" && (typeof value !== "object" || Object.keys(value).length > 0)) {
      throw new Error(`this engine does not support '${key}'`);
    }
  }
  if (!isOneWindow(quiet)) {
    throw new Error("this engine does not support 'quietHours' with several windows or by weekday");
  }
  const action = node.quietAction || {};
  const all = (word) => ({ standard: word, critical: word, user: word });
  const order = node.checkOrder || CHECK_ORDER;
  const orDefault = (value, usual) => cap(value === undefined ? usual : value);
  const byType = (key) => new Map(Object.entries(node[key] || {}).map(([name, value]) => [name, cap(value)]));
  const quietAction = {
    ...{ standard: "drop", critical: "drop", user: "defer" },
    ...(typeof action === "string" ? all(action) : action),
  };
  const quietHours = quiet === null || quiet === "none" ? null : window(quiet);
  return {
    quietHours,
    quietAction,
    // Whether quiet hours defer requests of a bucket with caps by day.
    defersCounted: quietHours !== null && [quietAction.standard, quietAction.critical].includes("defer"),
    criticalBypasses: truth(node.criticalBypassesQuietHours ?? false),
    criticalPreempts: truth(node.criticalPreempts ?? true),
    dailyCap: orDefault(node.dailyCap, 3),
    criticalDailyCap: orDefault(node.criticalDailyCap, 1),
    typeDailyCap: orDefault(node.typeDailyCap, 1),
    typeDailyCaps: byType("typeDailyCaps"),
    typeWeeklyCaps: byType("typeWeeklyCaps"),
    lifetimeCap: byType("lifetimeCap"),
    lapseCap: byType("lapseCap"),
    weekStart: WEEKDAYS.indexOf(node.weekStart || "monday"),
    lifetimeSurvives: truth(node.lifetimeSurvivesReinstall ?? false),
    keptTypes: new Set(oneOrMore(node.keptThroughReinstall)),
    counterLag: duration(node.counterLag || "0 s"),
    interval: node.minimumInterval === "none" ? 0 : duration(node.minimumInterval || "4 h"),
    intervalCountsCriticals: node.minimumIntervalScope === "all",
    checkOrder: [...STANDING_CHECKS.filter((check) => !order.includes(check)), ...order],
  };
}

module.exports = { Program };
