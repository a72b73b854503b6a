package import ScenarioModel
package import DeviceSimulation
package import TriggerModel

/// One thing that happened in a run: a fixed-size value with identifiers, stamped by the bench.
package struct JournalRecord: Hashable, Sendable {
  package enum Body: Hashable, Sendable {
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
    /// What the twin on the truth track asked for, and what led to it.
    case due(RequestID, because: ObservedEvent)
    /// Where a tap or a link leads.
    case link(LinkRecord)
    /// What our app showed, asked or reached by itself.
    case app(AppEvent)
  }

  package var person: UInt64
  package var device: UInt8
  /// Simulation time.
  package var instant: Instant
  /// What the phone's clocks read.
  package var moment: Moment
  package var body: Body

  package init(person: UInt64 = 0, device: UInt8 = 0, instant: Instant, moment: Moment, body: Body) {
    self.person = person
    self.device = device
    self.instant = instant
    self.moment = moment
    self.body = body
  }
}

/// Takes the records of a run, in the order in which things happened.
///
/// Sinks are generic parameters, so that a run pays for what it keeps and nothing else.
package protocol JournalSink {
  mutating func record(_ record: JournalRecord)

  /// Whether every recorded fix is wanted as a record. Otherwise those of which nothing came are only
  /// counted, which lets a phone follow a fix a second for weeks.
  static var wantsEveryFix: Bool { get }

  /// So many recorded fixes were passed of which nothing came.
  mutating func passed(fixes: Int)
}

extension JournalSink {
  package static var wantsEveryFix: Bool { true }
  package mutating func passed(fixes: Int) {}
}

/// Keeps nothing.
package struct NoJournal: JournalSink {
  package init() {}
  package static var wantsEveryFix: Bool { false }
  package mutating func record(_ record: JournalRecord) {}
}

/// Keeps every record.
package struct RecordingSink: JournalSink {
  package private(set) var records: [JournalRecord] = []

  package init() {}

  package mutating func record(_ record: JournalRecord) {
    records.append(record)
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

  package mutating func record(_ record: JournalRecord) {
    first.record(record)
    second.record(record)
  }

  package static var wantsEveryFix: Bool { First.wantsEveryFix || Second.wantsEveryFix }

  package mutating func passed(fixes: Int) {
    first.passed(fixes: fixes)
    second.passed(fixes: fixes)
  }
}
