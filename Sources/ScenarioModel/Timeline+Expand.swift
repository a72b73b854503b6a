package import CivilTime
package import DeviceSimulation
package import TriggerModel

extension Timeline {
  /// Which zone the phone is in.
  package func zone(at instant: Instant) -> ZoneID {
    (stays.last { $0.from <= instant } ?? stays[0]).zone
  }

  /// Takes in a journey that a recording tells of. Of journeys at one instant the one added last counts.
  package mutating func addJourney(to zone: ZoneID, at instant: Instant) {
    let index = stays.firstIndex { $0.from > instant } ?? stays.count
    stays.insert(Stay(from: instant, zone: zone), at: index)
  }
}

extension Repetition {
  /// How often it happens at most in a stretch of time.
  package func highestCount(in span: TimeSpan) -> Int64 {
    switch step {
    case .elapsed(let step): span.milliseconds / step.milliseconds + 1
    case .timesOfDay(let times): (span.milliseconds / TimeSpan.days(1).milliseconds + 2) * Int64(times.count)
    }
  }
}

extension TimelineAction {
  /// Whether the instant of its events is one of the phone's clock.
  var isOfClock: Bool {
    switch self {
    case .setToNow, .complete, .snoozeUntil, .snoozeMonths: true
    case .event, .fix, .delete, .subscription, .reboot: false
    }
  }

  /// The phone events that it stands for, each so long after the instant.
  package func events(at instant: Instant, in zone: Zone) -> [(TimeSpan, PhoneEvent)] {
    switch self {
    case .event(let event): [(.zero, event)]
    case .fix(let coordinate, let accuracy):
      [(.zero, .fix(Fix(instant: instant, coordinate: coordinate, accuracy: accuracy)))]
    case .delete(let reminder): [(.zero, .cancel(reminder))]
    case .subscription: []
    case .reboot: [(.zero, .powerOff), (.minutes(1), .powerOn)]
    case .setToNow(let fact), .complete(_, let fact): [(.zero, .fact(fact, .instant(instant)))]
    case .snoozeUntil(let reminder, let date, let millisecondOfDay):
      [(.zero, .snoozeUntil(reminder, Self.next(date, millisecondOfDay, after: instant, in: zone)))]
    case .snoozeMonths(let reminder, let months):
      CalendarSteps(.monthly, every: months, from: instant, in: zone).next(after: instant).map {
        [(.zero, .snoozeUntil(reminder, $0))]
      } ?? []
    }
  }

  /// The named date and time, or the next such time of day.
  private static func next(
    _ date: CivilDate?, _ millisecondOfDay: Int32, after instant: Instant, in zone: Zone
  ) -> Instant {
    let today = zone.local(at: instant).date
    let candidate = zone.instant(of: LocalTime(date: date ?? today, millisecondOfDay: millisecondOfDay))
    guard date == nil, candidate <= instant else { return candidate }
    return zone.instant(of: LocalTime(date: today + 1, millisecondOfDay: millisecondOfDay))
  }
}
