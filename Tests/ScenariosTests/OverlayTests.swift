import TestSupport
import Testing

@testable import TextFormats

/// Compares merged documents with the expected value at every path.
@Suite struct OverlayTests {
  /// Generates small trees from few distinct keys, so that two trees often have keys in common.
  private struct Trees {
    var random: SplitMix64

    mutating func node(depth: Int) -> Node {
      let content: Node.Content
      switch depth == 0 ? random.below(3) : random.below(6) {
      case 0: content = .sequence([])
      case 1, 2: content = .scalar(["a", "b", "none"][random.below(3)])
      default: content = .mapping(entries(depth: depth - 1))
      }
      return Node(content: content, position: .start)
    }

    mutating func entries(depth: Int) -> [Node.Entry] {
      let keys = ["p", "q", "r"].filter { _ in random.below(3) > 0 }
      return (keys.isEmpty ? ["p"] : keys).map {
        Node.Entry(key: $0, keyPosition: .start, value: node(depth: depth))
      }
    }
  }

  /// Returns the leaves of a document, keyed by path.
  private func leaves(_ entries: [Node.Entry], below path: [String] = []) -> [[String]: String] {
    var leaves: [[String]: String] = [:]
    for entry in entries {
      let here = path + [entry.key]
      switch entry.value.content {
      case .scalar(let text): leaves[here] = text
      case .sequence: leaves[here] = "[]"
      case .mapping(let inner): leaves.merge(self.leaves(inner, below: here)) { $1 }
      }
    }
    return leaves
  }

  @Test func `the upper document takes precedence, and the rest of the lower one is kept`() {
    var trees = Trees(random: SplitMix64(seed: 20_260_302))
    var touched = 0
    for round in 0..<2_000 {
      let (lower, upper) = (trees.entries(depth: 2), trees.entries(depth: 2))
      var overlay = Overlay(continuing: [])
      let result = leaves(overlay.lay(upper, over: lower))
      let (below, above) = (leaves(lower), leaves(upper))
      var expected = above
      for (path, text) in below {
        let isTouched = above.keys.contains { $0.starts(with: path) || path.starts(with: $0) }
        if isTouched { touched += 1 } else { expected[path] = text }
      }
      #expect(result == expected, "round \(round)")
    }
    #expect(touched > 1_000)
  }

  @Test func `merging an empty document, or a document with itself, has no effect`() {
    var trees = Trees(random: SplitMix64(seed: 7))
    for round in 0..<200 {
      let tree = trees.entries(depth: 2)
      var overlay = Overlay(continuing: [])
      #expect(leaves(overlay.lay([], over: tree)) == leaves(tree), "round \(round)")
      #expect(leaves(overlay.lay(tree, over: [])) == leaves(tree), "round \(round)")
      #expect(leaves(overlay.lay(tree, over: tree)) == leaves(tree), "round \(round)")
      #expect(overlay.losses.isEmpty)
    }
  }

  private func entries(_ yaml: String) throws -> [Node.Entry] {
    let root = try YAMLDocument(SourceText(file: "f", text: yaml)).root
    guard case .mapping(let entries) = root.content else { return [] }
    return entries
  }

  @Test func `lists are replaced, except those that are concatenated`() throws {
    var overlay = Overlay(continuing: ["gates"])
    let merged = overlay.lay(
      try entries("gates: [c]\nnames: [c]\nin: {gates: [c]}"),
      over: try entries("gates: [a, b]\nnames: [a, b]\nin: {gates: [a]}"))
    func texts(_ node: Node?) -> [String] {
      guard case .sequence(let items)? = node?.content else { return [] }
      return items.map { if case .scalar(let text) = $0.content { text } else { "?" } }
    }
    #expect(texts(merged[0].value) == ["a", "b", "c"])
    #expect(texts(merged[1].value) == ["c"])
    guard case .mapping(let inner) = merged[2].value.content else { return #expect(Bool(false)) }
    #expect(texts(inner[0].value) == ["c"])
  }

  @Test func `documents of equal rank merge shared lists without duplicates`() throws {
    var overlay = Overlay(continuing: [], sharing: ["links"])
    func texts(_ node: Node) -> [String] {
      switch node.content {
      case .scalar(let text): [text]
      case .sequence(let nodes): nodes.flatMap(texts)
      case .mapping(let entries): entries.flatMap { texts($0.value) }
      }
    }
    let first = try entries(
      "links: {hosts: [a, b], schemes: app, domains: none, startUp: {s: 1}}\nother: {hosts: a}")
    let second = try entries(
      "links: {hosts: [b, c], schemes: app, domains: x, startUp: 2 s, fresh: [y]}\nother: {hosts: b}")
    let merged = overlay.lay(second, nextTo: first)
    guard case .mapping(let links) = merged[0].value.content else { return #expect(Bool(false)) }
    #expect(links.map(\.key) == ["hosts", "schemes", "domains", "startUp", "fresh"])
    #expect(links.map { texts($0.value) } == [["a", "b", "c"], ["app"], ["x"], ["2 s"], ["y"]])
    #expect(texts(merged[1].value) == ["b"], "it is not shared")
    #expect(
      texts(overlay.lay(second, over: first)[0].value).prefix(2) == ["b", "c"], "one stands above the other")
  }

  @Test func `a text that replaces a mapping loses its keys, unless the text is 'none'`() throws {
    var overlay = Overlay(continuing: [])
    _ = overlay.lay(
      try entries("a: {x: 1, y: none}\nb: none\nc: 1"),
      over: try entries("a: {x: {k: 1, l: 2}, y: {k: 1}}\nb: {k: 1}\nc: 2"))
    #expect(overlay.losses.map(\.key.key) == ["x"])
    #expect(overlay.losses.map(\.lost) == [["k", "l"]])
  }
}
