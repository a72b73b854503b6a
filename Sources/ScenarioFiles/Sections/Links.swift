import ReminderMatching
import ScenarioGrammar
import ScenarioModel
import TextFormats
import NotificationGateway
import ReminderEngine
import TriggerModel

extension Declarations {
  /// The consumers of links, and what all links have in common. Nil when the file declares no consumer.
  static func links(_ fields: Fields<Scenario>) -> LinkSetup? {
    let rows = fields.optional(
      "consumers", .table(of: .consumer, minimum: 1),
      "parts of the app that handle links, by name; if missing, it is not modelled where a tap leads",
      from: { scenario in
        scenario.links?.consumers.map {
          TableRow(name: $0.consumer.id, position: $0.position, value: ConsumerBody($0.consumer))
        }
      })
    let setup = fields.optional(
      "links", .linkSetup, "what all links of the app have in common", from: \.links)
    if setup != nil, rows == nil { fields.error("'links' needs 'consumers'", at: "links") }
    guard let rows else { return nil }
    var links = setup ?? LinkSetup()
    links.consumers = rows.compactMap { row in
      row.value.map {
        DeclaredConsumer(
          consumer: LinkConsumer(id: row.name, types: $0.types, patterns: $0.patterns, fallback: $0.fallback),
          position: row.position)
      }
    }
    if let reader = fields.reader { refuseCollisions(links, reader) }
    return links
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
  /// Points at the reminders whose taps would lead nowhere.
  static func warnOfDeadEnds(_ reminders: [DeclaredReminder], _ links: LinkSetup, _ reader: Reader) {
    var registry = ConsumerRegistry(schemes: links.schemes, domains: links.domains)
    // A collision has been reported.
    for declared in links.consumers { try? registry.register(declared.consumer) }
    for reminder in reminders {
      let link = reminder.declaration.notification.link
      guard registry.resolve(link) == nil else { continue }
      let known = links.consumers.flatMap(\.consumer.patterns).map(\.description).joined(separator: ", ")
      reader.warning(
        link.isEmpty
          ? "'\(reminder.declaration.id)' has no link: a tap on it leads nowhere"
          : "'\(reminder.declaration.id)' links to \(link), which no consumer handles",
        at: reminder.position, hint: "known paths: \(known)")
    }
  }
}

/// A consumer before its name is known.
struct ConsumerBody {
  var types: [String]?
  var patterns: [LinkPattern]
  var fallback: String?
}

extension ConsumerBody {
  init(_ consumer: LinkConsumer) {
    self.init(types: consumer.types, patterns: consumer.patterns, fallback: consumer.fallback)
  }
}

extension Format<ConsumerBody> {
  /// Its patterns alone, or a mapping.
  static var consumer: Format {
    let patterns = Format<[LinkPattern]>.oneOrMore(of: .scalar(.linkPattern))
    let long = Format.object("A part of the app that handles links") { fields in
      let types = fields.optional(
        "types", .oneOrMore(of: .scalar(.notificationType), minimum: 0),
        "the notification types that it sends; every type if missing. What nobody sends is denied: notRegistered",
        from: \.types)
      let patterns = fields.required(
        "patterns", patterns, "the paths that it handles, such as nav/{home|stats} or auth/{flow}",
        from: \.patterns)
      let fallback = fields.optional(
        "fallback", .scalar(.text), "the path that is shown when the subject of a link was cancelled",
        from: \.fallback)
      return patterns.map { ConsumerBody(types: types, patterns: $0, fallback: fallback) }
    }
    return .short(
      .readOnly(
        schema: patterns.schema,
        read: { node, reader in patterns.read(node, reader).map { ConsumerBody(patterns: $0) } }),
      orLong: long)
  }
}

extension Format<LinkSetup> {
  fileprivate static var linkSetup: Format {
    .object("What all links of the app have in common") { fields in
      let schemes = fields.optional(
        "schemes", .oneOrMore(of: .scalar(.linkName)), "the app's own schemes, such as fitme; any if missing",
        from: { $0.schemes.unlessEmpty })
      let domains = fields.optional(
        "domains", .oneOrMore(of: .scalar(.linkName)), "the domains of its universal links; any if missing",
        from: { $0.domains.unlessEmpty })
      let startUp = fields.optional(
        "startUp", .scalar(.duration),
        "how long a process that has just been launched takes until it can show anything; 0 s if missing",
        from: \.startUp)
      return LinkSetup(schemes: schemes ?? [], domains: domains ?? [], startUp: startUp ?? .zero)
    }
  }
}

extension Atom<LinkPattern> {
  fileprivate static var linkPattern: Atom {
    .simple(
      "PATTERN", "a pattern of paths such as nav/{home|stats} or auth/{flow}",
      pattern: #"(?:[^/{}|?#: ]+|\{[^/{}?#: ]+\})(?:/(?:[^/{}|?#: ]+|\{[^/{}?#: ]+\}))*"#,
      write: { pattern, _ in .string(pattern.description) }
    ) { LinkPattern($0) }
  }
}

extension Atom<String> {
  /// A scheme or a domain.
  fileprivate static var linkName: Atom {
    .simple(
      "NAME", "a scheme or a domain", pattern: "[A-Za-z][A-Za-z0-9.+-]*", write: { name, _ in .string(name) }
    ) { text in
      guard let first = text.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20,
        text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".+-".contains($0)) })
      else { return nil }
      return text
    }
  }
}
