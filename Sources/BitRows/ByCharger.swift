/// The same of either state of the charger: while the phone is not charged, and while it is.
public struct ByCharger<Value: BitwiseCopyable & Hashable & Sendable>: Hashable, Sendable, BitwiseCopyable {
  public var idle: Value
  public var charging: Value

  @inlinable
  public init(idle: Value, charging: Value) { (self.idle, self.charging) = (idle, charging) }

  @inlinable @inline(__always)
  public subscript(isCharging: Bool) -> Value {
    get { isCharging ? charging : idle }
    set { if isCharging { charging = newValue } else { idle = newValue } }
  }
}
