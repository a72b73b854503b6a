import CivilTime
import DeviceSimulation
import Journal
import NotificationGateway
import ReminderMatching
import ScenarioModel
import ScenarioSamples
import Simulation
import TestBench
import Testing
import TextFormats
import TriggerModel

@testable import Scenarios
@testable import Statistics

/// For every statement that can be made, those that say almost the same: one more or one less, a minute earlier or
/// later, another reason, another reminder. None of them may hold where the statement does.
///
/// They are made from the grammar's own lists: what is added there is tried here.
@Suite struct NearMissTests {
  /// A story whose statements are held against accounts that the tests write.
  private struct Judged {
    let program: Program
    private(set) var accounts: RunAccounts
    private var texts: ShownTexts

    /// - Parameter statements: In YAML, one a line.
    init(_ statements: [String]) throws {
      let text = """
        kind: scenario
        version: 1
        title: T
        start: 2026-03-02T00:00
        zone: Europe/Berlin
        for: 3 days
        devices: {tablet: {profile: ideal}}
        sync: {delay: 10 s}
        reminders:
          a: {when: unlock, notify: {stages: [{title: A}, {title: AA}], bucket: user}}
          b: {when: unlock, notify: {title: B, bucket: user}}
        \(NearMissTests.app)
        expect:
        \(statements.map { "  - \($0)" }.joined(separator: "\n"))

        """
      program = try Program(Scenario.sample(text))
      accounts = RunAccounts(program, keepsMissesOf: [ReminderID(0), ReminderID(1)])
      texts = ShownTexts(program)
    }

    /// - Parameter minute: After the local midnight with which the story begins.
    mutating func record(_ body: JournalRecord.Body, minute: Int64, on device: UInt8 = 0) {
      let instant = program.scenario.start + .minutes(minute)
      let moment = Moment(
        wall: instant, uptime: Uptime(boot: 0, span: .zero), zone: program.scenario.zone)
      accounts.record(body, RecordStamp(device: device, instant: instant, moment: moment))
      texts.record(body, RecordStamp(device: device, instant: instant, moment: moment))
    }

    mutating func close() { accounts.close() }

    var results: [ExpectationResult] {
      let evaluator = ExpectationEvaluator(
        program: program, accounts: accounts, texts: texts, gates: [])
      return program.scenario.expectations.map { evaluator.evaluate($0) }
    }
  }

  private struct Unreadable: Error, CustomStringConvertible {
    var description: String
  }

  /// What the app can show and reach, each of two names.
  private static let app = """
    milestones: {m: {when: unlock}, n: {when: unlock}}
    surfaces: {s: {unlockedBy: signedIn is true, benefit: S}, t: {unlockedBy: signedIn is true, benefit: T}}
    timeline: [08:00 prime p, 08:01 prime q]
    facts: {signedIn: false}

    """

  /// 10:15 on day 1.
  private static let minute: Int64 = 10 * 60 + 15

  private func check(
    true truths: [String], false misses: [String], _ what: String, _ happen: (inout Judged) -> Void
  ) throws {
    var judged = try Judged(truths + misses)
    happen(&judged)
    for (index, result) in judged.results.enumerated() {
      let isTrue = index < truths.count
      #expect(result.passed == isTrue, "\(what): '\((truths + misses)[index])' is \(isTrue): \(result.got)")
    }
  }

  private func request(_ reminder: Int, _ occurrence: UInt32 = 0) -> NotificationRequest {
    let instant = Instant(millisecondsSince1970: 0)
    return NotificationRequest(
      id: RequestID(reminder: ReminderID(reminder), occurrence: occurrence), type: TypeID(reminder),
      bucket: .user, scheduledFor: instant, deliverAt: instant)
  }

  // MARK: Fires

  @Test func `how often, when and what fires`() throws {
    let truths = [
      "a fires twice", "a fires at least once", "a fires at least twice", "a fires at most twice",
      "a fires at most 3 times", "a fires once at 10:15 on day 1", "a fires once on day 2",
      "a fires twice between 10:15 and 10:16", "a fires twice during 10:00-11:00",
      "a fires once at 10:15:00 on day 1",
      "a fires once at 10:15 +01:00 on day 1", "b fires once at 10:16", "b never on day 2",
      "a never at 10:14",
      "a never between 10:00 and 10:15", "a fires twice during 10:15-10:15:01",
      "only: [a, b]", "only: [b, a]", "exact: [a at 10:15, b at 10:16, a at 10:15]",
      "exact: [a at 10:15 on day 2, b at 10:16 on day 1, a at 10:15 on day 1]", "fires = 3",
    ].map { $0 == "a fires twice during 10:15-10:15:01" ? "a fires twice at 10:15" : $0 }
    let misses = [
      "a fires once", "a fires 3 times", "a fires at least 3 times", "a fires at most once", "a never",
      "a fires at most once at 10:15", "a fires twice at 10:15 on day 1", "a fires at 10:14",
      "a fires at 10:16",
      "a fires at 10:15 on day 3", "a fires at 10:15:01", "a fires between 10:00 and 10:15",
      "a fires between 10:16 and 11:00", "a fires at 10:15 +02:00", "a fires twice on day 1", "b fires twice",
      "b fires at 10:15", "b never", "b fires on day 2", "only: [a]", "only: [b]", "exact: []",
      "exact: [a at 10:15, b at 10:16]", "exact: [a at 10:15, a at 10:15]",
      "exact: [a at 10:15, b at 10:16, a at 10:15, a at 10:15]",
      "exact: [a at 10:15, b at 10:17, a at 10:15]", "exact: [a at 10:15, b at 10:15, a at 10:15]",
      "exact: [a at 10:15, b at 10:16, b at 10:15]",
      "exact: [a at 10:15 on day 1, b at 10:16, a at 10:15 on day 1]", "fires = 2", "fires = 4",
    ]
    try check(true: truths, false: misses, "fires") { judged in
      for (number, day) in [(UInt32(0), Int64(0)), (1, 1)] {
        deliver(0, number, minute: Self.minute + day * 1_440, &judged)
      }
      deliver(1, 0, minute: Self.minute + 1, &judged)
    }
  }

  @Test func `on which device`() throws {
    try check(
      true: [
        "a on phone fires once", "a on tablet fires once at 10:16", "a fires twice",
        "a on tablet never at 10:15",
        "b on tablet never", "b on phone is lost to notPresented once", "a on tablet shows \"A\" once",
        "{reminder: a, device: tablet, fires: once}",
      ],
      false: [
        "a on phone fires twice", "a on tablet never", "a on tablet fires at 10:15",
        "a on phone fires at 10:16",
        "b on phone fires", "b on tablet is lost to notPresented", "a on phone shows \"A\" at 10:16",
        "{reminder: a, device: phone, fires: never}",
      ], "devices"
    ) { judged in
      deliver(0, 0, minute: Self.minute, &judged)
      deliver(0, 0, minute: Self.minute + 1, on: 1, &judged)
      let request = request(1)
      judged.record(.effect(.request(request)), minute: Self.minute)
      judged.record(.effect(.decided(request, .admitted)), minute: Self.minute)
      judged.record(.outcome(.delivered(request.id, .hidden(.summary))), minute: Self.minute)
    }
  }

  @Test func `which title it shows`() throws {
    try check(
      true: [
        "a shows \"A\" once", "a shows \"AA\" once on day 2", "a shows \"A\" at 10:15 on day 1",
        "a never shows \"A\" on day 2", "a never shows \"B\"", "b shows \"B\" twice at 10:16",
        "{reminder: a, shows: AA, times: 1, at: 10:15}",
      ],
      false: [
        "a shows \"A\" twice", "a shows \"A\" on day 2", "a shows \"AA\" on day 1", "a shows \"AA\" at 10:16",
        "a never shows \"A\"", "a shows \"AAA\"", "a shows \"a\"", "a shows \"\"", "b shows \"A\"",
        "b shows \"B\" at most once", "b shows \"B\" at least 3 times", "b shows \"B\" twice at 10:15",
        "{reminder: a, shows: AA, times: 2}",
      ], "titles"
    ) { judged in
      deliver(0, 0, minute: Self.minute, &judged)
      deliver(0, 1, minute: Self.minute + 1_440, copy: 1, &judged)
      deliver(1, 0, minute: Self.minute + 1, &judged)
      deliver(1, 1, minute: Self.minute + 1, &judged)
    }
  }

  /// Several at one instant, so that a count of all is not one of the others.
  private func deliver(
    _ reminder: Int, _ number: UInt32, minute: Int64, copy: UInt8 = 0, on device: UInt8 = 0,
    _ judged: inout Judged
  ) {
    var request = request(reminder, number)
    request.copy = copy
    judged.record(.effect(.request(request)), minute: minute, on: device)
    judged.record(.effect(.decided(request, .admitted)), minute: minute, on: device)
    judged.record(.outcome(.delivered(request.id, .banner)), minute: minute, on: device)
  }

  @Test func `what was not to be seen did not fire`() throws {
    try check(
      true: [
        "a never", "only: [b]", "exact: []", "fires = 0", "a is lost to notPresented once", "delivered = 1",
      ],
      false: ["a fires", "exact: [a at 10:15]", "fires = 1", "delivered = 0"], "hidden"
    ) { judged in
      let request = request(0)
      judged.record(.effect(.request(request)), minute: Self.minute)
      judged.record(.effect(.decided(request, .admitted)), minute: Self.minute)
      judged.record(.outcome(.delivered(request.id, .hidden(.summary))), minute: Self.minute)
    }
  }

  // MARK: Endings

  /// How an expectation says that something ended, the reasons that the grammar knows for it, and a record of it.
  private struct Kind: Sendable {
    var words: String
    var reasons: String
    var make: @Sendable (NotificationRequest, Reason, Instant) -> JournalRecord.Body
  }

  private static let kinds = [
    Kind(words: "is denied by", reasons: Atom<Reason>.schedulerReason.pattern) { request, reason, _ in
      .effect(.decided(request, Decision(outcome: .deny, reason: reason, blockers: ReasonSet(reason))))
    },
    Kind(words: "is deferred by", reasons: Atom<Reason>.schedulerReason.pattern) { request, reason, until in
      .effect(
        .decided(
          request, Decision(outcome: .defer, reason: reason, blockers: ReasonSet(reason), until: until)))
    },
    Kind(words: "is not requested because", reasons: Atom<Reason>.noRequestReason.pattern) {
      request, reason, _ in .effect(.noRequest(request.id.reminder, reason, failed: []))
    },
    Kind(words: "is lost to", reasons: Atom<Reason>.lossReason.pattern) { request, reason, _ in
      .effect(.dropped(request, reason))
    },
  ]

  /// What the grammar has for each kind: a new one has to be added above.
  private static func words(_ ending: ScenarioModel.Expectation.Ending) -> String {
    switch ending {
    case .denied: "is denied by"
    case .deferred: "is deferred by"
    case .notRequested: "is not requested because"
    case .lost: "is lost to"
    // It has causes, and no reasons: `SyncStoryTests`.
    case .doubled: "is doubled by"
    }
  }

  @Test func `every ending, with every reason`() throws {
    for (position, kind) in Self.kinds.enumerated() {
      let reasons = kind.reasons.split(separator: "|").map(String.init)
      #expect(reasons.count > 5)
      for name in reasons {
        let reason = try #require(Reason(name: name))
        let said = "a \(kind.words) \(name)"
        var truths = [
          said, "\(said) once", "\(said) at least once", "\(said) at most once", "\(said) at 10:15",
          "\(said) once at 10:15 on day 1", "\(said) between 10:15 and 10:16", "\(said) at 10:15 +01:00",
          "b \(kind.words) \(name) at most once at 10:14",
        ]
        var misses = [
          "\(said) twice", "\(said) at least twice", "\(said) at 10:14", "\(said) at 10:16",
          "\(said) between 10:00 and 10:15", "\(said) between 10:16 and 11:00", "\(said) on day 2",
          "\(said) at 10:15 +02:00", "\(said) at 10:15:01", "b \(kind.words) \(name)",
        ]
        misses += reasons.filter { $0 != name }.map { "a \(kind.words) \($0)" }
        for (other, another) in Self.kinds.enumerated() where other != position {
          if another.reasons.split(separator: "|").contains(Substring(name)) {
            misses.append("a \(another.words) \(name)")
          }
        }
        if position < 2 {
          let general = kind.words.replacing(" by", with: "")
          truths += ["a \(general)", "a \(general) once"]
          misses += ["a \(general) twice", "b \(general)"]
        }
        if position == 1 {
          truths.append("\(said) until 12:00")
          misses += ["\(said) until 12:01", "\(said) until 11:59", "\(said) twice until 12:00"]
        }
        try check(true: truths, false: misses, kind.words) { judged in
          let until = judged.program.scenario.start + .minutes(12 * 60)
          let request = request(0)
          if position != 2 { judged.record(.effect(.request(request)), minute: Self.minute) }
          judged.record(kind.make(request, reason, until), minute: Self.minute)
        }
      }
    }
  }

  @Test func `what ends at most once does not end twice`() throws {
    for kind in Self.kinds {
      let name = String(kind.reasons.prefix { $0 != "|" })
      let reason = try #require(Reason(name: name))
      let said = "a \(kind.words) \(name)"
      try check(
        true: ["\(said) at most twice", "\(said) twice", "\(said) at least twice", "\(said) once on day 2"],
        false: ["\(said) at most once", "\(said) once", "\(said) 3 times", "\(said) at least 3 times"], said
      ) { judged in
        for day in Int64(0)..<2 {
          let request = request(0, UInt32(day))
          if kind.words != "is not requested because" {
            judged.record(.effect(.request(request)), minute: Self.minute + day * 1_440)
          }
          judged.record(
            kind.make(request, reason, judged.program.scenario.end), minute: Self.minute + day * 1_440)
        }
      }
    }
  }

  // MARK: The app itself

  @Test func `everything that the app can show or reach`() throws {
    let names = ["CONTEXT": "p", "SURFACE": "s", "MILESTONE": "m", "REMINDER": "a", "COUNT": "4"]
    let sentences = AppSentences.grammar("is").phrases.map { phrase in
      names.reduce(phrase.template) { $0.replacing($1.key, with: $1.value) }
    }
    #expect(sentences.count >= 11)
    for (index, said) in sentences.enumerated() {
      try #require(!said.contains { $0.isUppercase }, "\(said): give its slot a name")
      let event = try event(said)
      let other = try event2(said)
      let never = said.replacing(" is ", with: " is never ")
      let truths = [
        said, "\(said) once", "\(said) at most once at 10:15", "\(said) once on day 1", "\(never) on day 2",
        "\(said) at 10:15 +01:00", "\(never) at 10:15 +02:00",
      ]
      var misses = [
        "\(said) twice", "\(said) at least twice", "\(said) at 10:14", "\(said) at 10:16", "\(said) on day 2",
        never,
        "\(never) at 10:15", "\(said) at 10:15 +02:00",
      ]
      misses += sentences.enumerated().filter { $0.offset != index }.map(\.element)
      try check(true: truths, false: misses, said) { judged in
        judged.record(.app(event), minute: Self.minute)
      }
      if let other {
        try check(true: ["\(never)"], false: [said], "\(said) of another") { judged in
          judged.record(.app(other), minute: Self.minute)
        }
      }
    }
  }

  /// The event of a sentence.
  private func event(_ said: String) throws -> AppEvent {
    let judged = try Judged([said])
    guard case .app(let claim) = judged.program.scenario.expectations[0].claim else {
      throw Unreadable(description: said)
    }
    return claim.event
  }

  /// The same of another name, where it has one.
  private func event2(_ said: String) throws -> AppEvent? {
    for (name, other) in [
      ("surface s ", "surface t "), ("milestone m ", "milestone n "), ("priming p ", "priming q "),
      ("creating a ", "creating b "), ("batch of 4 ", "batch of 3 "),
    ]
    where said.hasPrefix(name) {
      return try event(said.replacing(name, with: other))
    }
    return nil
  }

  // MARK: Figures

  /// A figure that every comparison is tried on: 3 of 4, or 3 alone.
  @Test func `every metric, by every comparison`() throws {
    for metric in Metric.allCases {
      for reminder in metric.isOfPerson ? [""] : ["", "a "] {
        let value: (String, String, String) =
          metric.isShare
          ? ("75 %", "74.9999 %", "75.0001 %")
          : metric.isRatio ? ("1", "0.999999", "1.000001") : ("3", "2", "4")
        let name = reminder + metric.name
        var (truths, misses): ([String], [String]) = ([], [])
        for (sign, comparison) in ExpectationSentences.comparisons {
          for (order, bound) in [(0, value.0), (1, value.1), (-1, value.2)] {
            let said = "\(name) \(sign) \(bound)"
            if Self.holds(comparison, order) { truths.append(said) } else { misses.append(said) }
          }
        }
        #expect(truths.count + misses.count == 3 * ExpectationSentences.comparisons.count)
        let judged = try Judged(truths + misses)
        for (index, expectation) in judged.program.scenario.expectations.enumerated() {
          guard case .metric(let read, let of, let comparison, let bound) = expectation.claim else {
            throw Unreadable(description: expectation.text)
          }
          #expect(read == metric && (of == nil) == reminder.isEmpty)
          var figure = Figure(metric, ReminderAccount(), days: 3)
          (figure.numerator, figure.denominator) = metric.isShare ? (3, 4) : (3, metric.isRatio ? 3 : nil)
          let order = try #require(figure.order(millionths: bound))
          #expect(comparison.holds(order) == (index < truths.count), "\(expectation.text)")
        }
      }
    }
  }

  /// Of six requests one is denied, one put off, and four are admitted; of these one waits, and of the three that are
  /// delivered one is not to be seen; of the two that are, one is tapped.
  @Test func `every figure has its own numbers`() throws {
    let truths = [
      "requests = 6", "admitted = 4", "denied = 1", "deferred = 1", "failed = 0", "delivered = 3",
      "exposed = 2",
      "fires = 2", "tapped = 1", "dismissed = 0", "fireRate > 66.66 %", "fireRate < 66.67 %",
      "admittedPerDay > 1.33", "admittedPerDay < 1.34", "firesPerDay > 0.66", "firesPerDay < 0.67",
      "tapThrough = 50 %", "acknowledgement = 50 %",
    ]
    let misses = [
      "tapThrough < 34 %", "tapThrough = 25 %", "fireRate = 50 %", "delivered = 2", "exposed = 3",
    ]
    try check(true: truths, false: misses, "figures") { judged in
      for number in UInt32(0)..<6 {
        let request = request(0, number)
        let minute = Self.minute + Int64(number)
        judged.record(.effect(.request(request)), minute: minute)
        let decision =
          switch number {
          case 0: Decision(outcome: .deny, reason: .quietHours, blockers: ReasonSet(.quietHours))
          case 1:
            Decision(
              outcome: .defer, reason: .quietHours, blockers: ReasonSet(.quietHours),
              until: judged.program.scenario.end)
          default: Decision.admitted
          }
        judged.record(.effect(.decided(request, decision)), minute: minute)
        if number > 2 {
          judged.record(
            .outcome(.delivered(request.id, number == 3 ? .hidden(.summary) : .banner)), minute: minute)
        }
      }
      let tap = ObservedEvent(
        .tapped, subject: 0, value: 5,
        at: Moment(
          wall: judged.program.scenario.start + .minutes(Self.minute + 9),
          uptime: Uptime(boot: 0, span: .zero), zone: judged.program.scenario.zone))
      #expect(tap.request == request(0, 5).id)
      judged.record(.truth(tap), minute: Self.minute + 9)
      judged.close()
    }
  }

  /// Written out, as the judge's own is under test.
  private static func holds(_ comparison: FactCondition.Comparison, _ order: Int) -> Bool {
    switch comparison {
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .equal: order == 0
    case .notEqual: order != 0
    case .greaterOrEqual: order >= 0
    case .greater: order > 0
    }
  }
}
