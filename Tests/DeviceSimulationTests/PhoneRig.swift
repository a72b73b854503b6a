import CivilTime
import DeviceSimulation
import Geofencing
import SimulationKernel
import TriggerModel

/// A phone with a future event list of its own, and a record of all that came out.
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
    regions: [CircularRegion]? = nil, appCount: Int = 30, seed: UInt64 = 1,
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
      appCount: appCount)
    watch = try PlaceWatch(blueprint)
    phone = Phone(start, blueprint: blueprint)
    var out = PhoneOutput()
    phone.begin(at: now, into: &out)
    keep(out)
  }

  /// Lets time pass, and the timers in it fire.
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

  /// Hands over a request that is due after a while.
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

  // MARK: - What came out

  /// Levels are left out: they come by themselves.
  var truth: [ObservedEvent.Kind] { log.truth.map(\.kind).filter { $0 != .batteryLevel } }
  var observed: [ObservedEvent.Kind] { log.observed.map(\.kind).filter { $0 != .batteryLevel } }

  func count(_ kind: ObservedEvent.Kind) -> Int { observed.count { $0 == kind } }

  /// The instants of an observed kind, as spans since the start of the wall clock.
  func times(_ kind: ObservedEvent.Kind) -> [TimeSpan] {
    log.observed.filter { $0.kind == kind }.map { $0.moment.wall - Self.start }
  }

  /// The reminders of the requests that were delivered, in order.
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

  /// The reminders of the requests that were removed for a reason, in order.
  func removed(_ reason: Reason) -> [Int] {
    log.outcomes.compactMap { outcome in
      guard case .removed(let id, reason) = outcome else { return nil }
      return id.reminder.index
    }
  }

  /// Empties the record.
  mutating func forget() { log.removeAll() }
}
