import DeviceSimulation
import TriggerModel

/// Follows each request of one scenario from the asking to its end.
struct OpenRequests {
  private struct Name: Hashable {
    var reminder: String
    var device: String
    var person: Int
    var occurrence: UInt32
  }

  private static let waits = "waits at the end of the run"
  private static let isDeferred = "is deferred, and waits at the end of the run"

  private struct Request {
    var decision: RecordedDecision
    var isAdmitted: Bool
    /// It gave way to another plan before its time: no request that counts.
    var isReplaced = false
    /// The system has delivered it, whether or not it was to be seen, or has lost it.
    var isOver = false
  }

  private var asked: [Request] = []
  /// By request, the place of what it was last asked for: the system may repeat one request.
  private var places: [Name: Int] = [:]
  /// How many of an occasion there were; its own repetition is 0.
  private var repetitions: [RecordedDecision.Occasion: Int] = [:]
  private var declined: [RecordedDecision.Occasion: String] = [:]
  private var tapped = 0
  private var dismissed = 0

  mutating func take(_ line: JournalLine) {
    guard let reminder = line.reminder, let wall = line.wall, let kind = line.kind else { return }
    let name = Name(
      reminder: reminder, device: line.device ?? "", person: line.person ?? 0,
      occurrence: line.occurrence ?? 0)
    switch kind {
    case .request: open(name, for: line.scheduledFor ?? wall, line)
    case .noRequest:
      var words = "asks for nothing"
      if let reason = line.reason { words += ": " + reason }
      if let failed = line.failed, !failed.isEmpty { words += " (" + failed.joined(separator: ", ") + ")" }
      declined[occasion(name, wall)] = words
    case .decided: decide(name, line)
    case .dropped:
      replace(name, line.reason)
      end(name, "is dropped", line.reason)
    case .refused:
      change(name) { $0.isAdmitted = false }
      end(name, "is refused by the phone", line.reason)
    case .removed:
      change(name) { request in
        request.isOver = true
        if line.reason == Reason.quietHours.name { request.isAdmitted = false }
      }
      replace(name, line.reason)
      end(name, line.reason == Reason.quietHours.name ? Self.isDeferred : "is taken back", line.reason)
    case .repeated:
      guard let place = places[name] else { break }
      // One that still waits only waits for another occurrence.
      if asked[place].isOver { open(name, for: line.scheduledFor ?? wall, line) }
    case .delivered:
      change(name) { $0.isOver = true }
      switch Presentation.Surface.allCases.first(where: { "\($0)" == line.surface }) {
      case .none?: end(name, "is delivered and not shown", line.cause)
      case .list: expose(name, at: wall, "fires, in the list only")
      case .banner, nil: expose(name, at: wall, "fires")
      }
    case .presentedLate: expose(name, at: wall, "fires")
    case .tapped: tapped += 1
    case .dismissed: dismissed += 1
    }
  }

  /// The decisions in the order of the asking, and what nobody asked for.
  func closed() -> ([RecordedDecision], [RecordedDecision.Occasion: String]) {
    (asked.map(\.decision), declined)
  }

  /// As reports count them.
  var metrics: [RecordedMetric] {
    let requests = asked.filter { !$0.isReplaced }
    return [
      RecordedMetric(name: "requests", numerator: requests.count),
      RecordedMetric(name: "exposed", numerator: requests.count { $0.decision.fate.shownAt != nil }),
      RecordedMetric(name: "tapped", numerator: tapped),
      RecordedMetric(name: "dismissed", numerator: dismissed),
      RecordedMetric(
        name: "fireRate", numerator: requests.count(where: \.isAdmitted), denominator: requests.count),
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
    // What the system repeats was let through with the first.
    let isAdmitted = line.kind == .repeated
    places[name] = asked.count
    let decision = RecordedDecision(
      occasion: occasion, askedAt: line.t ?? "", fate: Fate(words: Self.waits))
    asked.append(Request(decision: decision, isAdmitted: isAdmitted))
  }

  private mutating func decide(_ name: Name, _ line: JournalLine) {
    switch Decision.Outcome.allCases.first(where: { "\($0)" == line.outcome }) {
    case .admit:
      change(name) { $0.isAdmitted = true }
      end(name, Self.waits, nil)
    case .deny: end(name, "is denied", line.reason)
    case .defer: end(name, Self.isDeferred, line.reason)
    case .fail, nil: end(name, "fails", line.reason)
    }
  }

  /// Of what a request was last asked for.
  private mutating func change(_ name: Name, _ body: (inout Request) -> Void) {
    if let place = places[name] { body(&asked[place]) }
  }

  /// Another plan may be why it is taken back.
  private mutating func replace(_ name: Name, _ reason: String?) {
    guard reason == Reason.superseded.name else { return }
    change(name) { $0.isReplaced = $0.decision.fate.shownAt == nil }
  }

  private mutating func expose(_ name: Name, at wall: String, _ words: String) {
    guard let place = places[name], asked[place].decision.fate.shownAt == nil else { return }
    asked[place].decision.fate = Fate(shownAt: wall, words: words)
  }

  /// What was exposed stays so, whatever becomes of it then.
  private mutating func end(_ name: Name, _ words: String, _ reason: String?) {
    guard let place = places[name], asked[place].decision.fate.shownAt == nil else { return }
    asked[place].decision.fate = Fate(words: reason.map { words + " by " + $0 } ?? words, reason: reason)
  }
}
