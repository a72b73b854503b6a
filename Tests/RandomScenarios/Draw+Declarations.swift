import CivilTime
import DeviceSimulation
import NotificationGateway
import ScenarioModel
import TestSupport
import TextFormats
import TriggerModel

extension Draw {
  mutating func drawFacts() {
    for _ in 0..<random.int(0...7) {
      let kind = random.one(of: FactKind.allCases)
      let names = kind == .name ? (0..<random.int(1...4)).map { _ in name() } : []
      var access = FactAccess()
      if random.chance(40) {
        // A source gets its index when a fact first refers to it.
        let source = random.int(0...factSources.count)
        if source == factSources.count { factSources.append(name()) }
        access.source = FactSourceID(source)
        if random.chance(50) { access.whenUnreadable = value(of: kind, names) }
      }
      facts.append(
        FactDeclaration(
          name: name(), kind: kind, names: names,
          initial: random.chance(60) ? value(of: kind, names) : .missing, access: access,
          dayEnd: random.chance(20) ? value(of: kind, names) : .missing, position: .start))
    }
  }

  mutating func drawSurroundings() {
    for _ in 0..<random.int(0...4) { apps.append(name()) }
    for _ in 0..<random.int(0...4) {
      places.append(
        Place(
          name: name(), center: coordinate(), radius: Double(random.int(1...100_000_000)) / 1_000,
          position: .start))
    }
    for _ in 0..<(random.chance(80) ? 0 : random.int(1...3)) {
      devices.append(
        DeviceDeclaration(
          name: name(), profile: Located(profile(), at: .start), knobs: knobs(), setup: phone(),
          position: .start))
    }
  }

  mutating func coordinate() -> Coordinate {
    func degrees(_ limit: Int, _ random: inout SplitMix64) -> Double {
      let million = random.int(-limit * 1_000_000...limit * 1_000_000)
      return random.chance(80) ? Double(million) / 1_000_000 : Double(million) / 1_000_003
    }
    return Coordinate(latitude: degrees(90, &random), longitude: degrees(180, &random))
  }

  mutating func profile() -> String { random.one(of: ["ideal", "ios", "android"]) }

  /// Returns random values for known knobs.
  mutating func knobs() -> [Knob] {
    // Several rules may share a knob.
    var knobs: [Knob] = []
    for rule in random.several(of: PlatformRules.all.filter { !$0.alternatives.isEmpty }, 0...2)
    where !knobs.contains(where: { $0.name == rule.key }) {
      let value = random.one(of: rule.alternatives).description
      knobs.append(Knob(name: rule.key, value: value, position: .start))
    }
    return knobs
  }

  mutating func phone() -> PhoneSetup {
    PhoneSetup(
      notifications: random.one(of: NotificationPermission.allCases),
      location: random.one(of: LocationPermission.allCases),
      screenTime: random.chance(70) ? .approved : random.one(of: ScreenTimePermission.allCases),
      chosenApps: random.chance(80) ? nil : random.several(of: apps.indices.map { AppID($0) }, 0...2),
      unreadable: random.several(of: factSources.indices.map { FactSourceID($0) }, 0...2),
      beginning: beginning())
  }

  private mutating func beginning() -> PhoneInitialState {
    PhoneInitialState(
      position: random.chance(20) ? coordinate() : nil, isPluggedIn: random.maybe(30) { $0.chance(50) },
      level: random.maybe(30) { Int32($0.int(0...1_000)) }, isLocked: random.maybe(30) { $0.chance(50) })
  }

  // MARK: - The policy and stored counters

  mutating func policy() -> CapPolicy {
    var policy = CapPolicy()
    policy.quietHours = random.chance(70) ? WeeklyWindows(window()) : nil
    for bucket in Bucket.allCases {
      policy.quietAction[bucket] = random.one(of: [.drop, .defer])
    }
    policy.criticalBypassesQuietHours = random.chance(50)
    policy.criticalPreempts = random.chance(50)
    policy.dailyCap = cap()
    policy.criticalDailyCap = cap()
    policy.typeDailyCap = cap()
    for kind in [TypeCap.daily, .weekly, .lifetime, .lapse] where random.chance(40) {
      for type in random.several(of: types, 0...3) {
        policy[kind][type] = CapLimit(random.int(0...1_000_000))
      }
    }
    policy.weekStart = random.one(of: Weekday.allCases)
    policy.lifetimeSurvivesReinstall = random.chance(50)
    policy.keptThroughReinstall = random.several(of: types, 0...2)
    policy.counterLag = span()
    policy.minimumInterval = span()
    policy.minimumIntervalScope = random.one(of: CapPolicy.IntervalScope.allCases)
    if random.chance(40) {
      policy.checkOrder = random.several(
        of: Reason.allCases.filter { $0.stage == .scheduler && !Self.longerCaps.contains($0) }, 0...12)
    }
    addLongerPeriods(&policy)
    return policy
  }

  private static let longerCaps: [Reason] = [
    .typeMonthlyCap, .typeRollingCap, .weeklyCap, .monthlyCap, .rollingCap,
  ]

  /// Adds caps by longer periods and several quiet windows. The draws have their own generator, so that the rest
  /// of the scenario does not depend on them.
  private func addLongerPeriods(_ policy: inout CapPolicy) {
    var other = random
    other = SplitMix64(seed: other.next() ^ 0x6361_7073)
    func limit(_ kind: TypeCap) -> CapLimit {
      CapLimit(other.int(0...1_000_000), in: kind == .rolling ? other.int(CapLimit.dayRange) : 0)
    }
    for kind in [TypeCap.monthly, .rolling] where other.chance(30) {
      for type in other.several(of: types, 0...3) { policy[kind][type] = limit(kind) }
    }
    for kind in TypeCap.ofBuckets where other.chance(30) { policy[ofBucket: kind] = limit(kind) }
    if policy.checkOrder != CapPolicy.defaultCheckOrder {
      policy.checkOrder += other.several(of: Self.longerCaps, 0...3)
    }
    policy.bypassQuietHours = other.several(of: types, 0...2)
    guard other.chance(40) else { return }
    func windows() -> [DailyWindow] {
      (0..<other.int(0...2)).map { _ in
        DailyWindow(from: other.int(0...1_439), to: other.int(0...1_439))
      }
    }
    let (weekdays, weekend, monday) = (windows(), windows(), windows())
    let isOwn = other.chance(50)
    let week = WeeklyWindows { day in
      day == .monday && isOwn ? monday : WeekdaySet.weekend.contains(day) ? weekend : weekdays
    }
    if !week.isAlways { policy.quietHours = week }
  }

  private mutating func cap() -> Int? { random.maybe(80) { $0.int(0...5) } }

  mutating func preferences() -> [PreferenceChange] {
    var changes: [PreferenceChange] = random.several(of: types.indices.map { TypeID($0) }, 0...2).map {
      .type($0, isOn: false)
    }
    if random.chance(20) { changes.append(.all(isOn: random.chance(50))) }
    if random.chance(20) { changes.append(.dailyCap(random.maybe(80) { UInt32($0.int(0...9)) })) }
    return changes
  }

  /// Returns random counters, or `nil` if the types cannot be stored.
  mutating func stored() -> GatewayState? {
    guard random.chance(30), let counters = try? StoredCounters(types: types) else { return nil }
    var entries = random.several(of: types, 0...3).map {
      StoredCounters.Entry(
        key: "\(StoredCounters.prefix)\(SnakeCase.of($0)).sentCount", value: random.int(1...Int(UInt32.max)))
    }
    for _ in 0..<random.int(0...3) {
      entries.append(
        StoredCounters.Entry(
          key: "\(StoredCounters.prefix)dailyCount.\(storyDate().iso8601)", value: random.int(1...9)))
    }
    return try? counters.state(of: entries)
  }
}
