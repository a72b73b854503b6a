import Experiments
import Scenarios
import TestBench

/// What to do with files that are no scenarios.
enum OtherKinds {
  /// The sentence that says that there is none, and what would be done with what there is.
  ///
  /// - Parameter person: One person of each population is asked for.
  static func nothingToRun(_ files: [String], person: Bool = false) -> String {
    person ? none(of: files, is: Population.kind) : none(of: files) + hint(files)
  }

  /// The sentence that says that no file is of a kind.
  static func none(of files: [String], is kind: String = "scenario") -> String {
    let subject = files.count == 1 ? "\(files[0]) is no" : "none of \(files.count) files is a"
    return "\(subject) \(kind) ('kind: \(kind)')"
  }

  /// The continuation of a sentence that says that there is none; empty when nothing better can be said.
  static func hint(_ files: [String]) -> String {
    for file in files where file != SuiteFiles.standardInput {
      guard case .otherKind(let kind) = ProgramLoader().load(file) else { continue }
      switch kind {
      case ExperimentFile.kind: return "; 'triggerbench experiment \(file)' runs an experiment"
      case Population.kind:
        return "; 'triggerbench run \(file) --person 1' plays one of its people"
      case PackFile.kind: return "; 'triggerbench check \(file)' validates a pack, which scenarios 'include'"
      default: continue
      }
    }
    return ""
  }
}
