import CivilTime
import ScenarioModel
import TriggerModel

/// Pairs the fires that an `exact:` list names with those that came: as many as can be, each with one of the other side.
///
/// A fire without a date may be that of any day, so who takes the first that fits may leave nothing to one that is named
/// more exactly. Then it is looked whether those that have one can do with others (Kuhn's algorithm).
///
/// - Complexity: O(named + came) where nobody has to give way
struct ExactPairs {
  /// One that came, in the phone's local time.
  struct Came {
    var reminder: ReminderID
    var local: LocalTime
    var offset: TimeSpan

    func isIn(_ occasion: Occasion) -> Bool {
      occasion.contains(local) && (occasion.offset ?? offset) == offset
    }
  }

  /// The indices of those that are named and did not come, ascending.
  private(set) var missing: [Int] = []
  /// The indices of those that came and are not named, ascending.
  var left: [Int] { owners.indices.filter { owners[$0] == nil } }

  /// What is named alike.
  private struct Name {
    var fire: Expectation.ExactFire
    /// The indices of those that it fits, ascending.
    var fitting: [Int] = []
    /// Of those: how many are known to be taken, from the first on.
    var taken = 0
    /// It has been asked, and cannot give way; or not in this round.
    var isAsked = false
  }

  private var names: [Name] = []
  /// By the index of one that came: the name that has it.
  private var owners: [Int?]

  /// Of one reminder, by the minute that clocks show and the date, as far as they are said.
  private struct Place: Hashable {
    var reminder: ReminderID
    var minute: Int32?
    var date: CivilDate?
  }

  private static let minute: Int32 = 60_000

  /// - Parameter wanted: Each at any time, or in one minute of the clock.
  init(_ wanted: [Expectation.ExactFire], _ came: [Came]) {
    owners = Array(repeating: nil, count: came.count)
    var numbers: [Expectation.ExactFire: Int] = [:]
    var places: [Place: [Int]] = [:]
    let order = wanted.map { fire in
      if let number = numbers[fire] { return number }
      let (number, occasion) = (names.count, fire.occasion)
      numbers[fire] = number
      names.append(Name(fire: fire))
      let minute = occasion.time.map { $0.from / Self.minute }
      places[Place(reminder: fire.reminder, minute: minute, date: occasion.date), default: []].append(number)
      return number
    }
    for (index, fire) in came.enumerated() {
      for minute in [nil, fire.local.millisecondOfDay / Self.minute] {
        for date in [nil, fire.local.date] {
          let place = Place(reminder: fire.reminder, minute: minute, date: date)
          for number in places[place] ?? [] where fire.isIn(names[number].fire.occasion) {
            names[number].fitting.append(index)
          }
        }
      }
    }
    for (index, number) in order.enumerated() where !take(number) { missing.append(index) }
  }

  /// Gives a name one more of those that came.
  private mutating func take(_ number: Int) -> Bool {
    if takeFree(number) { return true }
    var asked: [Int] = []
    let found = takeAny(number, &asked)
    // Those from whom nothing can be had now will never have anything to give: what is taken stays taken.
    if found { for number in asked { names[number].isAsked = false } }
    return found
  }

  private mutating func takeFree(_ number: Int) -> Bool {
    while names[number].taken < names[number].fitting.count {
      let index = names[number].fitting[names[number].taken]
      names[number].taken += 1
      if owners[index] == nil {
        owners[index] = number
        return true
      }
    }
    return false
  }

  /// Takes one that is free, or that another name can do without.
  private mutating func takeAny(_ number: Int, _ asked: inout [Int]) -> Bool {
    if names[number].isAsked { return false }
    names[number].isAsked = true
    asked.append(number)
    if takeFree(number) { return true }
    for index in names[number].fitting {
      if let owner = owners[index], takeAny(owner, &asked) {
        owners[index] = number
        return true
      }
    }
    return false
  }
}
