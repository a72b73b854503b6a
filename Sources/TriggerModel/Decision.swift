/// The cap scheduler's answer to one request.
public struct Decision: Hashable, Sendable, BitwiseCopyable {
  /// What becomes of the request.
  public enum Outcome: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// Reserved; delivery will keep it.
    case admit
    /// Refused for good.
    case deny
    /// Held until ``Decision/until``, then checked again in full.
    case `defer`
    /// Admitted, but the operating system refused to take it.
    case fail

    /// The name used in files and reports.
    public var name: String { String(describing: self) }
  }

  /// What becomes of the request; only ``Outcome/admit`` takes anything from the caps.
  public var outcome: Outcome
  /// The first failing check; nil when admitted.
  public var reason: Reason?
  /// Every failing check, ``reason`` included.
  public var blockers: ReasonSet
  /// For a deferral the instant of its release, on the phone's wall clock.
  public var until: Instant?

  /// What a scheduler decided; the reason is one of the blockers.
  public init(outcome: Outcome, reason: Reason? = nil, blockers: ReasonSet = [], until: Instant? = nil) {
    self.outcome = outcome
    self.reason = reason
    self.blockers = blockers
    self.until = until
  }

  /// No check fails.
  public static let admitted = Decision(outcome: .admit)

  /// The operating system refused the request; nothing is consumed.
  public static let addFailed = Decision(outcome: .fail, reason: .addFailed, blockers: ReasonSet(.addFailed))
}
