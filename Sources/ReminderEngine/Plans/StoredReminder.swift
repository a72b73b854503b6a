import CivilTime
package import TriggerModel

/// The stored state of one reminder.
package struct StoredReminder: Sendable {
  package var occurrences: UInt32 = 0
  /// The latest local day on which the reminder matched.
  package var lastDay: Int32?
  /// See `ReminderMemory.earlier`.
  package var earlier: UInt32 = 0
  /// The number of the last shown request.
  package var shown: UInt32?
  /// See `Matcher.turns`.
  package var turns: [Int32] = []
  package var isCancelled = false
  /// See `PersistedState.expectingEnter`.
  package var expectsEnter = false
  package var ledger = Ledger()
  /// The index of the edit in force among the reminder's edits, starting at 0.
  package var edit: UInt32?
  /// The instant at which the reminder expired.
  package var expired: Instant?
  /// The `Plan.mark` of the declaration for which the reminder was planned.
  package var planMark: UInt32 = 0
  /// The matches that may still be undone, in order.
  package var openMatches: [OpenMatches.Entry] = []

  /// The fields that follow, in this order. An omitted field has its initial value.
  private struct Fields: OptionSet {
    let rawValue: UInt32

    static let occurrences = Fields(rawValue: 1)
    static let lastDay = Fields(rawValue: 1 << 1)
    static let turns = Fields(rawValue: 1 << 2)
    static let cancelled = Fields(rawValue: 1 << 3)
    static let snooze = Fields(rawValue: 1 << 4)
    static let edit = Fields(rawValue: 1 << 5)
    static let expired = Fields(rawValue: 1 << 6)
    static let wake = Fields(rawValue: 1 << 7)
    static let plans: Fields = [.lapse, .handedOver, .standing]
    static let lapse = Fields(rawValue: 1 << 8)
    static let handedOver = Fields(rawValue: 1 << 9)
    static let openMatches = Fields(rawValue: 1 << 10)
    static let earlier = Fields(rawValue: 1 << 11)
    static let shown = Fields(rawValue: 1 << 12)
    static let standing = Fields(rawValue: 1 << 13)
    static let leftOut = Fields(rawValue: 1 << 14)
    static let countedFrom = Fields(rawValue: 1 << 15)
    static let snoozeRequest = Fields(rawValue: 1 << 16)
    static let failed = Fields(rawValue: 1 << 17)
    static let putOff = Fields(rawValue: 1 << 18)
    static let lostToLapse = Fields(rawValue: 1 << 19)
    static let deferredSnooze = Fields(rawValue: 1 << 20)
    static let failedSnooze = Fields(rawValue: 1 << 21)
    static let standsFor = Fields(rawValue: 1 << 22)
    static let snoozed = Fields(rawValue: 1 << 23)
    static let withdrawn = Fields(rawValue: 1 << 24)
    static let expectingEnter = Fields(rawValue: 1 << 25)
    static let matchTimes = Fields(rawValue: 1 << 26)
    static let served = Fields(rawValue: 1 << 27)
    static let snoozeClocks = Fields(rawValue: 1 << 28)
    static let all = Fields(rawValue: 1 << 29 - 1)
  }

  private var fields: Fields {
    var fields = Fields()
    if occurrences > 0 { fields.insert(.occurrences) }
    if lastDay != nil { fields.insert(.lastDay) }
    if !turns.isEmpty { fields.insert(.turns) }
    if isCancelled { fields.insert(.cancelled) }
    if expectsEnter { fields.insert(.expectingEnter) }
    if ledger.snooze != nil { fields.insert(.snooze) }
    if edit != nil { fields.insert(.edit) }
    if expired != nil { fields.insert(.expired) }
    if ledger.wake != nil { fields.insert(.wake) }
    if ledger.lapse != nil { fields.insert(.lapse) }
    if ledger.occurrences != nil { fields.insert(.handedOver) }
    if !openMatches.isEmpty { fields.insert(.openMatches) }
    if earlier != 0 { fields.insert(.earlier) }
    if shown != nil { fields.insert(.shown) }
    if ledger.repetitions != nil { fields.insert(.standing) }
    if ledger.leftOut != nil { fields.insert(.leftOut) }
    if ledger.countedFrom != nil { fields.insert(.countedFrom) }
    if ledger.snooze?.request != nil { fields.insert(.snoozeRequest) }
    if ledger.retries.map({ !$0.times.isEmpty }) ?? false { fields.insert(.failed) }
    if ledger.retries?.isOfSnooze ?? false { fields.insert(.failedSnooze) }
    if ledger.occurrences?.pending.contains(where: \.isDeferred) ?? false { fields.insert(.putOff) }
    if ledger.occurrences?.isLostToLapse ?? false { fields.insert(.lostToLapse) }
    if ledger.deferredSnooze != nil { fields.insert(.deferredSnooze) }
    if let due = ledger.snooze?.request?.standsFor, due != .distantPast { fields.insert(.standsFor) }
    if ledger.occurrences.map({ !$0.snoozed.isEmpty }) ?? false { fields.insert(.snoozed) }
    if ledger.retries.map({ !$0.withdrawn.isEmpty }) ?? false { fields.insert(.withdrawn) }
    if fields.contains(.withdrawn) || openMatches.contains(where: \.keepsTime) { fields.insert(.matchTimes) }
    if ledger.served != nil { fields.insert(.served) }
    if ledger.snooze?.clocks != nil { fields.insert(.snoozeClocks) }
    return fields
  }

  // MARK: Writing

  package func write(to writer: inout StateWriter) {
    let fields = fields
    writer.number(fields.rawValue)
    if fields.contains(.occurrences) { writer.number(occurrences) }
    if let lastDay { writer.day(lastDay) }
    if fields.contains(.turns) { writer.list(turns) { $0.day($1) } }
    if let snooze = ledger.snooze { writer.openInstant(snooze.until) }
    if let edit { writer.number(edit) }
    if let expired { writer.instant(expired) }
    if let wake = ledger.wake { writer.openInstant(wake) }
    if !fields.isDisjoint(with: .plans) { writer.fixed(planMark) }
    if let lapse = ledger.lapse {
      writer.day(lapse.since.dayNumber)
      writer.flag(lapse.isIncomplete)
    }
    if let handedOver = ledger.occurrences { handedOver.write(to: &writer) }
    if fields.contains(.openMatches) {
      writer.list(openMatches) { writer, entry in
        writer.number(entry.request.occurrence)
        writer.day(entry.day)
        writer.openInstant(entry.keptFrom)
      }
    }
    if fields.contains(.earlier) { writer.number(earlier) }
    if let shown { writer.number(shown) }
    if let standing = ledger.repetitions { standing.write(to: &writer) }
    if let leftOut = ledger.leftOut { writer.instant(leftOut) }
    if let countedFrom = ledger.countedFrom {
      writer.fact(countedFrom.value)
      writer.day(countedFrom.date.dayNumber)
    }
    if let request = ledger.snooze?.request {
      writer.number(request.occurrence)
      writer.byte(request.copy)
    }
    if fields.contains(.failed) { ledger.retries?.writeTimes(to: &writer) }
    if fields.contains(.putOff) { ledger.occurrences?.writePutOff(to: &writer) }
    if let deferredSnooze = ledger.deferredSnooze {
      writer.number(deferredSnooze.request.occurrence)
      writer.byte(deferredSnooze.request.copy)
      writer.openInstant(deferredSnooze.deliverAt)
    }
    if fields.contains(.standsFor), let request = ledger.snooze?.request { writer.instant(request.standsFor) }
    if fields.contains(.snoozed) { ledger.occurrences?.writeSnoozed(to: &writer) }
    if fields.contains(.withdrawn) { ledger.retries?.writeWithdrawn(to: &writer) }
    if fields.contains(.matchTimes) {
      for entry in openMatches { writer.openInstant(entry.keepsTime ? entry.scheduledFor : .distantPast) }
      for match in ledger.retries?.withdrawn ?? [] { writer.openInstant(match.scheduledFor) }
    }
    if let served = ledger.served { served.write(to: &writer) }
    if let clocks = ledger.snooze?.clocks {
      writer.number(clocks.boot)
      writer.instant(clocks.wallAtBoot)
    }
  }

  // MARK: Reading

  package init() {}

  package init(of reminder: ReminderID, from reader: inout StateReader) throws(StoreProblem) {
    let fields = Fields(rawValue: try reader.number32())
    if !fields.isSubset(of: .all) { throw .contradictory }
    isCancelled = fields.contains(.cancelled)
    expectsEnter = fields.contains(.expectingEnter)
    if fields.contains(.occurrences) { occurrences = try reader.number32() }
    if fields.contains(.lastDay) { lastDay = try reader.day() }
    if fields.contains(.turns) {
      turns = try reader.list(each: 1) {
        (reader: inout StateReader) throws(StoreProblem) in try reader.day()
      }
    }
    if fields.contains(.snooze) { ledger.snooze = Snooze(until: try reader.openInstant()) }
    if fields.contains(.edit) { edit = try reader.number32() }
    if fields.contains(.expired) { expired = try reader.instant() }
    if fields.contains(.wake) { ledger.wake = try reader.openInstant() }
    if !fields.isDisjoint(with: .plans) { planMark = try reader.fixed() }
    if fields.contains(.lapse) {
      ledger.lapse = PlannedLapse(
        since: CivilDate(dayNumber: try reader.day()), isIncomplete: try reader.flag())
    }
    if fields.contains(.handedOver) { ledger.occurrences = try OccurrencePlan(of: reminder, from: &reader) }
    if fields.contains(.openMatches) {
      openMatches = try reader.list(each: 3) {
        (reader: inout StateReader) throws(StoreProblem) in
        OpenMatches.Entry(
          request: RequestID(reminder: reminder, occurrence: try reader.number32()), day: try reader.day(),
          keptFrom: try reader.openInstant(), scheduledFor: .distantPast)
      }
      for index in openMatches.indices { openMatches[index].scheduledFor = openMatches[index].deliverAt }
    }
    if fields.contains(.earlier) { earlier = try reader.number32() }
    if fields.contains(.shown) { shown = try reader.number32() }
    if fields.contains(.standing) { ledger.repetitions = try RepetitionPlan(of: reminder, from: &reader) }
    if fields.contains(.leftOut) { ledger.leftOut = try reader.instant() }
    if fields.contains(.countedFrom) {
      let value = try reader.fact()
      guard let day = DayOfFact(value: value, date: CivilDate(dayNumber: try reader.day())) else {
        throw .contradictory
      }
      ledger.countedFrom = day
    }
    if fields.contains(.snoozeRequest) {
      let request = Snooze.Request(occurrence: try reader.number32(), copy: try reader.byte())
      if ledger.snooze == nil || request.occurrence >= occurrences { throw .contradictory }
      ledger.snooze?.request = request
    }
    if fields.contains(.failed) { ledger.retries = try Retries(timesOf: &reader) }
    if fields.contains(.putOff) {
      guard (try ledger.occurrences?.readPutOff(of: reminder, from: &reader)) != nil else {
        throw .contradictory
      }
    }
    if fields.contains(.lostToLapse) {
      if ledger.occurrences == nil { throw .contradictory }
      ledger.occurrences?.isLostToLapse = true
    }
    if fields.contains(.deferredSnooze) {
      let request = Snooze.Request(occurrence: try reader.number32(), copy: try reader.byte())
      ledger.deferredSnooze = Snooze.Deferred(request, deliverAt: try reader.openInstant())
    }
    if fields.contains(.standsFor) {
      if ledger.snooze?.request == nil { throw .contradictory }
      ledger.snooze?.request?.standsFor = try reader.instant()
    }
    if fields.contains(.snoozed) {
      guard (try ledger.occurrences?.readSnoozed(of: reminder, from: &reader)) != nil else {
        throw .contradictory
      }
    }
    if fields.contains(.withdrawn) {
      try ledger.retries.orNew.readWithdrawn(from: &reader)
    }
    if fields.contains(.matchTimes) {
      for index in openMatches.indices {
        let time = try reader.openInstant()
        if time != .distantPast { openMatches[index].scheduledFor = time }
      }
      for index in (ledger.retries?.withdrawn ?? []).indices {
        ledger.retries?.withdrawn[index].scheduledFor = try reader.openInstant()
      }
    }
    if fields.contains(.served) { ledger.served = try ServedOccurrences(from: &reader) }
    if fields.contains(.snoozeClocks) {
      if ledger.snooze == nil { throw .contradictory }
      ledger.snooze?.clocks = ClockPair(boot: try reader.number32(), wallAtBoot: try reader.instant())
    }
    // Earlier versions of the engine stored the end of the snooze among the retry times.
    let end = ledger.snooze?.request == nil ? nil : ledger.snooze?.until
    if ledger.retries?.remove(where: { $0 == end }) ?? false || fields.contains(.failedSnooze) {
      ledger.retries.orNew.isOfSnooze = true
    }
    if earlier != 0 && lastDay == nil
      || [shown, ledger.deferredSnooze?.request.occurrence].compactMap(\.self).contains(where: {
        $0 >= occurrences
      })
    {
      throw .contradictory
    }
  }

  /// The numbers of the reminder's requests that the system may still hold.
  package var openRequests: [UInt32] {
    let ahead = ledger.occurrences?.pending.map(\.id.occurrence) ?? []
    let repeated = ledger.repetitions?.entries.map(\.id.occurrence) ?? []
    return Set(ahead + repeated + openMatches.map(\.request.occurrence)).sorted()
  }
}
