import ArgumentParser

struct TriggerBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "triggerbench",
    abstract: "Replays what happens to a phone through a reminder engine, and says what fired and why not.",
    discussion: """
      Examples:
        triggerbench run                     replay scenarios/
        triggerbench init milk.yaml          write a first scenario
        triggerbench experiment FILE         what a change of policy does to people
        triggerbench explain milk.yaml milk --at '2026-03-02 17:40'

      Exit codes:
        0   ok
        1   a file, an engine or the tool failed
        2   an expectation failed, a gate killed, or two runs differ
        4   a benchmark regression
        5   inconclusive: no baseline, too noisy to tell, an experiment that ended
            early, or with --require-gates a gate that is not decided
        64  wrong usage
      Several at once: the lowest that is not 0.
      """,
    version: Tool.version,
    subcommands: [
      RunCommand.self, CompareCommand.self, InitCommand.self, CheckCommand.self, ExplainCommand.self,
      ExpandCommand.self, SentencesCommand.self,
      ServeEngineCommand.self, StateCommand.self, BenchCommand.self, OracleCommand.self, SchemaCommand.self,
      RulesCommand.self, ReasonsCommand.self, ReferenceCommand.self, ExperimentCommand.self,
      SimulateCommand.self, MergeCommand.self, ImportCommand.self,
    ],
    defaultSubcommand: nil)
}

enum Tool {
  /// Part of every report: what changes a result changes this.
  static let version = "0.1.0"
}
