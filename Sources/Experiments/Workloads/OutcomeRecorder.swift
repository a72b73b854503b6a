import CivilTime
import NotificationGateway
import PersonModel
import TriggerModel

/// Takes down what an experiment keeps of a person.
struct OutcomeRecorder: WorkloadRecorder {
  var outcome: PersonOutcome
  private let days: Int64
  /// In seconds.
  private let followUp: UInt64
  /// Of the policy, in seconds.
  private let minimumInterval: Int64
  private let criticalsAreNeighbours: Bool
  /// When quiet hours end, in seconds of the local day.
  private let quietEnd: Int64
  /// Local time less UTC, and a day: so that no local time is negative.
  private var offset: Int64 = 0
  /// When the last neighbour within the minimum interval was shown.
  private var lastNeighbour: Int64 = .min / 2

  init(_ run: PopulationRun) {
    outcome = PersonOutcome(types: PopulationRun.types(of: run.workload).count)
    days = Int64(run.days)
    followUp = UInt64(run.followUp.milliseconds / 1_000)
    minimumInterval = run.policy.minimumInterval.milliseconds / 1_000
    criticalsAreNeighbours = run.policy.minimumIntervalScope == .all
    quietEnd = Int64(run.policy.quietHours?.to ?? 0) * 60
  }

  mutating func begin(_ person: borrowing WorkloadPerson) {
    outcome.reset()
    offset = Int64(person.offsetHours) * 3_600 + 86_400
    lastNeighbour = .min / 2
  }

  mutating func deny(_ candidate: Candidate, _ reason: Reason) {
    let second = (candidate.seconds &+ offset) % 86_400
    outcome.deny(reason, secondsTooEarly: secondsTooEarly(candidate, second, reason))
    add(candidate, .lost(reason))
  }

  /// How much later the check that denied a candidate would have let it pass; nil: never.
  private func secondsTooEarly(_ candidate: Candidate, _ second: Int64, _ reason: Reason) -> Int64? {
    switch reason {
    case .minimumInterval: lastNeighbour &+ minimumInterval &- candidate.seconds
    case .quietHours: quietEnd > second ? quietEnd &- second : quietEnd &+ 86_400 &- second
    case .typeDailyCap, .dailyCap, .criticalDailyCap: 86_400 &- second
    default: nil
    }
  }

  mutating func show(_ candidate: Candidate, _ response: WorkloadPerson.Response) {
    if !candidate.isCritical || criticalsAreNeighbours { lastNeighbour = candidate.seconds }
    let (type, isTapped) = (Int(candidate.type), (response.latency ?? .max) < followUp)
    outcome.shown &+= 1
    outcome.byType[type].reached &+= 1
    outcome.byType[type].shown &+= 1
    outcome.byHour[response.hour].shown &+= 1
    if isTapped {
      outcome.tapped &+= 1
      outcome.byType[type].tapped &+= 1
      outcome.byHour[response.hour].tapped &+= 1
    }
    if response.optsOut { outcome.optedOut = 1 }
    add(candidate, isTapped ? .tapped : .ignored)
  }

  /// Candidates come in the order of their events, which is that of the keys.
  private mutating func add(_ candidate: Candidate, _ fate: PersonOutcome.Fate) {
    let (day, second) = (candidate.seconds &+ offset).quotientAndRemainder(dividingBy: 86_400)
    outcome.byType[Int(candidate.type)].requested &+= 1
    outcome.decisions.append(
      PersonOutcome.Decision(
        key: UInt64(candidate.event), type: UInt16(candidate.type), day: Int(day),
        millisecond: second &* 1_000,
        fate: fate))
  }

  mutating func end(_ person: borrowing WorkloadPerson, candidates: Int) {
    outcome.requested = Int64(candidates)
    outcome.reached = outcome.shown
    outcome.personDays = days
    // Whoever taps opens the app, and nothing else here does.
    outcome.opens = outcome.tapped
  }
}
