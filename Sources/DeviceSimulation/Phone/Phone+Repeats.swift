import CivilTime
import TriggerModel

/// Requests that the system repeats by itself (rules N1, N4 to N7, R1): one that is pending stands for all of
/// its occurrences. No process of the app is needed for that, but where a boot or a stop loses what is pending
/// they are lost like everything else, until the app hands them over again.
extension Phone {
  /// A request as the system takes it. Where it knows no first date it begins with the next time that the pattern
  /// comes round (rule N6).
  func asTaken(_ request: NotificationRequest, at wall: Instant) -> NotificationRequest {
    guard settings.repeatsIgnoreStart, let first = request.repeats?.next(after: wall, in: zone) else {
      return request
    }
    var taken = request
    taken.scheduledFor = first
    taken.deliverAt = first
    return taken
  }

  /// The next occurrence of a pending request, in the zone whose days it keeps (rule N7), and how late it will be.
  private func next(at position: Int) -> (occurrence: Instant, lateness: TimeSpan)? {
    let entry = centre.pending[position]
    let zone = entry.home.map { blueprint.zones[$0] } ?? zone
    let next = entry.request.repeats?.next(after: entry.request.deliverAt, in: zone)
    return next.map { ($0, lateness(ofAlarm: entry.request.id.reminder, at: $0)) }
  }

  /// A repeated request was delivered. What has come round meanwhile, as the phone was off or the alarm late, is
  /// shown by that one delivery.
  mutating func goOn(at position: Int, _ wall: Instant, into out: inout PhoneOutput) {
    let reminder = centre.pending[position].request.id.reminder
    centre.goOn(at: position, to: next(at: position), into: &out)
    while settings.missedRepeatsOnce, isPast(position, reminder, wall) {
      passOver(at: position, .expiredAtRelease, into: &out)
    }
  }

  private func isPast(_ position: Int, _ reminder: ReminderID, _ wall: Instant) -> Bool {
    guard position < centre.pending.count else { return false }
    let request = centre.pending[position].request
    return request.id.reminder == reminder && request.repeats != nil && request.deliverAt <= wall
  }

  /// An occurrence of a repeated request is lost.
  mutating func passOver(at position: Int, _ reason: Reason, into out: inout PhoneOutput) {
    centre.passOver(at: position, reason, to: next(at: position), into: &out)
  }

  /// A boot that drops what was missed: of what is repeated the occurrences up to now.
  mutating func passOverMissed(at wall: Instant, into out: inout PhoneOutput) {
    for position in centre.pending.indices.reversed() {
      while isPast(position, centre.pending[position].request.id.reminder, wall) {
        passOver(at: position, .expiredAtRelease, into: &out)
      }
    }
  }

  /// The phone has come to another zone: what keeps a local time waits for the next time that it shows there.
  mutating func repeatsMoved(at wall: Instant, into out: inout PhoneOutput) {
    for position in centre.pending.indices {
      let request = centre.pending[position].request
      // What came round while the phone was off is shown when it is on again.
      guard request.isFloating, request.deliverAt > wall,
        let next = request.repeats?.next(after: wall, in: zone)
      else { continue }
      let lateness = lateness(ofAlarm: request.id.reminder, at: next)
      centre.wait(at: position, for: next, lateness, into: &out)
    }
  }

  /// The wall clock was set: what comes after a span comes after the same span.
  mutating func repeatsShifted(by delta: TimeSpan, into out: inout PhoneOutput) {
    for position in centre.pending.indices {
      let entry = centre.pending[position]
      guard entry.request.repeats?.span != nil else { continue }
      centre.wait(at: position, for: entry.request.deliverAt + delta, entry.lateness, into: &out)
    }
  }
}
