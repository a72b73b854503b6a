/// The cap scheduler's decision on one request.
public struct Decision: Hashable, Sendable, BitwiseCopyable {
  /// The kind of decision.
  public enum Outcome: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// The request is admitted, and its delivery is reserved.
    case admit
    /// The request is denied.
    case deny
    /// The request is deferred until ``Decision/until``, when all checks are made again.
    case `defer`
    /// The request was admitted, but the operating system refused it.
    case fail

    /// The name in files and reports.
    public var name: String { String(describing: self) }
  }

  /// The kind of decision. Only an ``Outcome/admit`` counts against the caps.
  public var outcome: Outcome
  /// The first failing check, or `nil` if the request is admitted.
  public var reason: Reason?
  /// All failing checks, including ``reason``.
  public var blockers: ReasonSet
  /// The release of a deferred request on the phone's wall clock, or `nil`.
  public var until: Instant?

  /// Creates a decision. The reason must be one of the blockers.
  public init(outcome: Outcome, reason: Reason? = nil, blockers: ReasonSet = [], until: Instant? = nil) {
    self.outcome = outcome
    self.reason = reason
    self.blockers = blockers
    self.until = until
  }

  /// The decision if no check fails.
  public static let admitted = Decision(outcome: .admit)

  /// The decision on a request that the operating system refused. It consumes nothing.
  public static let addFailed = Decision(outcome: .fail, reason: .addFailed, blockers: ReasonSet(.addFailed))
}
