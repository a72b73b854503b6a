import Testing

/// What the compiler does not check: how large a target is, and that its folders have an order too.
@Suite struct SourceTests {
  @Test func targetsAreOfASizeToBeRead() throws {
    let trees = try SourceTree.all()
    #expect(trees.count > 20, "these are not the sources")
    for tree in trees {
      #expect(tree.lineCount <= 4_000, "\(tree.name) has \(tree.lineCount) lines: part it")
    }
  }

  /// What programs write beside the sources is not taken in with them.
  @Test func theTopLevelHoldsWhatTheFrameNames() throws {
    let frame: Set = [
      "LICENSE", "Package.swift", "README.md", "Sources", "Tests", "reports", "scenarios",
      // Of the package manager, and not taken in.
      "Package.resolved",
    ]
    let names = try SourceTree.topLevel().filter { !$0.hasPrefix(".") }
    #expect(Set(names).subtracting(frame) == [])
    #expect(names.contains("Package.swift"), "this is not the package")
  }

  /// Time and chance are passed in: the same files give the same bytes.
  @Test func librariesAskTheMachineForNothing() throws {
    let measuring: Set = ["Benchmarks", "BenchmarkComparison", "BenchmarkStories", "triggerbench"]
    let trees = try SourceTree.all()
    let asking = trees.filter { !$0.ambient.isEmpty }.map(\.name)
    #expect(measuring.isSubset(of: asking), "nothing is found any more")
    for tree in trees where !measuring.contains(tree.name) { #expect(tree.ambient == []) }
  }

  /// A layer that is named and not used would be built before for nothing.
  @Test func aTargetImportsWhatTheManifestSaysOfIt() throws {
    let imports = Dictionary(uniqueKeysWithValues: try SourceTree.all().map { ($0.name, $0.imports) })
    let layers = try SourceTree.manifest().matches(of: /layer\(\s*"(\w+)", \[([^\]]*)\]/)
    #expect(layers.count > 20, "these are not the layers")
    for layer in layers {
      for dependency in layer.2.matches(of: /"(\w+)"/).map(\.1) {
        #expect(imports[String(layer.1)]?.contains(dependency) == true, "\(layer.1) imports no \(dependency)")
      }
    }
  }

  @Test func foldersOfATargetFormNoCycle() throws {
    for tree in try SourceTree.all() {
      #expect(tree.cycles == [])
    }
  }

  @Test func cyclesAreSeen() {
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

  @Test func whatIsNoCodeIsNoUse() {
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
