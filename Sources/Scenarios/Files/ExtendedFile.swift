package import ScenarioModel
package import TextFormats
import TriggerModel

/// A kind of file with the keys of a scenario and one additional section.
package struct ExtendedFile<Section: Sendable> {
  /// The `kind` of the file.
  package var kind: String
  package var key: String
  /// A description of the section for messages and the schema.
  package var doc: String
  package var format: Format<Section>
  /// The scenario keys that are not allowed in the file.
  package var without: Set<String> = []
}

extension ScenarioFile {
  /// The outcome of reading a file that has an additional section.
  package enum ExtendedOutcome<Section: Sendable>: Sendable {
    case file(Scenario, Located<Section>, warnings: [Diagnostic])
    case otherKind(String)
    case unusable([Diagnostic])
  }

  /// Loads a file with an additional section, and the packs that it includes.
  ///
  /// - Parameters:
  ///   - settings: Values that override those of the file and its packs.
  ///   - reach: The files that may be read, or `nil` for the default of a file at this path.
  package static func load<Section>(
    _ path: String, as extended: ExtendedFile<Section>, settings: [ScenarioSetting] = [],
    in reach: ReachableFiles? = nil
  ) -> ExtendedOutcome<Section> {
    do throws(Diagnostic) {
      let found = FileFinder(path, reach ?? ReachableFiles(of: path))
      return read(
        try RegularFile.read(path, in: found.reach), file: path, as: extended, settings: settings,
        fileExists: found.exists, packFile: found.pack, in: found.reach)
    } catch {
      return .unusable([error])
    }
  }

  /// Reads the bytes of a file with an additional section.
  package static func read<Section>(
    _ bytes: [UInt8], file: String, as extended: ExtendedFile<Section>, settings: [ScenarioSetting] = [],
    fileExists: @escaping (String) -> Bool,
    packFile: @escaping (String) throws(Diagnostic) -> PackBytes? = { _ in nil },
    in reach: ReachableFiles? = nil
  ) -> ExtendedOutcome<Section> {
    do throws(Diagnostic) {
      let source = try SourceText(file: file, bytes: bytes)
      let root = try YAMLDocument(source).root
      let reader = Reader(source: source, parts: .timeline, fileExists: fileExists)
      reader.reach = reach
      if let kind = otherKind(of: root, reader, than: extended.kind) { return .otherKind(kind) }
      let whole = Includes(reader: reader, packFile: packFile, settings: settings).resolve(root)
      return decode(whole, as: extended, reader)
    } catch {
      return .unusable([error])
    }
  }

  /// Reads a complete document with an additional section.
  package static func decode<Section>(
    _ root: Node, as extended: ExtendedFile<Section>, _ reader: Reader
  ) -> ExtendedOutcome<Section> {
    guard !reader.hasErrors, case .mapping(let entries) = root.content else {
      return .unusable(reader.diagnostics.sortedByPosition())
    }
    reader.names.additions = ItemAddition.all(in: root)
    let (own, rest) = split(entries, extended, reader)
    let scenario = Format<Scenario>.scenario.read(
      Node(content: .mapping(rest), position: root.position), reader)
    var section: Located<Section>?
    if let own, own.key == extended.key {
      section = extended.format.read(own.value, reader).map { Located($0, at: own.keyPosition) }
    } else if let own {
      reader.error("unknown key '\(own.key)'", at: own.keyPosition, hint: "did you mean '\(extended.key)'?")
    } else {
      reader.error("the key '\(extended.key)' is missing", at: root.position, hint: "it is \(extended.doc)")
    }
    let diagnostics = reader.diagnostics.sortedByPosition()
    guard let scenario, let section, !reader.hasErrors else { return .unusable(diagnostics) }
    return .file(scenario, section, warnings: diagnostics)
  }

  /// Returns the entry of the additional section, and all other entries. Also finds the section if its key is
  /// misspelled.
  private static func split<Section>(
    _ entries: [Node.Entry], _ extended: ExtendedFile<Section>, _ reader: Reader
  ) -> (own: Node.Entry?, rest: [Node.Entry]) {
    var own: Node.Entry?
    var rest: [Node.Entry] = []
    for var entry in entries {
      if entry.key == extended.key || NearestNames.likely(entry.key, among: [extended.key]) != nil, own == nil
      {
        own = entry
      } else if extended.without.contains(entry.key) {
        reader.error(
          "'\(entry.key)' does not belong in a \(extended.kind)", at: entry.keyPosition,
          hint: "only scenarios have it")
      } else {
        if entry.key == "kind" { entry.value.content = .scalar("scenario") }
        rest.append(entry)
      }
    }
    return (own, rest)
  }
}

extension ScenarioDocument {
  /// Writes a file with an additional section.
  package static func write<Section>(
    _ scenario: Scenario, _ parts: ScenarioParts, _ extended: ExtendedFile<Section>, _ section: Section
  ) throws(UnwritableScenario) -> JSONValue {
    let writer = Writer(context: ScenarioWritingContext(scenario, parts: parts))
    let whole = Format<Scenario>.scenario.write(scenario, writer)
    let own = writer.under(extended.key) { extended.format.write(section, writer) }
    if !writer.problems.isEmpty { throw UnwritableScenario(problems: writer.problems) }
    guard case .object(let members) = whole else { return whole }
    return .object(
      members.map { $0.key == "kind" ? .init("kind", .string(extended.kind)) : $0 } + [
        .init(extended.key, own)
      ])
  }
}
