/// An identifier that the time-zone data does not have.
public struct UnknownZone: Error, Hashable, Sendable, CustomStringConvertible {
  /// As it was written.
  public var identifier: String
  /// Known identifiers that look like it, nearest first; may be empty.
  public var nearest: [String]

  package init(identifier: String, nearest: [String]) {
    self.identifier = identifier
    self.nearest = nearest
  }

  public var description: String {
    let hint =
      nearest.isEmpty
      ? "use an identifier such as Europe/Berlin or UTC"
      : "did you mean " + nearest.joined(separator: " or ") + "?"
    return "unknown time zone \"\(identifier)\"; \(hint)"
  }
}
