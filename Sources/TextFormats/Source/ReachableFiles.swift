import Foundation

/// The files that a document may name: those below its root. A pull request can contain documents, which must
/// not reveal other files of the machine that runs them.
///
/// The root is the nearest folder around the document that contains `.git`. Without one it is the folder in
/// which the document was searched for, otherwise its own folder. Files and folders whose names begin with a
/// dot (`.git`, `.env`) are excluded, except those that contain the document. Links are followed.
package struct ReachableFiles: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// A readable item at this path, in which links are resolved. It may be a pipe; see ``RegularFile``.
    case file(String)
    /// Nothing has this name, or it is a folder.
    case missing
    /// The name is outside. Whether it exists is not revealed.
    case outside
  }

  /// The problem with a name that leads outside, and what to do.
  package static let problem = "is outside of the readable folders"
  package static let remedy =
    "readable are files below the nearest folder with '.git', otherwise below the searched folder or the file's "
    + "own, except names that begin with a dot; '--allow-path DIR' adds a folder"

  /// The path of the document as it was named.
  private var document: String
  /// The folder of the document, and the same with links resolved.
  private var folder: String
  private var place: [String]
  private let root: [String]?
  /// Folders that are allowed in addition.
  private let allowed: [[String]]

  /// No file can be named.
  package static let nothing = ReachableFiles()

  private init() {
    (document, folder, place, root, allowed) = ("", "", [], nil, [])
  }

  /// - Parameters:
  ///   - document: The path of the file that names others.
  ///   - searched: The folders in which files are searched for. Those that do not contain the document have
  /// no effect.
  ///   - allowed: Further readable folders.
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

  /// Returns the files of another document that this one names, with the same root and allowed folders.
  package func of(_ other: String) -> ReachableFiles {
    var reach = self
    reach.document = other
    reach.folder = Self.folder(of: other)
    reach.place = Self.resolvingLinks(reach.folder) ?? []
    return reach
  }

  /// The document itself: a link to it must not lead outside either.
  package var own: Place {
    guard let target = Self.resolvingLinks(document) else { return .missing }
    // A document that is not a link may have any name.
    let isLink = target != place + Self.names(in: document).suffix(1)
    return isLink ? placeInReach(target) : Self.kind(of: target)
  }

  /// Returns the item that a name, relative to the document's folder, refers to.
  package func place(of name: String) -> Place {
    guard root != nil else { return .outside }
    guard let target = Self.resolvingLinks(path(of: name)) else {
      return .outside
    }
    return placeInReach(target)
  }

  /// Whether a name refers to a readable item.
  package func holds(_ name: String) -> Bool {
    if case .file = place(of: name) { true } else { false }
  }

  /// Returns a name as a path, wherever it leads.
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

  /// Returns the components of a path from the root with links resolved, or `nil` if they form a circle.
  /// Components that do not exist are kept. No file is opened.
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
