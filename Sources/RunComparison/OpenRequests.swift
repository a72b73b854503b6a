/// Follows each request of one scenario from the asking to its end.
struct OpenRequests {
  private struct Name: Hashable {
    var reminder: String
    var device: String
    var person: Int
    var occurrence: UInt32
  }

  private static let waits = "waits at the end of the run"

  private var decisions: [RecordedDecision] = []
  /// By request, the place of what it was last asked for: the system may repeat one request.
  private var places: [Name: Int] = [:]
  /// How many of an occasion there were; its own repetition is 0.
  private var repetitions: [RecordedDecision.Occasion: Int] = [:]
  private var declined: [RecordedDecision.Occasion: String] = [:]
  private var counts: [Count: Int] = [:]

  private enum Count { case requests, admitted, exposed, tapped, dismissed }

  mutating func take(_ line: JournalLine) {
    guard let reminder = line.reminder, let wall = line.wall, let event = line.event else { return }
    let name = Name(
      reminder: reminder, device: line.device ?? "", person: line.person ?? 0,
      occurrence: line.occurrence ?? 0)
    switch (line.track, event) {
    case ("effect", "request"):
      counts[.requests, default: 0] += 1
      open(name, for: line.scheduledFor ?? wall, line)
    case ("effect", "noRequest"):
      var words = "asks for nothing"
      if let reason = line.reason { words += ": " + reason }
      if let failed = line.failed, !failed.isEmpty { words += " (" + failed.joined(separator: ", ") + ")" }
      declined[occasion(name, wall)] = words
    case ("effect", "decided"): decide(name, line)
    case ("effect", "dropped"): end(name, "is dropped", line.reason)
    case ("outcome", "refused"): end(name, "is refused by the phone", line.reason)
    case ("outcome", "removed"): end(name, "is taken back", line.reason)
    case ("outcome", "repeated"):
      guard let place = places[name] else { break }
      if decisions[place].fate.shownAt != nil { open(name, for: line.scheduledFor ?? wall, line) }
    case ("outcome", "delivered"):
      if line.surface == "hidden" {
        end(name, "is delivered and hidden", line.cause)
      } else {
        expose(name, at: wall, line.surface == "list" ? "fires, in the list only" : "fires")
      }
    case ("outcome", "presentedLate"): expose(name, at: wall, "fires")
    case ("observed", "tapped"): counts[.tapped, default: 0] += 1
    case ("observed", "dismissed"): counts[.dismissed, default: 0] += 1
    default: break
    }
  }

  /// The decisions in the order of the asking, and what nobody asked for.
  func closed() -> ([RecordedDecision], [RecordedDecision.Occasion: String]) { (decisions, declined) }

  var metrics: [RecordedMetric] {
    func count(_ count: Count) -> Int { counts[count] ?? 0 }
    return [
      RecordedMetric(name: "requests", numerator: count(.requests)),
      RecordedMetric(name: "exposed", numerator: count(.exposed)),
      RecordedMetric(name: "tapped", numerator: count(.tapped)),
      RecordedMetric(name: "dismissed", numerator: count(.dismissed)),
      RecordedMetric(name: "fireRate", numerator: count(.admitted), denominator: count(.requests)),
    ]
  }

  private func occasion(_ name: Name, _ time: String) -> RecordedDecision.Occasion {
    RecordedDecision.Occasion(
      reminder: name.reminder, device: name.device, person: name.person, time: time, repetition: 0)
  }

  private mutating func open(_ name: Name, for time: String, _ line: JournalLine) {
    var occasion = occasion(name, time)
    let repetition = repetitions[occasion, default: 0]
    repetitions[occasion] = repetition + 1
    occasion.repetition = repetition
    places[name] = decisions.count
    decisions.append(
      RecordedDecision(
        occasion: occasion, askedAt: line.t ?? "", fate: Fate(words: Self.waits)))
  }

  private mutating func decide(_ name: Name, _ line: JournalLine) {
    switch line.outcome {
    case "admit":
      counts[.admitted, default: 0] += 1
      end(name, Self.waits, nil)
    case "deny": end(name, "is denied", line.reason)
    case "defer": end(name, "is deferred, and waits at the end of the run", line.reason)
    default: end(name, "fails", line.reason)
    }
  }

  private mutating func expose(_ name: Name, at wall: String, _ words: String) {
    guard let place = places[name], decisions[place].fate.shownAt == nil else { return }
    counts[.exposed, default: 0] += 1
    decisions[place].fate = Fate(shownAt: wall, words: words)
  }

  /// What was exposed stays so, whatever becomes of it then.
  private mutating func end(_ name: Name, _ words: String, _ reason: String?) {
    guard let place = places[name], decisions[place].fate.shownAt == nil else { return }
    decisions[place].fate = Fate(words: reason.map { words + " by " + $0 } ?? words, reason: reason)
  }
}
