package import DeviceSimulation
package import NotificationGateway
package import ScenarioModel
package import TriggerModel

/// One step of a run. A record is a value of fixed size that contains identifiers and a stamp.
package struct JournalRecord: Hashable, Sendable, BitwiseCopyable {
  package enum Body: Hashable, Sendable, BitwiseCopyable {
    /// An event of the time line.
    case happened(PhoneEvent)
    /// An event that happened, in the form in which an app that misses nothing would observe it.
    case truth(ObservedEvent)
    /// An event that the platform reported to the app.
    case observed(ObservedEvent)
    /// An effect of the engine.
    case effect(EngineEffect)
    /// An outcome on the phone.
    case outcome(PhoneOutcome)
    /// A request that an app that misses nothing would make. It is due at this wall-clock time because of
    /// this event. Each occasion is due once.
    case due(RequestID, at: Instant, because: ObservedEvent)
    /// The engine under test did not make a request that its observations called for at this time of the wall
    /// clock, because of this event. The number of the request is that of the reference engine.
    case notRequested(RequestID, at: Instant, because: ObservedEvent)
    /// The engine under test made a request that its observations did not call for. The event is the last one
    /// that it observed.
    case uncalledFor(RequestID, at: Instant, because: ObservedEvent)
    /// A step of a link on its way into the app.
    case link(LinkRecord)
    /// An event of the app under test that does not concern its notifications.
    case app(AppEvent)
    /// An action of the person model. The time line does not declare it.
    case person(PersonAct)
    /// A step of synchronization between the person's devices.
    case sync(SyncRecord)
  }

  package var stamp: RecordStamp
  package var body: Body

  package init(_ body: Body, _ stamp: RecordStamp) {
    self.stamp = stamp
    self.body = body
  }

  /// The instant in simulation time.
  package var instant: Instant { stamp.instant }
  /// The readings of the phone's clocks.
  package var moment: Moment { stamp.moment }
}

/// The person, the device and the clocks of a record.
package struct RecordStamp: Hashable, Sendable, BitwiseCopyable {
  /// The person's number in the population.
  package var person: UInt64
  /// The device's number among the person's devices.
  package var device: UInt8
  /// The instant in simulation time.
  package var instant: Instant
  /// The readings of the phone's clocks.
  package var moment: Moment

  package init(person: UInt64 = 0, device: UInt8 = 0, instant: Instant, moment: Moment) {
    self.person = person
    self.device = device
    self.instant = instant
    self.moment = moment
  }
}

/// Receives the records of a run in chronological order.
///
/// Sinks are passed as generic parameters, so that a run produces only the records that its sink uses. Sink
/// types without generic parameters of their own are the fastest.
package protocol JournalSink {
  /// Receives a record as a body and a stamp. Many bodies have the same stamp.
  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp)

  /// The records that the sink needs. It may also receive others.
  static var interest: RecordInterest { get }

  /// Whether the sink needs every recorded fix. If not, fixes without consequences are only counted, so that
  /// a run can process one fix per second for weeks.
  static var wantsEveryFix: Bool { get }

  /// Receives the number of recorded fixes that were skipped because they had no consequences.
  mutating func passed(fixes: Int)

  /// Whether the sink needs every miss and denial individually. If not, equal ones of up to 64 reminders are
  /// counted together.
  var keepsEveryMiss: Bool { get }

  /// Whether the sink is full, which ends the run.
  var isFull: Bool { get }

  /// Receives reminders whose misses or denials are equal.
  ///
  /// - Parameter due: The bits of the reminders whose denied requests were due.
  mutating func count(_ counted: CountedReminders, due: UInt64, _ stamp: RecordStamp)
}

extension JournalSink {
  package mutating func record(_ record: JournalRecord) { self.record(record.body, record.stamp) }
  package static var interest: RecordInterest { .everything }
  package static var wantsEveryFix: Bool { true }
  package mutating func passed(fixes: Int) {}
  package var keepsEveryMiss: Bool { true }
  package var isFull: Bool { false }
  package mutating func count(_ counted: CountedReminders, due: UInt64, _ stamp: RecordStamp) {}
}

/// Discards every record.
package struct NoJournal: JournalSink {
  package init() {}
  package static var interest: RecordInterest { .nothing }
  package static var wantsEveryFix: Bool { false }
  package var keepsEveryMiss: Bool { false }
  package mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {}
}

/// Keeps every record.
package struct RecordingSink: JournalSink {
  package private(set) var records: [JournalRecord] = []

  package init() {}

  package mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    records.append(JournalRecord(body, stamp))
  }
}

/// Passes every record to two sinks.
package struct TeeSink<First: JournalSink, Second: JournalSink>: JournalSink {
  package var first: First
  package var second: Second

  package init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  package mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    first.record(body, stamp)
    second.record(body, stamp)
  }

  package static var interest: RecordInterest { First.interest.union(Second.interest) }

  package static var wantsEveryFix: Bool { First.wantsEveryFix || Second.wantsEveryFix }

  package mutating func passed(fixes: Int) {
    first.passed(fixes: fixes)
    second.passed(fixes: fixes)
  }

  package var keepsEveryMiss: Bool { first.keepsEveryMiss || second.keepsEveryMiss }

  package var isFull: Bool { first.isFull || second.isFull }

  package mutating func count(_ counted: CountedReminders, due: UInt64, _ stamp: RecordStamp) {
    first.count(counted, due: due, stamp)
    second.count(counted, due: due, stamp)
  }
}

/// One step of a link on its way into the app.
package struct LinkRecord: Hashable, Sendable, BitwiseCopyable {
  package enum Step: Hashable, Sendable, BitwiseCopyable {
    /// A notification was tapped or a link was opened.
    case attempted
    /// The link had already arrived, so this delivery has no effect.
    case duplicate
    /// The destination was shown.
    case routed(LinkDestination)
    /// The destination was not shown, because no part of the app consumed it, another destination replaced
    /// it, or the process ended first.
    case unconsumed(LinkDestination)
    /// The link has no destination, or did not reach the app.
    case failed(Reason)

    /// The reason why the destination was not shown, or `nil` for other steps.
    package var loss: Reason? {
      switch self {
      case .attempted, .duplicate, .routed: nil
      case .unconsumed: .linkUnconsumed
      case .failed(let reason): reason
      }
    }
  }

  package var link: LinkID
  /// The notification that was tapped, or `nil` if the link does not come from a notification.
  package var request: RequestID?
  package var source: DeepLinkRouter.Source
  /// Whether this is the second delivery of a link because of a declared fault.
  package var isRepeat: Bool
  package var step: Step

  package init(
    link: LinkID, request: RequestID? = nil, source: DeepLinkRouter.Source, isRepeat: Bool = false, step: Step
  ) {
    self.link = link
    self.request = request
    self.source = source
    self.isRepeat = isRepeat
    self.step = step
  }
}

/// The records that a sink needs. The run may omit others if that saves work.
package struct RecordInterest: Sendable {
  /// The events of the time line that the sink needs.
  package enum Happenings: Sendable {
    case everything
    /// Only openings of the app under test.
    case openings
    case nothing
  }

  package var happenings: Happenings
  /// The events of the truth track that the sink needs.
  package var truth: EventKinds
  /// Whether the sink needs the phone's statements about missed, false and ignored signals.
  package var remarks: Bool
  /// Whether the sink needs every observed event. If not, the run records only those that the engine needs.
  package var observed: Bool

  package static let everything = RecordInterest()
  package static let nothing = RecordInterest(
    happenings: .nothing, truth: EventKinds(), remarks: false, observed: false)

  package init(
    happenings: Happenings = .everything, truth: EventKinds = .all, remarks: Bool = true,
    observed: Bool = true
  ) {
    self.happenings = happenings
    self.truth = truth
    self.remarks = remarks
    self.observed = observed
  }

  @inline(__always)
  package func contains(_ event: PhoneEvent) -> Bool {
    switch happenings {
    case .everything: true
    case .openings: if case .openOwnApp = event { true } else { false }
    case .nothing: false
    }
  }

  package func union(_ other: RecordInterest) -> RecordInterest {
    var both = self
    switch (happenings, other.happenings) {
    case (.nothing, let theirs): both.happenings = theirs
    case (_, .everything): both.happenings = .everything
    case (.everything, _), (.openings, _): break
    }
    both.truth = truth.union(other.truth)
    both.remarks = remarks || other.remarks
    both.observed = observed || other.observed
    return both
  }
}
