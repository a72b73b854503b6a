import DeviceSimulation
import TriggerModel

/// What the person of a model does.
extension PersonAct: WireEvent {
  enum Word: UInt8, WireWord {
    case taps, dismisses, optsOut, opens

    static let table = NameTable("event", of: Self.self)
  }

  var word: Word {
    switch self {
    case .tap: .taps
    case .dismiss: .dismisses
    case .optOut: .optsOut
    case .open: .opens
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
      }
  }

  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> PersonAct {
    switch self {
    case .tap(let id): .tap(try coder.request(id))
    case .dismiss(let id): .dismiss(try coder.request(id))
    case .optOut, .open: self
    }
  }
}
