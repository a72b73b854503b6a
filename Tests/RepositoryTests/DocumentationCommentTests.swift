import Testing

/// Checks that every public declaration of the library products has a documentation comment.
@Suite struct DocumentationCommentTests {
  /// The requirements of the standard library's protocols, which need no comment.
  private static let standard: Set<Substring> = [
    "description", "hash", "next", "init(rawValue", "init(arrayLiteral",
  ]

  @Test func `each public declaration of a product has a comment`() throws {
    let products = try SourceTree.manifest().matches(of: /\.library\(\s*name: "\w+",\s*targets: \[([^\]]*)\]/)
    let targets = Set(products.flatMap { $0.1.matches(of: /"(\w+)"/).map { String($0.1) } }).sorted()
    #expect(products.count > 4 && targets.count > 8, "these are not the products")
    let files = try targets.flatMap { target in
      try SourceTree.files(of: target).map { (path: "\(target)/\($0.name)", PublicDeclarations($0.source)) }
    }
    let requirements = files.reduce(into: Self.standard) { $0.formUnion($1.1.requirements) }
    for (path, declarations) in files {
      for (name, line) in declarations.undocumented where !requirements.contains(name) {
        Issue.record("\(path): no comment before '\(line)'")
      }
    }
  }

  @Test func `a declaration without a comment is found`() {
    let declarations = PublicDeclarations(
      """
      public import Other

      /// A kind.
      public enum Kind: Int {
        /// Two of them.
        case one, two
        case three

        @inlinable
        // Why it is so.
        public var isOne: Bool {
          switch self {
          case .one: true
          default: false
          }
        }

        public static func < (a: Kind, b: Kind) -> Bool { a.rawValue < b.rawValue }
        public init(_ other: Other) { self = .one }
        func internally() {}
      }

      /// Whoever has a name.
      // And why.
      @frozen
      public protocol Named {
        /// It.
        var name: String { get }
        func rename(
          to name: String)
      }
      """)
    #expect(declarations.undocumented.map(\.name) == ["three", "isOne", "init(_", "rename"])
    #expect(declarations.requirements == ["name", "rename"])
  }
}

/// The public declarations of a Swift file formatted by swift-format. Each declaration starts on its own
/// line.
struct PublicDeclarations {
  /// The name and line of each declaration without a documentation comment.
  private(set) var undocumented: [(name: Substring, line: Substring)] = []
  /// The requirements of public protocols. Conforming types need not document them again.
  private(set) var requirements: Set<Substring> = []

  init(_ source: String) {
    var isCommented = false
    // The latest declaration at each indentation. It encloses deeper declarations.
    var owners: [Int: Substring] = [:]
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.drop { $0 == " " }
      let indent = line.count - text.count
      if text.hasPrefix("///") {
        isCommented = true
      } else if !text.hasPrefix("//"), !Self.isAttribute(text) {
        let owner = owners[indent - 2] ?? ""
        let isRequirement = owner.hasPrefix("public protocol ")
        let isCase = owner.hasPrefix("public enum ") && text.hasPrefix("case ")
        if isRequirement || isCase || Self.isPublic(text), let name = Self.name(of: text) {
          if isRequirement { requirements.insert(name) }
          if !isCommented { undocumented.append((name, text)) }
        }
        if let first = text.first, !"})".contains(first) { owners[indent] = text }
        isCommented = false
      }
    }
  }

  /// Returns whether a line consists of attributes for the declaration on the next line.
  private static func isAttribute(_ line: Substring) -> Bool {
    line.hasPrefix("@") && line.split(separator: " ").allSatisfy { $0.hasPrefix("@") }
  }

  private static func isPublic(_ line: Substring) -> Bool {
    let words = line.split(separator: " ").drop { $0.hasPrefix("@") }
    return words.first == "public" && words.dropFirst().first != "import"
  }

  /// Returns the declared name, or `nil` if the line declares nothing. Operators count as nothing because
  /// their sign documents them.
  private static func name(of line: Substring) -> Substring? {
    let named = /\b(?:func|var|let|struct|enum|class|actor|protocol|typealias|associatedtype|case) `?(\w+)/
    return line.firstMatch(of: named)?.1 ?? line.firstMatch(of: /\b(?:init|subscript)\W*\w*/)?.0
  }
}
