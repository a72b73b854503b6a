import Foundation
import Testing

/// Compares the architecture page with the manifest and the sources.
@Suite struct ArchitectureTests {
  /// Returns the rooms in the page's diagram by floor, from the lowest floor up.
  private static func floors() throws -> [[String]] {
    let lines = try SourceTree.text(of: ".github/ARCHITECTURE.md").split(separator: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("what people see") })
    return lines[start...].prefix { $0 != "```" }.reversed().map { line in
      line.matches(of: /\w+/).map { String($0.0) }.filter { word in
        (try? SourceTree.folders().contains(word)) == true
      }
    }
  }

  @Test func `the picture shows each room of the manifest on its floor`() throws {
    let manifest = try SourceTree.manifest()
    let floors = ["shipped", "world", "files", "runs", "visible"].map { floor in
      let start = manifest.range(of: "let \(floor): [Target] = [")?.upperBound ?? manifest.endIndex
      let end = manifest[start...].range(of: "\n]\n")?.lowerBound ?? start
      return manifest[start..<end].matches(of: /(?:room\(|name:)\s*"(\w+)"/).map { String($0.1) }
    }
    let picture = try Self.floors()
    #expect(picture.map { $0.sorted() } == floors.map { $0.sorted() })
  }

  @Test func `a room imports only rooms of lower floors, or to its left`() throws {
    let order = try Self.floors().flatMap { $0 }
    let places = Dictionary(uniqueKeysWithValues: zip(order, order.indices))
    for tree in try SourceTree.all() {
      guard let own = places[tree.name] else { continue }
      for other in tree.imports.sorted() {
        guard let place = places[String(other)] else { continue }
        #expect(place < own, "\(tree.name) imports \(other)")
      }
    }
  }

  @Test func `the house has at most 28 rooms, each with a row and a page`() throws {
    let rooms = try Self.floors().flatMap { $0 }
    #expect(rooms.count > 20 && rooms.count <= 28)
    let page = try SourceTree.text(of: ".github/ARCHITECTURE.md")
    for room in rooms {
      #expect(page.contains("\n| `\(room)` |"), "\(room) has no row")
      let article = "Sources/\(room)/Documentation.docc/\(room).md"
      #expect(throws: Never.self, "\(room) has no page") { try SourceTree.text(of: article) }
    }
  }

  @Test(arguments: ["ARCHITECTURE.md", "CONTRIBUTING.md"])
  func `every path that a guide names exists`(in guide: String) throws {
    let text = try SourceTree.text(of: ".github/" + guide)
    let recipes = text.range(of: "## How to add")?.lowerBound ?? text.endIndex
    let paths = text[..<recipes].matches(of: /`((?:Sources|Tests)\/[^`]+)`/).map { String($0.1) }
    #expect(!paths.isEmpty)
    for path in paths where !path.contains("ROOM") && !path.contains("*") {
      #expect(try SourceTree.exists(path), "\(guide) names \(path)")
    }
  }
}
