import CivilTime
import ReminderEngine
import TriggerModel

/// Conditions in the words of a scenario file.
struct ConditionWords {
  private let facts: FactWords

  init(_ facts: FactWords) {
    self.facts = facts
  }

  func text(_ condition: Condition) -> String {
    switch condition {
    case .timeWindow(let window):
      return "between \(MinuteOfDay.text(window.from)) and \(MinuteOfDay.text(window.to))"
    case .weekdays(.weekdays): return "weekdays"
    case .weekdays(.weekend): return "weekend"
    case .weekdays(let days):
      return "on " + Weekday.allCases.filter { days.contains($0) }.map { "\($0)" }.joined(separator: ", ")
    case .inside(let place): return "inside \(place)"
    case .outside(let place): return "outside \(place)"
    case .charging(let wanted): return wanted ? "charging" : "not charging"
    case .fact(let fact): return text(fact)
    }
  }

  private func text(_ fact: FactCondition) -> String {
    let quantity =
      switch fact.quantity {
      case .value(let name): name
      case .ratio(let a, let b): "\(a) / \(b)"
      case .age(let name): "age(\(name))"
      case .days(let name): "days since \(name)"
      }
    let sign =
      switch fact.comparison {
      case .less: "<"
      case .lessOrEqual: "<="
      case .equal: fact.constants.count > 1 ? "in" : "="
      case .notEqual: fact.constants.count > 1 ? "not in" : "!="
      case .greaterOrEqual: ">="
      case .greater: ">"
      }
    let constants = fact.constants.map { facts.text($0, of: fact.quantity) }.joined(separator: ", ")
    return "\(quantity) \(sign) \(constants)"
  }
}
