import CivilTime
import ReminderMatching
import TestSupport
import Testing
import TriggerModel

/// Tests case 52 of the cap semantics for requests made in advance: a failed add consumes nothing, and the
/// engine makes the request again when it next plans. 2026-03-02 is a Monday.
@Suite struct FailedAddTests {
  private static func daily(ahead: Int) -> Trigger {
    .scheduled(Schedule(recurrence(.daily), ahead: ahead))
  }

  private static func recurrence(_ frequency: Recurrence.Frequency, minute: Int = 540) -> Recurrence {
    Recurrence(
      start: CivilDate(year: 2026, month: 3, day: 2), minute: minute, frequency: frequency, interval: 1)
  }

  private func phone(_ declaration: ReminderDeclaration, zones: [String] = ["UTC"]) throws -> EngineHarness {
    var phone = try EngineHarness([declaration], zones: zones, at: "2026-03-02 07:00")
    phone.tell(.launched)
    return phone
  }

  private func nine(_ days: Int...) -> [Instant] {
    days.map { EngineHarness.instant("2026-03-\($0 < 10 ? "0" : "")\($0) 09:00") }
  }

  /// The events at which the engine plans: the app is opened, or its process starts.
  private static let runs: [ObservedEvent.Kind] = [.opened, .launched]

  private func run(_ kind: ObservedEvent.Kind, _ phone: inout EngineHarness) throws {
    if kind == .launched { try phone.restart() }
    phone.tell(kind)
  }

  @Test(arguments: runs, [Repeat.always, .daily, .weekly, .once])
  func `a failed occurrence is requested again when the engine next plans`(
    kind: ObservedEvent.Kind, repeats: Repeat
  ) throws {
    var phone = try phone(ReminderDeclaration("r", Self.daily(ahead: 3), repeats: repeats))
    let planned = phone.requests
    phone.tell(.addFailed, of: planned[0].id)
    #expect(phone.requests.isEmpty, "not before the engine plans")
    phone.tell(.launched)
    #expect(phone.requests.isEmpty, "nor at the very instant at which the system refuses it")
    phone.at("2026-03-02 08:00")
    try run(kind, &phone)
    #expect(phone.requests.map(\.deliverAt) == nine(2) && phone.requests[0].scheduledFor == nine(2)[0])
    #expect(phone.requests[0].id.occurrence == UInt32(planned.count), "a number is used once")
    try run(kind, &phone)
    #expect(phone.requests.isEmpty, "once")
  }

  @Test(arguments: runs) func `a denied request is not made again`(kind: ObservedEvent.Kind) throws {
    var phone = try phone(ReminderDeclaration("r", Self.daily(ahead: 4)))
    let planned = phone.requests
    for index in [0, 2] { phone.decide(planned[index], .deny) }
    phone.tell(.addFailed, of: planned[1].id)
    phone.decide(planned[3], .fail)
    phone.at("2026-03-02 08:00")
    try run(kind, &phone)
    #expect(phone.requests.map(\.deliverAt) == nine(3, 5))
  }

  @Test func `a failed occurrence is retried at each run of the app until its due time`() throws {
    var phone = try phone(ReminderDeclaration("r", Self.daily(ahead: 1)))
    for minute in 10..<15 {
      phone.tell(.addFailed, of: try #require(phone.requests.first).id)
      #expect(phone.wakes == nine(2), "it wakes the app for what comes after it, and not at once")
      phone.at("2026-03-02 08:\(minute)")
      phone.tell(.opened)
      #expect(phone.requests.map(\.deliverAt) == nine(2))
    }
    phone.tell(.addFailed, of: try #require(phone.requests.first).id)
    phone.at("2026-03-02 09:00")
    phone.tell(.woken)
    #expect(phone.requests.map(\.deliverAt) == nine(3), "what has passed is not made up for")
    #expect(phone.wakes == [.distantFuture])
  }

  @Test func `a failed occurrence keeps its local time on a journey`() throws {
    var phone = try phone(
      ReminderDeclaration("r", Self.daily(ahead: 2)), zones: ["UTC", "America/New_York"])
    phone.tell(.addFailed, of: phone.requests[0].id)
    phone.at("2026-03-02 08:00")
    phone.moment.zone = ZoneID(1)
    phone.tell(.zoneChanged)
    #expect(phone.requests.map(\.deliverAt) == [EngineHarness.instant("2026-03-02 14:00")])
  }

  @Test func `a failed occurrence that the person cancels or snoozes is not requested again`() throws {
    let commands: [(ObservedEvent.Kind, Int64)] = [
      (.cancel, 0), (.cancelAll, 0),
      (.snooze, EngineHarness.instant("2026-03-02 10:00").millisecondsSince1970),
    ]
    for (command, value) in commands {
      var phone = try phone(ReminderDeclaration("r", Self.daily(ahead: 1)))
      phone.tell(.addFailed, of: phone.requests[0].id)
      phone.at("2026-03-02 08:00")
      phone.tell(command, value: value)
      phone.at("2026-03-02 08:10")
      phone.tell(.launched)
      #expect(!phone.requests.map(\.deliverAt).contains(nine(2)[0]), "\(command)")
    }
  }

  @Test func `a failed stage of a lapse is requested again by the next process`() throws {
    for repeats in [Repeat.always, .daily, .once] {
      var phone = try phone(
        ReminderDeclaration("r", .lapsed(Lapse(days: [1, 3, 5], minute: 540)), repeats: repeats))
      let planned = phone.requests
      phone.tell(.addFailed, of: try #require(planned.first).id)
      phone.tell(.launched)
      #expect(phone.requests.isEmpty)
      phone.at("2026-03-02 08:00")
      try phone.restart()
      phone.tell(.launched)
      #expect(phone.requests.map(\.deliverAt) == nine(3), "\(repeats)")
      #expect(phone.requests.first?.copy == planned.first?.copy)
      try phone.restart()
      phone.tell(.launched)
      #expect(phone.requests.isEmpty)
      // A denied request waits for the next lapse.
      if planned.count > 1 { phone.decide(planned[1], .deny) }
      phone.tell(.launched)
      #expect(phone.requests.isEmpty)
    }
  }

  @Test(arguments: runs) func `a failed repeating request is made again`(kind: ObservedEvent.Kind) throws {
    for isDenied in [false, true] {
      var phone = try phone(ReminderDeclaration("r", .repeating(.calendar(Self.recurrence(.daily)))))
      let request = phone.requests[0]
      if isDenied { phone.decide(request, .deny) } else { phone.tell(.addFailed, of: request.id) }
      #expect(phone.wakes == nine(2))
      phone.tell(.launched)
      #expect(phone.requests.isEmpty)
      phone.at("2026-03-02 08:00")
      try run(kind, &phone)
      #expect(phone.requests.map(\.deliverAt) == (isDenied ? [] : nine(2)))
      #expect(phone.requests.allSatisfy { $0.repeats == request.repeats })
      phone.at("2026-03-02 09:00")
      phone.tell(.woken)
      #expect(phone.requests.map(\.deliverAt) == (isDenied ? nine(3) : []), "it stands")
    }
  }

  @Test(arguments: runs) func `a failed request for the end of a snooze is made again`(
    kind: ObservedEvent.Kind
  ) throws {
    var phone = try phone(ReminderDeclaration("r", .unlock, repeats: .daily))
    phone.tell(.unlock)
    phone.admitAll()
    let end = EngineHarness.instant("2026-03-02 10:00")
    #expect(phone.tell(.snooze, value: end.millisecondsSince1970) == ["r"])
    let asked = phone.requests[0]
    phone.tell(.addFailed, of: asked.id)
    phone.tell(.opened)
    #expect(phone.requests.isEmpty)
    phone.at("2026-03-02 08:00")
    try run(kind, &phone)
    let again = try #require(phone.requests.first)
    #expect(again.deliverAt == end && again.bucket == .user && again.copy == asked.copy)
    #expect(again.id.occurrence == asked.id.occurrence + 1)
    try run(kind, &phone)
    #expect(phone.requests.isEmpty)
    phone.at("2026-03-02 10:30")
    #expect(phone.tell(.unlock).isEmpty, "the day has had its match")
  }

  /// After any number of failed adds, the pending requests must be those of a run without failures.
  @Test(arguments: 0..<200 as Range<UInt64>) func `failed adds do not affect the later pending requests`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let repeats = random.one(of: [Repeat.always, .daily, .weekly, .once])
    let trigger: Trigger =
      switch random.below(3) {
      case 0: Self.daily(ahead: 1 + random.below(4))
      case 1: .lapsed(Lapse(days: [1, 2, 4], minute: random.below(1_440)))
      default: .repeating(.calendar(Self.recurrence(.daily, minute: random.below(1_440))))
      }
    let isRepeated = if case .repeating = trigger { true } else { false }
    let declaration = ReminderDeclaration("r", trigger, repeats: isRepeated ? .always : repeats)
    var (sound, failing) = (try phone(declaration), try phone(declaration))
    var (pending, failed) = (Self.taken(&sound) { false }, Self.taken(&failing) { random.chance(50) })
    for step in 1...6 {
      let kind = random.one(of: Self.runs)
      for isFailing in [false, true] {
        var phone = isFailing ? failing : sound
        phone.at("2026-03-02 07:0\(step)")
        if kind == .launched { try phone.restart() }
        phone.tell(kind)
        if isFailing {
          let isLast = step == 6
          Self.follow(&phone, &failed) { !isLast && random.chance(50) }
          failing = phone
        } else {
          Self.follow(&phone, &pending) { false }
          sound = phone
        }
      }
    }
    #expect(failed.values.sorted() == pending.values.sorted(), "seed \(seed), \(declaration)")
  }

  private static func taken(_ phone: inout EngineHarness, fails: () -> Bool) -> [RequestID: Instant] {
    var pending: [RequestID: Instant] = [:]
    follow(&phone, &pending, fails: fails)
    return pending
  }

  /// Applies the engine's effects until it makes no further requests.
  private static func follow(
    _ phone: inout EngineHarness, _ pending: inout [RequestID: Instant], fails: () -> Bool
  ) {
    var effects = phone.effects
    while !effects.isEmpty {
      var next: [EngineEffect] = []
      for effect in effects {
        switch effect {
        case .request(let request):
          if fails() {
            phone.tell(.addFailed, of: request.id)
            next += phone.effects
          } else {
            pending[request.id] = request.deliverAt
          }
        case .remove(let id, _): pending[id] = nil
        case .withdraw: pending = [:]
        default: break
        }
      }
      effects = next
    }
  }
}
