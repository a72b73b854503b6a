import Foundation
import Testing

/// Tests that doubling the length of a list multiplies the number of instructions by at most 2.15, which
/// corresponds to an exponent of 1.1.
@Suite(.timeLimit(.minutes(90))) struct ListGrowthTests {
  /// The maximum ratio of the work at double length to the work at single length. The work without the list
  /// is subtracted from both.
  private static let limit = 2.15

  /// The lists whose length the format limits.
  private static let short: [GrowingList] = [
    .init("checkOrder") { story, count in
      let checks = [String](repeating: "permission", count: count)
      story.declare("policy", ["checkOrder: \(GrowingStory.list(checks))"])
    },
    .init("devices") { $0.declare("devices", GrowingStory.names("d", $1).map { $0 + ": {}" }) },
    .init("include") { $0.declare("include", GrowingStory.names("- p", $1).map { $0 + ".yaml" }) },
    .init("triggers") { story, count in
      let kinds = GrowingStory.list([String](repeating: "time", count: count))
      story.declare("plans", ["free: {triggers: \(kinds)}"])
      story.declare("subscription", ["start: free"])
    },
  ]

  @Test func `each list of the schema is measured or limited by the format`() async throws {
    let schema = try SchemaLists(try await Folder().run("schema").output)
    let made = Set((GrowingList.ofTheFormat + Self.short).map(\.name))
    #expect(schema.names.count > 40)
    #expect(schema.names == made, "\(schema.names.symmetricDifference(made).sorted())")
    for list in Self.short {
      let folder = try Folder()
      try folder.write(list.story(1000).text, to: "story.yaml")
      let outcome = try await folder.run("check", "story.yaml")
      #expect(outcome.code == 1, "\(list.name): \(outcome)")
    }
  }

  @Test(arguments: GrowingList.ofTheFormat + GrowingList.ofStories)
  func `a grown scenario is valid`(_ list: GrowingList) async throws {
    let folder = try Folder()
    let story = list.story(5)
    try folder.write(story.text, to: "story.yaml")
    for file in story.files { try folder.write(file.text, to: file.name) }
    let outcome = try await folder.run("check", "story.yaml")
    #expect(outcome.code == 0, "\(list.name): \(outcome.errors)")
  }

  /// Counts the records and report lines of a run. Every test run therefore detects a list that multiplies
  /// events, requests or rows.
  ///
  /// - Returns: The number of journal records (device events, observed events and effects) and of report
  ///   lines.
  private func told(_ story: GrowingStory) async throws -> (journal: Int, report: Int) {
    let folder = try Folder()
    try folder.write(story.text, to: "story.yaml")
    for file in story.files { try folder.write(file.text, to: file.name) }
    let outcome = try await folder.run("run", "story.yaml", "--journal", "j.ndjson", "--reports", "r")
    #expect([0, 2].contains(outcome.code), "\(outcome)")
    return (
      try folder.read("j.ndjson").utf8.count { $0 == UInt8(ascii: "\n") },
      try folder.read("r/report.json").utf8.count { $0 == UInt8(ascii: "\n") }
    )
  }

  @Test(arguments: GrowingList.ofTheFormat + GrowingList.ofStories + GrowingList.ofRecordings)
  func `doubling the length multiplies records and report lines by at most 2.15`(_ list: GrowingList)
    async throws
  {
    let length = list.length / 10 + 2
    let least = try await told(list.story(1))
    let once = try await told(list.story(length + 1))
    let twice = try await told(list.story(2 * length + 1))
    for (what, least, once, twice) in [
      ("records", least.journal, once.journal, twice.journal),
      ("lines", least.report, once.report, twice.report),
    ] {
      // Some lists grow in steps, for example by a whole day.
      let growth = Double(twice - least) / Double(max(once - least, 40))
      #expect(growth <= Self.limit, "\(list.name) \(length), \(what): \(least), \(once) and \(twice)")
    }
  }

  /// Returns the growth of the scenario's text. It is slightly more than twofold, because names become
  /// longer.
  ///
  /// The work is allowed to grow by the same factor.
  private static func growthOfText(_ list: GrowingList, from length: Int) -> Double {
    let bytes = [length, 2 * length, 4 * length].map { Double(list.story($0).byteCount) }
    return max(2, (bytes[2] - bytes[1]) / (bytes[1] - bytes[0]))
  }

  /// Runs the release executable three times for each list, about fifty times slower than normal. This takes
  /// minutes.
  ///
  /// The differences between half, single and double length cancel fixed costs. If the work grows with a
  /// power of the length, the differences grow with the same power.
  @Test(.enabled(if: Work.isCountable, "needs TRIGGERBENCH_ALL, the release executable, valgrind and strip"))
  func `doubling the length multiplies the work by at most 2.15`() async throws {
    let folder = try Folder()
    let work = try await Work(in: folder)
    let sound = GrowingList.ofTheFormat + GrowingList.ofStories + GrowingList.ofRecordings
    let all = sound.map { ($0, Set<Int32>([0, 2])) } + GrowingList.ofMistakes.map { ($0, Set<Int32>([1])) }
    // Each run needs much memory, so run only two at a time.
    let rows = try await withThrowingTaskGroup(of: (Int, String, Double).self) { group in
      var rows: [(Int, String, Double)] = []
      for (index, (list, codes)) in all.enumerated() {
        if index > 1, let row = try await group.next() { rows.append(row) }
        group.addTask {
          do {
            var length = list.length / 2
            var (half, once, twice) = (0, 0, 0)
            // The counts of equal runs differ by about a million instructions, depending on memory addresses.
            while once - half < 40_000_000, length <= 32 * list.length {
              if once > 0 { length *= 4 }
              half = try await work.count(list.story(length), codes: codes)
              once = try await work.count(list.story(2 * length), codes: codes)
              twice = try await work.count(list.story(4 * length), codes: codes)
            }
            let words = "\(list.name) \(2 * length): \(half), \(once) and \(twice)"
            let growth = Double(twice - once) / Double(once - half)
            return (index, words, growth * 2 / Self.growthOfText(list, from: length))
          } catch let problem as Work.Problem {
            return (index, "\(list.name): \(problem.text)", .infinity)
          }
        }
      }
      for try await row in group { rows.append(row) }
      return rows.sorted { $0.0 < $1.0 }
    }
    #expect(rows.count == all.count)
    for (_, words, growth) in rows { #expect(growth <= Self.limit, "\(words)") }
    if ProcessInfo.processInfo.environment["TRIGGERBENCH_TRIAL"] != nil {
      for (_, words, growth) in rows { print("GROWTH \(growth) \(words)") }
    }
  }
}

/// The names of all lists and tables in the schema of scenarios. With it, a list without a growth test is
/// detected.
struct SchemaLists {
  /// The last key of each path, followed by `.*` if it is an entry of a table.
  private(set) var names: Set<String> = []

  /// - Parameter schema: The output of `triggerbench schema`.
  init(_ schema: String) throws {
    look(at: try JSONSerialization.jsonObject(with: Data(schema.utf8)), key: "")
  }

  private mutating func look(at value: Any, key: String) {
    if let several = value as? [Any] { for one in several { look(at: one, key: key) } }
    guard let node = value as? [String: Any] else { return }
    if node["items"] is [String: Any] || node["additionalProperties"] is [String: Any] { names.insert(key) }
    for (word, part) in node {
      switch word {
      case "properties", "$defs":
        for (key, part) in part as? [String: Any] ?? [:] { look(at: part, key: key) }
      case "additionalProperties": look(at: part, key: key + ".*")
      case "items", "anyOf", "oneOf", "allOf", "if", "then", "else": look(at: part, key: key)
      default: break
      }
    }
  }
}
