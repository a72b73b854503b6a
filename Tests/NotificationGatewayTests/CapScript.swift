import CivilTime
import NotificationGateway
import TriggerModel

/// What happens to one phone under one policy, in the words of the shared vectors.
struct CapScript {
  var policy: CapPolicy
  var zone: String
  var steps: [Step]

  struct Step {
    var at: Instant
    var action: Action
  }

  enum Action {
    case request(type: String, bucket: Bucket, id: String?, deliverAt: Instant)
    case zone(String)
    case permission(Bool)
    case failNext
    case cancel(String)
    case cancelAll
    case open
    case reinstall
    case respond
  }

  /// A decision with its blockers in check order.
  struct Outcome: Equatable {
    var decision: Decision.Outcome
    var reason: Reason?
    var until: Instant?
    var alsoBlockedBy: [Reason] = []
  }

  /// The policy that the vectors begin with.
  static let vectorPolicy: CapPolicy = {
    var policy = CapPolicy()
    policy.quietAction = [:]
    policy.criticalPreempts = false
    return policy
  }()

  /// What the gateway decides, a decision for each request.
  func played() throws -> [Outcome] {
    let capped = [policy.lifetimeCap, policy.lapseCap, policy.typeDailyCaps, policy.typeWeeklyCaps]
    var types = Array(Set(capped.flatMap(\.keys) + policy.keptThroughReinstall)).sorted()
    var names: [String] = []
    for case .request(let type, _, let id, _) in steps.map(\.action) {
      if !types.contains(type) { types.append(type) }
      if let id, !names.contains(id) { names.append(id) }
    }
    var zones = ZoneTable()
    var zone = try zones.intern(self.zone)
    for case .zone(let name) in steps.map(\.action) { _ = try zones.intern(name) }
    let compiled = try CompiledCapPolicy(policy, types: types)
    var gateway = NotificationGateway(policy: compiled, zones: zones, permission: .authorized)
    var effects: [EngineEffect] = []
    var outcomes: [Outcome] = []
    var failsNext = false
    for (index, step) in steps.enumerated() {
      if case .zone(let name) = step.action { zone = try zones.intern(name) }
      let now = Moment(wall: step.at, uptime: Uptime(boot: 0, span: step.at - steps[0].at), zone: zone)
      func event(_ kind: ObservedEvent.Kind, subject: Int = 0, value: Int64 = 0) {
        gateway.process(ObservedEvent(kind, subject: UInt32(subject), value: value, at: now), into: &effects)
      }
      switch step.action {
      case .request(let type, let bucket, let name, let deliverAt):
        let reminder = name.flatMap(names.firstIndex(of:)).map { $0 + 1 } ?? 0
        let id = RequestID(reminder: ReminderID(reminder), occurrence: UInt32(index))
        var decision = gateway.decide(
          NotificationRequest(
            id: id, type: TypeID(types.firstIndex(of: type) ?? 0), bucket: bucket, scheduledFor: deliverAt,
            deliverAt: deliverAt), at: now)
        if decision.outcome == .admit, failsNext {
          failsNext = false
          event(.addFailed, subject: reminder, value: Int64(index))
          decision = .addFailed
        }
        outcomes.append(
          Outcome(
            decision: decision.outcome, reason: decision.reason, until: decision.until,
            alsoBlockedBy: compiled.ordered(decision.blockers).filter { $0 != decision.reason }))
      case .zone: event(.zoneChanged)
      case .permission(let granted):
        event(
          .permissionChanged,
          value: Int64((granted ? NotificationPermission.authorized : .denied).rawValue))
      case .failNext: failsNext = true
      case .cancel(let name):
        if let index = names.firstIndex(of: name) { event(.cancel, subject: index + 1) }
      case .cancelAll: event(.cancelAll)
      case .open: event(.opened)
      case .reinstall: event(.reinstalled)
      case .respond: event(.tapped)
      }
    }
    return outcomes
  }
}
