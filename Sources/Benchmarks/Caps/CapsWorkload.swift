import TriggerModel

/// A random stream of requests: what the cap scheduler is asked to decide.
struct CapsWorkload {
  static let types = 20
  /// Monday 2026-01-05T00:00:00Z.
  static let start = Instant(millisecondsSince1970: 1_767_571_200_000)

  /// Each request with the instant at which it is decided.
  let steps: [(now: Moment, request: NotificationRequest)]

  /// One request every ten minutes or so; most are for now, some are up to a day ahead.
  init(requests: Int) {
    var generator = SplitMix64(state: 20_260_105)
    func below(_ bound: UInt64) -> UInt64 { (generator.next() >> 11) % bound }
    var seconds: Int64 = 0
    steps = (0..<requests).map { index in
      seconds += 1 + Int64(below(1_200))
      let wall = Self.start + .seconds(seconds)
      let ahead = below(5) == 0 ? Int64(below(86_400)) : 0
      let bucket: Bucket = [.standard, .standard, .standard, .critical, .user][Int(below(5))]
      let now = Moment(wall: wall, uptime: Uptime(boot: 0, span: .seconds(seconds)), zone: ZoneID(0))
      let id = RequestID(reminder: ReminderID(index), occurrence: 0)
      let request = NotificationRequest(
        id: id, type: TypeID(Int(below(UInt64(Self.types)))), bucket: bucket,
        scheduledFor: wall + .seconds(ahead), deliverAt: wall + .seconds(ahead))
      return (now, request)
    }
  }
}
