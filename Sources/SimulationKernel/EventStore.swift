public import TriggerModel

/// The shared memory of a list and its copies, without the payload's type.
///
/// A list changes its store only while it is the only one that refers to it; that, and nothing else,
/// makes sharing safe.
@usableFromInline
final class EventStore: @unchecked Sendable {
  // Unique by the rule above, and no call leaves this module while it is being changed.
  @exclusivity(unchecked) private var queue: EventQueue

  let copies: Int

  @usableFromInline
  init(payloadSize: Int, now: Instant) {
    copies = 0
    queue = EventQueue(payloadSize: payloadSize, clock: EventKey.limit(now))
  }

  private init(copying other: EventStore) {
    copies = other.copies + 1
    queue = other.queue.copy()
  }

  @usableFromInline
  func copy() -> EventStore { EventStore(copying: self) }

  @usableFromInline
  var count: Int { queue.liveCount }

  /// An event whose payload is still to be stored, aligned to 4 bytes.
  @usableFromInline
  struct Inserted {
    @usableFromInline var handle: EventHandle
    @usableFromInline var payload: UnsafeMutableRawPointer

    init(handle: EventHandle, payload: UnsafeMutableRawPointer) {
      self.handle = handle
      self.payload = payload
    }
  }

  @usableFromInline
  func insert(at time: Instant, priority: UInt8) -> Inserted {
    let slot = queue.insert(key(time, priority))
    return Inserted(handle: queue.slots.handle(slot), payload: queue.slots.payload(slot))
  }

  @usableFromInline
  func reschedule(_ slot: UInt32, at time: Instant) -> EventHandle {
    queue.slots.handle(queue.reschedule(slot, to: key(time, queue.slots.priority(slot))))
  }

  private func key(_ time: Instant, _ priority: UInt8) -> UInt64 {
    precondition(
      EventKey.times.contains(time.millisecondsSince1970), "an event at an instant that means never")
    return EventKey.key(time, priority: priority)
  }

  /// Where a slot's payload lies, aligned to 4 bytes, until the next insertion.
  @usableFromInline
  func payload(_ slot: UInt32) -> UnsafeMutableRawPointer { queue.slots.payload(slot) }

  @usableFromInline
  func isPending(_ handle: EventHandle) -> Bool { queue.slots.isCurrent(handle) }

  @usableFromInline
  func cancel(_ slot: UInt32) { queue.cancel(slot) }

  /// An event that was taken out, whose slot still has its payload.
  @usableFromInline
  struct Popped {
    @usableFromInline var time: Instant
    @usableFromInline var priority: UInt8
    @usableFromInline var slot: UInt32
    /// Aligned to 4 bytes.
    @usableFromInline var payload: UnsafeMutableRawPointer

    init(_ record: EventRecord, payload: UnsafeMutableRawPointer) {
      self.payload = payload
      time = EventKey.time(record.key)
      priority = EventKey.priority(record.key)
      slot = record.slot
    }
  }

  @usableFromInline
  func popFirst(before limit: Instant) -> Popped? {
    guard let record = queue.popFirst(before: EventKey.limit(limit)) else { return nil }
    return Popped(record, payload: queue.slots.payload(record.slot))
  }

  @usableFromInline
  func release(_ slot: UInt32) { queue.release(slot) }

  @usableFromInline
  var firstTime: Instant? {
    let key = queue.firstKey
    return key == EventKey.end ? nil : EventKey.time(key)
  }

  var byteCount: Int { queue.byteCount }
  var moves: Int { queue.moves }
  var allocations: Int { queue.allocations }
}
