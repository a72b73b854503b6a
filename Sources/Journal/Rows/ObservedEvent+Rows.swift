import DeviceSimulation
import TriggerModel

/// The rows of the tracks `truth` and `observed`.
extension ObservedEvent: WireEvent {
  typealias Word = Kind

  /// Whether the store is available when the app starts.
  private enum Store: UInt8, WireWord {
    case open, locked

    static let table = NameTable("state of the store", of: Self.self)
  }

  var word: Kind { kind }

  init(row word: Kind, at moment: Moment) {
    self.init(word, at: moment)
  }

  private func with(
    subject: UInt32 = 0, value: Int64 = 0, age: TimeSpan = .zero
  ) -> ObservedEvent {
    ObservedEvent(kind, subject: subject, value: value, at: moment, age: age)
  }

  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> ObservedEvent {
    switch kind {
    case .unlock, .lock, .backgrounded, .zoneChanged, .clockChanged, .storeAvailable, .reinstalled,
      .cancelAll:
      return self
    case .chargingStarted, .chargingStopped, .opened: return with(value: try found(&coder))
    case .batteryLevel: return with(value: try coder.integer("level", value, in: 0...100))
    case .appOpened: return with(subject: try subject(&coder, "app", .app))
    case .regionEntered, .regionExited:
      let region = try subject(&coder, "region", .region)
      let state = try found(&coder)
      if kind == .regionExited { return with(subject: region, value: state) }
      let isInitial = try coder.flag("initial", isInitialEnter)
      return with(subject: region, value: state == 0 && isInitial ? Self.initialEnter : state)
    case .regionFailed: return with(subject: try subject(&coder, "region", .region))
    case .factChanged, .factFound:
      let fact = try coder.name("fact", .fact, FactID(subject))
      let value = try coder.value("value", of: fact, FactValue(bits: value))
      return with(subject: fact.rawValue, value: value.bits, age: try age(&coder))
    case .permissionChanged:
      let permission = NotificationPermission(raw: UInt8(clamping: value), .notDetermined)
      return with(value: Int64(try coder.word("permission", permission).rawValue))
    case .launched:
      let store = try coder.word("store", value == 0 ? Store.open : .locked)
      return with(value: store == .open ? 0 : 1)
    case .woken: return with(subject: try waker(&coder))
    case .delivered:
      let request = try coder.request(request)
      let hidden = try coder.flag("unpresented", isUnpresented) ? Self.unpresented : 0
      return with(
        subject: request.reminder.rawValue, value: Int64(request.occurrence) | hidden, age: try age(&coder))
    case .addFailed, .pendingDropped, .tapped, .dismissed, .acted:
      let request = try coder.request(request)
      return with(subject: request.reminder.rawValue, value: Int64(request.occurrence))
    case .snooze:
      let reminder = try coder.reminder(ReminderID(subject))
      let until = try coder.time("until", Instant(millisecondsSince1970: value))
      return with(
        subject: reminder.rawValue, value: until.millisecondsSince1970, age: try span(&coder, "length"))
    case .cancel, .create: return with(subject: try subject(&coder, "reminder", .reminder))
    case .edit:
      let reminder = try coder.reminder(ReminderID(subject))
      let edit = try coder.edit("to", of: reminder, UInt32(clamping: value))
      return with(subject: reminder.rawValue, value: Int64(edit))
    case .located: return with(value: try position.coded(by: &coder).bits)
    case .deliveredElsewhere:
      let type = try coder.name("type", .type, subject, .always)
      let bucket = try coder.word("bucket", bucket ?? .standard)
      return with(subject: type, value: Int64(bucket.rawValue), age: try age(&coder))
    case .preferencesChanged:
      let change = PreferenceChange(self) ?? .all(isOn: false)
      return ObservedEvent(try change.coded(by: &coder, switch: "on"), at: moment)
    }
  }

  private func subject<Coder: FieldCoder>(
    _ coder: inout Coder, _ key: StaticString, _ list: NameList
  ) throws(Coder.Failure) -> UInt32 {
    try coder.name(key, list, subject, .always)
  }

  private func age<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) -> TimeSpan {
    try span(&coder, "age")
  }

  /// Encodes or decodes ``age`` under a key that depends on the kind of event.
  private func span<Coder: FieldCoder>(
    _ coder: inout Coder, _ key: StaticString
  ) throws(Coder.Failure) -> TimeSpan {
    TimeSpan(
      milliseconds: try coder.integer(
        key, age.milliseconds, in: 0...TimeSpan.wireRange.upperBound, .unless(0)))
  }

  private func found<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) -> Int64 {
    try coder.flag("found", value == Self.reportedState) ? Self.reportedState : 0
  }

  /// Encodes or decodes the reminder for which the app is woken, or the mark of held requests.
  private func waker<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) -> UInt32 {
    let held = ReminderID.heldRequests.rawValue
    if try coder.has("heldRequests", subject == held), try coder.flag("heldRequests", true) { return held }
    return try subject(&coder, "reminder", .reminder)
  }
}
