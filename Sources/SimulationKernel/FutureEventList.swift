public import TriggerModel

/// The event notices of one time line, given out in the order (time, priority, insertion), and the
/// simulation clock that they drive.
///
/// The order is total and exact: of two events at one instant the one with the smaller priority comes
/// first, and of two with the same priority the one that was scheduled, or last rescheduled, first.
/// Insertion order follows from where a notice is kept; no counter exists that could wrap.
///
/// A list is a value. A copy shares memory with the original until either changes and then continues
/// exactly as the original would, handles included.
///
/// Up to 64 events are kept in one sorted array, which is what a single phone needs. More go into a
/// monotone radix queue, whose cost per event hardly depends on how many there are.
///
/// An event that nobody can cancel is 13 bytes in that queue, if its payload takes at most 8. What can
/// be cancelled, and a larger payload, is 8 bytes there and lies in a slot of a table beside it: two
/// bytes (three, once some slot was used 65,000 times) and the payload, 8 bytes at least, for each such event
/// that was ever pending at once. Events more than seven weeks ahead are one to three bytes more. From 10,000
/// events up, one that can be cancelled takes at most 32 bytes in all, with what cancelled ones leave behind
/// for a while. At most 33,554,432 of these can be pending. In its steady state a list allocates nothing; when
/// it shrinks it gives the memory of its queue back, but keeps the table.
public struct FutureEventList<Payload: BitwiseCopyable & Sendable>: Sendable {
  /// The simulation clock: the time of the event that was given out last.
  @inlinable
  public var now: Instant { clock }

  @usableFromInline
  var clock: Instant
  /// Nil as long as nothing was scheduled.
  @usableFromInline
  var store: EventStore?

  /// An empty list, which takes no memory of its own.
  ///
  /// - Parameter now: where the clock starts; nothing can be scheduled before it.
  @inlinable
  public init(now: Instant) {
    clock = now
  }

  /// The number of events that are pending.
  @inlinable
  public var count: Int { store?.count ?? 0 }

  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// Adds an event behind those of the same time and priority. Nobody can cancel it.
  ///
  /// Traps if `time` is before the clock, or later than half a million years from now, which only
  /// instants that stand for "never" are.
  ///
  /// - Parameter priority: 0 comes first among the events of one instant.
  /// - Complexity: amortised O(1) in the number of pending events: a record is moved at most nine times.
  @inlinable
  public mutating func schedule(at time: Instant, priority: UInt8 = 0, _ payload: Payload) {
    precondition(time >= now, "an event in the past")
    guard Self.isSmall else {
      insertSlot(at: time, priority: priority, payload)
      return
    }
    withUniqueStore { $0.insert(at: time, priority: priority, Self.bits(payload)) }
  }

  /// Adds an event as ``schedule(at:priority:_:)`` does, and names it, so that it can be cancelled and
  /// rescheduled. It costs more memory and time than one that cannot.
  ///
  /// - Complexity: amortised O(1)
  @inlinable
  public mutating func scheduleCancellable(
    at time: Instant, priority: UInt8 = 0, _ payload: Payload
  ) -> EventHandle {
    precondition(time >= now, "an event in the past")
    guard Self.isSmall else { return insertSlot(at: time, priority: priority, payload) }
    return withUniqueStore {
      $0.insertCancellable(at: time, priority: priority, Self.bits(payload))
    }
  }

  @inlinable
  @discardableResult
  mutating func insertSlot(at time: Instant, priority: UInt8, _ payload: Payload) -> EventHandle {
    withUniqueStore { store in
      let handle = store.insertSlot(at: time, priority: priority)
      store.payload(handle.slot).storeBytes(of: payload, as: Payload.self)
      return handle
    }
  }

  /// Removes an event.
  ///
  /// - Returns: false if the handle is stale: the event was given out, cancelled or rescheduled.
  /// - Complexity: amortised O(1)
  @inlinable
  @discardableResult
  public mutating func cancel(_ handle: EventHandle) -> Bool {
    guard isPending(handle) else { return false }
    withUniqueStore { $0.cancel(handle.slot) }
    return true
  }

  /// Moves an event to another time, behind those of the same time and priority. Its priority and
  /// payload stay.
  ///
  /// - Returns: the event's new handle; nil if the handle was stale.
  /// - Complexity: amortised O(1)
  @inlinable
  @discardableResult
  public mutating func reschedule(_ handle: EventHandle, at time: Instant) -> EventHandle? {
    guard store != nil else { return nil }
    precondition(time >= now, "an event in the past")
    return withUniqueStore { $0.reschedule(handle, at: time) }
  }

  /// Whether the handle's event has not yet been given out, cancelled or rescheduled.
  @inlinable
  public func isPending(_ handle: EventHandle) -> Bool {
    store?.isPending(handle) ?? false
  }

  /// The payload of a pending event; nil if the handle is stale.
  @inlinable
  public subscript(handle: EventHandle) -> Payload? {
    guard let store, store.isPending(handle) else { return nil }
    return store.payload(handle.slot).loadUnaligned(as: Payload.self)
  }

  /// The time of the next event.
  ///
  /// - Complexity: O(1) up to 64 events. In a larger list it may look at all events of the next
  ///   bucket; a loop that merges a list with something else uses ``popNext(before:)``, which remembers.
  @inlinable
  public var peekTime: Instant? { store?.firstTime }

  /// Gives out the next event and moves the clock to it.
  ///
  /// - Complexity: amortised O(1)
  @inlinable
  public mutating func popNext() -> EventNotice<Payload>? {
    popNext(before: Instant(millisecondsSince1970: .max))
  }

  /// Gives out the next event if it is earlier than `limit`, and moves the clock to it. Otherwise the
  /// clock stays where it is.
  ///
  /// - Complexity: amortised O(1)
  @inlinable
  public mutating func popNext(before limit: Instant) -> EventNotice<Payload>? {
    guard store != nil else { return nil }
    let notice = withUniqueStore { store -> EventNotice<Payload>? in
      if Self.isSmall {
        guard let first = store.popFirst(before: limit) else { return nil }
        return EventNotice(
          time: first.time, priority: first.priority, payload: Self.payload(first.payload))
      }
      guard let first = store.popFirstSlot(before: limit) else { return nil }
      let payload = store.payload(first.payload).loadUnaligned(as: Payload.self)
      store.release(first.payload)
      return EventNotice(time: first.time, priority: first.priority, payload: payload)
    }
    if let notice { clock = notice.time }
    return notice
  }

  /// Whether a payload fits into a record.
  @inlinable
  static var isSmall: Bool { MemoryLayout<Payload>.size <= MemoryLayout<UInt64>.size }

  /// A small payload as it lies in a record.
  @inlinable
  static func bits(_ payload: Payload) -> UInt64 {
    var bits: UInt64 = 0
    withUnsafeMutableBytes(of: &bits) { $0.storeBytes(of: payload, as: Payload.self) }
    return bits
  }

  /// The small payload that lies in a record.
  @inlinable
  static func payload(_ bits: UInt64) -> Payload {
    withUnsafeBytes(of: bits) { $0.loadUnaligned(as: Payload.self) }
  }

  /// Gives `body` the store, which nobody else refers to.
  ///
  /// The reference is not counted: the list itself keeps the store alive, and counting would cost as
  /// much as the rest. The caller must not hold a reference of its own, or a copy would be made.
  @inlinable
  mutating func withUniqueStore<Result>(_ body: (EventStore) -> Result) -> Result {
    if !isKnownUniquelyReferenced(&store) { makeUnique() }
    return Unmanaged.passUnretained(store.unsafelyUnwrapped)._withUnsafeGuaranteedRef(body)
  }

  @usableFromInline
  mutating func makeUnique() {
    store = store?.copy() ?? EventStore(payloadSize: MemoryLayout<Payload>.size, now: now)
  }
}

extension FutureEventList {
  /// Bytes of memory behind the list, used or not: records, buckets and the table of slots.
  package var byteCount: Int { store?.byteCount ?? 0 }

  /// How often a record was put into a bucket, ever: a measure of work that no clock disturbs.
  package var moves: Int { store?.moves ?? 0 }

  /// How often a copy had to be made because the memory was shared.
  package var copies: Int { store?.copies ?? 0 }

  /// How often memory for records was asked for, ever.
  package var allocations: Int { store?.allocations ?? 0 }
}
