package import ScenarioModel
package import TriggerModel

/// The outcomes of the changes that a person's devices share. Each change that a device wrote has exactly one
/// outcome.
package struct SyncAccount: Hashable, Sendable {
  /// The counts of one device.
  package struct Counts: Hashable, Sendable {
    /// The number of changes that the user made on this device. It includes notifications shown on the device
    /// if caps count per person.
    package var written = 0
    /// The number of these changes that the server stored, and the number that it rejected in favour of a
    /// newer change.
    package var stored = 0
    package var overruled = 0
    /// The number of refusals by reason, and the number of changes that the server received twice.
    package var refused: [SyncRefusal: Int] = [:]
    package var repeated = 0
    /// The number of changes from other devices that the app applied on this device.
    package var learned = 0

    package init() {}

    /// The number of changes that the server neither stored nor overruled during the run. It includes changes
    /// that were lost when the app was deleted.
    package var waiting: Int { written - stored - overruled }
  }

  /// An unnecessary notification that was exposed on a device.
  package struct Excess: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      /// Another device also showed a notification for this occasion.
      case doubled
      /// A change on another device might have prevented the notification, but had not reached this device
      /// yet.
      case untold
    }

    package var kind: Kind
    package var request: RequestID
    package var cause: SyncCause
    package var device: UInt8
    package var moment: Moment
  }

  /// A delivery that sync reported to another device.
  package struct SharedDelivery: Hashable, Sendable {
    /// The notified device, and the device that showed the notification.
    package var device: UInt8
    package var by: UInt8
    /// The wall-clock time of the delivery on the device that showed it.
    package var shown: Instant
    package var type: TypeID
    package var bucket: Bucket
    package var instant: Instant
  }

  /// The counts of each device. Empty if nothing was shared.
  package private(set) var devices: [Counts] = []
  package private(set) var excess: [Excess] = []
  package private(set) var sharedDeliveries: [SharedDelivery] = []

  package init() {}

  /// The notifications that were exposed although another device showed one for the same occasion.
  package var doubled: [Excess] { excess.filter { $0.kind == .doubled } }

  package mutating func take(_ record: SyncRecord, on device: UInt8, _ moment: Moment, at instant: Instant) {
    while devices.count <= Int(device) { devices.append(Counts()) }
    let index = Int(device)
    switch record {
    case .written: devices[index].written += 1
    case .refused(_, let refusal): devices[index].refused[refusal, default: 0] += 1
    case .stored: devices[index].stored += 1
    case .overruled: devices[index].overruled += 1
    case .repeated: devices[index].repeated += 1
    case .learned(let write):
      devices[index].learned += 1
      if case .notified(let type, let bucket) = write.change {
        sharedDeliveries.append(
          SharedDelivery(
            device: device, by: write.device, shown: write.stamp, type: type, bucket: bucket, instant: instant
          ))
      }
    case .doubled(let id, let cause):
      excess.append(Excess(kind: .doubled, request: id, cause: cause, device: device, moment: moment))
    case .untold(let id, let cause):
      excess.append(Excess(kind: .untold, request: id, cause: cause, device: device, moment: moment))
    }
  }
}
