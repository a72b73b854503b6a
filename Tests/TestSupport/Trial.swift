import Foundation

/// Trials that take minutes. Tests run a few cases; `.ci/trials` runs all and stores the results in
/// `reports/trials`.
package enum Trial {
  /// Whether all cases run.
  package static let isWhole = ProcessInfo.processInfo.environment["TRIGGERBENCH_ALL"] != nil

  /// Stores a row for the report in the file of `TRIGGERBENCH_TRIAL`.
  ///
  /// - Parameter name: The name by which rows are sorted.
  package static func keep(_ cells: [String], as name: String) throws {
    guard let path = ProcessInfo.processInfo.environment["TRIGGERBENCH_TRIAL"] else { return }
    try Data("| \(cells.joined(separator: " | ")) |\n".utf8).write(
      to: URL(fileURLWithPath: "\(path).\(name)"))
  }
}
