import DeviceSimulation
import Recordings
import ScenarioModel
import TriggerModel

/// The events of several sources in order of time, at one instant in the order of the sources.
struct EventMerge: Sendable {
  private struct Branch: Sendable {
    private var source: EventSource
    private var block: [ProgramEvent] = []
    private var next = 0

    init(_ source: EventSource) {
      self.source = source
    }

    /// The event that comes next; nil at the end.
    mutating func first() throws(RecordingError) -> ProgramEvent? {
      if next == block.count {
        next = 0
        try source.takeBlock(into: &block)
        if block.isEmpty { return nil }
      }
      return block[next]
    }

    /// - Precondition: There is one.
    mutating func removeFirst() { next += 1 }
  }

  private let range: Range<Instant>
  private var branches: [Branch] = []
  private var order = MergeOrder()
  /// Which taps end by themselves, and how many have come.
  private let ends: TapEnds?
  private var taps = 0
  private var hasBegun = false

  /// - Parameters:
  ///   - range: What lies outside is left out.
  ///   - ends: Nil: nobody asks.
  init(_ sources: [EventSource], in range: Range<Instant>, ends: TapEnds? = nil) {
    self.range = range
    self.ends = ends
    branches = sources.map { Branch($0) }
  }

  /// Takes the events that come next; none are left where there are none.
  ///
  /// - Complexity: O(log n) in the sources for each event
  mutating func takeBlock(into events: inout [ProgramEvent]) throws(RecordingError) {
    events.removeAll(keepingCapacity: true)
    if !hasBegun { try begin() }
    while events.count < EventSource.block, let branch = order.first,
      var event = try branches[branch].first(), event.instant < range.upperBound
    {
      if let ends, case .tap = event.event {
        event.isEndSaid = ends[taps]
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
