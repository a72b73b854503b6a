/// A value that overrides a scenario and its packs, such as `policy.minimumInterval=3h`.
///
/// A setting is parsed as a separate document, which overrides all others. Errors in it are reported as in a
/// file.
package struct ScenarioSetting: Hashable, Sendable {
  /// The name that replaces the file name in diagnostics.
  package var name: String { "--set \(argument)" }
  private let argument: String
  /// The path of keys, beginning with the section.
  package let keys: [String]
  /// The value as text.
  package let value: String

  /// Parses a comma-separated list of settings such as `policy.minimumInterval=3h,policy.dailyCap=2`. A comma
  /// belongs to the value unless keys and `=` follow it, as in `[2, 3]`.
  ///
  /// - Returns: The settings, or `nil` if one of them is malformed.
  package static func list(_ argument: String) -> [ScenarioSetting]? {
    var parts: [String] = []
    for piece in argument.split(separator: ",", omittingEmptySubsequences: false) {
      if !parts.isEmpty, piece.prefixMatch(of: /[\w-]+(?:\.[\w-]+)*=/) == nil {
        parts[parts.count - 1] += "," + piece
      } else {
        parts.append(String(piece))
      }
    }
    let settings = parts.map(ScenarioSetting.init)
    return settings.contains(nil) ? nil : settings.compactMap(\.self)
  }

  /// Creates a setting from dot-separated keys, `=`, and a value in the notation of files. Returns `nil` if
  /// the argument is malformed.
  package init?(_ argument: String) {
    guard let sign = argument.firstIndex(of: "="), !argument.contains("\n") else { return nil }
    keys = argument[..<sign].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    value = String(argument[argument.index(after: sign)...])
    let isPlain = keys.allSatisfy { key in
      !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    }
    if !isPlain || value.allSatisfy(\.isWhitespace) { return nil }
    self.argument = argument
  }

  /// A document that contains only this setting.
  package var bytes: [UInt8] {
    var text = ""
    for (depth, key) in keys.enumerated() {
      text += String(repeating: "  ", count: depth) + key + ":"
      text += depth == keys.count - 1 ? " " + value : "\n"
    }
    return Array(text.utf8)
  }
}
