package import TriggerModel

/// The counts of one person under one policy. Its memory is reused for the next person.
package struct PersonOutcome: Hashable, Sendable {
  /// The counts for the requests of one type.
  package struct TypeCounts: Hashable, Sendable, BitwiseCopyable {
    package var requested: Int64 = 0
    /// The number of requests shown on any device.
    package var reached: Int64 = 0
    /// The number of exposures, which is the denominator of tap-through.
    package var shown: Int64 = 0
    package var tapped: Int64 = 0
  }

  /// The exposures in one hour of the local day, and the taps on them.
  package struct HourCounts: Hashable, Sendable, BitwiseCopyable {
    package var shown: Int64 = 0
    package var tapped: Int64 = 0
  }

  package var requested: Int64 = 0
  /// The number of requests shown on any device.
  package var reached: Int64 = 0
  /// The number of exposures on all devices.
  ///
  /// An app in the foreground can suppress a notification, which is then not exposed.
  package var shown: Int64 = 0
  package var tapped: Int64 = 0
  package var dismissed: Int64 = 0
  /// 1 if the person has turned notifications off, otherwise 0.
  package var optedOut: Int64 = 0
  /// The number of times that the app was opened.
  package var opens: Int64 = 0
  /// The number of times that the app was opened other than by a tap on a notification.
  package var organicOpens: Int64 = 0
  package var personDays: Int64 = 0
  /// The counts for each notification type of the population.
  package var byType: [TypeCounts]
  /// The counts for each hour of the local day of the exposure.
  package var byHour = [HourCounts](repeating: HourCounts(), count: 24)
  /// The number of denied requests by reason. The reason of a denial is that of the first failing check. The index is
  /// the raw value of the ``TriggerModel/Reason``.
  package var denied = [Int64](repeating: 0, count: Reason.allCases.count)
  /// The concatenated histograms of ``Nearness``, one for each reason.
  package var nearness = [Int64](repeating: 0, count: Reason.allCases.count * Nearness.count)
  /// The outcome of each request. ``PolicyArm/run(_:into:)`` sorts the outcomes by ``Decision/key``, so that the
  /// outcomes of two policies can be merged.
  package var decisions: [Decision] = []

  /// - Parameter types: The number of types of the population.
  package init(types: Int) {
    byType = Array(repeating: TypeCounts(), count: types)
  }

  /// Sets all counts to 0 and keeps the allocated memory.
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
  /// The outcome of one request.
  package struct Decision: Hashable, Sendable, BitwiseCopyable {
    /// A key that identifies the request under every policy. It is derived from the reminder and the local due time
    /// or, in a workload, from the person's event.
    package var key: UInt64
    /// The index of the type in the population's list.
    package var type: UInt16
    /// The local day on which the request is due. The first day of the run is 1.
    package var day: UInt16
    /// The hour of the local due time, from 0 to 23.
    package var hour: UInt8
    package var minute: UInt8
    package var fate: Fate
    /// The ``Nearness`` bin of a denied request, if bins are recorded for single requests.
    package var nearness = Nearness.never

    /// - Parameter millisecond: The millisecond of the local day.
    package init(key: UInt64, type: UInt16, day: Int, millisecond: Int64, fate: Fate) {
      self.key = key
      self.type = type
      self.day = UInt16(clamping: day)
      hour = UInt8(truncatingIfNeeded: millisecond / 3_600_000)
      minute = UInt8(truncatingIfNeeded: millisecond / 60_000 % 60)
      self.fate = fate
    }
  }

  /// The outcome of a request.
  package struct Fate: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The notification was shown, but neither tapped nor dismissed.
    package static let ignored = Fate(rawValue: 0)
    package static let tapped = Fate(rawValue: 1)
    package static let dismissed = Fate(rawValue: 2)
    /// The request was neither shown nor lost by the end of the run.
    package static let waiting = Fate(rawValue: 3)

    /// Returns the fate of a request that was not shown for the given reason.
    package static func lost(_ reason: Reason) -> Fate { Fate(rawValue: 0x80 | reason.rawValue) }

    package var isShown: Bool { rawValue < Self.waiting.rawValue }
    package var isLost: Bool { rawValue & 0x80 != 0 }
    /// The reason of a lost request, or `nil` for any other fate.
    package var reason: Reason? { isLost ? Reason(rawValue: rawValue & 0x7F) : nil }
  }

  /// Histogram bins for the time by which a denied request was too early to pass the failed check.
  ///
  /// For the minimum interval, this is the remaining part of the interval after (or before) the nearest delivered or
  /// reserved notification. For quiet hours, it is the time until they end. For a daily cap, it is the time until
  /// midnight.
  package enum Nearness {
    /// The exclusive upper bounds of the bins, in seconds. The last bin is for longer times and for requests
    /// that would never have passed.
    package static let bounds: [Int64] = [900, 1_800, 3_600, 7_200, 14_400]
    package static let count = 6
    /// The bin of requests that would never have passed.
    package static let never: UInt8 = 5

    /// - Parameter seconds: The time, or `nil` if the request would never have passed.
    @inlinable
    package static func bin(_ seconds: Int64?) -> Int {
      guard let seconds else { return 5 }
      return seconds < 1_800
        ? (seconds < 900 ? 0 : 1) : seconds < 7_200 ? (seconds < 3_600 ? 2 : 3) : seconds < 14_400 ? 4 : 5
    }
  }

  /// Counts a denial by its reason.
  ///
  /// - Parameter seconds: How much later the request would have passed (see ``Nearness``), or `nil` if it
  ///   would never have passed or this is unknown.
  @inlinable
  package mutating func deny(_ reason: Reason, secondsTooEarly seconds: Int64? = nil) {
    deny(reason, nearness: Nearness.bin(seconds))
  }

  /// Counts a denial by its reason.
  ///
  /// - Parameter bin: The result of ``Nearness/bin(_:)``.
  @inlinable
  package mutating func deny(_ reason: Reason, nearness bin: Int) {
    denied[Int(reason.rawValue)] &+= 1
    nearness[Int(reason.rawValue) &* Nearness.count &+ bin] &+= 1
  }
}

/// A policy that is applied to a population. Each worker has its own copy.
///
/// Person `k` has the same random numbers under every arm, so that only the policies differ.
package protocol PolicyArm: Sendable {
  /// Simulates a person from the first day to the last.
  ///
  /// The outcome does not depend on the people that this copy has already simulated.
  ///
  /// - Parameter outcome: The outcome to overwrite. On return, its decisions are sorted by key. Its memory is reused.
  mutating func run(_ person: UInt64, into outcome: inout PersonOutcome)

  /// Returns the index of another arm with the same outcome for a person, or `nil` if none is known.
  ///
  /// The arm may also copy data that does not depend on the policy from the other arms.
  ///
  /// - Parameter others: The arms that have already simulated the person.
  mutating func equivalentArm(for person: UInt64, among others: ArraySlice<any PolicyArm>) -> Int?
}

extension PolicyArm {
  package mutating func equivalentArm(for person: UInt64, among others: ArraySlice<any PolicyArm>) -> Int? {
    nil
  }
}
