import CivilTime
import TriggerModel

/// What was asked for before its time, waiting for that time: an occasion is due when it comes, and once.
///
/// Whatever is done for one reminder is linear in the occasions planned for that reminder: a few, as a phone
/// holds few.
struct PlannedOccasions: Sendable {
  struct Occasion: Sendable {
    var request: RequestID
    /// On the phone's wall clock.
    var time: Instant
    /// It is a time of the local day, and moves with the phone's zone.
    var isFloating: Bool
    /// After its time has come it waits for the next.
    var repeats: SystemRepeat?
  }

  /// By reminder, in order of their times.
  private var occasions: [ReminderID: [Occasion]] = [:]

  /// The reminders that have any, in order.
  var reminders: [ReminderID] { occasions.keys.sorted() }

  /// The times of a reminder's, in order.
  func times(of reminder: ReminderID) -> [Instant] { occasions[reminder]?.map(\.time) ?? [] }

  /// Another request for the same time of a reminder stands for the same occasion; what is repeated goes on.
  mutating func insert(_ request: NotificationRequest) {
    change(request.id.reminder) { list in
      list.removeAll { $0.time == request.deliverAt && ($0.repeats == nil || request.repeats != nil) }
      let index = list.firstIndex { $0.time > request.deliverAt } ?? list.count
      list.insert(
        Occasion(
          request: request.id, time: request.deliverAt, isFloating: request.isFloating,
          repeats: request.repeats), at: index)
    }
  }

  mutating func remove(_ request: RequestID) {
    change(request.reminder) { list in list.removeAll { $0.request == request } }
  }

  mutating func remove(allOf reminder: ReminderID) { occasions[reminder] = nil }

  /// Takes out a reminder's from an instant on.
  mutating func remove(of reminder: ReminderID, from end: Instant) {
    change(reminder) { list in list.removeAll { $0.time >= end } }
  }

  /// Takes out a reminder's first, if its time has come; one that is repeated waits for its next time.
  mutating func takeDue(of reminder: ReminderID, at wall: Instant, in zone: Zone) -> Occasion? {
    guard let first = occasions[reminder]?.first, first.time <= wall else { return nil }
    return change(reminder) { list in
      list.removeFirst()
      if let next = first.repeats?.next(after: first.time, in: zone) {
        var again = first
        again.time = next
        list.insert(again, at: list.firstIndex { $0.time > next } ?? list.count)
      }
      return first
    }
  }

  /// The phone has come to another zone; what is repeated is due when its time of the day comes there.
  mutating func move(from old: Zone, to new: Zone, at wall: Instant) {
    reschedule { occasion in
      guard occasion.isFloating else { return occasion.time }
      let moved = new.instant(of: old.local(at: occasion.time))
      return occasion.repeats?.next(after: wall, in: new) ?? moved
    }
  }

  /// The wall clock was set: what comes after a span comes after the same span.
  mutating func shiftSpans(by delta: TimeSpan) {
    reschedule { $0.repeats?.span == nil ? $0.time : $0.time + delta }
  }

  private mutating func reschedule(_ time: (Occasion) -> Instant) {
    for reminder in reminders {
      change(reminder) { list in
        for index in list.indices { list[index].time = time(list[index]) }
        list.sort { ($0.time, $0.request) < ($1.time, $1.request) }
      }
    }
  }

  private mutating func change<Result>(
    _ reminder: ReminderID, _ body: (inout [Occasion]) -> Result
  ) -> Result {
    var list = occasions.removeValue(forKey: reminder) ?? []
    defer { if !list.isEmpty { occasions[reminder] = list } }
    return body(&list)
  }
}
