public import TriggerModel

/// The memory that a list shares with its copies, independent of the payload's type.
///
/// A list changes its store only while no other list refers to it. This rule makes the sharing safe.
@usableFromInline
final class EventStore: @unchecked Sendable {
  // The rule above guarantees exclusive access, and no change calls code outside this module.
  @exclusivity(unchecked) private var queue: EventQueue

  /// The time of the event that was returned last.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) var now: Instant

  let copies: Int

  @usableFromInline
  init(payloadSize: Int, now: Instant) {
    copies = 0
    self.now = now
    queue = EventQueue(payloadSize: payloadSize, clock: EventKey.limit(now))
  }

  private init(copying other: EventStore) {
    copies = other.copies + 1
    now = other.now
    queue = other.queue.copy()
  }

  @usableFromInline
  func copy() -> EventStore { EventStore(copying: self) }

  @usableFromInline
  var count: Int { queue.liveCount }

  // MARK: Payloads of at most 8 bytes

  /// Adds an event that cannot be cancelled.
  @usableFromInline
  func insert(at time: Instant, priority: UInt8, _ payload: UInt64) {
    let record = EventRecord(key: key(time, priority), payload: payload)
    guard let place = queue.quickPlace(for: record.key) else { return queue.insert(record) }
    queue.insert(record, at: place)
  }

  @usableFromInline
  func insertCancellable(at time: Instant, priority: UInt8, _ payload: UInt64) -> EventHandle {
    let key = key(time, priority)
    if let place = queue.quickPlace(for: key), let handle = queue.insertSlot(key, payload, at: place) {
      return handle
    }
    return queue.insertSlot(key, payload)
  }

  /// Removes and returns the next event before a limit.
  @usableFromInline
  func popFirst(before limit: Instant) -> EventNotice<UInt64>? {
    guard let record = queue.quickFirst(before: limit) else { return popSlowly(before: limit) }
    queue.removeQuickFirst(record)
    guard record.hasSlot else { return notice(of: record, record.content) }
    return notice(of: record, queue.slots.free(record.reference.slot))
  }

  @inline(never)
  private func popSlowly(before limit: Instant) -> EventNotice<UInt64>? {
    guard let record = queue.popFirst(before: EventKey.limit(limit)) else { return nil }
    guard record.hasSlot else { return notice(of: record, record.content) }
    let slot = record.reference.slot
    let payload = queue.slots.payload(slot).loadUnaligned(as: UInt64.self)
    queue.release(slot)
    return notice(of: record, payload)
  }

  private func notice<Payload>(of record: EventRecord, _ payload: Payload) -> EventNotice<Payload> {
    now = EventKey.time(record.key)
    return EventNotice(time: now, priority: EventKey.priority(record.key), payload: payload)
  }

  // MARK: Payloads of any size, always in a slot

  /// Adds an event. The caller stores its payload.
  @usableFromInline
  func insertSlot(at time: Instant, priority: UInt8) -> EventHandle {
    queue.insertSlot(key(time, priority), 0)
  }

  /// Removes and returns the next event before a limit, with its slot. The slot keeps the payload until the
  /// slot is released.
  @usableFromInline
  func popFirstSlot(before limit: Instant) -> EventNotice<UInt32>? {
    guard let record = queue.popFirst(before: EventKey.limit(limit)) else { return nil }
    return notice(of: record, record.reference.slot)
  }

  @usableFromInline
  func release(_ slot: UInt32) { queue.release(slot) }

  /// Returns the address of a slot's payload, aligned to 4 bytes and valid until the next insertion.
  @usableFromInline
  func payload(_ slot: UInt32) -> UnsafeMutableRawPointer { queue.slots.payload(slot) }

  // MARK: Pending events

  @usableFromInline
  func reschedule(_ handle: EventHandle, at time: Instant) -> EventHandle? {
    guard queue.slots.isCurrent(handle) else { return nil }
    let key = key(time, UInt8(truncatingIfNeeded: handle.tag))
    guard queue.slots.canRenewInPlace(handle), let place = queue.quickPlace(for: key) else {
      return queue.reschedule(handle, to: key)
    }
    return queue.reschedule(handle, to: key, at: place)
  }

  @usableFromInline
  func isPending(_ handle: EventHandle) -> Bool { queue.slots.isCurrent(handle) }

  @usableFromInline
  func cancel(_ slot: UInt32) { queue.cancel(slot) }

  @usableFromInline
  var firstTime: Instant? {
    let key = queue.firstKey
    return key == EventKey.end ? nil : EventKey.time(key)
  }

  private func key(_ time: Instant, _ priority: UInt8) -> UInt64 {
    guard let key = EventKey.key(time, priority: priority) else {
      preconditionFailure("an event at an instant that means never")
    }
    return key
  }

  var byteCount: Int { queue.byteCount }
  var moves: Int { queue.moves }
  var allocations: Int { queue.allocations }
}
