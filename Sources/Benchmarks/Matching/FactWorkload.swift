import ReminderMatching
import TriggerModel

extension ReminderWorkload {
  static let numbers = 20
  static let truths = 5

  /// Daily reminders of the workload, each with one to three fact conditions besides, and a fact that changes
  /// after every ninth event. Of ten such conditions eight compare a number with a constant of a thousand, one
  /// asks for a truth and one for the age of a number.
  ///
  /// - Parameter events: how many in all.
  init(withFacts reminders: Int, events: Int) {
    self.init(reminders: reminders, events: events - events / 10, repeats: .daily)
    names = EngineNames(
      apps: names.apps, regions: names.regions,
      facts: (0..<Self.numbers).map { "number\($0)" } + (0..<Self.truths).map { "truth\($0)" })
    var random = SplitMix64(state: Self.seed ^ 0xFAC7_FAC7)
    for index in self.reminders.indices {
      for _ in 0...random.below(3) {
        self.reminders[index].conditions.append(.fact(Self.condition(&random)))
      }
    }
    var told: [ObservedEvent] = []
    told.reserveCapacity(events)
    for (position, event) in self.events.enumerated() {
      told.append(event)
      if position % 9 == 8 { told.append(Self.change(&random, at: event.moment)) }
    }
    self.events = told
  }

  private static func condition(_ random: inout SplitMix64) -> FactCondition {
    let number = "number\(random.below(numbers))"
    switch random.below(10) {
    case 0: return FactCondition(.value("truth\(random.below(truths))"), .equal, [.truth(true)])
    case 1:
      let days = Int64(1 + random.below(14))
      return FactCondition(
        .age(number), .less, [.number(thousandths: days * 86_400_000)], reason: .staleData)
    default:
      let orders: [FactCondition.Comparison] = [.less, .lessOrEqual, .greater, .greaterOrEqual]
      return FactCondition(
        .value(number), orders[random.below(orders.count)],
        [.number(thousandths: Int64(random.below(1_000)) * 1_000)])
    }
  }

  private static func change(_ random: inout SplitMix64, at moment: Moment) -> ObservedEvent {
    let fact = random.below(numbers + truths)
    let value = fact < numbers ? Int64(random.below(1_000)) * 1_000 : Int64(random.below(2))
    return ObservedEvent(.factChanged, subject: UInt32(fact), value: value, at: moment)
  }
}
