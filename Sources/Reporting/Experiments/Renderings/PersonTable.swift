package import Experiments

/// A row for each person and policy, for a spreadsheet.
package struct PersonTable: Sendable {
  package static let header =
    "person,policy,requested,shown,tapped,dismissed,optedOut,opens,organicOpens,personDays\n"

  private let names: [String]

  package init(_ plan: ExperimentPlan) {
    names = plan.arms.map { $0.name.contains(where: { ",\"".contains($0) }) ? "\"\($0.name)\"" : $0.name }
  }

  package func rows(sink: @escaping @Sendable (String) -> Void) -> PersonRows {
    let names = names
    return PersonRows(
      write: { person, outcomes, text in
        for (name, outcome) in zip(names, outcomes) {
          let numbers = [
            outcome.requested, outcome.shown, outcome.tapped, outcome.dismissed, outcome.optedOut,
            outcome.opens, outcome.organicOpens, outcome.personDays,
          ]
          text += "\(person),\(name)," + numbers.map { "\($0)" }.joined(separator: ",") + "\n"
        }
      }, sink: sink)
  }
}
