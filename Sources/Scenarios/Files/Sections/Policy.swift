import CivilTime
package import NotificationGateway
package import TextFormats
import TriggerModel

extension Format<CapPolicy> {
  /// The cap scheduler's rules: only what differs from the defaults.
  package static var policy: Format<CapPolicy> {
    .object("The rules of the cap scheduler; what is missing keeps its default") { fields in
      var policy = CapPolicy()
      readQuietHours(fields, into: &policy)
      readCaps(fields, into: &policy)
      readCounters(fields, into: &policy)
      if let interval = fields.optional(
        "minimumInterval", .scalar(.interval),
        "elapsed time between deliveries, in both directions, or none; 4 h if missing",
        from: \.minimumInterval)
      {
        policy.minimumInterval = interval
      }
      if let scope = fields.optional(
        "minimumIntervalScope", .scalar(.intervalScope),
        "whose deliveries a standard request must not come too near to: standard ones, or all, which are critical "
          + "ones too; those that the person asked for (user) never count; standard if missing",
        from: \.minimumIntervalScope)
      {
        policy.minimumIntervalScope = scope
      }
      if let order = fields.optional(
        "checkOrder", .checkOrder,
        "the checks in the order in which they are made; one that is missing is not made",
        from: \.checkOrder)
      {
        policy.checkOrder = order
      }
      return policy
    }
  }

  private static func readQuietHours(_ fields: Fields<CapPolicy>, into policy: inout CapPolicy) {
    if let hours = fields.optional(
      "quietHours", .quietHours,
      "a part of the local day, such as 22:00-07:00, or none; 22:00-07:00 if missing",
      from: { .some($0.quietHours) })
    {
      policy.quietHours = hours
    }
    if let action = fields.optional(
      "quietAction", .quietAction,
      "drop or defer, for all buckets or by bucket; if missing, defer for user and drop for the others",
      from: \.quietAction)
    {
      policy.quietAction.merge(action) { $1 }
    }
    if let bypass = fields.optional(
      "criticalBypassesQuietHours", .scalar(.truth),
      "whether quiet hours spare the critical bucket; false if missing",
      from: \.criticalBypassesQuietHours)
    {
      policy.criticalBypassesQuietHours = bypass
    }
    if let preempts = fields.optional(
      "criticalPreempts", .scalar(.truth),
      "whether a critical notification takes back pending standard ones within the minimum interval; true if missing",
      from: \.criticalPreempts)
    {
      policy.criticalPreempts = preempts
    }
  }

  /// What becomes of counts, beside being compared with caps.
  private static func readCounters(_ fields: Fields<CapPolicy>, into policy: inout CapPolicy) {
    if let survives = fields.optional(
      "lifetimeSurvivesReinstall", .scalar(.truth),
      "whether a reinstall keeps the lifetime counts of all types; false if missing",
      from: \.lifetimeSurvivesReinstall)
    {
      policy.lifetimeSurvivesReinstall = survives
    }
    if let types = fields.optional(
      "keptThroughReinstall", .oneOrMore(of: .scalar(.notificationType)),
      "the types whose lifetime counts a reinstall keeps, as a keychain does; none if missing",
      from: { $0.keptThroughReinstall.unlessEmpty })
    {
      policy.keptThroughReinstall = types
    }
    if let lag = fields.optional(
      "counterLag", .scalar(.duration),
      "how long after a request is admitted its counts are seen, as with counters on a server; 0 s if missing",
      from: \.counterLag)
    {
      policy.counterLag = lag
    }
  }

  private static func readCaps(_ fields: Fields<CapPolicy>, into policy: inout CapPolicy) {
    if let cap = fields.optional(
      "dailyCap", .cap, "standard bucket, per local day; 3 if missing", from: { .some($0.dailyCap) })
    {
      policy.dailyCap = cap
    }
    if let cap = fields.optional(
      "criticalDailyCap", .cap, "critical bucket, per local day; 1 if missing",
      from: { .some($0.criticalDailyCap) })
    {
      policy.criticalDailyCap = cap
    }
    if let cap = fields.optional(
      "typeDailyCap", .cap, "per type and local day, standard bucket only; 1 if missing",
      from: { .some($0.typeDailyCap) })
    {
      policy.typeDailyCap = cap
    }
    for cap in TypeCap.allCases {
      if let caps = fields.optional(
        cap.key, .capsByType, cap.meaning, from: { $0[cap].unlessEmpty })
      {
        policy[cap] = caps
      }
    }
    if let day = fields.optional(
      "weekStart", .scalar(.weekday), "the day on which a calendar week begins; monday if missing",
      from: \.weekStart)
    {
      policy.weekStart = day
    }
  }
}

extension Atom<Weekday> {
  fileprivate static var weekday: Atom {
    .choice("DAY", "a day of the week", Weekday.allCases.map { ($0.name, $0) })
  }
}

extension Atom<CapPolicy.IntervalScope> {
  fileprivate static var intervalScope: Atom {
    .choice("SCOPE", "standard or all", [("standard", .standard), ("all", .all)])
  }
}

extension Atom<TimeSpan> {
  /// A duration, or `none`, which is the same as `0 s`.
  fileprivate static var interval: Atom {
    let duration = duration
    return Atom(
      name: duration.name, meaning: "\(duration.meaning), or none", pattern: "none|\(duration.pattern)",
      write: duration.write
    ) { word, reader in
      word.text == "none" ? .zero : duration.parse(word, reader)
    }
  }
}

extension Format<Int?> {
  /// A number of notifications, or `none` for no cap.
  fileprivate static var cap: Format {
    let count = Atom<Int>.count(0...1_000_000)
    return .scalar(
      Atom(
        name: "COUNT", meaning: "a number of notifications, or none for no cap",
        pattern: "none|\(count.pattern)",
        jsonTypes: ["string", "integer"],
        write: { cap, writer in cap.map { count.write($0, writer) } ?? "none" }
      ) { word, reader in
        if ["unlimited", "off", "no", "infinite"].contains(word.text.lowercased()) {
          reader.error("'\(word.text)' is not a cap", at: word.position, hint: "no cap is written 'none'")
          return nil
        }
        return word.text == "none" ? .some(nil) : count.parse(word, reader).map { .some($0) }
      })
  }
}

extension Format<[String: Int]> {
  fileprivate static var capsByType: Format {
    Format<[TableRow<Int>]>
      .table(of: .scalar(.count(0...1_000_000)), names: .notificationType)
      .map(
        { rows, _, _ in Dictionary(rows.compactMap { row in row.value.map { (row.name, $0) } }) { $1 } },
        back: { caps, _ in
          caps.sorted { $0.key < $1.key }.map { TableRow(name: $0.key, position: .start, value: $0.value) }
        })
  }
}

extension Format<DailyWindow?> {
  /// A window, two times in a list, or `none`.
  fileprivate static var quietHours: Format {
    let window = Format<DailyWindow>.window
    let pair = Format<[Int]>.list(of: .scalar(.minuteOfDay))
    return Format(
      schema: { book in ["anyOf": [["const": "none"], window.schema(book), pair.schema(book)]] },
      read: { node, reader in
        switch node.content {
        case .scalar("none"): return .some(nil)
        case .sequence:
          guard let times = pair.read(node, reader) else { return nil }
          guard times.count == 2 else {
            reader.error("expected two times", at: node.position, hint: "such as 22:00-07:00")
            return nil
          }
          return checked(DailyWindow(from: times[0], to: times[1]), node, reader)
        default: return window.read(node, reader).flatMap { checked($0, node, reader) }
        }
      },
      write: { hours, writer in hours.map { window.write($0, writer) } ?? "none" })
  }

  private static func checked(_ window: DailyWindow, _ node: Node, _ reader: Reader) -> DailyWindow? {
    if window.isEmpty {
      reader.warning("empty quiet hours", at: node.position, hint: "write 'none' if that is meant")
    }
    return window
  }
}

extension Format<[Bucket: CapPolicy.QuietAction]> {
  fileprivate static var quietAction: Format {
    let action = Format<CapPolicy.QuietAction>.scalar(
      .choice("ACTION", "drop or defer", [("drop", .drop), ("defer", .defer)]))
    let all = Format.readOnly(
      schema: action.schema,
      read: { node, reader in
        action.read(node, reader).map { action in
          Dictionary(uniqueKeysWithValues: Bucket.allCases.map { ($0, action) })
        }
      })
    let byBucket = Format.object("What quiet hours do to each bucket") { fields in
      var actions: [Bucket: CapPolicy.QuietAction] = [:]
      for bucket in Bucket.allCases {
        actions[bucket] = fields.optional(
          bucket.name, action, "drop or defer", from: { $0[bucket] ?? .drop })
      }
      return actions
    }
    return Format.short(all, orLong: byBucket)
  }
}

extension Format<[Reason]> {
  fileprivate static var checkOrder: Format {
    Format<[Located<Reason>]>.list(of: .located(.scalar(.schedulerReason))).map(
      { reasons, _, reader in
        var order: [Reason] = []
        for reason in reasons {
          guard !order.contains(reason.value) else {
            reader.error(
              "'\(reason.value.name)' is already in the list", at: reason.position,
              hint: "remove one of them")
            return nil
          }
          order.append(reason.value)
        }
        return order
      },
      back: { order, _ in order.map { Located($0, at: .start) } })
  }
}
