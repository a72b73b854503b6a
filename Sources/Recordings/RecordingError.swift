/// Why a recording cannot be used: where, what is wrong, and what to do about it.
package struct RecordingError: Error, Hashable, Sendable {
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// The file cannot be read at all.
    case unreadable
    /// The file holds nothing.
    case empty
    /// The bytes are not in an encoding that is supported, or not in the one that they claim.
    case encoding
    /// The file breaks the grammar of its format.
    case syntax
    /// A document type definition, which no recording needs and which can do harm.
    case documentType
    /// Well-formed, but not what was asked for.
    case wrongFormat
    /// A key or column name that is not known.
    case unknownName
    /// A key that must be there, and is not.
    case missingName
    /// A key that is there twice.
    case repeatedName
    /// A value of the wrong type, or out of range.
    case value
    /// Every point or row had to be left out.
    case nothingUsable
  }

  package var code: Code
  /// The name of the file as the caller gave it.
  package var file: String
  /// Counted from 1; nil when the whole file is meant.
  package var line: Int?
  /// Counted in bytes from 1; nil where only the line is known.
  package var column: Int?
  /// What is wrong.
  package var message: String
  /// What to do about it.
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
