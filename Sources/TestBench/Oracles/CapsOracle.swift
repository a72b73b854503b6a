import CivilTime
import NotificationGateway
import TextFormats
import TriggerModel

/// The oracle of the cap scheduler (`oracle caps`). Each input line is a test vector, and the output line
/// contains its decisions.
///
/// The oracle applies steps in the given order, even if their instants are equal. It does not release
/// deferred requests.
public struct CapsOracle {
  /// A cache of loaded zones, because loading a zone takes about a millisecond.
  private var zones = ZoneTable()

  /// Creates the oracle. Each line describes its own phone.
  public init() {}

  /// Returns a decision for each request of one vector:
  /// `{"id":…,"decisions":[{"decision":…,"reason":…,"until":…,"alsoBlockedBy":[…]}]}`.
  public mutating func answer(_ line: String) throws(OracleLineError) -> String {
    let vector = try CapsVector(line: line)
    var phone = try Phone(vector, &zones)
    var decisions: [String] = []
    for step in vector.steps {
      if let decision = phone.play(step) { decisions.append(json(decision, phone.gateway.policy)) }
    }
    let id = JSONValue.string(vector.id).line
    return "{\"id\":\(id),\"decisions\":[\(decisions.joined(separator: ","))]}"
  }

  private func json(_ decision: Decision, _ policy: CompiledCapPolicy) -> String {
    let reason = decision.reason.map { "\"\($0.name)\"" } ?? "null"
    let until = decision.until.map { "\"\($0.iso8601)\"" } ?? "null"
    let others = policy.ordered(decision.blockers).filter { $0 != decision.reason }
    let names = others.map { "\"\($0.name)\"" }.joined(separator: ",")
    return "{\"decision\":\"\(decision.outcome.name)\",\"reason\":\(reason),\"until\":\(until),"
      + "\"alsoBlockedBy\":[\(names)]}"
  }
}

/// The phone of one vector, with its gateway.
private struct Phone {
  var gateway: NotificationGateway
  private let types: [String: TypeID]
  private let zoneIDs: [String: ZoneID]
  private let requestNames: [String: ReminderID]
  private let start: Instant
  private var zone: ZoneID
  private var failsNext = false
  private var requests: UInt32 = 0
  /// The gateway's effects, which are ignored.
  private var effects: [EngineEffect] = []

  init(_ vector: CapsVector, _ zones: inout ZoneTable) throws(OracleLineError) {
    var names = Names()
    let policy = vector.policy
    let capped = TypeCap.allCases.flatMap { policy[$0].keys }
    for name in (capped + policy.keptThroughReinstall + policy.bypassQuietHours).sorted() {
      names.addType(name)
    }
    var identifiers = [vector.timeZone]
    for step in vector.steps {
      if case .request(let request) = step.action {
        names.addType(request.type)
        names.addRequest(request.id)
      } else if case .timeZone(let identifier) = step.action {
        identifiers.append(identifier)
      }
    }
    var zoneIDs: [String: ZoneID] = [:]
    do {
      for identifier in identifiers { zoneIDs[identifier] = try zones.intern(identifier) }
    } catch {
      throw OracleLineError("\(error)")
    }
    do {
      let policy = try CompiledCapPolicy(vector.policy, types: names.types)
      gateway = NotificationGateway(policy: policy, zones: zones, permission: .authorized)
    } catch {
      throw OracleLineError("policy: \(error)")
    }
    self.zoneIDs = zoneIDs
    types = names.typeIDs
    requestNames = names.requestIDs
    start = vector.steps.first?.at ?? .distantPast
    zone = zoneIDs[vector.timeZone] ?? ZoneID(0)
  }

  /// Applies a step. Returns the decision if the step is a request.
  mutating func play(_ step: CapsVector.Step) -> Decision? {
    if case .timeZone(let identifier) = step.action { zone = zoneIDs[identifier] ?? zone }
    // A vector has only one clock, so the wall clock and the uptime advance together.
    let now = Moment(wall: step.at, uptime: Uptime(boot: 0, span: step.at - start), zone: zone)
    switch step.action {
    case .request(let request): return decide(request, at: now)
    case .timeZone: happen(.zoneChanged, at: now)
    case .permission(let permission):
      happen(.permissionChanged, value: Int64(permission.rawValue), at: now)
    case .failNext: failsNext = true
    case .cancel(let name):
      if let reminder = requestNames[name] { happen(.cancel, subject: reminder.rawValue, at: now) }
    case .cancelAll: happen(.cancelAll, at: now)
    case .open: happen(.opened, at: now)
    case .reinstall: happen(.reinstalled, at: now)
    case .respond: happen(.tapped, at: now)
    }
    return nil
  }

  private mutating func decide(_ request: CapsVector.Request, at now: Moment) -> Decision? {
    guard let type = types[request.type] else { return nil }
    // Requests with the same name share a reminder, so that cancelling the name cancels all of them.
    let reminder = request.id.flatMap { requestNames[$0] } ?? Names.nameless
    let id = RequestID(reminder: reminder, occurrence: requests)
    requests += 1
    let decision = gateway.decide(
      NotificationRequest(
        id: id, type: type, bucket: request.bucket, scheduledFor: request.deliverAt,
        deliverAt: request.deliverAt),
      at: now)
    guard decision.outcome == .admit, failsNext else { return decision }
    failsNext = false
    happen(.addFailed, subject: id.reminder.rawValue, value: Int64(id.occurrence), at: now)
    return .addFailed
  }

  private mutating func happen(
    _ kind: ObservedEvent.Kind, subject: UInt32 = 0, value: Int64 = 0, at now: Moment
  ) {
    gateway.process(ObservedEvent(kind, subject: subject, value: value, at: now), into: &effects)
    effects.removeAll(keepingCapacity: true)
  }
}

/// Assigns consecutive identifiers to the names in a vector, in order of appearance.
private struct Names {
  /// The reminder for requests without a name.
  static let nameless = ReminderID(0 as UInt32)

  private(set) var types: [String] = []
  private(set) var typeIDs: [String: TypeID] = [:]
  private(set) var requestIDs: [String: ReminderID] = [:]

  mutating func addType(_ name: String) {
    guard typeIDs[name] == nil else { return }
    typeIDs[name] = TypeID(types.count)
    types.append(name)
  }

  mutating func addRequest(_ name: String?) {
    guard let name, requestIDs[name] == nil else { return }
    requestIDs[name] = ReminderID(requestIDs.count + 1)
  }
}
