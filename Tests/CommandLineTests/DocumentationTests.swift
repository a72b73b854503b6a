import Foundation
import Testing

/// What the documentation names exists.
@Suite struct DocumentationTests {
  private static let folder = Repository.root.appendingPathComponent("Sources/TestBench/Documentation.docc")

  private func page(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: Self.folder.appendingPathComponent(name)), as: UTF8.self)
  }

  @Test func `every scenario that the table of items names is shipped, and most of them are named`() throws {
    let text = try page("WhereToSeeIt.md")
    let named = Set(text.matches(of: /`([a-z-]+\.yaml)`/).map { String($0.1) })
    let shipped = Set(try Repository.scenarios().map { String($0.dropFirst("scenarios/".count)) })
    #expect(named.isSubset(of: shipped), "named, not shipped: \(named.subtracting(shipped))")
    #expect(named.count > 12)
  }

  @Test func `every row says where, or why not`() throws {
    let rows = try page("WhereToSeeIt.md").split(separator: "\n").filter { $0.hasPrefix("| ") }
    #expect(rows.count > 40)
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect((2...3).contains(cells.count) && cells.allSatisfy { !$0.isEmpty }, "\(row)")
    }
  }

  @Test func `every conformance case and every suite that it names is a test`() throws {
    let text = try page("WhereToSeeIt.md")
    let sources = try tests()
    for match in text.matches(of: /conformance cases? ([0-9]+)(?:(,| and| to) ([0-9]+))?(?: and ([0-9]+))?/) {
      for number in [match.1, match.3, match.4].compactMap({ $0 }) {
        #expect(sources.contains("case \(number)"), "case \(number)")
      }
    }
    for match in text.matches(of: /`([A-Z][A-Za-z]+Tests)`/) {
      #expect(sources.contains("struct \(match.1)"), "\(match.1)")
    }
  }

  @Test
  func `each product that can be imported has an article, and its code is what the example package runs`()
    throws
  {
    let package = try contents(of: "Package.swift")
    let products = package.matches(of: /\.library\(\s*name: "([A-Za-z]+)"/).map { String($0.1) }
    #expect(products.count == 5)
    let folder = "Tests/ExamplePackage/Tests/ExampleTests"
    let examples = try FileManager.default.contentsOfDirectory(
      atPath: Repository.root.appendingPathComponent(folder).path
    ).sorted().map { try contents(of: "\(folder)/\($0)") }
    for product in products {
      let article = try contents(of: "Sources/\(product)/Documentation.docc/\(product).md")
      #expect(article.hasPrefix("# ``\(product)``\n"))
      let blocks = Markdown.blocks("swift", in: article)
      #expect(!blocks.isEmpty, "\(product)")
      for block in blocks { #expect(examples.contains { $0.contains(block) }, "\(block)") }
    }
  }

  @Test func `every article that another one leads to is there`() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted() {
      for link in try page(name).matches(of: /<doc:([A-Za-z]+)>/) {
        #expect(throws: Never.self, "\(name)") { try page("\(link.1).md") }
      }
    }
  }

  private func contents(of path: String) throws -> String {
    String(decoding: try Data(contentsOf: Repository.root.appendingPathComponent(path)), as: UTF8.self)
  }

  /// The text of every test.
  private func tests() throws -> String {
    let folder = Repository.root.appendingPathComponent("Tests")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var text = ""
    while let file = files?.nextObject() as? URL {
      if file.pathExtension == "swift" { text += String(decoding: try Data(contentsOf: file), as: UTF8.self) }
    }
    return text
  }
}
