package import TriggerModel

/// What an experiment keeps of one person under one policy: whole numbers alone, in memory that is used for one
/// person after the other.
package struct PersonOutcome: Hashable, Sendable {
  /// What became of the requests of one type.
  package struct TypeCounts: Hashable, Sendable, BitwiseCopyable {
    package var requested: Int64 = 0
    /// Of these, those that were shown, on whichever device.
    package var reached: Int64 = 0
    /// Exposed: the denominator of tap-through.
    package var shown: Int64 = 0
    package var tapped: Int64 = 0

    package init() {}
  }

  /// What was exposed in one hour of the local day, and tapped of that.
  package struct HourCounts: Hashable, Sendable, BitwiseCopyable {
    package var shown: Int64 = 0
    package var tapped: Int64 = 0

    package init() {}
  }

  package var requested: Int64 = 0
  /// Of these, those that were shown, on whichever device.
  package var reached: Int64 = 0
  /// Exposed to the person, on each device: in front of an app that asks for nothing is not.
  package var shown: Int64 = 0
  package var tapped: Int64 = 0
  package var dismissed: Int64 = 0
  /// 1: the person has turned notifications off.
  package var optedOut: Int64 = 0
  /// How often the app was opened, by a tap or without.
  package var opens: Int64 = 0
  /// How often it was opened without a notification.
  package var organicOpens: Int64 = 0
  package var personDays: Int64 = 0
  /// One for each type of the population.
  package var byType: [TypeCounts]
  /// By the hour of the local day in which it was shown.
  package var byHour = [HourCounts](repeating: HourCounts(), count: 24)
  /// By the raw value of the ``TriggerModel/Reason``: the first failing check.
  package var denied = [Int64](repeating: 0, count: Reason.allCases.count)
  /// How near denials were, see ``Nearness``: the counts of a reason follow each other.
  package var nearness = [Int64](repeating: 0, count: Reason.allCases.count * Nearness.count)
  /// What became of each request. In any order while a person is played, sorted by ``Decision/key`` after
  /// ``PolicyArm/run(_:into:)``; two lists of a person then merge into who gained and who was displaced.
  package var decisions: [Decision] = []

  /// - Parameter types: how many types the population has.
  package init(types: Int) {
    byType = Array(repeating: TypeCounts(), count: types)
  }

  /// Forgets the person, and keeps the memory.
  package mutating func reset() {
    (requested, reached, shown, tapped, dismissed, optedOut) = (0, 0, 0, 0, 0, 0)
    (opens, organicOpens, personDays) = (0, 0, 0)
    for index in byType.indices { byType[index] = TypeCounts() }
    for index in byHour.indices { byHour[index] = HourCounts() }
    for index in denied.indices { denied[index] = 0 }
    for index in nearness.indices { nearness[index] = 0 }
    decisions.removeAll(keepingCapacity: true)
  }
}

extension PersonOutcome {
  /// What became of one request.
  package struct Decision: Hashable, Sendable, BitwiseCopyable {
    /// What the request is, the same under every policy: its reminder or type, and the instant for which it was
    /// due.
    package var key: UInt64
    /// The position of its type in the population's list.
    package var type: UInt16
    /// The local day for which it was due, as the days of the run are counted: 1 is the first.
    package var day: UInt16
    /// Of the local day, 0 … 23, for which it was due.
    package var hour: UInt8
    package var minute: UInt8
    package var fate: Fate
    /// Of one that was denied: how much later it would have passed, see ``Nearness``, where that is kept by request.
    package var nearness = Nearness.never

    /// - Parameter millisecond: Of the local day.
    package init(key: UInt64, type: UInt16, day: Int, millisecond: Int64, fate: Fate) {
      self.key = key
      self.type = type
      self.day = UInt16(clamping: day)
      hour = UInt8(truncatingIfNeeded: millisecond / 3_600_000)
      minute = UInt8(truncatingIfNeeded: millisecond / 60_000 % 60)
      self.fate = fate
    }
  }

  /// How a request ended.
  package struct Fate: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Shown, and neither tapped nor dismissed.
    package static let ignored = Fate(rawValue: 0)
    package static let tapped = Fate(rawValue: 1)
    package static let dismissed = Fate(rawValue: 2)
    /// Still on its way when the days were over: neither shown nor lost.
    package static let waiting = Fate(rawValue: 3)

    /// It never reached the person, for this reason.
    package static func lost(_ reason: Reason) -> Fate { Fate(rawValue: 0x80 | reason.rawValue) }

    package var isShown: Bool { rawValue < Self.waiting.rawValue }
    package var isLost: Bool { rawValue & 0x80 != 0 }
    /// Nil where it was not lost.
    package var reason: Reason? { isLost ? Reason(rawValue: rawValue & 0x7F) : nil }
  }

  /// How much later a denied request would have passed the check that denied it.
  ///
  /// Of the minimum interval the rest of it, of quiet hours until they end, of a cap by day until midnight. Where
  /// something is reserved ahead, the rest of the interval until then.
  package enum Nearness {
    /// Upper bounds in seconds, exclusive; what is later, or never, comes after the last.
    package static let bounds: [Int64] = [900, 1_800, 3_600, 7_200, 14_400]
    package static let count = 6
    /// The bin of what would never have passed.
    package static let never: UInt8 = 5

    /// - Parameter seconds: nil: never.
    @inlinable
    package static func bin(_ seconds: Int64?) -> Int {
      guard let seconds else { return 5 }
      return seconds < 1_800
        ? (seconds < 900 ? 0 : 1) : seconds < 7_200 ? (seconds < 3_600 ? 2 : 3) : seconds < 14_400 ? 4 : 5
    }
  }

  /// Counts a denial by its reason.
  ///
  /// - Parameter seconds: how much later it would have passed, see ``Nearness``; nil: never, or unknown.
  @inlinable
  package mutating func deny(_ reason: Reason, secondsTooEarly seconds: Int64? = nil) {
    deny(reason, nearness: Nearness.bin(seconds))
  }

  /// Counts a denial by its reason.
  ///
  /// - Parameter bin: A ``Nearness/bin(_:)``.
  @inlinable
  package mutating func deny(_ reason: Reason, nearness bin: Int) {
    denied[Int(reason.rawValue)] &+= 1
    nearness[Int(reason.rawValue) &* Nearness.count &+ bin] &+= 1
  }
}
