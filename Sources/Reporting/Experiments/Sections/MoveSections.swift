import Experiments
import TriggerModel

/// Whose notifications changed fate: by type, by hour, by rule, and ten people to look at.
struct MoveSections {
  let result: ExperimentResult

  init(_ result: ExperimentResult) { self.result = result }

  var sections: [ResultSection] { result.closely.flatMap(sections) }

  private func sections(_ arm: Int) -> [ResultSection] {
    let name = result.plan.arms[arm].name
    let change = result.sums.changes[arm - 1]
    let totals = (result.sums.totals[0], result.sums.totals[arm])
    let people = result.people
    let sentences = [
      "\(Numbers.count(change.all.gained)) notifications are shown that the base denies "
        + "(\(Numbers.count(change.all.tappedGained)) of them tapped), and \(Numbers.count(change.all.displaced)) are "
        + "displaced (\(Numbers.count(change.all.tappedDisplaced)) tapped): \(Numbers.count(totals.0.reached)) become "
        + "\(Numbers.count(totals.1.reached)). Of those shown under both, \(Numbers.count(change.tapsWon)) are tapped under "
        + "\(name) alone and \(Numbers.count(change.tapsLost)) under the base alone.",
      "Of \(Numbers.count(people)) people nothing changes for \(Numbers.share(change.unchanged, of: people)); "
        + "\(Numbers.share(change.onlyGaining, of: people)) only gain, \(Numbers.share(change.onlyLosing, of: people)) only "
        + "lose, \(Numbers.share(change.gainingAndLosing, of: people)) do both; "
        + "\(Numbers.share(change.shownFewer, of: people)) are shown fewer in all. "
        + "Turning notifications off: \(Numbers.count(change.optOutsAdded)) under \(name) alone, "
        + "\(Numbers.count(change.optOutsSpared)) under the base alone.",
    ]
    return [
      ResultSection("Who gained and who was displaced: \(name)", sentences, table: types(change)),
      hours(change, name), reasons(change, name), named(change, name),
    ]
  }

  private func types(_ change: ChangeSums) -> ResultTable {
    let names = result.plan.types
    return ResultTable(
      columns: [.text("type")] + Self.moveColumns,
      rows: names.indices.filter { change.byType[$0] != ChangeSums.Moves() }.map {
        [names[$0]] + Self.cells(change.byType[$0])
      } + [
        ["all"] + Self.cells(change.all)
      ])
  }

  private static let moveColumns: [ResultTable.Column] = [
    .number("gained"), .number("tapped"), .number("displaced"), .number("tapped"), .number("net"),
  ]

  private static func cells(_ moves: ChangeSums.Moves) -> [String] {
    [moves.gained, moves.tappedGained, moves.displaced, moves.tappedDisplaced].map(Numbers.count)
      + [Numbers.fixed(Double(moves.gained - moves.displaced), 0, signed: true)]
  }

  private func hours(_ change: ChangeSums, _ name: String) -> ResultSection {
    let chart = Chart.Hours(
      title: "Notifications gained and displaced, by hour of the local day: \(name)",
      up: Chart.Hours.Side(
        name: "gained", meaning: "shown, which the base denies", counts: change.byHour.map(\.gained)),
      down: Chart.Hours.Side(
        name: "displaced", meaning: "denied, which the base shows", counts: change.byHour.map(\.displaced)))
    let table = ResultTable(
      columns: [.number("hour")] + Self.moveColumns,
      rows: (0..<24).filter { change.byHour[$0] != ChangeSums.Moves() }.map {
        ["\($0)"] + Self.cells(change.byHour[$0])
      })
    return ResultSection("By hour: \(name)", chart: .hours(chart), table: table)
  }

  private func reasons(_ change: ChangeSums, _ name: String) -> ResultSection {
    ResultSection(
      "By rule: \(name)",
      table: ResultTable(
        columns: [.text("rule"), .number("had denied what is gained"), .number("denies what is displaced")],
        rows: change.reasons.map {
          [$0.reason?.name ?? "no request", Numbers.count($0.gainedFrom), Numbers.count($0.displacedTo)]
        }))
  }

  private func named(_ change: ChangeSums, _ name: String) -> ResultSection {
    let ten = change.people.ten
    return ResultSection(
      "Ten people: \(name)",
      table: ResultTable(
        columns: [
          .number("person"), .number("gained"), .number("displaced"), .number("shown"), .number("tapped"),
          .text("turned notifications off"),
        ],
        rows: ten.map { person in
          [
            "\(person.person)", Numbers.count(person.gained), Numbers.count(person.displaced),
            "\(person.shown.base) → \(person.shown.variant)",
            "\(person.tapped.base) → \(person.tapped.variant)",
            Self.optOut(person),
          ]
        }),
      notes: [
        "Those who lost most, who gained most, and who turned notifications off under \(name) alone, in turn. "
          + "'triggerbench experiment FILE --person NUMBER' plays one of them alone."
      ])
  }

  private static func optOut(_ person: NamedPerson) -> String {
    switch (person.optedOut.base > 0, person.optedOut.variant > 0) {
    case (false, false): "no"
    case (true, false): "under the base"
    case (false, true): "under the variant"
    case (true, true): "under both"
    }
  }
}
