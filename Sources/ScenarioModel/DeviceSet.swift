/// Some of a scenario's devices.
package struct DeviceSet: OptionSet, Hashable, Sendable {
  /// Bit *d* stands for device *d*; the phone is device 0.
  package var rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// - Parameter device: Up to 15.
  package init(device: UInt8) { rawValue = 1 << device }

  package mutating func insert(device: UInt8) { rawValue |= 1 << device }

  package func contains(device: UInt8) -> Bool { rawValue >> device & 1 != 0 }

  /// The number of a device that is not among them, where these are left out.
  package func number(without device: UInt8) -> UInt8 {
    device - UInt8((rawValue & (1 << device - 1)).nonzeroBitCount)
  }
}
