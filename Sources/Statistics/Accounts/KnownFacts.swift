import CivilTime
package import Journal
package import ReminderMatching
import ScenarioModel
package import Simulation
package import TriggerModel

/// The quantity of a failed fact condition, as the app knew it.
package struct FactReading: Hashable, Sendable {
  package var quantity: FactCondition.Quantity
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

  /// Returns the readings of a reminder's fact conditions that fail at a moment.
  package func failing(_ reminder: ReminderID, _ stamp: RecordStamp) -> [FactReading] {
    let declaration = declarations[Int(stamp.device)][reminder.index]
    let (facts, moment) = (facts[Int(stamp.device)], stamp.moment)
    let zone = program.scenario.zones[moment.zone]
    let conditions = program.reminders.declarations[declaration].conditions
    let compiled = program.reminders.plans[declaration].conditions
    return zip(conditions, compiled).compactMap { condition, compiled in
      guard case .fact(let named) = condition, case .fact(let fact) = compiled,
        fact.failure(in: facts, at: moment, zone: zone) != nil
      else { return nil }
      let values = fact.facts.map { facts.value($0, at: moment, zone) }
      var reading = FactReading(quantity: named.quantity, value: values[0])
      switch named.quantity {
      case .ratio: reading.divisor = values.last
      case .age:
        let age = facts.setAt(fact.facts[0]).map { moment.elapsed(since: $0).milliseconds }
        if let age, !values[0].isMissing { reading.value = .number(thousandths: age) }
      case .value, .days, .time: break
      }
      return reading
    }
  }
}
