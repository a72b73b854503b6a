import CivilTime
package import ReminderMatching
import TestBench
import TriggerModel

/// A naive implementation of matching, copied from the frozen program of the shared workload. Its hot path
/// is unchanged.
///
/// It uses classes, enumerations, sets, and a dictionary from kinds of triggers to reminders. For each event,
/// it evaluates the conditions of every reminder with that kind of trigger.
///
/// Its types are visible outside this module. The compiler therefore checks exclusive access to the
/// reminders' variables at run time, as it does in the frozen program. Without these checks, the
/// implementation would be 1.5 times as fast.
package struct NaiveReminders {
  package enum Trigger: Hashable { case unlock, chargingStarted, locationEnter(Int), appOpened(Int) }
  package enum TriggerKind: Hashable { case unlock, chargingStarted, locationEnter, appOpened }

  package enum Condition {
    case timeWindow(from: Int, to: Int), insidePlace(Int), charging, weekdays(Set<Int>)
    /// Conditions on facts, which the frozen program does not support.
    case number(Int, FactCondition.Comparison, Int64), youngerThan(Int, seconds: Int)

    package func holds(in phone: Phone) -> Bool {
      switch self {
      case .timeWindow(let from, let to):
        from < to ? (from..<to).contains(phone.minute) : phone.minute >= from || phone.minute < to
      case .insidePlace(let place): phone.inside.contains(place)
      case .charging: phone.isCharging
      case .weekdays(let days): days.contains(phone.weekday)
      case .number(let fact, let comparison, let constant):
        phone.facts[fact].value.map { comparison.compares($0, constant) } ?? false
      case .youngerThan(let fact, let seconds):
        phone.facts[fact].value != nil && phone.seconds - phone.facts[fact].setAt < seconds
      }
    }
  }

  package struct Phone {
    package var inside: Set<Int>, isCharging: Bool, weekday: Int, minute: Int
    package var facts: [Fact] = [], seconds = 0
  }

  package struct Fact { package var value: Int64?, setAt = 0 }

  package final class Reminder {
    package let id: Int, trigger: Trigger, conditions: [Condition]
    package var isWaiting = true, lastFiredDay = -1

    init(id: Int, trigger: Trigger, conditions: [Condition]) {
      self.id = id
      self.trigger = trigger
      self.conditions = conditions
    }
  }

  /// An event and the state of the phone after it, as in the file of the frozen program.
  struct Event {
    var index: Int
    var seconds: Int
    var type: Int
    var parameter: Int
    var inside: Int
    var isCharging: Bool
    var value: Int64 = 0
  }

  private let registry: [TriggerKind: [Reminder]]
  private let isDaily: Bool

  init(_ workload: ReminderWorkload, isDaily: Bool) {
    var registry: [TriggerKind: [Reminder]] = [:]
    for (id, declaration) in workload.reminders.enumerated() {
      guard let (kind, trigger) = declaration.triggers.first?.naive(workload.names) else { continue }
      let conditions = declaration.conditions.compactMap { $0.naive(workload.names) }
      // The frozen program sorts the conditions in this order.
      let sorted = conditions.sorted { Self.rank($0) < Self.rank($1) }
      registry[kind, default: []].append(Reminder(id: id, trigger: trigger, conditions: sorted))
    }
    self.registry = registry
    self.isDaily = isDaily
  }

  /// Plays events and returns a digest of the fires.
  func play(_ events: ArraySlice<Event>) -> FireDigest {
    var digest = FireDigest()
    for event in events {
      guard let (kind, trigger) = Self.trigger(event.type, event.parameter) else { continue }
      let day = event.seconds / 86_400
      let phone = Phone(
        inside: Set((0..<20).filter { event.inside >> $0 & 1 == 1 }), isCharging: event.isCharging,
        weekday: day % 7, minute: event.seconds / 60 % 1_440)
      for reminder in registry[kind] ?? []
      where (isDaily ? reminder.lastFiredDay != day : reminder.isWaiting) && reminder.trigger == trigger
        && reminder.conditions.allSatisfy({ $0.holds(in: phone) })
      {
        reminder.isWaiting = false
        reminder.lastFiredDay = day
        digest.add(event: event.index, reminder: UInt32(reminder.id))
      }
    }
    return digest
  }

  /// Plays events with facts, and counts the triggered reminders that did not fire, by reason.
  ///
  /// The reason is that of the first condition that fails.
  func playWithFacts(_ events: ArraySlice<Event>) -> (FireDigest, [Reason: Int64]) {
    var digest = FireDigest()
    var misses: [Reason: Int64] = [:]
    var facts = Array(repeating: Fact(), count: ReminderWorkload.numbers + ReminderWorkload.truths)
    for event in events {
      if event.type == Self.factChange {
        facts[event.parameter] = Fact(value: event.value, setAt: event.seconds)
        continue
      }
      guard let (kind, trigger) = Self.trigger(event.type, event.parameter) else { continue }
      let day = event.seconds / 86_400
      let phone = Phone(
        inside: Set((0..<20).filter { event.inside >> $0 & 1 == 1 }), isCharging: event.isCharging,
        weekday: day % 7, minute: event.seconds / 60 % 1_440, facts: facts, seconds: event.seconds)
      for reminder in registry[kind] ?? []
      where reminder.lastFiredDay != day && reminder.trigger == trigger {
        if let failed = reminder.conditions.first(where: { !$0.holds(in: phone) }) {
          misses[failed.reason(in: phone), default: 0] += 1
          continue
        }
        reminder.lastFiredDay = day
        digest.add(event: event.index, reminder: UInt32(reminder.id))
      }
    }
    return (digest, misses)
  }

  fileprivate static let factChange = 6

  /// Returns the events of a workload, each with the state of the phone after it.
  static func events(_ workload: ReminderWorkload) -> [Event] {
    var inside = 0
    var isCharging = false
    return workload.events.enumerated().map { index, event in
      let subject = Int(event.subject)
      var (type, parameter) = (-1, -1)
      switch event.kind {
      case .unlock: type = 0
      case .regionEntered:
        (type, parameter) = (1, subject)
        inside |= 1 << subject
      case .chargingStarted:
        type = 2
        isCharging = true
      case .appOpened: (type, parameter) = (3, subject)
      case .regionExited:
        (type, parameter) = (4, subject)
        inside &= ~(1 << subject)
      case .factChanged: (type, parameter) = (factChange, subject)
      default:
        type = 5
        isCharging = false
      }
      let seconds = (event.moment.wall - ReminderWorkload.start).milliseconds / 1_000
      return Event(
        index: index, seconds: Int(seconds), type: type, parameter: parameter, inside: inside,
        isCharging: isCharging, value: event.value)
    }
  }

  fileprivate static func trigger(_ type: Int, _ parameter: Int) -> (TriggerKind, Trigger)? {
    switch type {
    case 0: (.unlock, .unlock)
    case 1: (.locationEnter, .locationEnter(parameter))
    case 2: (.chargingStarted, .chargingStarted)
    case 3: (.appOpened, .appOpened(parameter))
    default: nil
    }
  }

  private static func rank(_ condition: Condition) -> Int {
    switch condition {
    case .timeWindow: 0
    case .insidePlace: 1
    case .charging: 2
    case .weekdays: 3
    case .number, .youngerThan: 4
    }
  }
}

extension NaiveReminders.Condition {
  fileprivate func reason(in phone: NaiveReminders.Phone) -> Reason {
    switch self {
    case .number(let fact, _, _) where phone.facts[fact].value == nil: .staleData
    case .youngerThan: .staleData
    default: .conditionFailed
    }
  }
}

extension FactCondition.Comparison {
  fileprivate func compares(_ value: Int64, _ constant: Int64) -> Bool {
    switch self {
    case .less: value < constant
    case .lessOrEqual: value <= constant
    case .equal: value == constant
    case .notEqual: value != constant
    case .greaterOrEqual: value >= constant
    case .greater: value > constant
    }
  }
}

extension Trigger {
  /// Returns the trigger in the encoding of the frozen program.
  fileprivate func naive(_ names: EngineNames) -> (NaiveReminders.TriggerKind, NaiveReminders.Trigger)? {
    switch self {
    case .unlock: NaiveReminders.trigger(0, -1)
    case .regionEntered(let name): names.region(name).flatMap { NaiveReminders.trigger(1, $0.index) }
    case .chargingStarted: NaiveReminders.trigger(2, -1)
    case .appOpened(let name): names.app(name).flatMap { NaiveReminders.trigger(3, $0.index) }
    default: nil
    }
  }
}

extension Condition {
  /// Returns the condition in the encoding of the frozen program, or `nil` if it always holds.
  fileprivate func naive(_ names: EngineNames) -> NaiveReminders.Condition? {
    switch self {
    case .timeWindow(let window): .timeWindow(from: window.from, to: window.to)
    case .inside(let name): names.region(name).map { .insidePlace($0.index) }
    case .charging: .charging
    case .weekdays(let days) where days != .all:
      .weekdays(Set((0..<7).filter { days.rawValue >> UInt8($0) & 1 == 1 }))
    case .fact(let fact): fact.naive(names)
    default: nil
    }
  }
}

extension FactCondition {
  fileprivate func naive(_ names: EngineNames) -> NaiveReminders.Condition? {
    switch quantity {
    case .value(let name):
      names.fact(name).map { .number($0.index, comparison, constants[0].bits) }
    case .age(let name):
      names.fact(name).map { .youngerThan($0.index, seconds: Int(constants[0].bits / 1_000)) }
    case .ratio, .days, .time: nil
    }
  }
}
