import ScenarioModel
import TriggerModel

/// The rows of the synchronization of the person's devices.
extension SyncRecord: WireEvent {
  enum Word: UInt8, WireWord {
    case written, refused, stored, overruled, repeated, learned, doubled, untold

    static let table = NameTable("event", of: Self.self)
  }

  var word: Word {
    switch self {
    case .written: .written
    case .refused: .refused
    case .stored: .stored
    case .overruled: .overruled
    case .repeated: .repeated
    case .learned: .learned
    case .doubled: .doubled
    case .untold: .untold
    }
  }

  init(row word: Word, at moment: Moment) {
    let id = RequestID(reminder: ReminderID(0), occurrence: 0)
    let write = SyncWrite(.cancelAll, at: moment.wall, device: 0, number: 0)
    self =
      switch word {
      case .written: .written(write)
      case .refused: .refused(write, .fault)
      case .stored: .stored(write)
      case .overruled: .overruled(write)
      case .repeated: .repeated(write)
      case .learned: .learned(write)
      case .doubled: .doubled(id, .offline)
      case .untold: .untold(id, .offline)
      }
  }

  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> SyncRecord {
    switch self {
    case .written(let write): return .written(try write.coded(by: &coder))
    case .refused(let write, let refusal):
      let refusal = try coder.word("refusal", refusal)
      return .refused(try write.coded(by: &coder), refusal)
    case .stored(let write): return .stored(try write.coded(by: &coder))
    case .overruled(let write): return .overruled(try write.coded(by: &coder))
    case .repeated(let write): return .repeated(try write.coded(by: &coder))
    case .learned(let write): return .learned(try write.coded(by: &coder))
    case .doubled(let id, let cause): return .doubled(try coder.request(id), try coder.word("cause", cause))
    case .untold(let id, let cause): return .untold(try coder.request(id), try coder.word("cause", cause))
    }
  }
}

extension SyncRefusal: WireWord {
  static let table = NameTable("refusal", of: Self.self)
}

extension SyncCause: WireWord {
  static let table = NameTable("cause", of: Self.self)
}

extension SyncWrite {
  fileprivate func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> SyncWrite {
    let device = try coder.name("by", .device, UInt32(device), .always)
    let number = try coder.integer("number", number)
    let stamp = try coder.time("stamp", stamp)
    return SyncWrite(
      try change.coded(by: &coder), at: stamp, device: UInt8(truncatingIfNeeded: device), number: number)
  }
}

extension SharedChange {
  private enum Word: UInt8, WireWord {
    case fact, create, edit, cancel, snooze, cancelAll, preference, notified

    static let table = NameTable("change", of: Self.self)
  }

  private var word: Word {
    switch self {
    case .fact: .fact
    case .create: .create
    case .edit: .edit
    case .cancel: .cancel
    case .snooze: .snooze
    case .cancelAll: .cancelAll
    case .preference: .preference
    case .notified: .notified
    }
  }

  /// The fields of all kinds of changes. Each kind uses only its own.
  private struct Parts {
    var fact = FactID(0)
    var value = FactValue.missing
    var reminder = ReminderID(0)
    var edit: UInt32 = 0
    var until = Instant(millisecondsSince1970: 0)
    var preference = PreferenceChange.all(isOn: false)
    var type = TypeID(0)
    var bucket = Bucket.standard
  }

  private var parts: Parts {
    var parts = Parts()
    switch self {
    case .fact(let fact, let value): (parts.fact, parts.value) = (fact, value)
    case .create(let reminder), .cancel(let reminder): parts.reminder = reminder
    case .edit(let reminder, let edit): (parts.reminder, parts.edit) = (reminder, edit)
    case .snooze(let reminder, let until): (parts.reminder, parts.until) = (reminder, until)
    case .cancelAll: break
    case .preference(let change): parts.preference = change
    case .notified(let type, let bucket): (parts.type, parts.bucket) = (type, bucket)
    }
    return parts
  }

  fileprivate func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> SharedChange {
    let parts = parts
    switch try coder.variant("change", word) {
    case .fact:
      let fact = try coder.name("fact", .fact, parts.fact)
      return .fact(fact, try coder.value("value", of: fact, parts.value))
    case .create: return .create(try coder.reminder(parts.reminder))
    case .edit:
      let reminder = try coder.reminder(parts.reminder)
      return .edit(reminder, try coder.edit("to", of: reminder, parts.edit))
    case .cancel: return .cancel(try coder.reminder(parts.reminder))
    case .snooze:
      return .snooze(try coder.reminder(parts.reminder), until: try coder.time("until", parts.until))
    case .cancelAll: return .cancelAll
    case .preference: return .preference(try parts.preference.coded(by: &coder, switch: "value"))
    case .notified:
      return .notified(try coder.name("type", .type, parts.type), try coder.word("bucket", parts.bucket))
    }
  }
}
