import CivilTime
import TriggerModel

/// Requests made in advance that are not due yet. Each occurrence becomes due once.
///
/// Operations on a reminder take linear time in its planned occurrences. A phone holds few pending requests,
/// so these are few.
struct PlannedOccurrences: Sendable {
  struct Occurrence: Sendable {
    var request: RequestID
    /// The due time on the phone's wall clock.
    var time: Instant
    /// Whether the time is a local time of day, which follows the phone's zone.
    var isFloating: Bool
    /// Whether the time is the end of a length of time, which follows the wall clock.
    var isElapsed: Bool
    /// The repetition that determines its next time, or `nil` if it is due once.
    var repeats: SystemRepeat?
  }

  /// The occurrences of each reminder, ascending by time.
  private var occurrences: [ReminderID: [Occurrence]] = [:]

  /// The reminders with occurrences, ascending.
  var reminders: [ReminderID] { occurrences.keys.sorted() }

  /// Returns the times of a reminder's occurrences, ascending.
  func times(of reminder: ReminderID) -> [Instant] { occurrences[reminder]?.map(\.time) ?? [] }

  /// Returns the time of a request, or `nil` if it is not planned.
  func time(of request: RequestID) -> Instant? {
    occurrences[request.reminder]?.first { $0.request == request }?.time
  }

  /// Adds a request. It replaces a request of the same reminder and time, but a single one never replaces a
  /// repeating one.
  mutating func insert(_ request: NotificationRequest) {
    change(request.id.reminder) { list in
      list.removeAll { $0.time == request.deliverAt && ($0.repeats == nil || request.repeats != nil) }
      Self.insert(
        Occurrence(
          request: request.id, time: request.deliverAt, isFloating: request.isFloating,
          isElapsed: request.followsClock, repeats: request.repeats), into: &list)
    }
  }

  private static func insert(_ occurrence: Occurrence, into list: inout [Occurrence]) {
    list.insert(occurrence, at: list.firstIndex { $0.time > occurrence.time } ?? list.count)
  }

  mutating func remove(_ request: RequestID) {
    change(request.reminder) { list in list.removeAll { $0.request == request } }
  }

  mutating func remove(allOf reminder: ReminderID) { occurrences[reminder] = nil }

  /// Removes a reminder's occurrences from an instant on.
  mutating func remove(of reminder: ReminderID, from end: Instant) {
    change(reminder) { list in list.removeAll { $0.time >= end } }
  }

  /// Removes and returns a reminder's first occurrence if it is due. A repeating occurrence is scheduled
  /// again.
  mutating func takeDue(of reminder: ReminderID, at wall: Instant, in zone: Zone) -> Occurrence? {
    guard let first = occurrences[reminder]?.first, first.time <= wall else { return nil }
    return change(reminder) { list in
      list.removeFirst()
      if let next = first.repeats?.next(after: first.time, in: zone) {
        var again = first
        again.time = next
        Self.insert(again, into: &list)
      }
      return first
    }
  }

  /// Moves floating occurrences to another zone. A repeating one is next due at its time of day in the new
  /// zone.
  mutating func move(from old: Zone, to new: Zone, at wall: Instant) {
    reschedule { occurrence in
      guard occurrence.isFloating else { return occurrence.time }
      let moved = new.instant(of: old.local(at: occurrence.time))
      return occurrence.repeats?.next(after: wall, in: new) ?? moved
    }
  }

  /// Moves the occurrences at the end of a length of time along with the wall clock, so that the time until
  /// they are due stays the same.
  ///
  /// - Parameter delta: How far the wall clock was set forward. It is negative if it was set back.
  mutating func shiftSpans(by delta: TimeSpan) {
    reschedule { $0.isElapsed ? $0.time + delta : $0.time }
  }

  private mutating func reschedule(_ time: (Occurrence) -> Instant) {
    for reminder in reminders {
      change(reminder) { list in
        for index in list.indices { list[index].time = time(list[index]) }
        list.sort { ($0.time, $0.request) < ($1.time, $1.request) }
      }
    }
  }

  private mutating func change<Result>(
    _ reminder: ReminderID, _ body: (inout [Occurrence]) -> Result
  ) -> Result {
    var list = occurrences.removeValue(forKey: reminder) ?? []
    defer { if !list.isEmpty { occurrences[reminder] = list } }
    return body(&list)
  }
}
