import Foundation

/// Trials that take minutes. Ordinary test runs cover a few cases. `.ci/trials` runs all of them and stores
/// the results in `reports/trials`.
package enum Trial {
  /// Whether this test run covers all cases.
  package static let isWhole = ProcessInfo.processInfo.environment["TRIGGERBENCH_ALL"] != nil

  /// Writes a row of the report to a file of its own, or does nothing without `TRIGGERBENCH_TRIAL`.
  ///
  /// - Parameter name: The suffix of the file's path after `TRIGGERBENCH_TRIAL`. Rows are sorted by it.
  package static func keep(_ cells: [String], as name: String) throws {
    guard let path = ProcessInfo.processInfo.environment["TRIGGERBENCH_TRIAL"] else { return }
    try Data("| \(cells.joined(separator: " | ")) |\n".utf8).write(
      to: URL(fileURLWithPath: "\(path).\(name)"))
  }
}
