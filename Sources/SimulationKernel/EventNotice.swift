public import TriggerModel

/// An event that its list has given out: when it happens, and what.
public struct EventNotice<Payload: BitwiseCopyable & Sendable>: Sendable, BitwiseCopyable {
  /// When it happens, in simulation time.
  public var time: Instant
  /// 0 comes first among the events of one instant.
  public var priority: UInt8
  /// What happens; the list keeps its bytes and never looks at them.
  public var payload: Payload

  /// A notice that no list has given out, to compare one with.
  @inlinable
  public init(time: Instant, priority: UInt8, payload: Payload) {
    self.time = time
    self.priority = priority
    self.payload = payload
  }
}

extension EventNotice: Equatable where Payload: Equatable {}

/// Names one pending event of a list, and of every copy of that list made while it is pending.
///
/// Once the event was given out, cancelled or rescheduled the handle is stale; the list recognises
/// that, however often the memory behind it has been used again.
public struct EventHandle: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline
  var slot: UInt32
  /// The slot's generation when the handle was made, 24 bits, above the event's priority.
  @usableFromInline
  var tag: UInt32

  @usableFromInline
  init(slot: UInt32, tag: UInt32) {
    self.slot = slot
    self.tag = tag
  }
}
