import CivilTime
import ReminderEngine
import TriggerModel

/// Conditions in the words of a scenario file.
enum ConditionWords {
  static func text(_ condition: Condition) -> String {
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

  private static func text(_ fact: FactCondition) -> String {
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
    let constants = fact.constants.map { thousandths($0.bits) }.joined(separator: ", ")
    return "\(quantity) \(sign) \(constants)"
  }

  /// A number of thousandths in decimals, as far as they are needed.
  private static func thousandths(_ number: Int64) -> String {
    let sign = number < 0 ? "-" : ""
    let magnitude = number.magnitude
    var text = "\(magnitude / 1_000)"
    var rest = magnitude % 1_000
    if rest > 0 {
      var digits = String(rest + 1_000).dropFirst()
      while rest % 10 == 0 {
        rest /= 10
        digits = digits.dropLast()
      }
      text += "." + digits
    }
    return sign + text
  }
}
