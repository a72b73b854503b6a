import CivilTime
import ReminderMatching
import TextFormats
import TriggerModel

/// Writes conditions in the words of sentences.
struct ConditionText {
  let writer: Writer

  init(_ writer: Writer) {
    self.writer = writer
  }

  /// Returns all conditions, each with a leading comma. Consecutive fact comparisons share one `if`.
  func all(_ conditions: [Condition]) -> String {
    var text = ""
    var wasFact = false
    for condition in conditions {
      if case .fact(let fact) = condition {
        text += (wasFact ? " and " : ", if ") + comparison(fact)
        wasFact = true
      } else {
        text += ", " + words(condition)
        wasFact = false
      }
    }
    return text
  }

  private func words(_ condition: Condition) -> String {
    switch condition {
    case .timeWindow(let window):
      if window.to == 0, window.from > 0 { return "after \(MinuteOfDay.text(window.from))" }
      if window.from == 0, window.to > 0 { return "before \(MinuteOfDay.text(window.to))" }
      return "between \(MinuteOfDay.text(window.from)) and \(MinuteOfDay.text(window.to))"
    case .weekdays(.weekdays): return "on weekdays"
    case .weekdays(.weekend): return "on the weekend"
    case .weekdays(let days):
      return "on " + days.names
    case .inside(let place): return "inside \(SentenceNames.word(place))"
    case .outside(let place): return "outside \(SentenceNames.word(place))"
    case .charging(let wanted): return wanted ? "while charging" : "while not charging"
    case .fact(let fact): return "if " + comparison(fact)
    }
  }

  /// Returns a comparison such as `protein.current / protein.target < 50 % else staleData`.
  func comparison(_ fact: FactCondition) -> String {
    let quantity = fact.quantity.words(SentenceNames.word)
    let constants = fact.constants.map { self.constant($0, of: fact.quantity) }
    let reason = fact.reason == .conditionFailed ? "" : " else \(fact.reason.name)"
    return
      "\(quantity) \(fact.sign(isOfWords: isOfWords(fact))) \(constants.joined(separator: ", "))\(reason)"
  }

  private func constant(_ constant: FactValue, of quantity: FactCondition.Quantity) -> String {
    // A ratio is stored in thousandths, which are tenths of a per cent.
    if case .ratio = quantity, constant.bits.magnitude < 1_000_000_000 {
      return Decimal.text(constant.bits, decimals: 1) + " %"
    }
    return SentenceNames.word(FactConstants.word(constant, of: quantity, writer).text)
  }

  /// Returns whether the constant is a truth value or a name.
  private func isOfWords(_ fact: FactCondition) -> Bool {
    guard case .value = fact.quantity, let constant = fact.constants.first else { return false }
    return FactConstants.word(constant, of: fact.quantity, writer).text.first?.isLetter ?? false
  }
}
