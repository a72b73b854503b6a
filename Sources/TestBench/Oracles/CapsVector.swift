import CivilTime
import NotificationGateway
import TriggerModel

/// An input line of `oracle caps`: a policy, and the steps to apply on a phone with this policy.
struct CapsVector {
  var id: String
  var timeZone: String
  var policy: CapPolicy
  /// The steps, in chronological order.
  var steps: [Step]

  struct Step {
    var at: Instant
    var action: Action
  }

  enum Action {
    case request(Request)
    case timeZone(String)
    case permission(NotificationPermission)
    /// Makes the system refuse the next added request.
    case failNext
    case cancel(String)
    case cancelAll
    case open
    case reinstall
    /// A tap or a dismissal, which has no effect on caps.
    case respond
  }

  struct Request {
    var type: String
    var bucket: Bucket
    var id: String?
    var deliverAt: Instant
  }
}

// MARK: Reading

extension CapsVector {
  /// Parses a line. Accepts only the keys and values that the README of the vectors lists.
  init(line: String) throws(OracleLineError) {
    let fields = try JSONFields(
      JSONInput(line: line, "vector"), "vector", keys: ["id", "title", "timeZone", "policy", "steps"])
    id = try fields.text("id")
    timeZone = try fields.text("timeZone")
    policy = try Self.policy(fields.has("policy") ? fields.value("policy") : .object([:]))
    guard case .list(let list) = try fields.value("steps") else { throw fields.wrong("steps", "a list") }
    steps = []
    for (index, value) in list.enumerated() {
      let step = try Self.step(value, "step \(index + 1)")
      if let last = steps.last, step.at < last.at {
        throw OracleLineError(
          "step \(index + 1) is earlier than the step before it; write steps in time order")
      }
      steps.append(step)
    }
  }

  private static func step(_ value: JSONInput, _ place: String) throws(OracleLineError) -> Step {
    let fields = try JSONFields(
      value, place, keys: ["at", "do", "type", "bucket", "id", "deliverAt", "timeZone", "value", "expect"])
    let at = try fields.instant("at")
    let verb: Verb =
      try fields.has("do") ? fields.choice("do", Verb.allCases.map { ($0.rawValue, $0) }) : .request
    let action: Action
    switch verb {
    case .request: action = .request(try request(fields, at))
    case .timeZone: action = .timeZone(try fields.text("timeZone"))
    case .permission:
      action = .permission(try fields.choice("value", [("granted", .authorized), ("denied", .denied)]))
    case .failNext: action = .failNext
    case .cancel: action = .cancel(try fields.text("id"))
    case .cancelAll: action = .cancelAll
    case .open: action = .open
    case .reinstall: action = .reinstall
    case .tap, .dismiss: action = .respond
    }
    return Step(at: at, action: action)
  }

  private enum Verb: String, CaseIterable {
    case request, timeZone, permission, failNext, cancel, cancelAll, open, reinstall, tap, dismiss
  }

  private static func request(_ fields: JSONFields, _ at: Instant) throws(OracleLineError) -> Request {
    let deliverAt = try fields.has("deliverAt") ? fields.instant("deliverAt") : at
    if deliverAt < at {
      throw OracleLineError("\(fields.place): \"deliverAt\" is earlier than \"at\"; write a later instant")
    }
    return Request(
      type: try fields.text("type"),
      bucket: try fields.has("bucket")
        ? fields.choice("bucket", Bucket.allCases.map { ($0.name, $0) }) : .standard,
      id: try fields.has("id") ? fields.text("id") : nil, deliverAt: deliverAt)
  }

  private static let policyKeys =
    [
      "quietHours", "quietAction", "criticalBypassesQuietHours", "bypassQuietHours", "dailyCap",
      "criticalDailyCap",
      "typeDailyCap", "weekStart", "lifetimeSurvivesReinstall", "minimumIntervalMinutes",
      "minimumIntervalScope", "keptThroughReinstall", "checkOrder",
    ] + TypeCap.allCases.map(\.key) + TypeCap.ofBuckets.compactMap { $0.ofBucket?.key }

  private static func policy(_ value: JSONInput) throws(OracleLineError) -> CapPolicy {
    let fields = try JSONFields(value, "policy", keys: policyKeys)
    var policy = CapPolicy()
    // In a vector, the default quiet action is `drop` for all buckets, and critical requests preempt nothing.
    policy.quietAction = [:]
    policy.criticalPreempts = false
    if fields.has("quietHours") { policy.quietHours = try quietHours(fields) }
    if fields.has("quietAction") {
      let action: CapPolicy.QuietAction = try fields.choice(
        "quietAction", [("drop", .drop), ("defer", .defer)])
      for bucket in Bucket.allCases { policy.quietAction[bucket] = action }
    }
    try fields.read("criticalBypassesQuietHours", fields.truth, into: &policy.criticalBypassesQuietHours)
    try fields.read("bypassQuietHours", fields.texts, into: &policy.bypassQuietHours)
    if fields.has("dailyCap") { policy.dailyCap = try fields.count("dailyCap") }
    if fields.has("criticalDailyCap") { policy.criticalDailyCap = try fields.count("criticalDailyCap") }
    if fields.has("typeDailyCap") {
      policy.typeDailyCap = try fields.value("typeDailyCap") == .null ? nil : fields.count("typeDailyCap")
    }
    for cap in TypeCap.allCases where fields.has(cap.key) { policy[cap] = try limits(cap, fields) }
    for cap in TypeCap.ofBuckets {
      guard let key = cap.ofBucket?.key, fields.has(key), try fields.value(key) != .null else { continue }
      policy[ofBucket: cap] = try limit(cap, fields, key)
    }
    if fields.has("weekStart") {
      policy.weekStart = try fields.choice("weekStart", Weekday.allCases.map { ($0.name, $0) })
    }
    try fields.read("lifetimeSurvivesReinstall", fields.truth, into: &policy.lifetimeSurvivesReinstall)
    try fields.read("keptThroughReinstall", fields.texts, into: &policy.keptThroughReinstall)
    if fields.has("minimumIntervalMinutes") {
      policy.minimumInterval = try minutes(fields, "minimumIntervalMinutes")
    }
    if fields.has("minimumIntervalScope") {
      policy.minimumIntervalScope = try fields.choice(
        "minimumIntervalScope", [("standard", .standard), ("all", .all)])
    }
    if fields.has("checkOrder") { policy.checkOrder = try checkOrder(fields) }
    return policy
  }

  private static func limits(_ cap: TypeCap, _ fields: JSONFields) throws(OracleLineError) -> [String:
    CapLimit]
  {
    if cap != .rolling { return try fields.counts(cap.key).mapValues { CapLimit($0) } }
    guard case .object(let members) = try fields.value(cap.key) else {
      throw fields.wrong(cap.key, "a mapping from types to limits such as {\"count\": 3, \"days\": 7}")
    }
    var limits: [String: CapLimit] = [:]
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      limits[name] = try rolling(value, fields, cap.key)
    }
    return limits
  }

  private static func limit(_ cap: TypeCap, _ fields: JSONFields, _ key: String) throws(OracleLineError)
    -> CapLimit
  {
    cap == .rolling ? try rolling(fields.value(key), fields, key) : CapLimit(try fields.count(key))
  }

  /// Reads the limit of a rolling cap, such as `{"count": 3, "days": 7}`.
  private static func rolling(
    _ value: JSONInput, _ fields: JSONFields, _ key: String
  ) throws(OracleLineError) -> CapLimit {
    let parts = try JSONFields(value, "\(fields.place): \"\(key)\"", keys: ["count", "days"])
    let limit = CapLimit(try parts.count("count"), in: try parts.count("days"))
    guard CapLimit.dayRange.contains(limit.days) else { throw parts.wrong("days", "2 to 366") }
    return limit
  }

  private static func quietHours(_ fields: JSONFields) throws(OracleLineError) -> WeeklyWindows? {
    let value = try fields.value("quietHours")
    if value == .null { return nil }
    guard case .list(let list) = value, list.count == 2, case .text(let from) = list[0],
      case .text(let to) = list[1]
    else {
      throw fields.wrong("quietHours", "a list of two times such as [\"22:00\", \"07:00\"], or null")
    }
    do {
      return WeeklyWindows(DailyWindow(from: try MinuteOfDay.parse(from), to: try MinuteOfDay.parse(to)))
    } catch {
      throw OracleLineError("\(fields.place): \"quietHours\": \(error)")
    }
  }

  private static func minutes(_ fields: JSONFields, _ key: String) throws(OracleLineError) -> TimeSpan {
    // A limit of one century prevents instants from overflowing.
    guard case .number(let minutes) = try fields.value(key), (0...52_560_000).contains(minutes),
      let milliseconds = Int64(exactly: minutes * 60_000)
    else {
      throw fields.wrong(key, "minutes, 0 to 52560000, in whole milliseconds")
    }
    return TimeSpan(milliseconds: milliseconds)
  }

  private static func checkOrder(_ fields: JSONFields) throws(OracleLineError) -> [Reason] {
    guard case .list(let list) = try fields.value("checkOrder") else {
      throw fields.wrong("checkOrder", "a list of checks")
    }
    let known = CapPolicy.defaultCheckOrder
    var order: [Reason] = []
    for value in list {
      guard case .text(let name) = value, let reason = Reason(name: name), known.contains(reason) else {
        throw OracleLineError(
          "\(fields.place): \"checkOrder\" contains a value that is not a check; write a list of "
            + known.map(\.name).joined(separator: ", "))
      }
      order.append(reason)
    }
    return order
  }
}
