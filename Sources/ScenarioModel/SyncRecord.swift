package import TriggerModel

/// A change on its way from one device to the server and to the others.
package struct SyncWrite: Hashable, Sendable, BitwiseCopyable {
  package var change: SharedChange
  /// What the wall clock of its device read: of two changes of one subject the later one counts.
  package var stamp: Instant
  /// The number of the device that it was made on; at one instant the higher one counts.
  package var device: UInt8
  /// Counts the changes of its device, from 0.
  package var number: UInt32

  package init(_ change: SharedChange, at stamp: Instant, device: UInt8, number: UInt32) {
    self.change = change
    self.stamp = stamp
    self.device = device
    self.number = number
  }

  /// Whether it takes the place of another change of the same subject.
  package func overrules(_ other: SyncWrite) -> Bool {
    (stamp, device, number) > (other.stamp, other.device, other.number)
  }
}

/// Why the server did not take a change.
package enum SyncRefusal: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The time line says so: the server was busy, or down.
  case fault
  /// It keeps no more records of this person.
  case quota
}

/// Why a device does not know of what was done on another one.
package enum SyncCause: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// One of the two devices cannot be reached.
  case offline
  /// The server has refused it.
  case refused
  /// It is on its way: less than the delay has passed.
  case underway
  /// The app has not run on the device since, and no push has started it.
  case notRun
  /// There was nothing to know: nobody had done anything about it, and every device notifies for itself.
  case nothingDone

  /// The name used in files and reports.
  package var name: String { String(describing: self) }
}

/// One step of what devices share, recorded on the device where it happens.
package enum SyncRecord: Hashable, Sendable, BitwiseCopyable {
  /// Made here, and not sent yet.
  case written(SyncWrite)
  /// The server refused it; it waits here to be sent again.
  case refused(SyncWrite, SyncRefusal)
  /// The server has it.
  case stored(SyncWrite)
  /// The server has a newer change of the same subject.
  case overruled(SyncWrite)
  /// It has come to the server twice, which changes nothing.
  case repeated(SyncWrite)
  /// Made on another device, and told to the app here.
  case learned(SyncWrite)
  /// A notification is seen here for an occasion for which one was seen on another device.
  case doubled(RequestID, SyncCause)
  /// A notification is seen here though something was done on another device that may have spared it.
  case untold(RequestID, SyncCause)
}
