import NotificationGateway
import PersonModel
import SimulationKernel
import TriggerModel

/// Takes down what becomes of one person's candidates, in the order of time.
protocol WorkloadRecorder {
  mutating func begin(_ person: borrowing WorkloadPerson)
  mutating func deny(_ candidate: Candidate, _ reason: Reason)
  mutating func show(_ candidate: Candidate, _ response: WorkloadPerson.Response)
  mutating func end(_ person: borrowing WorkloadPerson, candidates: Int)
}

/// One worker's copy of a ``PopulationRun``: people are played one after the other, in the same memory.
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

  /// Adds what happens to some people to the workload's counters.
  ///
  /// - Complexity: O(n) in people and days; allocates nothing once the gateway's tables have grown
  package mutating func count(_ people: Range<UInt64>, into counts: inout PopulationCounts) {
    for person in people { player.play(person, &counts) }
  }
}

/// Sends people's candidates through the product's own cap scheduler.
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

  /// The person has turned notifications off: counts from the next candidate on.
  private mutating func deny(at now: Moment) {
    effects.removeAll(keepingCapacity: true)
    let denied = Int64(NotificationPermission.denied.rawValue)
    gateway.process(ObservedEvent(.permissionChanged, value: denied, at: now), into: &effects)
  }

  /// A midnight in UTC: 2026-01-05.
  private static let start = Instant(millisecondsSince1970: 1_767_571_200_000)

  private static let request = NotificationRequest(
    id: RequestID(reminder: ReminderID(0), occurrence: 0), type: TypeID(0), bucket: .standard,
    scheduledFor: start, deliverAt: start)
}
