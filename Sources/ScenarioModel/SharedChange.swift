package import DeviceSimulation
package import TriggerModel

/// What the user does in our app on one device, as the others are told of it.
package enum SharedChange: Hashable, Sendable, BitwiseCopyable {
  case fact(FactID, FactValue)
  case create(ReminderID)
  /// Replaced by the program's edit with this position.
  case edit(ReminderID, UInt32)
  case cancel(ReminderID)
  /// Put off until a wall-clock instant.
  case snooze(ReminderID, until: Instant)
  case cancelAll
  case preference(PreferenceChange)
  /// The app learned that it has notified the person here: shared where caps count per person.
  case notified(TypeID, Bucket)

  /// What the server keeps one record of: of two changes of the same subject the newer one counts.
  package enum Subject: Hashable, Sendable, BitwiseCopyable {
    case fact(FactID)
    /// Whether it exists, and as what.
    case reminder(ReminderID)
    case snooze(ReminderID)
    /// That all pending notifications were taken back.
    case pending
    /// A choice in the app's settings: the subject and the kind of the change.
    case type(TypeID), allTypes, dailyCap
    /// One of the notifications that a device has shown: nothing takes its place.
    case notification(device: UInt8, number: UInt32)
  }

  fileprivate func subject(device: UInt8, number: UInt32) -> Subject {
    switch self {
    case .fact(let fact, _): .fact(fact)
    case .create(let reminder), .edit(let reminder, _), .cancel(let reminder): .reminder(reminder)
    case .snooze(let reminder, _): .snooze(reminder)
    case .cancelAll: .pending
    case .preference(.type(let type, _)): .type(type)
    case .preference(.all): .allTypes
    case .preference(.dailyCap): .dailyCap
    case .notified: .notification(device: device, number: number)
    }
  }

  /// Nil: it stays on its device.
  ///
  /// - Parameter wall: What the device's wall clock reads.
  package init?(_ event: PhoneEvent, at wall: Instant) {
    switch event {
    case .fact(let fact, let value): self = .fact(fact, value)
    case .create(let reminder): self = .create(reminder)
    case .edit(let reminder, let edit): self = .edit(reminder, edit)
    case .cancel(let reminder): self = .cancel(reminder)
    case .snooze(let reminder, let span): self = .snooze(reminder, until: wall + span)
    case .snoozeUntil(let reminder, let instant): self = .snooze(reminder, until: instant)
    case .cancelAll: self = .cancelAll
    case .preference(let change): self = .preference(change)
    default: return nil
    }
  }

  /// What happens on a device that takes it over; nil: nothing but that its app knows of it.
  package var event: PhoneEvent? {
    switch self {
    case .fact(let fact, let value): .fact(fact, value)
    case .create(let reminder): .create(reminder)
    case .edit(let reminder, let edit): .edit(reminder, edit)
    case .cancel(let reminder): .cancel(reminder)
    case .snooze(let reminder, let instant): .snoozeUntil(reminder, instant)
    case .cancelAll: .cancelAll
    case .preference(let change): .preference(change)
    case .notified: nil
    }
  }
}

extension SyncWrite {
  /// What the server keeps one record of.
  package var subject: SharedChange.Subject { change.subject(device: device, number: number) }
}
