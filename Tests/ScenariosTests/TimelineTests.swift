import CivilTime
import DeviceSimulation
import ScenarioModel
import ScenarioSamples
import Testing
import TriggerModel

@testable import Scenarios
@testable import TextFormats

@Suite struct TimelineTests {
  @Test func `actions have the same meaning in short and long form`() throws {
    let pairs = [
      ("unlock", "{event: unlock}"), ("plug in", "{event: plugIn}"), ("power off", "{event: powerOff}"),
      ("reboot", "{event: reboot}"), ("cancel all", "{event: cancelAll}"), ("open", "{event: open}"),
      ("open app maps", "{openApp: maps}"), ("travel to Asia/Tokyo", "{travel: Asia/Tokyo}"),
      ("set clock -30 min", "{setClock: -30 min}"), ("grant notifications", "{notifications: authorized}"),
      ("deny notifications", "{notifications: denied}"),
      ("notifications provisional", "{notifications: provisional}"),
      ("prompt denied", "{prompt: denied}"), ("prompt location once", "{promptLocation: once}"),
      ("prompt screen time approved", "{promptScreenTime: approved}"),
      ("screen time denied", "{screenTime: denied}"), ("location whenInUse", "{location: whenInUse}"),
      ("precise location off", "{preciseLocation: off}"), ("focus on", "{focus: on}"),
      ("summary on", "{summary: on}"),
      ("airplane mode on", "{airplaneMode: on}"), ("background refresh off", "{backgroundRefresh: off}"),
      ("low power mode on", "{lowPowerMode: on}"), ("battery 80 %", "{battery: 80 %}"),
      ("enter shop", "{enter: shop}"),
      ("exit shop", "{exit: shop}"), ("at [52.5, -13.4]", "{fix: '[52.5, -13.4]'}"),
      ("at shop accuracy 10 m", "{fix: shop, accuracy: 10 m}"),
      ("set current = 80", "{set: current, to: 80}"),
      ("set plan=paid", "{set: plan, to: paid}"), ("set onboarding = now", "{set: onboarding, to: now}"),
      ("forget score", "{forget: score}"), ("snooze milk for 1 h 30 min", "{snooze: milk, for: 90 min}"),
      ("snooze milk until 18:00", "{snooze: milk, until: 18:00}"),
      ("snooze milk until day 3 18:00", "{snooze: milk, until: 2026-03-04 18:00}"),
      ("edit milk to later", "{edit: milk, to: later}"), ("cancel bread", "{cancel: bread}"),
      ("tap milk", "{tap: milk}"), ("dismiss milk", "{dismiss: milk}"), ("ignore milk", "{ignore: milk}"),
      ("next add fails", "{failNextAdds: 1}"),
      ("next 3 adds fail", "{failNextAdds: 3}"), ("force stop", "{event: forceStop}"),
      ("update app", "{event: updateApp}"),
      ("location services off", "{locationServices: off}"), ("exact alarms on", "{exactAlarms: on}"),
      ("reinstall", "{event: reinstall}"),
      ("clear notifications", "{event: clearNotifications}"),
    ]
    for (short, long) in pairs {
      let first = try scenario(.timeline("08:10 \(short)")).timeline.entries[0].actions
      #expect(
        try scenario(.timeline("{at: 08:10, do: \(long)}")).timeline.entries[0].actions == first, "\(long)")
      #expect(
        try scenario(.timeline("{at: 08:10, do: \"\(short)\"}")).timeline.entries[0].actions == first,
        "\(short)")
      #expect(
        try scenario(.timeline("{at: 08:10, do: [\(long)]}")).timeline.entries[0].actions == first,
        "[\(long)]")
    }
  }

  @Test func `choosing apps deselects all others, in short and long form`() throws {
    func choices(_ entry: String) throws -> [TimelineAction] {
      try scenario(.timeline(entry)).timeline.entries[0].actions
    }
    for (short, long) in [
      ("music", "[{dropApp: maps}, {chooseApp: music}]"),
      ("music , maps", "[{chooseApp: maps}, {chooseApp: music}]"),
      ("none", "[{dropApp: maps}, {dropApp: music}]"),
    ] {
      let actions = try choices("08:10 choose apps \(short)")
      #expect(actions.count == 2)
      #expect(try choices("{at: 08:10, do: \(long)}") == actions, "\(short)")
    }
    #expect(
      try choices("08:10 choose apps music") == [
        .event(.appChoice(AppID(0), isChosen: false)), .event(.appChoice(AppID(1), isChosen: true)),
      ])
  }

  @Test func `times have the same meaning in short and long form`() throws {
    let pairs = [
      ("08:10 unlock", "{at: 08:10, do: unlock}"), ("08:10:30 unlock", "{at: 08:10:30, do: unlock}"),
      ("day 2 08:10 unlock", "{at: day 2 08:10, do: unlock}"),
      ("next day 08:10 unlock", "{at: next day 08:10, do: unlock}"),
      ("2026-03-03 08:10 unlock", "{at: 2026-03-03T08:10, do: unlock}"),
      ("+1h30m unlock", "{at: +1 h 30 min, do: unlock}"),
      ("every weekday 08:10 unlock", "{every: weekday, at: 08:10, do: unlock}"),
      (
        "every monday, friday 08:10 from day 2 until day 9 unlock",
        "{every: 'monday, friday', at: 08:10, from: day 2, until: 2026-03-10, do: unlock}"
      ),
      (
        "every 15 min from 08:00 until 20:00 on weekend unlock",
        "{every: 15 min, during: 08:00-20:00, weekdays: weekend, do: unlock}"
      ),
      ("every 36 h unlock", "{every: 36 h, do: unlock}"),
    ]
    for (short, long) in pairs {
      let first = try scenario(.timeline(short, length: "14 days"))
      let second = try scenario(.timeline(long, length: "14 days"))
      #expect(first.timeline.entries.map(\.timing) == second.timeline.entries.map(\.timing), "\(short)")
      #expect(!first.events.isEmpty, "\(short)")
    }
  }

  @Test func `a time refers to the day of the previous entry`() throws {
    let scenario = try scenario(
      .timeline(
        "22:00 plug in", "next day 07:00 unplug", "07:00 unlock", "day 4 06:00 lock", "06:30 unlock",
        "+1h lock"))
    #expect(
      scenario.eventTimes == [
        "2026-03-02 08:00", "2026-03-02 22:00", "2026-03-03 07:00", "2026-03-03 07:00", "2026-03-05 06:00",
        "2026-03-05 06:30",
      ])
    #expect(scenario.end == scenario.zones[scenario.zone].startOfDay(CivilDate(year: 2026, month: 3, day: 6)))
    #expect(!scenario.endIsExplicit)
  }

  @Test func `a time before that of the previous entry refers to the next day, with a warning`() throws {
    let outcome = read(Sample.timeline("22:00 plug in", "07:00 unplug").text)
    #expect(
      outcome.warnings == [
        "sample.yaml:25:5: warning: 07:00 is earlier than the entry above, so the next day is used; "
          + "write 'next day 07:00'"
      ])
    #expect(try outcome.get().eventTimes == ["2026-03-02 22:00", "2026-03-03 07:00"])
  }

  @Test func `entries at the same instant keep the order of the file`() throws {
    let scenario = try scenario(
      .timeline("{at: 08:10, do: [plug in, unlock]}", "every day 08:10 lock", "08:10 unplug", length: "1 day")
    )
    #expect(scenario.events.map(\.event) == [.plugIn, .unlock, .lock, .unplug])
    #expect(scenario.events.map(\.order) == [0, 1, 2, 3])
    #expect(scenario.events.map(\.position.line) == [25, 25, 26, 27])
  }

  @Test func `times follow the phone's zone across the date line`() throws {
    // The journey from Auckland to Honolulu repeats a date, and the journey back skips one.
    let scenario = try scenario(
      .timeline(
        "every day 08:00 unlock", "day 2 12:00 travel to Pacific/Auckland",
        "23:30 travel to Pacific/Honolulu",
        "08:00 plug in", "day 5 20:00 travel to Pacific/Auckland", length: "7 days"))
    #expect(
      scenario.eventTimes == [
        "2026-03-02 08:00", "2026-03-03 08:00", "2026-03-04 00:00", "2026-03-04 08:00", "2026-03-04 00:30",
        "2026-03-04 08:00", "2026-03-04 08:00", "2026-03-05 08:00", "2026-03-06 08:00", "2026-03-07 19:00",
        "2026-03-08 08:00",
        "2026-03-09 08:00",
      ])
  }

  @Test func `a skipped time resolves to the end of the gap, and a repeated time to its first pass`() throws {
    var spring = Sample.timeline("day 2 02:30 unlock", "every day 02:30 lock", length: "3 days")
    spring.head = spring.head.replacing("2026-03-02T07:00", with: "2026-03-28T00:00")
    #expect(
      try scenario(spring).eventTimes == [
        "2026-03-28 02:30", "2026-03-29 03:00", "2026-03-29 03:00", "2026-03-30 02:30",
      ])
    #expect(read(spring.text).warnings.count == 1)
    var autumn = Sample.timeline("day 2 02:30 unlock", length: "2 days")
    autumn.head = autumn.head.replacing("2026-03-02T07:00", with: "2026-10-24T00:00")
    let fold = try scenario(autumn)
    #expect(fold.events[0].instant - fold.start == .minutes(24 * 60 + 150))
  }

  @Test func `a reboot is a minute without power, and events after the end are omitted`() throws {
    let scenario = try scenario(.timeline("08:10 reboot", length: "2 h"))
    #expect(scenario.events.map(\.event) == [.powerOff, .powerOn])
    #expect(scenario.events[1].instant - scenario.events[0].instant == .minutes(1))
  }

  @Test func `snoozing until a time of day ends at its next occurrence`() throws {
    let scenario = try scenario(
      .timeline(
        "08:10 snooze milk until 18:00", "20:00 snooze milk until 18:00",
        "20:00 snooze milk until day 5 09:00"))
    let zone = scenario.zones[scenario.zone]
    let untils = scenario.events.map { event -> String in
      guard case .snoozeUntil(_, let until) = event.event else { return "" }
      let local = zone.local(at: until)
      return "\(local.date.text) \(Clock.text(local.millisecondOfDay))"
    }
    #expect(untils == ["2026-03-02 18:00", "2026-03-03 18:00", "2026-03-06 09:00"])
  }

  @Test func `setting a fact to now stores the instant of the entry`() throws {
    let scenario = try scenario(.timeline("08:10 set onboarding = now"))
    #expect(scenario.events[0].event == .fact(FactID(4), .instant(scenario.start + .minutes(70))))
  }

  @Test func `a recording has a file name and starts at the time of 'at'`() throws {
    let scenario = try scenario(
      .timeline(
        "gpx: way home.gpx", "{ndjson: fixes.ndjson, at: 17:00, accuracyLimit: 50 m}",
        "aware: {battery: b.csv, screen: s.csv, charging: status}"))
    #expect(
      scenario.recordings.map(\.source) == [
        .gpx("way home.gpx"), .ndjson("fixes.ndjson"), .aware(battery: "b.csv", screen: "s.csv"),
      ])
    #expect(scenario.recordings.map(\.startsAt) == [nil, scenario.start + .hours(10), nil])
    #expect(scenario.recordings.map(\.accuracyLimit) == [nil, 50, nil])
    #expect(scenario.recordings.map(\.chargingColumn) == [.adaptor, .adaptor, .status])
  }

  @Test func `parts of a recording can be selected`() throws {
    let scenario = try scenario(
      .timeline(
        "{gpx: way home.gpx, at: 17:00, speed: 5 km/h, track: 2}", "{ndjson: fixes.ndjson, longestGap: 1 h}",
        "{gpx: way home.gpx, at: 18:00, speed: 1.5 m/s}", "aware: {battery: b.csv, device: a phone}"))
    #expect(scenario.recordings.map(\.speed?.metresPerSecond) == [5 / 3.6, nil, 1.5, nil])
    #expect(scenario.recordings.map(\.track) == [2, nil, nil, nil])
    #expect(scenario.recordings.map(\.longestGap) == [nil, .hours(1), nil, nil])
    #expect(scenario.recordings.map(\.recordedDevice) == [nil, nil, nil, "a phone"])
  }

  @Test func `the phone's initial state is unchanged after reading and writing`() throws {
    var sample = Sample.timeline("08:10 unlock")
    sample.head += "\nphone: {at: home, pluggedIn: true, battery: 45.5 %, locked: false}\n"
    sample.head += "devices: {tablet: {phone: {at: [52.5, 13.4]}}}\n"
    let scenario = try scenario(sample)
    let home = try #require(scenario.places.first { $0.name == "home" }).center
    #expect(
      scenario.phone.beginning
        == PhoneInitialState(position: home, isPluggedIn: true, level: 455, isLocked: false))
    #expect(
      scenario.devices.first?.setup.beginning
        == PhoneInitialState(position: Coordinate(latitude: 52.5, longitude: 13.4)))
  }

  /// The oracle checks the wall clock at every minute of the scenario.
  @Test(arguments: [
    ("Europe/Berlin", "2026-03-27T05:00", "Asia/Tokyo"),
    ("America/New_York", "2026-10-30T05:00", "Europe/Lisbon"),
    ("Pacific/Auckland", "2026-04-03T05:00", "Pacific/Honolulu"),
    ("Australia/Lord_Howe", "2026-04-03T05:00", "UTC"),
    ("Pacific/Apia", "2011-12-28T05:00", "Asia/Kolkata"),
  ])
  func `a repeated entry occurs whenever the wall clock shows its time`(
    zone: String, start: String, destination: String
  ) throws {
    for (minute, days) in [
      (0, "day"), (90, "monday,sunday"), (150, "weekday"),
    ] {
      var sample = Sample.timeline(
        "every \(days) \(Clock.text(Int32(minute * 60_000))) unlock", "+100h travel to \(destination)",
        length: "9 days")
      sample.head = sample.head.replacing("Europe/Berlin", with: zone).replacing(
        "2026-03-02T07:00", with: start)
      let scenario = try scenario(sample)
      var expected: [Instant] = []
      var before: LocalTime?
      var instant = scenario.start
      while instant < scenario.end {
        let zone = scenario.zones[scenario.timeline.zone(at: instant)]
        let local = zone.local(at: instant)
        let wanted = LocalTime(date: local.date, millisecondOfDay: Int32(minute * 60_000))
        let isSkipped = before.map {
          $0 < wanted && wanted < local && zone.offset(at: instant) != zone.offset(at: instant - .minutes(1))
        }
        if local == wanted || isSkipped == true, zone.instant(of: wanted) == instant,
          try Reading.days(days).contains(local.date.weekday)
        {
          expected.append(instant)
        }
        before = local
        instant = instant + .minutes(1)
      }
      let found = scenario.events.filter { $0.event == .unlock }.map(\.instant)
      #expect(found == expected, "\(days) \(minute)")
    }
  }
}

extension Reading {
  static func days(_ text: String) throws -> WeekdaySet {
    let reader = Reader(source: SourceText(file: "days", text: text)) { _ in false }
    return try #require(Atom<WeekdaySet>.days.parse(Word(text, at: .start), reader))
  }
}
