/// A reason why a recording cannot be used, with its position and a remedy.
package struct RecordingError: Error, Hashable, Sendable {
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// The file cannot be read.
    case unreadable
    /// The file is empty.
    case empty
    /// The bytes are not in a supported encoding, or not in the declared one.
    case encoding
    /// The file violates the grammar of its format.
    case syntax
    /// The file has a document type definition. No recording needs one, and it can be harmful.
    case documentType
    /// The file is well-formed, but of another format.
    case wrongFormat
    /// The name of a key or column is unknown.
    case unknownName
    /// A required key is missing.
    case missingName
    /// A key is repeated.
    case repeatedName
    /// A value has the wrong type or is out of range.
    case value
    /// Every point or row is unusable.
    case nothingUsable
  }

  package var code: Code
  /// The name of the file as the caller gave it.
  package var file: String
  /// Counted from 1, or `nil` if the problem concerns the whole file.
  package var line: Int?
  /// Counted in bytes from 1, or `nil` if only the line is known.
  package var column: Int?
  /// The problem, in words.
  package var message: String
  /// What the user can do about the problem.
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
  /// `file:line:column: message; remedy`
  package var description: String {
    var place = file
    if let line { place += ":\(line)" }
    if let column { place += ":\(column)" }
    return "\(place): \(message); \(remedy)"
  }
}

/// A problem within a line. Together with a file and a line number, it makes a ``RecordingError``.
package struct ScanProblem: Error, Hashable, Sendable {
  package var code: RecordingError.Code
  /// The position in the line, in bytes.
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
