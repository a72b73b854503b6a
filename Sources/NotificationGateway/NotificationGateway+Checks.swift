import CivilTime
import TriggerModel

extension NotificationGateway {
  // These are mutating, though they change nothing, because another method would get a copy of the gateway.

  /// Makes every check of a request for the delivery that the outlook is of.
  ///
  /// - Returns: Every check that fails, of those that the policy makes.
  @inline(__always)
  mutating func check(_ request: NotificationRequest, _ outlook: Outlook) -> ReasonSet {
    guard request.type.index < policy.typeCaps.typeCount else { return ReasonSet(.notRegistered) }
    var blockers = outlook.someTypeIsOff ? standingBlockers(request.type) : []
    TypeCap.forEach { cap in
      // Most policies have none of most kinds, and a count may be a search.
      if policy.typeCaps.uses(cap), request.bucket == .standard || !cap.isOfStandardBucket,
        isSpent(cap, of: request.type, on: outlook.day, outlook.spentTypes)
      {
        blockers.insert(cap.reason)
      }
    }
    return blockers.intersection(policy.checks).union(outlook[request.bucket])
  }

  /// Registration and the person's own choice.
  @inline(never)
  private mutating func standingBlockers(_ type: TypeID) -> ReasonSet {
    var blockers = ReasonSet()
    if memory.unregistered.contains(type) { blockers.insert(.notRegistered) }
    if state.preferences.disabledTypes.contains(type) { blockers.insert(.userDisabled) }
    return blockers
  }

  @inline(__always)
  private mutating func isSpent(
    _ cap: TypeCap, of type: TypeID, on day: CivilDate, _ spentTypes: UInt64
  ) -> Bool {
    if cap == .daily && type.rawValue < 64 { return spentTypes >> UInt64(type.rawValue) & 1 == 1 }
    if cap.isOfStandardBucket { return isSpentOnDays(cap, of: type, on: day) }
    // No counter reaches what stands for no limit.
    return cap.count(of: type, on: day, in: state, policy) >= policy.typeCaps[type.index, cap]
  }

  /// The limit first: to count is a search.
  @inline(never)
  private mutating func isSpentOnDays(_ cap: TypeCap, of type: TypeID, on day: CivilDate) -> Bool {
    let limit = policy.typeCaps[type.index, cap]
    return limit != CompiledCapPolicy.unlimited && cap.count(of: type, on: day, in: state, policy) >= limit
  }

  /// The end of the quiet hours that hold an instant, in the phone's zone.
  func endOfQuiet(_ instant: Instant) -> Instant? {
    policy.quietHours?.interval(containing: instant, in: memory.cursor.zone)?.upperBound
  }
}
