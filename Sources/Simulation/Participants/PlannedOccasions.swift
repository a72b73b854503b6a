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
  }

  /// By reminder, in order of their times.
  private var occasions: [ReminderID: [Occasion]] = [:]

  /// The reminders that have any, in order.
  var reminders: [ReminderID] { occasions.keys.sorted() }

  /// The times of a reminder's, in order.
  func times(of reminder: ReminderID) -> [Instant] { occasions[reminder]?.map(\.time) ?? [] }

  /// Another request for the same time of a reminder stands for the same occasion.
  mutating func insert(_ request: NotificationRequest) {
    change(request.id.reminder) { list in
      list.removeAll { $0.time == request.deliverAt }
      let index = list.firstIndex { $0.time > request.deliverAt } ?? list.count
      list.insert(
        Occasion(request: request.id, time: request.deliverAt, isFloating: request.isFloating), at: index)
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

  /// Takes out a reminder's first, if its time has come.
  mutating func takeDue(of reminder: ReminderID, at wall: Instant) -> Occasion? {
    guard let first = occasions[reminder]?.first, first.time <= wall else { return nil }
    return change(reminder) { $0.removeFirst() }
  }

  /// The phone has come to another zone.
  mutating func move(from old: Zone, to new: Zone) {
    for reminder in reminders {
      change(reminder) { list in
        for index in list.indices where list[index].isFloating {
          list[index].time = new.instant(of: old.local(at: list[index].time))
        }
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
