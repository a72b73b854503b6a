import Foundation
package import ScenarioModel
package import TextFormats
import TriggerModel

/// A kind of file that says what a scenario says, and more under a key of its own.
package struct WiderFile<Section: Sendable> {
  /// The kind that it says it has.
  package var kind: String
  package var key: String
  /// What stands under the key, for messages and the schema.
  package var doc: String
  package var format: Format<Section>
  /// Keys of a scenario that it does without.
  package var without: Set<String>

  package init(kind: String, key: String, doc: String, format: Format<Section>, without: Set<String> = []) {
    self.kind = kind
    self.key = key
    self.doc = doc
    self.format = format
    self.without = without
  }
}

extension ScenarioFile {
  /// What became of a file of a wider kind.
  package enum WiderOutcome<Section: Sendable>: Sendable {
    case file(Scenario, Located<Section>, warnings: [Diagnostic])
    case otherKind(String)
    case unusable([Diagnostic])
  }

  /// Reads a file of a wider kind, and the packs that it includes.
  ///
  /// - Parameters:
  ///   - settings: What takes the place of what they say.
  ///   - reach: What may be read; nil: what is usual for such a path.
  package static func load<Section>(
    _ path: String, as wider: WiderFile<Section>, settings: [ScenarioSetting] = [],
    in reach: ReachableFiles? = nil
  ) -> WiderOutcome<Section> {
    do throws(Diagnostic) {
      let found = FileFinder(path, reach ?? ReachableFiles(of: path))
      return read(
        try RegularFile.read(path, in: found.reach), file: path, as: wider, settings: settings,
        fileExists: found.exists, packFile: found.pack, in: found.reach)
    } catch {
      return .unusable([error])
    }
  }

  /// Reads the bytes of a file of a wider kind.
  package static func read<Section>(
    _ bytes: [UInt8], file: String, as wider: WiderFile<Section>, settings: [ScenarioSetting] = [],
    fileExists: @escaping (String) -> Bool,
    packFile: @escaping (String) throws(Diagnostic) -> PackBytes? = { _ in nil },
    in reach: ReachableFiles? = nil
  ) -> WiderOutcome<Section> {
    do throws(Diagnostic) {
      let source = try SourceText(file: file, bytes: bytes)
      let root = try YAMLDocument(source).root
      let reader = Reader(source: source, parts: .timeline, fileExists: fileExists)
      reader.reach = reach
      if let kind = otherKind(of: root, reader, than: wider.kind) { return .otherKind(kind) }
      let whole = Includes(reader: reader, packFile: packFile, settings: settings).resolve(root)
      return decode(whole, as: wider, reader)
    } catch {
      return .unusable([error])
    }
  }

  /// Reads a document of a wider kind that is complete.
  package static func decode<Section>(
    _ root: Node, as wider: WiderFile<Section>, _ reader: Reader
  ) -> WiderOutcome<Section> {
    guard !reader.hasErrors, case .mapping(let entries) = root.content else {
      return .unusable(reader.diagnostics.sortedByPosition())
    }
    reader.names.additions = ItemAddition.all(in: root)
    let (own, rest) = split(entries, wider, reader)
    let scenario = Format<Scenario>.scenario.read(
      Node(content: .mapping(rest), position: root.position), reader)
    var section: Located<Section>?
    if let own, own.key == wider.key {
      section = wider.format.read(own.value, reader).map { Located($0, at: own.keyPosition) }
    } else if let own {
      reader.error("unknown key '\(own.key)'", at: own.keyPosition, hint: "did you mean '\(wider.key)'?")
    } else {
      reader.error("the key '\(wider.key)' is missing", at: root.position, hint: "it is \(wider.doc)")
    }
    let diagnostics = reader.diagnostics.sortedByPosition()
    guard let scenario, let section, !reader.hasErrors else { return .unusable(diagnostics) }
    return .file(scenario, section, warnings: diagnostics)
  }

  /// The section that scenarios do not have, or what somebody took for its key, and everything else.
  private static func split<Section>(
    _ entries: [Node.Entry], _ wider: WiderFile<Section>, _ reader: Reader
  ) -> (own: Node.Entry?, rest: [Node.Entry]) {
    var own: Node.Entry?
    var rest: [Node.Entry] = []
    for var entry in entries {
      if entry.key == wider.key || NearestNames.likely(entry.key, among: [wider.key]) != nil, own == nil {
        own = entry
      } else if wider.without.contains(entry.key) {
        reader.error(
          "'\(entry.key)' does not belong into a \(wider.kind)", at: entry.keyPosition,
          hint: "it is for scenarios, of one story each")
      } else {
        if entry.key == "kind" { entry.value.content = .scalar("scenario") }
        rest.append(entry)
      }
    }
    return (own, rest)
  }
}

extension ScenarioDocument {
  /// Writes a file of a wider kind.
  package static func write<Section>(
    _ scenario: Scenario, _ parts: ScenarioParts, _ wider: WiderFile<Section>, _ section: Section
  ) throws(UnwritableScenario) -> JSONValue {
    let writer = Writer(context: ScenarioWriting(scenario, parts: parts))
    let whole = Format<Scenario>.scenario.write(scenario, writer)
    let own = writer.under(wider.key) { wider.format.write(section, writer) }
    if !writer.problems.isEmpty { throw UnwritableScenario(problems: writer.problems) }
    guard case .object(let members) = whole else { return whole }
    return .object(
      members.map { $0.key == "kind" ? .init("kind", .string(wider.kind)) : $0 } + [.init(wider.key, own)])
  }
}
