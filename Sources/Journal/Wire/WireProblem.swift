package import Recordings

/// What is wrong with a line of the wire form: where, in which field, and what to write instead.
package struct WireProblem: Error, Hashable, Sendable {
  package var code: RecordingError.Code
  /// Bytes from the start of the line.
  package var offset: Int
  /// The key of the field; nil when it is the line as a whole.
  package var field: String?
  /// What is wrong.
  package var message: String
  /// What to do about it.
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

  /// With the field in the message, unless the message names it.
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
