/// What became of some of an experiment's people: on another machine, or at another time. Parts add up to the whole,
/// whoever made them and in whatever order they come.
package struct ExperimentPart: Hashable, Sendable {
  /// Of which experiment, see ``ExperimentPlan/identity``, by which release of the tool.
  package var experiment: UInt64
  package var tool: String
  package var people: Range<UInt64>
  package var sums: ExperimentSums

  package init(experiment: UInt64, tool: String, people: Range<UInt64>, sums: ExperimentSums) {
    self.experiment = experiment
    self.tool = tool
    self.people = people
    self.sums = sums
  }
}

/// Why parts are no whole.
package enum PartProblem: Error, Hashable, Sendable {
  /// By file.
  case otherExperiment(String)
  case otherTool(String, own: String, its: String)
  case overlap(String, String, Range<UInt64>)
  /// The same people, and not the same became of them.
  case different(String, String)
  case missing(Range<UInt64>)
  case surplus(String, Range<UInt64>)

  /// In words, and what to do.
  package var words: (message: String, hint: String) {
    func range(_ people: Range<UInt64>) -> String { "\(people.lowerBound):\(people.upperBound)" }
    return switch self {
    case .otherExperiment(let file):
      (
        "\(file) is of another experiment",
        "file, seed, days and every --set must be those that 'simulate' was given"
      )
    case .otherTool(let file, let own, let its):
      ("\(file) was made by triggerbench \(its), and this is \(own)", "make all parts with one version")
    case .overlap(let first, let second, let people):
      ("\(first) and \(second) both have the people \(range(people))", "leave one of them out")
    case .different(let first, let second):
      ("\(first) and \(second) have the same people, and do not say the same of them", "make both again")
    case .missing(let people):
      (
        "nobody has the people \(range(people))",
        "make them with 'triggerbench simulate … --people \(range(people))'"
      )
    case .surplus(let file, let people):
      ("\(file) has the people \(range(people)), who are not asked for", "leave it out, or change --expect")
    }
  }
}

extension ExperimentPart {
  /// Adds parts up.
  ///
  /// Whoever makes parts on many machines may have one twice: the same part again is no problem, and counts once.
  ///
  /// - Parameters:
  ///   - parts: With the names of their files.
  ///   - expected: Who must be there; nil: from person 0 to the last who is.
  ///   - plan: Of which experiment all of them must be.
  ///   - tool: By which release.
  package static func merge(
    _ parts: [(file: String, part: ExperimentPart)], expecting expected: Range<UInt64>?,
    of plan: ExperimentPlan,
    tool: String
  ) throws(PartProblem) -> ExperimentSums {
    for (file, part) in parts {
      guard part.tool == tool else { throw .otherTool(file, own: tool, its: part.tool) }
      guard part.experiment == plan.identity else { throw .otherExperiment(file) }
    }
    let sorted = parts.enumerated().sorted {
      ($0.element.part.people.lowerBound, $0.element.part.people.upperBound, $0.offset)
        < ($1.element.part.people.lowerBound, $1.element.part.people.upperBound, $1.offset)
    }.map(\.element)
    var total = plan.nobody
    var end = expected?.lowerBound ?? 0
    var last: (file: String, part: ExperimentPart)?
    for (file, part) in sorted {
      if let expected,
        !expected.contains(part.people.lowerBound) || part.people.upperBound > expected.upperBound
      {
        throw .surplus(file, part.people)
      }
      if let last, last.part.people == part.people {
        guard last.part == part else { throw .different(last.file, file) }
        continue
      }
      if let last, part.people.lowerBound < end {
        throw .overlap(last.file, file, part.people.lowerBound..<min(end, part.people.upperBound))
      }
      if part.people.lowerBound > end { throw .missing(end..<part.people.lowerBound) }
      total += part.sums
      end = part.people.upperBound
      last = (file, part)
    }
    if let expected, end < expected.upperBound { throw .missing(end..<expected.upperBound) }
    return total
  }
}
