import ArgumentParser

/// The exit codes of the command line.
enum Exit {
  static let failure = ExitCode(1)
  static let expectation = ExitCode(2)
  static let regression = ExitCode(4)
  static let inconclusive = ExitCode(5)
}
