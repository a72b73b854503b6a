public import TriggerModel

/// Why a policy cannot be used. ``description`` says what to change.
public enum CapPolicyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// `key` names a type that does not exist; `nearest` are existing names that look like it.
  case unknownType(String, key: String, nearest: [String])
  /// A cap, the minimum interval or the counter lag is less than zero.
  case negative(key: String)
  /// The check order names something that the scheduler does not check.
  case notACheck(Reason)
  /// The check order names a check twice.
  case repeatedCheck(Reason)

  public var description: String {
    switch self {
    case .unknownType(let name, let key, let nearest):
      "\(key) names the type \"\(name)\", which does not exist; "
        + (nearest.isEmpty
          ? "use the name of a notification type" : "did you mean \(nearest.joined(separator: " or "))?")
    case .negative(let key):
      "\(key) is less than zero; use 0 to allow none, and leave it out for no limit"
    case .notACheck(let reason):
      "checkOrder names \(reason.name), which the scheduler does not check; use "
        + (CapPolicy.standingChecks + CapPolicy.defaultCheckOrder).map(\.name).joined(separator: ", ")
    case .repeatedCheck(let reason):
      "checkOrder names \(reason.name) twice; name each check once"
    }
  }
}
