package import DeviceSimulation
package import Journal
package import TriggerModel

/// Names a participant of a device in a timer.
package enum ParticipantID: UInt8, Sendable, BitwiseCopyable {
  case groundTruth, links, room, lists, app, person, sync
}

/// A part of a device beside its phone and its engine: it is told what happens there, as records, and
/// answers with records of its own and with timers.
///
/// It is a value and calls nobody. Which participants a device has, and in which order they are told, is
/// said in one place: `Device+Participants.swift`.
package protocol Participant: Sendable {
  /// Whether it is told records of this kind. What nobody listens to costs nothing: most records are effects.
  static func listens(to body: JournalRecord.Body) -> Bool

  /// The device's first process starts.
  mutating func begin(_ situation: Situation, into replies: inout Replies)

  /// Something happened that it listens to. What happens to the phone is delivered after the phone has taken it.
  mutating func deliver(_ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies)

  /// What the engine decided together, before any of it is carried out.
  mutating func answered(_ effects: [EngineEffect], _ situation: Situation, into replies: inout Replies)

  /// The engine is about to tell what it makes of a trigger of a reminder.
  mutating func lookedAt(_ reminder: ReminderID, _ situation: Situation, into replies: inout Replies)

  /// The engine has decided on all that it was told of at this instant so far.
  mutating func settled(_ situation: Situation, into replies: inout Replies)

  /// A timer that it asked for.
  mutating func timerFired(_ subject: UInt32, _ situation: Situation, into replies: inout Replies)
}

extension Participant {
  package mutating func begin(_ situation: Situation, into replies: inout Replies) {}
  package mutating func answered(
    _ effects: [EngineEffect], _ situation: Situation, into replies: inout Replies
  ) {}
  package mutating func lookedAt(
    _ reminder: ReminderID, _ situation: Situation, into replies: inout Replies
  ) {}
  package mutating func settled(_ situation: Situation, into replies: inout Replies) {}
  package mutating func timerFired(_ subject: UInt32, _ situation: Situation, into replies: inout Replies) {}
}

/// What a participant may know of its device beside the records.
package struct Situation: Sendable {
  /// Simulation time.
  package var now: Instant
  package var clock: PhoneClock
  /// Whether our app is in front.
  package var isAppInFront: Bool
  package var isPhoneOn: Bool
  package var isUnlocked: Bool

  /// What the phone's clocks read.
  package var moment: Moment { clock.moment(at: now) }
}

/// What participants answer with. A buffer that is used again.
package struct Replies: Sendable {
  /// Of whom the replies are.
  var participant = ParticipantID.groundTruth
  private(set) var records: [JournalRecord.Body] = []
  private(set) var timers: [Timer] = []
  /// What our app knows from now on, because of what it counts itself.
  private(set) var facts: [Known] = []

  struct Known: Sendable {
    var fact: FactID
    var value: FactValue
  }

  struct Timer: Sendable {
    /// Simulation time.
    var instant: Instant
    var participant: ParticipantID
    /// Of meaning to the participant alone.
    var subject: UInt32
  }

  var isEmpty: Bool { records.isEmpty && timers.isEmpty && facts.isEmpty }

  package mutating func record(_ body: JournalRecord.Body) { records.append(body) }

  /// A fact of the app takes a value.
  mutating func set(_ fact: FactID, _ value: FactValue) { facts.append(Known(fact: fact, value: value)) }

  /// The facts, which are taken.
  mutating func takeFacts() -> [Known] {
    if facts.isEmpty { return [] }
    defer { facts = [] }
    return facts
  }

  /// Asks to be told when an instant of simulation time has come. Timers are not cancelled: one that has
  /// been overtaken by events must do no harm.
  package mutating func wake(at instant: Instant, _ subject: UInt32 = 0) {
    timers.append(Timer(instant: instant, participant: participant, subject: subject))
  }

  /// Gives the records away for an empty buffer, and has no timers any more: nothing is allocated.
  mutating func exchange(_ buffer: inout [JournalRecord.Body]) {
    assert(buffer.isEmpty, "records would be told late")
    swap(&records, &buffer)
    timers.removeAll(keepingCapacity: true)
  }
}
