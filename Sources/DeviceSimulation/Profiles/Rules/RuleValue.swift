import TriggerModel

/// The value of a platform rule.
package enum RuleValue: Hashable, Sendable, CustomStringConvertible {
  case flag(Bool)
  /// A number in the rule's unit.
  case number(Double)
  case choice(String)

  /// The value in the syntax of scenario files and reports.
  package var description: String {
    switch self {
    case .flag(let value): value ? "true" : "false"
    case .number(let value): value == value.rounded() ? String(Int64(value)) : String(value)
    case .choice(let name): name
    }
  }
}

/// The degree to which a source supports the value of a rule.
package enum RuleConfidence: String, Sendable, CaseIterable {
  /// The named source states the value.
  case stated
  /// The value was measured on real devices or fitted to such a measurement.
  case measured
  /// The value is from memory and has not been verified.
  case memory
  /// Sources disagree about the value. Sweep the rule.
  case disputed
  /// No source gives a number. The value is the model's default.
  case assumed
}

/// The setting that a rule controls, with its allowed values.
package struct RuleKnob: Sendable {
  /// A description of the allowed values, for messages.
  package let domain: String
  /// The names of the choices. Empty for flags and numbers.
  package let names: [String]
  private let write: @Sendable (RuleValue, inout ProfileSettings) -> Bool

  /// Sets the value and returns whether it is allowed.
  package func set(_ value: RuleValue, in settings: inout ProfileSettings) -> Bool {
    write(value, &settings)
  }

  /// Parses a value, or returns `nil` if the knob does not allow it.
  package func value(of text: String) -> RuleValue? {
    let value: RuleValue
    switch (text, Double(text)) {
    case ("true", _): value = .flag(true)
    case ("false", _): value = .flag(false)
    case (_, let number?): value = .number(number)
    default: value = .choice(text)
    }
    var scratch = ProfileSettings()
    return set(value, in: &scratch) ? value : nil
  }

  typealias Path<Value> = any WritableKeyPath<ProfileSettings, Value> & Sendable

  static func flag(_ path: Path<Bool>) -> RuleKnob {
    RuleKnob(domain: "true or false", names: []) { value, settings in
      guard case .flag(let flag) = value else { return false }
      settings[keyPath: path] = flag
      return true
    }
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ path: Path<Choice>
  ) -> RuleKnob {
    let names = Choice.allCases.map(\.rawValue)
    return RuleKnob(domain: names.joined(separator: ", "), names: names) { value, settings in
      guard case .choice(let name) = value, let choice = Choice(rawValue: name) else { return false }
      settings[keyPath: path] = choice
      return true
    }
  }

  static func decimal(_ path: Path<Double>, _ range: ClosedRange<Double>) -> RuleKnob {
    number(range) { $1[keyPath: path] = $0 }
  }

  static func count(_ path: Path<Int>, _ range: ClosedRange<Int>) -> RuleKnob {
    number(Double(range.lowerBound)...Double(range.upperBound), isWhole: true) {
      $1[keyPath: path] = Int($0)
    }
  }

  /// Creates a knob for a duration in units of `unit`.
  static func span(_ path: Path<TimeSpan>, in unit: TimeSpan, _ range: ClosedRange<Double>) -> RuleKnob {
    number(range) {
      $1[keyPath: path] = TimeSpan(milliseconds: Int64(($0 * Double(unit.milliseconds)).rounded()))
    }
  }

  private static func number(
    _ range: ClosedRange<Double>, isWhole: Bool = false,
    _ write: @escaping @Sendable (Double, inout ProfileSettings) -> Void
  ) -> RuleKnob {
    let low = RuleValue.number(range.lowerBound)
    let high = RuleValue.number(range.upperBound)
    let domain = (isWhole ? "a whole number from " : "a number from ") + "\(low) to \(high)"
    return RuleKnob(domain: domain, names: []) { value, settings in
      guard case .number(let number) = value, range.contains(number) else { return false }
      guard !isWhole || number == number.rounded() else { return false }
      write(number, &settings)
      return true
    }
  }
}
