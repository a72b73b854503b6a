package import TextFormats

/// The settings of an experiment, after all files and command-line options are resolved.
package struct Configuration: Hashable, Sendable {
  /// A setting and its value in file form, such as `policy.minimumInterval` and `4 h`.
  package struct Line: Hashable, Sendable, Decodable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      (self.name, self.value) = (name, value)
    }

    /// - Parameter words: The line as in a file, such as `policy.minimumInterval: 4 h`.
    init(_ words: String) {
      let parts = words.split(separator: ":", maxSplits: 1)
      self.init(String(parts[0]), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
    }
  }

  /// The settings in this order: the population, seed, days and follow-up, the base policy and its people, the
  /// variants, and the metrics.
  package var lines: [Line] = []

  package init(_ lines: [Line] = []) { self.lines = lines }

  /// The settings as JSON.
  package var document: JSONValue {
    .array(lines.map { ["name": .string($0.name), "value": .string($0.value)] })
  }

  /// A setting with different values in two configurations. The value is `nil` if a configuration lacks the setting.
  package struct Difference: Hashable, Sendable {
    package var name: String
    package var first: String?
    package var second: String?
  }

  /// Returns the settings that differ, in the order of this configuration.
  package func differences(from other: Configuration) -> [Difference] {
    func values(_ lines: [Line]) -> [String: String] {
      Dictionary(lines.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
    let (own, others) = (values(lines), values(other.lines))
    let names = lines.map(\.name) + other.lines.map(\.name).filter { own[$0] == nil }
    return names.compactMap { name in
      own[name] == others[name] ? nil : Difference(name: name, first: own[name], second: others[name])
    }
  }
}
