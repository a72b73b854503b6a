import ArgumentParser
import Reporting

/// The exit codes of the command line.
enum Exit {
  static let failure = ExitCode(1)
  static let expectation = ExitCode(2)
  static let regression = ExitCode(4)
  static let inconclusive = ExitCode(5)

  /// Says why nothing can be done, or not what was asked for.
  ///
  /// - Returns: What to throw then.
  static func saying(_ why: String) -> ExitCode {
    Terminal.diagnose("triggerbench: \(why)")
    return failure
  }

  static func code(of verdict: RunVerdict) -> ExitCode {
    switch verdict {
    case .passed: .success
    case .failed: failure
    case .refuted: expectation
    case .inconclusive: inconclusive
    }
  }
}
