public import NotificationGateway
public import ReminderEngine
public import TriggerModel

/// TriggerBench's own engine: the reminder engine, and behind it the cap scheduler.
///
/// Before the first unlock after a boot the store cannot be read. An engine that went on with empty
/// counters would remind again of everything; this one lets its triggers pass and says `staleData`, and
/// plans nothing ahead until the store can be read.
public struct BuiltInEngine: EngineUnderTest {
  public private(set) var reminders: ReminderEngine
  public private(set) var gateway: NotificationGateway
  private var canReadStore = true
  private var scratch: [EngineEffect] = []

  public init(reminders: ReminderEngine, gateway: NotificationGateway) {
    self.reminders = reminders
    self.gateway = gateway
  }

  public mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    switch event.kind {
    case .launched: canReadStore = event.value == 0
    case .storeAvailable: canReadStore = true
    default: break
    }
    scratch.removeAll(keepingCapacity: true)
    if canReadStore {
      // What a launch brings about waited for the store.
      let isLate = event.kind == .storeAvailable
      reminders.process(isLate ? ObservedEvent(.launched, at: event.moment) : event, into: &scratch)
    } else if event.kind != .launched && event.kind != .delivered {
      reminders.process(event, into: &scratch)
    }
    // The accounts first: what is asked for because of an event comes after what the event took away.
    gateway.process(event, into: &effects)
    for effect in scratch { pass(effect, at: event.moment, into: &effects) }
  }

  /// Hands an effect of the reminder engine to the scheduler or on.
  private mutating func pass(
    _ effect: EngineEffect, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    switch effect {
    case .request(let request) where !canReadStore:
      reminders.takeBack(request, at: moment)
      effects.append(.noRequest(request.id.reminder, .staleData, failed: []))
    case .request(let request):
      effects.append(effect)
      gateway.submit(request)
    case .remove(let request, let reason):
      gateway.withdraw(request, because: reason, at: moment, into: &effects)
    case .withdraw(let reminder, let reason):
      gateway.withdraw(reminder, because: reason, at: moment, into: &effects)
    default: effects.append(effect)
    }
  }

  public mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) {
    let first = effects.count
    var stale: Set<RequestID> = []
    for request in gateway.dueForRelease(at: moment) where !reminders.stillHolds(request, at: moment) {
      stale.insert(request.id)
    }
    if !stale.isEmpty { gateway.withdraw(stale, because: .staleAtRelease, at: moment, into: &effects) }
    gateway.settle(at: moment, into: &effects)
    for index in first..<effects.count {
      if let lost = effects[index].lost { reminders.lost(lost, at: moment, into: &effects) }
    }
  }

  /// Why a reminder would, or would not, match if its trigger came now.
  public mutating func explain(_ reminder: ReminderID, at moment: Moment) -> Explanation? {
    reminders.explain(reminder, at: moment)
  }
}

extension EngineEffect {
  /// The request that will not be delivered because of a decision.
  fileprivate var lost: RequestID? {
    switch self {
    case .decided(let request, let decision) where decision.outcome == .deny || decision.outcome == .fail:
      request.id
    case .dropped(let request, _): request.id
    case .remove(let request, _): request
    default: nil
    }
  }
}
