import CivilTime
import DeviceSimulation
import Geofencing
import SimulationKernel
import TriggerModel

/// A phone with its own future event list, and a record of all of its output.
struct PhoneRig {
  /// 2026-03-02T06:00:00Z, a Monday: 07:00 in Berlin.
  static let start = Instant(millisecondsSince1970: 1_772_431_200_000)
  static let berlin = ZoneID(0)
  static let tokyo = ZoneID(1)

  var phone: Phone
  var now = Self.start
  var log = PhoneOutput()
  private let watch: PlaceWatch
  private var timers: [ScheduledTimer] = []

  init(
    _ profile: PlatformProfile = .ideal, _ overrides: [String: String] = [:],
    regions: [CircularRegion]? = nil, appCount: Int = 30, facts: [FactAccess] = [], seed: UInt64 = 1,
    beginningAt metresNorth: Double? = nil,
    with change: (inout PhoneStart) -> Void = { _ in }
  ) throws {
    var profile = profile
    for (key, text) in overrides { try profile.override(key, with: text) }
    var zones = ZoneTable()
    _ = try zones.intern("Europe/Berlin")
    _ = try zones.intern("Asia/Tokyo")
    let key = RandomKey(seed: seed, person: 0, purpose: .device)
    var start = PhoneStart(instant: Self.start, zone: Self.berlin, key: key)
    change(&start)
    let blueprint = PhoneBlueprint(
      settings: profile.settings, zones: zones, regions: try regions.map { try RegionTable($0) },
      appCount: appCount, facts: facts)
    watch = try PlaceWatch(blueprint)
    phone = Phone(start, blueprint: blueprint)
    if let metresNorth {
      phone.begin(at: Fix(instant: now, coordinate: Self.coordinate(metresNorth: metresNorth)), watch)
    }
    var out = PhoneOutput()
    phone.begin(at: now, into: &out)
    keep(out)
  }

  /// Advances the clock, and fires the timers that are due.
  mutating func wait(_ span: TimeSpan) {
    let end = now + span
    while let index = timers.indices.min(by: { timers[$0].instant < timers[$1].instant }),
      timers[index].instant <= end
    {
      let due = timers.remove(at: index)
      now = due.instant
      var out = PhoneOutput()
      phone.timerFired(due.timer, at: now, into: &out)
      keep(out)
    }
    now = end
  }

  mutating func apply(_ events: PhoneEvent...) {
    for event in events {
      var out = PhoneOutput()
      phone.apply(event, at: now, using: watch, into: &out)
      keep(out)
    }
    wait(.zero)
  }

  mutating func perform(_ effects: EngineEffect...) {
    for effect in effects {
      var out = PhoneOutput()
      phone.perform(effect, at: now, into: &out)
      keep(out)
    }
  }

  /// Returns a region around a point in Berlin, or at a distance north of it.
  static func region(_ index: Int, radius: Double, metresNorth: Double = 0) throws -> CircularRegion {
    try CircularRegion(
      id: RegionID(index), center: coordinate(metresNorth: metresNorth), radius: radius)
  }

  /// Returns the coordinate at a distance north of the point, exact to a few parts in a thousand.
  static func coordinate(metresNorth: Double) -> Coordinate {
    Coordinate(latitude: 52.52 + metresNorth / 111_270, longitude: 13.405)
  }

  /// Moves along the meridian at a constant speed in metres per second. Positions are in metres north of the
  /// point. Each fix after the first is applied when the phone starts to move to it.
  mutating func walk(_ metres: Double..., speed: Double) {
    if phone.place.lastFix == nil {
      apply(.fix(Fix(instant: now, coordinate: Self.coordinate(metresNorth: metres[0]))))
    }
    for (from, to) in zip(metres, metres.dropFirst()) {
      let span = TimeSpan(milliseconds: Int64((abs(to - from) / speed * 1_000).rounded()))
      apply(.fix(Fix(instant: now + span, coordinate: Self.coordinate(metresNorth: to))))
      wait(span)
    }
  }

  /// Keeps the phone at the last fix.
  mutating func stay(_ span: TimeSpan) {
    guard let last = phone.place.lastFix else { return }
    apply(.fix(Fix(instant: now + span, coordinate: last.coordinate)))
    wait(span)
  }

  /// Adds a request that is due after a duration.
  mutating func add(
    _ reminder: Int, _ occurrence: UInt32 = 0, in span: TimeSpan = .minutes(1), bucket: Bucket = .standard,
    floats: Bool = false
  ) {
    perform(.add(request(reminder, occurrence, in: span, bucket: bucket, floats: floats)))
  }

  func request(
    _ reminder: Int, _ occurrence: UInt32 = 0, in span: TimeSpan, bucket: Bucket = .standard,
    floats: Bool = false
  ) -> NotificationRequest {
    let wall = phone.moment(at: now).wall
    return NotificationRequest(
      id: id(reminder, occurrence), type: TypeID(0), bucket: bucket, scheduledFor: wall,
      deliverAt: wall + span, isFloating: floats)
  }

  func id(_ reminder: Int, _ occurrence: UInt32 = 0) -> RequestID {
    RequestID(reminder: ReminderID(reminder), occurrence: occurrence)
  }

  private mutating func keep(_ out: PhoneOutput) {
    log.truth += out.truth
    log.observed += out.observed
    log.outcomes += out.outcomes
    timers += out.timers
  }

  // MARK: - Output

  /// The events of the truth track, without battery levels, which change by themselves.
  var truth: [ObservedEvent.Kind] { log.truth.map(\.kind).filter { $0 != .batteryLevel } }
  var observed: [ObservedEvent.Kind] { log.observed.map(\.kind).filter { $0 != .batteryLevel } }

  func count(_ kind: ObservedEvent.Kind) -> Int { observed.count { $0 == kind } }

  /// Returns when the app observed a kind of event, as durations since the start on the wall clock.
  func times(_ kind: ObservedEvent.Kind) -> [TimeSpan] {
    log.observed.filter { $0.kind == kind }.map { $0.moment.wall - Self.start }
  }

  /// The reminders of delivered requests, in the order of delivery.
  var delivered: [Int] {
    log.outcomes.compactMap { outcome in
      guard case .delivered(let id, _) = outcome else { return nil }
      return id.reminder.index
    }
  }

  func presentation(of id: RequestID) -> Presentation? {
    for case .delivered(id, let presentation) in log.outcomes { return presentation }
    return nil
  }

  /// Returns the reminders of the requests that were removed for a reason, in order.
  func removed(_ reason: Reason) -> [Int] {
    log.outcomes.compactMap { outcome in
      guard case .removed(let id, reason) = outcome else { return nil }
      return id.reminder.index
    }
  }

  /// The causes of suppressed region reports, in order.
  var suppressed: [RegionSuppression] {
    log.outcomes.compactMap { outcome in
      guard case .regionSuppressed(_, _, let cause) = outcome else { return nil }
      return cause
    }
  }

  func missed(_ kind: ObservedEvent.Kind) -> [MissCause] {
    log.outcomes.compactMap { outcome in
      guard case .missed(kind, _, let cause) = outcome else { return nil }
      return cause
    }
  }

  var falseUnlocks: Int { log.outcomes.count { $0 == .falseSign(.unlock, subject: 0) } }

  /// Clears the recorded output.
  mutating func forget() { log.removeAll() }
}
