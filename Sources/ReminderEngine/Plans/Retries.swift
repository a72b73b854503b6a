package import TriggerModel

/// The requests of one reminder that failed or were withdrawn and must be made again.
///
/// A failed request consumes nothing. Unlike a denied request, it is made again the next time the engine
/// plans. A withdrawn request is made again when the reason for the withdrawal ends.
package struct Retries: Hashable, Sendable {
  /// The times of the failed requests for occurrences, stages and repetitions, in chronological order. For a
  /// repetition, it is the time of the first delivery.
  package private(set) var times: [Instant] = []
  /// Whether the request of a snooze failed.
  package var isOfSnooze = false
  /// The matches whose requests were withdrawn while quiet hours deferred them.
  package var withdrawn: [WithdrawnMatch] = []
  /// The moment of the last failure. A retry at the same moment would also fail. The moment is not stored, so
  /// a new process retries.
  package private(set) var last: Moment?

  package init() {}

  /// Decodes the times of retries.
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

  /// Removes the times that satisfy a predicate.
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
  ///   - moved: Maps an instant to the instant with the same local time in the new zone.
  ///   - usesWallClock: Whether the reminder's times follow the wall clock. The end of quiet hours always
  ///     does.
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
  /// The retries of a reminder, or a new empty value.
  package var orNew: Retries {
    get { self ?? Retries() }
    set { self = newValue }
  }
}
