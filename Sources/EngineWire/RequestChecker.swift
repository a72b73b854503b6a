import TriggerModel

/// Checks that each request of an engine ends exactly once, by these rules:
/// - A request is decided before the engine reports that no decisions remain.
/// - An admitted request is added in the same answer.
/// - Only existing requests have outcomes.
struct RequestChecker {
  /// The requests that have not been decided yet.
  private var open: Set<RequestID> = []
  /// The requests with a final decision at this moment.
  private var closed: Set<RequestID> = []
  /// The requests that were admitted in this answer but have not been added yet.
  private var admitted: Set<RequestID> = []
  /// The number of requests by reminder. The stored state may contain any of them.
  private var counts: [UInt32] = []
  private var moment: Moment?

  /// The reason why an effect is invalid, with a remedy.
  struct Objection {
    var problem: String
    var remedy: String
  }

  /// Prepares for a new process. The stored state determines which requests remain open.
  mutating func beginProcess() {
    open.removeAll(keepingCapacity: true)
    closed.removeAll(keepingCapacity: true)
    admitted.removeAll(keepingCapacity: true)
  }

  mutating func beginAnswer(at moment: Moment) {
    admitted.removeAll(keepingCapacity: true)
    if self.moment == moment { return }
    self.moment = moment
    closed.removeAll(keepingCapacity: true)
  }

  /// Records a request.
  mutating func request(_ id: RequestID) -> Objection? {
    let index = id.reminder.index
    while counts.count <= index { counts.append(0) }
    counts[index] = max(counts[index], id.occurrence &+ 1)
    closed.remove(id)
    if open.insert(id).inserted { return nil }
    return Objection(
      problem: "request \(id.occurrence) of this reminder was made before and is not decided yet",
      remedy: "number the requests of a reminder with \"occurrence\"")
  }

  mutating func decided(_ id: RequestID, _ outcome: Decision.Outcome) -> Objection? {
    if let objection = end(id, isFinal: outcome != .defer) { return objection }
    if outcome == .admit { admitted.insert(id) }
    return nil
  }

  /// Records that a request was dropped or removed. A removed request may be decided again.
  mutating func dropped(_ id: RequestID) -> Objection? {
    open.remove(id)
    closed.remove(id)
    return isKnown(id) ? nil : unknown(id)
  }

  mutating func added(_ id: RequestID) -> Objection? {
    if admitted.remove(id) != nil { return nil }
    return Objection(
      problem:
        "request \(id.occurrence) of this reminder is handed over but was not admitted in this answer",
      remedy: "write \"add\" once, after the \"decided\" that admits the request")
  }

  /// Returns an unfinished request with its problem, or `nil` if there is none.
  func unfinished(isUnsettled: Bool) -> (id: RequestID, problem: String)? {
    if let id = admitted.min() { return (id, "is admitted but not handed over; write \"add\"") }
    if isUnsettled { return nil }
    return open.min().map { ($0, "is not decided; write \"decided\", or \"unsettled\":true until then") }
  }

  private mutating func end(_ id: RequestID, isFinal: Bool) -> Objection? {
    guard isKnown(id) else { return unknown(id) }
    open.remove(id)
    if closed.contains(id) {
      return Objection(
        problem: "request \(id.occurrence) of this reminder has been decided",
        remedy: "decide each request once")
    }
    if isFinal { closed.insert(id) }
    return nil
  }

  private func isKnown(_ id: RequestID) -> Bool {
    id.reminder.index < counts.count && id.occurrence < counts[id.reminder.index]
  }

  private func unknown(_ id: RequestID) -> Objection {
    Objection(
      problem: "request \(id.occurrence) of this reminder does not exist",
      remedy: "write its \"request\" first")
  }
}
