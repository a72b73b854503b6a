/// Where lines are from, and so what may be left out of them.
package enum WireForm: Hashable, Sendable {
  /// Of a journal: the stamp is complete.
  case journal
  /// Of a time line or a recording: only what happens, with `t`. What is missing of the stamp follows from
  /// this one, and `line` may say which line of a scenario it came from.
  case timeLine(RecordStamp)
  /// What an engine is told: only observed events. Whose they are it does not know.
  case observations
  /// Of an engine: only effects. What is missing of the stamp is this.
  case effects(RecordStamp)

  /// What the track is that a line does not name.
  var track: JournalRecord.Body.Track? {
    switch self {
    case .journal: nil
    case .observations: .observed
    case .timeLine: .happened
    case .effects: .effect
    }
  }

  var stamp: RecordStamp? {
    switch self {
    case .journal, .observations: nil
    case .timeLine(let stamp), .effects(let stamp): stamp
    }
  }
}
