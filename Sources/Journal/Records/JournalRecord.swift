package import DeviceSimulation
package import NotificationGateway
package import ScenarioModel
package import TriggerModel

/// One step of a run. A record has a fixed size and contains identifiers and a stamp.
package struct JournalRecord: Hashable, Sendable, BitwiseCopyable {
  package enum Body: Hashable, Sendable, BitwiseCopyable {
    /// An event of the time line.
    case happened(PhoneEvent)
    /// A true event, in the form in which an app would observe it immediately.
    case truth(ObservedEvent)
    /// An event that the app observed.
    case observed(ObservedEvent)
    /// An effect of the engine.
    case effect(EngineEffect)
    /// An outcome inside the phone.
    case outcome(PhoneOutcome)
    /// A request that an app would make if it observed every event. The event `because` made it due at the
    /// wall-clock time `at`. Each occasion is due once.
    case due(RequestID, at: Instant, because: ObservedEvent)
    /// A request that the engine under test did not make, although its observations called for it at this
    /// wall-clock time because of this event. The identifier is that of the reference engine's request.
    case notRequested(RequestID, at: Instant, because: ObservedEvent)
    /// A request that the engine under test made although its observations did not call for it. The event
    /// is the last one that the engine observed.
    case uncalledFor(RequestID, at: Instant, because: ObservedEvent)
    /// A step of a link that is passed to the app.
    case link(LinkRecord)
    /// An event of the app under test that is not about its notifications.
    case app(AppEvent)
    /// An action of the person model, which the time line does not declare.
    case person(PersonAct)
    /// A step in the synchronization of the person's devices.
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
/// A run takes its sink as a generic parameter, so that it produces only the records that the sink needs.
/// Sink types without generic parameters are the fastest.
package protocol JournalSink {
  /// Receives the body of a record and its stamp. Many consecutive bodies have the same stamp.
  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp)

  /// The records that the sink needs. The sink may receive others too.
  static var interest: RecordInterest { get }

  /// Whether the sink needs every recorded fix. If not, the run only counts fixes without consequences. It
  /// can then process one fix per second for weeks.
  static var wantsEveryFix: Bool { get }

  /// Receives the number of recorded fixes that the run skipped because they had no consequences.
  mutating func passed(fixes: Int)

  /// Whether the sink needs every miss and every denial. If not, the run counts equal ones of up to 64
  /// reminders together.
  var keepsEveryMiss: Bool { get }

  /// Whether the sink is full. The run then ends.
  var isFull: Bool { get }

  /// Receives the reminders whose misses or denials are equal.
  ///
  /// - Parameter due: The reminders whose denied requests were due, one bit for each.
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

/// A sink that discards every record.
package struct NoJournal: JournalSink {
  package init() {}
  package static var interest: RecordInterest { .nothing }
  package static var wantsEveryFix: Bool { false }
  package var keepsEveryMiss: Bool { false }
  package mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {}
}

/// A sink that stores every record.
package struct RecordingSink: JournalSink {
  package private(set) var records: [JournalRecord] = []

  package init() {}

  package mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    records.append(JournalRecord(body, stamp))
  }
}

/// A sink that passes every record to two sinks.
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

/// One step of a link that is passed to the app.
package struct LinkRecord: Hashable, Sendable, BitwiseCopyable {
  package enum Step: Hashable, Sendable, BitwiseCopyable {
    /// The person tapped a notification or opened a link.
    case attempted
    /// The app had already received the link, so this delivery has no effect.
    case duplicate
    /// The app showed the destination.
    case routed(LinkDestination)
    /// The app did not show the destination: no part of it consumed the link, another destination replaced
    /// it, or the process ended first.
    case unconsumed(LinkDestination)
    /// The link has no destination, or did not reach the app.
    case failed(Reason)

    /// The reason that the destination was not shown, or `nil` for other steps.
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
  /// Whether a declared fault delivers the link a second time.
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

/// The records that a sink needs. A run may omit the others if that saves work.
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
  /// Whether the sink needs the records of missed, false and ignored events.
  package var remarks: Bool
  /// Whether the sink needs every observed event. If not, the run records only the events that the engine
  /// needs.
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
