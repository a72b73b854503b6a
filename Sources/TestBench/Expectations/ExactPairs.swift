import CivilTime
import ScenarioModel
import TriggerModel

/// A maximum matching between the fires of an `exact:` list and the actual fires.
///
/// An expected fire without a date matches a fire on any day, so a greedy algorithm could assign it the only
/// match of a dated fire. Kuhn's algorithm avoids this: if an expectation has no free match, it reassigns
/// other expectations.
///
/// - Complexity: O(expected + actual) if no expectation is reassigned.
struct ExactPairs {
  /// An actual fire, in the phone's local time.
  struct Actual {
    var reminder: ReminderID
    var local: LocalTime
    var offset: TimeSpan

    func isIn(_ occasion: Occasion) -> Bool {
      occasion.contains(local) && (occasion.offset ?? offset) == offset
    }
  }

  /// The indices of expected fires without a match, ascending.
  private(set) var missing: [Int] = []
  /// The indices of actual fires without a match, ascending.
  var unexpected: [Int] { owners.indices.filter { owners[$0] == nil } }

  /// Expected fires with the same description.
  private struct Expected {
    var fire: Expectation.ExactFire
    /// The indices of the matching actual fires, ascending.
    var fitting: [Int] = []
    /// The number of leading elements of `fitting` that are known to be assigned.
    var taken = 0
    /// Whether a search already failed to reassign this expectation.
    var isVisited = false
  }

  private var expectations: [Expected] = []
  /// The index of the expectation that owns an actual fire, or `nil`.
  private var owners: [Int?]

  /// The reminder, minute and date of an expectation, used as a key.
  private struct Place: Hashable {
    var reminder: ReminderID
    var minute: Int32?
    var date: CivilDate?
  }

  private static let minute: Int32 = 60_000

  /// - Parameter expected: The expected fires. Each one states a minute of the day or no time.
  init(_ expected: [Expectation.ExactFire], _ actual: [Actual]) {
    owners = Array(repeating: nil, count: actual.count)
    var numbers: [Expectation.ExactFire: Int] = [:]
    var places: [Place: [Int]] = [:]
    let order = expected.map { fire in
      if let number = numbers[fire] { return number }
      let (number, occasion) = (expectations.count, fire.occasion)
      numbers[fire] = number
      expectations.append(Expected(fire: fire))
      let minute = occasion.time.map { $0.from / Self.minute }
      places[Place(reminder: fire.reminder, minute: minute, date: occasion.date), default: []].append(number)
      return number
    }
    for (index, fire) in actual.enumerated() {
      for minute in [nil, fire.local.millisecondOfDay / Self.minute] {
        for date in [nil, fire.local.date] {
          let place = Place(reminder: fire.reminder, minute: minute, date: date)
          for number in places[place] ?? [] where fire.isIn(expectations[number].fire.occasion) {
            expectations[number].fitting.append(index)
          }
        }
      }
    }
    for (index, number) in order.enumerated() where !match(number) { missing.append(index) }
  }

  /// Matches an expected fire, if necessary by reassigning others. Returns whether it succeeded.
  private mutating func match(_ number: Int) -> Bool {
    if matchFree(number) { return true }
    var visited: [Int] = []
    let found = matchAny(number, &visited)
    // A failed search proves that these cannot be reassigned, so their marks stay set.
    if found { for number in visited { expectations[number].isVisited = false } }
    return found
  }

  private mutating func matchFree(_ number: Int) -> Bool {
    while expectations[number].taken < expectations[number].fitting.count {
      let index = expectations[number].fitting[expectations[number].taken]
      expectations[number].taken += 1
      if owners[index] == nil {
        owners[index] = number
        return true
      }
    }
    return false
  }

  /// Matches an expectation to a free fire, or to a fire whose owner can be reassigned.
  private mutating func matchAny(_ number: Int, _ visited: inout [Int]) -> Bool {
    if expectations[number].isVisited { return false }
    expectations[number].isVisited = true
    visited.append(number)
    if matchFree(number) { return true }
    for index in expectations[number].fitting {
      if let owner = owners[index], matchAny(owner, &visited) {
        owners[index] = number
        return true
      }
    }
    return false
  }
}
