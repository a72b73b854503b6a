package import TriggerModel

/// The requests of one reminder that failed or were withdrawn and must be made again.
///
/// A failed request consumes nothing. Unlike a denied one, it is made again when the engine plans next. A
/// withdrawn request is made again when the cause of the withdrawal ends.
package struct Retries: Hashable, Sendable {
  /// The times of the failed requests for occurrences, stages and repetitions, in order. The time of a
  /// repetition is its first one.
  package private(set) var times: [Instant] = []
  /// Whether the request of a snooze failed.
  package var isOfSnooze = false
  /// The withdrawn matches whose requests quiet hours had deferred.
  package var withdrawn: [WithdrawnMatch] = []
  /// The moment of the last failure. A retry at the same moment would fail too. The moment is not stored, so
  /// a new process retries.
  package private(set) var last: Moment?

  package init() {}

  /// Creates retries from their stored times.
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

  /// Removes times.
  ///
  /// - Returns: Whether any time was removed.
  package mutating func remove(where isGone: (Instant) -> Bool) -> Bool {
    let count = times.count
    times.removeAll(where: isGone)
    return times.count < count
  }

  /// Moves the times to another zone.
  ///
  /// - Parameters:
  ///   - moved: Maps an instant to that at which clocks in the new zone show the same local time.
  ///   - usesWallClock: Whether the reminder's times follow the wall clock. The end of quiet hours always
  ///     follows it.
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
  /// The retries of a reminder, or an empty value if there are none.
  package var orNew: Retries {
    get { self ?? Retries() }
    set { self = newValue }
  }
}
