import Foundation
import RandomScenarios
import ScenarioModel
import Scenarios
import Simulation
import TestSupport
import Testing
import TextFormats

@testable import TestBench

/// Compares the journals of many runs with recorded digests. Refactoring that changes a single record fails
/// these tests.
///
/// After an intended change of behaviour, record the digests again and state the reason in the commit:
/// `TRIGGERBENCH_ALL=1 TRIGGERBENCH_RECORD=1 swift test -c release -Xswiftc -enable-testing --filter
/// JournalDigestTests`.
@Suite struct JournalDigestTests {
  private static let profiles = ["android", "ideal", "ios"]

  /// The number of random worlds per profile, and the number of worlds per line of the golden file.
  private static let (worlds, block) = (5_000, 20)

  /// The number of blocks per profile in an ordinary test run.
  private static let fewBlocks = 2

  @Test(
    "journals of random worlds are unchanged; 5,000 worlds when TRIGGERBENCH_ALL is set", arguments: profiles)
  func randomWorlds(profile: String) throws {
    let formats = FormatCache()
    var lines: [String] = []
    for block in 0..<(Trial.isWhole ? Self.worlds / Self.block : Self.fewBlocks) {
      var digest = Digest()
      var played = 0
      for seed in block * Self.block..<(block + 1) * Self.block {
        let program = try AnyScenario.program(seed: UInt64(seed), profile: profile, formats)
        guard let program else { continue }
        digest.play(program)
        played += 1
      }
      lines.append("\(profile) block \(block): \(played) worlds, \(digest.records) records, \(digest.text)")
    }
    try Self.compare(lines, "journals-\(profile).txt", isComplete: Trial.isWhole)
  }

  @Test("journals of the shipped scenarios are unchanged", arguments: profiles)
  func shippedScenarios(profile: String) throws {
    let folder = Repository.scenarios
    try Self.compare(
      Self.lines(of: folder, profile), "journals-shipped-\(profile).txt", isComplete: true)
  }

  @Test(
    "journals of the shared cases are unchanged",
    .enabled(if: Shared.isAvailable, Shared.skipReason), arguments: profiles)
  func sharedCases(profile: String) throws {
    let folder = try #require(Shared.folder).appendingPathComponent("cases")
    try Self.compare(
      Self.lines(of: folder, profile), "journals-cases-\(profile).txt", isComplete: Golden.isRecording)
  }

  /// Returns one line for each scenario file of a folder that the profile can run.
  private static func lines(of folder: URL, _ profile: String) throws -> [String] {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".yaml")
    }
    return files.sorted().compactMap { file in
      guard var scenario = try? Scenario(contentsOf: folder.appendingPathComponent(file).path) else {
        return nil
      }
      scenario.profile.value = profile
      var digest = Digest()
      guard let program = try? Program(scenario) else { return nil }
      digest.play(program)
      return "\(file): \(digest.records) records, \(digest.text)"
    }
  }

  /// Compares lines with a golden file.
  ///
  /// - Parameter isComplete: Whether the lines cover the whole golden file, so that they can be recorded.
  private static func compare(_ lines: [String], _ name: String, isComplete: Bool) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden").appendingPathComponent(name)
    #expect(!lines.isEmpty)
    if isComplete {
      try Golden.expect(lines.joined(separator: "\n") + "\n", matches: file)
    } else {
      let recorded = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      let digests = Dictionary(uniqueKeysWithValues: recorded.map { ($0.prefix { $0 != ":" }, $0) })
      for line in lines {
        if let digest = digests[line.prefix { $0 != ":" }] { #expect(digest == line, "\(name)") }
      }
      #expect(lines.contains { digests[$0.prefix { $0 != ":" }] != nil }, "\(name) has none of these runs")
    }
  }
}

/// A digest of journal lines: the 64-bit FNV-1a hash of their bytes.
private struct Digest {
  private var value: UInt64 = 0xCBF2_9CE4_8422_2325
  private(set) var records = 0

  var text: String { String(value, radix: 16) }

  /// Adds the journal of a run with the built-in engine.
  mutating func play(_ program: Program) {
    var world = World(program: program, engine: program.makeEngine())
    var lines = JournalLines(program.wireNames)
    world.run(into: &lines)
    for byte in lines.bytes {
      value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
      if byte == UInt8(ascii: "\n") { records += 1 }
    }
  }
}
