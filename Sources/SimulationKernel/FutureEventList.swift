public import TriggerModel

/// The event notices of one timeline in the order of time, priority and insertion, with the simulation clock
/// that they advance.
///
/// The order is total and exact. At one instant, the event with the smaller priority number is first. Events
/// of equal priority are in the order in which they were scheduled or last rescheduled. The insertion order
/// follows from the storage, so there is no counter that could overflow.
///
/// A list is a value. A copy shares memory with the original until either of them changes. It continues
/// exactly as the original would, and a handle is valid in both.
///
/// A list keeps up to 64 events in one sorted array, which suffices for a single phone. It keeps more events
/// in a monotone radix queue, in which the cost per event hardly depends on the number of events.
///
/// In that queue, a non-cancellable event with a payload of at most 8 bytes takes 13 bytes. Every other event
/// takes 8 bytes in the queue and a slot in a table. A slot takes the size of the payload, but at least 8
/// bytes, plus 2 bytes, or 3 after a slot was used about 65,000 times. The number of slots is the largest
/// number of such events that were pending at the same time. An event more than seven weeks ahead takes one
/// to three additional bytes.
///
/// In lists of 10,000 or more events, a cancellable event takes at most 32 bytes, including stale records
/// that have not been removed yet. At most 33,554,432 events with a slot can be pending. A list of steady
/// size allocates nothing. A shrinking list frees the memory of its queue, but keeps the table of slots.
public struct FutureEventList<Payload: BitwiseCopyable & Sendable>: Sendable {
  /// The initial time of the clock.
  @usableFromInline
  var start: Instant
  /// The storage, or `nil` until the first event is scheduled.
  @usableFromInline
  var store: EventStore?

  /// The simulation clock: the time of the last returned event.
  @inlinable
  public var now: Instant { store?.now ?? start }

  /// Creates an empty list without allocating memory.
  ///
  /// - Parameter now: The initial time of the clock. Events cannot be scheduled before it.
  @inlinable
  public init(now: Instant) {
    start = now
  }

  /// The number of pending events.
  @inlinable
  public var count: Int { store?.count ?? 0 }

  /// Whether no event is pending.
  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// Makes several changes with a single check for whether another list shares the memory.
  ///
  /// Use this method in loops that take events and schedule or postpone others.
  ///
  /// - Returns: The result of `body`.
  @inlinable
  public mutating func change<Result>(_ body: (borrowing Changes) -> Result) -> Result {
    if !isKnownUniquelyReferenced(&store) { makeUnique() }
    return body(Changes(store: Unmanaged.passUnretained(store.unsafelyUnwrapped)))
  }

  @usableFromInline
  mutating func makeUnique() {
    store = store?.copy() ?? EventStore(payloadSize: MemoryLayout<Payload>.size, now: start)
  }

  /// Adds an event that cannot be cancelled, after the events with the same time and priority.
  ///
  /// Traps if `time` is before the clock, or more than half a million years after 1970, for example
  /// `.distantFuture`.
  ///
  /// - Parameters:
  ///   - time: The simulation time of the event.
  ///   - priority: The order among the events of one instant. 0 is first.
  ///   - payload: The content of the event.
  /// - Complexity: Amortised O(1) in the number of pending events. A record is moved at most nine times.
  @inlinable
  public mutating func schedule(at time: Instant, priority: UInt8 = 0, _ payload: Payload) {
    change { $0.schedule(at: time, priority: priority, payload) }
  }

  /// Adds an event as ``schedule(at:priority:_:)`` does, and returns a handle for cancelling or rescheduling
  /// it. A cancellable event takes more memory and time.
  ///
  /// - Complexity: Amortised O(1)
  @inlinable
  public mutating func scheduleCancellable(
    at time: Instant, priority: UInt8 = 0, _ payload: Payload
  ) -> EventHandle {
    change { $0.scheduleCancellable(at: time, priority: priority, payload) }
  }

  /// Removes an event.
  ///
  /// - Returns: Whether the event was pending. A handle becomes stale when its event is returned, cancelled
  ///   or rescheduled.
  /// - Complexity: Amortised O(1)
  @inlinable
  @discardableResult
  public mutating func cancel(_ handle: EventHandle) -> Bool {
    isPending(handle) && change { $0.cancel(handle) }
  }

  /// Moves an event to another time, after the events with the same time and priority. The event keeps its
  /// priority and payload.
  ///
  /// - Returns: The event's new handle, or `nil` if the handle was stale.
  /// - Complexity: Amortised O(1)
  @inlinable
  @discardableResult
  public mutating func reschedule(_ handle: EventHandle, at time: Instant) -> EventHandle? {
    store == nil ? nil : change { $0.reschedule(handle, at: time) }
  }

  /// Returns whether the handle's event is pending: not returned, cancelled or rescheduled.
  @inlinable
  public func isPending(_ handle: EventHandle) -> Bool {
    store?.isPending(handle) ?? false
  }

  /// The payload of a pending event, or `nil` if the handle is stale.
  @inlinable
  public subscript(handle: EventHandle) -> Payload? {
    guard let store, store.isPending(handle) else { return nil }
    return store.payload(handle.slot).loadUnaligned(as: Payload.self)
  }

  /// The time of the next event, or `nil` if none is pending.
  ///
  /// - Complexity: O(1) up to 64 events. In a larger list, the getter may examine all events of the next
  ///   bucket. To merge a list with another source, use ``popNext(before:)``, which remembers the result.
  @inlinable
  public var peekTime: Instant? { store?.firstTime }

  /// Removes and returns the next event, and advances the clock to it. Returns `nil` if none is pending.
  ///
  /// - Complexity: Amortised O(1)
  @inlinable
  public mutating func popNext() -> EventNotice<Payload>? {
    popNext(before: Instant(millisecondsSince1970: .max))
  }

  /// Removes and returns the next event if it is earlier than `limit`, and advances the clock to it.
  /// Otherwise returns `nil`, and the clock does not change.
  ///
  /// - Complexity: Amortised O(1)
  @inlinable
  public mutating func popNext(before limit: Instant) -> EventNotice<Payload>? {
    store == nil ? nil : change { $0.popNext(before: limit) }
  }
}

extension FutureEventList {
  /// The number of bytes allocated for records, buckets and the table of slots.
  package var byteCount: Int { store?.byteCount ?? 0 }

  /// The number of times that a record was put into a bucket, as an exact measure of the work done.
  package var moves: Int { store?.moves ?? 0 }

  /// The number of times that the shared memory was copied.
  package var copies: Int { store?.copies ?? 0 }

  /// The number of allocations for records.
  package var allocations: Int { store?.allocations ?? 0 }
}

extension FutureEventList {
  /// A list during a change. No copy shares its memory. See ``FutureEventList/change(_:)``.
  public struct Changes: ~Copyable {
    /// The list's store. The list keeps it alive while this value exists. The reference is unmanaged, because
    /// reference counting would cost as much as the change itself.
    @usableFromInline
    let store: Unmanaged<EventStore>

    @inlinable
    init(store: Unmanaged<EventStore>) {
      self.store = store
    }

    /// The simulation clock: the time of the event that was returned last.
    @inlinable
    public var now: Instant { store._withUnsafeGuaranteedRef { $0.now } }

    /// See ``FutureEventList/schedule(at:priority:_:)``.
    @inlinable
    public func schedule(at time: Instant, priority: UInt8 = 0, _ payload: Payload) {
      precondition(time >= now, "an event in the past")
      guard Self.isSmall else {
        insertSlot(at: time, priority: priority, payload)
        return
      }
      store._withUnsafeGuaranteedRef { $0.insert(at: time, priority: priority, Self.bits(payload)) }
    }

    /// See ``FutureEventList/scheduleCancellable(at:priority:_:)``.
    @inlinable
    public func scheduleCancellable(
      at time: Instant, priority: UInt8 = 0, _ payload: Payload
    ) -> EventHandle {
      precondition(time >= now, "an event in the past")
      guard Self.isSmall else { return insertSlot(at: time, priority: priority, payload) }
      return store._withUnsafeGuaranteedRef {
        $0.insertCancellable(at: time, priority: priority, Self.bits(payload))
      }
    }

    @inlinable
    @discardableResult
    func insertSlot(at time: Instant, priority: UInt8, _ payload: Payload) -> EventHandle {
      store._withUnsafeGuaranteedRef { store in
        let handle = store.insertSlot(at: time, priority: priority)
        store.payload(handle.slot).storeBytes(of: payload, as: Payload.self)
        return handle
      }
    }

    /// See ``FutureEventList/cancel(_:)``.
    @inlinable
    @discardableResult
    public func cancel(_ handle: EventHandle) -> Bool {
      store._withUnsafeGuaranteedRef { store in
        guard store.isPending(handle) else { return false }
        store.cancel(handle.slot)
        return true
      }
    }

    /// See ``FutureEventList/reschedule(_:at:)``.
    @inlinable
    @discardableResult
    public func reschedule(_ handle: EventHandle, at time: Instant) -> EventHandle? {
      precondition(time >= now, "an event in the past")
      return store._withUnsafeGuaranteedRef { $0.reschedule(handle, at: time) }
    }

    /// See ``FutureEventList/popNext()``.
    @inlinable
    public func popNext() -> EventNotice<Payload>? {
      popNext(before: Instant(millisecondsSince1970: .max))
    }

    /// See ``FutureEventList/popNext(before:)``.
    @inlinable
    public func popNext(before limit: Instant) -> EventNotice<Payload>? {
      store._withUnsafeGuaranteedRef { store -> EventNotice<Payload>? in
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
    }

    /// Whether a payload fits into a record instead of a slot.
    @inlinable
    static var isSmall: Bool { MemoryLayout<Payload>.size <= MemoryLayout<UInt64>.size }

    /// Returns a small payload as the bits of a record.
    @inlinable
    static func bits(_ payload: Payload) -> UInt64 {
      var bits: UInt64 = 0
      withUnsafeMutableBytes(of: &bits) { $0.storeBytes(of: payload, as: Payload.self) }
      return bits
    }

    /// Returns the small payload that the bits of a record contain.
    @inlinable
    static func payload(_ bits: UInt64) -> Payload {
      withUnsafeBytes(of: bits) { $0.loadUnaligned(as: Payload.self) }
    }
  }
}

/// Packs the pending events in order. All handles become invalid.
extension FutureEventList: Packable {
  /// - Complexity: O(*n*)
  package mutating func pack(in parcel: inout Parcel) {
    var notices: [EventNotice<Payload>] = []
    var clock = now
    parcel.carry(&clock)
    if !parcel.isUnpacking {
      while let notice = popNext() { notices.append(notice) }
    }
    parcel.carry(&notices)
    if !parcel.isUnpacking { return }
    (start, store) = (clock, nil)
    for notice in notices { schedule(at: notice.time, priority: notice.priority, notice.payload) }
  }
}

/// An event that a list returned: its time, priority and payload.
public struct EventNotice<Payload: BitwiseCopyable & Sendable>: Sendable, BitwiseCopyable {
  /// The simulation time of the event.
  public var time: Instant
  /// The priority. 0 is first among the events of one instant.
  public var priority: UInt8
  /// The content of the event. The list stores its bytes and does not interpret them.
  public var payload: Payload

  /// Creates a notice, for example to compare it with one from a list.
  @inlinable
  public init(time: Instant, priority: UInt8, payload: Payload) {
    self.time = time
    self.priority = priority
    self.payload = payload
  }
}

extension EventNotice: Equatable where Payload: Equatable {}

/// An identifier of one pending event in a list and in all copies that are made while the event is pending.
///
/// The handle becomes stale when its event is returned, cancelled or rescheduled. The list recognises a stale
/// handle even if it has reused the event's memory.
public struct EventHandle: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline
  var slot: UInt32
  /// The slot's generation when the handle was created (24 bits). The event's priority is in the lowest 8
  /// bits.
  @usableFromInline
  var tag: UInt32

  @usableFromInline
  init(slot: UInt32, tag: UInt32) {
    self.slot = slot
    self.tag = tag
  }
}
