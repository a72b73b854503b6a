package import TriggerModel

/// The occurrences of a schedule at which the app was woken.
///
/// They remain served if the clock is set back. Most schedules have a single range, which needs no heap
/// allocation. Setting the clock forward starts another range.
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

  /// The most recently extended range, or `nil` if no occurrence was served.
  private var current: Range?
  /// The other ranges, the most recently extended one last.
  private var earlier: [Range] = []

  /// The maximum number of ranges.
  private static let capacity = 8

  package init() {}

  /// Returns the last served occurrence up to an instant, or the instant itself if it is between served
  /// occurrences. Returns `nil` if no earlier occurrence was served.
  package func last(through instant: Instant) -> Instant? {
    var last: Instant?
    func include(_ range: Range) {
      if range.first <= instant { last = max(last ?? .distantPast, min(range.last, instant)) }
    }
    if let current { include(current) }
    for range in earlier { include(range) }
    return last
  }

  /// Returns the end of the range that contains an occurrence, or `nil` if the occurrence was not served.
  package func end(of occurrence: Instant) -> Instant? {
    if let current, current.contains(occurrence) { return current.last }
    return earlier.first { $0.contains(occurrence) }?.last
  }

  /// Records that an occurrence was served.
  ///
  /// - Parameter next: Returns the occurrence after the given one, or `nil` if there is none.
  package mutating func serve(_ occurrence: Instant, next: (Instant) -> Instant?) {
    if end(of: occurrence) != nil { return }
    var range = Range(first: occurrence, last: occurrence)
    if let current {
      if current.last < occurrence, next(current.last) == occurrence {
        range.first = current.first
      } else {
        earlier.append(current)
      }
    }
    if !earlier.isEmpty { join(&range, next) }
    current = range
  }

  /// Merges a range with the earlier ranges that adjoin it.
  private mutating func join(_ range: inout Range, _ next: (Instant) -> Instant?) {
    let (first, last) = (range.first, range.last)
    if first == last,
      let index = earlier.lastIndex(where: { $0.last < first && next($0.last) == first })
    {
      range.first = earlier.remove(at: index).first
    }
    if let index = earlier.firstIndex(where: { $0.first > last && next(last) == $0.first }) {
      range.last = earlier.remove(at: index).last
    }
    if earlier.count == Self.capacity { earlier.removeFirst() }
  }
}

extension ServedOccurrences: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&current)
    parcel.carry(&earlier)
  }
}

extension ServedOccurrences.Range {
  fileprivate func contains(_ occurrence: Instant) -> Bool { first <= occurrence && occurrence <= last }
}

/// The stored form of served occurrences. See `StoredState.md`.
extension ServedOccurrences {
  func write(to writer: inout StateWriter) {
    writer.number(UInt64(earlier.count + (current == nil ? 0 : 1)))
    for range in earlier { Self.write(range, to: &writer) }
    if let current { Self.write(current, to: &writer) }
  }

  private static func write(_ range: Range, to writer: inout StateWriter) {
    writer.instant(range.first)
    writer.instant(range.last)
  }

  init(from reader: inout StateReader) throws(StoreProblem) {
    for _ in 0..<(try reader.count(each: 2)) {
      if let current { earlier.append(current) }
      let range = Range(first: try reader.instant(), last: try reader.instant())
      if range.first > range.last { throw .contradictory }
      current = range
    }
  }
}
