package import DeviceSimulation
package import TextFormats
package import TriggerModel

/// The service through which the app under test shares its user's changes between devices.
package struct SyncSetup: Hashable, Sendable {
  /// The time that a change takes between two online devices. Half of this time passes before it reaches the
  /// server.
  package var delay: TimeSpan
  /// The time after which a refused change is sent again. CloudKit's servers report it as `retryAfter`.
  package var retry: TimeSpan
  /// The maximum number of records per person, or `nil` for no limit. A change of an existing record does not
  /// count.
  package var quota: Int?
  /// Whether a silent push starts the app for new changes, on platforms that allow it. If `false`, the app
  /// fetches changes only while it runs.
  package var pushes: Bool
  /// The devices whose deliveries count toward the caps of a device.
  package var caps: CapScope
  package var position: SourcePosition

  package init(
    delay: TimeSpan = .seconds(5), retry: TimeSpan = .minutes(1), quota: Int? = nil, pushes: Bool = true,
    caps: CapScope = .device, position: SourcePosition = .start
  ) {
    self.delay = delay
    self.retry = retry
    self.quota = quota
    self.pushes = pushes
    self.caps = caps
    self.position = position
  }
}

/// The devices whose deliveries count toward the caps of a device.
package enum CapScope: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// Only the device itself, as in an app that stores its counters locally.
  case device
  /// All devices of the person. A delivery counts as soon as the device has been notified of it.
  case person

  /// The name in files and reports.
  package var name: String { String(describing: self) }
}

/// A change that the user makes in the app on one device, in the form in which other devices receive it.
package enum SharedChange: Hashable, Sendable, BitwiseCopyable {
  case fact(FactID, FactValue)
  case create(ReminderID)
  /// The edit at this index replaces the reminder.
  case edit(ReminderID, UInt32)
  case cancel(ReminderID)
  /// The reminder is snoozed until an instant on the wall clock.
  case snooze(ReminderID, until: Instant)
  case cancelAll
  case preference(PreferenceChange)
  /// The app observed that a notification was delivered on this device. Devices share this change if caps
  /// count per person.
  case notified(TypeID, Bucket)

  /// The data that a change concerns. The server keeps one record per subject, and the newer of two changes
  /// wins.
  package enum Subject: Hashable, Sendable, BitwiseCopyable {
    case fact(FactID)
    /// The existence and the declaration of a reminder.
    case reminder(ReminderID)
    case snooze(ReminderID)
    /// The cancellation of all pending notifications.
    case pending
    /// A setting of the app.
    case type(TypeID), allTypes, dailyCap
    /// A notification that a device has shown. No other change replaces its record.
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

  /// Creates the change that an event causes. Returns `nil` if the event affects only its own device.
  ///
  /// - Parameter wall: The reading of the device's wall clock.
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

  /// The event that applies the change on another device, or `nil` if the app only stores the change.
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
  /// The subject of the change.
  package var subject: SharedChange.Subject { change.subject(device: device, number: number) }
}

/// A change in transit from one device to the server and the other devices.
package struct SyncWrite: Hashable, Sendable, BitwiseCopyable {
  package var change: SharedChange
  /// The wall-clock time on the device that made the change. If two changes have the same subject, the later
  /// one wins.
  package var stamp: Instant
  /// The number of the device that made the change. If the times are equal, the higher number wins.
  package var device: UInt8
  /// The number of the change among those of its device, counted from 0.
  package var number: UInt32

  package init(_ change: SharedChange, at stamp: Instant, device: UInt8, number: UInt32) {
    self.change = change
    self.stamp = stamp
    self.device = device
    self.number = number
  }

  /// Returns whether the change replaces another change of the same subject.
  package func overrules(_ other: SyncWrite) -> Bool {
    (stamp, device, number) > (other.stamp, other.device, other.number)
  }
}

/// The reason why the server refused a change.
package enum SyncRefusal: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The server was busy or down, because of a fault on the time line.
  case fault
  /// The person has reached the server's quota of records.
  case quota
}

/// The reason why a device has not received a change from another device.
package enum SyncCause: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// One of the two devices is offline.
  case offline
  /// The server has refused the change.
  case refused
  /// The change is in transit, because less than the delay has passed.
  case underway
  /// Since the change, the app has not run on the device, and no push has started it.
  case notRun
  /// There was no change: the person did nothing, and each device notifies independently.
  case nothingDone

  /// The name in files and reports.
  package var name: String { String(describing: self) }
}

/// A step of the sync service, recorded on its device.
package enum SyncRecord: Hashable, Sendable, BitwiseCopyable {
  /// The user made the change on this device. It has not been sent yet.
  case written(SyncWrite)
  /// The server refused the change. The change stays in the outbox and is sent again.
  case refused(SyncWrite, SyncRefusal)
  /// The server stored the change.
  case stored(SyncWrite)
  /// The server already has a newer change of the same subject.
  case overruled(SyncWrite)
  /// The server received the change again, which has no effect.
  case repeated(SyncWrite)
  /// The app on this device applied a change from another device.
  case learned(SyncWrite)
  /// A notification was exposed on this device, although another device exposed one for the same occasion.
  case doubled(RequestID, SyncCause)
  /// A notification was exposed on this device, although a change on another device might have prevented it.
  case untold(RequestID, SyncCause)
}
