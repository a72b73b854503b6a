import Foundation

/// Finds the files of a suite.
package enum SuiteFiles {
  package enum Problem: Error, CustomStringConvertible {
    case missing(String)
    case unreadable(String)
    case nothingFound([String])
    case nothingMatches(String, files: Int)

    package var description: String {
      switch self {
      case .missing(let path):
        "\(path): there is no such file or folder; 'triggerbench init' writes a first scenario"
      case .unreadable(let folder): "\(folder): the folder may not be read"
      case .nothingFound(let paths):
        "no .yaml or .yml file in \(paths.joined(separator: ", ")); 'triggerbench init' writes a first scenario"
      case .nothingMatches(let filter, let files):
        "--filter '\(filter)' matches no path; files without it: \(files)"
      }
    }
  }

  /// The path that denotes standard input.
  package static let standardInput = "-"

  /// Returns the named files and the files in the named folders, sorted by path within each folder. A file is
  /// returned once even if several paths refer to it.
  ///
  /// - Parameter filter: A string that each path must contain.
  package static func find(in paths: [String], filter: String?) throws(Problem) -> [String] {
    var files: [String] = []
    var known: Set<String> = []
    for path in paths {
      if path == standardInput {
        files.append(path)
        continue
      }
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw .missing(path) }
      for file in isFolder.boolValue ? try scenarios(below: path) : [path]
      where known.insert(resolved(file)).inserted {
        files.append(file)
      }
    }
    if files.isEmpty { throw .nothingFound(paths) }
    guard let filter else { return files }
    let chosen = files.filter { $0.contains(filter) }
    if chosen.isEmpty { throw .nothingMatches(filter, files: files.count) }
    return chosen
  }

  /// Returns the standard spelling of the path, without symbolic links.
  private static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }

  private static func scenarios(below folder: String) throws(Problem) -> [String] {
    let root = resolved(folder)
    let base = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    guard !isShut(root), let names = FileManager.default.enumerator(atPath: root) else {
      throw .unreadable(base)
    }
    var found: [String] = []
    for case let name as String in names
    where !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
      if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
        found.append(name)
      } else if isShut("\(root)/\(name)") {
        // Throw, because skipping an unreadable folder would silently drop its files.
        throw .unreadable("\(base)/\(name)")
      }
    }
    return found.sorted().map { "\(base)/\($0)" }
  }

  /// Whether the path is a folder without permission to read it.
  private static func isShut(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return !FileManager.default.isReadableFile(atPath: path)
      && FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
