import TriggerModel

/// What the app knows, and what it may read of it.
extension Phone {
  mutating func setFact(_ fact: FactID, _ value: FactValue, at now: Instant, into out: inout PhoneOutput) {
    // A value that is said again is new: its age counts from now. Nothing is as old as it was.
    if value.isMissing, !reading.isKnown(fact) { return out.remark(.ignored(.alreadySo)) }
    let event = ObservedEvent(.factChanged, subject: fact.rawValue, value: value.bits, at: moment(at: now))
    out.truth.append(event)
    reading.set(fact, value, at: now)
    guard reading.isReadable(fact) else {
      return out.remark(.missed(.factChanged, subject: fact.rawValue, .readingDenied))
    }
    tellFact(event, at: now, into: &out)
  }

  /// The user lets the app read a source of facts, or no longer. The app is not told: it finds other values,
  /// or none.
  mutating func setReading(
    _ source: FactSourceID, isAllowed: Bool, at now: Instant, into out: inout PhoneOutput
  ) {
    guard reading.isAllowed(source) != isAllowed else {
      return out.remark(.ignored(.alreadySo))
    }
    out.outcomes.append(.readingChanged(source, isAllowed: isAllowed))
    for (fact, value, since) in reading.allow(source, isAllowed, at: now) {
      tellFact(
        ObservedEvent(
          .factChanged, subject: fact.rawValue, value: value.bits, at: moment(at: now), age: now - since),
        at: now, into: &out)
    }
  }

  /// A value for the app to find, now or when its process runs again.
  private mutating func tellFact(_ event: ObservedEvent, at now: Instant, into out: inout PhoneOutput) {
    inbox.put(event)
    if isRunning(at: now, into: &out) { catchUp(isResuming: false, at: now, into: &out) }
  }
}
