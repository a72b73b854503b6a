/// Kinds of what really happens.
package struct EventKinds: Hashable, Sendable, BitwiseCopyable {
  /// By the kind's raw value.
  private var bits: UInt64

  package static let all = EventKinds(bits: .max)

  private init(bits: UInt64) { self.bits = bits }

  package init(_ kinds: ObservedEvent.Kind...) {
    bits = kinds.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
  }

  @inline(__always)
  package func contains(_ kind: ObservedEvent.Kind) -> Bool { bits & 1 << UInt64(kind.rawValue) != 0 }

  package func union(_ other: EventKinds) -> EventKinds { EventKinds(bits: bits | other.bits) }
}
