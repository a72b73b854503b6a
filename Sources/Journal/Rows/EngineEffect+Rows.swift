import TriggerModel

/// The rows of engine effects.
extension EngineEffect: WireEvent {
  package enum Word: UInt8, WireWord {
    case request, noRequest, decided, dropped, add, remove, withdraw, removeShown, monitor, unmonitor, watch
    case unwatch, wake, wakeForRelease, persist, storeUnusable

    static let table = NameTable("event", of: Self.self)
  }

  var word: Word {
    switch self {
    case .request: .request
    case .noRequest: .noRequest
    case .decided: .decided
    case .dropped: .dropped
    case .add: .add
    case .remove: .remove
    case .withdraw: .withdraw
    case .removeShown: .removeShown
    case .monitor: .monitor
    case .unmonitor: .unmonitor
    case .watch: .watch
    case .unwatch: .unwatch
    case .wake: .wake
    case .wakeForRelease: .wakeForRelease
    case .persist: .persist
    case .storeUnusable: .storeUnusable
    }
  }

  init(row word: Word, at moment: Moment) {
    let id = RequestID(reminder: ReminderID(0), occurrence: 0)
    let request = NotificationRequest(
      id: id, type: TypeID(0), bucket: .standard, scheduledFor: moment.wall, deliverAt: moment.wall)
    self =
      switch word {
      case .request: .request(request)
      case .noRequest: .noRequest(id.reminder, .conditionFailed, failed: [])
      case .decided: .decided(request, .admitted)
      case .dropped: .dropped(request, .cancelled)
      case .add: .add(request)
      case .remove: .remove(id, .cancelled)
      case .withdraw: .withdraw(id.reminder, .cancelled)
      case .removeShown: .removeShown(id.reminder)
      case .monitor: .monitor(RegionID(0))
      case .unmonitor: .unmonitor(RegionID(0))
      case .watch: .watch(Surroundings(center: Position(latitude: 0, longitude: 0), radius: 1))
      case .unwatch: .unwatch
      case .wake: .wake(id.reminder, at: .distantFuture)
      case .wakeForRelease: .wakeForRelease(at: .distantFuture)
      case .persist: .persist
      case .storeUnusable: .storeUnusable(.torn)
      }
  }

  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> EngineEffect {
    switch self {
    case .request(let request): return .request(try request.coded(by: &coder, isWhole: true))
    case .noRequest(let reminder, let reason, let failed):
      return .noRequest(
        try coder.reminder(reminder), try coder.word("reason", reason),
        failed: ConditionKinds(
          rawValue: UInt8(
            truncatingIfNeeded: try coder.words("failed", ConditionKinds.table, UInt64(failed.rawValue)))))
    case .decided(let request, let decision):
      return .decided(try request.coded(by: &coder, isWhole: false), try decision.coded(by: &coder))
    case .dropped(let request, let reason):
      return .dropped(try request.coded(by: &coder, isWhole: false), try coder.word("reason", reason))
    case .add(let request): return .add(try request.coded(by: &coder, isWhole: false))
    case .remove(let id, let reason):
      return .remove(try coder.request(id), try coder.word("reason", reason))
    case .withdraw(let reminder, let reason):
      return .withdraw(try coder.reminder(reminder), try coder.word("reason", reason))
    case .removeShown(let reminder): return .removeShown(try coder.reminder(reminder))
    case .monitor(let region): return .monitor(try coder.name("region", .region, region))
    case .unmonitor(let region): return .unmonitor(try coder.name("region", .region, region))
    case .watch(let around):
      let center = try around.center.coded(by: &coder)
      let radius = try coder.integer("radius", around.radius, in: 1...Surroundings.largestRadius)
      return .watch(Surroundings(center: center, radius: radius))
    case .unwatch: return self
    case .wake(let reminder, let instant):
      return .wake(
        try coder.reminder(reminder), at: try coder.time("at", instant, on: .wall, isNullable: true, .always))
    case .wakeForRelease(let instant):
      return .wakeForRelease(at: try coder.time("at", instant, on: .wall, isNullable: true, .always))
    case .persist:
      try coder.state("state")
      return self
    case .storeUnusable(let problem): return .storeUnusable(try coder.word("problem", problem))
    }
  }
}

extension NotificationRequest {
  /// Passes the fields of a request through a coder.
  ///
  /// - Parameter isWhole: Whether to encode or decode every field. If not, only the fields that differ from
  ///   the last record of the request.
  fileprivate func coded<Coder: FieldCoder>(
    by coder: inout Coder, isWhole: Bool
  ) throws(Coder.Failure) -> NotificationRequest {
    let id = try coder.request(id)
    let known = isWhole ? nil : coder.known(id)
    func presence<Value>(_ value: Value?, _ otherwise: Presence<Value> = .always) -> Presence<Value> {
      value.map { .unless($0) } ?? otherwise
    }
    let type = try coder.name("type", .type, type.rawValue, presence(known?.type.rawValue))
    let bucket = try coder.word("bucket", Bucket.table, bucket.rawValue, presence(known?.bucket.rawValue))
    let priority = try coder.integer(
      "priority", priority, presence(known?.priority, .orElse(Self.usualPriority)))
    let copy = try coder.integer("copy", copy, presence(known?.copy, .orElse(0)))
    let scheduledFor = try coder.time(
      "scheduledFor", scheduledFor, on: .wall, isNullable: false, presence(known?.scheduledFor))
    let deliverAt = try coder.time(
      "deliverAt", deliverAt, on: .wall, isNullable: false, presence(known?.deliverAt))
    let expiresAt = try coder.time(
      "expiresAt", expiresAt, on: .wall, isNullable: true, .unless(known?.expiresAt ?? .distantFuture))
    let isFloating = try coder.truth("floating", isFloating, .unless(known?.isFloating ?? false))
    let isElapsed = try coder.truth("elapsed", isElapsed, .unless(known?.isElapsed ?? false))
    let repeats = try SystemRepeat.coded(repeats, by: &coder)
    let request = NotificationRequest(
      id: id, type: TypeID(type), bucket: Bucket(raw: bucket, .standard), priority: priority, copy: copy,
      scheduledFor: scheduledFor, deliverAt: deliverAt, expiresAt: expiresAt,
      rank: coder.rank(of: id.reminder),
      isFloating: isFloating, isElapsed: isElapsed, repeats: repeats)
    coder.remember(request)
    return request
  }

  /// The priority of a request that does not state one.
  private static let usualPriority: UInt8 = 100
}

extension Decision {
  fileprivate func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> Decision {
    let outcome = try coder.word("outcome", outcome)
    let reason = try coder.optionalWord("reason", reason)
    let blockers = try coder.words("blockers", Reason.table, blockers.rawValue)
    let until = try coder.time(
      "until", until ?? .distantFuture, on: .wall, isNullable: true, .unless(.distantFuture))
    return Decision(
      outcome: outcome, reason: reason, blockers: ReasonSet(rawValue: blockers),
      until: until == .distantFuture ? nil : until)
  }
}

extension SystemRepeat.Unit: WireWord {
  static let table = NameTable("repeats", of: Self.self)
}

/// The fields of a repeating request: the unit, and the parts of the date that the unit requires.
extension SystemRepeat {
  static func coded<Coder: FieldCoder>(
    _ value: SystemRepeat?, by coder: inout Coder
  ) throws(Coder.Failure) -> SystemRepeat? {
    let unit = try coder.optionalWord("repeats", value?.unit)
    // The required parts of the date have no default, because nothing else determines the day.
    let hasDay = unit.map { [.weekly, .monthly, .yearly].contains($0) } ?? false
    let month = try coder.integer(
      "repeatMonth", value?.month ?? 0, in: 0...12, unit == .yearly ? .always : .unless(0))
    let day = try coder.integer(
      "repeatDay", value?.day ?? 0, in: 0...31, hasDay ? .always : .unless(0))
    let minute = try coder.integer("repeatMinute", value?.minute ?? 0, in: 0...1_439, .unless(0))
    let seconds = try coder.integer(
      "repeatSeconds", value?.seconds ?? 0, in: 0...longestSpan.milliseconds / 1_000,
      unit == .span ? .always : .unless(0))
    return unit.map {
      SystemRepeat($0, month: Int(month), day: Int(day), minute: Int(minute), seconds: Int(seconds))
    }
  }
}
