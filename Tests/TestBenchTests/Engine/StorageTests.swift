import Foundation
import Journal
import PlatformRuns
import Simulation
import TestSupport
import Testing
import TriggerModel

@testable import TestBench

/// Tests that a process that starts with another process's stored state continues exactly as that process
/// would.
@Suite("Storage")
struct StorageTests {
  /// The names of all shipped scenarios.
  static let scenarios: [String] = {
    let folder = Repository.scenarios.path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".yaml") }.sorted()
  }()

  static func program(_ file: String) throws -> Program? {
    let path = Repository.scenarios.appendingPathComponent(file).path
    guard case .program(let program, _) = ProgramLoader().load(path) else { return nil }
    return program
  }

  /// The journals are equal except for `persist`. An old timer of the engine may cause `persist`, but a new
  /// process does not have this timer.
  @Test(arguments: scenarios)
  func `a new process at every event and decision does not change the journal`(file: String) throws {
    guard let program = try Self.program(file) else { return }
    let findings = Self.expectSame(program)
    print("\(file): \(findings.restarts) restarts, at most \(findings.largest) bytes")
    if file.contains("fortnight") { #expect(findings.largest <= 4_096) }
  }

  @Test(arguments: PhoneStoryTests.storable)
  func `new processes do not change the journal of a phone story`(story: PhoneStoryTests.Story) throws {
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

/// A sink that keeps all effects except `persist`.
private struct Recorder: JournalSink {
  static var wantsEveryFix: Bool { false }
  private(set) var records: [JournalRecord] = []

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    if case .effect(.persist) = body { return }
    records.append(JournalRecord(body, stamp))
  }
}
