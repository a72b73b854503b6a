import Recordings
import ScenarioModel

/// Where events of a program come from, in order of time. What is not held is read, or written out, block by block.
enum EventSource: Sendable {
  case held([ProgramEvent])
  case timeline(TimelineStream)
  case lines(RecordedEvents)

  /// Events that are written out at a time.
  static let block = 1_024

  /// Takes the events that come next; none are left where there are none.
  mutating func takeBlock(into events: inout [ProgramEvent]) throws(RecordingError) {
    switch self {
    case .held(let all):
      events = all
      self = .held([])
    case .timeline(var stream):
      // What two own is copied before it is changed.
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
