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
  package var position: SourcePosition

  package init(
    delay: TimeSpan = .seconds(5), retry: TimeSpan = .minutes(1), quota: Int? = nil, pushes: Bool = true,
    position: SourcePosition = .start
  ) {
    self.delay = delay
    self.retry = retry
    self.quota = quota
    self.pushes = pushes
    self.position = position
  }
}
