import DeviceSimulation
import TriggerModel

extension FieldCoder {
  mutating func reminder(_ id: ReminderID) throws(Failure) -> ReminderID {
    try name("reminder", .reminder, id)
  }
}

extension Fix {
  /// Encodes or decodes a fix. Omits the accuracy if it is unknown, and the instant if it equals that of the
  /// record.
  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> Fix {
    let latitude = try coder.number("latitude", coordinate.latitude, in: -90...90, .always)
    let longitude = try coder.number("longitude", coordinate.longitude, in: -180...180, .always)
    let unknown = -1.0
    let accuracy = try coder.number(
      "accuracy", max(accuracy, unknown), in: 0...Double.greatestFiniteMagnitude, .unless(unknown))
    let instant = try coder.time(
      "at", instant, on: .simulation, isNullable: false, .unless(coder.instant))
    return Fix(
      instant: instant, coordinate: Coordinate(latitude: latitude, longitude: longitude), accuracy: accuracy)
  }
}

extension Position {
  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> Position {
    Position(
      latitude: try coder.integer("latitudeE7", latitude, in: -900_000_000...900_000_000),
      longitude: try coder.integer("longitudeE7", longitude, in: -1_800_000_000...1_800_000_000))
  }
}

extension PreferenceChange {
  private static let keys: [StaticString] = ["type", "all", "dailyCap"]

  private var key: Int {
    switch self {
    case .type: 0
    case .all: 1
    case .dailyCap: 2
    }
  }

  /// Encodes or decodes a preference.
  ///
  /// - Parameter key: The key of the Boolean value that turns a single type on or off.
  func coded<Coder: FieldCoder>(
    by coder: inout Coder, switch key: StaticString
  ) throws(Coder.Failure) -> PreferenceChange {
    var (id, isOn, cap) = (TypeID(0), false, UInt32?.none)
    switch self {
    case .type(let type, let isTypeOn): (id, isOn) = (type, isTypeOn)
    case .all(let areOn): isOn = areOn
    case .dailyCap(let own): cap = own
    }
    switch try coder.choice(Self.keys, self.key) {
    case 0: return .type(try coder.name("type", .type, id), isOn: try coder.truth(key, isOn))
    case 1: return .all(isOn: try coder.truth("all", isOn))
    case _: return .dailyCap(try coder.count("dailyCap", cap))
    }
  }
}

extension PromptAnswer {
  /// Encodes or decodes an answer to a prompt. The permission needs no field, because the event's word names
  /// it.
  func coded<Coder: FieldCoder>(
    by coder: inout Coder, _ key: StaticString
  ) throws(Coder.Failure) -> PromptAnswer {
    switch self {
    case .notifications(let answer): .notifications(try coder.word(key, answer))
    case .location(let answer): .location(try coder.word(key, answer))
    case .screenTime(let answer): .screenTime(try coder.word(key, answer))
    }
  }
}

extension PermissionKind {
  /// Encodes or decodes a permission. A missing field means the permission to notify.
  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> PermissionKind {
    try coder.optionalWord("permission", self == .notifications ? nil : self) ?? .notifications
  }
}

extension LinkFault {
  private enum Word: UInt8, WireWord {
    case lost, late, again

    static let table = NameTable("fault", of: Self.self)
  }

  private var word: Word {
    switch self {
    case .lost: .lost
    case .late: .late
    case .again: .again
    }
  }

  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> LinkFault {
    let span: TimeSpan
    switch self {
    case .lost: span = .zero
    case .late(let delay), .again(let delay): span = delay
    }
    switch try coder.variant("fault", word) {
    case .lost: return .lost
    case .late: return .late(by: try coder.span("milliseconds", span))
    case .again: return .again(after: try coder.span("milliseconds", span))
    }
  }
}

extension NotificationAction {
  private enum Word: UInt8, WireWord {
    case done, snooze

    static let table = NameTable("action", of: Self.self)
  }

  private var word: Word {
    switch self {
    case .done: .done
    case .snooze: .snooze
    }
  }

  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> NotificationAction {
    var span = TimeSpan.zero
    if case .snooze(let length) = self { span = length }
    switch try coder.variant("action", word) {
    case .done: return .done
    case .snooze: return .snooze(try coder.span("milliseconds", span))
    }
  }
}

extension ObservedEvent.Kind {
  /// The key and the name list of the event's subject, or `nil` if the event has no named subject.
  var subject: (key: StaticString, list: NameList)? {
    switch self {
    case .appOpened: ("app", .app)
    case .regionEntered, .regionExited, .regionFailed: ("region", .region)
    case .factChanged, .factFound: ("fact", .fact)
    case .addFailed, .pendingDropped, .delivered, .tapped, .dismissed, .acted, .snooze, .cancel, .create,
      .edit:
      ("reminder", .reminder)
    case .unlock, .lock, .chargingStarted, .chargingStopped, .batteryLevel, .opened, .backgrounded,
      .zoneChanged, .clockChanged, .permissionChanged, .launched, .storeAvailable, .reinstalled, .woken,
      .cancelAll, .preferencesChanged, .located, .deliveredElsewhere:
      nil
    }
  }
}
