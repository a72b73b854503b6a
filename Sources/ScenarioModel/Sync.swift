package import DeviceSimulation
package import TextFormats
package import TriggerModel

/// The service with which the app under test shares the changes of its user between devices.
package struct SyncSetup: Hashable, Sendable {
  /// The time from one device to another while both are online: half of it to the server, and the rest from
  /// there.
  package var delay: TimeSpan
  /// The time after which a refused change is sent again. (CloudKit's servers state it as `retryAfter`.)
  package var retry: TimeSpan
  /// The maximum number of records per person, or `nil` if it is unlimited. Changes of a record do not count.
  package var quota: Int?
  /// Whether a silent push starts the app for new changes, where the platform allows it. Otherwise the app
  /// fetches when it runs.
  package var pushes: Bool
  /// The devices whose deliveries count for the caps of a device.
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

/// The devices whose deliveries count for the caps of a device.
package enum CapScope: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The device itself, as in an app that keeps its counters there.
  case device
  /// All devices of the person, as far as the device has received their deliveries.
  case person

  /// The name in files and reports.
  package var name: String { String(describing: self) }
}

/// A change that the user makes in the app on one device, as the other devices receive it.
package enum SharedChange: Hashable, Sendable, BitwiseCopyable {
  case fact(FactID, FactValue)
  case create(ReminderID)
  /// The reminder is replaced by the program's edit with this position.
  case edit(ReminderID, UInt32)
  case cancel(ReminderID)
  /// The reminder is snoozed until an instant of the wall clock.
  case snooze(ReminderID, until: Instant)
  case cancelAll
  case preference(PreferenceChange)
  /// The app observed that it has notified the person on this device. Shared if caps count per person.
  case notified(TypeID, Bucket)

  /// The subject of which the server keeps one record. The newer of two changes of the same subject wins.
  package enum Subject: Hashable, Sendable, BitwiseCopyable {
    case fact(FactID)
    /// The existence and the declaration of a reminder.
    case reminder(ReminderID)
    case snooze(ReminderID)
    /// The cancellation of all pending notifications.
    case pending
    /// A choice in the app's settings: the subject and the kind of the change.
    case type(TypeID), allTypes, dailyCap
    /// A notification that a device has shown. No other change replaces it.
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

  /// Returns `nil` if the event stays on its device.
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

  /// The event on a device that applies the change, or `nil` if the app only takes note of it.
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
  /// The subject of which the server keeps one record.
  package var subject: SharedChange.Subject { change.subject(device: device, number: number) }
}

/// A change on its way from one device to the server and to the other devices.
package struct SyncWrite: Hashable, Sendable, BitwiseCopyable {
  package var change: SharedChange
  /// The reading of its device's wall clock. The later of two changes of one subject wins.
  package var stamp: Instant
  /// The number of its device. At the same time, the higher number wins.
  package var device: UInt8
  /// The number of the change on its device, counted from 0.
  package var number: UInt32

  package init(_ change: SharedChange, at stamp: Instant, device: UInt8, number: UInt32) {
    self.change = change
    self.stamp = stamp
    self.device = device
    self.number = number
  }

  /// Returns whether it replaces another change of the same subject.
  package func overrules(_ other: SyncWrite) -> Bool {
    (stamp, device, number) > (other.stamp, other.device, other.number)
  }
}

/// The reason why the server refused a change.
package enum SyncRefusal: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The time line declares it: the server was busy or down.
  case fault
  /// The server keeps no more records of this person.
  case quota
}

/// The reason why a device does not know of a change on another one.
package enum SyncCause: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// One of the two devices is offline.
  case offline
  /// The server has refused the change.
  case refused
  /// The change is on its way: less than the delay has passed.
  case underway
  /// The app has not run on the device since, and no push has started it.
  case notRun
  /// There was no change: nobody has done anything, and every device notifies on its own.
  case nothingDone

  /// The name in files and reports.
  package var name: String { String(describing: self) }
}

/// One step of the sync service, recorded on its device.
package enum SyncRecord: Hashable, Sendable, BitwiseCopyable {
  /// The change was made here and is not sent yet.
  case written(SyncWrite)
  /// The server refused the change. It waits here to be sent again.
  case refused(SyncWrite, SyncRefusal)
  /// The server stored the change.
  case stored(SyncWrite)
  /// The server has a newer change of the same subject.
  case overruled(SyncWrite)
  /// The server received the change twice, which has no effect.
  case repeated(SyncWrite)
  /// The app here applied a change of another device.
  case learned(SyncWrite)
  /// A notification was exposed here for an occasion for which another device also exposed one.
  case doubled(RequestID, SyncCause)
  /// A notification was exposed here although a change on another device might have prevented it.
  case untold(RequestID, SyncCause)
}
