import CivilTime
import ScenarioModel
import TextFormats
import TriggerModel

extension Expectation.Claim {
  /// The claim in the words of a scenario file; reading them gives the claim back.
  ///
  /// `only` and `exact` have no short form: their sentence is the mapping in one line.
  package func sentence(reminders: [String]) -> String {
    func name(_ id: ReminderID) -> String {
      reminders[id.index] + (occasion?.device.map { " on \($0)" } ?? "")
    }
    switch self {
    case .fires(let id, .exactly(0), let occasion): return name(id) + " never" + occasion.phrase
    case .fires(let id, let count, let occasion): return "\(name(id)) fires \(count.phrase)\(occasion.phrase)"
    case .shows(let id, let title, .exactly(0), let occasion):
      return "\(name(id)) never shows \(QuotedText.write(title, inSentence: true))\(occasion.phrase)"
    case .shows(let id, let title, let count, let occasion):
      return
        "\(name(id)) shows \(QuotedText.write(title, inSentence: true)) \(count.phrase)\(occasion.phrase)"
    case .ends(let id, let ending, let count, let occasion):
      return "\(name(id)) is \(ending.phrase) \(count.phrase)\(occasion.phrase)"
    case .metric(let metric, let id, let comparison, let value):
      let sign = ExpectationSentences.comparisons.first { $0.1 == comparison }?.0 ?? "="
      return "\(id.map { name($0) + " " } ?? "")\(metric.name) \(sign) \(metric.text(ofMillionths: value))"
    case .gate(let name, .pass): return "gate \(name) passes"
    case .gate(let name, .kill): return "gate \(name) kills"
    case .gate(let name, .inconclusive): return "gate \(name) is inconclusive"
    case .only(let ids): return "only: [" + ids.map(name).joined(separator: ", ") + "]"
    case .app(let claim): return claim.sentence
    case .view(let claim): return claim.sentence(reminders: reminders)
    case .exact(let fires):
      let items = fires.map { $0.sentence(reminders: reminders) }
      return "exact: [" + items.joined(separator: ", ") + "]"
    }
  }
}

extension Expectation.ExactFire {
  /// As an item of the list: `milk at 17:42 on 2026-03-02`.
  package func sentence(reminders: [String]) -> String { reminders[reminder.index] + occasion.phrase }
}

extension Expectation.Count {
  var phrase: String {
    func times(_ number: Int) -> String {
      switch number {
      case 1: "once"
      case 2: "twice"
      default: "\(number) times"
      }
    }
    return switch self {
    case .exactly(let number): times(number)
    case .atLeast(let number): "at least " + times(number)
    case .atMost(let number): "at most " + times(number)
    }
  }
}

extension Expectation.Ending {
  fileprivate var phrase: String {
    func by(_ reason: Reason?) -> String { reason.map { " by \($0.name)" } ?? "" }
    return switch self {
    case .denied(let reason): "denied" + by(reason)
    case .deferred(let reason, let until):
      "deferred" + by(reason) + (until.map { " until \(Clock.text($0))" } ?? "")
    case .notRequested(let reason): "not requested because " + reason.name
    case .lost(let reason): "lost to " + reason.name
    case .doubled(let cause): "doubled" + (cause.map { " by \($0.name)" } ?? "")
    }
  }
}

extension Occasion {
  /// With a space in front, or nothing for any time.
  var phrase: String {
    var phrase = ""
    if let time {
      let length = (time.to - time.from + 86_400_000) % 86_400_000
      let isMinute = length == 60_000 && time.from % 60_000 == 0
      let isSecond = length == 1_000 && time.from % 60_000 != 0
      phrase =
        isMinute || isSecond
        ? " at \(Clock.text(time.from))" + (offset.map { " \(UTCOffset.text($0))" } ?? "")
        : " between \(Clock.text(time.from)) and \(Clock.text(time.to))"
    }
    if let date { phrase += " on \(date.text)" }
    return phrase
  }
}

extension Metric {
  /// A bound as an author would write it: a percentage for shares, a plain number otherwise.
  fileprivate func text(ofMillionths value: Int64) -> String {
    isShare ? Decimal.text(value, decimals: 4) + " %" : Decimal.text(value, decimals: 6)
  }
}
