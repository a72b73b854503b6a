import DeviceSimulation
import Journal
package import Recordings
import ScenarioModel
import TextFormats
import TriggerModel

/// The lines of an expanded scenario: one event per line, in the wire format.
package struct ExpandedLines: Sendable {
  package var lines: LineStream
  /// The import reports of the original scenario's recordings.
  package var imports: [ImportReport]

  package init(lines: LineStream, imports: [ImportReport]) {
    self.lines = lines
    self.imports = imports
  }
}

/// Writes a program's events, including recorded fixes, in the wire format. The command `expand` prints these
/// lines after a header.
package struct Expansion {
  private let program: Program

  package init(_ program: Program) {
    self.program = program
  }

  /// Passes the lines to a closure in chronological order. Each chunk ends at the end of a line.
  ///
  /// The scenario is not run, so only the time line determines the clock and the zone of each device.
  package func write(to output: ([UInt8]) -> Void) throws(RecordingError) {
    var writer = JournalWriter(program.ownNames)
    var clocks = program.devices.map { _ in (ahead: TimeSpan.zero, zone: program.scenario.zone) }
    var cursor = ProgramCursor(program)
    while let next = cursor.next() {
      let device = Int(next.device)
      writer.happened(
        next.event, at: next.instant, wall: next.instant + clocks[device].ahead, in: clocks[device].zone,
        device: clocks.count > 1 ? next.device : nil, line: UInt32(clamping: next.position.line))
      switch next.event {
      case .setClock(let span): clocks[device].ahead = span
      case .travel(let destination): clocks[device].zone = destination
      default: break
      }
      if writer.bytes.count > 1 << 16 {
        output(writer.bytes)
        writer.removeBytes()
      }
    }
    if let problem = cursor.problem { throw problem }
    if !writer.bytes.isEmpty { output(writer.bytes) }
  }
}
