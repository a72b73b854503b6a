package import TriggerModel

/// What was to be handed over of one reminder, and the system did not take. That consumes nothing: unlike what the
/// scheduler denied, it is asked for again when the engine plans next. And what was taken away for as long as something
/// lasts.
package struct Retries: Hashable, Sendable {
  /// When it was to come, in order: occurrences of a schedule, stages of a lapse, or the first time of what the system
  /// repeats.
  package private(set) var times: [Instant] = []
  /// And what a snooze asked for, whenever that is to come.
  package var isOfSnooze = false
  /// What quiet hours had put off.
  package var withdrawn: [WithdrawnMatch] = []
  /// The last failure. Nothing is tried again at that moment, as the system would say the same. Not stored: a process
  /// that starts tries.
  package private(set) var last: Moment?

  package init() {}

  /// What was stored.
  package init(timesOf reader: inout StateReader) throws(StoreProblem) {
    times = try reader.list(each: 1) {
      (reader: inout StateReader) throws(StoreProblem) in try reader.instant()
    }
    if times.isEmpty || zip(times, times.dropFirst()).contains(where: >) { throw .contradictory }
  }

  package var isEmpty: Bool { times.isEmpty && !isOfSnooze && withdrawn.isEmpty }

  package mutating func add(_ time: Instant, at moment: Moment) {
    times.removeAll { $0 <= moment.wall || $0 == time }
    times.insert(time, at: times.firstIndex { $0 > time } ?? times.count)
    last = moment
  }

  package mutating func addSnooze(at moment: Moment) {
    isOfSnooze = true
    last = moment
  }

  /// Takes times out.
  ///
  /// - Returns: Whether there were any.
  package mutating func remove(where isGone: (Instant) -> Bool) -> Bool {
    let count = times.count
    times.removeAll(where: isGone)
    return times.count < count
  }

  /// The phone has come to another zone.
  ///
  /// - Parameters:
  ///   - moved: the instant at which the new zone's clocks show what the old one's do at another.
  ///   - usesWallClock: The reminder's own times are those of the wall clock, as the end of quiet hours always is.
  package mutating func move(_ moved: (Instant) -> Instant, usesWallClock: Bool) {
    if usesWallClock { times = times.map(moved).sorted() }
    for index in withdrawn.indices { withdrawn[index].release = moved(withdrawn[index].release) }
  }

  package func writeTimes(to writer: inout StateWriter) { writer.list(times) { $0.instant($1) } }

  package func writeWithdrawn(to writer: inout StateWriter) { writer.list(withdrawn) { $1.write(to: &$0) } }

  package mutating func readWithdrawn(from reader: inout StateReader) throws(StoreProblem) {
    withdrawn = try reader.list(each: 4) {
      (reader: inout StateReader) throws(StoreProblem) in try WithdrawnMatch(from: &reader)
    }
  }
}

extension Retries? {
  /// The retries of a reminder, to be changed.
  package var orNew: Retries {
    get { self ?? Retries() }
    set { self = newValue }
  }
}
