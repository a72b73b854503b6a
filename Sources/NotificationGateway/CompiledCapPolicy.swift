import CivilTime
public import TriggerModel

/// A policy with its names resolved: immutable, shared by all persons of a program.
public struct CompiledCapPolicy: Sendable {
  /// The caps of all types in one table: for each type as many numbers as there are kinds of caps.
  struct TypeCaps: Hashable, Sendable {
    let typeCount: Int
    private var limits: [UInt32]
    /// The kinds of which some type has a cap, one bit each.
    private var used: UInt8 = 0
    /// Of the first 64 types those that are never delivered in the standard bucket: their daily cap is 0.
    private(set) var neverDaily: UInt64 = 0

    init(typeCount: Int) {
      precondition(TypeCap.allCases.map(\.rawValue) == Array(0..<UInt8(Self.kindCount)))
      self.typeCount = typeCount
      limits = Array(repeating: unlimited, count: typeCount * Self.kindCount)
    }

    // Known to the compiler, so that a look-up is a shift.
    @inline(__always)
    private static var kindCount: Int { Int(TypeCap.lapse.rawValue) + 1 }

    @inline(__always)
    subscript(type: Int, cap: TypeCap) -> UInt32 { limits[type * Self.kindCount + Int(cap.rawValue)] }

    /// Sets the caps of one kind, by type.
    mutating func set(_ cap: TypeCap, _ numbers: [UInt32]) {
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

    var typesApart: [TypeID] {
      (0..<typeCount).filter { type in
        self[type, .daily] == 0
          || TypeCap.allCases.contains { $0 != .daily && self[type, $0] != unlimited }
      }.map { TypeID($0) }
    }

    /// Whether some type has a cap of this kind.
    @inline(__always)
    func uses(_ cap: TypeCap) -> Bool { used >> cap.rawValue & 1 == 1 }
  }

  /// More than any counter reaches: stands for "no cap", so that a check is one comparison.
  static let unlimited = UInt32.max

  /// How many types requests may name; ``TriggerModel/TypeID`` counts from 0 in the order given to the initialiser.
  public var typeCount: Int { typeCaps.typeCount }
  /// The checks that are made, in their order.
  public let checkOrder: [Reason]

  let typeCaps: TypeCaps
  /// The types whose own caps count more than what was delivered today, or allow nothing at all.
  let typesApart: [TypeID]
  let checks: ReasonSet
  /// Finds the first of several.
  let firsts: FirstChecks
  let quietHours: DailyWindow?
  let deferringBuckets: UInt8
  let criticalBypassesQuietHours: Bool
  let criticalPreempts: Bool
  let dailyCap: UInt32
  let criticalDailyCap: UInt32
  let keptThroughReinstall: TypeSet
  let weekStart: Weekday
  /// How many days of deliveries before today the accounts keep.
  let keptDays: Int
  let counterLag: TimeSpan
  let minimumInterval: TimeSpan
  let criticalsAreNeighbours: Bool

  /// Resolves a policy against the notification types of a program.
  ///
  /// - Complexity: O(n) in the number of types
  public init(_ policy: CapPolicy, types names: [String]) throws(CapPolicyError) {
    typeCaps = try Self.typeCaps(policy, names)
    typesApart = typeCaps.typesApart
    checkOrder = try Self.order(policy.checkOrder)
    checks = checkOrder.reduce(into: []) { $0.insert($1) }
    firsts = FirstChecks(checkOrder)
    dailyCap = try Self.limit(policy.dailyCap, key: "dailyCap")
    criticalDailyCap = try Self.limit(policy.criticalDailyCap, key: "criticalDailyCap")
    if policy.minimumInterval < .zero { throw .negative(key: "minimumInterval") }
    minimumInterval = policy.minimumInterval
    criticalsAreNeighbours = policy.minimumIntervalScope == .all
    quietHours = policy.quietHours.flatMap { $0.isEmpty ? nil : $0 }
    deferringBuckets = Bucket.allCases.reduce(0) { bits, bucket in
      policy.quietAction[bucket] == .defer ? bits | 1 << bucket.rawValue : bits
    }
    criticalBypassesQuietHours = policy.criticalBypassesQuietHours
    criticalPreempts = policy.criticalPreempts
    keptThroughReinstall = try Self.survivors(policy, names)
    weekStart = policy.weekStart
    keptDays = TypeCap.allCases.filter(typeCaps.uses).reduce(DayCounts.keptDays) { max($0, $1.keptDays) }
    if policy.counterLag < .zero { throw .negative(key: "counterLag") }
    counterLag = policy.counterLag
  }

  /// The checks of a set in the order in which they are made.
  public func ordered(_ blockers: ReasonSet) -> [Reason] {
    checkOrder.filter(blockers.contains)
  }

  /// The local calendar week of a day.
  func week(of day: CivilDate) -> Range<CivilDate> {
    let start = day + -day.weekday.days(since: weekStart)
    return start..<start + 7
  }

  // MARK: Resolving

  private static func typeCaps(_ policy: CapPolicy, _ names: [String]) throws(CapPolicyError) -> TypeCaps {
    let daily = try limit(policy.typeDailyCap, key: "typeDailyCap")
    var caps = TypeCaps(typeCount: names.count)
    let indices = Dictionary(zip(names, 0...), uniquingKeysWith: { first, _ in first })
    for cap in TypeCap.allCases {
      var numbers = [UInt32](repeating: cap == .daily ? daily : unlimited, count: names.count)
      // Sorted, so that of several mistakes always the same one is named.
      for (name, number) in policy[cap].sorted(by: { $0.key < $1.key }) {
        guard let index = indices[name] else {
          throw .unknownType(name, key: cap.key, nearest: NearestNames.of(name, among: names))
        }
        numbers[index] = try limit(number, key: "\(cap.key) of \"\(name)\"")
      }
      caps.set(cap, numbers)
    }
    return caps
  }

  private static func survivors(_ policy: CapPolicy, _ names: [String]) throws(CapPolicyError) -> TypeSet {
    var kept = TypeSet()
    for name in policy.keptThroughReinstall {
      guard names.contains(name) else {
        throw .unknownType(name, key: "keptThroughReinstall", nearest: NearestNames.of(name, among: names))
      }
    }
    for (index, name) in names.enumerated()
    where policy.lifetimeSurvivesReinstall || policy.keptThroughReinstall.contains(name) {
      kept.insert(TypeID(index))
    }
    return kept
  }

  private static func limit(_ cap: Int?, key: String) throws(CapPolicyError) -> UInt32 {
    guard let cap else { return unlimited }
    if cap < 0 { throw .negative(key: key) }
    return UInt32(clamping: cap)
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
