import ReminderMatching
package import ScenarioPrograms
import ScenarioModel
import TriggerModel

/// What is added up over persons: counts alone, kept by device.
///
/// Its size follows from the program, not from how many persons there are or how long they are watched. Parts
/// that were counted apart, by other workers or on other machines, add up to the same in any order and
/// grouping, because every number is an integer.
package struct RunStatistics: Hashable, Sendable {
  /// How many persons are in it.
  package private(set) var people = 0
  /// By device of a person; the phone comes first.
  package private(set) var devices: [DeviceStatistics]
  /// Sums over persons of what belongs to each as a whole.
  package private(set) var persons = PersonAccount()
  package private(set) var optOuts = OptOuts()
  /// By ``ScenarioModel/SurfaceID``.
  package private(set) var surfaces: [SurfaceAccount]
  /// By ``TriggerModel/LinkID``.
  package private(set) var links: [LinkAccount]

  /// Of nobody yet.
  package init(_ program: Program) {
    devices = Array(
      repeating: DeviceStatistics(reminderCount: program.reminders.reminderCount),
      count: program.devices.count)
    surfaces = Array(repeating: SurfaceAccount(), count: program.app.setup.surfaces.count)
    links = Array(repeating: LinkAccount(), count: program.links?.texts.count ?? 0)
  }

  /// Adds one person, whose run is closed.
  ///
  /// - Complexity: O(reminders + signs)
  package mutating func add(_ accounts: RunAccounts, of program: Program) {
    people += 1
    for device in devices.indices { devices[device].add(accounts.devices[device]) }
    persons.add(PersonAccount(accounts, of: program))
    optOuts.add(accounts.optOuts)
    for (index, surface) in accounts.app.surfaces.enumerated() { surfaces[index].add(surface) }
    for (index, link) in accounts.links.enumerated() { links[index].add(link) }
  }

  /// Adds what was counted elsewhere, of the same program.
  package mutating func add(_ other: RunStatistics) {
    people += other.people
    for device in devices.indices { devices[device].add(other.devices[device]) }
    persons.add(other.persons)
    optOuts.add(other.optOuts)
    for index in surfaces.indices { surfaces[index].add(other.surfaces[index]) }
    for index in links.indices { links[index].add(other.links[index]) }
  }

  /// How many numbers it keeps.
  package var size: Int {
    devices.reduce(0) { $0 + $1.size } + surfaces.count + links.count
  }
}

/// The sums of one device of each person.
package struct DeviceStatistics: Hashable, Sendable {
  package private(set) var reminders: [ReminderAccount]
  /// By ``Sign/Kind``, all subjects of a kind together.
  package private(set) var signs: [SignStatistics]

  init(reminderCount: Int) {
    reminders = Array(repeating: ReminderAccount(), count: reminderCount)
    signs = Array(repeating: SignStatistics(), count: Sign.Kind.allCases.count)
  }

  mutating func add(_ account: DeviceAccount) {
    for index in reminders.indices { reminders[index].add(account.reminders[index]) }
    for kind in Sign.Kind.allCases { signs[kind.rawValue].add(account.signs.account(of: kind)) }
  }

  mutating func add(_ other: DeviceStatistics) {
    for index in reminders.indices { reminders[index].add(other.reminders[index]) }
    for kind in signs.indices { signs[kind].add(other.signs[kind]) }
  }

  /// Causes are a closed list, so that their tables end.
  var size: Int {
    reminders.reduce(0) { $0 + 1 + $1.notObserved.count + $1.unfoundedBecause.count }
      + signs.reduce(0) { $0 + $1.delays.counts.count + $1.missed.count }
  }
}

/// How well a kind of sign stood for what really happened, in sums.
package struct SignStatistics: Hashable, Sendable {
  package private(set) var truth = 0
  package private(set) var observed = 0
  package private(set) var matched = 0
  /// What the app was never told, by why.
  package private(set) var missed: [String: Int] = [:]
  package private(set) var delays = DelayHistogram()

  mutating func add(_ account: SignAccount) {
    truth += account.truth
    observed += account.observed
    matched += account.matched
    missed.merge(account.missed, uniquingKeysWith: +)
    for delay in account.delays { delays.add(delay) }
  }

  mutating func add(_ other: SignStatistics) {
    truth += other.truth
    observed += other.observed
    matched += other.matched
    missed.merge(other.missed, uniquingKeysWith: +)
    delays.add(other.delays)
  }
}

/// Counts delays by their order of magnitude: 0, 1, 2–3, 4–7 … milliseconds.
package struct DelayHistogram: Hashable, Sendable {
  /// By the number of binary digits of the delay, 0 to 63.
  package private(set) var counts = Array(repeating: 0, count: 64)

  /// - Parameter milliseconds: Not negative.
  mutating func add(_ milliseconds: Int64) {
    counts[Int64.bitWidth - max(milliseconds, 0).leadingZeroBitCount] += 1
  }

  mutating func add(_ other: DelayHistogram) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }

  package var total: Int { counts.reduce(0, +) }
}
