/// A position in a text file: its line and its column, both from 1. Columns count Unicode scalars.
package struct SourcePosition: Hashable, Comparable, Sendable, BitwiseCopyable {
  package var line: Int32
  package var column: Int32
  /// The index of the file in ``SourceFiles``. The document's own file is 0.
  package var file: UInt16

  package init(line: Int, column: Int, file: UInt16 = 0) {
    self.line = Int32(clamping: line)
    self.column = Int32(clamping: column)
    self.file = file
  }

  package static let start = SourcePosition(line: 1, column: 1)

  /// Returns the position that is `columns` scalars to the right on the same line.
  package func advanced(by columns: Int) -> SourcePosition {
    SourcePosition(line: Int(line), column: Int(column) + columns, file: file)
  }

  /// Orders positions by file, line and column.
  package static func < (a: Self, b: Self) -> Bool {
    (a.file, a.line, a.column) < (b.file, b.line, b.column)
  }
}

/// A value and its position in a file.
package struct Located<Value: Sendable>: Sendable {
  package var value: Value
  package var position: SourcePosition

  package init(_ value: Value, at position: SourcePosition) {
    self.value = value
    self.position = position
  }
}

extension Located: Equatable where Value: Equatable {}
