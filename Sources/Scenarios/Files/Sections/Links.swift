import NotificationGateway
import ReminderEngine
import ReminderMatching
import ScenarioModel
import TextFormats
import TriggerModel

extension Declarations {
  /// Reads the consumers of links and their shared settings. Returns `nil` if the file declares no consumers.
  static func links(_ fields: Fields<Scenario>) -> LinkSetup? {
    let rows = fields.optional(
      "consumers", .table(of: .consumer, minimum: 1),
      "parts of the app that handle links, by name; if missing, the destination of taps is not modelled",
      from: { scenario in
        scenario.links?.consumers.map {
          TableRow(name: $0.consumer.id, position: $0.position, value: $0.consumer)
        }
      })
    let setup = fields.optional(
      "links", .linkSetup, "what all links of the app have in common", from: \.links)
    if setup != nil, rows == nil { fields.error("'links' needs 'consumers'", at: "links") }
    guard let rows else { return nil }
    var links = setup ?? LinkSetup()
    links.consumers = rows.compactMap { row in
      var consumer = row.value
      consumer?.id = row.name
      return consumer.map { DeclaredConsumer(consumer: $0, position: row.position) }
    }
    if let reader = fields.reader {
      refuseCollisions(links, reader)
      warnOfUnreachable(links, reader)
    }
    return links
  }

  /// Warns about patterns that no link can match, because they begin with a word that is not a host of the
  /// app.
  private static func warnOfUnreachable(_ links: LinkSetup, _ reader: Reader) {
    guard !links.hosts.isEmpty, links.domains.isEmpty else { return }
    let hosts = links.hosts.map { $0.lowercased() }
    for declared in links.consumers {
      for pattern in declared.consumer.patterns {
        guard let words = pattern.firstWords, !words.contains(where: hosts.contains) else { continue }
        reader.warning(
          "no link reaches \(pattern): its first word is not one of the hosts", at: declared.position,
          hint: "the hosts are " + hosts.joined(separator: ", "))
      }
    }
  }

  private static func refuseCollisions(_ links: LinkSetup, _ reader: Reader) {
    var registry = ConsumerRegistry()
    for declared in links.consumers {
      do throws(ConsumerRegistry.Collision) {
        try registry.register(declared.consumer)
      } catch {
        reader.error("\(error)", at: declared.position, hint: "each link has one consumer")
      }
    }
  }
}

extension Declarations {
  /// Warns about reminders that have no link, or whose link no observed consumer handles.
  static func warnOfDeadEnds(_ reminders: [DeclaredReminder], _ links: LinkSetup, _ reader: Reader) {
    let registry = links.registry
    for reminder in reminders {
      let name = reminder.declaration.id
      let link = reminder.declaration.notification.link
      if let found = registry.resolve(link) {
        let consumer = registry.consumers[Int(found.consumer)]
        if consumer.isObserved { continue }
        reader.warning(
          "'\(name)' links to \(link), which leads to '\(consumer.id)', but the app does not observe that",
          at: reminder.position, hint: "its taps end as linkUnconsumed")
        continue
      }
      let known = links.consumers.flatMap(\.consumer.patterns).map(\.description).joined(separator: ", ")
      let isWeb = links.domains.isEmpty && DeepLink(link)?.domain != nil
      reader.warning(
        link.isEmpty
          ? "'\(name)' has no link: a tap on it leads nowhere"
          : "'\(name)' links to \(link), which no consumer handles",
        at: reminder.position,
        hint: isWeb ? "the app has no 'domains' under 'links'" : "known paths: \(known)")
    }
  }
}

extension Format<LinkConsumer> {
  /// A consumer of links: a list of patterns, or a mapping.
  static var consumer: Format {
    let patterns = Format<[LinkPattern]>.oneOrMore(of: .scalar(.linkPattern))
    let long = Format.object("A part of the app that handles links") { fields in
      let types = fields.optional(
        "types", .oneOrMore(of: .scalar(.notificationType), minimum: 0),
        "the notification types that it sends; every type if missing. Types that no consumer sends are denied: notRegistered",
        from: \.types)
      let patterns = fields.required(
        "patterns", patterns,
        "the paths that it handles, such as nav/{home|stats}, auth/{flow} or docs/{rest...}",
        from: \.patterns)
      let fallback = fields.optional(
        "fallback", .constantText, "the path that is shown when the subject of a link was cancelled",
        from: \.fallback)
      let isObserved = fields.optional(
        "observed", .scalar(.truth),
        "whether the app observes its links; if false, they resolve but are not shown, and end as linkUnconsumed. True if missing",
        from: { $0.isObserved ? nil : false })
      return patterns.map {
        LinkConsumer(
          id: "", types: types, patterns: $0, fallback: fallback, isObserved: isObserved ?? true)
      }
    }
    return .short(
      .readOnly(
        schema: patterns.schema,
        read: { node, reader in patterns.read(node, reader).map { LinkConsumer(id: "", patterns: $0) } }),
      orLong: long)
  }
}

extension Format<LinkSetup> {
  fileprivate static var linkSetup: Format {
    .object("What all links of the app have in common") { fields in
      let schemes = fields.optional(
        "schemes", .oneOrMore(of: .scalar(.linkName)), "the app's own schemes, such as fitme; any if missing",
        from: { $0.schemes.unlessEmpty })
      let hosts = fields.optional(
        "hosts", .oneOrMore(of: .scalar(.linkName)),
        "the hosts of links of its own schemes, such as nav of fitme://nav/home; a link with another one, or without, leads nowhere. Any if missing",
        from: { $0.hosts.unlessEmpty })
      let domains = fields.optional(
        "domains", .oneOrMore(of: .scalar(.linkName)),
        "the domains of its universal links; none if missing: https links open the browser then",
        from: { $0.domains.unlessEmpty })
      let startUp = fields.optional(
        "startUp", .scalar(.duration),
        "how long a process that has just been launched takes until it can show anything; 0 s if missing",
        from: \.startUp)
      return LinkSetup(
        schemes: schemes ?? [], hosts: hosts ?? [], domains: domains ?? [], startUp: startUp ?? .zero)
    }
  }
}

extension Atom<LinkPattern> {
  fileprivate static var linkPattern: Atom {
    let meaning = "a pattern of paths such as nav/{home|stats}, auth/{flow} or docs/{rest...}"
    let word = #"(?:[^/{}|?#*: ]+|\{[^/{}?#*: ]+\})"#
    return Atom(
      name: "PATTERN", meaning: meaning, pattern: "\(word)(?:/\(word))*",
      write: { pattern, _ in .string(pattern.description) }
    ) { word, reader in
      if let pattern = LinkPattern(word.text) { return pattern }
      reader.error("'\(word.text)' is not \(meaning)", at: word.position, hint: Self.hint(word.text))
      return nil
    }
  }

  /// Returns a hint that translates a pattern from the notation of other routers, or `nil` if there is none.
  private static func hint(_ text: String) -> String? {
    if text.contains("://") { return "a pattern is a path only: schemes and domains stand under 'links'" }
    if text.hasPrefix("/") { return "it begins with a word, not with a slash" }
    if text.contains("...}/") { return "the rest of a path is its end" }
    if text.contains("*") { return "the rest of a path is {rest...}, any one word {name}" }
    if text.contains(":") { return "any one word is {name}" }
    return nil
  }
}

extension Atom<String> {
  /// A scheme, a host or a domain.
  fileprivate static var linkName: Atom {
    .simple(
      "NAME", "a scheme, a host or a domain", pattern: "[A-Za-z][A-Za-z0-9.+-]*",
      write: { name, _ in .string(name) }
    ) { text in
      guard let first = text.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20,
        text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".+-".contains($0)) })
      else { return nil }
      return text
    }
  }
}
