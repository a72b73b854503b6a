import DeviceSimulation
import Journal
import ScenarioModel
import SimulationKernel
import TriggerEngine
package import TriggerModel

/// One device of a person: its phone, the engine under test in the app's process, and the participants.
///
/// The program passes events to the phone. The phone's output goes to the participants, the engine, the
/// future event list and the journal. The engine's effects go back to the phone.
package struct Device: Sendable {
  var phone: Phone
  private(set) var process: EngineProcess
  /// The engine's time per event, or `nil` if no stopwatch is set.
  package private(set) var timing: EngineTiming?
  var participants: Participants
  /// The number of the device in records.
  let number: UInt8
  let person: UInt64
  let scope: RunScope
  let stopwatch: Stopwatch?
  /// The end of the run. The device sets no timer at or after this instant.
  private let end: Instant
  private var output = PhoneOutput()
  private var replies = Replies()
  private var effects: [EngineEffect] = []
  /// Whether the engine may still decide requests at this instant because it has observed an event.
  private var isUnsettled = false
  /// Whether the launch at the start of the run is still to be reported. The process already exists.
  private var isStarting = false
  private var counted: [CountedReminders] = []
  /// The records that the sink needs.
  private var interest = RecordInterest.everything
  /// Whether the sink or a participant needs every event of the time line.
  private var needsEveryEvent = true
  /// Whether the sink, a participant or the stopwatch needs every observed event.
  private var needsEveryObservation = true
  /// Whether `irrelevantEvents` may be outdated because the engine has observed an event since the last
  /// update.
  private var areIrrelevantEventsStale = false
  /// The facts that the app has derived but the device has not applied yet.
  private var derivedFacts: [Replies.DerivedFact] = []
  /// Whether `pass` is running.
  private var isPassing = false

  init(
    program: Program, number: Int, engine: any EngineUnderTest, person: UInt64, scope: RunScope,
    stopwatch: Stopwatch?
  ) {
    self.number = UInt8(number)
    self.person = person
    self.scope = scope
    process = EngineProcess(engine, program, device: number)
    self.stopwatch = stopwatch
    if stopwatch != nil { timing = EngineTiming() }
    end = program.end
    phone = program.makePhone(person: person, device: number, scope: scope)
    participants = Participants(
      program, device: number, person: person, scope, isBuiltIn: engine is BuiltInEngine)
    if program.scenario.stored != nil { phone.store.write(engine.storedState()) }
  }

  /// Whether the engine counts identical misses instead of reporting each one. Not every engine supports
  /// this.
  var countsInBulk: Bool {
    get { process.engine.countsInBulk }
    set {
      // The reference compares individual requests.
      if newValue == countsInBulk || newValue && participants.reference != nil { return }
      process.engine.countsInBulk = newValue
      participants.groundTruth?.value.countsInBulk = process.engine.countsInBulk
    }
  }

  /// Suppresses records that neither the sink nor a participant needs.
  mutating func serve(_ interest: RecordInterest) {
    self.interest = interest
    output.recordsRemarks = participants.needEverything || interest.remarks
    needsEveryEvent = participants.needEverything || interest.contains(.unlock) || interest.contains(.lock)
    needsEveryObservation = participants.needEverything || interest.observed || stopwatch != nil
    output.irrelevantEvents = .none
    updateTruthKinds()
  }

  /// Updates the kinds of truth-track events that the phone must report.
  @inline(__always)
  private mutating func updateTruthKinds() {
    output.truthKinds = interest.truth.union(participants.truthKinds)
  }

  // MARK: - Events

  /// Launches the app with the initial values of its facts. The first plans can use these facts, but the
  /// facts fire no trigger.
  mutating func start(
    _ program: Program, at now: Instant, _ watch: PlaceWatch?, _ timers: inout Timers,
    into sink: inout some JournalSink
  ) {
    if let position = program.devices[Int(number)].setup.beginning.position {
      phone.begin(at: Fix(instant: now, coordinate: position), watch)
    }
    launch(isStoreOpen: true, stamp(now), &timers, into: &sink)
    let facts = program.scenario.facts.enumerated().filter { !$0.element.initial.isMissing }
    phone.find(facts.map { (FactID($0.offset), $0.element.initial) }, at: now, into: &output)
    let settings = program.scenario.preferences
    output.observed += settings.map { ObservedEvent($0, at: phone.clock.moment(at: now)) }
    pass(stamp(now), &timers, into: &sink)
    notify(.begin, stamp(now), &timers, into: &sink)
    output.observed.append(ObservedEvent(.launched, at: phone.clock.moment(at: now)))
    isStarting = true
    phone.begin(at: now, into: &output)
    pass(stamp(now), &timers, into: &sink)
  }

  /// Applies an event of the program to the phone.
  ///
  /// - Returns: Whether the event had consequences, that is, whether it delivered a record or set a timer.
  mutating func apply(
    _ next: ProgramEvent, at now: Instant, _ watches: [PlaceWatch?], _ timers: inout Timers,
    into sink: inout some JournalSink
  ) -> Bool {
    switch next.event {
    // A fast path for the most frequent events, which usually have neither observers nor output.
    case .unlock where !needsEveryEvent, .lock where !needsEveryEvent:
      phone.apply(next.event, at: now, into: &output)
      if hasNoOutput { return false }
      pass(stamp(now), &timers, into: &sink)
      return true
    default: return applyAndPass(next, at: now, watches, &timers, into: &sink)
    }
  }

  @inline(never)
  private mutating func applyAndPass(
    _ next: ProgramEvent, at now: Instant, _ watches: [PlaceWatch?], _ timers: inout Timers,
    into sink: inout some JournalSink
  ) -> Bool {
    let event = next.event
    if interest.contains(event) { sink.record(.happened(event), stamp(now)) }
    // Store the process's unwritten state before the fault.
    if case .storeFault = event { process.writeState(to: &phone.store) }
    // Only fixes need the monitor. Passing `nil` for other events avoids a reference count.
    let watch = event.isFix ? watches[Int(number)] : nil
    phone.apply(event, at: now, using: watch, hasDeclaredEnd: next.hasDeclaredEnd, into: &output)
    let isNeeded = participants.listen(to: .happened(event))
    if hasNoOutput, !isNeeded { return false }
    let stamp = stamp(now)
    pass(stamp, &timers, into: &sink)
    if isNeeded { deliver(.happened(event), stamp, &timers, into: &sink) }
    return true
  }

  @inline(__always)
  private var hasNoOutput: Bool {
    output.truth.isEmpty && output.observed.isEmpty && output.timers.isEmpty && output.outcomes.isEmpty
  }

  mutating func fire(
    _ timer: DeviceTimer, at now: Instant, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    switch timer {
    case .phone(let timer):
      phone.timerFired(timer, at: now, into: &output)
      pass(stamp(now), &timers, into: &sink)
    case .participant(let subject, let id):
      notify(.timer(id, subject: subject), stamp(now), &timers, into: &sink)
    // The sync service handles these events for all devices.
    case .sync: break
    }
  }

  /// Records a sync step that concerns this device.
  mutating func record(
    _ record: SyncRecord, at now: Instant, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    announce(.sync(record), stamp(now), &timers, into: &sink)
  }

  /// Applies a change or a delivery from another device to the app.
  mutating func applyRemote(
    _ write: SyncWrite, at now: Instant, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    if case .notified(let type, let bucket) = write.change {
      phone.learn(deliveredElsewhere: type, bucket, wall: write.stamp, at: now, into: &output)
      return pass(stamp(now), &timers, into: &sink)
    }
    guard let event = write.change.event else { return }
    phone.learn(event, at: now, into: &output)
    pass(stamp(now), &timers, into: &sink)
    participants.sync?.value.appliesRemoteChange = true
    deliver(.happened(event), stamp(now), &timers, into: &sink)
    participants.sync?.value.appliesRemoteChange = false
  }

  /// Returns whether the device can send and fetch changes.
  func reach(at now: Instant) -> SyncService.Reach {
    SyncService.Reach(
      isOnline: phone.isOnline, isAppRunning: phone.isAppRunning(at: now),
      takesPushes: phone.takesSilentPushes)
  }

  /// Applies an action that the person model chose, if the state of the device permits it.
  private mutating func apply(
    _ act: PersonAct, _ stamp: RecordStamp, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    guard phone.canHappen(act) else { return }
    sink.record(.person(act), stamp)
    phone.apply(act, at: stamp.instant, into: &output)
    pass(stamp, &timers, into: &sink)
    deliver(.person(act), stamp, &timers, into: &sink)
  }

  /// Lets the engine decide the requests of this instant.
  ///
  /// The engine decides up to the next request that it adds to the system, and receives the system's answer
  /// before it continues. If it observed no event at an instant, it decides nothing.
  mutating func settle(at now: Instant, _ timers: inout Timers, into sink: inout some JournalSink) {
    while isUnsettled {
      let stamp = stamp(now)
      isUnsettled = process.engine.settle(at: stamp.moment, into: &effects)
      participants.reference?.value.twin.settle(at: stamp.moment)
      recordCounted(stamp, &timers, into: &sink)
      if effects.isEmpty {
        isUnsettled = false
        break
      }
      notify(.answers(effects), stamp, &timers, into: &sink)
      perform(stamp, &timers, into: &sink)
      pass(stamp, &timers, into: &sink)
    }
    if participants.isHolding { notify(.settled, stamp(now), &timers, into: &sink) }
    if participants.reference != nil { notify(.decided, stamp(now), &timers, into: &sink) }
    if areIrrelevantEventsStale { updateIrrelevantEvents(at: now, &timers, into: &sink) }
  }

  /// Notifies the phone which events to omit until the engine observes its next event.
  private mutating func updateIrrelevantEvents(
    at now: Instant, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    areIrrelevantEventsStale = false
    if needsEveryObservation { return }
    output.irrelevantEvents = process.engine.irrelevantEvents(at: phone.clock.moment(at: now))
    phone.observersChanged(at: now, into: &output)
    if !hasNoOutput { pass(stamp(now), &timers, into: &sink) }
  }

  /// Records the reminders that the engine counted instead of reporting them individually.
  private mutating func recordCounted(
    _ stamp: RecordStamp, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    process.engine.takeCounted(into: &counted)
    if counted.isEmpty { return }
    var situation = situation(stamp)
    for counted in counted {
      var due: UInt64 = 0
      if case .denied = counted.fate, participants.groundTruth != nil {
        due = participants.denied(counted, situation, into: &replies)
        if !replies.isEmpty {
          handleReplies(stamp, &timers, into: &sink)
          situation = self.situation(stamp)
        }
      }
      sink.count(counted, due: due, stamp)
    }
    counted.removeAll(keepingCapacity: true)
  }

  /// Returns the state that participants may read. It copies single properties, because passing the phone
  /// would copy all of it.
  private func situation(_ stamp: RecordStamp) -> Situation {
    let isInFront = if case .foreground = phone.process.state { true } else { false }
    return Situation(
      now: stamp.instant, clock: phone.clock, isAppInFront: isInFront, isPhoneOn: phone.isOn,
      isUnlocked: phone.isOn && !phone.isLocked,
      servesWake: participants.reference != nil && phone.servesWake(at: stamp.instant))
  }

  private func stamp(_ now: Instant) -> RecordStamp {
    RecordStamp(person: person, device: number, instant: now, moment: phone.clock.moment(at: now))
  }

  // MARK: - Output

  /// Passes the output of the phone to the participants, the engine, the future event list and the journal.
  private mutating func pass(_ stamp: RecordStamp, _ timers: inout Timers, into sink: inout some JournalSink)
  {
    let wasPassing = isPassing
    isPassing = true
    // The engine's effects may cause further output of the phone.
    var observed = 0
    var outcomes = 0
    var truths = 0
    var timersTaken = 0
    while true {
      while truths < output.truth.count {
        truths += 1
        let event = output.truth[truths - 1]
        // Record the matches that were due before this event first.
        if participants.mustSettle(before: event) { notify(.settled, stamp, &timers, into: &sink) }
        announce(.truth(event), stamp, &timers, into: &sink)
      }
      while outcomes < output.outcomes.count {
        outcomes += 1
        announce(.outcome(output.outcomes[outcomes - 1]), stamp, &timers, into: &sink)
      }
      while timersTaken < output.timers.count {
        let timer = output.timers[timersTaken]
        timersTaken += 1
        timers.schedule(at: timer.instant, WorldTimer(timer: .phone(timer.timer), device: number))
      }
      guard observed < output.observed.count else { break }
      let event = output.observed[observed]
      observed += 1
      announce(.observed(event), stamp, &timers, into: &sink)
      notifyEngine(event, stamp, &timers, into: &sink)
    }
    output.removeAll()
    isPassing = wasPassing
    applyDerivedFacts(stamp, &timers, into: &sink)
  }

  /// Starts a process of the app.
  private mutating func launch(
    isStoreOpen: Bool, _ stamp: RecordStamp, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    process.launch(
      from: isStoreOpen ? phone.store.contents : nil, phone.centre.permission, at: stamp.moment,
      into: &effects)
    participants.reference?.value.twin.launch(
      isStoreOpen: isStoreOpen, phone.centre.permission, at: stamp.moment)
    perform(stamp, &timers, into: &sink)
  }

  /// Ends the process after the engine has decided everything that it observed at this instant.
  private mutating func endProcess(
    _ stamp: RecordStamp, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    while isUnsettled {
      isUnsettled = process.engine.settle(at: stamp.moment, into: &effects) && !effects.isEmpty
      participants.reference?.value.twin.settle(at: stamp.moment)
      recordCounted(stamp, &timers, into: &sink)
      notify(.answers(effects), stamp, &timers, into: &sink)
      perform(stamp, &timers, into: &sink)
    }
    process.end(&phone.store)
    participants.reference?.value.twin.end(at: stamp.moment)
  }

  private mutating func notifyEngine(
    _ event: ObservedEvent, _ stamp: RecordStamp, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    switch event.kind {
    case .launched:
      if isStarting {
        isStarting = false
      } else {
        endProcess(stamp, &timers, into: &sink)
        launch(isStoreOpen: event.value == 0, stamp, &timers, into: &sink)
      }
    case .storeAvailable:
      process.open(phone.store.contents, into: &effects)
      participants.reference?.value.twin.open()
      perform(stamp, &timers, into: &sink)
    default: break
    }
    if let stopwatch {
      let start = stopwatch()
      process.engine.process(event, into: &effects)
      timing?.record(stopwatch() &- start)
    } else {
      process.engine.process(event, into: &effects)
    }
    participants.reference?.value.twin.observe(event)
    isUnsettled = true
    areIrrelevantEventsStale = true
    output.irrelevantEvents = .none
    recordCounted(stamp, &timers, into: &sink)
    perform(stamp, &timers, into: &sink)
  }

  /// Passes a notice to the participants and handles their replies.
  private mutating func notify(
    _ notice: Participants.Notice, _ stamp: RecordStamp, _ timers: inout Timers,
    into sink: inout some JournalSink
  ) {
    if !participants.handle(notice) { return }
    participants.notify(notice, situation(stamp), into: &replies)
    updateTruthKinds()
    if !replies.isEmpty { handleReplies(stamp, &timers, into: &sink) }
  }

  /// Delivers a record to the participants that need it and handles their replies.
  private mutating func deliver(
    _ body: JournalRecord.Body, _ stamp: RecordStamp, _ timers: inout Timers,
    into sink: inout some JournalSink
  ) {
    if !participants.listen(to: body) { return }
    participants.deliver(body, situation(stamp), into: &replies)
    updateTruthKinds()
    if !replies.isEmpty { handleReplies(stamp, &timers, into: &sink) }
  }

  private mutating func handleReplies(
    _ stamp: RecordStamp, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    for timer in replies.timers where timer.instant < end {
      timers.schedule(
        at: timer.instant,
        WorldTimer(timer: .participant(subject: timer.subject, timer.participant), device: number))
    }
    derivedFacts += replies.takeFacts()
    // The handling of these records may cause further replies.
    var records: [JournalRecord.Body] = []
    replies.exchange(&records)
    for body in records {
      if case .person(let act) = body {
        apply(act, stamp, &timers, into: &sink)
      } else {
        announce(body, stamp, &timers, into: &sink)
      }
    }
    records.removeAll(keepingCapacity: true)
    replies.exchange(&records)
    applyDerivedFacts(stamp, &timers, into: &sink)
  }

  /// Applies the facts that the app derived, after the output that caused them has been passed on.
  private mutating func applyDerivedFacts(
    _ stamp: RecordStamp, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    if isPassing || derivedFacts.isEmpty { return }
    let facts = derivedFacts
    derivedFacts = []
    for fact in facts {
      phone.apply(.fact(fact.fact, fact.value), at: stamp.instant, into: &output)
    }
    pass(stamp, &timers, into: &sink)
  }

  @inline(__always)
  private mutating func announce(
    _ body: JournalRecord.Body, _ stamp: RecordStamp, _ timers: inout Timers,
    into sink: inout some JournalSink
  ) {
    sink.record(body, stamp)
    if participants.listen(to: body) { deliver(body, stamp, &timers, into: &sink) }
  }

  /// Executes the engine's effects.
  private mutating func perform(
    _ stamp: RecordStamp, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    if effects.isEmpty { return }
    for effect in effects {
      // Record due matches before the requests that they cause.
      if participants.isHolding, let reminder = effect.evaluatedReminder {
        notify(.evaluated(reminder), stamp, &timers, into: &sink)
      }
      announce(.effect(effect), stamp, &timers, into: &sink)
      switch effect {
      // Most effects do not concern the phone.
      case .noRequest: break
      case .persist: process.persist(to: &phone.store)
      default: phone.perform(effect, at: stamp.instant, into: &output)
      }
    }
    effects.removeAll(keepingCapacity: true)
  }
}

extension Device: Packable {
  /// Packs the state except the interest of the sink, which is set again before the next event.
  package mutating func pack(in parcel: inout Parcel) {
    assert(
      hasNoOutput && replies.isEmpty && effects.isEmpty && counted.isEmpty && derivedFacts.isEmpty,
      "packed during a step")
    phone.pack(in: &parcel)
    process.pack(in: &parcel)
    participants.pack(in: &parcel)
    parcel.carry(&self, \.isUnsettled, \.isStarting, \.areIrrelevantEventsStale)
    parcel.keep(&timing, unless: timing == nil)
  }
}
