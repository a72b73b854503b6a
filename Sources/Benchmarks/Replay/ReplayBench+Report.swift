extension ReplayBench {
  /// Modes of the suite: a fortnight with a fix a second, and a year without.
  private enum Mode: String, CaseIterable {
    case fortnight, year
  }

  /// The suite as the command line runs it: sizes are reminders, events those beside the fixes.
  func report(_ options: BenchOptions) throws -> BenchReport {
    var modes = Mode.allCases
    if let name = options.mode {
      guard let mode = Mode(rawValue: name) else {
        throw BenchError("unknown mode '\(name)'; write fortnight or year")
      }
      modes = [mode]
    }
    var rows: [BenchRow] = []
    for mode in modes {
      for reminders in options.sizes ?? [1_000] {
        let files =
          switch mode {
          case .fortnight: ReplayScenario.fortnight(reminders: reminders, events: options.events ?? 2_000)
          case .year: ReplayScenario.year(reminders: reminders, events: options.events ?? 100_000)
          }
        rows.append(Self.row(mode.rawValue, reminders, try run(files, rounds: options.rounds)))
      }
    }
    return BenchReport(
      suite: BenchSuite.replay.rawValue, sizeName: "reminders", rows: rows,
      notes: [
        "loading, replaying and reporting; an event is anything that happens, recorded fixes included",
        "seconds are medians over the rounds; times real time is simulated by measured seconds",
      ])
  }

  private static func row(_ mode: String, _ reminders: Int, _ outcome: Outcome) -> BenchRow {
    let seconds = outcome.times.map(\.total)
    var row = BenchRow(
      mode: mode, size: reminders, events: outcome.happened,
      samples: seconds.map { $0 * 1e9 / Double(max(1, outcome.happened)) })
    row.fires = outcome.requests
    row.counters = [
      ("load s", outcome.times.map(\.load).median), ("replay s", outcome.times.map(\.replay).median),
      ("report s", outcome.times.map(\.report).median), ("total s", seconds.median),
      ("times real time", Double(outcome.days) * 86_400 / seconds.median),
    ]
    return row
  }
}
