import DeviceSimulation
import ScenarioModel
import TextFormats
import TriggerModel

/// How a device is when the story begins, as far as its recordings show that.
///
/// What happened before the start left the device in some state. Where nothing of a kind happened before, the
/// first thing that a recording says tells the state before it: who is unplugged first was plugged in. Where
/// the time line says something of that kind earlier, nothing is taken from recordings.
struct RecordedBeginning {
  private var position = Trail<Coordinate>()
  private var isPluggedIn = Trail<Bool>()
  private var level = Trail<Int32>()
  private var isLocked = Trail<Bool>()
  private let start: Instant
  private let places: [Coordinate]

  init(_ scenario: Scenario) {
    start = scenario.start
    places = scenario.places.map(\.center)
  }

  /// A recording says that something happens.
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

  /// A recording shows the charger's state at an instant, and has shown none before.
  mutating func find(pluggedIn isIn: Bool, at instant: Instant) {
    isPluggedIn.note(instant, was: isIn, is: isIn, start)
  }

  /// The time line says that something happens: it needs no recording for what was before.
  mutating func say(_ event: PhoneEvent, at instant: Instant) {
    switch event {
    case .plugIn, .unplug: isPluggedIn.note(instant, was: nil, is: nil, start)
    case .batteryLevel: level.note(instant, was: nil, is: nil, start)
    case .unlock, .lock, .powerOff: isLocked.note(instant, was: nil, is: nil, start)
    case .enterRegion, .exitRegion, .found, .fix: position.note(instant, was: nil, is: nil, start)
    default: break
    }
  }

  /// What is shown, where the scenario itself does not say it.
  func completing(_ said: PhoneBeginning) -> PhoneBeginning {
    PhoneBeginning(
      position: said.position ?? position.value, isPluggedIn: said.isPluggedIn ?? isPluggedIn.value,
      level: said.level ?? level.value, isLocked: said.isLocked ?? isLocked.value)
  }
}

/// What is known of one property around the start.
private struct Trail<Value> {
  /// The last that was said before the start; no value: it was lost.
  private var before: (instant: Instant, value: Value?)?
  /// The state before the first that was said from the start on; no value: that tells nothing.
  private var after: (instant: Instant, value: Value?)?

  var value: Value? { before.map(\.value) ?? after.flatMap(\.value) }

  /// Of several things said at one instant the last said counts before the start, and the first after it.
  mutating func note(_ instant: Instant, was earlier: Value?, is later: Value?, _ start: Instant) {
    if instant < start {
      if before.map({ $0.instant <= instant }) ?? true { before = (instant, later) }
    } else if after.map({ instant < $0.instant }) ?? true {
      after = (instant, earlier)
    }
  }
}
