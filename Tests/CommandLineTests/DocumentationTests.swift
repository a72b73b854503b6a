import Foundation
import TestSupport
import Testing

/// Tests that all names in the documentation exist.
@Suite struct DocumentationTests {
  private static let folder = Repository.root.appendingPathComponent("Sources/TestBench/Documentation.docc")

  private func page(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: Self.folder.appendingPathComponent(name)), as: UTF8.self)
  }

  @Test func `every scenario in the table of items is shipped`() throws {
    let text = try page("WhereToSeeIt.md")
    let named = Set(text.matches(of: /`([a-z-]+\.yaml)`/).map { String($0.1) })
    let shipped = Set(try Repository.scenarioFiles().map { String($0.dropFirst("scenarios/".count)) })
    #expect(named.isSubset(of: shipped), "named, not shipped: \(named.subtracting(shipped))")
    #expect(named.count > 12)
  }

  @Test func `each row of the table refers to a scenario or states a reason`() throws {
    let rows = try page("WhereToSeeIt.md").split(separator: "\n").filter { $0.hasPrefix("| ") }
    #expect(rows.count > 40)
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect((2...3).contains(cells.count) && cells.allSatisfy { !$0.isEmpty }, "\(row)")
    }
  }

  @Test func `every named conformance case and suite is a test`() throws {
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
  func `each product has an article, and the example package runs the code of the article`()
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

  @Test func `every linked article exists`() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted() {
      for link in try page(name).matches(of: /<doc:([A-Za-z]+)>/) {
        #expect(throws: Never.self, "\(name)") { try page("\(link.1).md") }
      }
    }
  }

  private func contents(of path: String) throws -> String {
    String(decoding: try Data(contentsOf: Repository.root.appendingPathComponent(path)), as: UTF8.self)
  }

  /// Returns the source text of all tests.
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

/// Tests that the patches of the recipes apply. `.ci/recipes` also builds them, which takes half an hour.
@Suite struct RecipeTests {
  @Test(.enabled(if: Tool.isInstalled("git"), "needs git"))
  func `the patches of the recipes apply to the sources`() async throws {
    let recipes = Repository.root.appendingPathComponent(".ci/recipes.d")
    let names = try FileManager.default.contentsOfDirectory(atPath: recipes.path).sorted()
    #expect(names == ["cap", "condition", "rule", "section", "trigger"])
    for name in names {
      let outcome = try await Tool.run(
        ["git", "apply", "--check", "-C1", "\(recipes.path)/\(name)/change.patch"],
        of: URL(fileURLWithPath: "/usr/bin/env"), in: Repository.root)
      #expect(outcome.code == 0, "\(name): \(outcome.errors)")
    }
  }
}
