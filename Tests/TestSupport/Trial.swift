import Foundation

/// Trials that take minutes, of which the tests run a few cases every time: `.ci/trials` runs all of them, and
/// keeps what came out in `reports/trials`.
package enum Trial {
  /// All cases, and not only a few.
  package static let isWhole = ProcessInfo.processInfo.environment["TRIGGERBENCH_ALL"] != nil

  /// Keeps a row for the report, where `TRIGGERBENCH_TRIAL` says.
  ///
  /// - Parameter name: Rows are in the order of their names.
  package static func keep(_ cells: [String], as name: String) throws {
    guard let path = ProcessInfo.processInfo.environment["TRIGGERBENCH_TRIAL"] else { return }
    try Data("| \(cells.joined(separator: " | ")) |\n".utf8).write(
      to: URL(fileURLWithPath: "\(path).\(name)"))
  }
}
