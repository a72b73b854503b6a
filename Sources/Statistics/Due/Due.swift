import TriggerModel

/// A request that was due.
struct Due: Hashable, Sendable {
  var instant: Instant
  var moment: Moment
  /// What it was due for, on the wall clock.
  var time: Instant
  var cause: ObservedEvent.Kind
  /// The fact whose change it was, where that is the cause.
  var fact: UInt32?
  /// The happening that led to it, if it is one that the platform gives a sign of.
  var sign: SignLedger.Entry?
  /// The app could not read a fact that the reminder asks for.
  var isBlind: Bool
  /// Why the engine made no request though it was told.
  var declined: Reason?
  /// What became of the request that the system was to repeat.
  var fallen: Reason?

  /// - Parameters:
  ///   - isBlind: The app cannot read a fact that the reminder asks for.
  ///   - lateFacts: Those of whose change it is told only now.
  func canBeAnswered(at instant: Instant, isBlind: Bool, _ lateFacts: [UInt32]) -> Bool {
    !self.isBlind || isBlind || sign != nil || instant == self.instant
      || fact.map(lateFacts.contains) ?? false
  }
}

extension Due {
  /// How many of ``words`` say anything.
  static let wordCount = 9

  /// All that it says; of those that are alike as many words as can be are the same, or go on by the same step.
  var words: SIMD16<UInt64> {
    var words = SIMD16<UInt64>.zero
    words[0] = Self.bits(instant)
    words[1] = Self.bits(moment.wall) &- words[0]
    words[2] = UInt64(bitPattern: moment.uptime.span.milliseconds) &- words[0]
    words[3] = UInt64(moment.uptime.boot) | UInt64(moment.zone.rawValue) << 32
    words[4] = Self.bits(time) &- Self.bits(moment.wall)
    words[5] =
      UInt64(cause.rawValue) | (isBlind ? 1 << 8 : 0) | Self.bits(declined) << 16 | Self.bits(fallen) << 32
    words[6] = fact.map { UInt64($0) + 1 } ?? 0
    words[7] = sign.map { (UInt64($0.event.rawValue) + 1) << 32 | UInt64($0.subject) } ?? 0
    words[8] = UInt64(bitPattern: Int64(sign?.number ?? 0))
    return words
  }

  init(words: SIMD16<UInt64>) {
    let wall = words[0] &+ words[1]
    instant = Self.instant(words[0])
    moment = Moment(
      wall: Self.instant(wall),
      uptime: Uptime(
        boot: UInt32(truncatingIfNeeded: words[3]),
        span: TimeSpan(milliseconds: Int64(bitPattern: words[0] &+ words[2]))),
      zone: ZoneID(UInt32(truncatingIfNeeded: words[3] >> 32)))
    time = Self.instant(wall &+ words[4])
    cause = Self.kind(words[5])
    isBlind = words[5] >> 8 & 1 != 0
    declined = Self.reason(words[5] >> 16)
    fallen = Self.reason(words[5] >> 32)
    fact = words[6] == 0 ? nil : UInt32(words[6] - 1)
    if words[7] != 0 {
      sign = SignLedger.Entry(
        event: Self.kind(words[7] >> 32 - 1), subject: UInt32(truncatingIfNeeded: words[7]),
        number: Int(Int64(bitPattern: words[8])))
    }
  }

  private static func bits(_ instant: Instant) -> UInt64 {
    UInt64(bitPattern: instant.millisecondsSince1970)
  }

  private static func instant(_ bits: UInt64) -> Instant {
    Instant(millisecondsSince1970: Int64(bitPattern: bits))
  }

  private static func bits(_ reason: Reason?) -> UInt64 { reason.map { UInt64($0.rawValue) + 1 } ?? 0 }

  private static func reason(_ bits: UInt64) -> Reason? {
    bits & 0xFFFF == 0 ? nil : Reason(rawValue: UInt8(bits & 0xFFFF - 1))
  }

  private static func kind(_ bits: UInt64) -> ObservedEvent.Kind {
    guard let kind = ObservedEvent.Kind(rawValue: UInt8(truncatingIfNeeded: bits)) else {
      preconditionFailure("what is unpacked was packed")
    }
    return kind
  }
}
