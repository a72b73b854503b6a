import Foundation
import Testing

/// Twice as much of anything is at most 2.15 times the work (an exponent of 1.1), counted in instructions.
@Suite(.timeLimit(.minutes(90))) struct ListGrowthTests {
  /// Twice the length may take so many times the work, less that of a story without it.
  private static let limit = 2.15

  /// Lists that the format itself keeps short.
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
    .init("quietHours") { story, count in
      let windows = [String](repeating: "22:00-07:00", count: count)
      story.declare("policy", ["quietHours: \(GrowingStory.list(windows))"])
    },
  ]

  @Test func `every list of the schema is made to grow, or is kept short by the format`() async throws {
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
  func `what grows is a sound story`(_ list: GrowingList) async throws {
    let folder = try Folder()
    let story = list.story(5)
    try folder.write(story.text, to: "story.yaml")
    for file in story.files { try folder.write(file.text, to: file.name) }
    let outcome = try await folder.run("check", "story.yaml")
    #expect(outcome.code == 0, "\(list.name): \(outcome.errors)")
  }

  /// What a run tells of itself, counted: so a list that makes events, requests or rows out of each other is seen by
  /// every test run, and not only by the one that counts instructions.
  ///
  /// - Parameter journal: What happened, and what the engine was told and asked for, a record a line.
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
  func `twice as much has at most 2.15 times as many records, and lines of its report`(_ list: GrowingList)
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
      // A few come by leaps, such as a further day.
      let growth = Double(twice - least) / Double(max(once - least, 40))
      #expect(growth <= Self.limit, "\(list.name) \(length), \(what): \(least), \(once) and \(twice)")
    }
  }

  /// Names are longer the more there are, so of twice as many the text is a little more than twice as long: what it is
  /// more, the work may be too.
  private static func growthOfText(_ list: GrowingList, from length: Int) -> Double {
    let bytes = [length, 2 * length, 4 * length].map { Double(list.story($0).byteCount) }
    return max(2, (bytes[2] - bytes[1]) / (bytes[1] - bytes[0]))
  }

  /// Takes some minutes: three runs of the release executable for each list, each some fifty times slower.
  ///
  /// What a list costs however short it is falls out of the differences between a half, a whole and a double one: where
  /// the work grows with a power of the length, so do they.
  @Test(.enabled(if: Work.isCountable, "needs TRIGGERBENCH_ALL, the release executable, valgrind and strip"))
  func `twice as much is at most 2.15 times the work`() async throws {
    let folder = try Folder()
    let work = try await Work(in: folder)
    let sound = GrowingList.ofTheFormat + GrowingList.ofStories + GrowingList.ofRecordings
    let all = sound.map { ($0, Set<Int32>([0, 2])) } + GrowingList.ofMistakes.map { ($0, Set<Int32>([1])) }
    // Two at a time: each takes some memory.
    let rows = try await withThrowingTaskGroup(of: (Int, String, Double).self) { group in
      var rows: [(Int, String, Double)] = []
      for (index, (list, codes)) in all.enumerated() {
        if index > 1, let row = try await group.next() { rows.append(row) }
        group.addTask {
          do {
            var length = list.length / 2
            var (half, once, twice) = (0, 0, 0)
            // A run by itself takes a million instructions more or less, by the addresses that it is given.
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
