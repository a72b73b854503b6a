import DeviceSimulation
import ScenarioModel
import TextFormats
import TriggerModel

/// The initial state of a device, as far as its recordings show it.
///
/// Events before the start of the scenario determine the state. If there are none of a kind, the first later
/// event implies the state before it: a device that is unplugged first was plugged in. If the time line
/// states a property earlier, no recording determines it.
struct RecordedInitialState {
  private var position = Evidence<Coordinate>()
  private var isPluggedIn = Evidence<Bool>()
  private var level = Evidence<Int32>()
  private var isLocked = Evidence<Bool>()
  private let start: Instant
  private let places: [Coordinate]

  init(_ scenario: Scenario) {
    start = scenario.start
    places = scenario.places.map(\.center)
  }

  /// Adds an event of a recording.
  mutating func record(_ event: PhoneEvent, at instant: Instant) {
    switch event {
    case .plugIn: isPluggedIn.note(instant, was: false, is: true, start)
    case .unplug: isPluggedIn.note(instant, was: true, is: false, start)
    case .batteryLevel(let thousandths): level.note(instant, was: thousandths, is: thousandths, start)
    case .unlock: isLocked.note(instant, was: true, is: false, start)
    case .lock: isLocked.note(instant, was: false, is: true, start)
    case .powerOff: isLocked.note(instant, was: nil, is: true, start)
    case .enterRegion(let region): position.note(instant, was: nil, is: places[region.index], start)
    case .exitRegion(let region): position.note(instant, was: places[region.index], is: nil, start)
    case .found(let fix): position.note(instant, was: fix.coordinate, is: fix.coordinate, start)
    case .fix: position.note(instant, was: nil, is: nil, start)
    default: break
    }
  }

  /// Adds the first charger state that a recording shows.
  mutating func recordFirst(pluggedIn isIn: Bool, at instant: Instant) {
    isPluggedIn.note(instant, was: isIn, is: isIn, start)
  }

  /// Adds an event of the time line, which makes recordings irrelevant to the state before it.
  mutating func declare(_ event: PhoneEvent, at instant: Instant) {
    switch event {
    case .plugIn, .unplug: isPluggedIn.note(instant, was: nil, is: nil, start)
    case .batteryLevel: level.note(instant, was: nil, is: nil, start)
    case .unlock, .lock, .powerOff: isLocked.note(instant, was: nil, is: nil, start)
    case .enterRegion, .exitRegion, .found, .fix: position.note(instant, was: nil, is: nil, start)
    default: break
    }
  }

  /// Returns the declared state, completed with the recorded one.
  func completing(_ declared: PhoneInitialState) -> PhoneInitialState {
    PhoneInitialState(
      position: declared.position ?? position.value, isPluggedIn: declared.isPluggedIn ?? isPluggedIn.value,
      level: declared.level ?? level.value, isLocked: declared.isLocked ?? isLocked.value)
  }
}

/// The evidence about one property around the start.
private struct Evidence<Value> {
  /// The last state before the start. Its value is `nil` if the state is unknown.
  private var before: (instant: Instant, value: Value?)?
  /// The state before the first event since the start. Its value is `nil` if the event does not imply one.
  private var after: (instant: Instant, value: Value?)?

  var value: Value? { before.map(\.value) ?? after.flatMap(\.value) }

  /// Adds evidence. At the same instant, the last event counts before the start, and the first after it.
  mutating func note(_ instant: Instant, was earlier: Value?, is later: Value?, _ start: Instant) {
    if instant < start {
      if before.map({ $0.instant <= instant }) ?? true { before = (instant, later) }
    } else if after.map({ instant < $0.instant }) ?? true {
      after = (instant, earlier)
    }
  }
}
