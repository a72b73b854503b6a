import DeviceSimulation
import Journal
import Recordings
import ScenarioModel
import TextFormats
import TriggerModel

/// Reads the events of a recording in the wire format.
struct RecordedEvents: Sendable {
  private var lines: LineStream
  private let form: WireForm
  private let names: WireNames
  private let facts: [FactDeclaration]
  private let shift: TimeSpan
  private let position: SourcePosition

  /// - Parameters:
  ///   - lines: The lines, starting at the first one. An earlier pass has verified their order.
  ///   - shift: The span that is added to the time of each event.
  init(
    _ lines: LineStream, of reference: RecordingReference, in scenario: Scenario, _ names: WireNames,
    movedBy shift: TimeSpan
  ) {
    self.lines = lines
    form = Self.form(of: reference, in: scenario)
    self.names = names
    facts = scenario.facts
    self.shift = shift
    position = reference.position
  }

  /// Returns the format of the lines. A line may omit the parts of its stamp that do not affect the event.
  static func form(of reference: RecordingReference, in scenario: Scenario) -> WireForm {
    .timeLine(
      RecordStamp(
        device: reference.device, instant: scenario.start,
        moment: Moment(
          wall: scenario.start, uptime: Uptime(boot: 0, span: .zero), zone: scenario.zone)))
  }

  /// Returns the event in a record, shifted in time, or `nil` if the record contains no event.
  static func event(
    _ record: JournalRecord, movedBy shift: TimeSpan, _ facts: [FactDeclaration], _ position: SourcePosition
  ) -> ProgramEvent? {
    guard case .happened(let event) = record.body else { return nil }
    return ProgramEvent(
      instant: record.instant + shift, event: event.moved(by: shift, facts), device: record.stamp.device,
      position: position)
  }

  /// Replaces the contents of a buffer with the next events. Leaves the buffer empty after the last event.
  mutating func takeBlock(into events: inout [ProgramEvent]) throws(RecordingError) {
    var reader = JournalReader(names)
    while events.isEmpty {
      let isThere = try EventStreamReader.readEvents(from: &lines) { (scanner) throws(ScanProblem) in
        let record = try reader.recorded(&scanner, as: form)
        if let event = Self.event(record, movedBy: shift, facts, position) { events.append(event) }
      }
      if !isThere { return }
    }
  }
}

extension JournalReader {
  /// Reads one line of a recording.
  mutating func recorded(_ scanner: inout NDJSONScanner, as form: WireForm) throws(ScanProblem)
    -> JournalRecord
  {
    do throws(WireProblem) {
      return try read(&scanner, as: form)
    } catch {
      throw error.scanProblem
    }
  }
}

extension PhoneEvent {
  /// Returns the event with every instant in it shifted.
  fileprivate func moved(by shift: TimeSpan, _ facts: [FactDeclaration]) -> PhoneEvent {
    func moved(_ fix: Fix) -> Fix {
      Fix(instant: fix.instant + shift, coordinate: fix.coordinate, accuracy: fix.accuracy)
    }
    switch self {
    case .fix(let fix): return .fix(moved(fix))
    case .found(let fix): return .found(moved(fix))
    case .snoozeUntil(let reminder, let until): return .snoozeUntil(reminder, until + shift)
    case .fact(let fact, let value) where facts[fact.index].kind == .instant && !value.isMissing:
      return .fact(fact, .instant(Instant(millisecondsSince1970: value.bits) + shift))
    default: return self
    }
  }
}
