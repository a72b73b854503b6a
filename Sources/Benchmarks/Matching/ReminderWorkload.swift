import CivilTime
import ReminderEngine
package import ReminderMatching
package import TriggerModel

/// The workload of the hot path. A seed gives the same reminders and events in every language.
///
/// The generator is SplitMix64 with `draw = (next >> 11) % n`. The order of the draws is part of the format.
package struct ReminderWorkload {
  package static let seed: UInt64 = 20_260_105
  /// Monday 2026-01-05T00:00:00. All times of the workload are in UTC.
  package static let start = Instant(millisecondsSince1970: 1_767_571_200_000)
  package static let places = 20
  package static let apps = 50

  package var reminders: [ReminderDeclaration]
  package var names: EngineNames
  package var events: [ObservedEvent]

  package init(reminders: Int, events: Int, repeats: Repeat, seed: UInt64 = Self.seed) {
    names = EngineNames(
      apps: (0..<Self.apps).map { "app\($0)" }, regions: (0..<Self.places).map { "place\($0)" })
    var generator = WorkloadGenerator(seed: seed)
    self.reminders = (0..<reminders).map { generator.reminder($0, repeats: repeats) }
    var eventGenerator = WorkloadGenerator(seed: seed ^ 0xE7E7_E7E7)
    self.events = eventGenerator.events(events, from: Self.start)
  }

  /// Creates daily reminders. Only the first ``listening`` can be triggered, because nobody opens the apps
  /// that trigger the others.
  init(constantFires reminders: Int, events: Int) {
    self.init(reminders: reminders, events: events, repeats: .daily)
    let silent = max(0, reminders - Self.listening)
    let apps = (0..<(silent + Self.remindersPerApp - 1) / Self.remindersPerApp).map { "silent\($0)" }
    names = EngineNames(apps: names.apps + apps, regions: names.regions)
    for index in 0..<silent {
      self.reminders[Self.listening + index].triggers = [.appOpened(apps[index / Self.remindersPerApp])]
    }
  }

  /// The number of reminders that can be triggered in ``init(constantFires:events:)``.
  static let listening = 1_000
  private static let remindersPerApp = 20
}

private struct WorkloadGenerator {
  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(state: seed) }

  private mutating func below(_ bound: Int) -> Int { Int((generator.next() >> 11) % UInt64(bound)) }

  mutating func reminder(_ number: Int, repeats: Repeat) -> ReminderDeclaration {
    let trigger: Trigger =
      switch below(4) {
      case 0: .unlock
      case 1: .regionEntered("place\(below(ReminderWorkload.places))")
      case 2: .chargingStarted
      default: .appOpened("app\(below(ReminderWorkload.apps))")
      }
    var kinds = [0, 1, 2, 3]
    let chosen = (0..<below(4)).map { _ in kinds.remove(at: below(kinds.count)) }
    var conditions: [Condition] = []
    for kind in chosen {
      switch kind {
      case 0:
        let from = below(96) * 15
        let to = (from + (2 + below(47)) * 15) % 1_440
        conditions.append(.timeWindow(DailyWindow(from: from, to: to)))
      case 1: conditions.append(.inside("place\(below(ReminderWorkload.places))"))
      case 2: conditions.append(.charging(true))
      default: conditions.append(.weekdays(WeekdaySet(rawValue: UInt8(1 + below(127)))))
      }
    }
    return ReminderDeclaration(
      id: "r\(number)", triggers: [trigger], conditions: conditions, repeats: repeats,
      notification: NotificationDeclaration(type: "reminder"))
  }

  mutating func events(_ count: Int, from start: Instant) -> [ObservedEvent] {
    var seconds: Int64 = 0
    var inside: UInt32 = 0
    var isCharging = false
    return (0..<count).map { _ in
      seconds += 1 + Int64(below(600))
      let at = Moment(
        wall: start + .seconds(seconds), uptime: Uptime(boot: 0, span: .seconds(seconds)), zone: ZoneID(0))
      switch below(10) {
      case 0..<4: return ObservedEvent(.unlock, at: at)
      case 4..<8: return ObservedEvent(.appOpened, subject: UInt32(below(ReminderWorkload.apps)), at: at)
      case 8:
        let place = UInt32(below(ReminderWorkload.places))
        if inside >> place & 1 == 1 {
          inside &= ~(1 << place)
          return ObservedEvent(.regionExited, subject: place, at: at)
        }
        if inside.nonzeroBitCount >= 2 {
          let left = UInt32(inside.trailingZeroBitCount)
          inside &= ~(1 << left)
          return ObservedEvent(.regionExited, subject: left, at: at)
        }
        inside |= 1 << place
        return ObservedEvent(.regionEntered, subject: place, at: at)
      default:
        isCharging.toggle()
        return ObservedEvent(isCharging ? .chargingStarted : .chargingStopped, at: at)
      }
    }
  }
}

extension ReminderWorkload {
  static let numbers = 20
  static let truths = 5

  /// Creates daily reminders with one to three additional conditions on facts. A fact changes after every
  /// ninth event.
  ///
  /// On average, eight of ten such conditions compare a number with a constant below 1,000. One tests a truth
  /// value, and one tests the age of a number.
  ///
  /// - Parameter events: The total number of events.
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
    var observed: [ObservedEvent] = []
    observed.reserveCapacity(events)
    for (position, event) in self.events.enumerated() {
      observed.append(event)
      if position % 9 == 8 { observed.append(Self.change(&random, at: event.moment)) }
    }
    self.events = observed
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
