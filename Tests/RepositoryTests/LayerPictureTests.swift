import Testing

/// The README's picture of the layers, held against what the sources import.
@Suite struct LayerPictureTests {
  @Test func aTargetImportsOnlyWhatIsBelowItOrToItsRight() throws {
    let lines = try SourceTree.readme()
    let start = try #require(lines.firstIndex { $0.hasPrefix("A target imports only those below it") })
    let picture = lines[start...].dropFirst(3).prefix { $0 != "```" }
    let trees = try SourceTree.all().filter { $0.name != "DeterministicMath" }
    // Row and column.
    var places: [Substring: (Int, Int)] = [:]
    for tree in trees {
      let name = Substring(tree.name)
      for (row, line) in picture.enumerated() {
        let words = line.split(separator: " ")
        if let column = words.firstIndex(of: name) { places[name] = (row, column) }
      }
      #expect(places[name] != nil, "\(name) is not in the picture")
    }
    for tree in trees {
      guard let own = places[Substring(tree.name)] else { continue }
      for other in tree.imports.sorted() {
        guard let place = places[other] else { continue }
        #expect(own < place, "\(tree.name) imports \(other), which is not below it")
      }
    }
  }
}
