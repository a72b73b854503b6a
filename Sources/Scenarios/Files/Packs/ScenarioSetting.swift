/// A value that takes the place of what a scenario and its packs say: `policy.minimumInterval=3h`.
///
/// It is read as a document of its own would be, laid over all others: wrong names and values are reported as in
/// a file.
package struct ScenarioSetting: Hashable, Sendable {
  /// What diagnostics call it.
  package var name: String { "--set \(argument)" }
  private let argument: String
  /// From the section inwards.
  package let keys: [String]
  /// As it is written.
  package let value: String

  /// Several of them with commas between them: `policy.minimumInterval=3h,policy.dailyCap=2`. A comma before which
  /// nothing ends and after which nothing begins is part of a value: `[2, 3]`.
  ///
  /// - Returns: Nil if one of them has no such form.
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

  /// - Parameter argument: Keys with dots between them, and after '=' a value as in a file.
  /// - Returns: Nil if it has no such form.
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

  /// A document that says nothing else.
  package var bytes: [UInt8] {
    var text = ""
    for (depth, key) in keys.enumerated() {
      text += String(repeating: "  ", count: depth) + key + ":"
      text += depth == keys.count - 1 ? " " + value : "\n"
    }
    return Array(text.utf8)
  }
}
