import DeviceSimulation
import Foundation
import Simulation
import TestBench
import TestSupport
import Testing
import TriggerModel

@testable import Journal

/// Written records are read back unchanged.
@Suite struct RoundTripTests {
  private static let scenarios = Repository.scenarios

  static func shipped() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scenarios.path).filter { $0.hasSuffix(".yaml") }
      .sorted()
  }

  static func program(_ file: String, profile: String? = nil) throws -> Program {
    var options = Suite.Options()
    options.profile = profile
    let path = scenarios.appendingPathComponent(file).path
    guard case .program(let program, _) = ProgramLoader(options: options).load(path) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return program
  }

  static func journal(of program: Program) -> [JournalRecord] {
    var sink = RecordingSink()
    var world = World(program: program, engine: program.makeEngine())
    world.run(into: &sink)
    return sink.records
  }

  /// Writes and reads each record, and compares the result with the original.
  private func check(_ records: [JournalRecord], _ names: WireNames) throws {
    var writer = JournalWriter(names)
    var reader = JournalReader(names)
    for record in records {
      writer.removeBytes()
      writer.write(record)
      let line = Array(writer.bytes.dropLast())
      do {
        let copy = try reader.read(line)
        #expect(copy == record, "\(String(decoding: line, as: UTF8.self))")
        if copy != record { return }
      } catch {
        Issue.record("\(error)\n\(String(decoding: line, as: UTF8.self))")
        return
      }
    }
  }

  @Test(arguments: try shipped(), [nil, "android"])
  func `every record of a shipped scenario is read back unchanged`(_ file: String, profile: String?) throws {
    let program = try Self.program(file, profile: profile)
    let records = Self.journal(of: program)
    #expect(records.count > 10)
    try check(records, program.wireNames)
  }

  @Test func `every row with random values is read back unchanged`() throws {
    var generator = RandomRecords(SampleNames.names, seed: 9)
    let records = (0..<60).flatMap { _ in generator.round() }
    #expect(Set(records.map(\.body.track)).count == JournalRecord.Body.Track.allCases.count)
    try check(records, SampleNames.names)
  }

  @Test func `every word creates a row with the same word`() {
    let moment = Moment(
      wall: Instant(millisecondsSince1970: 0), uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
    for track in JournalRecord.Body.Track.allCases {
      for word in 0..<UInt8(track.words.names.count) {
        let row = JournalRecord.Body(track, row: word, at: moment)
        #expect(row?.track == track && row?.word == word, "\(track) \(word)")
      }
      #expect(Set(track.words.names).count == track.words.names.count, "\(track)")
    }
  }

  @Test func `a stamp is written in full, without milliseconds if they are zero`() {
    var writer = JournalWriter(SampleNames.names)
    var stamp = RecordStamp(
      person: .max, device: 1, instant: Instant(millisecondsSince1970: 1_772_434_800_000),
      moment: Moment(
        wall: Instant(millisecondsSince1970: 1_772_434_800_250),
        uptime: Uptime(boot: 2, span: .seconds(3)), zone: ZoneID(0)))
    let body = JournalRecord.Body.happened(.openApp(AppID(1)))
    writer.write(JournalRecord(body, stamp))
    stamp.moment.zone = ZoneID(2)
    stamp.moment.wall = Instant(millisecondsSince1970: 0)
    writer.write(JournalRecord(body, stamp))
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == """
        {"track":"happened","event":"openApp","t":"2026-03-02T07:00:00Z",\
        "wall":"2026-03-02T08:00:00.250+01:00","zone":"Europe/Berlin","boot":2,"uptime":3000,\
        "person":18446744073709551615,"device":"watch","app":"mail"}
        {"track":"happened","event":"openApp","t":"2026-03-02T07:00:00Z","wall":"1970-01-01T00:00:00Z",\
        "zone":"Africa/Monrovia","boot":2,"uptime":3000,"person":18446744073709551615,"device":"watch",\
        "app":"mail"}

        """, "Monrovia was 44:30 behind, which RFC 3339 cannot express")
  }
}
