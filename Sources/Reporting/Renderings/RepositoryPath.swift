/// Names files as an annotation must: from the top of the repository, wherever the tool runs in it.
package struct RepositoryPath: Sendable {
  private let folder: String
  private let tops: [[Substring]]

  /// - Parameters:
  ///   - folder: The full path of the folder that the tool runs in.
  ///   - workspace: The full path of the repository's top, where that is known; otherwise the folder counts as it.
  package init(folder: String, workspace: String?) {
    self.folder = folder
    tops = [workspace ?? "", folder].map(Self.parts).filter { !$0.isEmpty }
  }

  /// A file below the top, by its path from there; any other as it is named.
  func name(_ file: String) -> String {
    let parts = Self.parts(file.hasPrefix("/") ? file : "\(folder)/\(file)")
    let top = tops.first { parts.count > $0.count && parts.starts(with: $0) }
    return top.map { parts.dropFirst($0.count).joined(separator: "/") } ?? file
  }

  /// The names that a path goes through.
  private static func parts(_ path: String) -> [Substring] {
    path.split(separator: "/").reduce(into: []) { parts, part in
      switch part {
      case ".": break
      case "..": _ = parts.popLast()
      default: parts.append(part)
      }
    }
  }
}
