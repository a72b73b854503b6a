/// Reads lines of JSON piece by piece: what it keeps does not depend on their number.
///
/// A value: a copy goes on from the same line.
package struct LinePieces: Sendable {
  /// Bytes that are read at a time, unless one line is longer.
  private static let usualPiece = 1 << 16

  package let bytes: RecordedBytes
  /// Where the next line begins.
  private(set) var offset: Int
  /// Lines before it.
  private var number = 0

  /// - Parameter offset: Where a line begins; lines are counted from there.
  package init(_ bytes: RecordedBytes, from offset: Int = 0) {
    self.bytes = bytes
    self.offset = min(offset, bytes.count)
  }

  /// Calls `body` with a scanner at the beginning of each line of the next piece that is not blank, and sees to it
  /// that `body` reads the line to its end.
  ///
  /// - Returns: False at the end.
  /// - Throws: The first problem, with file, line and column.
  /// - Complexity: O(bytes of the piece)
  package mutating func readPiece(
    _ body: (_ line: Int, _ scanner: inout NDJSONScanner) throws(ScanProblem) -> Void
  ) throws(RecordingError) -> Bool {
    var size = Self.usualPiece
    let bytes = bytes
    while offset < bytes.count {
      let count = min(size, bytes.count - offset)
      let isLast = offset + count == bytes.count
      let (length, failure) = try bytes.withPiece(at: offset, count: count) { piece in
        let length = isLast ? count : (piece.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        return (length, read(UnsafeBufferPointer(rebasing: piece[..<length]), body))
      }
      if let failure { throw failure }
      offset += length
      if length > 0 { return true }
      size *= 2
    }
    return false
  }

  /// The same for all that is left.
  package mutating func readAll(
    _ body: (_ line: Int, _ scanner: inout NDJSONScanner) throws(ScanProblem) -> Void
  ) throws(RecordingError) {
    while try readPiece(body) {}
  }

  /// Takes the next line as it is, without its end; nil when it has more bytes than a limit. Those behind it are
  /// counted from one.
  package mutating func takeLine(upTo limit: Int) throws(RecordingError) -> [UInt8]? {
    var size = Self.usualPiece
    while true {
      let count = min(size, bytes.count - offset)
      let line = try bytes.withPiece(at: offset, count: count) { piece -> [UInt8]? in
        let end = piece.firstIndex(of: UInt8(ascii: "\n"))
        return end == nil && offset + count < bytes.count ? nil : Array(piece[..<(end ?? count)])
      }
      if let line {
        offset = min(offset + line.count + 1, bytes.count)
        return line.count > limit ? nil : line
      }
      if size > limit { return nil }
      size *= 2
    }
  }

  private mutating func read(
    _ piece: UnsafeBufferPointer<UInt8>,
    _ body: (_ line: Int, _ scanner: inout NDJSONScanner) throws(ScanProblem) -> Void
  ) -> RecordingError? {
    var lines = LineReader(piece, after: number)
    while let line = lines.next() {
      var scanner = NDJSONScanner(line.bytes)
      do throws(ScanProblem) {
        try body(line.number, &scanner)
        try scanner.endOfLine()
      } catch {
        return RecordingError(error, file: bytes.file, line: line.number)
      }
    }
    number = lines.number
    return nil
  }
}
