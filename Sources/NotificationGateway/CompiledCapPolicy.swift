import CivilTime
public import TriggerModel

/// A policy with its names resolved: immutable, shared by all persons of a program.
public struct CompiledCapPolicy: Sendable {
  /// The caps of all types in one table: for each type as many numbers as there are kinds of caps.
  struct TypeCaps: Hashable, Sendable {
    let typeCount: Int
    // Counted once: the list of all kinds is made anew whenever it is asked for.
    private let kindCount = TypeCap.allCases.count
    private var limits: [UInt32]

    init(typeCount: Int) {
      self.typeCount = typeCount
      limits = Array(repeating: unlimited, count: typeCount * kindCount)
    }

    @inline(__always)
    subscript(type: Int, cap: TypeCap) -> UInt32 {
      get { limits[type * kindCount + Int(cap.rawValue)] }
      set { limits[type * kindCount + Int(cap.rawValue)] = newValue }
    }

    var typesApart: [TypeID] {
      (0..<typeCount).filter { type in
        self[type, .daily] == 0
          || TypeCap.allCases.contains { $0 != .daily && self[type, $0] != unlimited }
      }.map { TypeID($0) }
    }

    /// Whether some type has a cap of this kind.
    func use(_ cap: TypeCap) -> Bool {
      (0..<typeCount).contains { self[$0, cap] != unlimited }
    }
  }

  /// More than any counter reaches: stands for "no cap", so that a check is one comparison.
  static let unlimited = UInt32.max

  /// How many types requests may name; ``TypeID`` counts from 0 in the order given to the initialiser.
  public var typeCount: Int { typeCaps.typeCount }
  /// The checks that are made, in their order.
  public let checkOrder: [Reason]

  let typeCaps: TypeCaps
  /// The types whose own caps count more than what was delivered today, or allow nothing at all.
  let typesApart: [TypeID]
  let checks: ReasonSet
  /// Whether the checks come in the order of their raw values: then the first of several is the lowest bit.
  let isInReasonOrder: Bool
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
    isInReasonOrder = zip(checkOrder, checkOrder.dropFirst()).allSatisfy { $0.rawValue < $1.rawValue }
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
    keptDays = TypeCap.allCases.filter(typeCaps.use).reduce(DayCounts.keptDays) { max($0, $1.keptDays) }
    if policy.counterLag < .zero { throw .negative(key: "counterLag") }
    counterLag = policy.counterLag
  }

  /// The checks of a set in the order in which they are made.
  public func ordered(_ blockers: ReasonSet) -> [Reason] {
    checkOrder.filter(blockers.contains)
  }

  /// The check of a set that is made first.
  func first(of blockers: ReasonSet) -> Reason? {
    if blockers.isEmpty { return nil }
    if isInReasonOrder { return Reason(rawValue: UInt8(blockers.rawValue.trailingZeroBitCount)) }
    for check in checkOrder where blockers.contains(check) { return check }
    return nil
  }

  /// The local calendar week of a day.
  func week(of day: CivilDate) -> Range<CivilDate> {
    let start = day + -day.weekday.days(since: weekStart)
    return start..<start + 7
  }

  func defers(_ bucket: Bucket) -> Bool {
    deferringBuckets >> bucket.rawValue & 1 == 1
  }

  // MARK: Resolving

  private static func typeCaps(_ policy: CapPolicy, _ names: [String]) throws(CapPolicyError) -> TypeCaps {
    let daily = try limit(policy.typeDailyCap, key: "typeDailyCap")
    var caps = TypeCaps(typeCount: names.count)
    for type in names.indices { caps[type, .daily] = daily }
    let indices = Dictionary(zip(names, 0...), uniquingKeysWith: { first, _ in first })
    for cap in TypeCap.allCases {
      // Sorted, so that of several mistakes always the same one is named.
      for (name, number) in policy[cap].sorted(by: { $0.key < $1.key }) {
        guard let index = indices[name] else {
          throw .unknownType(name, key: cap.key, nearest: NearestNames.of(name, among: names))
        }
        caps[index, cap] = try limit(number, key: "\(cap.key) of \"\(name)\"")
      }
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
