import ArgumentParser
import Experiments
import TextFormats

/// Which experiment: what `experiment`, and `simulate` and `merge` for its parts, are told alike.
struct ExperimentQuestion: ParsableArguments {
  @Argument(help: "A file of the kind experiment.")
  var file: String

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Compare this too: settings with their values, with commas between them.", valueName: "key=value"))
  var settings: [String] = []

  @OptionGroup var files: FileOptions

  @Option(help: "Seed of everybody's luck, in place of the file's.")
  var seed: UInt64?

  /// - Parameter people: How many may take part, in place of the file's.
  func plan(people: Int64? = nil) throws -> ExperimentPlan {
    var additions = ExperimentFile.Additions()
    additions.settings = settings
    additions.seed = seed
    additions.people = people
    let reach = files.reach(of: file)
    switch ExperimentFile.load(file, additions, in: reach, from: .beside(file, in: reach)) {
    case .unusable(let diagnostics):
      Terminal.diagnose(diagnostics)
      throw Exit.failure
    case .plan(let plan, let warnings):
      Terminal.diagnose(warnings)
      return plan
    }
  }

  /// What asks it again, without what has no influence on the answer.
  func command(_ name: String, _ more: [String]) -> String {
    var words = ["triggerbench", name, Shell.quote(file)]
    for setting in settings { words += ["--set", Shell.quote(setting)] }
    if let seed { words += ["--seed", "\(seed)"] }
    return (words + files.words + more).joined(separator: " ")
  }
}
