import Foundation
import TestSupport
import Testing

/// Tests the exact messages for mistakes of new users. Each mistake must cause one error.
@Suite(.timeLimit(.minutes(10))) struct NewcomerTests {
  private static let groups = [
    "newcomers-spelling.txt": NewcomerMistakes.spelling, "newcomers-values.txt": NewcomerMistakes.values,
    "newcomers-sentences.txt": NewcomerMistakes.sentences,
  ]

  @Test func `the original file is valid, and each mistake makes it invalid`() async throws {
    let folder = try Folder()
    try folder.write(Data(NewcomerMistakes.good.utf8), to: "milk.yaml")
    let outcome = try await Tool.run(["check", "milk.yaml"], in: folder.root)
    #expect(outcome.code == 0 && outcome.errors == "")
    #expect(Self.groups.values.map(\.count).reduce(0, +) >= 60)
  }

  @Test(arguments: ["newcomers-spelling.txt", "newcomers-values.txt", "newcomers-sentences.txt"])
  func `each mistake causes one error with the golden message`(golden: String) async throws {
    var text = ""
    for mistake in try #require(Self.groups[golden]) {
      let good = NewcomerMistakes.good
      #expect(good.ranges(of: mistake.good).count == 1, "\(mistake.name)")
      let folder = try Folder()
      try folder.write(Data(good.replacing(mistake.good, with: mistake.bad).utf8), to: "milk.yaml")
      let outcome = try await Tool.run(["check", "milk.yaml"], in: folder.root)
      #expect(outcome.code == 1, "\(mistake.name): \(outcome)")
      #expect(outcome.errors.split(separator: ": error: ").count == 2, "\(mistake.name): \(outcome.errors)")
      text += "# \(mistake.name)\n\(outcome.errors)\n"
    }
    try Golden.expect(text, matches: golden)
  }

  @Test func `the minimum interval can be 'none'`() async throws {
    let folder = try Folder()
    let text = NewcomerMistakes.good.replacing("minimumInterval: 4 h", with: "minimumInterval: none")
    try folder.write(Data(text.utf8), to: "milk.yaml")
    #expect(try await Tool.run(["check", "milk.yaml"], in: folder.root).code == 0)
  }

  @Test func `the message for an unknown profile or rule lists the known ones`() async throws {
    let folder = try Folder()
    try folder.write(Data(NewcomerMistakes.good.utf8), to: "milk.yaml")
    let profile = try await Tool.run(["run", "milk.yaml", "--profile", "iphone"], in: folder.root)
    #expect(profile.code == 64 && profile.errors.contains("known: ideal, ios, android"), "\(profile.errors)")
    let sweep = try await Tool.run(["run", "milk.yaml", "--sweep", "batteries"], in: folder.root)
    #expect(sweep.code == 64, "\(sweep)")
    #expect(
      sweep.errors.contains("no profile has a rule 'batteries'; a sweep tries one of "), "\(sweep.errors)")
    #expect(sweep.errors.contains("pendingEviction"))
    // Several files with the same error must not repeat the message.
    try folder.write(Data(NewcomerMistakes.good.utf8), to: "second.yaml")
    let near = try await Tool.run(["run", ".", "--sweep", "pendingEvicton"], in: folder.root)
    #expect(near.code == 64, "\(near)")
    #expect(near.errors.ranges(of: "did you mean pendingEviction?").count == 1, "\(near.errors)")
    // If a rule exists only on some platforms, the message lists them.
    let other = try await Tool.run(["run", "milk.yaml", "--sweep", "exactAlarms"], in: folder.root)
    #expect(other.code == 1 && other.errors.contains("profile ios has no rule 'exactAlarms'"), "\(other)")
  }

  /// The recorded track passes the shop at a distance of 1.1 km, between two fixes.
  ///
  /// At that latitude, 0.01° of latitude is 1,112.7 m. The geodesic between points 6.8 km apart deviates by
  /// 1.2 m.
  @Test func `a recorded track that misses a place reports the shortest distance`() async throws {
    let folder = try Folder()
    let text = NewcomerMistakes.good.replacing("17:41 enter shop\n  - 17:45 tap milk", with: "gpx: way.gpx")
    try folder.write(Data(text.utf8), to: "milk.yaml")
    let points = [(52.53, 13.355, "16:30:00"), (52.53, 13.455, "16:50:00")].map { latitude, longitude, time in
      "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\"><time>2026-03-02T\(time)Z</time></trkpt>"
    }.joined()
    let gpx = "<gpx version=\"1.1\" creator=\"test\"><trk><trkseg>\(points)</trkseg></trk></gpx>"
    try folder.write(Data(gpx.utf8), to: "way.gpx")
    let outcome = try await Tool.run(["run", "milk.yaml"], in: folder.root)
    #expect(outcome.code == 2, "\(outcome)")
    #expect(
      (outcome.output + outcome.errors).contains(
        "the recorded route comes no nearer to 'shop' than 1114 m from its centre, at 2026-03-02 17:40"),
      "\(outcome)")
  }
}
