package import CivilTime
package import DeviceSimulation
package import TextFormats
package import TriggerModel

/// The events of a scenario, in the order of its file.
package struct Timeline: Hashable, Sendable {
  package var entries: [TimelineEntry]
  /// The phone's zones with their beginnings, ascending. The first begins at the start.
  package var stays: [Stay]

  package init(entries: [TimelineEntry], stays: [Stay]) {
    self.entries = entries
    self.stays = stays
  }

  /// A stretch of time in one zone.
  package struct Stay: Hashable, Sendable {
    package var from: Instant
    package var zone: ZoneID

    package init(from: Instant, zone: ZoneID) {
      self.from = from
      self.zone = zone
    }
  }
}

/// One line of the time line: actions that occur once or repeatedly.
package struct TimelineEntry: Hashable, Sendable {
  package enum Timing: Hashable, Sendable {
    case once(Instant)
    case repeated(Repetition)
  }

  package var timing: Timing
  /// Several actions happen in order at the same instant.
  package var actions: [TimelineAction]
  /// The device: 0 for the phone, otherwise the position among the further devices plus one.
  package var device: UInt8 = 0
  package var position: SourcePosition

  package init(timing: Timing, actions: [TimelineAction], device: UInt8 = 0, position: SourcePosition) {
    self.timing = timing
    self.actions = actions
    self.device = device
    self.position = position
  }
}

/// The repetition of an entry, in local time of the phone's zone.
package struct Repetition: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    /// At these times of every selected day, in milliseconds after midnight, ascending.
    case timesOfDay([Int32])
    /// At this interval of elapsed time, from the start of the scenario.
    case elapsed(TimeSpan)
  }

  package var step: Step
  package var weekdays: WeekdaySet
  /// The first date, or `nil` if the file names none.
  package var from: CivilDate?
  /// The date before which it ends, or `nil` if the file names none.
  package var until: CivilDate?

  package init(step: Step, weekdays: WeekdaySet, from: CivilDate? = nil, until: CivilDate? = nil) {
    self.step = step
    self.weekdays = weekdays
    self.from = from
    self.until = until
  }
}

/// An action at an instant of the time line.
///
/// Most are phone events. The others depend on the instant, or are several events.
package enum TimelineAction: Hashable, Sendable {
  case event(PhoneEvent)
  /// The phone is at a place. The accuracy is in metres, or negative if it is unknown.
  case fix(Coordinate, accuracy: Double)
  /// The phone is switched off, and on again a minute later.
  case reboot
  /// A fact of the kind instant takes the instant of the entry.
  case setToNow(FactID)
  /// A reminder was done: the fact from which it counts takes the instant of the entry.
  case complete(ReminderID, FactID)
  /// Until the next such local time, or until that time on that date.
  case snoozeUntil(ReminderID, date: CivilDate?, millisecondOfDay: Int32)
  /// For this number of calendar months: until the same day and time of another month, or its last day.
  case snoozeMonths(ReminderID, Int)
  /// An existing reminder is cancelled, and can be created again.
  case delete(ReminderID)
  /// A step of the subscription. Plans turn it into facts when the file is read, so only
  /// ``Scenario/asAuthored`` contains one.
  case subscription(SubscriptionStep)
}

/// One event of an expanded time line.
package struct TimelineEvent: Hashable, Sendable {
  package var instant: Instant
  package var event: PhoneEvent
  /// The device: 0 for the phone, otherwise the position among the further devices plus one.
  package var device: UInt8 = 0
  /// The line of the file that declares it.
  package var position: SourcePosition
  /// The position among all events of the time line: ascending with the instant, and in the order of the file
  /// at one instant.
  package var order: Int
  /// The action of the event if it depends on the phone's clock, or `nil`.
  var clockAction: TimelineAction?

  package init(instant: Instant, event: PhoneEvent, device: UInt8 = 0, position: SourcePosition, order: Int) {
    self.instant = instant
    self.event = event
    self.device = device
    self.position = position
    self.order = order
  }
}

extension Timeline {
  /// Returns the phone's zone at an instant.
  package func zone(at instant: Instant) -> ZoneID {
    (stays.last { $0.from <= instant } ?? stays[0]).zone
  }

  /// Adds a recorded journey. Of several journeys at one instant, the last added counts.
  package mutating func addJourney(to zone: ZoneID, at instant: Instant) {
    let index = stays.firstIndex { $0.from > instant } ?? stays.count
    stays.insert(Stay(from: instant, zone: zone), at: index)
  }
}

extension Repetition {
  /// Returns an upper bound of the number of occurrences in a span.
  package func highestCount(in span: TimeSpan) -> Int64 {
    switch step {
    case .elapsed(let step): span.milliseconds / step.milliseconds + 1
    case .timesOfDay(let times): (span.milliseconds / TimeSpan.days(1).milliseconds + 2) * Int64(times.count)
    }
  }
}

extension TimelineAction {
  /// Whether its events are at an instant of the phone's clock.
  var dependsOnClock: Bool {
    switch self {
    case .setToNow, .complete, .snoozeUntil, .snoozeMonths: true
    case .event, .fix, .delete, .subscription, .reboot: false
    }
  }

  /// Returns the phone events of the action, with their delays after the instant.
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

  /// Returns the named date and time, or the next such time of day.
  private static func next(
    _ date: CivilDate?, _ millisecondOfDay: Int32, after instant: Instant, in zone: Zone
  ) -> Instant {
    let today = zone.local(at: instant).date
    let candidate = zone.instant(of: LocalTime(date: date ?? today, millisecondOfDay: millisecondOfDay))
    guard date == nil, candidate <= instant else { return candidate }
    return zone.instant(of: LocalTime(date: today + 1, millisecondOfDay: millisecondOfDay))
  }
}
