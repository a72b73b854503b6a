/// The decision of the cap scheduler on one request.
public struct Decision: Hashable, Sendable, BitwiseCopyable {
  /// The kind of decision.
  public enum Outcome: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// The request is admitted, and its delivery is reserved.
    case admit
    /// The request is denied.
    case deny
    /// The request is deferred until ``Decision/until``. All checks are made again then.
    case `defer`
    /// The request was admitted, but the operating system rejected it.
    case fail

    /// The name in files and reports.
    public var name: String { String(describing: self) }
  }

  /// The kind of decision. Only an ``Outcome/admit`` counts against the caps.
  public var outcome: Outcome
  /// The first check that failed, or `nil` if the request is admitted.
  public var reason: Reason?
  /// All checks that failed, including ``reason``.
  public var blockers: ReasonSet
  /// The wall-clock instant at which a deferred request is released, or `nil` for other outcomes.
  public var until: Instant?

  /// Creates a decision. The reason must be one of the blockers.
  public init(outcome: Outcome, reason: Reason? = nil, blockers: ReasonSet = [], until: Instant? = nil) {
    self.outcome = outcome
    self.reason = reason
    self.blockers = blockers
    self.until = until
  }

  /// The decision on a request for which no check fails.
  public static let admitted = Decision(outcome: .admit)

  /// The decision on a request that the operating system rejected. It does not count against any cap.
  public static let addFailed = Decision(outcome: .fail, reason: .addFailed, blockers: ReasonSet(.addFailed))
}
