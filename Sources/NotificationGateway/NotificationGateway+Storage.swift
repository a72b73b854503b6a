public import CivilTime
public import TriggerModel

/// What must be remembered, as bytes: `StoredState.md` describes them.
///
/// Reminders, types and zones are stored by name, so that a later version of the app, which numbers them
/// otherwise, finds them again.
extension NotificationGateway {
  /// What must be stored, at every ``TriggerModel/EngineEffect/persist``: everything of ``state``.
  ///
  /// Equal states have equal bytes, whatever the order of the names.
  ///
  /// - Parameter names: of every reminder and type that a request may name. The types are those of the
  ///   policy, in their order.
  /// - Complexity: O(*n* log *n*) in the types, and in the requests that are not done with
  public func storedState(names: StoreNames) -> [UInt8] {
    var used = UsedNames()
    collectNames(names, into: &used)
    var writer = StateWriter(used)
    write(to: &writer)
    return writer.sealed()
  }

  /// Goes on from what was stored. A state that a reminder engine has stored beside it is passed over.
  ///
  /// - Parameters:
  ///   - policy: the rules of this version of the app.
  ///   - bytes: what ``storedState(names:)`` gave.
  ///   - names: of every reminder and type that a request may name. The types are those of the policy, in
  ///     their order.
  ///   - zones: must hold every zone that a ``TriggerModel/Moment`` will name, and at least one.
  ///   - permission: what the operating system says now.
  ///   - now: when the process starts.
  /// - Throws: why the bytes cannot be used. Begin with a fresh gateway then.
  public init(
    policy: CompiledCapPolicy, stored bytes: [UInt8], names: StoreNames, zones: ZoneTable,
    permission: NotificationPermission, at now: Moment
  ) throws(StoreProblem) {
    self.init(policy: policy, zones: zones, permission: permission)
    try adopt(StoredState(bytes), names: names, at: now)
  }

  /// The reminders of which something was held or pending and that are declared no longer, with the requests
  /// that the system may still hold. The app withdraws them; what they took is given back.
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
      state.pending + state.uncounted.map(\.reservation) + state.unconfirmed.map(\.reservation)
    let requests = known(
      state.held.map(\.request) + state.collected + withTheSystem + [state.preempting].compactMap(\.self))
    for type in reservations.map(\.type) + requests.map(\.type) { insert(type) }
    for id in reservations.map(\.id) + requests.map(\.id) {
      precondition(id.reminder.index < names.reminders.count, "a request's reminder must have a name")
      used.insert(id.reminder, names.reminders[id.reminder.index])
    }
    let moments = state.uncounted.map(\.admitted) + state.unconfirmed.flatMap { [$0.delivered, $0.previous] }
    for moment in moments + [state.lastStandard, state.lastCritical] {
      if let moment { used.insert(zone: zones[moment.zone].identifier) }
    }
    if let zone = state.zone { used.insert(zone: zones[zone].identifier) }
  }

  private func isUsed(_ type: TypeID) -> Bool {
    state.types[type.index].lifetime > 0 || state.lapseCount(type) > 0
      || state.preferences.disabledTypes.contains(type)
  }

  /// What the system has, as it was asked for, where a journey may change what becomes of it.
  private var withTheSystem: [NotificationRequest] { state.released + pendingFixed }

  /// Requests of types that nobody knows come to nothing, and are not stored.
  private func known(_ requests: [NotificationRequest]) -> [NotificationRequest] {
    requests.filter { $0.type.index < state.types.count }
  }

  /// Writes the gateway's part. The writer knows the names.
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
      writer.list(state.uncounted) { writer, take in
        writer.reservation(take.reservation)
        write(take.admitted, to: &writer)
      }
      writer.list(state.unconfirmed) { writer, entry in
        writer.reservation(entry.reservation)
        write(entry.delivered, to: &writer)
        writer.optional(entry.previous) { write($1, to: &$0) }
      }
      let held = state.held.filter { $0.request.type.index < state.types.count }
      writer.list(sorted(held, writer) { ($0.releaseAt, $0.request.id) }) { writer, entry in
        writer.request(entry.request)
        writer.instant(entry.releaseAt)
      }
      writer.list(sorted(known(state.collected), writer) { (.distantPast, $0.id) }) { $0.request($1) }
      writer.openInstant(state.announcedRelease)
      for moment in [state.lastStandard, state.lastCritical] {
        writer.optional(moment) { write($1, to: &$0) }
      }
      writer.optional(state.clocks) { writer, clocks in
        writer.number(clocks.boot)
        writer.instant(clocks.wallAtBoot)
      }
      writer.optional(state.zone) { $0.zone(zones[$1].identifier) }
      let requests = known(withTheSystem)
      if requests.isEmpty && state.preempting == nil { return }
      writer.list(sorted(requests, writer) { ($0.deliverAt, $0.id) }) { $0.request($1) }
      if let critical = state.preempting { writer.request(critical) }
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

  /// In an order that does not depend on how reminders are numbered.
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

  /// Begins as a fresh installation, in a process that is told the permission. Who handles taps stays, as
  /// the app says it anew whenever it starts, and so does what the system is like.
  package mutating func beginAnew(permission: NotificationPermission) {
    let (unregistered, alarmsMayBeLate) = (memory.unregistered, alarmsMayBeLate)
    self = NotificationGateway(policy: policy, zones: zones, permission: permission)
    memory.unregistered = unregistered
    self.alarmsMayBeLate = alarmsMayBeLate
  }

  /// Goes on from what was stored; without a part of its own in it as a fresh installation. What the system
  /// and the app tell every process anew stays: the permission, and who handles taps.
  ///
  /// Whatever it throws, the gateway is to be thrown away.
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
    memory.outlook = .none
    memory.isSorted = false
    memory.looksForReleases = hasWithTheSystem
    memory.ended = []
    rank(by: names)
    takeUpCollected(at: now)
    end(stored.endedReminders(names), after: names.reminders.count, at: now)
  }

  /// The places of reminders in the order of their names, which new ones may have moved: to be called whenever
  /// reminders were added to those that requests name.
  public mutating func rank(by names: StoreNames) {
    let isWithout = state.held.isEmpty && state.collected.isEmpty && state.released.isEmpty
    if isWithout && state.fixed.isEmpty { return }
    let ranks = names.ranks
    func rank(_ request: inout NotificationRequest) {
      if request.id.reminder.index < ranks.count { request.rank = ranks[request.id.reminder.index] }
    }
    for index in state.held.indices { rank(&state.held[index].request) }
    for index in state.collected.indices { rank(&state.collected[index]) }
    for index in state.released.indices { rank(&state.released[index]) }
    for index in state.fixed.indices { rank(&state.fixed[index]) }
  }

  /// What an earlier process was to decide, and did not come to, is looked at like a held request that is
  /// due.
  private mutating func takeUpCollected(at now: Moment) {
    let late = state.collected.filter { $0.deliverAt < now.wall }
    if late.isEmpty { return }
    state.collected.removeAll { $0.deliverAt < now.wall }
    for request in late { state.insertHeld(HeldRequest(request: request, releaseAt: request.deliverAt)) }
    memory.isDirty = true
  }

  /// Withdraws what is left of reminders that are declared no longer.
  private mutating func end(_ names: [String], after count: Int, at now: Moment) {
    if names.isEmpty { return }
    var effects: [EngineEffect] = []
    advance(to: now)
    withdraw(because: .cancelled, into: &effects) { $0.reminder.index >= count }
    state.uncounted.removeAll { $0.reservation.id.reminder.index >= count }
    state.unconfirmed.removeAll { $0.reservation.id.reminder.index >= count }
    keepReleased()
    memory.isDirty = true
    var requests: [Int: [UInt32]] = [:]
    for case .remove(let id, _) in effects { requests[id.reminder.index, default: []].append(id.occurrence) }
    memory.ended = names.enumerated().compactMap { position, name in
      requests[count + position].map { EndedReminder(name: name, requests: $0.sorted()) }
    }
  }
}
