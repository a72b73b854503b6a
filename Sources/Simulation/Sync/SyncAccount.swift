package import ScenarioModel
package import TriggerModel

/// What became of what a person's devices share, in counts that add up.
package struct SyncAccount: Hashable, Sendable {
  /// Of one device.
  package struct Counts: Hashable, Sendable {
    /// Changes that the user made here and, where caps count per person, notifications that were shown.
    package var written = 0
    /// Of these, the ones that the server took, and the ones for which it had a newer one.
    package var stored = 0
    package var overruled = 0
    /// How often the server refused one, by reason, and how often one came to it twice.
    package var refused: [SyncRefusal: Int] = [:]
    package var repeated = 0
    /// Changes of other devices that the app here took over.
    package var learned = 0

    package init() {}

    /// Neither taken nor overruled when the run ended, or gone with a deleted app.
    package var waiting: Int { written - stored - overruled }
  }

  /// A notification that was seen on a device though it need not have been.
  package struct Excess: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      /// For an occasion for which one was seen on another device.
      case doubled
      /// Though something was done on another device that may have spared it.
      case untold
    }

    package var kind: Kind
    package var request: RequestID
    package var cause: SyncCause
    package var device: UInt8
    package var moment: Moment
  }

  /// That a device was told of a notification on another one.
  package struct Told: Hashable, Sendable {
    /// The one that was told, and the one that has shown it.
    package var device: UInt8
    package var by: UInt8
    /// What the wall clock read where it was shown.
    package var shown: Instant
    package var type: TypeID
    package var bucket: Bucket
    package var instant: Instant
  }

  /// By device; empty where nothing was shared.
  package private(set) var devices: [Counts] = []
  package private(set) var excess: [Excess] = []
  package private(set) var told: [Told] = []

  package init() {}

  /// The notifications that were seen a second time for their occasion.
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
        told.append(
          Told(
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
