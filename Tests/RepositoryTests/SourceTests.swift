import Foundation
import Testing

/// Rules that the compiler does not check, such as file sizes, the order of folders and the absence of
/// ambient time.
@Suite struct SourceTests {
  @Test func `few files are so small that they should be merged with another`() throws {
    let trees = try SourceTree.all()
    #expect(trees.count > 20, "these are not the sources")
    let small = trees.flatMap(\.smallFiles)
    #expect(small.count <= 40, "\(small)")
  }

  /// Programs may write files next to the sources, and these must not be committed.
  @Test func `the top level holds only the named files and folders`() throws {
    let frame: Set = [
      "LICENSE", "Package.swift", "README.md", "Sources", "Tests", "reports", "scenarios",
      // The package manager and `.ci/release` write these. They are not committed.
      "Package.resolved", "dist",
    ]
    let names = try SourceTree.topLevel().filter { !$0.hasPrefix(".") }
    #expect(Set(names).subtracting(frame) == [])
    #expect(names.contains("Package.swift"), "this is not the package")
  }

  /// Callers pass in time and randomness, so the same input files give identical bytes.
  @Test func `libraries read no clock, no random generator and no environment`() throws {
    let measuring: Set = ["Benchmarks", "triggerbench"]
    let trees = try SourceTree.all()
    let asking = trees.filter { !$0.ambient.isEmpty }.map(\.name)
    #expect(measuring.isSubset(of: asking), "nothing is found any more")
    for tree in trees where !measuring.contains(tree.name) { #expect(tree.ambient == []) }
  }

  /// An unused dependency makes builds slower without a benefit.
  @Test func `a room imports every dependency that the manifest lists`() throws {
    let imports = Dictionary(uniqueKeysWithValues: try SourceTree.all().map { ($0.name, $0.imports) })
    let rooms = try SourceTree.manifest().matches(of: /room\(\s*"(\w+)",\s*\[([^\]]*)\]/)
    #expect(rooms.count > 20, "these are not the rooms")
    for room in rooms {
      for dependency in room.2.matches(of: /"(\w+)"/).map(\.1) {
        #expect(imports[String(room.1)]?.contains(dependency) == true, "\(room.1) imports no \(dependency)")
      }
    }
  }

  @Test func `folders of a room form no cycle`() throws {
    for tree in try SourceTree.all() {
      #expect(tree.cycles == [])
    }
  }

  @Test func `a cycle between folders is found`() {
    let tree = SourceTree(
      "Toy",
      [
        ("A", "A/One.swift", "struct One { var two: Two }"),
        ("B", "B/Two.swift", "enum Two { case three(Three) }"),
        ("C", "C/Three.swift", "typealias Three = Int\nfunc one() -> String { \"\\(One.self)\" }"),
        ("D", "D/Four.swift", "struct Four { var one: One }"),
      ])
    #expect(
      tree.cycles == [
        "Toy: A → B: A/One.swift names Two", "Toy: B → C: B/Two.swift names Three",
        "Toy: C → A: C/Three.swift names One",
      ])
  }

  @Test func `comments and string literals do not count as uses`() {
    let tree = SourceTree(
      "Toy",
      [
        ("A", "A/One.swift", "struct One { struct Inner {}; var two: Two }"),
        (
          "B", "B/Two.swift",
          """
          /// Not ``One``. /* One */
          /* One /* One */ One */
          struct Two { let text = "One", raw = #"One \\(One)"#, quoted = "\\"One" }
          extension Two { struct Inner {} }
          """
        ),
        ("C", "C/Three.swift", "typealias One = Other.One\nstruct Three { var one: Inner }"),
      ])
    #expect(tree.cycles == [])
    #expect(tree.uses["A"] == ["B": "A/One.swift names Two"])
    #expect(tree.uses["B"] == nil)
  }
}

/// The participants of a device. Some functions list all of them, and the compiler does not check that a new
/// participant is included.
@Suite struct ParticipantTests {
  @Test(arguments: [
    "init(_ program", "func listen(to", "mutating func deliver(_ body", "mutating func notify(_ notice",
    "mutating func pack(in",
  ])
  func `each participant is named`(in function: String) throws {
    let list = try SourceTree.text(of: "Sources/Simulation/Participants/Participant.swift")
    let cases = try #require(list.firstMatch(of: /enum ParticipantID.*\n  case (.+)/)).1
    let names = cases.split(separator: ", ")
    #expect(names.count > 5)
    let wiring = try SourceTree.text(of: "Sources/Simulation/World/Participants.swift")
    let start = try #require(wiring.range(of: function)).lowerBound
    let end = try #require(wiring[start...].range(of: "\n  }\n")).lowerBound
    let words = Set(wiring[start..<end].matches(of: /\w+/).map(\.0))
    for name in names { #expect(words.contains(name), "\(name)") }
  }
}
