import Journal
import NotificationGateway
import TriggerModel

/// What became of one link, in counts that add up: attempts = routed + lost + still on the way.
package struct LinkAccount: Hashable, Sendable {
  /// Taps, and openings from elsewhere.
  package var attempted = 0
  package var routed = 0
  /// Of those that were routed: to the consumer's fallback.
  package var fallbacks = 0
  /// By reason: linkUnresolved, linkLost, linkUnconsumed.
  package var lost = ReasonCounts()
  /// Came again in time to be known as the same.
  package var duplicates = 0
  /// Came again too late for that, and was shown a second time.
  package var routedAgain = 0

  package init() {}

  /// Neither shown nor lost when the run ended.
  package var onTheWay: Int { attempted - routed - lost.total }

  package mutating func add(_ other: LinkAccount) {
    attempted += other.attempted
    routed += other.routed
    fallbacks += other.fallbacks
    lost.add(other.lost)
    duplicates += other.duplicates
    routedAgain += other.routedAgain
  }

  mutating func take(_ record: LinkRecord) {
    switch record.step {
    case .attempted: if !record.isRepeat { attempted += 1 }
    case .duplicate: duplicates += 1
    case .routed(let destination):
      if record.isRepeat { routedAgain += 1 } else { routed += 1 }
      if destination.isFallback, !record.isRepeat { fallbacks += 1 }
    case .unconsumed, .failed: if let reason = record.step.loss, !record.isRepeat { lost[reason] += 1 }
    }
  }
}
