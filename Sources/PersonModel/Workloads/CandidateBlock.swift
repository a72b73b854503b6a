/// Something that a person might be notified of.
public struct Candidate: Hashable, Sendable, BitwiseCopyable {
  /// Since the first midnight in UTC.
  public var seconds: Int64
  /// The how-manieth event of the person it is, from 0.
  public var event: UInt32
  /// The critical one comes after the standard ones.
  public var type: UInt8
  public var isCritical: Bool
}

/// The candidates among some events that follow each other; to be used again and again, in the same memory.
public struct CandidateBlock: Sendable {
  /// Events that are looked at together.
  static let size = 64
  @usableFromInline
  private(set) var storage: [Candidate]
  public private(set) var count = 0

  public init() {
    storage = Array(
      repeating: Candidate(seconds: 0, event: 0, type: 0, isCritical: false), count: Self.size)
  }

  /// In order of time.
  @inlinable
  public subscript(index: Int) -> Candidate { storage[index] }

  mutating func fill(_ body: (UnsafeMutableBufferPointer<Candidate>) -> Int) {
    count = storage.withUnsafeMutableBufferPointer { body($0) }
  }
}
