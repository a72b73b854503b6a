import DeviceSimulation
import TriggerModel

/// What the person does beside what the story says.
extension PersonAct: WireEvent {
  enum Word: UInt8, WireWord {
    case taps, dismisses, optsOut, opens, sets

    static let table = NameTable("event", of: Self.self)
  }

  var word: Word {
    switch self {
    case .tap: .taps
    case .dismiss: .dismisses
    case .optOut: .optsOut
    case .open: .opens
    case .set: .sets
    }
  }

  init(row word: Word, at moment: Moment) {
    let id = RequestID(reminder: ReminderID(0), occurrence: 0)
    self =
      switch word {
      case .taps: .tap(id)
      case .dismisses: .dismiss(id)
      case .optsOut: .optOut
      case .opens: .open
      case .sets: .set(FactID(0), .missing)
      }
  }

  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> PersonAct {
    switch self {
    case .tap(let id): return .tap(try coder.request(id))
    case .dismiss(let id): return .dismiss(try coder.request(id))
    case .optOut, .open: return self
    case .set(let fact, let value):
      let fact = try coder.name("fact", .fact, fact)
      return .set(fact, try coder.value("value", of: fact, value))
    }
  }
}
