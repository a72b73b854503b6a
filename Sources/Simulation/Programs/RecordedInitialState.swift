import DeviceSimulation
import ScenarioModel
import TextFormats
import TriggerModel

/// The initial state of a device that its recordings imply.
///
/// The last event of a kind before the start of the scenario determines the state. If there is none, the
/// first later event implies the state before it: a device whose first event is an unplugging was plugged in.
/// An earlier event on the time line invalidates this implication.
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

  /// Adds the first charger state in a recording.
  mutating func recordFirst(pluggedIn isIn: Bool, at instant: Instant) {
    isPluggedIn.note(instant, was: isIn, is: isIn, start)
  }

  /// Adds an event of the time line. Recorded events after it no longer imply the initial state of the same
  /// property.
  mutating func declare(_ event: PhoneEvent, at instant: Instant) {
    switch event {
    case .plugIn, .unplug: isPluggedIn.note(instant, was: nil, is: nil, start)
    case .batteryLevel: level.note(instant, was: nil, is: nil, start)
    case .unlock, .lock, .powerOff: isLocked.note(instant, was: nil, is: nil, start)
    case .enterRegion, .exitRegion, .found, .fix: position.note(instant, was: nil, is: nil, start)
    default: break
    }
  }

  /// Returns the declared state, completed by the recorded state.
  func completing(_ declared: PhoneInitialState) -> PhoneInitialState {
    PhoneInitialState(
      position: declared.position ?? position.value, isPluggedIn: declared.isPluggedIn ?? isPluggedIn.value,
      level: declared.level ?? level.value, isLocked: declared.isLocked ?? isLocked.value)
  }
}

/// The evidence for the initial value of one property.
private struct Evidence<Value> {
  /// The last value before the start, or a value of `nil` if it is unknown.
  private var before: (instant: Instant, value: Value?)?
  /// The value that the first event after the start implies, or a value of `nil` if it implies none.
  private var after: (instant: Instant, value: Value?)?

  var value: Value? { before.map(\.value) ?? after.flatMap(\.value) }

  /// Adds an event that changes the property from `earlier` to `later`. Of several events at the same
  /// instant, the last one counts before the start, and the first one counts after it.
  mutating func note(_ instant: Instant, was earlier: Value?, is later: Value?, _ start: Instant) {
    if instant < start {
      if before.map({ $0.instant <= instant }) ?? true { before = (instant, later) }
    } else if after.map({ instant < $0.instant }) ?? true {
      after = (instant, earlier)
    }
  }
}
