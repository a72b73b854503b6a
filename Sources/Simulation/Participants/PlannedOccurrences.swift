import CivilTime
import TriggerModel

/// The requests that were made in advance and are not due yet. Each occurrence becomes due once.
///
/// Operations on a reminder take time linear in its number of planned occurrences. A phone holds few pending
/// requests, so this number is small.
struct PlannedOccurrences: Sendable {
  struct Occurrence: Sendable {
    var request: RequestID
    /// The due time on the phone's wall clock.
    var time: Instant
    /// Whether the occurrence has a local time of day, which follows the phone's zone.
    var isFloating: Bool
    /// Whether the occurrence ends a fixed duration, so that its time moves with the wall clock.
    var isElapsed: Bool
    /// The repetition that determines the next due time, or `nil` if the occurrence is due only once.
    var repeats: SystemRepeat?
  }

  /// The occurrences of each reminder, in chronological order.
  private var occurrences: [ReminderID: [Occurrence]] = [:]

  /// The reminders with occurrences, ascending.
  var reminders: [ReminderID] { occurrences.keys.sorted() }

  /// Returns the times of a reminder's occurrences, in chronological order.
  func times(of reminder: ReminderID) -> [Instant] { occurrences[reminder]?.map(\.time) ?? [] }

  /// Returns the due time of a request, or `nil` if the request is not planned.
  func time(of request: RequestID) -> Instant? {
    occurrences[request.reminder]?.first { $0.request == request }?.time
  }

  /// Adds a request, which replaces the reminder's request at the same time. A single request never replaces
  /// a repeating one.
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

  /// Removes a reminder's occurrences at or after an instant.
  mutating func remove(of reminder: ReminderID, from end: Instant) {
    change(reminder) { list in list.removeAll { $0.time >= end } }
  }

  /// Removes and returns a reminder's first occurrence if it is due. Reschedules a repeating occurrence.
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

  /// Moves the occurrences that end a fixed duration along with the wall clock, so that the remaining
  /// duration stays the same.
  ///
  /// - Parameter delta: The change of the wall clock; negative if the clock was set back.
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
