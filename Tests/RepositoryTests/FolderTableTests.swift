import Foundation
import Testing

/// The table of CONTRIBUTING that says where things are.
@Suite struct FolderTableTests {
  @Test func `each folder of the sources has its row, and no row names another`() throws {
    let text = try SourceTree.text(of: ".github/CONTRIBUTING.md")
    let start = try #require(text.range(of: "## Where things are"))
    let end = try #require(text.range(of: "## How to add"))
    let table = text[start.upperBound..<end.lowerBound]
    let named = Set(table.matches(of: /`Sources\/(\w+)/).map { String($0.1) })
    let folders = Set(try SourceTree.folders())
    #expect(folders.subtracting(named).sorted() == [], "in no row")
    #expect(named.subtracting(folders).sorted() == [], "no folder")
  }
}
