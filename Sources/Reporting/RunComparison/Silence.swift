import CivilTime

/// What a run says of occasions for which it asked for nothing.
struct Silence {
  struct Reminder: Hashable {
    var name: String
    var device: String
    var person: Int
  }

  private let source: RecordedRun.Source
  private let declined: [RecordedDecision.Occasion: String]
  /// By reminder: when it was asked for, and when it was shown, in the order of the asking.
  private var shown: [Reminder: [(asked: String, shownAt: String)]] = [:]
  private let unstopped: [Reminder: Int]

  init(_ scenario: RecordedScenario, _ source: RecordedRun.Source, _ unstopped: [Reminder: Int]) {
    self.source = source
    self.unstopped = unstopped
    declined = scenario.declined
    for decision in scenario.decisions {
      guard let shownAt = decision.fate.shownAt else { continue }
      shown[Self.reminder(decision.occasion), default: []].append((decision.askedAt, shownAt))
    }
  }

  /// How many days behind a fire some reminders were asked for again, at the least: what fired so long ago, or longer,
  /// is not why they are not asked for.
  static func unstopped(_ scenarios: [RecordedScenario]) -> [Reminder: Int] {
    var least: [Reminder: Int] = [:]
    for scenario in scenarios {
      var last: [Reminder: String] = [:]
      for decision in scenario.decisions {
        let reminder = reminder(decision.occasion)
        if let shownAt = last[reminder], let days = days(from: shownAt, to: decision.occasion.time) {
          least[reminder] = min(least[reminder] ?? .max, days)
        }
        if let shownAt = decision.fate.shownAt { last[reminder] = shownAt }
      }
    }
    return least
  }

  /// What became of an occasion that was asked for at an instant in another run.
  func fate(of occasion: RecordedDecision.Occasion, asked: String) -> Fate {
    guard source == .journal else { return Fate(words: "does not fire") }
    var first = occasion
    first.repetition = 0
    if let words = declined[first] { return Fate(words: words) }
    let reminder = Self.reminder(occasion)
    guard let before = shown[reminder]?.last(where: { $0.asked <= asked }),
      let days = Self.days(from: before.shownAt, to: occasion.time), days < unstopped[reminder] ?? .max
    else { return Fate(words: "nobody asks for it") }
    return Fate(words: "nobody asks for it, after it fired at \(ComparisonText.local(before.shownAt))")
  }

  /// From one date to another; nil where the second time is not behind the first one.
  private static func days(from first: String, to second: String) -> Int? {
    guard first.prefix(19) < second.prefix(19), let from = try? CivilDate(iso8601: first.prefix(10)),
      let to = try? CivilDate(iso8601: second.prefix(10))
    else { return nil }
    return to - from
  }

  private static func reminder(_ occasion: RecordedDecision.Occasion) -> Reminder {
    Reminder(name: occasion.reminder, device: occasion.device, person: occasion.person)
  }
}
