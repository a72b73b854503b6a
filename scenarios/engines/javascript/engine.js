#!/usr/bin/env node
"use strict";
// An engine for TriggerBench in plain JavaScript (Node 18 or later), without packages.
//
//     triggerbench run --engine "node scenarios/engines/javascript/engine.js" scenarios/milk.yaml
//
// The bench writes one JSON object per line to standard input, and this program answers on standard output. It is an
// example of an engine in another language. Start reading here. Then read `reminders.js` (which reminders make
// requests),
// `plans.js` (requests that are scheduled ahead), `caps.js` (decisions), `program.js` (the scenario's declarations)
// and
// `civil.js` (local time).

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
  // The parts of the scenario format that this engine supports, by the keys of its long forms.
  features: {
    triggers: words(
      "unlock chargingStarted chargingStopped opened appOpened regionEntered regionExited factChanged " +
        "scheduled relative elapsed lapsed repeating",
    ),
    schedules: words(
      "once daily weekly monthly yearly interval weekdays dayOfMonth skip notBefore times until except zone ahead " +
        "every everyYear",
    ),
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

// Times in requests and effects are numbers internally and texts on the wire.
const TIMES = ["scheduledFor", "deliverAt", "expiresAt", "at", "until"];

// The longest delay of an alarm: hours in Doze, and as many for a journey.
const LONGEST_LATENESS = 2 * DAY;

// The stored state begins with its form, version and length in bytes.
const FORM = "example-engine";
const VERSION = 1;

// Events that report a state, which are processed when a locked store opens.
const CONCERNS_STORE = new Set([
  "opened", "chargingStarted", "chargingStopped", "regionEntered", "regionExited", "regionFailed",
  "factChanged", "factFound",
  "permissionChanged", "reinstalled", "addFailed", "pendingDropped", "delivered", "tapped", "dismissed",
  "acted", "snooze", "create", "cancel", "edit", "cancelAll", "preferencesChanged",
  "deliveredElsewhere",
]);

// Those of them that can report a state instead of a change.
const STATES = new Set(["chargingStarted", "chargingStopped", "regionEntered", "regionExited", "opened"]);

/** The matcher and the cap scheduler in one process of the app. */
class Engine {
  constructor(program) {
    this.program = program;
    this.begin();
  }

  begin() {
    this.reminders = new Reminders(this.program);
    this.caps = new CapScheduler(this.program);
    // Whether the store cannot be read yet, and the events since then that concern the stored state.
    this.isLocked = false;
    this.told = [];
  }

  // Processes

  /** A process starts. Of the previous one only the stored state is left. */
  launch(message, now, effects) {
    this.begin();
    this.caps.permission = message.permission || "notDetermined";
    this.reminders.capacity = message.pendingCapacity ?? Infinity;
    this.reminders.regionCapacity = message.regionCapacity ?? Infinity;
    this.reminders.charging = Boolean(message.charging);
    this.setLateness(message.lateAlarms ? LONGEST_LATENESS : 0);
    if (message.store === "locked") {
      // Starting with empty counters would repeat all reminders, so triggers pass until the store opens.
      this.isLocked = true;
    } else if (message.store === "stored") {
      this.load(message.state, now, effects);
    } else {
      this.caps.importCounters(this.program.counters);
    }
  }

  /** The store can be read: continues with its state. */
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
      // A well-formed state without a known problem is one that this engine would not write.
      this.beginAgain();
      effects.push({ event: "storeUnusable", problem: error.problem || "contradictory" });
    }
  }

  /** Resets everything except the facts of this process. */
  beginAgain() {
    const [{ permission, lateness }, told] = [this.caps, this.told];
    const { charging, capacity, regionCapacity, plannedAt } = this.reminders;
    this.begin();
    this.caps.permission = permission;
    Object.assign(this.reminders, { charging, capacity, regionCapacity, plannedAt });
    this.setLateness(lateness);
    this.told = told;
  }

  /**
   * If alarms may be late, the system may show a request this much after its time. The request is pending until then,
   * or until the app observes its delivery.
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
    // Accounts are updated first, so that requests for an event follow the removals for it.
    const first = effects.length;
    this.caps.process(event, now, effects);
    const isNews = ["preferencesChanged", "deliveredElsewhere"].includes(event.event);
    if (isNews) this.reminders.settled(effects.slice(first), now, wishes);
    for (const wish of wishes) this.fulfil(wish, now, effects, first);
  }

  /**
   * Passes a wish of the matcher to the scheduler or to the system.
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
        // By the clocks it was delivered, but on a journey or if late, the system may still have it.
        const isGivenUp = effects.slice(first).some((effect) => isSame(effect.request ?? effect, wish));
        if (!isGivenUp) effects.push(wish);
        break;
      }
      case "withdraw":
        this.caps.withdraw(wish.reason, now, effects, (entry) => entry.reminder === wish.reminder);
        // The scheduler considers it delivered, but the system may still have it.
        effects.push(wish);
        break;
      default:
        effects.push(wish);
    }
  }

  /** Processes an event before the store can be read. */
  letPass(event, now, effects) {
    if (event.event === "launched") {
      // Plans from an empty store are discarded.
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

  /** Processes the events from the time while the store was locked as states, because the triggers have passed.  */
  makeUp(now, effects) {
    const { told } = this;
    this.told = [];
    for (const { event, now: then } of told) {
      if (event.event === "factChanged" || event.event === "factFound") {
        const age = (event.age ?? 0) + elapsed(now, then);
        this.take({ ...event, event: "factFound", age }, now, effects);
      } else if (event.event === "deliveredElsewhere") {
        this.take({ ...event, age: (event.age ?? 0) + elapsed(now, then) }, now, effects);
      } else if (event.event === "snooze" && event.length > 0) {
        // The clock may have been set since.
        const shift = now.wall - elapsed(now, then) - then.wall;
        this.take({ ...event, until: writeInstant(readInstant(event.until) + shift) }, now, effects);
      } else {
        this.take(STATES.has(event.event) ? { ...event, found: true } : event, now, effects);
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
    // Also if room that was reserved for deferred requests has become free.
    return !this.isLocked && (this.caps.isUnsettled() || this.reminders.releases > 0);
  }

  // Storage

  /** Returns the state to store, or null if it has not changed since the last call. */
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
  // A partial first word is the beginning of a truncated state.
  if (form !== FORM) throw unusable(FORM.startsWith(form) ? "torn" : "unknownForm");
  if (Number(version) > VERSION) throw unusable("newerVersion");
  if (body.length !== Number(length)) throw unusable("torn");
  return JSON.parse(body.toString());
}

// The protocol

let engine = null;

/** Processes one message. Returns the lines of the answer. */
function answer(message) {
  const kind = message.message || "event";
  // The system's answer to an add needs no reply; a refusal is also sent as `addFailed`.
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

/** Returns an effect as on the wire: flat, and with times as text. */
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

/** Reads lines until the input ends. Each is answered before the next is read, so that none accumulate. */
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

/** One write per answer, if the pipe accepts it completely. */
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
  // Report the reason before exiting; standard error has the details.
  write([{ message: "failed", why: String(problem) }]);
  throw problem;
}
