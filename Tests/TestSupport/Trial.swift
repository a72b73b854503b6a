import Foundation

/// Trials that take minutes. An ordinary test run covers only a few cases. `.ci/trials` runs all cases and
/// stores the results in `reports/trials`.
package enum Trial {
  /// Whether this test run covers all cases.
  package static let isWhole = ProcessInfo.processInfo.environment["TRIGGERBENCH_ALL"] != nil

  /// Writes a row of the report to a separate file. Does nothing if `TRIGGERBENCH_TRIAL` is not set.
  ///
  /// - Parameter name: The suffix that is appended to the path in `TRIGGERBENCH_TRIAL`. Rows are sorted by
  ///   this suffix.
  package static func keep(_ cells: [String], as name: String) throws {
    guard let path = ProcessInfo.processInfo.environment["TRIGGERBENCH_TRIAL"] else { return }
    try Data("| \(cells.joined(separator: " | ")) |\n".utf8).write(
      to: URL(fileURLWithPath: "\(path).\(name)"))
  }
}
