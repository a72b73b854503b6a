package import ScenarioModel
package import TextFormats
import TriggerModel

/// Reads scenario files.
package enum ScenarioFile {
  /// The outcome of reading a file.
  package enum Outcome: Sendable {
    /// A valid scenario. The diagnostics are warnings.
    case scenario(Scenario, warnings: [Diagnostic])
    /// A file of another kind, which is skipped.
    case otherKind(String)
    /// A file with errors. The diagnostics are in the order of the file.
    case unusable([Diagnostic])
  }

  /// Loads a file and the packs that it includes. Checks that recordings exist, but does not read them.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to use instead of the contents of the file, or `nil` to read the file.
  ///   - settings: Values that override those of the file and its packs.
  ///   - reach: The files that may be read, or `nil` for the default of a file at this path.
  package static func load(
    _ path: String, bytes: [UInt8]? = nil, settings: [ScenarioSetting] = [], in reach: ReachableFiles? = nil
  ) -> Outcome {
    do throws(Diagnostic) {
      let found = FileFinder(path, reach ?? ReachableFiles(of: path))
      var content = bytes ?? []
      if bytes == nil { content = try RegularFile.read(path, in: found.reach) }
      return read(
        content, file: path, settings: settings,
        fileExists: found.exists, packFile: found.pack, in: found.reach)
    } catch {
      return .unusable([error])
    }
  }

  /// Reads the bytes of a file.
  ///
  /// - Parameters:
  ///   - fileExists: Returns whether a recording exists.
  ///   - packFile: Returns the file of a pack for a name in `include`.
  package static func read(
    _ bytes: [UInt8], file: String, settings: [ScenarioSetting] = [],
    fileExists: @escaping (String) -> Bool,
    packFile: @escaping (String) throws(Diagnostic) -> PackBytes? = { _ in nil },
    in reach: ReachableFiles? = nil
  ) -> Outcome {
    do throws(Diagnostic) {
      let source = try SourceText(file: file, bytes: bytes)
      let root = try YAMLDocument(source).root
      let reader = Reader(source: source, fileExists: fileExists)
      reader.reach = reach
      if let kind = otherKind(of: root, reader, than: "scenario") { return .otherKind(kind) }
      return decode(Includes(reader: reader, packFile: packFile, settings: settings).resolve(root), reader)
    } catch {
      return .unusable([error])
    }
  }

  /// Reads a complete document.
  static func decode(_ root: Node, _ reader: Reader) -> Outcome {
    reader.names.additions = ItemAddition.all(in: root)
    // After an error in the document, further errors would only be consequences of it.
    let scenario = reader.hasErrors ? nil : Format<Scenario>.scenario.read(root, reader)
    let diagnostics = reader.diagnostics.sortedByPosition()
    if let scenario, !reader.hasErrors { return .scenario(scenario, warnings: diagnostics) }
    let file = reader.files.own.file
    return .unusable(
      reader.hasErrors ? diagnostics : diagnostics + [Diagnostic("the file cannot be used", file: file)])
  }

  /// Returns the kind of a file, or `nil` if it is the expected kind. Reports a missing kind.
  static func otherKind(of root: Node, _ reader: Reader, than wanted: String) -> String? {
    guard case .mapping(let entries) = root.content else {
      reader.error(
        "a \(wanted) must be a mapping, not \(root.kindName)", at: root.position,
        hint: "begin with 'kind: \(wanted)'")
      return nil
    }
    guard let entry = entries.first(where: { $0.key == "kind" }) else {
      reader.error(
        "the key 'kind' is missing", at: root.position,
        hint: "a \(wanted) begins with 'kind: \(wanted)' and 'version: 1'")
      return nil
    }
    guard case .scalar(let kind) = entry.value.content, !kind.isEmpty else { return nil }
    // A similar word is treated as a misspelling of the expected kind.
    if kind == wanted || NearestNames.distance(kind, wanted) <= 2 { return nil }
    return kind
  }
}

/// Locates the recordings and packs to which a file refers.
struct FileFinder {
  let reach: ReachableFiles
  private let path: String

  init(_ path: String, _ reach: ReachableFiles) {
    self.path = path
    self.reach = reach
  }

  /// Returns whether a file exists. A file that must not be read counts as existing, because the code that
  /// opens it reports the error.
  func exists(_ name: String) -> Bool { reach.place(of: name) != .missing }

  /// Returns the bytes of a pack file, or `nil` if the file does not exist.
  func pack(_ name: String) throws(Diagnostic) -> PackBytes? {
    let shown = path.lastIndex(of: "/").map { path[...$0] + name } ?? name
    let file = name.hasPrefix("/") ? name : shown
    switch reach.place(of: name) {
    case .missing: return nil
    case .outside:
      throw Diagnostic("the pack \(ReachableFiles.problem)", file: file, hint: ReachableFiles.remedy)
    case .file(let place): return PackBytes(name: file, bytes: try RegularFile.read(place, named: file))
    }
  }
}
