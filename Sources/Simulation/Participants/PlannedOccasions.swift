import CivilTime
import TriggerModel

/// What was asked for before its time, waiting for that time: an occasion is due when it comes, and once.
struct PlannedOccasions: Sendable {
  struct Occasion: Sendable {
    var request: RequestID
    /// On the phone's wall clock.
    var time: Instant
    /// It is a time of the local day, and moves with the phone's zone.
    var isFloating: Bool
  }

  /// In order of their times.
  private var occasions: [Occasion] = []

  /// The time of the first; nil: there is none.
  var next: Instant? { occasions.first?.time }

  /// Another request for the same time of a reminder stands for the same occasion.
  mutating func insert(_ request: NotificationRequest) {
    occasions.removeAll { $0.request.reminder == request.id.reminder && $0.time == request.deliverAt }
    let index = occasions.firstIndex { $0.time > request.deliverAt } ?? occasions.count
    occasions.insert(
      Occasion(request: request.id, time: request.deliverAt, isFloating: request.isFloating), at: index)
  }

  mutating func remove(_ request: RequestID) { occasions.removeAll { $0.request == request } }

  mutating func remove(allOf reminder: ReminderID) {
    occasions.removeAll { $0.request.reminder == reminder }
  }

  /// Takes out the first whose time has come.
  mutating func takeDue(at wall: Instant) -> Occasion? {
    guard let first = occasions.first, first.time <= wall else { return nil }
    return occasions.removeFirst()
  }

  /// The phone has come to another zone.
  mutating func move(from old: Zone, to new: Zone) {
    for index in occasions.indices where occasions[index].isFloating {
      occasions[index].time = new.instant(of: old.local(at: occasions[index].time))
    }
    occasions.sort { ($0.time, $0.request) < ($1.time, $1.request) }
  }
}
