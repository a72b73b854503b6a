public import TriggerModel

extension FutureEventList {
  /// A list while it is being changed, whose memory no copy shares; see ``FutureEventList/change(_:)``.
  public struct Changes: ~Copyable {
    /// Not counted, which would cost as much as a change: the list, which is being changed as long as this
    /// exists, keeps it alive.
    @usableFromInline
    let store: Unmanaged<EventStore>

    @inlinable
    init(store: Unmanaged<EventStore>) {
      self.store = store
    }

    /// The simulation clock: the time of the event that was given out last.
    @inlinable
    public var now: Instant { store._withUnsafeGuaranteedRef { $0.now } }

    /// As ``FutureEventList/schedule(at:priority:_:)`` does.
    @inlinable
    public func schedule(at time: Instant, priority: UInt8 = 0, _ payload: Payload) {
      precondition(time >= now, "an event in the past")
      guard Self.isSmall else {
        insertSlot(at: time, priority: priority, payload)
        return
      }
      store._withUnsafeGuaranteedRef { $0.insert(at: time, priority: priority, Self.bits(payload)) }
    }

    /// As ``FutureEventList/scheduleCancellable(at:priority:_:)`` does.
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

    /// As ``FutureEventList/cancel(_:)`` does.
    @inlinable
    @discardableResult
    public func cancel(_ handle: EventHandle) -> Bool {
      store._withUnsafeGuaranteedRef { store in
        guard store.isPending(handle) else { return false }
        store.cancel(handle.slot)
        return true
      }
    }

    /// As ``FutureEventList/reschedule(_:at:)`` does.
    @inlinable
    @discardableResult
    public func reschedule(_ handle: EventHandle, at time: Instant) -> EventHandle? {
      precondition(time >= now, "an event in the past")
      return store._withUnsafeGuaranteedRef { $0.reschedule(handle, at: time) }
    }

    /// As ``FutureEventList/popNext()`` does.
    @inlinable
    public func popNext() -> EventNotice<Payload>? {
      popNext(before: Instant(millisecondsSince1970: .max))
    }

    /// As ``FutureEventList/popNext(before:)`` does.
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
  }
}
