package import CivilTime
package import TriggerModel

/// A delivery as caps count it.
package struct CountedDelivery: Hashable, Sendable {
  package var type: TypeID
  package var bucket: Bucket
  /// The local day that it was on its device.
  package var day: CivilDate
  /// Which of the person's devices has shown it.
  package var device: UInt8
  /// What the wall clock read there.
  package var wall: Instant
  /// Simulation time from which on nothing could take it back: the system may deliver late what it owes.
  package var settled: Instant

  package init(
    type: TypeID, bucket: Bucket, day: CivilDate, device: UInt8, wall: Instant, settled: Instant
  ) {
    self.type = type
    self.bucket = bucket
    self.day = day
    self.device = device
    self.wall = wall
    self.settled = settled
  }
}

/// That a device was told of a delivery on another one.
package struct DeliveryNews: Hashable, Sendable {
  /// The one that was told, and the one that has shown it.
  package var device: UInt8
  package var by: UInt8
  /// What the wall clock read where it was shown.
  package var shown: Instant
  package var type: TypeID
  package var bucket: Bucket

  package init(device: UInt8, by: UInt8, shown: Instant, type: TypeID, bucket: Bucket) {
    self.device = device
    self.by = by
    self.shown = shown
    self.type = type
    self.bucket = bucket
  }

  init(of delivery: CountedDelivery, to device: UInt8) {
    self.init(
      device: device, by: delivery.device, shown: delivery.wall, type: delivery.type, bucket: delivery.bucket)
  }
}
