package import TriggerModel

/// Who a loss or a superfluous request is attributed to.
package enum Culprit: String, Hashable, Sendable, CaseIterable {
  /// What the phone reported to the app: late, not at all, or without cause.
  case phone
  /// The operating system, with its limits and its rules for pending requests.
  case platform
  /// The engine under test. The built-in engine is never the culprit.
  case engine
  /// The cap scheduler, with the rules of the policy.
  case scheduler
  /// The person, with permissions, settings and responses.
  case person
  /// The app around the engine.
  case app
}

extension Reason {
  /// Who a loss for this reason is attributed to.
  ///
  /// A due request that an engine declines rests on what the phone reported. If it does not, the reason is
  /// ``TriggerModel/Reason/notRequested``.
  package var culprit: Culprit {
    switch self {
    case .notRequested: .engine
    case .conditionFailed, .snoozed, .expired, .alreadyFired, .notEntitled, .staleData, .lowConfidence: .phone
    case .userDisabled, .userDailyCap, .permission, .permissionRevoked, .exactAlarmsRevoked,
      .clearedByForceStop:
      .person
    case .lifetimeCap, .lapseCap, .quietHours, .typeDailyCap, .typeWeeklyCap, .typeMonthlyCap,
      .typeRollingCap,
      .dailyCap, .weeklyCap, .monthlyCap, .rollingCap, .criticalDailyCap, .minimumInterval, .preempted,
      .staleAtRelease, .expiredAtRelease:
      .scheduler
    case .addFailed, .pendingLimit, .regionLimit, .clearedByReboot, .clearedByUpdate, .notPresented:
      .platform
    case .notRegistered, .cancelled, .superseded, .linkUnresolved, .linkLost, .linkUnconsumed: .app
    }
  }
}

extension KnowledgeGap {
  /// Who a missed or an unfounded request with this cause is attributed to.
  package var culprit: Culprit {
    switch self {
    case .toldLate, .notTold, .conditionUnseen, .notWoken, .storeStale, .unfounded: .phone
    case .uncalledFor: .engine
    }
  }
}
