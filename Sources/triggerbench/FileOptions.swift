import ArgumentParser
import Simulation
import TestBench
import TextFormats

/// What the files may name that a command reads, and how much they may ask for.
struct FileOptions: ParsableArguments {
  @Option(
    name: .customLong("allow-path"),
    help: ArgumentHelp(
      """
      Read packs, recordings and populations from this folder too; may be repeated. Without it files name only what \
      lies below the nearest folder around them that holds '.git', without one below the folder PATH, or else \
      beside them; and nothing whose name begins with a dot.
      """, valueName: "dir"))
  var allowed: [String] = []

  @Option(
    help: ArgumentHelp(
      "How many events one scenario may have, those of its recordings included, but for their fixes.",
      valueName: "count"))
  var maxEvents = RunBudget().events

  @Option(
    help: ArgumentHelp(
      "How many notifications, and other outcomes that are kept one by one, one scenario may have.",
      valueName: "count"))
  var maxFires = RunBudget().fires

  @Option(
    help: ArgumentHelp("How many bytes the recordings of one scenario may hold together.", valueName: "count")
  )
  var maxBytes = RunBudget().bytes

  func validate() throws {
    for (option, value) in [
      ("--max-events", maxEvents), ("--max-fires", maxFires), ("--max-bytes", maxBytes),
    ]
    where value < 1 {
      throw ValidationError("\(option) must be at least 1")
    }
    if allowed.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
      throw ValidationError("--allow-path is empty")
    }
  }

  /// As a shell reads them, without those that say what holds anyway.
  var words: [String] {
    let usual = RunBudget()
    let budget = [
      ("--max-events", maxEvents, usual.events), ("--max-fires", maxFires, usual.fires),
      ("--max-bytes", maxBytes, usual.bytes),
    ]
    return allowed.flatMap { ["--allow-path", Shell.quote($0)] }
      + budget.filter { $0.1 != $0.2 }.flatMap { [$0.0, "\($0.1)"] }
  }

  /// - Parameter searched: The paths that the command was given.
  func options(searched: [String] = []) -> Suite.Options {
    var options = Suite.Options()
    options.allowed = allowed
    options.searched = searched
    options.budget.events = maxEvents
    options.budget.fires = maxFires
    options.budget.bytes = maxBytes
    return options
  }

  func reach(of file: String) -> ReachableFiles { ProgramLoader(options: options()).reach(of: file) }
}
