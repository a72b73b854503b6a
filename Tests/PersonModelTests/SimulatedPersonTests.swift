import CivilTime
import PersonModel
import SimulationKernel
import Testing
import TriggerModel

/// Tests the responses of many people to notifications.
@Suite struct SimulatedPersonTests {
  private static let start = Instant(millisecondsSince1970: 1_767_571_200_000)
  private static let milk = RandomKey.nameNumber("milk")

  private func shown(
    at instant: Instant = start, reminder: UInt64 = milk, occurrence: UInt32 = 0, type: Int = 0,
    kind: TapModel.Kind = .context, isInUse: Bool = false, expiresAt: Instant = .distantFuture
  ) -> SimulatedPerson.Shown {
    SimulatedPerson.Shown(
      RequestID(reminder: ReminderID(0), occurrence: occurrence), reminder: reminder, type: TypeID(type),
      kind: kind, at: instant, hour: 14, isInUse: isInUse, expiresAt: expiresAt)
  }

  /// Returns the person's response to a notification if the phone is unlocked every minute for as long as a
  /// response is possible.
  private func answer(_ person: inout SimulatedPerson, _ shown: SimulatedPerson.Shown) -> SimulatedPerson
    .Response?
  {
    var responses: [SimulatedPerson.Response] = []
    person.show(shown, into: &responses)
    var at = shown.at
    for _ in 0..<1_440 where responses.isEmpty {
      at = at + .minutes(1)
      person.unlock(at: at, into: &responses)
    }
    return responses.first
  }

  @Test(arguments: TapModel.Kind.allCases)
  func `20,000 people tap, dismiss and ignore at the rates of the model`(_ kind: TapModel.Kind) {
    let count = 20_000
    var (taps, dismissals) = (0, 0)
    for number in 0..<UInt64(count) {
      var person = SimulatedPerson(number, seed: 5, on: .ios)
      switch answer(&person, shown(kind: kind))?.action {
      case .tap: taps += 1
      case .dismiss: dismissals += 1
      case nil: break
      }
    }
    var situation = TapModel.Situation()
    situation.hour = 14
    let expected = TapModel().meanProbability(of: kind, situation)
    let error = 4 * (expected * (1 - expected) / Double(count)).squareRoot()
    #expect(abs(Double(taps) / Double(count) - expected) < error, "\(kind)")
    let ignored = Double(count - taps - dismissals) / Double(count)
    #expect(abs(ignored - 0.35) < 0.0135, "\(kind)")
  }

  @Test func `an unlock without open notifications has no effect`() {
    var optOuts = 0
    for number in 0..<400 as Range<UInt64> {
      var told = SimulatedPerson(number, seed: 7, on: .ios)
      var untold = told
      let luck = RandomKey(seed: 3, person: number, purpose: .habit)
      var at = Self.start
      for draw in 0..<120 as Range<UInt64> {
        at = at + .minutes(Int64(luck.below(300, draw * 2)))
        var (first, second): ([SimulatedPerson.Response], [SimulatedPerson.Response]) = ([], [])
        if luck.below(4, draw * 2 + 1) == 0 {
          told.show(shown(at: at, type: Int(draw % 3)), into: &first)
          untold.show(shown(at: at, type: Int(draw % 3)), into: &second)
        } else {
          let isIdle = !untold.isAboutToLook
          told.unlock(at: at, into: &first)
          if !isIdle { untold.unlock(at: at, into: &second) }
          if isIdle { #expect(first.isEmpty) }
        }
        #expect(first == second)
        #expect(told.optOut == untold.optOut)
      }
      if told.optOut != nil { optOuts += 1 }
    }
    #expect(optOuts > 20)
  }

  /// The model is calibrated for a phone with 5 unlocks per hour, of 2 minutes each. Half of all taps then
  /// occur within 7 minutes on an iPhone, and within 48 minutes on an Android phone.
  @Test(arguments: [(TapModel.Platform.ios, 7.0), (.android, 48.0)])
  func `the median latency follows from unlocks`(_ platform: TapModel.Platform, _ median: Double) {
    var minutes: [Double] = []
    for number in 0..<40_000 as Range<UInt64> {
      let phone = RandomKey(seed: 99, person: number, purpose: .habit)
      var person = SimulatedPerson(number, seed: 5, on: platform)
      var responses: [SimulatedPerson.Response] = []
      person.show(shown(kind: .user, isInUse: phone.chance(partsPerMillion: 166_667, 0)), into: &responses)
      var (at, unlock) = (Self.start, UInt64(1))
      while responses.isEmpty && at < Self.start + .days(1) {
        at = at + TimeSpan(milliseconds: Int64(phone.exponential(mean: 720_000, unlock)))
        unlock += 1
        person.unlock(at: at, into: &responses)
      }
      if let response = responses.first, response.action == .tap {
        minutes.append(Double((response.at - Self.start).milliseconds) / 60_000)
      }
    }
    minutes.sort()
    #expect(minutes.count > 6_000)
    // The tolerance covers four standard errors and the reaction time of 5 s.
    let before = Double(minutes.count { $0 < median }) / Double(minutes.count)
    #expect(abs(before - 0.5) < 0.03, "\(before)")
  }

  /// If the scenario declares no unlocks, half of the responses are before the median, and 16 % are more than
  /// one sigma after it.
  @Test func `the latency is drawn if unlocks are unspecified`() {
    var model = TapModel()
    model[.contextRate] = 1
    model[.tapWindow] = 1e6
    var minutes: [Double] = []
    for number in 0..<8_000 as Range<UInt64> {
      var person = SimulatedPerson(number, seed: 5, on: .android, model)
      if let response = person.showWithoutUnlocks(shown()) {
        minutes.append(Double((response.at - Self.start).milliseconds) / 60_000)
      }
    }
    #expect(minutes.count == 8_000)
    #expect(abs(Double(minutes.count { $0 < 48 }) / 8_000 - 0.5) < 0.023)
    #expect(abs(Double(minutes.count { $0 > 48 * 12.1825 }) / 8_000 - 0.1587) < 0.017)
  }

  @Test func `there is no response after the deadline`() {
    for number in 0..<300 as Range<UInt64> {
      var person = SimulatedPerson(number, seed: 5, on: .ios)
      var responses: [SimulatedPerson.Response] = []
      person.show(shown(expiresAt: Self.start + .hours(1)), into: &responses)
      person.unlock(at: Self.start + .hours(1), into: &responses)
      #expect(responses.isEmpty)
      person = SimulatedPerson(number, seed: 5, on: .ios)
      person.show(shown(), into: &responses)
      person.unlock(at: Self.start + .hours(24), into: &responses)
      #expect(responses.isEmpty)
      person = SimulatedPerson(number, seed: 5, on: .ios)
      person.show(shown(), into: &responses)
      person.forget(shown().request)
      person.unlock(at: Self.start + .minutes(1), into: &responses)
      #expect(responses.isEmpty)
    }
  }

  /// A response at the time of exposure requires that the phone is in use. The person does not look at
  /// earlier notifications then.
  @Test func `a person who is using the phone sees only the new notification`() {
    var atOnce = 0
    for number in 0..<400 as Range<UInt64> {
      var person = SimulatedPerson(number, seed: 5, on: .android)
      var responses: [SimulatedPerson.Response] = []
      person.show(shown(), into: &responses)
      #expect(responses.isEmpty)
      person.show(
        shown(at: Self.start + .minutes(1), reminder: 7, occurrence: 1, type: 1, isInUse: true),
        into: &responses)
      #expect(
        responses.allSatisfy { $0.request.occurrence == 1 && $0.at == Self.start + .minutes(1) + .seconds(5) }
      )
      atOnce += responses.count
    }
    #expect(atOnce > 20 && atOnce < 90, "a sixth of the two thirds that answer: \(atOnce)")
  }

  /// The draws for a notification must be the same under another policy, in another order of the file, and
  /// after additions to the file.
  @Test func `other notifications do not affect the draw of a response`() {
    var (tapsAlone, tapsAmongOthers) = (0, 0)
    for number in 0..<2_000 as Range<UInt64> {
      let later = shown(at: Self.start + .days(2), occurrence: 9)
      var alone = SimulatedPerson(number, seed: 5, on: .ios)
      var among = SimulatedPerson(number, seed: 5, on: .ios)
      _ = answer(&among, shown(at: Self.start, reminder: 1, occurrence: 1, type: 1))
      _ = answer(&among, shown(at: Self.start + .days(1), reminder: 2, occurrence: 2, type: 2))
      let (a, b) = (answer(&alone, later), answer(&among, later))
      // Other notifications only add fatigue. A person who taps despite them also taps without them, at the
      // same instant.
      if let b, b.action == .tap { #expect(a == b) }
      if a == nil { #expect(b == nil) }
      tapsAlone += a?.action == .tap ? 1 : 0
      tapsAmongOthers += b?.action == .tap ? 1 : 0
    }
    #expect(tapsAlone > tapsAmongOthers && tapsAmongOthers > tapsAlone / 2)
  }

  @Test func `the name, instant, person and seed each affect the draws`() {
    func taps(_ seed: UInt64, device: UInt32 = 0, _ shown: SimulatedPerson.Shown) -> [Bool] {
      (0..<400 as Range<UInt64>).map { number in
        var person = SimulatedPerson(number, seed: seed, device: device, on: .ios)
        return answer(&person, shown)?.action == .tap
      }
    }
    let base = taps(5, shown(kind: .user))
    #expect(base == taps(5, shown(occurrence: 3, kind: .user)), "the occurrence must not change the draw")
    #expect(base == taps(5, shown(type: 3, kind: .user)), "the type must not change the draw")
    #expect(base != taps(6, shown(kind: .user)))
    #expect(base != taps(5, device: 1, shown(kind: .user)))
    #expect(base != taps(5, shown(reminder: 3, kind: .user)))
    #expect(base != taps(5, shown(at: Self.start + TimeSpan(milliseconds: 1), kind: .user)))
  }

  @Test func `a copy continues as the original would`() {
    var person = SimulatedPerson(17, seed: 5, on: .android)
    var responses: [SimulatedPerson.Response] = []
    for hour in 0..<30 as Range<Int64> {
      person.show(
        shown(at: Self.start + .hours(hour), occurrence: UInt32(hour), type: Int(hour % 3)), into: &responses)
    }
    var copy = person
    var (a, b): ([SimulatedPerson.Response], [SimulatedPerson.Response]) = ([], [])
    for minute in 0..<600 as Range<Int64> {
      person.unlock(at: Self.start + .hours(30) + .minutes(minute), into: &a)
      copy.unlock(at: Self.start + .hours(30) + .minutes(minute), into: &b)
    }
    #expect(a == b && !a.isEmpty)
    #expect(person == copy)
  }

  @Test func `too many notifications lead to an opt-out`() {
    var (few, many) = (0, 0)
    for number in 0..<2_000 as Range<UInt64> {
      for perDay in [1, 3] as [Int64] {
        var person = SimulatedPerson(number, seed: 5, on: .ios)
        for index in 0..<(28 * perDay) {
          _ = person.showWithoutUnlocks(
            shown(at: Self.start + .hours(24 / perDay * index), occurrence: UInt32(index), type: Int(index)))
        }
        guard let end = person.optOut, end < Self.start + .days(28) else { continue }
        if perDay == 1 { few += 1 } else { many += 1 }
      }
    }
    // About 65 % of people tolerate fewer than 7 notifications a week. After about 3 weeks, 0.65 · (1 -
    // 0.95³) of all people have opted out.
    #expect(few > 120 && few < 280, "\(few)")
    #expect(many > few)
  }

  @Test func `organic opens have the stated mean`() {
    let opens = OrganicOpens(perDay: 1.7)
    var (count, none) = (0, 0)
    for person in 0..<40 as Range<UInt64> {
      for day in 0..<200 as Range<Int32> {
        let times = opens.times(of: person, seed: 1, on: CivilDate(dayNumber: day))
        #expect(
          times == times.sorted()
            && times.allSatisfy { (TimeSpan.hours(7)...TimeSpan.hours(23)).contains($0) })
        count += times.count
        none += times.isEmpty ? 1 : 0
      }
    }
    #expect(abs(Double(count) / 8_000 - 1.7) < 0.06)
    #expect(abs(Double(none) / 8_000 - 0.1827) < 0.0175, "e to the power of -1.7")
    #expect(OrganicOpens(perDay: 0).times(of: 1, seed: 1, on: CivilDate(dayNumber: 0)).isEmpty)
    let night = OrganicOpens(perDay: 20, waking: DailyWindow(from: 1_320, to: 120))
    let times = night.times(of: 1, seed: 1, on: CivilDate(dayNumber: 0))
    #expect(times.allSatisfy { $0 >= .hours(22) && $0 < .hours(26) } && times.count > 5)
  }
}
