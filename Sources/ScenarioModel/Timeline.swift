package import CivilTime
package import DeviceSimulation
package import TextFormats
package import TriggerModel

/// The events of a scenario, in the order of its file.
package struct Timeline: Hashable, Sendable {
  package var entries: [TimelineEntry]
  /// The phone's successive zones, in chronological order. The first stay begins at the start of the
  /// scenario.
  package var stays: [Stay]

  package init(entries: [TimelineEntry], stays: [Stay]) {
    self.entries = entries
    self.stays = stays
  }

  /// A period that the phone spends in one zone.
  package struct Stay: Hashable, Sendable {
    package var from: Instant
    package var zone: ZoneID

    package init(from: Instant, zone: ZoneID) {
      self.from = from
      self.zone = zone
    }
  }
}

/// One line of the time line, with actions that occur once or repeatedly.
package struct TimelineEntry: Hashable, Sendable {
  package enum Timing: Hashable, Sendable {
    case once(Instant)
    case repeated(Repetition)
  }

  package var timing: Timing
  /// The actions, performed in order at the same instant.
  package var actions: [TimelineAction]
  /// The device: 0 for the phone, otherwise its index among the other devices plus one.
  package var device: UInt8 = 0
  package var position: SourcePosition

  package init(timing: Timing, actions: [TimelineAction], device: UInt8 = 0, position: SourcePosition) {
    self.timing = timing
    self.actions = actions
    self.device = device
    self.position = position
  }
}

/// The repetition of an entry, in the local time of the phone's zone.
package struct Repetition: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    /// The entry occurs at these times on every selected day. The times are in milliseconds after midnight
    /// and ascending.
    case timesOfDay([Int32])
    /// The entry occurs at this interval of elapsed time, counted from the start of the scenario.
    case elapsed(TimeSpan)
  }

  package var step: Step
  package var weekdays: WeekdaySet
  /// The first date, or `nil` if there is no lower bound.
  package var from: CivilDate?
  /// The end date, exclusive, or `nil` if there is no upper bound.
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
/// Most actions are phone events. The other actions depend on the instant or consist of several events.
package enum TimelineAction: Hashable, Sendable {
  case event(PhoneEvent)
  /// Moves the phone to a position. The accuracy is in metres, or negative if it is unknown.
  case fix(Coordinate, accuracy: Double)
  /// Switches the phone off, and on again a minute later.
  case reboot
  /// Sets a fact of the kind `instant` to the instant of the entry.
  case setToNow(FactID)
  /// Completes a reminder by setting the fact from which it counts to the instant of the entry.
  case complete(ReminderID, FactID)
  /// Snoozes a reminder until this local time on a date, or until the next such time if the date is `nil`.
  case snoozeUntil(ReminderID, date: CivilDate?, millisecondOfDay: Int32)
  /// Snoozes a reminder for this number of calendar months. The snooze ends at the same time on the same day
  /// of the month, or on the last day of a shorter month.
  case snoozeMonths(ReminderID, Int)
  /// Deletes an existing reminder, which can be created again.
  case delete(ReminderID)
  /// A step of the subscription. Parsing converts plans and steps to facts, so only ``Scenario/asAuthored``
  /// contains steps.
  case subscription(SubscriptionStep)
}

/// One event of an expanded time line.
package struct TimelineEvent: Hashable, Sendable {
  package var instant: Instant
  package var event: PhoneEvent
  /// The device: 0 for the phone, otherwise its index among the other devices plus one.
  package var device: UInt8 = 0
  /// The position of the line that declares the event.
  package var position: SourcePosition
  /// The index among all events of the time line, in chronological order. At equal instants, events are in
  /// the order of the file.
  package var order: Int
  /// The action, if it depends on the phone's clock; otherwise, `nil`.
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

  /// Adds a recorded journey. It replaces a previous journey at the same instant.
  package mutating func addJourney(to zone: ZoneID, at instant: Instant) {
    let index = stays.firstIndex { $0.from > instant } ?? stays.count
    stays.insert(Stay(from: instant, zone: zone), at: index)
  }
}

extension Repetition {
  /// Returns an upper bound on the number of occurrences in a span.
  package func highestCount(in span: TimeSpan) -> Int64 {
    switch step {
    case .elapsed(let step): span.milliseconds / step.milliseconds + 1
    case .timesOfDay(let times): (span.milliseconds / TimeSpan.days(1).milliseconds + 2) * Int64(times.count)
    }
  }
}

extension TimelineAction {
  /// Whether the action refers to a time on the phone's clock.
  var dependsOnClock: Bool {
    switch self {
    case .setToNow, .complete, .snoozeUntil, .snoozeMonths: true
    case .event, .fix, .delete, .subscription, .reboot: false
    }
  }

  /// Returns the phone events of the action, each with its delay after `instant`.
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

  /// Returns the instant at which the time of day occurs on the date, or at which it occurs next if the date
  /// is `nil`.
  private static func next(
    _ date: CivilDate?, _ millisecondOfDay: Int32, after instant: Instant, in zone: Zone
  ) -> Instant {
    let today = zone.local(at: instant).date
    let candidate = zone.instant(of: LocalTime(date: date ?? today, millisecondOfDay: millisecondOfDay))
    guard date == nil, candidate <= instant else { return candidate }
    return zone.instant(of: LocalTime(date: today + 1, millisecondOfDay: millisecondOfDay))
  }
}
