/// A row of the table that defines the profiles.
///
/// A row implements one platform fact. A fact with several knobs has one row for each knob.
package struct RuleDefinition: Sendable {
  /// The identifier of the platform fact. Its letter is N for notifications, L for location, P for power, U,
  /// D or H for the life cycle, and A for Android.
  package let id: String
  /// The key with which a scenario overrides the rule.
  package let key: String
  package let knob: RuleKnob
  package let unit: String
  package let ideal: RuleValue
  /// The value on iOS, or `nil` if no difference from `ideal` is known.
  package let ios: RuleValue?
  /// The value on Android, or `nil` if no difference from `ideal` is known.
  package let android: RuleValue?
  /// The values that a sweep tries, in addition to the profile's own.
  package let alternatives: [RuleValue]
  package let source: String
  package let confidence: RuleConfidence
  package let summary: String

  init(
    _ id: String, _ key: String, _ knob: RuleKnob, unit: String = "", ideal: RuleValue,
    ios: RuleValue? = nil, android: RuleValue? = nil, alternatives: [RuleValue] = [],
    _ confidence: RuleConfidence, source: String, _ summary: String
  ) {
    self.id = id
    self.key = key
    self.knob = knob
    self.unit = unit
    self.ideal = ideal
    self.ios = ios
    self.android = android
    self.alternatives = alternatives
    self.source = source
    self.confidence = confidence
    self.summary = summary
  }

  /// Creates a rule whose value is one of several named choices.
  init<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ id: String, _ key: String, choice path: RuleKnob.Path<Choice>, ideal: Choice, ios: Choice? = nil,
    android: Choice? = nil, alternatives: [Choice] = [], _ confidence: RuleConfidence, source: String,
    _ summary: String
  ) {
    func value(_ choice: Choice) -> RuleValue { .choice(choice.rawValue) }
    self.init(
      id, key, .choice(path), ideal: value(ideal), ios: ios.map(value), android: android.map(value),
      alternatives: alternatives.map(value), confidence, source: source, summary)
  }

  /// Returns the values of a sweep, starting with `value`. Returns an empty array if the rule has no other
  /// value.
  func sweep(from value: RuleValue) -> [RuleValue] {
    let others = alternatives.filter { $0 != value }
    return others.isEmpty ? [] : [value] + others
  }
}

/// All platform rules that the phone implements.
package enum PlatformRules {
  /// The rules in the order of the printed table.
  package static let all: [RuleDefinition] =
    notifications + place + battery + lifeCycle + alarms + androidApps

  /// A platform fact that has no knob, and the reason.
  package struct Note: Sendable {
    package let id: String
    package let summary: String
    package let reason: String
  }
}

extension RuleValue: ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  package init(booleanLiteral value: Bool) { self = .flag(value) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(integerLiteral value: Int) { self = .number(Double(value)) }
}
