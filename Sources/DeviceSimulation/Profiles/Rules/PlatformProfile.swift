import TriggerModel

/// A platform rule with its value in a profile.
package struct PlatformRule: Hashable, Sendable {
  /// The identifier of the rule in the platform facts.
  package let id: String
  /// The key with which a scenario overrides the rule.
  package let key: String
  package internal(set) var value: RuleValue
  /// The profile's own value, without overrides.
  package let defaultValue: RuleValue
  /// The unit of a number. Empty for flags and choices.
  package let unit: String
  /// The values of a sweep, including the profile's own. Empty if the rule has no alternative.
  package let alternatives: [RuleValue]
  /// A description of the allowed values.
  package let domain: String
  package let source: String
  package let confidence: RuleConfidence
  package let summary: String
}

/// A platform, described by the rules that determine which events an app on its phones observes.
package struct PlatformProfile: Hashable, Sendable {
  /// The operating system of the phones. The person model's assumptions depend on it.
  package enum System: Hashable, Sendable, CaseIterable {
    case ios, android
  }

  package let name: String
  package let summary: String
  package let system: System
  package private(set) var rules: [PlatformRule]
  /// The values of the rules in the packed form that a phone reads.
  package private(set) var settings: ProfileSettings

  /// A profile in which the app observes every true event immediately, except while the phone is off. The
  /// person model treats its phones as iPhones.
  package static let ideal = PlatformProfile(
    name: "ideal", summary: "Every true event is observed immediately, unless the phone is off.", system: .ios
  ) { $0.ideal }

  package static let ios = PlatformProfile(
    name: "ios", summary: "An iPhone, according to documents and reports from the field.", system: .ios
  ) { $0.ios }

  /// A profile of Android 14. A rule whose value on Android is unknown has the value of `ideal`.
  package static let android = PlatformProfile(
    name: "android", summary: "Android 14 with Google Play services; unknown rules are as in ideal.",
    system: .android
  ) { $0.android }

  package static let all = [ideal, ios, android]

  private init(name: String, summary: String, system: System, value: (RuleDefinition) -> RuleValue?) {
    self.name = name
    self.summary = summary
    self.system = system
    self.rules = []
    self.settings = ProfileSettings()
    for rule in PlatformRules.all {
      // Several definitions may set the same key on different platforms.
      guard let value = value(rule), !rules.contains(where: { $0.key == rule.key }) else { continue }
      let isAllowed = rule.knob.set(value, in: &settings)
      precondition(isAllowed, "\(name).\(rule.key) must be \(rule.knob.domain)")
      rules.append(
        PlatformRule(
          id: rule.id, key: rule.key, value: value, defaultValue: value, unit: rule.unit,
          alternatives: rule.sweep(from: value), domain: rule.knob.domain, source: rule.source,
          confidence: rule.confidence, summary: rule.summary))
    }
  }

  /// Returns the profile with a name.
  package static func named(_ name: String) throws(RuleError) -> PlatformProfile {
    if let profile = all.first(where: { $0.name == name }) { return profile }
    throw .unknownProfile(name, hint: NearestNames.hint(for: name, among: all.map(\.name)) ?? "")
  }

  /// Returns the operating system of the profile with a name, or `nil` if there is no such profile.
  package static func system(of name: String) -> System? { all.first { $0.name == name }?.system }

  /// Sets the value of a rule.
  package mutating func override(_ key: String, with text: String) throws(RuleError) {
    guard let index = rules.firstIndex(where: { $0.key == key }),
      let definition = PlatformRules.all.first(where: { $0.key == key })
    else {
      throw .unknownRule(key, profile: name, nearest: NearestNames.of(key, among: rules.map(\.key)))
    }
    guard let value = definition.knob.value(of: text) else {
      throw .wrongValue(text, key: key, domain: definition.knob.domain)
    }
    rules[index].value = value
    _ = definition.knob.set(value, in: &settings)
  }
}

extension PlatformProfile {
  /// Returns one copy of the profile for each value of a rule, starting with the profile's own value.
  ///
  /// - Parameter name: The key of a rule, or the id of a platform fact that exactly one rule with several
  ///   values implements.
  package func sweep(_ name: String) throws(RuleError) -> [PlatformProfile] {
    let named = rules.filter { $0.key == name || $0.id == name }
    if named.isEmpty {
      let names = rules.map(\.key) + rules.map(\.id)
      let nearest = NearestNames.of(name, among: names)
      throw nearest.isEmpty
        ? .unknownSweep(name, profile: self.name, keys: sweepableKeys)
        : .unknownRule(name, profile: self.name, nearest: nearest)
    }
    let sweepable = named.filter { $0.alternatives.count > 1 }
    guard let rule = sweepable.first, sweepable.count == 1 else {
      throw .cannotSweep(name, keys: sweepable.map(\.key))
    }
    var variants: [PlatformProfile] = []
    for value in rule.alternatives {
      var variant = self
      try variant.override(rule.key, with: value.description)
      variants.append(variant)
    }
    return variants
  }
}

extension PlatformProfile {
  /// The keys of the rules with several values.
  private var sweepableKeys: [String] { rules.filter { $0.alternatives.count > 1 }.map(\.key) }

  /// Returns an error message if no profile has a rule with this key or id, or `nil` if one has.
  package static func unknownSweep(_ name: String) -> String? {
    if all.contains(where: { $0.rules.contains { $0.key == name || $0.id == name } }) { return nil }
    let keys = Set(all.flatMap(\.sweepableKeys)).sorted()
    let nearest = NearestNames.of(name, among: keys)
    return "no profile has a rule '\(name)'"
      + (nearest.isEmpty
        ? "; a sweep tries one of " + keys.joined(separator: ", ")
        : "; did you mean " + nearest.joined(separator: " or ") + "?")
  }
}

/// The reason that a profile or one of its rules cannot be used.
package enum RuleError: Error, Hashable, CustomStringConvertible {
  case unknownProfile(String, hint: String)
  case unknownRule(String, profile: String, nearest: [String])
  /// No rule has a similar name. `keys` lists the rules that can be swept.
  case unknownSweep(String, profile: String, keys: [String])
  case wrongValue(String, key: String, domain: String)
  /// The rule has only one value, or several rules share the id.
  case cannotSweep(String, keys: [String])

  package var description: String {
    switch self {
    case .unknownProfile(let name, let hint): "there is no profile '\(name)'; \(hint)"
    case .unknownSweep(let name, let profile, let keys):
      "profile \(profile) has no rule '\(name)'; a sweep tries one of " + keys.joined(separator: ", ")
    case .unknownRule(let key, let profile, let nearest):
      "profile \(profile) has no rule '\(key)'"
        + (nearest.isEmpty ? "; 'triggerbench rules --profile \(profile)' lists them" : Self.hint(nearest))
    case .wrongValue(let text, let key, let domain):
      "\(key) cannot be '\(text)': it must be \(domain)"
    case .cannotSweep(let name, let keys):
      keys.isEmpty
        ? "\(name) has only one value: there is nothing to sweep"
        : "\(name) stands for several rules: name one of " + keys.joined(separator: ", ")
    }
  }

  private static func hint(_ nearest: [String]) -> String {
    nearest.isEmpty ? "" : "; did you mean " + nearest.joined(separator: " or ") + "?"
  }
}
