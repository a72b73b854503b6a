package import Recordings

/// A problem with a line of the wire form: its position, field and remedy.
package struct WireProblem: Error, Hashable, Sendable {
  package var code: RecordingError.Code
  /// The position in the line, in bytes.
  package var offset: Int
  /// The key of the field, or `nil` if the problem concerns the whole line.
  package var field: String?
  /// The description of the problem.
  package var message: String
  /// The suggested correction.
  package var remedy: String

  package init(
    _ code: RecordingError.Code, offset: Int, field: String?, _ message: String, remedy: String
  ) {
    self.code = code
    self.offset = offset
    self.field = field
    self.message = message
    self.remedy = remedy
  }

  init(_ problem: ScanProblem, field: String?) {
    self.init(
      problem.code, offset: problem.offset, field: field, problem.message, remedy: problem.remedy)
  }

  /// The problem with its field in the message. A field that the message already names is not repeated.
  package var scanProblem: ScanProblem {
    let isNamed = field.map { message.contains("\"\($0)\"") } ?? true
    return ScanProblem(
      code, offset: offset, isNamed ? message : "in \"\(field ?? "")\": \(message)", remedy: remedy)
  }
}

extension WireProblem: CustomStringConvertible {
  /// `column 17: in "reminder": unknown reminder "mlik"; did you mean 'milk'?`
  package var description: String {
    let problem = scanProblem
    return "column \(offset + 1): \(problem.message); \(problem.remedy)"
  }
}
