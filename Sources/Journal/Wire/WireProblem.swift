package import Recordings

/// A problem with a line of the wire form, with its position, its field and a remedy.
package struct WireProblem: Error, Hashable, Sendable {
  package var code: RecordingError.Code
  /// The byte offset of the problem in its line.
  package var offset: Int
  /// The key of the field, or `nil` if the problem concerns the whole line.
  package var field: String?
  /// A description of the problem.
  package var message: String
  /// A description of the correction.
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

  /// The same problem with the field's name in the message, unless the message already contains it.
  package var scanProblem: ScanProblem {
    let isNamed = field.map { message.contains("\"\($0)\"") } ?? true
    return ScanProblem(
      code, offset: offset, isNamed ? message : "in \"\(field ?? "")\": \(message)", remedy: remedy)
  }
}

extension WireProblem: CustomStringConvertible {
  /// A description such as `column 17: in "reminder": unknown reminder "mlik"; did you mean 'milk'?`
  package var description: String {
    let problem = scanProblem
    return "column \(offset + 1): \(problem.message); \(problem.remedy)"
  }
}
