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
  /// Where the clock starts.
  @usableFromInline
  var start: Instant
  /// Nil as long as nothing was scheduled.
  @usableFromInline
  var store: EventStore?

  /// The simulation clock: the time of the event that was given out last.
  @inlinable
  public var now: Instant { store?.now ?? start }

  /// An empty list, which takes no memory of its own.
  ///
  /// - Parameter now: where the clock starts; nothing can be scheduled before it.
  @inlinable
  public init(now: Instant) {
    start = now
  }

  /// The number of events that are pending.
  @inlinable
  public var count: Int { store?.count ?? 0 }

  /// Whether no event is pending.
  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// Makes several changes, before which it is found out once whether a copy shares the memory.
  ///
  /// That is how events are played that schedule what follows and put others off: one of them, or a whole run.
  ///
  /// - Returns: what `body` does.
  @inlinable
  public mutating func change<Result>(_ body: (borrowing Changes) -> Result) -> Result {
    if !isKnownUniquelyReferenced(&store) { makeUnique() }
    return body(Changes(store: Unmanaged.passUnretained(store.unsafelyUnwrapped)))
  }

  @usableFromInline
  mutating func makeUnique() {
    store = store?.copy() ?? EventStore(payloadSize: MemoryLayout<Payload>.size, now: start)
  }

  /// Adds an event behind those of the same time and priority. Nobody can cancel it.
  ///
  /// Traps if `time` is before the clock, or later than half a million years from now, which only
  /// instants that stand for "never" are.
  ///
  /// - Parameters:
  ///   - time: In simulation time.
  ///   - priority: 0 comes first among the events of one instant.
  ///   - payload: What happens then.
  /// - Complexity: amortised O(1) in the number of pending events: a record is moved at most nine times.
  @inlinable
  public mutating func schedule(at time: Instant, priority: UInt8 = 0, _ payload: Payload) {
    change { $0.schedule(at: time, priority: priority, payload) }
  }

  /// Adds an event as ``schedule(at:priority:_:)`` does, and names it, so that it can be cancelled and
  /// rescheduled. It costs more memory and time than one that cannot.
  ///
  /// - Complexity: amortised O(1)
  @inlinable
  public mutating func scheduleCancellable(
    at time: Instant, priority: UInt8 = 0, _ payload: Payload
  ) -> EventHandle {
    change { $0.scheduleCancellable(at: time, priority: priority, payload) }
  }

  /// Removes an event.
  ///
  /// - Returns: false if the handle is stale: the event was given out, cancelled or rescheduled.
  /// - Complexity: amortised O(1)
  @inlinable
  @discardableResult
  public mutating func cancel(_ handle: EventHandle) -> Bool {
    isPending(handle) && change { $0.cancel(handle) }
  }

  /// Moves an event to another time, behind those of the same time and priority. Its priority and
  /// payload stay.
  ///
  /// - Returns: the event's new handle; nil if the handle was stale.
  /// - Complexity: amortised O(1)
  @inlinable
  @discardableResult
  public mutating func reschedule(_ handle: EventHandle, at time: Instant) -> EventHandle? {
    store == nil ? nil : change { $0.reschedule(handle, at: time) }
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
    store == nil ? nil : change { $0.popNext(before: limit) }
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
