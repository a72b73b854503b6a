import Foundation
import Recordings
import Simulation
import TestBench
import Testing
import TriggerModel

@testable import Journal

/// Journal files are written and read.
@Suite struct FileTests {
  private let header = JournalHeader(
    tool: "0.2.0", scenario: "Milk, \"again\"", file: "milk.yaml", seed: .max, profile: "ios",
    engine: "built-in")

  @Test func `a file is written in pieces that end with a whole line, and is read back unchanged`() throws {
    let program = try RoundTripTests.program("every-event.yaml")
    let records = RoundTripTests.journal(of: program)
    var pieces: [[UInt8]] = []
    var sink = JournalFileSink(program.wireNames, header, limit: 4_096) { pieces.append($0) }
    var world = World(program: program, engine: program.makeEngine())
    world.run(into: &sink)
    sink.finish()
    #expect(pieces.count > 10)
    #expect(pieces.allSatisfy { $0.count < 8_192 && $0.last == UInt8(ascii: "\n") })
    #expect(pieces.dropLast().allSatisfy { $0.count >= 4_096 })

    let data = Data(pieces.joined())
    var copies: [JournalRecord] = []
    var lines: [Int] = []
    let first = try JournalFile.read(data, file: "milk.ndjson", names: program.wireNames) {
      copies.append($0)
      lines.append($1)
    }
    #expect(first == header)
    #expect(copies == records)
    #expect(lines == Array(2..<2 + records.count))

    // A file that is truncated at any byte is rejected.
    for end in [2, 40, 400, data.count / 2] {
      let part = data.dropLast(end)
      #expect(throws: RecordingError.self) {
        try JournalFile.read(part, file: "milk.ndjson", names: program.wireNames) { _, _ in }
      }
      // A file that is truncated between two lines is rejected too.
      let end = part.dropLast().lastIndex(of: UInt8(ascii: "\n")) ?? part.endIndex
      #expect(throws: RecordingError.self) {
        try JournalFile.read(Data(part[...end]), file: "milk.ndjson", names: program.wireNames) { _, _ in }
      }
    }
  }

  @Test func `a request is written in full once, and then only its changes`() throws {
    let program = try RoundTripTests.program("every-event.yaml")
    var writer = JournalWriter(program.wireNames)
    for record in RoundTripTests.journal(of: program) { writer.write(record) }
    let text = String(decoding: writer.bytes, as: UTF8.self)
    let lines = text.split(separator: "\n")
    let added = lines.filter { $0.contains("\"event\":\"add\"") }
    #expect(added.count > 5 && added.allSatisfy { !$0.contains("\"bucket\"") })
    let asked = lines.filter { $0.contains("\"event\":\"request\"") }
    #expect(asked.count > 5 && asked.allSatisfy { $0.contains("\"bucket\"") && $0.contains("\"priority\"") })
  }

  @Test(arguments: [
    ("", "x.ndjson: the file is empty; name a journal file"),
    ("{}", #"x.ndjson:1:1: "form" is missing; add it"#),
    (
      #"{"form":"triggerbench.report"}"#,
      #"x.ndjson:1:9: in "form": this is not a journal; its first line must contain "triggerbench.journal""#
    ),
    (
      #"{"form":"triggerbench.journal","version":2}"#,
      "x.ndjson:1:42: in \"version\": version 2 of the wire form is not supported; "
        + "read it with the tool that wrote it, or use version 1"
    ),
    ("H\n\n{}", #"x.ndjson:3:1: "track" is missing; add it"#),
    ("H\nnull", "x.ndjson:2:1: an object was expected, not n; correct the JSON of this line"),
  ])
  func `a problem is reported with its line`(_ text: String, _ message: String) throws {
    var writer = JournalWriter(SampleNames.names)
    writer.write(header)
    let head = String(decoding: writer.bytes.dropLast(), as: UTF8.self)
    let data = Data(text.replacing("H", with: head).utf8)
    let error = #expect(throws: RecordingError.self) {
      try JournalFile.read(data, file: "x.ndjson", names: SampleNames.names) { _, _ in }
    }
    #expect(error?.description == message)
  }

  @Test func `the writer and the reader forget requests at the same line`() throws {
    var writer = JournalWriter(SampleNames.names)
    var reader = JournalReader(SampleNames.names)
    let moment = Moment(
      wall: Instant(millisecondsSince1970: 0), uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
    var bytes = (known: 0, forgotten: 0)
    for occurrence in [0, 1, 0] + Array(2...RequestMemory.limit) + [0] {
      let request = NotificationRequest(
        id: RequestID(reminder: ReminderID(0), occurrence: UInt32(occurrence)), type: TypeID(0),
        bucket: .standard, priority: 1, scheduledFor: moment.wall, deliverAt: moment.wall,
        rank: SampleNames.names.rank(of: ReminderID(0)))
      let record = JournalRecord(
        .effect(.add(request)), RecordStamp(instant: moment.wall, moment: moment))
      writer.removeBytes()
      writer.write(record)
      if occurrence == 0 { bytes = (bytes.forgotten, writer.bytes.count) }
      let copy = try reader.read(Array(writer.bytes.dropLast()))
      if copy != record { Issue.record("occurrence \(occurrence)") }
    }
    #expect(bytes.known < bytes.forgotten, "the last line contains all fields again")
  }
}
