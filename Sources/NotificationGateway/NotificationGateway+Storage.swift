public import CivilTime
public import TriggerModel

/// Encodes and decodes the stored form of the gateway, which `StoredState.md` describes.
///
/// Reminders, types and zones are stored by name, because a later version of the app may number them
/// differently.
extension NotificationGateway {
  /// Returns the bytes to store at every ``TriggerModel/EngineEffect/persist``. They contain all of
  /// ``state``.
  ///
  /// Equal states produce equal bytes, whatever the order of the names.
  ///
  /// - Parameter names: The names of every reminder and type that a request may name. The types are those of
  ///   the policy, in their order.
  /// - Complexity: O(*n* log *n*) in the types and in the unfinished requests.
  public func storedState(names: StoreNames) -> [UInt8] {
    var used = UsedNames()
    collectNames(names, into: &used)
    var writer = StateWriter(used)
    write(to: &writer)
    return writer.sealed()
  }

  /// Restores a gateway from its stored form. The part of a reminder engine is ignored.
  ///
  /// - Parameters:
  ///   - policy: The rules of this version of the app.
  ///   - bytes: The result of ``storedState(names:)``.
  ///   - names: The names of every reminder and type that a request may name. The types are those of the
  ///     policy, in their order.
  ///   - zones: Every zone that a ``TriggerModel/Moment`` will name. There must be at least one.
  ///   - permission: The permission that the operating system grants now.
  ///   - now: The moment at which the process starts.
  /// - Throws: A problem that makes the bytes unusable. Create a new gateway in that case.
  public init(
    policy: CompiledCapPolicy, stored bytes: [UInt8], names: StoreNames, zones: ZoneTable,
    permission: NotificationPermission, at now: Moment
  ) throws(StoreProblem) {
    self.init(policy: policy, zones: zones, permission: permission)
    try adopt(StoredState(bytes), names: names, at: now)
  }

  /// The reminders with deferred or pending requests that are no longer declared.
  ///
  /// Includes the requests that the system may still hold, which the app withdraws. Their counts are
  /// reverted.
  public var endedReminders: [EndedReminder] { memory.ended }

  // MARK: Writing

  package func collectNames(_ names: StoreNames, into used: inout UsedNames) {
    let types = names.types + state.retiredTypes
    func insert(_ type: TypeID) {
      if type.index < types.count { used.insert(type, types[type.index]) }
    }
    for type in (0..<state.types.count).map({ TypeID($0) }) where isUsed(type) { insert(type) }
    for (_, counts) in state.days.byDay { for type in counts.compactMap(\.subject.type) { insert(type) } }
    let reservations =
      state.pending + state.uncounted.map(\.reservation) + state.unconfirmedDeliveries.map(\.reservation)
    let requests = known(
      state.deferred.map(\.request) + state.collected + systemRequests
        + [state.lastCriticalAdded].compactMap(\.self))
    for type in reservations.map(\.type) + requests.map(\.type) { insert(type) }
    for id in reservations.map(\.id) + requests.map(\.id) {
      precondition(id.reminder.index < names.reminders.count, "a request's reminder must have a name")
      used.insert(id.reminder, names.reminders[id.reminder.index])
    }
    let moments =
      state.uncounted.map(\.admitted) + state.unconfirmedDeliveries.flatMap { [$0.delivered, $0.previous] }
    for moment in moments + [state.lastStandard, state.lastCritical] {
      if let moment { used.insert(zone: zones[moment.zone].identifier) }
    }
    if let zone = state.zone { used.insert(zone: zones[zone].identifier) }
  }

  private func isUsed(_ type: TypeID) -> Bool {
    state.types[type.index].lifetime > 0 || state.lapseCount(type) > 0
      || state.preferences.disabledTypes.contains(type)
  }

  /// The requests held by the system that a change of zone can affect, in their original form.
  private var systemRequests: [NotificationRequest] { state.released + pendingOriginals }

  /// Removes requests of unknown types, which are never delivered and not stored.
  private func known(_ requests: [NotificationRequest]) -> [NotificationRequest] {
    requests.filter { $0.type.index < state.types.count }
  }

  /// Writes the gateway's part. The writer must already contain the names.
  package func write(to writer: inout StateWriter) {
    writer.part(.gateway) { writer in
      writer.number(state.lapse)
      for type in writer.types {
        writer.number(state.types[type.index].lifetime)
        writer.number(state.lapseCount(type))
      }
      write(state.preferences, to: &writer)
      writer.list(state.days.byDay) { writer, day in
        writer.day(day.day.dayNumber)
        let counts = day.counts.map { (code: writer.code(of: $0.subject), count: $0.count) }
        writer.list(counts.sorted { $0.code < $1.code }) { writer, entry in
          writer.number(entry.code)
          writer.number(entry.count)
        }
      }
      writer.list(sorted(state.pending, writer) { ($0.deliverAt, $0.id) }) { $0.reservation($1) }
      writer.list(state.uncounted) { writer, admission in
        writer.reservation(admission.reservation)
        write(admission.admitted, to: &writer)
      }
      writer.list(state.unconfirmedDeliveries) { writer, entry in
        writer.reservation(entry.reservation)
        write(entry.delivered, to: &writer)
        writer.optional(entry.previous) { write($1, to: &$0) }
      }
      let deferred = state.deferred.filter { $0.request.type.index < state.types.count }
      writer.list(sorted(deferred, writer) { ($0.releaseAt, $0.request.id) }) { writer, entry in
        writer.request(entry.request)
        writer.instant(entry.releaseAt)
      }
      writer.list(sorted(known(state.collected), writer) { (.distantPast, $0.id) }) { $0.request($1) }
      writer.openInstant(state.requestedWake)
      for moment in [state.lastStandard, state.lastCritical] {
        writer.optional(moment) { write($1, to: &$0) }
      }
      writer.optional(state.clocks) { writer, clocks in
        writer.number(clocks.boot)
        writer.instant(clocks.wallAtBoot)
      }
      writer.optional(state.zone) { $0.zone(zones[$1].identifier) }
      let requests = known(systemRequests)
      if requests.isEmpty && state.lastCriticalAdded == nil { return }
      writer.list(sorted(requests, writer) { ($0.deliverAt, $0.id) }) { $0.request($1) }
      if let critical = state.lastCriticalAdded { writer.request(critical) }
    }
  }

  private func write(_ preferences: NotificationPreferences, to writer: inout StateWriter) {
    writer.flag(preferences.isEnabled)
    writer.optional(preferences.dailyCap) { $0.number(UInt32(clamping: $1)) }
    writer.list(writer.types.filter { preferences.disabledTypes.contains($0) }) { $0.type($1) }
  }

  private func write(_ moment: Moment, to writer: inout StateWriter) {
    writer.moment(moment, zone: zones[moment.zone].identifier)
  }

  /// Returns the entries in an order that is independent of the numbers of reminders.
  private func sorted<Entry>(
    _ entries: [Entry], _ writer: StateWriter, by key: (Entry) -> (Instant, RequestID)
  ) -> [Entry] {
    if entries.count < 2 { return entries }
    return entries.map { (key($0), $0) }.sorted { a, b in
      let places = (writer.place(of: a.0.1.reminder), writer.place(of: b.0.1.reminder))
      return (a.0.0, places.0, a.0.1.occurrence) < (b.0.0, places.1, b.0.1.occurrence)
    }.map(\.1)
  }

  // MARK: Reading

  /// Resets the gateway to a fresh installation in a process with the given permission. Registrations and
  /// ``alarmsMayBeLate`` are kept, because the app sets them at every start.
  package mutating func restart(permission: NotificationPermission) {
    let (unregistered, alarmsMayBeLate) = (memory.unregistered, alarmsMayBeLate)
    self = NotificationGateway(policy: policy, zones: zones, permission: permission)
    memory.unregistered = unregistered
    self.alarmsMayBeLate = alarmsMayBeLate
  }

  /// Restores the stored state, or starts as a fresh installation if the state has no part for the gateway.
  /// The permission and the registrations are kept, because every process sets them again.
  ///
  /// The gateway is unusable after this method throws.
  package mutating func adopt(
    _ stored: StoredState, names: StoreNames, at now: Moment
  ) throws(StoreProblem) {
    precondition(names.types.count == policy.typeCount, "the names must be those of the policy's types")
    state = GatewayState(typeCount: policy.typeCount)
    state.retiredTypes = stored.retiredTypes(names)
    state.resize(typeCount: policy.typeCount)
    let ids = stored.zones.map { try? zones.intern($0) }
    if var reader = stored.reader(of: .gateway, names: names, zones: ids) {
      try state.read(&reader)
      try reader.finish()
    }
    memory.cursor = ZoneCursor(zones[state.zone ?? ZoneID(0)])
    memory.isDirty = false
    memory.cachedChecks = .none
    memory.isSorted = false
    memory.mustRecheckReleases = hasSystemRequests
    memory.ended = []
    rank(by: names)
    deferOverdueCollected(at: now)
    withdrawRemoved(stored.endedReminders(names), after: names.reminders.count, at: now)
  }

  /// Updates the ranks of requests, which follow the order of the reminders' names. Call this after reminders
  /// were added.
  public mutating func rank(by names: StoreNames) {
    let isWithout = state.deferred.isEmpty && state.collected.isEmpty && state.released.isEmpty
    if isWithout && state.originals.isEmpty { return }
    let ranks = names.ranks
    func rank(_ request: inout NotificationRequest) {
      if request.id.reminder.index < ranks.count { request.rank = ranks[request.id.reminder.index] }
    }
    for index in state.deferred.indices { rank(&state.deferred[index].request) }
    for index in state.collected.indices { rank(&state.collected[index]) }
    for index in state.released.indices { rank(&state.released[index]) }
    for index in state.originals.indices { rank(&state.originals[index]) }
  }

  /// Defers requests that an earlier process did not decide in time, with an immediate release.
  private mutating func deferOverdueCollected(at now: Moment) {
    let late = state.collected.filter { $0.deliverAt < now.wall }
    if late.isEmpty { return }
    state.collected.removeAll { $0.deliverAt < now.wall }
    for request in late {
      state.insertDeferred(DeferredRequest(request: request, releaseAt: request.deliverAt))
    }
    memory.isDirty = true
  }

  /// Withdraws the requests of reminders that are no longer declared.
  private mutating func withdrawRemoved(_ names: [String], after count: Int, at now: Moment) {
    if names.isEmpty { return }
    var effects: [EngineEffect] = []
    advance(to: now)
    withdraw(because: .cancelled, into: &effects) { $0.reminder.index >= count }
    state.uncounted.removeAll { $0.reservation.id.reminder.index >= count }
    state.unconfirmedDeliveries.removeAll { $0.reservation.id.reminder.index >= count }
    pruneReleased()
    memory.isDirty = true
    var requests: [Int: [UInt32]] = [:]
    for case .remove(let id, _) in effects { requests[id.reminder.index, default: []].append(id.occurrence) }
    memory.ended = names.enumerated().compactMap { position, name in
      requests[count + position].map { EndedReminder(name: name, requests: $0.sorted()) }
    }
  }
}

extension GatewayState {
  /// Reads the stored state into a new state that already has all types.
  mutating func read(_ reader: inout StateReader) throws(StoreProblem) {
    lapse = try reader.number32()
    for type in reader.types {
      setCounts(type, lifetime: try reader.number32(), lapse: try reader.number32())
    }
    preferences.isEnabled = try reader.flag()
    preferences.dailyCap = try reader.optional {
      (reader: inout StateReader) throws(StoreProblem) in Int(try reader.number32())
    }
    let disabled = try reader.list(each: 1) {
      (reader: inout StateReader) throws(StoreProblem) in try reader.type()
    }
    for type in disabled { preferences.disabledTypes.insert(type) }
    days = try DayCounts(from: &reader)
    pending = try reader.list(each: 7) {
      (reader: inout StateReader) throws(StoreProblem) in try reader.reservation()
    }
    pending.sort()
    uncounted = try reader.list(each: 11) {
      (reader: inout StateReader) throws(StoreProblem) in
      UncountedAdmission(reservation: try reader.reservation(), admitted: try reader.moment())
    }
    unconfirmedDeliveries = try reader.list(each: 12) {
      (reader: inout StateReader) throws(StoreProblem) in
      UnconfirmedDelivery(
        reservation: try reader.reservation(), delivered: try reader.moment(),
        previous: try reader.optionalMoment())
    }
    deferred = try reader.list(each: 10) {
      (reader: inout StateReader) throws(StoreProblem) in
      DeferredRequest(request: try reader.notificationRequest(), releaseAt: try reader.instant())
    }
    deferred.sort()
    collected = try reader.list(each: 9) {
      (reader: inout StateReader) throws(StoreProblem) in try reader.notificationRequest()
    }
    requestedWake = try reader.openInstant()
    lastStandard = try reader.optionalMoment()
    lastCritical = try reader.optionalMoment()
    clocks = try reader.optional {
      (reader: inout StateReader) throws(StoreProblem) in
      let boot = try reader.number32()
      return ClockPair(boot: boot, wallAtBoot: try reader.instant())
    }
    zone =
      try reader.optional { (reader: inout StateReader) throws(StoreProblem) in try reader.zone() } ?? nil
    if reader.isAtEnd { return }
    let systemRequests = try reader.list(each: 9) {
      (reader: inout StateReader) throws(StoreProblem) in try reader.notificationRequest()
    }
    // A deferred request is pending for another instant than the requested one.
    let times = Dictionary(pending.map { ($0.id, $0.deliverAt) }) { first, _ in first }
    released = systemRequests.filter { times[$0.id] != $0.deliverAt }
    originals = systemRequests.filter { times[$0.id] == $0.deliverAt }
    if !reader.isAtEnd { lastCriticalAdded = try reader.notificationRequest() }
  }
}

extension DayCounts {
  fileprivate init(from reader: inout StateReader) throws(StoreProblem) {
    let days = try reader.list(each: 2) {
      (reader: inout StateReader) throws(StoreProblem) in
      (
        day: CivilDate(dayNumber: try reader.day()),
        counts: try reader.list(each: 2) {
          (reader: inout StateReader) throws(StoreProblem) in
          (subject: try reader.subject(), count: try reader.number32())
        }
      )
    }
    guard let counts = DayCounts(days) else { throw .contradictory }
    self = counts
  }
}

extension StateWriter {
  /// Returns the stored code of a subject: 0 for the standard bucket, 1 for the critical bucket, 2 and above
  /// for types.
  func code(of subject: DayCounts.Subject) -> UInt64 {
    guard let type = subject.type else { return subject == .standard ? 0 : 1 }
    return UInt64(place(of: type)) + 2
  }

  mutating func reservation(_ reservation: Reservation) {
    request(reservation.id)
    instant(reservation.deliverAt)
    type(reservation.type)
    day(reservation.day.dayNumber)
    number(reservation.lapse)
    bucket(
      reservation.bucket, isFloating: reservation.isFloating, isElapsed: reservation.isElapsed,
      repeats: reservation.repeats)
  }

  mutating func request(_ request: NotificationRequest) {
    self.request(request.id)
    type(request.type)
    bucket(
      request.bucket, isFloating: request.isFloating, isElapsed: request.isElapsed, repeats: request.repeats)
    byte(request.priority)
    byte(request.copy)
    instant(request.scheduledFor)
    instant(request.deliverAt)
    openInstant(request.expiresAt)
  }
}

extension StateReader {
  fileprivate mutating func subject() throws(StoreProblem) -> DayCounts.Subject {
    let code = try number()
    if code < 2 { return code == 0 ? .standard : .critical }
    if code - 2 >= UInt64(types.count) { throw .contradictory }
    return .type(types[Int(code - 2)])
  }

  fileprivate mutating func optionalMoment() throws(StoreProblem) -> Moment? {
    try optional { (reader: inout StateReader) throws(StoreProblem) in try reader.moment() }
  }

  fileprivate mutating func reservation() throws(StoreProblem) -> Reservation {
    let id = try request()
    let deliverAt = try instant()
    let type = try type()
    let day = CivilDate(dayNumber: try day())
    let lapse = try number32()
    let (bucket, isFloating, isElapsed, repeats) = try bucket()
    return Reservation(
      id: id, deliverAt: deliverAt, type: type, day: day, lapse: lapse, bucket: bucket,
      isFloating: isFloating, isElapsed: isElapsed || repeats?.span != nil, repeats: repeats)
  }

  fileprivate mutating func notificationRequest() throws(StoreProblem) -> NotificationRequest {
    let id = try request()
    let type = try type()
    let (bucket, isFloating, isElapsed, repeats) = try bucket()
    return NotificationRequest(
      id: id, type: type, bucket: bucket, priority: try byte(), copy: try byte(),
      scheduledFor: try instant(), deliverAt: try instant(), expiresAt: try openInstant(),
      isFloating: isFloating, isElapsed: isElapsed, repeats: repeats)
  }
}

/// Packs the gateway without derived state: the cached checks and the calendar cursor.
extension NotificationGateway: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    // The zone table may have grown since the gateway was created.
    parcel.keep(&zones)
    parcel.carry(&alarmsMayBeLate)
    state.pack(in: &parcel)
    memory.pack(in: &parcel)
    if parcel.isUnpacking { memory.cursor = ZoneCursor(zones[state.zone ?? ZoneID(0)]) }
  }
}

extension GatewayState: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&types)
    parcel.keep(&retiredTypes, unless: retiredTypes.isEmpty)
    parcel.carry(&collected)
    parcel.carry(&unconfirmedDeliveries)
    parcel.carry(&pending)
    parcel.carry(&deferred)
    parcel.carry(&released)
    parcel.carry(&originals)
    parcel.keep(&lastCriticalAdded, unless: lastCriticalAdded == nil)
    parcel.carry(&uncounted)
    parcel.carry(
      &self, \.requestedWake, \.lapse, \.lastStandard, \.lastCritical, \.clocks, \.zone,
      \.preferences.isEnabled, \.preferences.dailyCap)
    preferences.disabledTypes.pack(in: &parcel)
    days.pack(in: &parcel)
  }
}

extension NotificationGateway.Memory {
  fileprivate mutating func pack(in parcel: inout Parcel) {
    parcel.carry(
      &self, \.permission, \.isSorted, \.lastStandardByClock, \.lastCriticalByClock, \.repeatsWakeRequest,
      \.isDirty,
      \.hasDirtyRequests, \.mustRecheckReleases)
    unregistered.pack(in: &parcel)
    parcel.keep(&ended, unless: ended.isEmpty)
    parcel.carry(&listed)
    parcel.carry(&ready)
    parcel.carry(&recalled)
  }
}
