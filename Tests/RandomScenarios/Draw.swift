import CivilTime
import DeviceSimulation
import ReminderMatching
import ScenarioModel
import TestSupport
import TextFormats
import TriggerModel

/// The state while a scenario is drawn: the random generator, and the names to which later parts can refer.
struct Draw {
  var random: SplitMix64
  let zoneName: String
  var zones: ZoneTable
  let zone: ZoneID
  let start: Instant
  /// The upper bound of all instants on the time line.
  let horizon: Instant

  var factSources: [String] = []
  var facts: [FactDeclaration] = []
  var apps: [String] = []
  var places: [Place] = []
  var devices: [DeviceDeclaration] = []
  var reminders: [DeclaredReminder] = []
  var edits: [ReminderEdit] = []
  var links: LinkSetup?
  var app = AppSetup()
  var gates: [Gate] = []

  private var nextName = 1

  static let zoneNames = [
    "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "Australia/Lord_Howe",
    "Africa/Casablanca", "America/St_Johns", "UTC", "Asia/Tokyo", "America/Sao_Paulo", "Europe/Dublin",
  ]

  init(seed: UInt64) throws(UnknownZone) {
    random = SplitMix64(seed: seed)
    zones = ZoneTable()
    zoneName = random.one(of: Self.zoneNames)
    zone = try zones.intern(zoneName)
    let here = zones[zone]
    start = Self.readable(Self.anyInstant(&random), in: here)
    horizon = start + TimeSpan(milliseconds: Int64(random.int(1...40 * 86_400_000)))
  }

  var here: Zone { zones[zone] }

  /// The notification types.
  var types: [String] {
    Set((reminders.map(\.declaration) + edits.map(\.declaration)).map(\.notification.type)).sorted()
  }

  // MARK: - Words

  /// Returns a unique name, which remains unique after conversion to snake case.
  mutating func name() -> String {
    defer { nextName += 1 }
    let stem = random.one(of: [
      "milk", "protein", "trainingDay", "café", "account.signedIn", "_private", "with-dash", "ÄÖ", "true",
      "x",
      "none", "at", "HealthKitConnect", "日本", "every",
    ])
    return "\(stem)\(nextName)"
  }

  /// Returns random text that contains characters that must be quoted or escaped in YAML.
  mutating func text() -> String {
    var text = ""
    for _ in 0..<random.int(1...4) {
      text += random.one(of: [
        "Buy milk", "none", "true", "12", "~", "null", "# no comment", "a: b", "- item", "{x: y}", "[y]",
        "\"",
        "'",
        "\\", "\n", "\t", " ", "é", "👍🏽", "*star", "&anchor", "%", "@", "`", "|", ">", "!tag", "<<",
        "2026-03-02",
        "22:00", "\u{85}", "\u{2028}", "\u{7F}", "x\u{FEFF}", "ﬁ", "\u{1F}", "0x10", "?", "---", "...",
      ])
    }
    return text
  }

  // MARK: - Times

  /// Returns an instant between 2024 and 2027 or, less often, any instant that the zones support.
  private static func anyInstant(_ random: inout SplitMix64) -> Instant {
    let second =
      random.chance(70) ? random.int(1_735_000_000...1_830_000_000) : random.int(40_000_000...4_000_000_000)
    return Instant(millisecondsSince1970: Int64(second) * 1_000)
  }

  /// Returns the nearest instant that a local date and time can express.
  private static func readable(_ instant: Instant, in zone: Zone) -> Instant {
    zone.instant(of: zone.local(at: instant))
  }

  /// Returns an instant that a local date and time can express in the initial zone.
  mutating func readableInstant() -> Instant { Self.readable(Self.anyInstant(&random), in: here) }

  /// Returns an instant within the scenario, in whole milliseconds, seconds or minutes.
  mutating func storyInstant() -> Instant {
    let offset = Int64(random.int(0...Int((horizon - start).milliseconds) - 1))
    let unit: Int64 = random.one(of: [1, 1_000, 60_000, 60_000, 60_000])
    return start + TimeSpan(milliseconds: offset / unit * unit)
  }

  /// Returns a local date within the scenario.
  mutating func storyDate() -> CivilDate { here.local(at: storyInstant()).date }

  mutating func date() -> CivilDate {
    random.chance(50) ? storyDate() : here.local(at: Self.anyInstant(&random)).date
  }

  mutating func minute() -> Int { random.int(0...1_439) }

  /// Returns a time of day in milliseconds after midnight, in whole minutes or seconds.
  mutating func timeOfDay() -> Int32 {
    Int32(random.chance(70) ? random.int(0...1_439) * 60_000 : random.int(0...86_399) * 1_000)
  }

  mutating func window() -> DailyWindow { DailyWindow(from: minute(), to: minute()) }

  mutating func weekdays() -> WeekdaySet { WeekdaySet(rawValue: UInt8(random.int(1...127))) }

  /// Returns a span of at most a hundred years.
  mutating func span() -> TimeSpan {
    let unit: Int64 = random.one(of: [1, 1_000, 60_000, 3_600_000, 86_400_000, 604_800_000])
    return TimeSpan(
      milliseconds: min(Int64(random.int(0...3_000)) * unit, TimeSpan.days(36_525).milliseconds))
  }

  // MARK: - Facts

  mutating func fact(_ kind: FactKind? = nil) -> FactDeclaration? {
    let known = facts.filter { kind == nil || $0.kind == kind }
    return known.isEmpty ? nil : random.one(of: known)
  }

  func id(of fact: FactDeclaration) -> FactID {
    FactID(facts.firstIndex { $0.name == fact.name } ?? 0)
  }

  mutating func value(of kind: FactKind, _ names: [String]) -> FactValue {
    switch kind {
    case .truth: return .truth(random.chance(50))
    case .number:
      let bounds = random.one(of: [10, 1_000, 100_000, 999_999_999_999_999])
      return .number(thousandths: Int64(random.int(-bounds...bounds)))
    case .instant: return .instant(readableInstant())
    case .date: return .date(date())
    case .name: return .name(random.int(0...names.count - 1))
    }
  }
}

/// A linear congruential generator. Do not change it, because recorded results depend on its numbers.
package struct Dice {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed }

  /// Returns a number in 0..<1.
  package mutating func fraction() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) / Double(1 << 53)
  }

  package mutating func below(_ bound: Int) -> Int { Int(fraction() * Double(bound)) }

  package mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}
