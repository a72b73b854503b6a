import Testing

@testable import TriggerModel

@Suite struct ReasonTests {
  @Test func `parsing the name of a reason returns the same reason`() {
    for reason in Reason.allCases { #expect(Reason(name: reason.name) == reason) }
    #expect(Reason(name: "quiethours") == nil)
    #expect(Set(Reason.allCases.map(\.name)).count == Reason.allCases.count)
  }

  @Test func `stages follow the order of reasons`() {
    let stages = Reason.allCases.map(\.stage.rawValue)
    #expect(stages == stages.sorted())
    #expect(Set(stages).count == Reason.Stage.allCases.count)
  }

  @Test func `a reason set contains the inserted reasons`() {
    for reason in Reason.allCases {
      var set: ReasonSet = []
      set.insert(reason)
      #expect(set == ReasonSet(reason))
      #expect(Reason.allCases.filter { set.contains($0) } == [reason])
      set.remove(reason)
      #expect(set.isEmpty)
    }
  }

  @Test func `the checks of the scheduler are in the order of the design`() {
    let scheduler = Reason.allCases.filter { $0.stage == .scheduler }.map(\.name)
    #expect(
      scheduler == [
        "notRegistered", "userDisabled", "userDailyCap", "permission", "lifetimeCap", "lapseCap",
        "quietHours",
        "typeDailyCap", "typeWeeklyCap", "typeMonthlyCap", "typeRollingCap", "dailyCap", "weeklyCap",
        "monthlyCap",
        "rollingCap", "criticalDailyCap", "minimumInterval",
      ])
  }
}

@Suite struct PreferenceChangeTests {
  private static let moment = Moment(
    wall: Instant(millisecondsSince1970: 0), uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0 as UInt32))

  @Test func `each preference change has the documented event value`() {
    let table: [(PreferenceChange, subject: UInt32, value: Int64)] = [
      (.type(TypeID(7 as UInt32), isOn: false), 7, 0), (.type(TypeID(7 as UInt32), isOn: true), 7, 1),
      (.all(isOn: false), 0, 2), (.all(isOn: true), 0, 3), (.dailyCap(nil), 0, 4), (.dailyCap(0), 0, 5),
      (.dailyCap(2), 0, 7), (.dailyCap(.max), 0, 5 + Int64(UInt32.max)),
    ]
    for (change, subject, value) in table {
      let event = ObservedEvent(change, at: Self.moment)
      #expect(event.kind == .preferencesChanged && event.subject == subject && event.value == value)
      #expect(PreferenceChange(event) == change)
    }
  }

  @Test func `an invalid event is not a preference change`() {
    for value in [-1, .min, .max, 6 + Int64(UInt32.max)] as [Int64] {
      #expect(PreferenceChange(ObservedEvent(.preferencesChanged, value: value, at: Self.moment)) == nil)
    }
    #expect(PreferenceChange(ObservedEvent(.cancelAll, at: Self.moment)) == nil)
  }
}

@Suite struct SnakeCaseTests {
  @Test func `names are converted to snake case`() {
    let cases = [
      "healthKitConnect": "healthkit_connect", "connectHealthKit": "connect_healthkit",
      "milk": "milk", "a.b": "a.b", "x-y": "x-y", "Milk": "milk",
      "day_Off": "day_off", "openURL": "open_url", "day2Off": "day2_off", "größeÄndern": "größe_ändern",
      "training_day": "training_day", "": "",
    ]
    for (name, text) in cases { #expect(SnakeCase.of(name) == text) }
  }
}
