import CivilTime
import TriggerModel

extension GatewayState {
  /// Reads what was stored into a fresh state that has all types.
  mutating func read(_ reader: inout StateReader) throws(StoreProblem) {
    lapse = try reader.number32()
    for type in reader.types {
      setCounts(type, lifetime: try reader.number32(), lapse: try reader.number32())
    }
    preferences.isEnabled = try reader.flag()
    preferences.dailyCap = try reader.optional {
      (reader: inout StateReader) throws(StoreProblem) in Int(try reader.number32())
    }
    let disabled = try reader.list(each: 1) {
      (reader: inout StateReader) throws(StoreProblem) in try reader.type()
    }
    for type in disabled { preferences.disabledTypes.insert(type) }
    days = try DayCounts(from: &reader)
    pending = try reader.list(each: 7) {
      (reader: inout StateReader) throws(StoreProblem) in try reader.reservation()
    }
    pending.sort()
    uncounted = try reader.list(each: 11) {
      (reader: inout StateReader) throws(StoreProblem) in
      UncountedTake(reservation: try reader.reservation(), admitted: try reader.moment())
    }
    unconfirmed = try reader.list(each: 12) {
      (reader: inout StateReader) throws(StoreProblem) in
      Unconfirmed(
        reservation: try reader.reservation(), delivered: try reader.moment(),
        previous: try reader.optionalMoment())
    }
    held = try reader.list(each: 10) {
      (reader: inout StateReader) throws(StoreProblem) in
      HeldRequest(request: try reader.notificationRequest(), releaseAt: try reader.instant())
    }
    held.sort()
    collected = try reader.list(each: 9) {
      (reader: inout StateReader) throws(StoreProblem) in try reader.notificationRequest()
    }
    announcedRelease = try reader.openInstant()
    lastStandard = try reader.optionalMoment()
    lastCritical = try reader.optionalMoment()
    clocks = try reader.optional {
      (reader: inout StateReader) throws(StoreProblem) in
      let boot = try reader.number32()
      return ClockPair(boot: boot, wallAtBoot: try reader.instant())
    }
    zone =
      try reader.optional { (reader: inout StateReader) throws(StoreProblem) in try reader.zone() } ?? nil
    if reader.isAtEnd { return }
    let withTheSystem = try reader.list(each: 9) {
      (reader: inout StateReader) throws(StoreProblem) in try reader.notificationRequest()
    }
    // What was put off is pending for another instant than it was asked for.
    let times = Dictionary(pending.map { ($0.id, $0.deliverAt) }) { first, _ in first }
    let isFixed = { (request: NotificationRequest) in
      !request.isFloating && times[request.id] == request.deliverAt
    }
    released = withTheSystem.filter { !isFixed($0) }
    fixed = withTheSystem.filter(isFixed)
    if !reader.isAtEnd { preempting = try reader.notificationRequest() }
  }
}

extension DayCounts {
  fileprivate init(from reader: inout StateReader) throws(StoreProblem) {
    let days = try reader.list(each: 2) {
      (reader: inout StateReader) throws(StoreProblem) in
      (
        day: CivilDate(dayNumber: try reader.day()),
        counts: try reader.list(each: 2) {
          (reader: inout StateReader) throws(StoreProblem) in
          (subject: try reader.subject(), count: try reader.number32())
        }
      )
    }
    guard let counts = DayCounts(days) else { throw .contradictory }
    self = counts
  }
}

extension StateWriter {
  /// 0 and 1 for all of the standard and of the critical bucket; 2 and more for the types.
  func code(of subject: DayCounts.Subject) -> UInt64 {
    guard let type = subject.type else { return subject == .standard ? 0 : 1 }
    return UInt64(place(of: type)) + 2
  }

  mutating func reservation(_ reservation: Reservation) {
    request(reservation.id)
    instant(reservation.deliverAt)
    type(reservation.type)
    day(reservation.day.dayNumber)
    number(reservation.lapse)
    bucket(reservation.bucket, isFloating: reservation.isFloating, repeats: reservation.repeats)
  }

  mutating func request(_ request: NotificationRequest) {
    self.request(request.id)
    type(request.type)
    bucket(request.bucket, isFloating: request.isFloating, repeats: request.repeats)
    byte(request.priority)
    byte(request.copy)
    instant(request.scheduledFor)
    instant(request.deliverAt)
    openInstant(request.expiresAt)
  }
}

extension StateReader {
  fileprivate mutating func subject() throws(StoreProblem) -> DayCounts.Subject {
    let code = try number()
    if code < 2 { return code == 0 ? .standard : .critical }
    if code - 2 >= UInt64(types.count) { throw .contradictory }
    return .type(types[Int(code - 2)])
  }

  fileprivate mutating func optionalMoment() throws(StoreProblem) -> Moment? {
    try optional { (reader: inout StateReader) throws(StoreProblem) in try reader.moment() }
  }

  fileprivate mutating func reservation() throws(StoreProblem) -> Reservation {
    let id = try request()
    let deliverAt = try instant()
    let type = try type()
    let day = CivilDate(dayNumber: try day())
    let lapse = try number32()
    let (bucket, isFloating, repeats) = try bucket()
    return Reservation(
      id: id, deliverAt: deliverAt, type: type, day: day, lapse: lapse, bucket: bucket,
      isFloating: isFloating, repeats: repeats)
  }

  fileprivate mutating func notificationRequest() throws(StoreProblem) -> NotificationRequest {
    let id = try request()
    let type = try type()
    let (bucket, isFloating, repeats) = try bucket()
    return NotificationRequest(
      id: id, type: type, bucket: bucket, priority: try byte(), copy: try byte(),
      scheduledFor: try instant(), deliverAt: try instant(), expiresAt: try openInstant(),
      isFloating: isFloating, repeats: repeats)
  }
}
