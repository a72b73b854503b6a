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
        "a part of the local day such as 22:00-07:00, a list of them, or a mapping with those of weekday, weekend or "
          + "single days; none for no quiet hours; 22:00-07:00 if missing")
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
      if let types = fields.optional(
        "bypassQuietHours", .oneOrMore(of: .scalar(.notificationType)),
        "the types that are exempt from quiet hours, because the person chose their time; none if missing",
        from: { $0.bypassQuietHours.unlessEmpty })
      {
        policy.bypassQuietHours = types
      }
      read(
        \.criticalPreempts, "criticalPreempts", .scalar(.truth),
        "whether a critical notification cancels pending standard ones within the minimum interval; true if missing"
      )
      read(\.dailyCap, "dailyCap", .cap, "standard bucket, per local day; 3 if missing")
      read(\.criticalDailyCap, "criticalDailyCap", .cap, "critical bucket, per local day; 1 if missing")
      read(\.typeDailyCap, "typeDailyCap", .cap, "per type and local day, standard bucket only; 1 if missing")
      for cap in TypeCap.allCases {
        if let caps = fields.optional(
          cap.key, .capsByType(cap), cap.meaning, from: { $0[cap].unlessEmpty })
        {
          policy[cap] = caps
        }
      }
      for cap in TypeCap.ofBuckets {
        guard let (key, meaning, _) = cap.ofBucket else { continue }
        let limit = fields.optional(
          key, .scalar(.orNone(.limit(cap))), meaning, from: { $0[ofBucket: cap].map { .some($0) } })
        if let limit { policy[ofBucket: cap] = limit }
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
    .scalar(.orNone(.count(0...1_000_000)))
  }
}

extension Atom {
  /// A cap, or `none` for no cap.
  fileprivate static func orNone<Limit>(_ limit: Atom<Limit>) -> Atom where Value == Limit? {
    Atom(
      name: limit.name,
      meaning: limit.name == "COUNT"
        ? "a number of notifications, or none for no cap" : limit.meaning + ", or none",
      pattern: "none|\(limit.pattern)", jsonTypes: limit.jsonTypes,
      write: { cap, writer in cap.map { limit.write($0, writer) } ?? "none" }
    ) { word, reader in
      if ["unlimited", "off", "no", "infinite"].contains(word.text.lowercased()) {
        reader.error("'\(word.text)' is not a cap", at: word.position, hint: "no cap is written 'none'")
        return nil
      }
      return word.text == "none" ? .some(nil) : limit.parse(word, reader).map { .some($0) }
    }
  }
}

extension Atom<CapLimit> {
  /// The limit of a kind of cap: a number, or for rolling caps a number in a number of days.
  package static func limit(_ cap: TypeCap) -> Atom {
    let count = Atom<Int>.count(0...1_000_000)
    return cap == .rolling
      ? rolling : count.map({ number, _, _ in CapLimit(number) }, back: { limit, _ in limit.count })
  }

  /// A number of notifications in any sequence of consecutive days, such as `3 in 7 days`.
  private static var rolling: Atom {
    let range = CapLimit.dayRange
    return .simple(
      "COUNT in DAYS", "a number of notifications in 2 to 366 consecutive days such as 3 in 7 days",
      pattern: #"\d+ +in +\d+ +days"#,
      hint: { Int($0) == nil ? nil : "add the number of days, such as '\($0) in 7 days'" },
      write: { limit, writer in
        range.contains(limit.days) && 0...1_000_000 ~= limit.count
          ? .string("\(limit.count) in \(limit.days) days")
          : writer.problem("a rolling cap is from 0 to 1000000 in 2 to 366 days")
      }
    ) { text in
      let words = text.split(separator: " ")
      guard words.count == 4, words[1] == "in", words[3] == "days", let count = number(words[0]),
        let days = number(words[2]), 0...1_000_000 ~= count, range.contains(days)
      else { return nil }
      return CapLimit(count, in: days)
    }
  }

  private static func number(_ digits: Substring) -> Int? {
    digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
  }
}

extension Format<[String: CapLimit]> {
  fileprivate static func capsByType(_ cap: TypeCap) -> Format {
    Format<[TableRow<CapLimit>]>
      .table(of: .scalar(.limit(cap)), names: .notificationType)
      .map(
        { rows, _, _ in Dictionary(rows.compactMap { row in row.value.map { (row.name, $0) } }) { $1 } },
        back: { caps, _ in
          caps.sorted { $0.key < $1.key }.map { TableRow(name: $0.key, position: .start, value: $0.value) }
        })
  }
}

extension Format<WeeklyWindows?> {
  /// A window, a list with a start and an end, a list of windows, windows by weekday, or `none`.
  fileprivate static var quietHours: Format {
    let windows = Format<[DailyWindow]>.windows
    let byDay = Format<WeeklyWindows>.byDay
    return Format(
      schema: { book in
        ["anyOf": [["const": "none"], windows.schema(book), byDay.schema(book)]]
      },
      read: { node, reader in
        if case .scalar("none") = node.content { return .some(nil) }
        if case .mapping(let entries) = node.content,
          !entries.contains(where: { ["from", "to"].contains($0.key) })
        {
          return byDay.read(node, reader).flatMap { checked($0, node, reader) }
        }
        return windows.read(node, reader).flatMap { windows in
          checked(WeeklyWindows { _ in windows }, node, reader)
        }
      },
      write: { hours, writer in
        guard let hours else { return "none" }
        let monday = hours[.monday]
        return Weekday.allCases.allSatisfy { hours[$0] == monday } && !monday.isEmpty
          ? windows.write(monday, writer) : byDay.write(hours, writer)
      })
  }

  private static func checked(_ windows: WeeklyWindows, _ node: Node, _ reader: Reader) -> WeeklyWindows? {
    if windows.isAlways {
      reader.error(
        "quiet hours at every time of the week allow no notification", at: node.position,
        hint: "leave a part of a day out")
      return nil
    }
    if windows.isEmpty {
      reader.warning("empty quiet hours", at: node.position, hint: "write 'none' if that is meant")
    }
    return windows
  }
}

extension Format<[DailyWindow]> {
  /// One window, a list of a start and an end, or a list of windows.
  fileprivate static var windows: Format {
    let window = Format<DailyWindow>.window
    let pair = Format<[Int]>.list(of: .scalar(.minuteOfDay))
    let list = Format<[DailyWindow]>.list(of: window, minimum: 1)
    return Format(
      schema: { book in ["anyOf": [window.schema(book), pair.schema(book), list.schema(book)]] },
      read: { node, reader in
        guard case .sequence(let items) = node.content else { return window.read(node, reader).map { [$0] } }
        if items.contains(where: isWindow) { return list.read(node, reader) }
        guard let times = pair.read(node, reader) else { return nil }
        guard times.count == 2 else {
          reader.error("expected two times", at: node.position, hint: "such as 22:00-07:00")
          return nil
        }
        return [DailyWindow(from: times[0], to: times[1])]
      },
      write: { windows, writer in
        windows.count == 1 ? window.write(windows[0], writer) : list.write(windows, writer)
      })
  }

  private static func isWindow(_ node: Node) -> Bool {
    switch node.content {
    case .scalar(let text): text.contains("-")
    case .mapping: true
    default: false
    }
  }
}

extension Format<WeeklyWindows> {
  /// Windows by weekday. The key of a single day overrides `weekday` and `weekend`.
  fileprivate static var byDay: Format {
    .object(
      "Quiet hours by the day of the week; a window that crosses midnight belongs to the day on which it ends"
    ) { fields in
      func windows(_ key: String, _ doc: String, from part: (WeeklyWindows) -> [DailyWindow]?)
        -> [DailyWindow]?
      {
        fields.optional(key, .windowsOrNone, doc, from: part)
      }
      let weekdays = windows("weekday", "the windows of Monday to Friday", from: { $0.common(.weekdays) })
      let weekend = windows("weekend", "the windows of Saturday and Sunday", from: { $0.common(.weekend) })
      let days = Weekday.allCases.map { day in
        windows(
          day.name, "the windows of this day, which override those of weekday or weekend",
          from: { $0.common(WeekdaySet.weekdays.contains(day) ? .weekdays : .weekend) == nil ? $0[day] : nil }
        )
      }
      return WeeklyWindows { day in
        days[Int(day.rawValue)] ?? (WeekdaySet.weekdays.contains(day) ? weekdays : weekend) ?? []
      }
    }
  }
}

extension Format<[DailyWindow]> {
  /// ``windows``, or `none`.
  fileprivate static var windowsOrNone: Format {
    let windows = windows
    return Format(
      schema: { book in ["anyOf": [["const": "none"], windows.schema(book)]] },
      read: { node, reader in
        if case .scalar("none") = node.content { return [] }
        return windows.read(node, reader)
      },
      write: { value, writer in value.isEmpty ? "none" : windows.write(value, writer) })
  }
}

extension WeeklyWindows {
  /// Returns the windows of a set of days if they are the same on all of them, or `nil`.
  fileprivate func common(_ days: WeekdaySet) -> [DailyWindow]? {
    let windows = Weekday.allCases.filter { days.contains($0) }.map { self[$0] }
    return windows.allSatisfy { $0 == windows[0] } ? windows[0] : nil
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
