import ArgumentParser
import Benchmarks
import Foundation

struct BenchTrialCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trial",
    abstract: "Tries 'bench compare' on this executable and itself, with a busy loop on another core.",
    discussion: """
      Prints one line of a Markdown table: how often each verdict was given. With --replayed 3, B plays 3 % \
      of its events twice, which is a regression to be found; without, any change that is found is a false \
      alarm.
      """)

  @Option(help: "How often to compare.")
  var trials = 100

  @Option(help: "Per cent of its events that B plays twice.")
  var replayed = 0.0

  @Flag(help: "Print the table's titles first.")
  var heading = false

  @OptionGroup var options: ComparisonOptions

  func validate() throws {
    if trials < 1 { throw ValidationError("at least one trial is needed") }
    if !(0...100).contains(replayed) { throw ValidationError("--replayed is a percentage") }
    if replayed > 0, options.suite != BenchSuite.matching.rawValue {
      throw ValidationError("only the suite matching replays events")
    }
  }

  func run() throws {
    try BenchCommand.reporting {
      var trial = NoiseTrial(comparison: options.comparison())
      trial.trials = trials
      trial.replayed = replayed
      let tally = try trial.run(BenchCommand.ownExecutable()) { tally in
        if tally.trials % 10 == 0 { Terminal.diagnose(tally.line(replayed: replayed)) }
      }
      if heading { Terminal.print(NoiseTrial.Tally.heading) }
      Terminal.print(tally.line(replayed: replayed))
    }
  }
}
