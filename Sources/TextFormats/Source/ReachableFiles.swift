import Foundation

/// The files that a document may refer to: those below its root. A document may be from a pull request, so it
/// must not reveal other files of the machine.
///
/// The root is the nearest enclosing folder that contains `.git`. If there is none, the root is the folder
/// that was searched for documents, or otherwise the document's own folder. Files and folders whose names
/// start with a dot (`.git`, `.env`) are excluded, except those that contain the document. Symbolic links are
/// followed.
package struct ReachableFiles: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// A readable item at this path, with links resolved. The item may be a pipe; see ``RegularFile``.
    case file(String)
    /// The item does not exist or is a folder.
    case missing
    /// The path leads outside. Whether it exists is not revealed.
    case outside
  }

  /// The error message for a path that leads outside. It continues a sentence that starts with the path.
  package static let problem = "is outside of the readable folders"
  package static let remedy =
    "readable are files below the nearest folder with '.git', otherwise below the searched folder or the file's "
    + "own, except names that begin with a dot; '--allow-path DIR' adds a folder"

  /// The path of the document as the user gave it.
  private var document: String
  /// The folder of the document as the user stated it. ``place`` is the same folder with links resolved.
  private var folder: String
  private var place: [String]
  private let root: [String]?
  /// The additional folders that the document may refer to.
  private let allowed: [[String]]

  /// A value that makes no file reachable.
  package static let nothing = ReachableFiles()

  private init() {
    (document, folder, place, root, allowed) = ("", "", [], nil, [])
  }

  /// - Parameters:
  ///   - document: The path of the file that refers to others.
  ///   - searched: The folders that were searched for documents. A folder that does not contain the document
  ///     has no effect.
  ///   - allowed: Additional readable folders.
  package init(of document: String, searched: [String] = [], allowing allowed: [String] = []) {
    self.document = document
    folder = Self.folder(of: document)
    let place = Self.resolvingLinks(folder) ?? []
    self.place = place
    let repository = (0...place.count).reversed().first { length in
      FileManager.default.fileExists(atPath: Self.path(Array(place[..<length]) + [".git"]))
    }
    let folders = searched.compactMap(Self.resolvingLinks).filter { place.starts(with: $0) }
    root = repository.map { Array(place[..<$0]) } ?? folders.min { $0.count < $1.count } ?? place
    self.allowed = allowed.compactMap(Self.resolvingLinks)
  }

  /// Returns the files that another document may refer to if this one refers to it. The root and the allowed
  /// folders stay the same.
  package func of(_ other: String) -> ReachableFiles {
    var reach = self
    reach.document = other
    reach.folder = Self.folder(of: other)
    reach.place = Self.resolvingLinks(reach.folder) ?? []
    return reach
  }

  /// The location of the document itself. If the document is a link, the link must not lead outside.
  package var own: Place {
    guard let target = Self.resolvingLinks(document) else { return .missing }
    // A document that is not a link may have any name.
    let isLink = target != place + Self.names(in: document).suffix(1)
    return isLink ? placeInReach(target) : Self.kind(of: target)
  }

  /// Returns the location of a path relative to the document's folder.
  package func place(of name: String) -> Place {
    guard root != nil else { return .outside }
    guard let target = Self.resolvingLinks(path(of: name)) else {
      return .outside
    }
    return placeInReach(target)
  }

  /// Returns whether a path refers to a readable item.
  package func holds(_ name: String) -> Bool {
    if case .file = place(of: name) { true } else { false }
  }

  /// Returns the absolute path for a name, even if it leads outside.
  package func path(of name: String) -> String { name.hasPrefix("/") ? name : folder + "/" + name }

  private func placeInReach(_ target: [String]) -> Place {
    if allowed.contains(where: { target.starts(with: $0) }) { return Self.kind(of: target) }
    guard let root, target.starts(with: root) else { return .outside }
    for index in root.count..<target.count where target[index].hasPrefix(".") {
      guard place.count > index, place[...index] == target[...index] else { return .outside }
    }
    return Self.kind(of: target)
  }

  private static func kind(of target: [String]) -> Place {
    let path = path(target)
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return exists && !isFolder.boolValue ? .file(path) : .missing
  }

  private static func folder(of document: String) -> String {
    document.lastIndex(of: "/").map { String(document[...$0]) } ?? "."
  }

  private static func path(_ names: [String]) -> String { "/" + names.joined(separator: "/") }

  /// Returns the components of an absolute path with links resolved, or `nil` if the links form a cycle.
  /// Keeps components that do not exist. Does not open files.
  private static func resolvingLinks(_ path: String) -> [String]? {
    let start = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
    var rest = Array(names(in: start + path).reversed())
    var done: [String] = []
    var links = 0
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        _ = done.popLast()
        continue
      }
      done.append(name)
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: Self.path(done)) else {
        continue
      }
      links += 1
      if links > 40 { return nil }
      if target.hasPrefix("/") { done = [] } else { done.removeLast() }
      rest += names(in: target).reversed()
    }
    return done
  }

  private static func names(in path: String) -> [String] {
    path.split(separator: "/").map(String.init)
  }
}
