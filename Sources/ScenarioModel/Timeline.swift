package import CivilTime
package import DeviceSimulation
package import TextFormats
package import TriggerModel

/// What happens in a scenario, in the order of its file.
package struct Timeline: Hashable, Sendable {
  package var entries: [TimelineEntry]
  /// Which zone the phone is in, and since when; ascending, the first since the start.
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

/// One line of the time line: what happens, once or repeatedly.
package struct TimelineEntry: Hashable, Sendable {
  package enum Timing: Hashable, Sendable {
    case once(Instant)
    case repeated(Repetition)
  }

  package var timing: Timing
  /// Several happen one after the other at the same instant.
  package var actions: [TimelineAction]
  /// Where: the phone, or the position in the scenario's devices plus one.
  package var device: UInt8 = 0
  package var position: SourcePosition

  package init(timing: Timing, actions: [TimelineAction], device: UInt8 = 0, position: SourcePosition) {
    self.timing = timing
    self.actions = actions
    self.device = device
    self.position = position
  }
}

/// When a repeated entry happens, in the local time of wherever the phone is.
package struct Repetition: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    /// At these times of every chosen day, in milliseconds after midnight, ascending.
    case timesOfDay([Int32])
    /// Every so much elapsed time, from the start of the scenario.
    case elapsed(TimeSpan)
  }

  package var step: Step
  package var weekdays: WeekdaySet
  /// The first date, if the file names one.
  package var from: CivilDate?
  /// The first date that no longer counts, if the file names one.
  package var until: CivilDate?

  package init(step: Step, weekdays: WeekdaySet, from: CivilDate? = nil, until: CivilDate? = nil) {
    self.step = step
    self.weekdays = weekdays
    self.from = from
    self.until = until
  }
}

/// What happens at an instant of the time line.
///
/// Most are phone events as they stand; the others need the instant, or are more than one event.
package enum TimelineAction: Hashable, Sendable {
  case event(PhoneEvent)
  /// The phone is at a place; the accuracy in metres, negative when not known.
  case fix(Coordinate, accuracy: Double)
  /// Power off, and on again a minute later.
  case reboot
  /// An instant fact takes the instant of the entry.
  case setToNow(FactID)
  /// A reminder was done: the fact from which it counts takes the instant of the entry.
  case complete(ReminderID, FactID)
  /// Until the next such local time, or until that time of that date.
  case snoozeUntil(ReminderID, date: CivilDate?, millisecondOfDay: Int32)
  /// So many months of the calendar: the same day and time of another month, or its last day.
  case snoozeMonths(ReminderID, Int)
  /// A reminder that exists is taken back, and can be made anew.
  case delete(ReminderID)
  /// A step of the subscription. The plans make facts of it while the file is read: a scenario that was read holds
  /// none, but for ``Scenario/asAuthored``.
  case subscription(SubscriptionStep)
}

/// One event of an expanded time line.
package struct TimelineEvent: Hashable, Sendable {
  package var instant: Instant
  package var event: PhoneEvent
  /// Where: the phone, or the position in the scenario's devices plus one.
  package var device: UInt8 = 0
  /// The line of the file that says so.
  package var position: SourcePosition
  /// Position among all events of the time line: ascending with the instant, and at one instant in the
  /// order of the file.
  package var order: Int
  /// What the event stands for, where that is read off the phone's clock.
  var ofClock: TimelineAction?

  package init(instant: Instant, event: PhoneEvent, device: UInt8 = 0, position: SourcePosition, order: Int) {
    self.instant = instant
    self.event = event
    self.device = device
    self.position = position
    self.order = order
  }
}
