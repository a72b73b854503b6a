package import TriggerModel

/// The occurrences of a schedule for which the app was woken.
///
/// They stay served if the clock is set back. Most schedules have one range. A clock that was set forward
/// starts another one.
package struct ServedOccurrences: Hashable, Sendable {
  /// Consecutive occurrences of the schedule.
  package struct Range: Hashable, Sendable, BitwiseCopyable {
    package var first: Instant
    package var last: Instant

    package init(first: Instant, last: Instant) {
      self.first = first
      self.last = last
    }
  }

  /// The ranges, the one that was extended last at the end.
  package private(set) var ranges: [Range] = []

  /// The number of ranges that are kept.
  private static let capacity = 8

  package init() {}

  /// Creates the occurrences from their stored ranges.
  package init(_ ranges: [Range]) { self.ranges = ranges }

  /// Returns the last served occurrence up to an instant, or that instant if it lies between served
  /// occurrences. Returns `nil` if no occurrence before it was served.
  package func last(through instant: Instant) -> Instant? {
    var last: Instant?
    for range in ranges where range.first <= instant {
      last = max(last ?? .distantPast, min(range.last, instant))
    }
    return last
  }

  /// Returns the end of the range that contains an occurrence, or `nil` if it was not served.
  package func end(of occurrence: Instant) -> Instant? {
    ranges.first { $0.first <= occurrence && occurrence <= $0.last }?.last
  }

  /// Records that an occurrence was served.
  ///
  /// - Parameter next: Returns the occurrence after another one.
  package mutating func serve(_ occurrence: Instant, next: (Instant) -> Instant?) {
    if end(of: occurrence) != nil { return }
    var range = Range(first: occurrence, last: occurrence)
    // The range extended last is the usual one.
    if let index = ranges.lastIndex(where: { $0.last < occurrence && next($0.last) == occurrence }) {
      range.first = ranges.remove(at: index).first
    }
    if let index = ranges.firstIndex(where: { $0.first > occurrence && next(occurrence) == $0.first }) {
      range.last = ranges.remove(at: index).last
    }
    if ranges.count == Self.capacity { ranges.removeFirst() }
    ranges.append(range)
  }
}

/// The stored form of served occurrences; see `StoredState.md`.
extension ServedOccurrences {
  func write(to writer: inout StateWriter) {
    writer.list(ranges) { writer, range in
      writer.instant(range.first)
      writer.instant(range.last)
    }
  }

  init(from reader: inout StateReader) throws(StoreProblem) {
    ranges = try reader.list(each: 2) {
      (reader: inout StateReader) throws(StoreProblem) in
      Range(first: try reader.instant(), last: try reader.instant())
    }
    if ranges.contains(where: { $0.first > $0.last }) { throw .contradictory }
  }
}
