/// What is wrong with a line, and where in it; a ``RecordingError`` that does not know its file yet.
package struct ScanProblem: Error, Hashable, Sendable {
  package var code: RecordingError.Code
  /// Bytes from the start of the line.
  package var offset: Int
  package var message: String
  package var remedy: String

  package init(_ code: RecordingError.Code, offset: Int, _ message: String, remedy: String) {
    self.code = code
    self.offset = offset
    self.message = message
    self.remedy = remedy
  }
}

extension RecordingError {
  /// A problem, with the file and line in which it is.
  package init(_ problem: ScanProblem, file: String, line: Int) {
    self.init(
      problem.code, file: file, line: line, column: problem.offset + 1, problem.message,
      remedy: problem.remedy)
  }
}
