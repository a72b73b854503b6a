package import Foundation

/// An executable that is measured, and the words that make it measure.
package struct BenchProgram: Sendable {
  /// What reports call it.
  package var name: String
  package var executable: URL
  package var arguments: [String]
  /// How long one run may take.
  package var timeout = Duration.seconds(120)

  package init(name: String, executable: URL, arguments: [String]) {
    self.name = name
    self.executable = executable
    self.arguments = arguments
  }

  /// One run.
  func measure() throws -> [ArmRow] {
    try ArmRow.rows(
      json: ChildProcess.output(of: executable, named: name, arguments, timeout: timeout), of: name)
  }

  /// The same program at another place. Two builds are copied to names of equal length, because even the
  /// length of a program's name moves its stack, and so that nobody rebuilds one while it is measured.
  func copied(to place: URL) throws -> BenchProgram {
    var copy = self
    do {
      try FileManager.default.copyItem(at: executable.resolvingSymlinksInPath(), to: place)
    } catch {
      throw BenchError("\(executable.path) cannot be copied: \(error.localizedDescription)")
    }
    copy.executable = place
    return copy
  }
}
