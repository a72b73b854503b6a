import TriggerModel

/// The unanswered due requests of one reminder, with the latest one last.
///
/// There may be millions of them if an app observes nothing. None can be dropped, because each may still be
/// answered, starting with the latest. All except the latest elements are packed. A packed element takes
/// seven bytes, or three if the times are regular.
struct DueStack: Sendable {
  /// The number of elements in a packed batch. Larger batches have less overhead, but smaller ones leave
  /// fewer elements unpacked. Almost all operations concern the latest elements.
  static let batch = 128

  /// The earliest elements, in batches of ``batch``.
  private var packed: [PackedDues] = []
  private var latest: [DueRequest] = []

  /// All elements, with the earliest one first.
  var all: some Sequence<DueRequest> {
    (0...packed.count).lazy.flatMap { $0 < packed.count ? packed[$0].all : latest }
  }

  var isEmpty: Bool { packed.isEmpty && latest.isEmpty }

  mutating func append(_ due: DueRequest) {
    latest.append(due)
    if latest.count >= 2 * Self.batch { pack() }
  }

  /// Removes the latest element that satisfies a condition.
  ///
  /// - Returns: The element and the number of elements before it, or `nil` if no element satisfies the
  ///   condition.
  mutating func removeLast(where predicate: (DueRequest) -> Bool) -> (due: DueRequest, position: Int)? {
    var found = latest.lastIndex(where: predicate)
    if found == nil {
      guard let batch = packed.lastIndex(where: { $0.all.contains(where: predicate) }) else { return nil }
      unpack(from: batch)
      found = latest.prefix(Self.batch).lastIndex(where: predicate)
    }
    return found.map { (latest.remove(at: $0), packed.count * Self.batch + $0) }
  }

  /// Inserts an element at a position.
  mutating func insert(_ due: DueRequest, at position: Int) {
    if position < packed.count * Self.batch { unpack(from: position / Self.batch) }
    latest.insert(due, at: position - packed.count * Self.batch)
    if latest.count >= 2 * Self.batch { pack() }
  }

  /// Changes the latest element, if there is one.
  mutating func changeLast(_ body: (inout DueRequest) -> Void) {
    if latest.isEmpty, !packed.isEmpty { unpack(from: packed.count - 1) }
    if !latest.isEmpty { body(&latest[latest.count - 1]) }
  }

  /// Packs the earliest elements and leaves at least one batch unpacked.
  private mutating func pack() {
    let count = latest.count / Self.batch - 1
    for start in stride(from: 0, to: count * Self.batch, by: Self.batch) {
      packed.append(PackedDues(latest[start..<start + Self.batch]))
    }
    latest.removeFirst(count * Self.batch)
  }

  private mutating func unpack(from batch: Int) {
    latest = packed[batch...].flatMap(\.all) + latest
    packed.removeSubrange(batch...)
  }
}

/// A packed batch. It stores the words of the first element, and the differences between the words of
/// successive elements. Equal differences are stored only once.
private struct PackedDues: Sendable {
  private let steps: Parcel.Sealed

  init(_ dues: ArraySlice<DueRequest>) {
    var last = SIMD16<UInt64>.zero
    let steps = dues.map { due in
      let words = due.words
      defer { last = words }
      return words &- last
    }
    var parcel = Parcel()
    for word in 0..<DueRequest.wordCount {
      var column = steps.map { $0[word] }
      if column[1...].allSatisfy({ $0 == column[1] }) { column.removeLast(column.count - 2) }
      parcel.carry(&column)
    }
    self.steps = parcel.sealed()
  }

  var all: [DueRequest] {
    var parcel = Parcel(opening: steps)
    var steps = Array(repeating: SIMD16<UInt64>.zero, count: DueStack.batch)
    for word in 0..<DueRequest.wordCount {
      var column: [UInt64] = []
      parcel.carry(&column)
      for index in steps.indices { steps[index][word] = column[min(index, column.count - 1)] }
    }
    var last = SIMD16<UInt64>.zero
    return steps.map { step in
      last &+= step
      return DueRequest(words: last)
    }
  }
}

/// A request that was due.
struct DueRequest: Hashable, Sendable {
  var instant: Instant
  var moment: Moment
  /// The wall-clock instant for which the request was due.
  var time: Instant
  var cause: ObservedEvent.Kind
  /// The fact whose change triggered the reminder, or `nil` for other triggers.
  var fact: UInt32?
  /// The event that triggered the reminder, or `nil` if the platform has no signal for it.
  var signal: SignalLedger.Entry?
  /// Whether a fact of the reminder was unreadable.
  var isBlind: Bool
  /// The reason why the engine made no request although the app observed the event.
  var declined: Reason?
  /// The reason why the repeating request no longer existed, or `nil` if it was not lost.
  var repeatLoss: Reason?
  /// Whether the engine under test did not make the request when its observations called for it.
  var isWithheld = false

  /// Returns whether a request at an instant can answer this due request.
  ///
  /// - Parameters:
  ///   - isBlind: Whether a fact of the reminder is unreadable.
  ///   - lateFacts: The facts that changed earlier, if the app observes the change at this instant.
  func canBeAnswered(at instant: Instant, isBlind: Bool, _ lateFacts: [UInt32]) -> Bool {
    !self.isBlind || isBlind || signal != nil || instant == self.instant
      || fact.map(lateFacts.contains) ?? false
  }
}

extension DueRequest {
  /// The number of ``words`` in use.
  static let wordCount = 9

  /// The packed form. Similar due requests have equal words, or words with equal differences.
  var words: SIMD16<UInt64> {
    var words = SIMD16<UInt64>.zero
    words[0] = Self.bits(instant)
    words[1] = Self.bits(moment.wall) &- words[0]
    words[2] = UInt64(bitPattern: moment.uptime.span.milliseconds) &- words[0]
    words[3] = UInt64(moment.uptime.boot) | UInt64(moment.zone.rawValue) << 32
    words[4] = Self.bits(time) &- Self.bits(moment.wall)
    words[5] =
      UInt64(cause.rawValue) | (isBlind ? 1 << 8 : 0) | (isWithheld ? 1 << 9 : 0) | Self.bits(declined) << 16
      | Self.bits(repeatLoss)
      << 32
    words[6] = fact.map { UInt64($0) + 1 } ?? 0
    words[7] = signal.map { (UInt64($0.event.rawValue) + 1) << 32 | UInt64($0.subject) } ?? 0
    words[8] = UInt64(bitPattern: Int64(signal?.number ?? 0))
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
    isWithheld = words[5] >> 9 & 1 != 0
    declined = Self.reason(words[5] >> 16)
    repeatLoss = Self.reason(words[5] >> 32)
    fact = words[6] == 0 ? nil : UInt32(words[6] - 1)
    if words[7] != 0 {
      signal = SignalLedger.Entry(
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
      preconditionFailure("the bits were packed from an event kind")
    }
    return kind
  }
}
