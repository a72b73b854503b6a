package import DeviceSimulation
package import ScenarioModel
package import TriggerModel

/// One thing that happened in a run: a fixed-size value with identifiers, stamped by the bench.
package struct JournalRecord: Hashable, Sendable, BitwiseCopyable {
  package enum Body: Hashable, Sendable, BitwiseCopyable {
    /// The time line says so.
    case happened(PhoneEvent)
    /// What really happened, in the engine's words.
    case truth(ObservedEvent)
    /// What the platform told the app.
    case observed(ObservedEvent)
    /// What the engine did.
    case effect(EngineEffect)
    /// What came of it on the phone.
    case outcome(PhoneOutcome)
    /// The time has come for what the twin on the truth track asked for: its local time on the wall clock, and
    /// what led to it. An occasion is due once.
    case due(RequestID, at: Instant, because: ObservedEvent)
    /// Where a tap or a link leads.
    case link(LinkRecord)
    /// What our app showed, asked or reached by itself.
    case app(AppEvent)
    /// What the person of a model does, beside what the time line says.
    case person(PersonAct)
    /// What the person's devices share.
    case sync(SyncRecord)
  }

  package var stamp: RecordStamp
  package var body: Body

  package init(_ body: Body, _ stamp: RecordStamp) {
    self.stamp = stamp
    self.body = body
  }

  /// Simulation time.
  package var instant: Instant { stamp.instant }
  /// What the phone's clocks read.
  package var moment: Moment { stamp.moment }
}

/// Of whom a record is, and of when: the bench's mark on everything that happens together.
package struct RecordStamp: Hashable, Sendable, BitwiseCopyable {
  /// The person's number in the population.
  package var person: UInt64
  /// The device's number among the person's.
  package var device: UInt8
  /// Simulation time.
  package var instant: Instant
  /// What the phone's clocks read.
  package var moment: Moment

  package init(person: UInt64 = 0, device: UInt8 = 0, instant: Instant, moment: Moment) {
    self.person = person
    self.device = device
    self.instant = instant
    self.moment = moment
  }
}

/// Takes the records of a run, in the order in which things happened.
///
/// Sinks are generic parameters, so that a run pays for what it keeps and nothing else. The quickest sink is
/// one that is not generic itself.
package protocol JournalSink {
  /// A record, in two parts: there are millions of bodies, and few stamps.
  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp)

  /// Which records it makes something of; it may be given others too.
  static var interest: RecordInterest { get }

  /// Whether every recorded fix is wanted as a record. Otherwise those of which nothing came are only
  /// counted, which lets a phone follow a fix a second for weeks.
  static var wantsEveryFix: Bool { get }

  /// So many recorded fixes were passed of which nothing came.
  mutating func passed(fixes: Int)

  /// Whether every match that comes to nothing is wanted as a record. Otherwise those of which the same is to be
  /// said are counted, 64 reminders at a time.
  var keepsEveryMiss: Bool { get }

  /// It takes no more: the run ends.
  var isFull: Bool { get }

  /// What was counted.
  ///
  /// - Parameter due: Of the requests that were denied, those that were due.
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

/// Keeps nothing.
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

/// Gives every record to two sinks.
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
