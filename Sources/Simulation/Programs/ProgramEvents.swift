import DeviceSimulation
package import Recordings
import ScenarioModel
package import TriggerModel

/// The events of a program in chronological order: the expanded time line and the recorded events, without
/// recorded fixes.
///
/// A small number of events is kept in memory. For a larger number, only the sources are kept, and each
/// iteration reads the recordings again.
package struct ProgramEvents: Sequence, Sendable {
  package let count: Int
  private let held: [ProgramEvent]
  /// The merged sources, or `nil` if all events are in memory.
  private let rest: EventMerge?

  /// - Parameter events: The events in chronological order.
  package init(_ events: [ProgramEvent]) {
    count = events.count
    held = events
    rest = nil
  }

  init(_ merge: EventMerge, count: Int) {
    self.count = count
    held = []
    rest = merge
  }

  package func makeIterator() -> EventCursor { EventCursor(held, rest) }
}

/// A position in the events of a program. A copy continues from the same position.
package struct EventCursor: IteratorProtocol, Sendable {
  private var block: [ProgramEvent]
  /// The index of the next event in the block.
  private var position = 0
  private var rest: EventMerge?
  /// The error that stopped reading, or `nil` if there was none. No events follow it.
  package private(set) var problem: RecordingError?

  init(_ block: [ProgramEvent], _ rest: EventMerge?) {
    self.block = block
    self.rest = rest
    if block.isEmpty { readOn() }
  }

  /// The instant of the next event.
  @inline(__always)
  package var nextInstant: Instant {
    position < block.count ? block[position].instant : .distantFuture
  }

  package mutating func next() -> ProgramEvent? {
    guard position < block.count else { return nil }
    let event = block[position]
    position += 1
    if position == block.count { readOn() }
    return event
  }

  private mutating func readOn() {
    guard rest != nil else { return }
    position = 0
    do throws(RecordingError) {
      try rest?.takeBlock(into: &block)
    } catch {
      problem = error
      block = []
    }
    if block.isEmpty { rest = nil }
  }
}

extension EventCursor: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    var isHeld = rest == nil && problem == nil && !block.isEmpty
    parcel.carry(&isHeld)
    // Recordings are read in blocks, which cannot be packed.
    if isHeld { parcel.carry(&position) } else { parcel.keep(&self) }
  }
}

/// Merges the events of several sources in chronological order. Events at equal instants keep the order of
/// the sources.
struct EventMerge: Sendable {
  private struct Branch: Sendable {
    private var source: EventSource
    private var block: [ProgramEvent] = []
    private var next = 0

    init(_ source: EventSource) {
      self.source = source
    }

    /// Returns the next event, or `nil` at the end.
    mutating func first() throws(RecordingError) -> ProgramEvent? {
      if next == block.count {
        next = 0
        try source.takeBlock(into: &block)
        if block.isEmpty { return nil }
      }
      return block[next]
    }

    /// - Precondition: There is a next event.
    mutating func removeFirst() { next += 1 }
  }

  private let range: Range<Instant>
  private var branches: [Branch] = []
  private var order = MergeOrder()
  /// The taps whose sessions have a declared end, and the number of taps so far.
  private let ends: TapEnds?
  private var taps = 0
  private var hasBegun = false

  /// - Parameters:
  ///   - range: The range of instants whose events are kept.
  ///   - ends: The taps whose sessions have a declared end, or `nil` if the taps are marked elsewhere.
  init(_ sources: [EventSource], in range: Range<Instant>, ends: TapEnds? = nil) {
    self.range = range
    self.ends = ends
    branches = sources.map { Branch($0) }
  }

  /// Replaces the contents of a buffer with the next events. Leaves the buffer empty after the last event.
  ///
  /// - Complexity: O(log n) in the number of sources for each event.
  mutating func takeBlock(into events: inout [ProgramEvent]) throws(RecordingError) {
    events.removeAll(keepingCapacity: true)
    if !hasBegun { try begin() }
    while events.count < EventSource.block, let branch = order.first,
      var event = try branches[branch].first(), event.instant < range.upperBound
    {
      if let ends, case .tap = event.event {
        event.hasDeclaredEnd = ends[taps]
        taps += 1
      }
      events.append(event)
      branches[branch].removeFirst()
      if let next = try branches[branch].first() {
        order.moveFirst(to: next.instant, rank: branch)
      } else {
        order.removeFirst()
      }
    }
  }

  private mutating func begin() throws(RecordingError) {
    hasBegun = true
    for branch in branches.indices {
      while let next = try branches[branch].first() {
        if next.instant >= range.lowerBound {
          order.insert(branch, at: next.instant, rank: branch)
          break
        }
        branches[branch].removeFirst()
      }
    }
  }
}

/// A source of events in chronological order. The events of a `held` source are in memory. The other sources
/// are read or expanded in blocks.
enum EventSource: Sendable {
  case held([ProgramEvent])
  case timeline(TimelineStream)
  case lines(RecordedEvents)

  /// The number of events per block.
  static let block = 1_024

  /// Replaces the contents of a buffer with the next events. Leaves the buffer empty after the last event.
  mutating func takeBlock(into events: inout [ProgramEvent]) throws(RecordingError) {
    switch self {
    case .held(let all):
      events = all
      self = .held([])
    case .timeline(var stream):
      // Release the stored stream first, so that changing the stream does not copy it.
      self = .held([])
      events.removeAll(keepingCapacity: true)
      while events.count < Self.block, let event = stream.next() { events.append(ProgramEvent(event)) }
      self = .timeline(stream)
    case .lines(var lines):
      self = .held([])
      events.removeAll(keepingCapacity: true)
      try lines.takeBlock(into: &events)
      self = .lines(lines)
    }
  }
}

extension ProgramEvent {
  init(_ event: TimelineEvent) {
    self.init(instant: event.instant, event: event.event, device: event.device, position: event.position)
  }
}
