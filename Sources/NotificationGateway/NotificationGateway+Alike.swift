import CivilTime
package import TriggerModel

/// What is said to requests that are to be delivered at once, without making them.
///
/// The answer to such a request follows from the state, the instant, its bucket and its type; and of the types only
/// a few have a say: those of which something was delivered, or which the policy or the person sets apart. So one
/// answer stands for all requests of a bucket whose types are none of these.
extension NotificationGateway {
  /// Whether requests can be answered beforehand: not while others are to be decided of which one may be admitted,
  /// as those after it would be told something else.
  package mutating func answersAlike(at now: Moment) -> Bool {
    advance(to: now)
    if let release = nextRelease, release <= now.wall { return false }
    let collected = state.collected
    for request in collected where refusal(of: request, at: now) == nil { return false }
    return true
  }

  /// What a request of a bucket and type would be told. Nothing is taken.
  package mutating func answer(_ bucket: Bucket, _ type: TypeID, at now: Moment) -> Decision {
    let request = NotificationRequest(
      id: RequestID(reminder: ReminderID(0), occurrence: 0), type: type, bucket: bucket,
      scheduledFor: now.wall, deliverAt: now.wall)
    return refusal(of: request, at: now) ?? .admitted
  }

  /// Calls the body for every type whose requests may be told something else than those of the other types;
  /// some of them twice.
  package mutating func forEachTypeApart(at now: Moment, _ body: (TypeID) -> Void) {
    advance(to: now)
    policy.typesApart.forEach(body)
    memory.unregistered.forEach(body)
    state.preferences.disabledTypes.forEach(body)
    state.days.forEachType(on: memory.cursor.local(at: now.wall).date, body)
  }
}
