/// Why a line given to an oracle cannot be answered, and what to write instead.
public struct OracleLineError: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String

  package init(_ description: String) {
    self.description = description
  }
}
