package import ScenarioModel
package import TextFormats
import TriggerModel

/// Reads scenario files.
package enum ScenarioFile {
  /// The outcome of reading a file.
  package enum Outcome: Sendable {
    /// The file can be run; the diagnostics are warnings.
    case scenario(Scenario, warnings: [Diagnostic])
    /// The file is of another kind and is skipped.
    case otherKind(String)
    /// The file cannot be used; the diagnostics say why, in the order of the file.
    case unusable([Diagnostic])
  }

  /// Loads a file and the packs that it includes. Recordings must exist; they are not read.
  ///
  /// - Parameters:
  ///   - bytes: Bytes that replace the content of the file.
  ///   - settings: Values that replace those of the file and its packs.
  ///   - reach: The files that may be read, or nil for the usual files of the path.
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
  ///   - packFile: Returns the file of a pack by the name that the scenario gives.
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
    // Errors that follow from an incomplete document would help no one.
    let scenario = reader.hasErrors ? nil : Format<Scenario>.scenario.read(root, reader)
    let diagnostics = reader.diagnostics.sortedByPosition()
    if let scenario, !reader.hasErrors { return .scenario(scenario, warnings: diagnostics) }
    let file = reader.files.own.file
    return .unusable(
      reader.hasErrors ? diagnostics : diagnostics + [Diagnostic("the file cannot be used", file: file)])
  }

  /// Returns the kind of a file if it is not the wanted one. Reports a missing kind.
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
    // A misspelled kind is not another kind.
    if kind == wanted || NearestNames.distance(kind, wanted) <= 2 { return nil }
    return kind
  }
}

/// Finds the files that another file names.
struct FileFinder {
  let reach: ReachableFiles
  private let path: String

  init(_ path: String, _ reach: ReachableFiles) {
    self.path = path
    self.reach = reach
  }

  /// Returns whether a file exists. A file outside the reach counts as existing; whoever reads it reports the
  /// error.
  func exists(_ name: String) -> Bool { reach.place(of: name) != .missing }

  /// Returns the bytes of a pack's file, or nil if there is no such file.
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
