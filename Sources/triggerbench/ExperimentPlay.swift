import Experiments

/// Plays an experiment's people, with a meter on the terminal, until all are played or somebody presses Ctrl-C.
struct ExperimentPlay {
  let meter = ProgressMeter()
  let workers: PeopleWorkers

  /// - Parameter jobs: How many people at a time; nil: as many as there are cores.
  init(jobs: Int?) {
    Interruption.listen()
    workers = PeopleWorkers(
      jobs: Machine.jobs(jobs), isCancelled: { Interruption.happened }, progress: meter.add)
  }

  /// What a plan finds.
  ///
  /// - Parameter body: Plays it.
  func result(
    of plan: ExperimentPlan, _ body: (inout ExperimentRunner) -> ExperimentResult
  ) -> ExperimentResult {
    var runner = ExperimentRunner(plan, workers)
    runner.announce = meter.announce(plan)
    defer { meter.clear() }
    return body(&runner)
  }
}
