package import TextFormats
package import TriggerModel

/// How our app shares what its user does on one device with the user's others.
package struct SyncSetup: Hashable, Sendable {
  /// From a device to another, when both are online: half of it to the server, the rest from there.
  package var delay: TimeSpan
  /// After so long what the server refused is sent again. (CloudKit's servers say so in `retryAfter`.)
  package var retry: TimeSpan
  /// How many records the server keeps of a person; nil: any number. What is changed takes no further room.
  package var quota: Int?
  /// A silent push starts the app when there is something new, where the platform lets it; otherwise it asks when it
  /// runs.
  package var pushes: Bool
  /// Whose deliveries a device counts for its caps.
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

/// Whose deliveries count for the caps of a device.
package enum CapScope: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// Its own, as of an app that keeps its counters there.
  case device
  /// Those of all devices of the person, as far as it was told of them.
  case person

  /// The name used in files and reports.
  package var name: String { String(describing: self) }
}
