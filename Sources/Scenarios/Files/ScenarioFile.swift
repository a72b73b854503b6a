package import ScenarioModel
package import TextFormats
import TriggerModel

/// Reads scenario files.
package enum ScenarioFile {
  /// What became of a file.
  package enum Outcome: Sendable {
    /// It can be run; the diagnostics are warnings.
    case scenario(Scenario, warnings: [Diagnostic])
    /// It says that it is something else: it is counted and left alone.
    case otherKind(String)
    /// It cannot be used; the diagnostics say why, in the order of the file.
    case unusable([Diagnostic])
  }

  /// Reads a file, and the packs that it includes. Recordings that it names must exist; they are not read.
  ///
  /// - Parameters:
  ///   - bytes: What takes the place of what the file holds.
  ///   - settings: What takes the place of what they say.
  ///   - reach: What may be read; nil: what is usual for such a path.
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

  /// Reads the bytes of a file. `fileExists` tells whether a recording exists, and `packFile` finds the file
  /// of a pack, named as in the file.
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

  /// Reads a document that is complete.
  static func decode(_ root: Node, _ reader: Reader) -> Outcome {
    reader.names.additions = ItemAddition.all(in: root)
    // What follows from a document that is not as it was meant helps nobody.
    let scenario = reader.hasErrors ? nil : Format<Scenario>.scenario.read(root, reader)
    let diagnostics = reader.diagnostics.sortedByPosition()
    if let scenario, !reader.hasErrors { return .scenario(scenario, warnings: diagnostics) }
    let file = reader.files.own.file
    return .unusable(
      reader.hasErrors ? diagnostics : diagnostics + [Diagnostic("the file cannot be used", file: file)])
  }

  /// The kind that a file says it has, when that is not the one asked for. What says nothing is reported.
  static func otherKind(of root: Node, _ reader: Reader, than wanted: String) -> String? {
    guard case .mapping(let entries) = root.content else {
      reader.error(
        "a \(wanted) is a mapping, and this is \(root.kindName)", at: root.position,
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
    // A slip of the pen is not another kind of file.
    if kind == wanted || NearestNames.distance(kind, wanted) <= 2 { return nil }
    return kind
  }
}

/// Finds the files that another one names.
struct FileFinder {
  let reach: ReachableFiles
  private let path: String

  init(_ path: String, _ reach: ReachableFiles) {
    self.path = path
    self.reach = reach
  }

  /// What lies outside is for whoever reads it to refuse.
  func exists(_ name: String) -> Bool { reach.place(of: name) != .missing }

  /// The bytes of a pack's file; nil when there is no such file.
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
