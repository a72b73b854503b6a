import Testing

/// What others can use of the library products is explained where it is declared.
@Suite struct DocumentationCommentTests {
  /// What the standard library's protocols ask for.
  private static let standard: Set<Substring> = [
    "description", "hash", "next", "init(rawValue", "init(arrayLiteral",
  ]

  @Test func eachPublicDeclarationOfAProductHasAComment() throws {
    let products = try SourceTree.manifest().matches(of: /\.library\(\s*name: "\w+",\s*targets: \[([^\]]*)\]/)
    let targets = Set(products.flatMap { $0.1.matches(of: /"(\w+)"/).map { String($0.1) } }).sorted()
    #expect(products.count > 4 && targets.count > 8, "these are not the products")
    let files = try targets.flatMap { target in
      try SourceTree.files(of: target).map { (path: "\(target)/\($0.name)", PublicDeclarations($0.source)) }
    }
    let requirements = files.reduce(into: Self.standard) { $0.formUnion($1.1.requirements) }
    for (path, declarations) in files {
      for (name, line) in declarations.silent where !requirements.contains(name) {
        Issue.record("\(path): no comment before '\(line)'")
      }
    }
  }

  @Test func whatHasNoneIsFound() {
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
    #expect(declarations.silent.map(\.name) == ["three", "isOne", "init(_", "rename"])
    #expect(declarations.requirements == ["name", "rename"])
  }
}
