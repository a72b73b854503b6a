package import TriggerModel

/// Whose record it is, and when: what every record begins with.
package struct WireStamp: Hashable, Sendable {
  package var person: UInt64
  package var device: UInt8
  /// Simulation time.
  package var instant: Instant
  package var moment: Moment

  package init(person: UInt64 = 0, device: UInt8 = 0, instant: Instant, moment: Moment) {
    self.person = person
    self.device = device
    self.instant = instant
    self.moment = moment
  }
}

/// Where lines are from, and so what may be left out of them.
package enum WireForm: Hashable, Sendable {
  /// Of a journal: the stamp is complete.
  case journal
  /// Of a time line or a recording: only what happens, with `t`. What is missing of the stamp follows from
  /// this one, and `line` may say which line of a scenario it came from.
  case timeLine(WireStamp)
  /// What an engine is told: only observed events. Whose they are it does not know.
  case observations
  /// Of an engine: only effects. What is missing of the stamp is this.
  case effects(WireStamp)

  /// What the track is that a line does not name.
  var track: JournalRecord.Body.Track? {
    switch self {
    case .journal: nil
    case .observations: .observed
    case .timeLine: .happened
    case .effects: .effect
    }
  }

  var stamp: WireStamp? {
    switch self {
    case .journal, .observations: nil
    case .timeLine(let stamp), .effects(let stamp): stamp
    }
  }
}
