public import NotificationGateway
public import ReminderEngine
public import TriggerModel

/// TriggerBench's own engine: the reminder engine, and behind it the cap scheduler.
///
/// Before the first unlock after a boot the store cannot be read. An engine that went on with empty
/// counters would remind again of everything; this one lets its triggers pass and says `staleData`.
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
    reminders.process(event, into: &scratch)
    for effect in scratch {
      switch effect {
      case .request(let request):
        guard canReadStore else {
          effects.append(.noRequest(request.id.reminder, .staleData, failed: []))
          continue
        }
        effects.append(effect)
        gateway.submit(request)
      case .remove(let request, let reason):
        gateway.withdraw(request, because: reason, at: event.moment, into: &effects)
      case .withdraw(let reminder, let reason):
        gateway.withdraw(reminder, because: reason, at: event.moment, into: &effects)
      default: effects.append(effect)
      }
    }
    gateway.process(event, into: &effects)
  }

  public mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) {
    for request in gateway.dueForRelease(at: moment) where !reminders.stillHolds(request, at: moment) {
      gateway.withdraw(request.id, because: .staleAtRelease, at: moment, into: &effects)
    }
    gateway.settle(at: moment, into: &effects)
  }

  /// Why a reminder would, or would not, match if its trigger came now.
  public mutating func explain(_ reminder: ReminderID, at moment: Moment) -> Explanation? {
    reminders.explain(reminder, at: moment)
  }
}
