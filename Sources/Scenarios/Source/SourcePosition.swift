/// A place in a text file: line and column, both counted from 1, columns in Unicode scalars.
package struct SourcePosition: Hashable, Comparable, Sendable, BitwiseCopyable {
  package var line: Int32
  package var column: Int32

  package init(line: Int, column: Int) {
    self.line = Int32(clamping: line)
    self.column = Int32(clamping: column)
  }

  package static let start = SourcePosition(line: 1, column: 1)

  /// The position this many scalars further to the right on the same line.
  package func advanced(by columns: Int) -> SourcePosition {
    SourcePosition(line: Int(line), column: Int(column) + columns)
  }

  package static func < (a: Self, b: Self) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}
