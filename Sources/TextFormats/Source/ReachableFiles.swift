import Foundation

/// Which files a document may name: those below its root. A pull request brings documents; what they name may not
/// show what lies elsewhere on the machine that runs them.
///
/// The root is the nearest folder around the document that holds `.git`; without one the folder in which it was
/// searched for, else its own. Files and folders whose names begin with a dot (`.git`, `.env`) are outside, but for
/// those in which the document lies itself. Links lead where they lead.
package struct ReachableFiles: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// There is something to read, under this path without links. It may be a pipe, see ``RegularFile``.
    case file(String)
    /// There is nothing of the name, or a folder.
    case missing
    /// Whether anything is there is nobody's business.
    case outside
  }

  /// What is wrong with a name that leads outside, and what to do.
  package static let problem = "lies outside of what may be read"
  package static let remedy =
    "files are read below the nearest folder that holds '.git', without one below the folder that is searched or "
    + "the file's own, and none whose names begin with a dot; '--allow-path DIR' adds a folder"

  /// The document as it was named.
  private var document: String
  /// Where names are looked for, and the same without links.
  private var folder: String
  private var place: [String]
  private let root: [String]?
  /// Folders that are allowed besides.
  private let allowed: [[String]]

  /// Nothing can be named.
  package static let nothing = ReachableFiles()

  private init() {
    (document, folder, place, root, allowed) = ("", "", [], nil, [])
  }

  /// - Parameters:
  ///   - document: The path of the file that names others.
  ///   - searched: The folders in which files are searched for; those that do not hold it do not matter.
  ///   - allowed: What else may be read.
  package init(of document: String, searched: [String] = [], allowing allowed: [String] = []) {
    self.document = document
    folder = Self.folder(of: document)
    let place = Self.withoutLinks(folder) ?? []
    self.place = place
    let repository = (0...place.count).reversed().first { length in
      FileManager.default.fileExists(atPath: Self.path(Array(place[..<length]) + [".git"]))
    }
    let folders = searched.compactMap(Self.withoutLinks).filter { place.starts(with: $0) }
    root = repository.map { Array(place[..<$0]) } ?? folders.min { $0.count < $1.count } ?? place
    self.allowed = allowed.compactMap(Self.withoutLinks)
  }

  /// The same for another document, which lies in reach of this one: its root and what is allowed are this one's.
  package func of(_ other: String) -> ReachableFiles {
    var reach = self
    reach.document = other
    reach.folder = Self.folder(of: other)
    reach.place = Self.withoutLinks(reach.folder) ?? []
    return reach
  }

  /// The document itself: a link to it may not lead outside either.
  package var own: Place {
    guard let target = Self.withoutLinks(document) else { return .missing }
    // A file that is named as it is may be called anything.
    let isLink = target != place + Self.names(in: document).suffix(1)
    return isLink ? whether(target) : Self.kind(of: target)
  }

  /// What a name stands for, which is relative to the document's folder.
  package func place(of name: String) -> Place {
    guard root != nil else { return .outside }
    guard let target = Self.withoutLinks(path(of: name)) else {
      return .outside
    }
    return whether(target)
  }

  /// Whether there is something to read under a name.
  package func holds(_ name: String) -> Bool {
    if case .file = place(of: name) { true } else { false }
  }

  /// A name as a path, wherever it leads.
  package func path(of name: String) -> String { name.hasPrefix("/") ? name : folder + "/" + name }

  private func whether(_ target: [String]) -> Place {
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

  /// The names that lead to a path from the top, each link followed; nil when they go in a circle. What does not
  /// exist is taken as it is written. Nothing is opened.
  private static func withoutLinks(_ path: String) -> [String]? {
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
