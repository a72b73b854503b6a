import Foundation
import RandomScenarios
import ScenarioModel
import Simulation
import TestSupport
import Testing
import TextFormats

@testable import TestBench

/// Tests that `--update` rewrites failed expectations in place and leaves the rest of the file unchanged.
@Suite struct UpdateFileTests {
  /// A piece of a file: an expectation or the text around it.
  private enum Piece {
    case text(String)
    case statement(String)
  }

  /// The beginning of the files. It keeps the battery full, because otherwise most events would be level
  /// changes.
  private static let head = """
    kind: scenario
    version: 1
    title: NAME
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 3 days
    phone: {pluggedIn: true, battery: 100 %}
    apps: [shop]
    reminders:
      a: {when: unlock, repeat: daily, notify: {title: A, bucket: user}}
      aa: {when: open app shop, repeat: always, notify: {title: AA, bucket: user}}
      a-b: {when: unlock, repeat: always, notify: {title: B}}
    policy: {quietHours: 22:00-07:00}
    timeline:
      - every day 08:11 unlock
      - every day 17:30 open app shop
      - every day 18:30 lock
      - 23:10 unlock

    """

  private static let statements = [
    "a fires 3 times", "a fires once", "a fires twice at 08:11", "a fires once at 08:15", "a never at 08:11",
    "aa fires once", "aa fires once at 17:31 on day 2", "aa fires at least 7 times", "aa fires at most once",
    "aa fires between 09:00 and 10:00", "aa never", "a-b fires 3 times", "a-b never during 08:00-09:00",
    "a-b fires once on day 3", "a is denied by quietHours", "a-b is denied by dailyCap at 23:10",
    "fires >= 1",
    "a fires once on day 2 at 08:11", "a-b fires at 23:10",
  ]

  private static let fires = [
    "a at 08:11", "aa at 17:30", "aa at 17:31 on day 2", "a-b at 08:11 on day 1", "a at 08:11 on day 2",
  ]

  /// A list of expectations in a random layout.
  private static func list(_ dice: inout SplitMix64) -> [Piece] {
    let isFlow = dice.next() % 4 == 0
    let count = 1 + Int(dice.next() % 5)
    var pieces: [Piece] = []
    for number in 0..<count {
      let quote = ["", "", "'", "\""][Int(dice.next() % 4)]
      if isFlow {
        pieces.append(
          .text((number == 0 ? "expect: [" : [", ", ",", " , ", ",\n    "][Int(dice.next() % 4)]) + quote))
      } else {
        let comment = ["", "\n", "  # a fires once\n", "  # \u{2028}  # a fires once\n"][Int(dice.next() % 4)]
        pieces.append(.text((number == 0 ? "expect:\n" : "") + comment + "  - " + quote))
      }
      if !isFlow, quote.isEmpty, dice.next() % 5 == 0 {
        pieces += exact(&dice)
        continue
      }
      pieces.append(.statement(statements[Int(dice.next() % UInt64(statements.count))]))
      let behind = ["", "   ", "  # a fires twice, aa fires once"][Int(dice.next() % 3)]
      pieces.append(.text(quote + (isFlow ? "" : behind + "\n")))
    }
    return pieces + [.text(isFlow ? "]\n" : "")]
  }

  private static func exact(_ dice: inout SplitMix64) -> [Piece] {
    let items = (0..<Int(dice.next() % 4)).map { _ in fires[Int(dice.next() % UInt64(fires.count))] }
    if dice.next() % 2 == 0 || items.isEmpty {
      return [.text("exact: "), .statement("[" + items.joined(separator: ", ") + "]"), .text("\n")]
    }
    return [.text("exact:\n      - "), .statement(items.joined(separator: "\n      - ")), .text("\n")]
  }

  private static func file(_ seed: UInt64) -> (pieces: [Piece], lineEnd: String, mark: [UInt8]) {
    var dice = SplitMix64(seed: seed)
    let names = ["T", "'a fires once'", "\"a\u{2028}b\"", "\u{1F600} aa never", "A B"]
    let head = head.replacing("NAME", with: names[Int(dice.next() % 5)])
    let description = "description: aa fires once\n# expect: [a fires once]\u{85}# \u{2029}\n"
    var pieces: [Piece] = [.text(head)]
    let list = list(&dice)
    pieces = dice.next() % 2 == 0 ? pieces + list : [.text("# first\n")] + list + pieces
    if dice.next() % 2 == 0 { pieces.append(.text(description)) }
    return (pieces, dice.next() % 3 == 0 ? "\r\n" : "\n", dice.next() % 5 == 0 ? [0xEF, 0xBB, 0xBF] : [])
  }

  private func run(_ path: String) throws -> ScenarioResult {
    switch ProgramLoader().load(path) {
    case .program(let program, _): return ScenarioRun(program) { 0 }.run().result
    case .invalid(let diagnostics): throw Unusable(description: diagnostics.rendered())
    case .otherKind: throw Unusable(description: "another kind")
    }
  }

  private struct Unusable: Error, CustomStringConvertible {
    var description: String
  }

  /// The number of rewritten expectations, and of those that list all fires.
  private struct UpdateTally: Sendable {
    var updated = 0
    var exact = 0
  }

  /// Updates the file of a seed, compares it with the expected text, and runs the updated file.
  private func update(_ seed: UInt64, at url: URL) throws -> UpdateTally {
    let (pieces, lineEnd, mark) = Self.file(seed)
    func bytes(_ statement: (Int, String) -> String) -> [UInt8] {
      var number = -1
      let text = pieces.map { piece in
        switch piece {
        case .text(let text): return text
        case .statement(let words):
          number += 1
          return statement(number, words)
        }
      }.joined()
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return mark + Array(lines.joined(separator: lineEnd).utf8)
    }
    let before = bytes { $1 }
    try Data(before).write(to: url)
    let result = try run(url.path)
    let failed = result.expectations.indices.filter { !result.expectations[$0].passed }
    let outcome = ExpectationUpdater(result, Suite.Options()).write { 0 }
    guard case .updated(let changes) = outcome else {
      Issue.record("seed \(seed): \(outcome)\n\(String(decoding: before, as: UTF8.self))")
      return UpdateTally()
    }
    #expect(
      changes.count == failed.count, "seed \(seed): \(changes)\n\(String(decoding: before, as: UTF8.self))")
    guard changes.count == failed.count else { return UpdateTally() }
    let new = Dictionary(uniqueKeysWithValues: zip(failed, changes))
    let after = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    let edited = bytes { number, words in
      guard let change = new[number] else { return words }
      // Brackets and line ends belong to the list, not to the expectation.
      let replaced = change.after.replacing("\r\n", with: "\n")
      return words.hasPrefix("[") && !replaced.hasPrefix("[") ? "[" + replaced + "]" : replaced
    }
    let wanted = String(decoding: edited, as: UTF8.self)
    let isExact = Array(after.utf8) == edited
    #expect(isExact, "seed \(seed):\n\(after)\nwanted:\n\(wanted)")
    let again = try run(url.path)
    #expect(again.passed, "seed \(seed):\n\(after)")
    return UpdateTally(
      updated: changes.count,
      exact: failed.count {
        if case .exact = result.program.scenario.expectations[$0].claim { true } else { false }
      })
  }

  /// Tests a thousand files with two workers. Each file runs four times. The whole test takes 25 seconds of
  /// CPU time.
  @Test func `only failed expectations are rewritten, and the rewritten ones pass`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("triggerbench-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let workers: UInt64 = 2
    let total = try await withThrowingTaskGroup(of: UpdateTally.self) { group in
      for worker in 0..<workers {
        group.addTask {
          let url = folder.appendingPathComponent("story\(worker).yaml")
          var sum = UpdateTally()
          for seed in stride(from: worker, to: 1_000, by: Int(workers)) {
            let yield = try update(seed, at: url)
            sum.updated += yield.updated
            sum.exact += yield.exact
          }
          return sum
        }
      }
      return try await group.reduce(into: UpdateTally()) {
        $0.updated += $1.updated
        $0.exact += $1.exact
      }
    }
    #expect(total.updated > 1_000 && total.exact > 50, "\(total)")
  }

  @Test(arguments: [
    ("a fires once at 08:15", "a fires 3 times at 08:11"),
    ("a fires once at 08:15 on day 2", "a fires once at 08:11 on 2026-03-03"),
    ("a fires twice", "a fires 3 times"), ("a never", "a fires 3 times"),
    ("a never at 08:11", "a fires 3 times at 08:11"),
    ("aa fires at least 5 times", "aa fires at least 3 times"),
    ("aa fires at most once", "aa fires at most 3 times"),
    ("a-b is denied by dailyCap", "a-b is denied by quietHours at least once"),
    ("a fires once on day 2 at 09:00", "a fires once at 08:11 on 2026-03-03"),
    ("exact: [a at 08:11 on day 1]", "exact: [a at 08:11 on day 1, aa at 17:30 on 2026-03-02]"),
  ])
  func `the nearest true expectation is written`(wrong: String, right: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("triggerbench-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("story.yaml")
    var head = Self.head.replacing("NAME", with: "T")
    if wrong.hasPrefix("exact") {
      head = head.replacing("for: 3 days", with: "for: 1 day").replacing(
        "title: B}", with: "title: B}, if: weekend")
    }
    try Data((head + "expect:\n  - \(wrong)\n").utf8).write(to: url)
    _ = ExpectationUpdater(try run(url.path), Suite.Options()).write { 0 }
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(text == head + "expect:\n  - \(right)\n")
    #expect(try run(url.path).passed)
  }

  @Test func `an expectation that requires a change elsewhere is left unchanged`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("triggerbench-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("story.yaml")
    let head = Self.head.replacing("NAME", with: "T")
    for list in [
      "expect:\n  - a fires\n    once\n", "expect:\n  - >-\n    a fires once\n",
      "expect:\n  - {reminder: a, fires: once}\n",
      "expect:\n  - &x a fires once\n  - *x\n", "expect:\n  - \"a fires \\x6Fnce\"\n",
      "expect:\n  - only: [a]\n",
      "description: &x a fires once\nexpect:\n  - *x\n", "expect:\n  - tapThrough >= 50 %\n",
    ] {
      let text = head + list
      try Data(text.utf8).write(to: url)
      let result = try run(url.path)
      #expect(!result.passed)
      let outcome = ExpectationUpdater(result, Suite.Options()).write { 0 }
      #expect(try String(contentsOf: url, encoding: .utf8) == text, "\(list): \(outcome)")
      if case .updated(let changes) = outcome { #expect(changes.isEmpty) }
    }
  }
}
