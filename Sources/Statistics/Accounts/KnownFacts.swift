import CivilTime
package import Journal
package import ReminderMatching
import ScenarioModel
package import Simulation
package import TriggerModel

/// The quantity of a failed fact condition, as the app knew it.
package struct FactReading: Hashable, Sendable, BitwiseCopyable {
  package var quantity: CompiledFactCondition.Quantity
  /// The value of the fact, or its age in thousandths of a second.
  package var value: FactValue
  /// The divisor of a ratio, or `nil` for other quantities.
  package var divisor: FactValue?

  /// Whether two readings are equal apart from an age, which differs at every instant.
  package func isLike(_ other: FactReading) -> Bool {
    if case .age = quantity { return quantity == other.quantity }
    return self == other
  }
}

/// The facts that the app knows on each device, and the declarations in force.
package struct KnownFacts: Sendable {
  private let program: Program
  private var facts: [FactStore]
  /// The index of the declaration in force, by device and reminder.
  private var declarations: [[Int]]

  package init(_ program: Program) {
    self.program = program
    facts = program.devices.map { _ in FactStore(program.reminders.names) }
    let own = program.scenario.reminders.indices.map { $0 }
    declarations = program.devices.map { _ in own }
  }

  package mutating func observed(_ event: ObservedEvent, _ stamp: RecordStamp) {
    let device = Int(stamp.device)
    switch event.kind {
    case .factChanged, .factFound:
      _ = facts[device].set(
        FactID(event.subject), FactValue(bits: event.value), at: event.moment, age: event.age,
        program.scenario.zones[event.moment.zone])
    case .edit: declarations[device][Int(event.subject)] = program.scenario.reminders.count + Int(event.value)
    case .create: declarations[device][Int(event.subject)] = Int(event.subject)
    case .reinstalled: declarations[device] = program.scenario.reminders.indices.map { $0 }
    default: break
    }
  }

  /// Replaces the contents of a list by the readings of a reminder's fact conditions that fail at a moment.
  ///
  /// Reuse one list for all misses, because a run can have millions of them.
  package func findFailing(_ reminder: ReminderID, _ stamp: RecordStamp, into readings: inout [FactReading]) {
    readings.removeAll(keepingCapacity: true)
    let declaration = declarations[Int(stamp.device)][reminder.index]
    let moment = stamp.moment
    let zone = program.scenario.zones[moment.zone]
    for condition in program.reminders.plans[declaration].conditions {
      guard case .fact(let fact) = condition,
        fact.failure(in: facts[Int(stamp.device)], at: moment, zone: zone) != nil
      else { continue }
      readings.append(reading(of: fact.quantity, in: facts[Int(stamp.device)], at: moment, zone))
    }
  }

  private func reading(
    of quantity: CompiledFactCondition.Quantity, in facts: FactStore, at moment: Moment, _ zone: Zone
  ) -> FactReading {
    switch quantity {
    case .value(let fact), .days(let fact), .time(let fact):
      return FactReading(quantity: quantity, value: facts.value(fact, at: moment, zone))
    case .ratio(let dividend, let divisor):
      return FactReading(
        quantity: quantity, value: facts.value(dividend, at: moment, zone),
        divisor: facts.value(divisor, at: moment, zone))
    case .age(let fact):
      let value = facts.value(fact, at: moment, zone)
      guard !value.isMissing, let setAt = facts.setAt(fact) else {
        return FactReading(quantity: quantity, value: value)
      }
      let age = moment.elapsed(since: setAt).milliseconds
      return FactReading(quantity: quantity, value: .number(thousandths: age))
    }
  }
}
