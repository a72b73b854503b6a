import CivilTime
import NotificationGateway
import PersonModel
import SimulationKernel
import TriggerModel

/// Receives the decisions on one person's candidates in chronological order.
protocol WorkloadRecorder {
  mutating func begin(_ person: borrowing WorkloadPerson)
  mutating func deny(_ candidate: Candidate, _ reason: Reason)
  mutating func show(_ candidate: Candidate, _ response: WorkloadPerson.Response)
  mutating func end(_ person: borrowing WorkloadPerson, candidates: Int)
}

/// One worker's copy of a ``PopulationRun``. It simulates one person at a time and reuses its memory.
package struct WorkloadArm: PolicyArm {
  private var player: WorkloadPlayer
  private var recorder: OutcomeRecorder

  init(_ run: PopulationRun) {
    player = WorkloadPlayer(run)
    recorder = OutcomeRecorder(run)
  }

  package mutating func run(_ person: UInt64, into outcome: inout PersonOutcome) {
    swap(&outcome, &recorder.outcome)
    player.play(person, &recorder)
    swap(&outcome, &recorder.outcome)
  }

  /// Adds the counts of a range of people to the workload's counters.
  ///
  /// - Complexity: O(*n*) in people and days. Allocates nothing once the gateway's tables have grown.
  package mutating func count(_ people: Range<UInt64>, into counts: inout PopulationCounts) {
    for person in people { player.play(person, &counts) }
  }
}

/// Passes the candidates of people to the product's cap scheduler.
private struct WorkloadPlayer {
  private let run: PopulationRun
  private var gateway: NotificationGateway
  private var block = CandidateBlock()
  private var effects: [EngineEffect] = []

  init(_ run: PopulationRun) {
    self.run = run
    gateway = NotificationGateway(policy: run.compiled, zones: run.zones, permission: .authorized)
    effects.reserveCapacity(8)
  }

  mutating func play(_ number: UInt64, _ recorder: inout some WorkloadRecorder) {
    let workload = run.workload
    var person = workload.person(number, seed: run.seed, days: run.days)
    recorder.begin(person)
    let zone = ZoneID(person.offsetHours - workload.offsetHours.lowerBound)
    gateway.reset(permission: person.allowsNotifications ? .authorized : .denied)
    var request = Self.request
    var candidates = 0
    while person.next(into: &block) {
      candidates &+= block.count
      for index in 0..<block.count {
        let candidate = block[index]
        let span = TimeSpan.seconds(candidate.seconds)
        let now = Moment(wall: Self.start + span, uptime: Uptime(boot: 0, span: span), zone: zone)
        request.id.occurrence = candidate.event
        request.type = TypeID(UInt32(candidate.type))
        request.bucket = candidate.isCritical ? .critical : .standard
        request.scheduledFor = now.wall
        request.deliverAt = now.wall
        let decision = gateway.decide(request, at: now)
        if let reason = decision.reason {
          recorder.deny(candidate, reason)
          continue
        }
        let response = person.respond(to: candidate)
        recorder.show(candidate, response)
        if response.optsOut { deny(at: now) }
      }
    }
    recorder.end(person, candidates: candidates)
  }

  /// Notifies the gateway that the person has turned notifications off.
  private mutating func deny(at now: Moment) {
    effects.removeAll(keepingCapacity: true)
    let denied = Int64(NotificationPermission.denied.rawValue)
    gateway.process(ObservedEvent(.permissionChanged, value: denied, at: now), into: &effects)
  }

  /// The start of the workload: 2026-01-05, midnight UTC.
  private static let start = Instant(millisecondsSince1970: 1_767_571_200_000)

  private static let request = NotificationRequest(
    id: RequestID(reminder: ReminderID(0), occurrence: 0), type: TypeID(0), bucket: .standard,
    scheduledFor: start, deliverAt: start)
}

/// Records the outcome of one person of a workload.
struct OutcomeRecorder: WorkloadRecorder {
  var outcome: PersonOutcome
  private let days: Int64
  /// The follow-up in seconds.
  private let followUp: UInt64
  /// The policy's minimum interval in seconds.
  private let minimumInterval: Int64
  private let countsCritical: Bool
  private let quietHours: WeeklyWindows?
  /// Local time minus UTC in seconds, plus one day so that local times are nonnegative.
  private var offset: Int64 = 0
  /// The time of the last exposure that starts a minimum interval.
  private var lastNeighbour: Int64 = .min / 2

  init(_ run: PopulationRun) {
    outcome = PersonOutcome(types: PopulationRun.types(of: run.workload).count)
    days = Int64(run.days)
    followUp = UInt64(run.followUp.milliseconds / 1_000)
    minimumInterval = run.policy.minimumInterval.milliseconds / 1_000
    countsCritical = run.policy.minimumIntervalScope == .all
    quietHours = run.policy.quietHours
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

  /// Returns the number of seconds after which a candidate would have passed the check, or `nil` if it would
  /// never have passed.
  private func secondsTooEarly(_ candidate: Candidate, _ second: Int64, _ reason: Reason) -> Int64? {
    switch reason {
    case .minimumInterval: lastNeighbour &+ minimumInterval &- candidate.seconds
    case .quietHours: secondsUntilQuietEnd(candidate, second)
    case .typeDailyCap, .dailyCap, .criticalDailyCap: 86_400 &- second
    default: nil
    }
  }

  private func secondsUntilQuietEnd(_ candidate: Candidate, _ second: Int64) -> Int64 {
    guard let window = quietHours?.everyDay else {
      // The first local day is at most one day before the start, which is a Monday.
      let day = Weekday(daysAfterMonday: Int((candidate.seconds &+ offset) / 86_400) - 1)
      return Int64(quietHours?.state(on: day, at: Int(second / 60)).until ?? 0) * 60 &- second
    }
    let end = Int64(window.to) * 60
    return end > second ? end &- second : end &+ 86_400 &- second
  }

  mutating func show(_ candidate: Candidate, _ response: WorkloadPerson.Response) {
    if !candidate.isCritical || countsCritical { lastNeighbour = candidate.seconds }
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

  /// Adds a decision. Candidates are added in the order of their keys.
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
    // Taps are the only way to open the app in a workload.
    outcome.opens = outcome.tapped
  }
}
