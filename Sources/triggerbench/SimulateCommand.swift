import ArgumentParser
import Experiments
import Foundation
import TextFormats

struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Plays some of an experiment's people, for 'merge' to add up: on any number of machines.",
    discussion: """
      A part holds whole numbers alone, and is the same bytes whenever and wherever it is made. It is written as a \
      whole or not at all.

      Examples:
        triggerbench simulate my.yaml --people 0:5000 --output part-1.json
        triggerbench simulate my.yaml --people 5000:10000 --output part-2.json
        triggerbench merge my.yaml part-*.json
      """)

  @OptionGroup var question: ExperimentQuestion

  @Option(help: ArgumentHelp("Which people: from the first to before the second.", valueName: "A:B"))
  var people: String

  @Option(help: ArgumentHelp("The file of the part.", valueName: "file"))
  var output: String

  @Option(help: "How many people at a time (default: all cores).")
  var jobs: Int?

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
    if PeopleRange.read(people) == nil { throw ValidationError("--people \(PeopleRange.words)") }
    if output.allSatisfy(\.isWhitespace) { throw ValidationError("--output is empty") }
  }

  func run() throws {
    guard let range = PeopleRange.read(people) else { return }
    try OverwriteGuard.check(output, for: "the part", .part)
    let plan = try question.plan()
    let play = ExperimentPlay(jobs: jobs)
    play.meter.expect(Int64(range.count * plan.arms.count))
    let (sums, end) = play.workers.sums(
      of: range, under: plan.arms.map(\.prototype), plan.metrics, types: plan.types.count)
    play.meter.clear()
    if end < range.upperBound {
      throw Exit.saying("it was stopped, and no part is written")
    }
    let part = ExperimentPart(
      experiment: plan.identity, tool: Tool.version, people: range, sums: sums)
    do {
      try Data(PartDocument.text(part).utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      let problem = FileProblem.writing(file: output)
      throw Exit.saying("cannot write the part to \(output): \(problem)")
    }
    Terminal.print("\(range.count) people in \(output)")
  }
}

/// `A:B`: from the first to before the second.
enum PeopleRange {
  static let words = "is two numbers from 0 to \(most), the second of them greater, such as 0:5000"
  private static let most: UInt64 = 1 << 32

  static func read(_ text: String) -> Range<UInt64>? {
    let ends = text.split(separator: ":", omittingEmptySubsequences: false).map { UInt64($0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first < last, last <= most else {
      return nil
    }
    return first..<last
  }
}
