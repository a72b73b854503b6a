import CivilTime
public import TriggerModel

/// A policy with resolved names. It is immutable, and all persons of a program share it.
public struct CompiledCapPolicy: Sendable {
  /// The caps of all types in one table, with one row per type and one column per kind of cap.
  struct TypeCaps: Hashable, Sendable {
    let typeCount: Int
    private var limits: [UInt32]
    /// The days of each type's rolling cap. Empty if there is none.
    private(set) var rollingDays: [UInt16] = []
    /// The kinds of caps that at least one type uses, one bit each.
    private var used: UInt8 = 0
    /// The types among the first 64 whose daily cap is 0, one bit each.
    private(set) var neverDaily: UInt64 = 0

    init(typeCount: Int) {
      precondition(TypeCap.allCases.map(\.rawValue) == Array(0..<UInt8(Self.kindCount)))
      self.typeCount = typeCount
      limits = Array(repeating: unlimited, count: typeCount * Self.kindCount)
    }

    // A compile-time constant, so that a lookup needs only a shift.
    @inline(__always)
    private static var kindCount: Int { Int(TypeCap.lapse.rawValue) + 1 }

    @inline(__always)
    subscript(type: Int, cap: TypeCap) -> UInt32 { limits[type * Self.kindCount + Int(cap.rawValue)] }

    /// Sets the caps of one kind, by type, and the days of rolling caps.
    mutating func set(_ cap: TypeCap, _ numbers: [UInt32], days: [UInt16]) {
      if cap == .rolling { rollingDays = days }
      for (type, number) in numbers.enumerated() {
        limits[type * Self.kindCount + Int(cap.rawValue)] = number
      }
      if numbers.contains(where: { $0 != unlimited }) { used |= 1 << cap.rawValue }
      if cap == .daily {
        for (type, number) in numbers.prefix(64).enumerated() where number == 0 {
          neverDaily |= 1 << UInt64(type)
        }
      }
    }

    var specialTypes: [TypeID] {
      (0..<typeCount).filter { type in
        self[type, .daily] == 0
          || TypeCap.allCases.contains { $0 != .daily && self[type, $0] != unlimited }
      }.map { TypeID($0) }
    }

    /// Whether at least one type has a cap of this kind.
    @inline(__always)
    func uses(_ cap: TypeCap) -> Bool { used >> cap.rawValue & 1 == 1 }
  }

  /// A cap on all notifications of the standard bucket together.
  struct BucketCap: Hashable, Sendable, BitwiseCopyable {
    var reason: Reason
    var period: CapPeriod
    var limit: UInt32
  }

  /// The value for "no cap". No counter reaches it, so a check is a single comparison.
  static let unlimited = UInt32.max

  /// The number of types that requests may name. A ``TriggerModel/TypeID`` is a position in the list of names
  /// passed to the initializer.
  public var typeCount: Int { typeCaps.typeCount }
  /// The checks in the order in which they are made.
  public let checkOrder: [Reason]

  let typeCaps: TypeCaps
  /// The types that may get different decisions than others in the bucket. They have a cap other than the
  /// daily one, or a daily cap of 0, or skip the quiet-hours check.
  let specialTypes: [TypeID]
  let checks: ReasonSet
  /// A table for finding the first check of a set.
  let firstChecks: FirstChecks
  let quietHours: WeeklyWindows?
  let deferringBuckets: UInt8
  /// Whether quiet hours defer requests of a bucket with caps by day.
  var defersCounted: Bool { quietHours != nil && deferringBuckets & ~(1 << Bucket.user.rawValue) != 0 }
  let criticalBypassesQuietHours: Bool
  /// The types that skip the quiet-hours check, and whether there are any.
  let quietExceptions: TypeSet
  let hasQuietExceptions: Bool
  let criticalPreempts: Bool
  let countsPresentedOnly: Bool
  let dailyCap: UInt32
  let criticalDailyCap: UInt32
  /// The caps on the standard bucket over more than a day.
  let bucketCaps: [BucketCap]
  let keptThroughReinstall: TypeSet
  let weekStart: Weekday
  /// The number of days before today for which counts are kept.
  let keptDays: Int
  let counterLag: TimeSpan
  let minimumInterval: TimeSpan
  let criticalsAreNeighbours: Bool

  /// Resolves a policy against the notification types of a program.
  ///
  /// - Complexity: O(n) in the number of types
  public init(_ policy: CapPolicy, types names: [String]) throws(CapPolicyError) {
    typeCaps = try Self.typeCaps(policy, names)
    checkOrder = try Self.order(policy.checkOrder)
    checks = checkOrder.reduce(into: []) { $0.insert($1) }
    firstChecks = FirstChecks(checkOrder)
    dailyCap = try Self.limit(policy.dailyCap, key: "dailyCap")
    criticalDailyCap = try Self.limit(policy.criticalDailyCap, key: "criticalDailyCap")
    bucketCaps = try Self.bucketCaps(policy)
    if policy.minimumInterval < .zero { throw .negative(key: "minimumInterval") }
    minimumInterval = policy.minimumInterval
    criticalsAreNeighbours = policy.minimumIntervalScope == .all
    quietHours = policy.quietHours.flatMap { $0.isEmpty ? nil : $0 }
    deferringBuckets = Bucket.allCases.reduce(0) { bits, bucket in
      policy.quietAction[bucket] == .defer ? bits | 1 << bucket.rawValue : bits
    }
    criticalBypassesQuietHours = policy.criticalBypassesQuietHours
    quietExceptions = try Self.types(policy.bypassQuietHours, key: "bypassQuietHours", names)
    hasQuietExceptions = !quietExceptions.isEmpty
    specialTypes = typeCaps.specialTypes + quietExceptions.members
    criticalPreempts = policy.criticalPreempts
    countsPresentedOnly = policy.countsPresentedOnly
    keptThroughReinstall = try Self.lifetimeSurvivors(policy, names)
    weekStart = policy.weekStart
    keptDays = Self.keptDays(typeCaps, bucketCaps, weekStart)
    if policy.counterLag < .zero { throw .negative(key: "counterLag") }
    counterLag = policy.counterLag
  }

  /// Returns the checks of a set in check order.
  public func ordered(_ blockers: ReasonSet) -> [Reason] {
    checkOrder.filter(blockers.contains)
  }

  /// Returns the days that a cap of a type counts together. It must be a kind that counts by day.
  func period(of cap: TypeCap, _ type: TypeID) -> CapPeriod {
    let days = cap == .rolling ? Int(typeCaps.rollingDays[type.index]) : 0
    guard let period = cap.period(days: days, weekStart: weekStart) else {
      preconditionFailure("\(cap) does not count by day")
    }
    return period
  }

  // MARK: Resolving

  private static func typeCaps(_ policy: CapPolicy, _ names: [String]) throws(CapPolicyError) -> TypeCaps {
    let daily = try limit(policy.typeDailyCap, key: "typeDailyCap")
    var caps = TypeCaps(typeCount: names.count)
    let indices = Dictionary(zip(names, 0...), uniquingKeysWith: { first, _ in first })
    for cap in TypeCap.allCases {
      var numbers = [UInt32](repeating: cap == .daily ? daily : unlimited, count: names.count)
      var days: [UInt16] = []
      // Sorted so that the thrown error does not depend on the order of the dictionary.
      for (name, allowed) in policy[cap].sorted(by: { $0.key < $1.key }) {
        guard let index = indices[name] else {
          throw .unknownType(name, key: cap.key, nearest: NearestNames.of(name, among: names))
        }
        numbers[index] = try limit(allowed, cap, key: "\(cap.key) of \"\(name)\"")
        if cap == .rolling {
          if days.isEmpty { days = Array(repeating: 1, count: names.count) }
          days[index] = UInt16(allowed.days)
        }
      }
      caps.set(cap, numbers, days: days)
    }
    return caps
  }

  private static func bucketCaps(_ policy: CapPolicy) throws(CapPolicyError) -> [BucketCap] {
    var caps: [BucketCap] = []
    for cap in TypeCap.ofBuckets {
      guard let allowed = policy[ofBucket: cap], let (key, _, reason) = cap.ofBucket,
        let period = cap.period(days: allowed.days, weekStart: policy.weekStart)
      else { continue }
      caps.append(BucketCap(reason: reason, period: period, limit: try limit(allowed, cap, key: key)))
    }
    return caps
  }

  private static func keptDays(_ typeCaps: TypeCaps, _ bucketCaps: [BucketCap], _ weekStart: Weekday) -> Int {
    let days = typeCaps.rollingDays.max() ?? 0
    let ofTypes = TypeCap.allCases.filter(typeCaps.uses).compactMap {
      $0.period(days: Int(days), weekStart: weekStart)
    }
    return ([.day] + ofTypes + bucketCaps.map(\.period)).map(DayCounts.keptDays).max() ?? 0
  }

  private static func lifetimeSurvivors(_ policy: CapPolicy, _ names: [String]) throws(CapPolicyError)
    -> TypeSet
  {
    let kept = try types(policy.keptThroughReinstall, key: "keptThroughReinstall", names)
    return policy.lifetimeSurvivesReinstall ? try types(names, key: "", names) : kept
  }

  private static func types(_ members: [String], key: String, _ names: [String]) throws(CapPolicyError)
    -> TypeSet
  {
    var types = TypeSet()
    for name in members {
      guard names.contains(name) else {
        throw .unknownType(name, key: key, nearest: NearestNames.of(name, among: names))
      }
    }
    for (index, name) in names.enumerated() where members.contains(name) { types.insert(TypeID(index)) }
    return types
  }

  private static func limit(_ cap: Int?, key: String) throws(CapPolicyError) -> UInt32 {
    guard let cap else { return unlimited }
    if cap < 0 { throw .negative(key: key) }
    return UInt32(clamping: cap)
  }

  private static func limit(_ cap: CapLimit, _ kind: TypeCap, key: String) throws(CapPolicyError) -> UInt32 {
    if kind == .rolling, !CapLimit.dayRange.contains(cap.days) { throw .wrongDays(key: key) }
    return try limit(cap.count, key: key)
  }

  private static func order(_ order: [Reason]) throws(CapPolicyError) -> [Reason] {
    let known = CapPolicy.standingChecks + CapPolicy.defaultCheckOrder
    for (index, check) in order.enumerated() {
      if !known.contains(check) { throw .notACheck(check) }
      if order[..<index].contains(check) { throw .repeatedCheck(check) }
    }
    return CapPolicy.standingChecks.filter { !order.contains($0) } + order
  }
}

/// A table for finding the first check of a set in the order of a policy.
///
/// A search takes two lookups. A linear search took a third of the time of a decision.
struct FirstChecks: Hashable, Sendable {
  /// The position of the first check of each set of the nine checks with the lowest raw values, followed by
  /// the same for the next nine. Empty sets have 255.
  private var places: [UInt8]
  private static let half = 9
  private static let mask = 1 << half - 1
  private static let lowest = Reason.notRegistered.rawValue

  init(_ order: [Reason]) {
    let lowest = UInt64(Self.lowest)
    precondition(
      order.allSatisfy { ($0.rawValue &- Self.lowest) < 2 * Self.half }, "more checks than the table holds")
    places = Array(repeating: .max, count: 2 << Self.half)
    for set in 0..<places.count where set & Self.mask != 0 {
      // The first check of a set is the first of its lowest check and the rest.
      let check = set.trailingZeroBitCount + (set > Self.mask ? Self.half : 0)
      let place = order.firstIndex { UInt64($0.rawValue) - lowest == UInt64(check) }.map(UInt8.init) ?? .max
      let rest = set & (set - 1)
      places[set] = rest & Self.mask == 0 ? place : min(place, places[rest])
    }
  }

  /// Returns the position of the first check of a nonempty set in check order.
  @inline(__always)
  func place(of checks: ReasonSet) -> Int {
    let bits = Int(truncatingIfNeeded: checks.rawValue >> UInt64(Self.lowest))
    return places.withUnsafeBufferPointer {
      Int(min($0[bits & Self.mask], $0[bits >> Self.half & Self.mask | 1 << Self.half]))
    }
  }
}
