import DeviceSimulation
import Journal
import TriggerModel

/// The participants of a device, as timers identify them.
enum ParticipantID: UInt8, Sendable, BitwiseCopyable {
  case groundTruth, reference, links, limit, places, lists, app, person, sync
}

/// A part of a device other than its phone and its engine. It receives the device's records and replies with
/// further records, facts and timers.
///
/// A participant is a value and calls no other part. `Participants.swift` lists the participants of a device
/// and the order in which they receive a record.
protocol Participant: Sendable {
  /// Returns whether the participant needs records of this kind. A record that no participant needs costs
  /// almost nothing.
  static func listens(to body: JournalRecord.Body) -> Bool

  /// Called when the device's first process starts.
  mutating func begin(_ situation: Situation, into replies: inout Replies)

  /// Called for each record that the participant needs. The phone has already handled its own events.
  mutating func deliver(_ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies)

  /// Called with the effects of one engine decision, before the device carries them out.
  mutating func answered(_ effects: [EngineEffect], _ situation: Situation, into replies: inout Replies)

  /// Called before the engine reports how it evaluated a reminder's trigger.
  mutating func evaluated(_ reminder: ReminderID, _ situation: Situation, into replies: inout Replies)

  /// Called when the engine has decided everything that it has observed so far at this instant.
  mutating func settled(_ situation: Situation, into replies: inout Replies)

  /// Called when the engine has decided everything for this instant.
  mutating func decided(_ situation: Situation, into replies: inout Replies)

  /// Called when a timer of this participant fires.
  mutating func timerFired(_ subject: UInt32, _ situation: Situation, into replies: inout Replies)
}

extension Participant {
  mutating func begin(_ situation: Situation, into replies: inout Replies) {}
  mutating func answered(
    _ effects: [EngineEffect], _ situation: Situation, into replies: inout Replies
  ) {}
  mutating func evaluated(
    _ reminder: ReminderID, _ situation: Situation, into replies: inout Replies
  ) {}
  mutating func settled(_ situation: Situation, into replies: inout Replies) {}
  mutating func decided(_ situation: Situation, into replies: inout Replies) {}
  mutating func timerFired(_ subject: UInt32, _ situation: Situation, into replies: inout Replies) {}
}

/// The state of the device that a participant may read in addition to the records.
struct Situation: Sendable {
  /// Simulation time.
  var now: Instant
  var clock: PhoneClock
  /// Whether the app under test is in the foreground.
  var isAppInFront: Bool
  var isPhoneOn: Bool
  var isUnlocked: Bool
  /// Whether the phone would run the app at this instant if the app had requested a wake-up. Always `false`
  /// without a reference engine.
  var servesWake = false

  /// The readings of the phone's clocks.
  var moment: Moment { clock.moment(at: now) }
}

/// A reusable buffer for the replies of participants.
struct Replies: Sendable {
  /// The participant that is replying.
  var participant = ParticipantID.groundTruth
  private(set) var records: [JournalRecord.Body] = []
  private(set) var timers: [Timer] = []
  /// Facts that the app under test derives.
  private(set) var facts: [DerivedFact] = []

  struct DerivedFact: Sendable {
    var fact: FactID
    var value: FactValue
  }

  struct Timer: Sendable {
    /// Simulation time.
    var instant: Instant
    var participant: ParticipantID
    /// A number whose meaning only the participant knows.
    var subject: UInt32
  }

  var isEmpty: Bool { records.isEmpty && timers.isEmpty && facts.isEmpty }

  mutating func record(_ body: JournalRecord.Body) { records.append(body) }

  /// Sets a fact of the app.
  mutating func set(_ fact: FactID, _ value: FactValue) {
    facts.append(DerivedFact(fact: fact, value: value))
  }

  /// Removes and returns the facts.
  mutating func takeFacts() -> [DerivedFact] {
    if facts.isEmpty { return [] }
    defer { facts = [] }
    return facts
  }

  /// Requests a timer at an instant of simulation time. Timers cannot be cancelled, so an outdated timer must
  /// have no effect.
  mutating func wake(at instant: Instant, _ subject: UInt32 = 0) {
    timers.append(Timer(instant: instant, participant: participant, subject: subject))
  }

  /// Swaps the records with an empty buffer and clears the timers, without allocating.
  mutating func exchange(_ buffer: inout [JournalRecord.Body]) {
    assert(buffer.isEmpty, "records would be delivered late")
    swap(&records, &buffer)
    timers.removeAll(keepingCapacity: true)
  }
}
