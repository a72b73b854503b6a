package import DeviceSimulation
import Journal
import ScenarioModel
import SimulationKernel
package import TriggerModel

/// One device of a person: its phone, the engine under test in our app's process there, and the participants.
///
/// It plays the life of the process: whenever one starts, the engine begins as it was handed over, with what
/// the phone's store holds and nothing else of the process before.
///
/// The engine is an existential, so that the run is compiled once and not for every engine: it costs one
/// dynamic call an event, which was not measurable beside what an engine does.
package struct Device: Sendable {
  package internal(set) var phone: Phone
  package internal(set) var engine: any EngineUnderTest
  /// How long the engine took for each event; nil: nobody asked.
  package private(set) var timing: EngineTiming?
  var participants: Participants
  /// Names the device in records.
  let number: UInt8
  let person: UInt64
  let scope: RunScope
  let stopwatch: Stopwatch?
  /// Of the run: what would happen at it or later is not waited for.
  private let end: Instant
  /// How many requests for later our app believes that the system keeps.
  let pendingCapacity: Int
  /// How many regions our app believes that the system watches.
  let regionCapacity: Int
  /// Whether requests for later are alarms that something may defer.
  let alarmsMayBeLate: Bool
  /// The engine before its first event.
  let pristine: any EngineUnderTest
  let persistsEveryChange: Bool
  private var output = PhoneOutput()
  private var replies = Replies()
  var effects: [EngineEffect] = []
  /// The engine was told something that it may still decide on at this instant.
  var isUnsettled = false
  /// The launch that begins the run is about to be told: its process has been started already.
  private var isStarting = false
  /// The present process can read and write its store.
  var isStoreOpen = true
  /// The engine asked to be stored, and its state was not fetched yet.
  var hasUnwritten = false
  private var counted: [CountedReminders] = []
  /// Of the sink.
  private var interest = RecordInterest.everything
  /// The sink, or a participant, wants to know of what the time line says, whatever it is.
  private var hearsHappenings = true
  /// The sink, a participant or a clock wants to know of all that the app is told.
  private var hearsObserved = true
  /// The engine was told something since it was asked what it need not be told.
  private var isHeedStale = false
  /// What our app knows from now on by its own counting, once it is told.
  private var known: [Replies.Known] = []
  /// What the phone put out is being passed on.
  private var isPassing = false

  init(
    program: Program, number: Int, engine: any EngineUnderTest, person: UInt64, scope: RunScope,
    stopwatch: Stopwatch?
  ) {
    self.number = UInt8(number)
    self.person = person
    self.scope = scope
    self.engine = engine
    pristine = engine
    persistsEveryChange = type(of: engine).persistsEveryChange
    self.stopwatch = stopwatch
    if stopwatch != nil { timing = EngineTiming() }
    end = program.end
    pendingCapacity = program.pendingCapacity(ofDevice: number)
    regionCapacity = program.regionCapacity(ofDevice: number)
    alarmsMayBeLate = program.alarmsMayBeLate(onDevice: number)
    phone = program.makePhone(person: person, device: number, scope: scope)
    participants = Participants(program, device: number, person: person, scope)
    if program.scenario.stored != nil { phone.store.write(engine.storedState()) }
  }

  /// What comes to nothing alike is counted, if the engine can; nobody wants to know of each.
  var countsAlike: Bool {
    get { engine.countsAlike }
    set {
      if newValue == countsAlike { return }
      engine.countsAlike = newValue
      participants.groundTruth?.value.countsAlike = engine.countsAlike
    }
  }

  /// What a sink makes nothing of, and no participant, is not made.
  mutating func serve(_ interest: RecordInterest) {
    self.interest = interest
    output.keepsRemarks = participants.hearEverything || interest.remarks
    hearsHappenings = participants.hearEverything || interest.contains(.unlock) || interest.contains(.lock)
    hearsObserved = participants.hearEverything || interest.observed || stopwatch != nil
    output.indifference = .none
    listenAgain()
  }

  /// What the participants listen to may have changed.
  @inline(__always)
  private mutating func listenAgain() {
    output.truthKinds = interest.truth.union(participants.truthKinds)
  }

  // MARK: - What happens

  /// The app is launched. The facts' first values it has stored: it knows them when it makes its plans,
  /// and they trigger nothing.
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
    tell(.begin, stamp(now), &timers, into: &sink)
    output.observed.append(ObservedEvent(.launched, at: phone.clock.moment(at: now)))
    isStarting = true
    phone.begin(at: now, into: &output)
    pass(stamp(now), &timers, into: &sink)
  }

  /// The program says that something happens to the phone.
  /// - Returns: Whether anything may follow from it: that anybody was told, or asked to be.
  mutating func happen(
    _ next: ProgramEvent, at now: Instant, _ watches: [PlaceWatch?], _ timers: inout Timers,
    into sink: inout some JournalSink
  ) -> Bool {
    switch next.event {
    // The many: nobody hears of them, and nothing is told of most.
    case .unlock where !hearsHappenings, .lock where !hearsHappenings:
      phone.apply(next.event, at: now, into: &output)
      if hasNoOutput { return false }
      pass(stamp(now), &timers, into: &sink)
      return true
    default: return happenHeard(next, at: now, watches, &timers, into: &sink)
    }
  }

  @inline(never)
  private mutating func happenHeard(
    _ next: ProgramEvent, at now: Instant, _ watches: [PlaceWatch?], _ timers: inout Timers,
    into sink: inout some JournalSink
  ) -> Bool {
    let event = next.event
    if interest.contains(event) { sink.record(.happened(event), stamp(now)) }
    // What the process has written until now is written.
    if case .storeFault = event { fetchState() }
    // What nobody asks of it costs no count of its references.
    let watch = event.isFix ? watches[Int(number)] : nil
    phone.apply(event, at: now, using: watch, isEndSaid: next.isEndSaid, into: &output)
    let isHeard = participants.listen(to: .happened(event))
    if hasNoOutput, !isHeard { return false }
    let stamp = stamp(now)
    pass(stamp, &timers, into: &sink)
    if isHeard { deliver(.happened(event), stamp, &timers, into: &sink) }
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
      tell(.timer(id, subject: subject), stamp(now), &timers, into: &sink)
    // The service stands beside the devices.
    case .sync: break
    }
  }

  /// What the person's devices share says something of this one.
  mutating func take(
    _ record: SyncRecord, at now: Instant, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    announce(.sync(record), stamp(now), &timers, into: &sink)
  }

  /// The app is told what its user did, or what it has shown, on another device.
  mutating func learn(
    _ write: SyncWrite, at now: Instant, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    if case .notified(let type, let bucket) = write.change {
      phone.learn(deliveredElsewhere: type, bucket, wall: write.stamp, at: now, into: &output)
      return pass(stamp(now), &timers, into: &sink)
    }
    guard let event = write.change.event else { return }
    phone.learn(event, at: now, into: &output)
    pass(stamp(now), &timers, into: &sink)
    participants.sync?.value.learn(true)
    deliver(.happened(event), stamp(now), &timers, into: &sink)
    participants.sync?.value.learn(false)
  }

  /// Whether the service can reach it.
  func reach(at now: Instant) -> SyncService.Reach {
    SyncService.Reach(
      isOnline: phone.isOnline, isAppRunning: phone.isAppRunning(at: now),
      takesPushes: phone.takesSilentPushes)
  }

  /// The person does something that the time line does not say word for word, if it can happen.
  private mutating func happen(
    _ act: PersonAct, _ stamp: RecordStamp, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    guard phone.canHappen(act) else { return }
    sink.record(.person(act), stamp)
    phone.apply(act, at: stamp.instant, into: &output)
    pass(stamp, &timers, into: &sink)
    deliver(.person(act), stamp, &timers, into: &sink)
  }

  /// Lets the engine decide the requests of an instant, one that is handed to the system at a time: what
  /// the system says to it is told before the next is decided. An engine can do nothing at an instant at
  /// which it is told nothing.
  mutating func settle(at now: Instant, _ timers: inout Timers, into sink: inout some JournalSink) {
    while isUnsettled {
      let stamp = stamp(now)
      isUnsettled = engine.settle(at: stamp.moment, into: &effects)
      takeCounted(stamp, &timers, into: &sink)
      if effects.isEmpty {
        isUnsettled = false
        break
      }
      tell(.answers(effects), stamp, &timers, into: &sink)
      perform(stamp, &timers, into: &sink)
      pass(stamp, &timers, into: &sink)
    }
    if participants.isHolding { tell(.settled, stamp(now), &timers, into: &sink) }
    if isHeedStale { heedEngine(at: now, &timers, into: &sink) }
  }

  /// Has the phone leave out what the engine need not be told until something else is told.
  private mutating func heedEngine(
    at now: Instant, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    isHeedStale = false
    if hearsObserved { return }
    output.indifference = engine.indifference(at: phone.clock.moment(at: now))
    phone.hearAnew(at: now, into: &output)
    if !hasNoOutput { pass(stamp(now), &timers, into: &sink) }
  }

  /// Takes what the engine has counted in place of telling it.
  mutating func takeCounted(
    _ stamp: RecordStamp, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    engine.takeCounted(into: &counted)
    if counted.isEmpty { return }
    var situation = situation(stamp)
    for counted in counted {
      var due: UInt64 = 0
      if case .denied = counted.fate, participants.groundTruth != nil {
        due = participants.denied(counted, situation, into: &replies)
        if !replies.isEmpty {
          takeReplies(stamp, &timers, into: &sink)
          situation = self.situation(stamp)
        }
      }
      sink.count(counted, due: due, stamp)
    }
    counted.removeAll(keepingCapacity: true)
  }

  /// Part by part: to hand the phone over copies it.
  private func situation(_ stamp: RecordStamp) -> Situation {
    let isInFront = if case .foreground = phone.process.state { true } else { false }
    return Situation(
      now: stamp.instant, clock: phone.clock, isAppInFront: isInFront, isPhoneOn: phone.isOn,
      isUnlocked: phone.isOn && !phone.isLocked)
  }

  private func stamp(_ now: Instant) -> RecordStamp {
    RecordStamp(person: person, device: number, instant: now, moment: phone.clock.moment(at: now))
  }

  // MARK: - Passing on

  /// Passes what the phone put out to the participants, the engine, the future event list and the journal.
  private mutating func pass(_ stamp: RecordStamp, _ timers: inout Timers, into sink: inout some JournalSink)
  {
    let isWithin = isPassing
    isPassing = true
    // What the engine does may make the phone put out more.
    var observed = 0
    var outcomes = 0
    var truths = 0
    var timersTaken = 0
    while true {
      while truths < output.truth.count {
        truths += 1
        let event = output.truth[truths - 1]
        // What was due before it is told before it.
        if participants.mustSettle(before: event) { tell(.settled, stamp, &timers, into: &sink) }
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
      tellEngine(event, stamp, &timers, into: &sink)
    }
    output.removeAll()
    isPassing = isWithin
    learn(stamp, &timers, into: &sink)
  }

  private mutating func tellEngine(
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
      isStoreOpen = true
      engine.open(phone.store.contents, into: &effects)
      perform(stamp, &timers, into: &sink)
    default: break
    }
    if let stopwatch {
      let start = stopwatch()
      engine.process(event, into: &effects)
      timing?.record(stopwatch() &- start)
    } else {
      engine.process(event, into: &effects)
    }
    isUnsettled = true
    isHeedStale = true
    output.indifference = .none
    takeCounted(stamp, &timers, into: &sink)
    perform(stamp, &timers, into: &sink)
  }

  /// Tells the participants, and takes what they answer with.
  mutating func tell(
    _ news: Participants.News, _ stamp: RecordStamp, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    if !participants.areTold(news) { return }
    participants.tell(news, situation(stamp), into: &replies)
    listenAgain()
    if !replies.isEmpty { takeReplies(stamp, &timers, into: &sink) }
  }

  /// Hands a record to the participants that listen to it, and takes what they answer with.
  private mutating func deliver(
    _ body: JournalRecord.Body, _ stamp: RecordStamp, _ timers: inout Timers,
    into sink: inout some JournalSink
  ) {
    if !participants.listen(to: body) { return }
    participants.deliver(body, situation(stamp), into: &replies)
    listenAgain()
    if !replies.isEmpty { takeReplies(stamp, &timers, into: &sink) }
  }

  private mutating func takeReplies(
    _ stamp: RecordStamp, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    for timer in replies.timers where timer.instant < end {
      timers.schedule(
        at: timer.instant,
        WorldTimer(timer: .participant(subject: timer.subject, timer.participant), device: number))
    }
    known += replies.takeFacts()
    // What follows from them may bring new ones.
    var records: [JournalRecord.Body] = []
    replies.exchange(&records)
    for body in records {
      if case .person(let act) = body {
        happen(act, stamp, &timers, into: &sink)
      } else {
        announce(body, stamp, &timers, into: &sink)
      }
    }
    records.removeAll(keepingCapacity: true)
    replies.exchange(&records)
    learn(stamp, &timers, into: &sink)
  }

  /// The app knows what its own counting has found out: as soon as all that led to it has been told.
  private mutating func learn(
    _ stamp: RecordStamp, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    if isPassing || known.isEmpty { return }
    let facts = known
    known = []
    for known in facts {
      phone.apply(.fact(known.fact, known.value), at: stamp.instant, into: &output)
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

  /// Carries out what the engine wants done.
  mutating func perform(
    _ stamp: RecordStamp, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    if effects.isEmpty { return }
    for effect in effects {
      // What was due is known before what was asked for.
      if participants.isHolding, let reminder = effect.lookedAt {
        tell(.lookedAt(reminder), stamp, &timers, into: &sink)
      }
      announce(.effect(effect), stamp, &timers, into: &sink)
      switch effect {
      // The many that ask nothing of the phone.
      case .noRequest: break
      case .persist: persist()
      default: phone.perform(effect, at: stamp.instant, into: &output)
      }
    }
    effects.removeAll(keepingCapacity: true)
  }
}

extension Device: Packable {
  /// What a sink makes nothing of is asked for again before anything happens.
  package mutating func pack(in parcel: inout Parcel) {
    assert(hasNoOutput && replies.isEmpty && effects.isEmpty && counted.isEmpty && known.isEmpty, "in a step")
    phone.pack(in: &parcel)
    if let engine = engine as? any EngineUnderTest & Packable {
      self.engine = engine.packed(in: &parcel)
    } else {
      // Another's engine is what it is.
      parcel.keep(&engine)
    }
    participants.pack(in: &parcel)
    parcel.carry(&self, \.isUnsettled, \.isStarting, \.isStoreOpen, \.hasUnwritten, \.isHeedStale)
    parcel.keep(&timing, unless: timing == nil)
  }
}

extension EngineUnderTest where Self: Packable {
  fileprivate func packed(in parcel: inout Parcel) -> Self {
    var engine = self
    engine.pack(in: &parcel)
    return engine
  }
}
