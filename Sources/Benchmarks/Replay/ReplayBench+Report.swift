extension ReplayBench {
  /// Modes of the suite: a year under the default caps, one in which no cap stands in the way, a fortnight with
  /// a fix a second, and a month of a person with the reminders of the pack `fitme`, of which only the days vary.
  enum Mode: String, CaseIterable {
    case capped, year, fortnight, person
  }

  /// The suite as the command line runs it: sizes are reminders, events those beside the fixes.
  func report(_ options: BenchOptions) throws -> BenchReport {
    let modes = options.modes(of: Mode.self)
    let sizes = options.sizes ?? [1_000]
    var rows: [BenchRow] = []
    for mode in modes {
      let stories: [ReplayScenario] =
        switch mode {
        case .fortnight:
          sizes.map { ReplayScenario.fortnight(reminders: $0, events: options.events ?? 2_000) }
        case .capped, .year:
          sizes.map { .year(reminders: $0, events: options.events ?? 100_000, isCapped: mode == .capped) }
        case .person: [ReplayScenario.person(happenings: options.events ?? 3_000)]
        }
      for story in stories {
        let outcome = try run(story, rounds: options.rounds)
        rows.append(Self.row(mode.rawValue, outcome.reminders, outcome))
      }
    }
    return BenchReport(
      suite: BenchSuite.replay.rawValue, sizeName: "reminders", rows: rows,
      notes: [
        "loading, replaying and writing the report; an event is anything that happens, recorded fixes included",
        "milliseconds are medians over the rounds, each its own; times real time is simulated by measured time",
        "capped: a year of daily reminders under the default caps and quiet hours; year: half of them weekly, all "
          + "asked for by the person (bucket user), no quiet hours, so that no cap stands in the way",
        "person: a month with the reminders of the pack fitme, 100 happenings a day",
        "allocations are those of the replay, for each event that the app was told of",
      ])
  }

  /// The suite scenario: one file of the user's own.
  func report(ofFile options: BenchOptions) throws -> BenchReport {
    guard let file = options.file else { throw BenchError.misuse("name a file") }
    let outcome = try run(file: file, rounds: options.rounds)
    return BenchReport(
      suite: BenchSuite.scenario.rawValue, sizeName: BenchSuite.scenario.sizeName,
      rows: [Self.row("file", outcome.reminders, outcome)],
      notes: [
        "\(file): loading, replaying and writing the report; an event is anything that happens, recorded fixes included",
        "milliseconds are medians over the rounds, each its own; times real time is simulated by measured time",
        "allocations are those of the replay, for each event that the app was told of",
      ])
  }

  private static func row(_ mode: String, _ reminders: Int, _ outcome: Outcome) -> BenchRow {
    let seconds = outcome.times.map(\.total)
    var row = BenchRow(
      mode: mode, size: reminders, events: outcome.happened,
      samples: seconds.map { $0 * 1e9 / Double(max(1, outcome.happened)) })
    row.fires = outcome.fires
    row.allocationsPerEvent = outcome.allocations.map { Double($0) / Double(max(1, outcome.told)) }
    row.counts = [
      ("happened", outcome.happened), ("told", outcome.told), ("requests", outcome.requests),
      ("fires", outcome.fires),
    ]
    if let allocations = outcome.allocations { row.counts.append(("allocations", allocations)) }
    row.counters = [
      ("requests", Double(outcome.requests)),
      ("load ms", outcome.times.map(\.load).median * 1e3),
      ("replay ms", outcome.times.map(\.replay).median * 1e3),
      ("report ms", outcome.times.map(\.report).median * 1e3), ("total ms", seconds.median * 1e3),
      ("times real time", outcome.days * 86_400 / seconds.median),
    ]
    return row
  }
}
