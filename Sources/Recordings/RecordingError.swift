/// The reason that a recording is unusable, with its position and a remedy.
package struct RecordingError: Error, Hashable, Sendable {
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// The file is unreadable.
    case unreadable
    /// The file is empty.
    case empty
    /// The bytes are not in a supported encoding, or not in the declared one.
    case encoding
    /// The file violates the grammar of its format.
    case syntax
    /// The file has a document type definition. No recording needs one, and it may be harmful.
    case documentType
    /// The file is well-formed, but has another format.
    case wrongFormat
    /// The name of a key or column is unknown.
    case unknownName
    /// A required key is missing.
    case missingName
    /// A key is repeated.
    case repeatedName
    /// A value has the wrong type or is out of range.
    case value
    /// All points or rows are unusable.
    case nothingUsable
  }

  package var code: Code
  /// The name of the file that the caller passed.
  package var file: String
  /// The line of the problem, from 1, or `nil` if the problem is about the whole file.
  package var line: Int?
  /// The column of the problem in bytes, from 1, or `nil` if only the line is known.
  package var column: Int?
  /// A description of the problem.
  package var message: String
  /// A description of what the user can do about the problem.
  package var remedy: String

  package init(
    _ code: Code, file: String, line: Int? = nil, column: Int? = nil, _ message: String, remedy: String
  ) {
    self.code = code
    self.file = file
    self.line = line
    self.column = column
    self.message = message
    self.remedy = remedy
  }
}

extension RecordingError: CustomStringConvertible {
  /// The text `file:line:column: message; remedy`.
  package var description: String {
    var place = file
    if let line { place += ":\(line)" }
    if let column { place += ":\(column)" }
    return "\(place): \(message); \(remedy)"
  }
}

/// A problem within a line. With a file and a line number, it becomes a ``RecordingError``.
package struct ScanProblem: Error, Hashable, Sendable {
  package var code: RecordingError.Code
  /// The byte offset of the problem in the line.
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
  /// Creates an error from a problem within a line.
  package init(_ problem: ScanProblem, file: String, line: Int) {
    self.init(
      problem.code, file: file, line: line, column: problem.offset + 1, problem.message,
      remedy: problem.remedy)
  }
}
