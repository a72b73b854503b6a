import CivilTime
public import Foundation
import Recordings
import ReminderEngine
import ReminderMatching
import TriggerModel

/// `oracle match`: the reminder engine alone, events of the shared workload in, what fired out.
///
/// Times have no zone and are read as UTC.
public struct MatchOracle {
  /// How often a reminder fires: once, or once a day.
  public enum Mode: String, Sendable, CaseIterable {
    /// Ever, or in each day of UTC.
    case once, daily
  }

  private let program: ReminderProgram
  /// The number of each reminder, by its position in the program.
  private let numbers: [UInt32]
  private var engine: ReminderEngine
  private var buffer = MatchBuffer()
  private var lastEvent = Instant.distantPast

  /// Reads reminders, one a line:
  /// `{"id":0,"trigger":{"type":"locationEnter","place":0},"conditions":[{"type":"charging"}]}`.
  ///
  /// - Parameters:
  ///   - data: the lines.
  ///   - file: the name of the file, for messages.
  ///   - mode: how often each of them fires.
  /// - Throws: The first problem, with file, line and column.
  public init(reminders data: Data, file: String, mode: Mode) throws(OracleLineError) {
    var lines = MatchReminders(repeats: mode == .once ? .once : .daily)
    do throws(RecordingError) {
      try NDJSON.forEachLine(data, file: file) { (_, scanner) throws(ScanProblem) in try lines.read(&scanner)
      }
    } catch {
      throw OracleLineError("\(error)")
    }
    // Fires of one event are told in ascending number.
    lines.reminders.sort { $0.number < $1.number }
    numbers = lines.reminders.map(\.number)
    var zones = ZoneTable()
    do {
      program = try ReminderProgram(compiling: lines.reminders.map(\.declaration), names: lines.names)
      let utc = try zones.intern("UTC")
      engine = ReminderEngine(program: program, zones: zones, zone: utc)
    } catch {
      throw OracleLineError("\(file): \(error)")
    }
  }

  /// Plays events, one a line, `{"i":0,"t":"2026-01-05T00:05:17","type":"unlock"}`, and hands over
  /// `{"event":n,"reminder":id}` for each fire, some thousand lines at a time.
  public mutating func answer(
    _ events: Data, file: String, write: (String) -> Void
  ) throws(OracleLineError) {
    var output: [UInt8] = []
    // What fired before a bad line is told all the same.
    defer { write(String(decoding: output, as: UTF8.self)) }
    try play(events, file: file) { event, reminder in
      output += "{\"event\":\(event),\"reminder\":\(reminder)}\n".utf8
      if output.count > 1 << 16 {
        write(String(decoding: output, as: UTF8.self))
        output.removeAll(keepingCapacity: true)
      }
    }
  }

  /// Plays events and answers with `{"fires":n,"hash":"16 hexadecimal digits"}`.
  public mutating func digest(_ events: Data, file: String) throws(OracleLineError) -> String {
    var digest = FireDigest()
    try play(events, file: file) { digest.add(event: $0, reminder: $1) }
    return "{\"fires\":\(digest.fires),\"hash\":\"\(digest.hexadecimal)\"}"
  }

  private mutating func play(
    _ data: Data, file: String, _ fire: (_ event: Int, _ reminder: UInt32) -> Void
  ) throws(OracleLineError) {
    var failure: RecordingError?
    do throws(RecordingError) {
      try NDJSON.forEachLine(data, file: file) { (_, scanner) throws(ScanProblem) in
        let line = try MatchEvent(&scanner)
        guard line.event.moment.wall >= lastEvent else {
          throw ScanProblem(
            .value, offset: 0, "the event is earlier than the one before", remedy: "sort the events by time")
        }
        lastEvent = line.event.moment.wall
        engine.match(line.event, into: &buffer)
        for index in 0..<buffer.count { fire(line.number, numbers[buffer[index].reminder.index]) }
      }
    } catch {
      failure = error
    }
    if let failure { throw OracleLineError("\(failure)") }
  }
}
