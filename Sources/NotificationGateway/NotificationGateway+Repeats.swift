import CivilTime
import TriggerModel

/// Reservations of what the system repeats. It is asked for once; each occurrence counts in its day and for the
/// intervals like any delivery, because an app that knows what it has asked for knows of them without running.
/// None of them can be kept back any more.
extension NotificationGateway {
  /// An occurrence was delivered: its reservation stands for the next.
  mutating func repeatDelivery(at index: Int) {
    var reservation = state.pending.remove(at: index)
    memory.isDirty = true
    let last = reservation.deliverAt
    guard let next = reservation.repeats?.next(after: last, in: memory.cursor.zone) else { return }
    reservation.deliverAt = next
    reserve(reservation, today: memory.cursor.local(at: last).date)
  }

  /// The phone is in another zone: the next occurrence is the first that comes there.
  mutating func moveRepeat(at index: Int, after now: Moment) {
    let reservation = state.pending[index]
    guard let next = reservation.repeats?.next(after: now.wall, in: memory.cursor.zone) else { return }
    state.giveBack(reservation)
    state.pending[index].deliverAt = next
    state.pending[index].day = memory.cursor.local(at: next).date
    state.take(
      state.pending[index], today: memory.cursor.local(at: now.wall).date, keeping: policy.keptDays)
  }

  /// The wall clock was set: spans go on as they were.
  mutating func shiftSpans(by delta: TimeSpan) {
    guard state.pending.contains(where: { $0.repeats?.span != nil }) else { return }
    for index in state.pending.indices where state.pending[index].repeats?.span != nil {
      state.pending[index].deliverAt = state.pending[index].deliverAt + delta
    }
    state.pending.sort()
  }

  private mutating func reserve(_ reservation: Reservation, today: CivilDate) {
    var reservation = reservation
    reservation.day = memory.cursor.local(at: reservation.deliverAt).date
    reservation.lapse = state.lapse
    state.take(reservation, today: today, keeping: policy.keptDays)
    state.insertPending(reservation)
  }
}
