#!/usr/bin/env node
"use strict";
// An engine for TriggerBench in plain JavaScript (Node 18 or later), without packages.
//
//     triggerbench run --engine "node scenarios/engines/javascript/engine.js" scenarios/milk.yaml
//
// The bench writes one JSON object a line to standard input; this answers on standard output. It shows how an
// engine in another language takes part, and is meant to be read: begin here, then `reminders.js` (when a
// reminder asks for a notification), `plans.js` (what is planned beforehand), `caps.js` (which requests become
// one), `program.js` (what the scenario says) and `civil.js` (local time).

const fs = require("node:fs");
const { CapScheduler, isSame } = require("./caps.js");
const { DAY, elapsed, FAR, readInstant, writeInstant } = require("./civil.js");
const { Program } = require("./program.js");
const { Reminders } = require("./reminders.js");

const words = (text) => text.split(" ");

const HELLO = {
  message: "hello",
  protocol: 1,
  name: "example-javascript",
  version: "1.0",
  capabilities: ["match", "caps"],
  // What of the scenario format this engine knows, by the keys of its long forms.
  features: {
    triggers: words(
      "unlock chargingStarted chargingStopped opened appOpened regionEntered regionExited factChanged " +
        "scheduled relative elapsed lapsed repeating",
    ),
    schedules: words("once daily weekly monthly yearly interval weekdays dayOfMonth skip notBefore times ahead every everyYear"),
    conditions: words("timeWindow weekdays inside outside charging fact"),
    quantities: words("value dividedBy age daysSince timeSince"),
    repeats: words("once daily weekly monthly always"),
    reminders: words("exists expires withdraw edits criticalIf priority stages usefulFor"),
    commands: words("snooze create cancel edit cancelAll preferencesChanged deliveredElsewhere"),
    caps: words(
      "quietHours quietAction criticalBypassesQuietHours criticalPreempts dailyCap criticalDailyCap " +
        "typeDailyCap typeDailyCaps typeWeeklyCaps lifetimeCap lapseCap weekStart lifetimeSurvivesReinstall " +
        "keptThroughReinstall counterLag minimumInterval minimumIntervalScope checkOrder",
    ),
    storage: words("stored locked counters"),
  },
};

// Times of requests and effects: numbers inside, text on the wire.
const TIMES = ["scheduledFor", "deliverAt", "expiresAt", "at", "until"];

// Hours in Doze, and as many more as a journey puts an alarm off.
const LONGEST_LATENESS = 2 * DAY;

// What the app's store holds begins with the form, its version and how many bytes follow.
const FORM = "example-engine";
const VERSION = 1;

// What must be made up for when a locked store opens: everything that says how things are.
const CONCERNS_STORE = new Set([
  "opened", "regionEntered", "regionExited", "regionFailed", "factChanged", "factFound",
  "permissionChanged", "reinstalled", "addFailed", "pendingDropped", "delivered", "tapped", "dismissed",
  "acted", "snooze", "create", "cancel", "edit", "cancelAll", "preferencesChanged",
  "deliveredElsewhere",
]);

/** The matcher, and behind it the cap scheduler, in one process of the app. */
class Engine {
  constructor(program) {
    this.program = program;
    this.begin();
  }

  begin() {
    this.reminders = new Reminders(this.program);
    this.caps = new CapScheduler(this.program);
    // Whether the store cannot be read yet, and what was told since that concerns what is stored.
    this.isLocked = false;
    this.told = [];
  }

  // The life of the process

  /** A process starts: nothing of the one before it is left but what it stored. */
  launch(message, now, effects) {
    this.begin();
    this.caps.permission = message.permission || "notDetermined";
    this.reminders.capacity = message.pendingCapacity ?? Infinity;
    this.reminders.regionCapacity = message.regionCapacity ?? Infinity;
    this.reminders.charging = Boolean(message.charging);
    this.setLateness(message.lateAlarms ? LONGEST_LATENESS : 0);
    if (message.store === "locked") {
      // Going on with empty counters would remind again of everything: let triggers pass until then.
      this.isLocked = true;
    } else if (message.store === "stored") {
      this.load(message.state, now, effects);
    } else {
      this.caps.importCounters(this.program.counters);
    }
  }

  /** The store can be read: go on from there. */
  open(message, now, effects) {
    this.beginAgain();
    if (message.store === "stored") this.load(message.state, now, effects);
  }

  load(text, now, effects) {
    try {
      const stored = decode(text);
      this.reminders.load(stored.reminders);
      this.caps.load(stored.caps, now);
    } catch (error) {
      // Where there is no problem to name, it is well formed and not what this engine writes.
      this.beginAgain();
      effects.push({ event: "storeUnusable", problem: error.problem || "contradictory" });
    }
  }

  /** As at the start, but for what this process was told. */
  beginAgain() {
    const [{ permission, lateness }, told] = [this.caps, this.told];
    const { charging, capacity, regionCapacity } = this.reminders;
    this.begin();
    this.caps.permission = permission;
    Object.assign(this.reminders, { charging, capacity, regionCapacity });
    this.setLateness(lateness);
    this.told = told;
  }

  /**
   * Where alarms may be late, what the system has may come so long after its time: it is pending until then, or until
   * the app is told.
   */
  setLateness(lateness) {
    this.caps.lateness = lateness;
    for (const reminder of this.reminders.reminders.values()) reminder.lateness = lateness;
  }

  // Events

  process(event, now, effects) {
    if (this.isLocked) {
      this.letPass(event, now, effects);
      return;
    }
    if (event.event === "storeAvailable") {
      this.makeUp(now, effects);
      event = { ...event, event: "launched" };
    }
    this.take(event, now, effects);
  }

  take(event, now, effects) {
    const wishes = this.reminders.process(event, now);
    // The accounts first: what is asked for because of an event comes after what the event took away.
    const first = effects.length;
    this.caps.process(event, now, effects);
    const isNews = ["preferencesChanged", "deliveredElsewhere"].includes(event.event);
    if (isNews) this.reminders.settled(effects.slice(first), now, wishes);
    for (const wish of wishes) this.fulfil(wish, now, effects, first);
  }

  /**
   * Hands a wish of the matcher to the scheduler, or on to the system.
   *
   * @param first Where the effects of this event begin.
   */
  fulfil(wish, now, effects, first) {
    switch (wish.event) {
      case "request":
        effects.push({ event: "request", request: { ...wish.request } });
        this.caps.submit(wish.request);
        break;
      case "remove": {
        this.caps.withdraw(wish.reason, now, effects, (entry) => isSame(entry, wish));
        // By the clocks it was delivered. On a journey, or late, the system may have it still.
        const isGivenUp = effects.slice(first).some((effect) => isSame(effect.request ?? effect, wish));
        if (!isGivenUp) effects.push(wish);
        break;
      }
      case "withdraw":
        this.caps.withdraw(wish.reason, now, effects, (entry) => entry.reminder === wish.reminder);
        // What the scheduler takes for delivered and the system has still.
        effects.push(wish);
        break;
      default:
        effects.push(wish);
    }
  }

  /** Something happens before the store can be read. */
  letPass(event, now, effects) {
    if (event.event === "launched") {
      // Plans of an empty store are nobody's.
      this.reminders.process(event, now);
      return;
    }
    for (const wish of this.reminders.look(event, now)) {
      if (wish.event === "request") {
        this.reminders.takeBack(wish.request, now);
        const { reminder } = wish.request;
        effects.push({ event: "noRequest", reminder, reason: "staleData", failed: [] });
      } else {
        effects.push(wish);
      }
    }
    if (CONCERNS_STORE.has(event.event)) this.told.push({ event, now });
  }

  /** Takes in now what was told while the store was locked, as news of a state: the triggers have passed. */
  makeUp(now, effects) {
    const { told } = this;
    this.told = [];
    for (const { event, now: then } of told) {
      if (event.event === "factChanged" || event.event === "factFound") {
        const age = (event.age ?? 0) + elapsed(now, then);
        this.take({ ...event, event: "factFound", age }, now, effects);
      } else if (event.event === "deliveredElsewhere") {
        this.take({ ...event, age: (event.age ?? 0) + elapsed(now, then) }, now, effects);
      } else {
        const hasPassed = ["regionEntered", "regionExited", "opened"].includes(event.event);
        this.take(hasPassed ? { ...event, found: true } : event, now, effects);
      }
    }
  }

  /** Decides the requests of this instant. Returns whether there is more to decide. */
  settle(now, effects) {
    if (this.isLocked) return false;
    const releases = this.caps.releases(now);
    const stale = releases.filter((request) => !this.reminders.stillHolds(request, now));
    if (stale.length > 0) this.caps.withdrawStale(stale, now, effects);
    const [wishes, first] = [[], effects.length];
    this.reminders.keepRoom(releases.length, now, wishes);
    for (const wish of wishes) this.fulfil(wish, now, effects, first);
    const hasMore = this.caps.settle(now, effects);
    this.reminders.settled([...effects], now, effects);
    return hasMore;
  }

  isUnsettled(now) {
    // Also where the room that was kept for requests that were put off has become free.
    return !this.isLocked && (this.caps.isUnsettled() || this.reminders.releases > 0);
  }

  // Storage

  /** What must be stored, if it has changed since it was last taken. */
  takeState() {
    if (this.isLocked || !(this.reminders.changed || this.caps.changed)) return null;
    this.reminders.changed = this.caps.changed = false;
    return encode({ reminders: this.reminders.save(), caps: this.caps.state });
  }
}

function encode(state) {
  const body = Buffer.from(JSON.stringify(state));
  return Buffer.concat([Buffer.from(`${FORM} ${VERSION} ${body.length}\n`), body]).toString("base64");
}

function decode(text) {
  const unusable = (problem) => Object.assign(new Error(problem), { problem });
  const bytes = Buffer.from(text, "base64");
  const end = bytes.indexOf("\n");
  const body = end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 1);
  const [form, version, length] = bytes.subarray(0, end < 0 ? bytes.length : end).toString().split(" ");
  // Half of a word is the beginning of what was cut.
  if (form !== FORM) throw unusable(FORM.startsWith(form) ? "torn" : "unknownForm");
  if (Number(version) > VERSION) throw unusable("newerVersion");
  if (body.length !== Number(length)) throw unusable("torn");
  return JSON.parse(body.toString());
}

// The protocol

let engine = null;

/** Takes one message; returns the lines of the answer. */
function answer(message) {
  const kind = message.message || "event";
  // What the system said to an add needs no reply, and a refusal comes as `addFailed` too.
  if (kind === "answer") return [];
  if (kind === "hello") return [HELLO];
  if (kind === "program") {
    engine = new Engine(new Program(message));
    return [{ message: "ready" }];
  }
  const effects = [];
  const done = { message: "done" };
  const now = readMoment(message);
  if (kind === "launch") engine.launch(message, now, effects);
  else if (kind === "open") engine.open(message, now, effects);
  else if (kind === "settle") done.more = engine.settle(now, effects);
  else if (kind === "event") engine.process(message, now, effects);
  else throw new Error(`unknown message ${kind}`);
  const state = engine.takeState();
  if (state !== null) effects.push({ event: "persist", state });
  done.unsettled = engine.isUnsettled(now);
  return [...effects.map(wire), done];
}

const readMoment = ({ wall, boot, uptime, zone }) => ({ wall: readInstant(wall), boot, uptime, zone });

/** An effect as it stands on the wire: flat, and with times as text. */
function wire({ event, request, ...rest }) {
  const { pattern, ...parts } = request ?? {};
  const fields = { event, ...parts, ...pattern, ...rest };
  if (request) {
    if (fields.expiresAt >= FAR) delete fields.expiresAt;
    if (!fields.floating) delete fields.floating;
  }
  for (const key of TIMES) {
    if (typeof fields[key] === "number") fields[key] = writeInstant(fields[key]);
  }
  return fields;
}

/** Reads lines until the input ends. Each is answered before the next is read, so that nothing piles up. */
function main() {
  const chunk = Buffer.alloc(1 << 16);
  let rest = Buffer.alloc(0);
  for (;;) {
    const count = fs.readSync(0, chunk, 0, chunk.length, null);
    if (count === 0) return;
    rest = Buffer.concat([rest, chunk.subarray(0, count)]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const message = JSON.parse(rest.subarray(0, end).toString());
      rest = rest.subarray(end + 1);
      if (message.message === "end") return;
      write(answer(message));
    }
  }
}

/** One write an answer, if the pipe takes it whole. */
function write(lines) {
  let bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(fs.writeSync(1, bytes));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

try {
  main();
} catch (problem) {
  // Say why before giving up; the details are for whoever reads standard error.
  write([{ message: "failed", why: String(problem) }]);
  throw problem;
}
