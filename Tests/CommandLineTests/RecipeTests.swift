import Foundation
import Testing

/// `.ci/recipes` builds what its patches make, which takes half an hour: here is only looked whether they still fit.
@Suite struct RecipeTests {
  @Test(.enabled(if: Tool.isInstalled("git"), "needs git"))
  func `the patches of the recipes apply to the sources as they are`() async throws {
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
