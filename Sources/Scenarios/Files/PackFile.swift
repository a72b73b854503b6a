package import TextFormats

/// Reads a pack without a scenario that includes it.
package enum PackFile {
  /// The `kind` of pack files.
  package static let kind = PackHeader.kindName

  /// Loads the file of a pack. For a valid pack, the outcome is a scenario with an empty time line.
  ///
  /// - Parameter reach: The files that may be read, or `nil` for the default of a file at this path.
  package static func load(_ path: String, in reach: ReachableFiles? = nil) -> ScenarioFile.Outcome {
    do throws(Diagnostic) {
      return read(try RegularFile.read(path, in: reach ?? ReachableFiles(of: path)), file: path)
    } catch {
      return .unusable([error])
    }
  }

  /// Reads the bytes of a pack. Names that only an including scenario can declare are unknown.
  package static func read(_ bytes: [UInt8], file: String) -> ScenarioFile.Outcome {
    do throws(Diagnostic) {
      let source = try SourceText(file: file, bytes: bytes)
      let root = try YAMLDocument(source).root
      let reader = Reader(source: source, isStandalonePack: true) { _ in false }
      return ScenarioFile.decode(story(of: root, reader), reader)
    } catch {
      return .unusable([error])
    }
  }

  /// Returns the pack as a scenario without events.
  static func story(of root: Node, _ reader: Reader) -> Node {
    let declarations = PackHeader.read(root, reader) ?? []
    return Node(
      content: .mapping(emptyStory(at: root.position) + declarations), position: root.position)
  }

  /// Returns the minimum of entries that make a pack a scenario.
  private static func emptyStory(at position: SourcePosition) -> [Node.Entry] {
    let keys = [
      ("kind", "scenario"), ("version", "1"), ("title", "A pack"), ("zone", "UTC"),
      ("start", "2026-01-01T00:00"),
    ]
    func entry(_ key: String, _ content: Node.Content) -> Node.Entry {
      Node.Entry(key: key, keyPosition: position, value: Node(content: content, position: position))
    }
    let always = Node(content: .scalar("fires >= 0"), position: position)
    return keys.map { entry($0.0, .scalar($0.1)) } + [entry("expect", .sequence([always]))]
  }
}
