import Foundation
import Journal
import PlatformRuns
import Simulation
import Testing
import TriggerModel

@testable import TestBench

/// That a process which starts with what another has stored goes on exactly as that would have.
@Suite("Storage")
struct StorageTests {
  /// Every scenario that ships.
  static let scenarios: [String] = {
    let folder = PlatformRun.folder.appendingPathComponent("scenarios").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".yaml") }.sorted()
  }()

  static func program(_ file: String) throws -> Program? {
    let path = PlatformRun.folder.appendingPathComponent("scenarios").appendingPathComponent(file).path
    guard case .program(let program, _) = ProgramLoader().load(path) else { return nil }
    return program
  }

  /// The journals are the same but for `persist`: a timer of the engine that nobody waits for any more asks
  /// to be stored, and a new process does not have it.
  @Test("a new process at every event and every decision gives the same journal", arguments: scenarios)
  func restarts(file: String) throws {
    guard let program = try Self.program(file) else { return }
    let findings = Self.expectSame(program)
    print("\(file): \(findings.restarts) restarts, at most \(findings.largest) bytes")
    if file.contains("fortnight") { #expect(findings.largest <= 4_096) }
  }

  @Test("so it does in each story of a phone", arguments: PhoneStoryTests.storable)
  func restarts(story: PhoneStoryTests.Story) throws {
    Self.expectSame(try PlatformRun.program(story.text))
  }

  @discardableResult
  private static func expectSame(_ program: Program) -> RestartingEngine.Log.Findings {
    let (expected, _) = Self.journal(program, program.makeEngine())
    let log = RestartingEngine.Log()
    let (found, _) = Self.journal(program, RestartingEngine(program.makeEngine(), log))
    let findings = log.findings
    #expect(findings.problems.isEmpty, "\(findings.problems.prefix(3))")
    #expect(findings.restarts > 0)
    for (a, b) in zip(found, expected) where a != b {
      Issue.record("\(a) instead of \(b)")
      break
    }
    #expect(found.count == expected.count)
    return findings
  }

  static func journal(_ program: Program, _ engine: some EngineUnderTest)
    -> (records: [JournalRecord], world: World)
  {
    var world = World(program: program, engine: engine)
    var journal = Recorder()
    world.run(into: &journal)
    return (journal.records, world)
  }
}

/// Keeps what an engine can be told by, but for `persist`.
private struct Recorder: JournalSink {
  static var wantsEveryFix: Bool { false }
  private(set) var records: [JournalRecord] = []

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    if case .effect(.persist) = body { return }
    records.append(JournalRecord(body, stamp))
  }

  mutating func passed(fixes: Int) {}
}
