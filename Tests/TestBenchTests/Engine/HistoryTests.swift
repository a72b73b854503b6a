import CivilTime
import NotificationGateway
import RandomScenarios
import ReminderEngine
import ReminderMatching
import TestSupport
import Testing
import TriggerEngine
import TriggerModel

/// Tests properties of an app that manages reminders on a phone. A random history creates, edits, completes,
/// snoozes and deletes reminders, and includes journeys, restarts and updates. The app may be killed each
/// time that it stores its state.
@Suite("Histories of an app")
struct HistoryTests {
  @Test(arguments: 0..<8)
  func
    `no notification is orphaned, duplicated or delivered after its end; 10,000 histories with TRIGGERBENCH_ALL`(
      part: Int
    ) throws
  {
    var seen = HistoryPhone.Seen()
    for seed in stride(from: part, to: Trial.isWhole ? 10_000 : 400, by: 8) {
      var phone = try HistoryPhone(seed: UInt64(seed))
      for _ in 0..<60 where phone.faults.isEmpty { try phone.step() }
      #expect(phone.faults.isEmpty, "seed \(seed): \(phone.faults)")
      seen.add(phone.seen)
    }
    // Check that the histories contain enough events of each kind.
    #expect(seen.delivered > 100 && seen.kills > 1_000 && seen.updates > 20, "\(seen)")
    #expect(seen.deletedWhilePending > 5 && seen.deferred > 5, "\(seen)")
  }

  @Test func `a system that loses withdrawals is detected`() throws {
    var found: Set<String> = []
    for seed in 0..<60 {
      for fault in [HistoryPhone.Fault.keepsWithdrawn, .forgetsWhatWasStored, .asksTwice] {
        var phone = try HistoryPhone(seed: UInt64(seed), fault: fault)
        for _ in 0..<60 where phone.faults.isEmpty { try phone.step() }
        if !phone.faults.isEmpty { found.insert("\(fault)") }
      }
    }
    #expect(found == ["keepsWithdrawn", "forgetsWhatWasStored", "asksTwice"])
  }
}

/// A phone with an app, its notifications, and a person who keeps changing the reminders.
private struct HistoryPhone {
  struct Seen {
    var delivered = 0
    var kills = 0
    var updates = 0
    var deletedWhilePending = 0
    var deferred = 0

    mutating func add(_ other: Seen) {
      delivered += other.delivered
      kills += other.kills
      updates += other.updates
      deletedWhilePending += other.deletedWhilePending
      deferred += other.deferred
    }
  }

  /// A fault of the phone or the app, which the checks must detect.
  enum Fault {
    case keepsWithdrawn, forgetsWhatWasStored, asksTwice
  }

  /// A request that the system holds.
  private struct Pending {
    var name: String
    var id: RequestID
    /// The instant of the occurrence for which the request was made.
    var occasion: Instant
    var at: Instant
    /// The local time if the request follows the phone's wall clock; otherwise, `nil`.
    var local: LocalTime?
  }

  private(set) var faults: [String] = []
  private(set) var seen = Seen()
  private let fault: Fault?
  private var random: SplitMix64
  private var zones = ZoneTable()
  private var moment: Moment
  /// The program of each version of the app.
  private let versions: [ReminderProgram]
  private let policies: [CompiledCapPolicy]
  private var version = 0
  private var engine: BuiltInEngine
  private var stored: [UInt8] = []
  private var isRunning = false
  /// The requests of the app that the system holds.
  private var pending: [Pending] = []
  /// The deliveries that the app has not observed yet.
  private var unobserved: [(id: RequestID, name: String, at: Instant)] = []
  /// The names of the person's reminders.
  private var existing: Set<String>
  /// The deliveries, each identified by its reminder and requested instant.
  private var delivered: Set<String> = []
  /// The deliveries of the capped bucket on each local day since the last journey.
  private var capped: [CivilDate: Int] = [:]
  private static let cap = 2

  init(seed: UInt64, fault: Fault? = nil) throws {
    self.fault = fault
    var random = SplitMix64(seed: seed)
    for zone in ["Europe/Berlin", "America/New_York", "Asia/Tokyo"] { _ = try zones.intern(zone) }
    let start = Instant(millisecondsSince1970: 1_772_400_000_000) + .hours(Int64(random.next() % 8_000))
    moment = Moment(wall: start, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
    let names = EngineNames(facts: ["watered", "done"])
    let declared = Self.declarations(&random, from: zones[ZoneID(0)].local(at: start).date)
    // A later version of the app changes texts and times, drops one reminder, adds another, and reorders
    // them.
    var changed = declared.filter { $0.id != "dropped" }.map { Self.changed($0, &random) }
    changed.append(Self.daily("new", at: 600, ahead: 2, from: zones[ZoneID(0)].local(at: start).date))
    changed.reverse()
    let edits = declared.filter { $0.id == "water" || $0.id == "daily" }.map { Self.changed($0, &random) }
    let versions = [
      try ReminderProgram(compiling: declared, edits: edits, names: names),
      try ReminderProgram(compiling: changed, edits: edits, names: names),
    ]
    var policy = CapPolicy()
    policy.minimumInterval = .zero
    policy.typeDailyCap = nil
    policy.dailyCap = Self.cap
    let capped = policy
    self.versions = versions
    policies = try versions.map { try CompiledCapPolicy(capped, types: $0.names.types) }
    self.random = random
    existing = Set(declared.filter { !$0.isCreatedLater }.map(\.id))
    engine = Self.pristine(versions[0], policies[0], zones)
    begin(.empty)
  }

  private static func pristine(_ program: ReminderProgram, _ policy: CompiledCapPolicy, _ zones: ZoneTable)
    -> BuiltInEngine
  {
    BuiltInEngine(
      reminders: ReminderEngine(program: program, zones: zones, zone: ZoneID(0)),
      gateway: NotificationGateway(policy: policy, zones: zones, permission: .authorized))
  }

  // MARK: The app's reminders

  private static func daily(_ id: String, at minute: Int, ahead: Int, from date: CivilDate)
    -> ReminderDeclaration
  {
    ReminderDeclaration(
      id: id,
      triggers: [
        .scheduled(Schedule(Recurrence(start: date, minutes: [minute], frequency: .daily), ahead: ahead))
      ],
      repeats: .always, notification: NotificationDeclaration(type: id, bucket: .user))
  }

  private static func declarations(_ random: inout SplitMix64, from date: CivilDate) -> [ReminderDeclaration]
  {
    func minute() -> Int { Int(random.next() % 1_440) }
    var daily = daily("daily", at: minute(), ahead: 1 + Int(random.next() % 5), from: date)
    daily.conditions = [
      .fact(FactCondition(.value("done"), .equal, [.truth(false)], reason: .conditionFailed))
    ]
    var later = Self.daily("later", at: minute(), ahead: 3, from: date)
    later.isCreatedLater = true
    let days = [Int(random.next() % 3), 3 + Int(random.next() % 5)]
    let water = ReminderDeclaration(
      id: "water", triggers: [.scheduled(Schedule(RelativeDays(days, from: "watered", minutes: [minute()])))],
      repeats: .always, notification: NotificationDeclaration(type: "water", bucket: .user))
    let unlocks = (0..<3).map { index in
      ReminderDeclaration(
        id: "unlock\(index)", triggers: [.unlock], repeats: [.once, .daily, .always][index],
        notification: NotificationDeclaration(type: "unlock\(index)", bucket: .standard))
    }
    let spans = RelativeSpans([.minutes(Int64(1 + minute())), .hours(30)], from: "watered")
    let feed = ReminderDeclaration(
      id: "feed", triggers: [.scheduled(Schedule(spans, ahead: random.next() % 2 == 0 ? 0 : nil))],
      repeats: .always, notification: NotificationDeclaration(type: "feed", bucket: .user))
    return [daily, later, water, feed, Self.daily("dropped", at: minute(), ahead: 4, from: date)] + unlocks
  }

  private static func changed(_ declaration: ReminderDeclaration, _ random: inout SplitMix64)
    -> ReminderDeclaration
  {
    var declaration = declaration
    for index in declaration.triggers.indices {
      guard case .scheduled(var schedule) = declaration.triggers[index], random.next() % 2 == 0 else {
        continue
      }
      let minute = Int(random.next() % 1_440)
      switch schedule.dates {
      case .recurring(var recurrence):
        recurrence.minutes = [minute]
        schedule.dates = .recurring(recurrence)
      case .relative(var days):
        days.minutes = [minute]
        schedule.dates = .relative(days)
      case .elapsed(var spans):
        spans.spans = [.minutes(Int64(minute + 1))]
        schedule.dates = .elapsed(spans)
      }
      declaration.triggers[index] = .scheduled(schedule)
    }
    declaration.notification.priority = 3
    return declaration
  }

  // MARK: Events

  mutating func step() throws {
    pass(.minutes(Int64(random.next() % 1_500)))
    let reminder = pick(Array(versions[version].storeNames.reminders))
    let id = versions[version].reminder(named: reminder) ?? ReminderID(0)
    switch random.next() % 14 {
    case 0: tell(.create, id.rawValue)
    case 1:
      if pending.contains(where: { $0.name == reminder }) { seen.deletedWhilePending += 1 }
      tell(.cancel, id.rawValue)
    case 2: edit(id)
    case 3:
      let span = TimeSpan.minutes(Int64(1 + random.next() % 4_000))
      // The snooze does not end at a whole minute. If it ended when the next occurrence is due, two
      // notifications would be delivered.
      tell(.snooze, id.rawValue, (moment.wall + span).millisecondsSince1970 + 30_000)
    case 4: tell(.factChanged, fact("watered"), FactValue.instant(moment.wall).bits)
    case 5: tell(.factChanged, fact("done"), FactValue.truth(random.next() % 2 == 0).bits)
    case 6:
      moment.zone = ZoneID(UInt32(random.next() % 3))
      capped = [:]
      for index in pending.indices {
        if let local = pending[index].local { pending[index].at = zones[moment.zone].instant(of: local) }
      }
      // Notifications whose local times the journey skips are delivered on arrival.
      pass(.zero)
      // The person opens the app on arrival. If the app observed a journey to the west later, it could not
      // know whether a notification that was due at the origin had already been shown.
      tell(.zoneChanged)
    case 7:
      // A reboot restarts the monotonic clock at 0.
      moment.uptime = Uptime(boot: moment.uptime.boot + 1, span: .zero)
      isRunning = false
    case 8: isRunning = false
    case 9 where version == 0: update()
    default: tell(random.next() % 3 == 0 ? .opened : .unlock)
    }
    check()
  }

  private mutating func edit(_ reminder: ReminderID) {
    let program = versions[version]
    let edits = program.declarations.indices.dropFirst(program.reminderCount)
    guard
      let edit = edits.first(where: { program.declarations[$0].id == program.declarations[reminder.index].id }
      )
    else { return }
    tell(.edit, reminder.rawValue, Int64(edit - program.reminderCount))
  }

  private func fact(_ name: String) -> UInt32 { versions[version].names.fact(name)?.rawValue ?? 0 }

  private mutating func pick(_ names: [String]) -> String { names[Int(random.next() % UInt64(names.count))] }

  /// Replaces the app with another version, which loads the stored state. The system keeps the pending
  /// requests.
  private mutating func update() {
    version = 1
    isRunning = false
    seen.updates += 1
    existing.remove("dropped")
    existing.insert("new")
    run()
  }

  // MARK: The app

  private mutating func begin(_ store: StoreContents) {
    engine = Self.pristine(versions[version], policies[version], zones)
    var effects: [EngineEffect] = []
    engine.launch(
      ProcessLaunch(store: store, permission: .authorized, moment: moment, pendingCapacity: 12),
      into: &effects)
    // The app withdraws the requests of undeclared reminders before it stores their removal.
    for ended in engine.endedReminders {
      pending.removeAll { $0.name == ended.name && ended.requests.contains($0.id.occurrence) }
    }
    take(effects)
    isRunning = true
    process(ObservedEvent(.launched, at: moment))
  }

  /// Starts a process of the app, which observes the deliveries since the previous process ended.
  private mutating func run() {
    if isRunning { return }
    begin(fault == .forgetsWhatWasStored && random.next() % 20 == 0 ? .empty : .bytes(stored))
    let told = unobserved
    unobserved = []
    for delivery in told {
      guard let id = versions[version].reminder(named: delivery.name) else { continue }
      process(
        ObservedEvent(
          .delivered, subject: id.rawValue, value: Int64(delivery.id.occurrence), at: moment,
          age: moment.wall - delivery.at))
    }
  }

  private mutating func tell(_ kind: ObservedEvent.Kind, _ subject: UInt32 = 0, _ value: Int64 = 0) {
    run()
    let name =
      Int(subject) < versions[version].reminderCount ? versions[version].declarations[Int(subject)].id : ""
    switch kind {
    case .create, .edit: existing.insert(name)
    case .cancel: existing.remove(name)
    default: break
    }
    process(ObservedEvent(kind, subject: subject, value: value, at: moment))
  }

  private mutating func process(_ event: ObservedEvent) {
    var effects: [EngineEffect] = []
    engine.process(event, into: &effects)
    take(effects)
    repeat {
      effects = []
      let hasMore = engine.settle(at: moment, into: &effects)
      take(effects)
      if !hasMore { break }
    } while true
  }

  /// Applies the app's effects. Each time the app stores its state, kills the process and continues in a new
  /// one.
  private mutating func take(_ effects: [EngineEffect]) {
    for effect in effects {
      switch effect {
      case .add(let request): add(request)
      case .remove(let id, _): if fault != .keepsWithdrawn { remove(id) }
      case .withdraw(let reminder, _):
        let name = versions[version].declarations[reminder.index].id
        if fault != .keepsWithdrawn { pending.removeAll { $0.name == name } }
      case .decided(_, let decision) where decision.outcome != .admit: seen.deferred += 1
      case .persist: stored = engine.storedState()
      default: break
      }
    }
    guard effects.contains(.persist), isRunning else { return }
    seen.kills += 1
    engine = Self.pristine(versions[version], policies[version], zones)
    var again: [EngineEffect] = []
    engine.launch(
      ProcessLaunch(store: .bytes(stored), permission: .authorized, moment: moment, pendingCapacity: 12),
      into: &again)
    if !again.isEmpty { faults.append("a new process begins with \(again)") }
    if engine.storedState() != stored { faults.append("the stored state is stored differently") }
  }

  private mutating func remove(_ id: RequestID) {
    let name = versions[version].declarations[id.reminder.index].id
    pending.removeAll { $0.name == name && $0.id.occurrence == id.occurrence }
  }

  private mutating func add(_ request: NotificationRequest) {
    let name = versions[version].declarations[request.id.reminder.index].id
    let local = request.isFloating ? zones[moment.zone].local(at: request.deliverAt) : nil
    let entry = Pending(
      name: name, id: request.id, occasion: request.scheduledFor, at: request.deliverAt, local: local)
    if request.bucket == .standard {
      let date = zones[moment.zone].local(at: moment.wall).date
      capped[date, default: 0] += 1
      if capped[date, default: 0] > Self.cap { faults.append("more than \(Self.cap) on \(date)") }
    }
    guard request.deliverAt > moment.wall else { return deliver(entry) }
    remove(request.id)
    pending.append(entry)
    if fault == .asksTwice {
      var second = entry
      second.id = RequestID(reminder: entry.id.reminder, occurrence: entry.id.occurrence + 1_000)
      pending.append(second)
    }
  }

  // MARK: The system

  /// Advances the time and delivers due notifications, while the app is not running.
  private mutating func pass(_ span: TimeSpan) {
    let end = moment.wall + span
    while let next = pending.indices.filter({ pending[$0].at <= end }).min(by: {
      pending[$0].at < pending[$1].at
    }) {
      let entry = pending.remove(at: next)
      let then = max(entry.at, moment.wall)
      moment.uptime.span = moment.uptime.span + (then - moment.wall)
      moment.wall = then
      deliver(entry)
    }
    moment.uptime.span = moment.uptime.span + (end - moment.wall)
    moment.wall = end
  }

  private mutating func deliver(_ entry: Pending) {
    seen.delivered += 1
    if !existing.contains(entry.name) { faults.append("\(entry.name) is delivered after its end") }
    // A reminder that fires at a trigger can fire again at the next trigger within the same minute.
    if entry.at > moment.wall - .minutes(1), !entry.name.hasPrefix("unlock"),
      !delivered.insert("\(entry.name) \(entry.occasion)").inserted
    {
      faults.append("\(entry.name) is delivered twice for \(entry.occasion)")
    }
    unobserved.append((entry.id, entry.name, entry.at))
  }

  // MARK: Checks

  private mutating func check() {
    for (index, entry) in pending.enumerated() {
      if !existing.contains(entry.name) { faults.append("\(entry.name) is pending after its end") }
      if pending[..<index].contains(where: { $0.name == entry.name && $0.occasion == entry.occasion }) {
        faults.append("two of \(entry.name) are pending for \(entry.occasion)")
      }
    }
    // An update to a version without reminders must withdraw every request.
    guard let nothing = try? ReminderProgram(compiling: [], names: versions[version].names) else { return }
    var last = BuiltInEngine(
      reminders: ReminderEngine(program: nothing, zones: zones, zone: ZoneID(0)),
      gateway: NotificationGateway(policy: policies[version], zones: zones, permission: .authorized))
    var effects: [EngineEffect] = []
    last.launch(
      ProcessLaunch(store: .bytes(stored), permission: .authorized, moment: moment), into: &effects)
    let known = Dictionary(uniqueKeysWithValues: last.endedReminders.map { ($0.name, $0.requests) })
    for entry in pending where !(known[entry.name] ?? []).contains(entry.id.occurrence) {
      faults.append("\(entry.name) \(entry.id.occurrence) is pending, and nobody knows of it")
    }
  }
}
