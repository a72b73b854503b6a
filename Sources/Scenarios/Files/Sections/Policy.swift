import CivilTime
package import NotificationGateway
package import TextFormats
import TriggerModel

extension Format<CapPolicy> {
  /// The rules of the cap scheduler. Omitted keys have defaults.
  package static var policy: Format<CapPolicy> {
    .object("The rules of the cap scheduler; missing keys keep their defaults") { fields in
      var policy = CapPolicy()
      func read<Part>(
        _ path: WritableKeyPath<CapPolicy, Part>, _ key: String, _ format: @autoclosure () -> Format<Part>,
        _ doc: String
      ) {
        if let part = fields.optional(key, format(), doc, from: { .some($0[keyPath: path]) }) {
          policy[keyPath: path] = part
        }
      }
      read(
        \.quietHours, "quietHours", .quietHours,
        "a part of the local day, such as 22:00-07:00, or none; 22:00-07:00 if missing")
      if let action = fields.optional(
        "quietAction", .quietAction,
        "drop or defer, for all buckets or by bucket; if missing, defer for user and drop for the others",
        from: \.quietAction)
      {
        policy.quietAction.merge(action) { $1 }
      }
      read(
        \.criticalBypassesQuietHours, "criticalBypassesQuietHours", .scalar(.truth),
        "whether the critical bucket is exempt from quiet hours; false if missing")
      read(
        \.criticalPreempts, "criticalPreempts", .scalar(.truth),
        "whether a critical notification cancels pending standard ones within the minimum interval; true if missing"
      )
      read(\.dailyCap, "dailyCap", .cap, "standard bucket, per local day; 3 if missing")
      read(\.criticalDailyCap, "criticalDailyCap", .cap, "critical bucket, per local day; 1 if missing")
      read(\.typeDailyCap, "typeDailyCap", .cap, "per type and local day, standard bucket only; 1 if missing")
      for cap in TypeCap.allCases {
        if let caps = fields.optional(
          cap.key, .capsByType, cap.meaning, from: { $0[cap].unlessEmpty })
        {
          policy[cap] = caps
        }
      }
      read(
        \.weekStart, "weekStart", .scalar(.oneCase("DAY", "a day of the week", \.name)),
        "the day on which a calendar week begins; monday if missing")
      read(
        \.lifetimeSurvivesReinstall, "lifetimeSurvivesReinstall", .scalar(.truth),
        "whether a reinstall keeps the lifetime counts of all types; false if missing")
      if let types = fields.optional(
        "keptThroughReinstall", .oneOrMore(of: .scalar(.notificationType)),
        "the types whose lifetime counts a reinstall keeps, as a keychain does; none if missing",
        from: { $0.keptThroughReinstall.unlessEmpty })
      {
        policy.keptThroughReinstall = types
      }
      read(
        \.counterLag, "counterLag", .scalar(.duration),
        "the delay until counters show an admitted request, as with counters on a server; 0 s if missing")
      let counted = fields.optional(
        "capsCount",
        .scalar(.choice("COUNTED", "delivered or presented", [("delivered", false), ("presented", true)])),
        "the notifications that use up caps and intervals: all that are delivered, or only presented ones, which "
          + "excludes those that an app in front does not show; delivered if missing",
        from: { $0.countsPresentedOnly ? true : nil })
      if let counted { policy.countsPresentedOnly = counted }
      read(
        \.minimumInterval, "minimumInterval", .scalar(.interval),
        "elapsed time between deliveries, in both directions, or none; 4 h if missing")
      read(
        \.minimumIntervalScope, "minimumIntervalScope",
        .scalar(.choice("SCOPE", "standard or all", [("standard", .standard), ("all", .all)])),
        "the deliveries from which a standard request keeps the minimum interval: standard ones, or all, which includes "
          + "critical ones; notifications that the person requested (user) never count; standard if missing")
      read(
        \.checkOrder, "checkOrder", .checkOrder,
        "the checks in their order; missing checks are not made")
      return policy
    }
  }
}

extension Atom<TimeSpan> {
  /// A duration, or `none`, which means `0 s`.
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
  /// A number of notifications, or `none`, which means no cap.
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
  /// A window, a list with a start and an end, or `none`.
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
