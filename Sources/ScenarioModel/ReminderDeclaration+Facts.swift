package import ReminderMatching

extension ReminderDeclaration {
  /// The facts that its triggers, schedule, conditions and withdrawals are about, by name, with repetitions.
  package var factNames: [String] {
    let waitedFor = triggers.compactMap { trigger in
      if case .factChanged(let name) = trigger { name } else { trigger.countsFrom }
    }
    let conditions = conditions.compactMap { if case .fact(let fact) = $0 { fact } else { nil } }
    return waitedFor + (conditions + withdrawals).flatMap(\.facts)
  }
}

extension FactCondition {
  fileprivate var facts: [String] {
    switch quantity {
    case .value(let name), .age(let name), .days(let name), .time(let name): [name]
    case .ratio(let first, let second): [first, second]
    }
  }
}
