import ExperimentFiles
import TestBench

/// What to do with files that are no scenarios.
enum OtherKinds {
  /// The continuation of a sentence that says that there is none; empty when nothing better can be said.
  static func hint(_ files: [String]) -> String {
    let experiment = files.first { file in
      if file != SuiteFiles.standardInput, case .otherKind(ExperimentFile.kind) = ProgramLoader().load(file) {
        true
      } else {
        false
      }
    }
    return experiment.map { "; 'triggerbench experiment \($0)' runs an experiment" } ?? ""
  }
}
