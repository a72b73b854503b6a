import TriggerModel

/// Sees to it that every request of an engine comes to an end that is told, and none to two.
///
/// A request that was made is decided before its engine says that there is nothing left to decide; one that
/// is admitted is handed over in the same answer; and nothing becomes of a request that nobody made.
struct RequestBook {
  /// Made, and not decided yet.
  private var open: Set<RequestID> = []
  /// Decided for good at this moment.
  private var closed: Set<RequestID> = []
  /// Admitted in this answer, and not handed over yet.
  private var admitted: Set<RequestID> = []
  /// By reminder, how many requests there were. What is stored may bring up any of them again.
  private var counts: [UInt32] = []
  private var moment: Moment?

  /// What is wrong with an effect: the member of its line, and a sentence about it.
  struct Objection {
    var problem: String
    var remedy: String
  }

  /// Another process begins: what the one before it left open is its store's affair.
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

  /// A request is made.
  mutating func request(_ id: RequestID) -> Objection? {
    let index = id.reminder.index
    while counts.count <= index { counts.append(0) }
    counts[index] = max(counts[index], id.occurrence &+ 1)
    closed.remove(id)
    if open.insert(id).inserted { return nil }
    return Objection(
      problem: "request \(id.occurrence) of this reminder was made already, and is not decided yet",
      remedy: "number the requests of a reminder with \"occurrence\"")
  }

  mutating func decided(_ id: RequestID, _ outcome: Decision.Outcome) -> Objection? {
    if let objection = end(id, isFinal: outcome != .defer) { return objection }
    if outcome == .admit { admitted.insert(id) }
    return nil
  }

  /// A request is dropped, or taken back from the system.
  mutating func gaveUp(_ id: RequestID) -> Objection? {
    open.remove(id)
    return isKnown(id) ? nil : unknown(id)
  }

  mutating func added(_ id: RequestID) -> Objection? {
    if admitted.remove(id) != nil { return nil }
    return Objection(
      problem:
        "request \(id.occurrence) of this reminder is handed over, and was not admitted in this answer",
      remedy: "write \"add\" once, after the \"decided\" that admits the request")
  }

  /// - Returns: A request of which the answer had to say more, and what.
  func unfinished(isUnsettled: Bool) -> (id: RequestID, what: String)? {
    if let id = admitted.min() { return (id, "is admitted and not handed over; write \"add\"") }
    if isUnsettled { return nil }
    return open.min().map { ($0, "is not decided; write \"decided\", or \"unsettled\":true until then") }
  }

  private mutating func end(_ id: RequestID, isFinal: Bool) -> Objection? {
    guard isKnown(id) else { return unknown(id) }
    open.remove(id)
    if closed.contains(id) {
      return Objection(
        problem: "request \(id.occurrence) of this reminder was decided already",
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
      problem: "nobody has made request \(id.occurrence) of this reminder",
      remedy: "write its \"request\" first")
  }
}
