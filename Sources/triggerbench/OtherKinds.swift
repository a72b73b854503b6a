import ExperimentFiles
import PopulationFiles
import TestBench

/// What to do with files that are no scenarios.
enum OtherKinds {
  /// The sentence that says that there is none, and what would be done with what there is.
  ///
  /// - Parameter person: One person of each population is asked for.
  static func nothingToRun(_ files: [String], person: Bool = false) -> String {
    let wanted = person ? PopulationFiles.Population.kind : "scenario"
    let hint = person ? "" : hint(files)
    return "none of \(files.count) files is a \(wanted) ('kind: \(wanted)')\(hint)"
  }

  /// The continuation of a sentence that says that there is none; empty when nothing better can be said.
  static func hint(_ files: [String]) -> String {
    for file in files where file != SuiteFiles.standardInput {
      guard case .otherKind(let kind) = ProgramLoader().load(file) else { continue }
      switch kind {
      case ExperimentFile.kind: return "; 'triggerbench experiment \(file)' runs an experiment"
      case PopulationFiles.Population.kind:
        return "; 'triggerbench run \(file) --person 1' plays one of its people"
      default: continue
      }
    }
    return ""
  }
}
