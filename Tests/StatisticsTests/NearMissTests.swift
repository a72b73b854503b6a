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

/// Tests expectations that differ slightly from expectations that hold: one more or less, a minute earlier or
/// later, another reason or reminder. None of them may hold if the original holds.
///
/// They are derived from the grammar, so additions to the grammar are tested automatically.
@Suite struct NearMissTests {
  /// A story with expectations, which are evaluated against records that the tests write themselves.
  private struct RecordedStory {
    let program: Program
    private(set) var accounts: RunAccounts
    private var texts: ShownTexts

    /// - Parameter statements: The expectations in YAML, one per line.
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

    /// - Parameter minute: The minutes since the start, which is a local midnight.
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

  private struct UnexpectedClaim: Error, CustomStringConvertible {
    var description: String
  }

  /// The surfaces, milestones and primings of the app, two of each.
  private static let app = """
    milestones: {m: {when: unlock}, n: {when: unlock}}
    surfaces: {s: {unlockedBy: signedIn is true, benefit: S}, t: {unlockedBy: signedIn is true, benefit: T}}
    timeline: [08:00 prime p, 08:01 prime q]
    facts: {signedIn: false}

    """

  /// 10:15 on day 1.
  private static let minute: Int64 = 10 * 60 + 15

  private func check(
    true truths: [String], false misses: [String], _ what: String, _ happen: (inout RecordedStory) -> Void
  ) throws {
    var story = try RecordedStory(truths + misses)
    happen(&story)
    for (index, result) in story.results.enumerated() {
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

  @Test func `claims about fires hold only if they match exactly`() throws {
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
    try check(true: truths, false: misses, "fires") { story in
      for (number, day) in [(UInt32(0), Int64(0)), (1, 1)] {
        deliver(0, number, minute: Self.minute + day * 1_440, &story)
      }
      deliver(1, 0, minute: Self.minute + 1, &story)
    }
  }

  @Test func `claims about devices hold only if they match exactly`() throws {
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
    ) { story in
      deliver(0, 0, minute: Self.minute, &story)
      deliver(0, 0, minute: Self.minute + 1, on: 1, &story)
      let request = request(1)
      story.record(.effect(.request(request)), minute: Self.minute)
      story.record(.effect(.decided(request, .admitted)), minute: Self.minute)
      story.record(.outcome(.delivered(request.id, .hidden(.summary))), minute: Self.minute)
    }
  }

  @Test func `claims about titles hold only if they match exactly`() throws {
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
    ) { story in
      deliver(0, 0, minute: Self.minute, &story)
      deliver(0, 1, minute: Self.minute + 1_440, copy: 1, &story)
      deliver(1, 0, minute: Self.minute + 1, &story)
      deliver(1, 1, minute: Self.minute + 1, &story)
    }
  }

  /// Delivers one request. Tests call it a different number of times for each minute, so that counts differ.
  private func deliver(
    _ reminder: Int, _ number: UInt32, minute: Int64, copy: UInt8 = 0, on device: UInt8 = 0,
    _ story: inout RecordedStory
  ) {
    var request = request(reminder, number)
    request.copy = copy
    story.record(.effect(.request(request)), minute: minute, on: device)
    story.record(.effect(.decided(request, .admitted)), minute: minute, on: device)
    story.record(.outcome(.delivered(request.id, .banner)), minute: minute, on: device)
  }

  @Test func `a hidden notification did not fire`() throws {
    try check(
      true: [
        "a never", "only: [b]", "exact: []", "fires = 0", "a is lost to notPresented once", "delivered = 1",
      ],
      false: ["a fires", "exact: [a at 10:15]", "fires = 1", "delivered = 0"], "hidden"
    ) { story in
      let request = request(0)
      story.record(.effect(.request(request)), minute: Self.minute)
      story.record(.effect(.decided(request, .admitted)), minute: Self.minute)
      story.record(.outcome(.delivered(request.id, .hidden(.summary))), minute: Self.minute)
    }
  }

  // MARK: Endings

  /// The words for an ending in expectations, its reasons in the grammar, and a matching record.
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

  /// Returns the words for the kind of an ending. If you add a kind here, also add it to the list above.
  private static func words(_ ending: ScenarioModel.Expectation.Ending) -> String {
    switch ending {
    case .denied: "is denied by"
    case .deferred: "is deferred by"
    case .notRequested: "is not requested because"
    case .lost: "is lost to"
    // This ending has causes instead of reasons. `SyncStoryTests` tests it.
    case .doubled: "is doubled by"
    }
  }

  @Test func `claims about endings hold only for their reason`() throws {
    for (position, kind) in Self.kinds.enumerated() {
      let reasons = kind.reasons.split(separator: "|").map(String.init)
      #expect(reasons.count > 5)
      for name in reasons {
        let reason = try #require(Reason(name: name))
        let sentence = "a \(kind.words) \(name)"
        var truths = [
          sentence, "\(sentence) once", "\(sentence) at least once", "\(sentence) at most once",
          "\(sentence) at 10:15",
          "\(sentence) once at 10:15 on day 1", "\(sentence) between 10:15 and 10:16",
          "\(sentence) at 10:15 +01:00",
          "b \(kind.words) \(name) at most once at 10:14",
        ]
        var misses = [
          "\(sentence) twice", "\(sentence) at least twice", "\(sentence) at 10:14", "\(sentence) at 10:16",
          "\(sentence) between 10:00 and 10:15", "\(sentence) between 10:16 and 11:00",
          "\(sentence) on day 2",
          "\(sentence) at 10:15 +02:00", "\(sentence) at 10:15:01", "b \(kind.words) \(name)",
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
          truths.append("\(sentence) until 12:00")
          misses += ["\(sentence) until 12:01", "\(sentence) until 11:59", "\(sentence) twice until 12:00"]
        }
        try check(true: truths, false: misses, kind.words) { story in
          let until = story.program.scenario.start + .minutes(12 * 60)
          let request = request(0)
          if position != 2 { story.record(.effect(.request(request)), minute: Self.minute) }
          story.record(kind.make(request, reason, until), minute: Self.minute)
        }
      }
    }
  }

  @Test func `claims about two endings hold only if they match exactly`() throws {
    for kind in Self.kinds {
      let name = String(kind.reasons.prefix { $0 != "|" })
      let reason = try #require(Reason(name: name))
      let sentence = "a \(kind.words) \(name)"
      try check(
        true: [
          "\(sentence) at most twice", "\(sentence) twice", "\(sentence) at least twice",
          "\(sentence) once on day 2",
        ],
        false: [
          "\(sentence) at most once", "\(sentence) once", "\(sentence) 3 times",
          "\(sentence) at least 3 times",
        ], sentence
      ) { story in
        for day in Int64(0)..<2 {
          let request = request(0, UInt32(day))
          if kind.words != "is not requested because" {
            story.record(.effect(.request(request)), minute: Self.minute + day * 1_440)
          }
          story.record(
            kind.make(request, reason, story.program.scenario.end), minute: Self.minute + day * 1_440)
        }
      }
    }
  }

  // MARK: The app itself

  @Test func `claims about the app hold only if they match exactly`() throws {
    let names = ["CONTEXT": "p", "SURFACE": "s", "MILESTONE": "m", "REMINDER": "a", "COUNT": "4"]
    let sentences = AppSentences.grammar("is").phrases.map { phrase in
      names.reduce(phrase.template) { $0.replacing($1.key, with: $1.value) }
    }
    #expect(sentences.count >= 11)
    for (index, sentence) in sentences.enumerated() {
      try #require(!sentence.contains { $0.isUppercase }, "\(sentence): give its slot a name")
      let event = try event(sentence)
      let other = try otherEvent(sentence)
      let never = sentence.replacing(" is ", with: " is never ")
      let truths = [
        sentence, "\(sentence) once", "\(sentence) at most once at 10:15", "\(sentence) once on day 1",
        "\(never) on day 2",
        "\(sentence) at 10:15 +01:00", "\(never) at 10:15 +02:00",
      ]
      var misses = [
        "\(sentence) twice", "\(sentence) at least twice", "\(sentence) at 10:14", "\(sentence) at 10:16",
        "\(sentence) on day 2",
        never,
        "\(never) at 10:15", "\(sentence) at 10:15 +02:00",
      ]
      misses += sentences.enumerated().filter { $0.offset != index }.map(\.element)
      try check(true: truths, false: misses, sentence) { story in
        story.record(.app(event), minute: Self.minute)
      }
      if let other {
        try check(true: ["\(never)"], false: [sentence], "\(sentence) of another") { story in
          story.record(.app(other), minute: Self.minute)
        }
      }
    }
  }

  /// Returns the event of a sentence.
  private func event(_ sentence: String) throws -> AppEvent {
    let story = try RecordedStory([sentence])
    guard case .app(let claim) = story.program.scenario.expectations[0].claim else {
      throw UnexpectedClaim(description: sentence)
    }
    return claim.event
  }

  /// Returns the event of the sentence with another name, or `nil` if the event has no name.
  private func otherEvent(_ sentence: String) throws -> AppEvent? {
    for (name, other) in [
      ("surface s ", "surface t "), ("milestone m ", "milestone n "), ("priming p ", "priming q "),
      ("creating a ", "creating b "), ("batch of 4 ", "batch of 3 "),
    ]
    where sentence.hasPrefix(name) {
      return try event(sentence.replacing(name, with: other))
    }
    return nil
  }

  // MARK: Figures

  /// Compares a ratio of 3 of 4, or a count of 3, with bounds.
  @Test func `claims about metrics hold only if their comparison does`() throws {
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
            let sentence = "\(name) \(sign) \(bound)"
            if Self.holds(comparison, order) { truths.append(sentence) } else { misses.append(sentence) }
          }
        }
        #expect(truths.count + misses.count == 3 * ExpectationSentences.comparisons.count)
        let story = try RecordedStory(truths + misses)
        for (index, expectation) in story.program.scenario.expectations.enumerated() {
          guard case .metric(let read, let of, let comparison, let bound) = expectation.claim else {
            throw UnexpectedClaim(description: expectation.text)
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

  /// Of six requests, four are admitted, one is denied and one is deferred. Of the four admitted ones, three
  /// are delivered and one is pending. Of the three delivered ones, one is hidden and one is tapped.
  @Test func `every metric has its own figure`() throws {
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
    try check(true: truths, false: misses, "figures") { story in
      for number in UInt32(0)..<6 {
        let request = request(0, number)
        let minute = Self.minute + Int64(number)
        story.record(.effect(.request(request)), minute: minute)
        let decision =
          switch number {
          case 0: Decision(outcome: .deny, reason: .quietHours, blockers: ReasonSet(.quietHours))
          case 1:
            Decision(
              outcome: .defer, reason: .quietHours, blockers: ReasonSet(.quietHours),
              until: story.program.scenario.end)
          default: Decision.admitted
          }
        story.record(.effect(.decided(request, decision)), minute: minute)
        if number > 2 {
          story.record(
            .outcome(.delivered(request.id, number == 3 ? .hidden(.summary) : .banner)), minute: minute)
        }
      }
      let tap = ObservedEvent(
        .tapped, subject: 0, value: 5,
        at: Moment(
          wall: story.program.scenario.start + .minutes(Self.minute + 9),
          uptime: Uptime(boot: 0, span: .zero), zone: story.program.scenario.zone))
      #expect(tap.request == request(0, 5).id)
      story.record(.truth(tap), minute: Self.minute + 9)
      story.close()
    }
  }

  /// Returns whether a comparison holds. This is a second implementation, because the evaluator's own is
  /// under test.
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
