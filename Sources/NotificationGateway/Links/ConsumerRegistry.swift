/// A part of the app that sends notifications and handles the links that they carry.
public struct LinkConsumer: Hashable, Sendable {
  /// Unique among the consumers of an app; collisions are told of by it.
  public var id: String
  /// The notification types that it sends; nil: every type.
  public var types: [String]?
  /// Which links are its own: no other consumer may claim one of these.
  public var patterns: [LinkPattern]
  /// The path that is shown in place of one whose subject is gone; nil: such a link leads nowhere.
  public var fallback: String?
  /// Whether something in the app watches for its links. Without it they resolve, and nobody shows them.
  public var isObserved: Bool

  /// A consumer that sends every type, where nothing else is said.
  public init(
    id: String, types: [String]? = nil, patterns: [LinkPattern], fallback: String? = nil,
    isObserved: Bool = true
  ) {
    self.id = id
    self.types = types
    self.patterns = patterns
    self.fallback = fallback
    self.isObserved = isObserved
  }
}

/// Who handles which links. No two consumers handle the same one.
public struct ConsumerRegistry: Hashable, Sendable {
  /// In the order of their first registration.
  public private(set) var consumers: [LinkConsumer] = []
  private var positions: [String: Int] = [:]
  private var index = PatternIndex()
  /// The schemes that the app has registered with the system, in lower case; empty: any.
  public let schemes: [String]
  /// The hosts of its own schemes that the app's router knows, in lower case; empty: any, and none too.
  public let hosts: [String]
  /// The domains whose universal links the system gives to the app, in lower case; empty: none, they open the
  /// browser.
  public let domains: [String]

  /// Of an app that has registered these with the system. Upper and lower case are the same.
  public init(schemes: [String] = [], hosts: [String] = [], domains: [String] = []) {
    self.schemes = schemes.map { $0.lowercased() }
    self.hosts = hosts.map { $0.lowercased() }
    self.domains = domains.map { $0.lowercased() }
  }

  /// Two consumers claim the same link.
  public struct Collision: Error, Hashable, Sendable, CustomStringConvertible {
    /// Whose registration is refused.
    public var refused: String
    /// The claim that is refused.
    public var pattern: LinkPattern
    /// Who claimed it first, and by which pattern.
    public var holder: String
    /// The claim that it collides with.
    public var held: LinkPattern

    public var description: String {
      "consumer '\(refused)' claims \(pattern), and '\(holder)' has claimed \(held) already"
    }
  }

  /// Registers a consumer. The same identifier again replaces what it registered before, so that doing it
  /// at every launch changes nothing; a claim on a link of another consumer refuses the whole registration.
  ///
  /// - Complexity: O(m) in the new patterns, each by its words; O(n) in all for one that replaces another
  public mutating func register(_ consumer: LinkConsumer) throws(Collision) {
    let known = positions[consumer.id]
    let position = known ?? consumers.count
    if consumer.patterns.contains(where: { index.overlaps($0, exceptOf: UInt32(position)) }) {
      try refuse(consumer)
    }
    positions[consumer.id] = position
    if known == nil {
      consumers.append(consumer)
      index.insert(consumer.patterns, of: UInt32(position))
      return
    }
    consumers[position] = consumer
    index = PatternIndex()
    for (position, consumer) in consumers.enumerated() {
      index.insert(consumer.patterns, of: UInt32(position))
    }
  }

  /// Names the first of the claims that collide.
  private func refuse(_ consumer: LinkConsumer) throws(Collision) {
    for other in consumers where other.id != consumer.id {
      for pattern in consumer.patterns {
        for held in other.patterns where held.overlaps(pattern) {
          throw Collision(refused: consumer.id, pattern: pattern, holder: other.id, held: held)
        }
      }
    }
  }

  /// Whether some consumer sends notifications of a type.
  public func sends(_ type: String) -> Bool {
    consumers.contains { $0.types?.contains(type) ?? true }
  }

  /// Where a link leads; nil when no consumer handles it, or it is not one of the app's links at all.
  ///
  /// - Complexity: O(n) in the words of the link and the patterns that begin like it
  public func resolve(_ text: String) -> LinkDestination? {
    guard let link = DeepLink(text), isGivenToUs(link), isKnownHost(link) else { return nil }
    return index.first(matching: link.path)
  }

  /// Whether the system opens the app for a link, and neither the browser nor another app. What is no link at all
  /// opens the app: it is the app that gave it to a notification.
  public func opensApp(_ text: String) -> Bool { DeepLink(text).map(isGivenToUs) ?? true }

  private func isGivenToUs(_ link: DeepLink) -> Bool {
    if let domain = link.domain { return domains.contains(domain) }
    return schemes.isEmpty || schemes.contains(link.scheme)
  }

  private func isKnownHost(_ link: DeepLink) -> Bool {
    hosts.isEmpty || link.domain != nil || link.host.map(hosts.contains) ?? false
  }
}

/// Where a link leads, as positions in a ``ConsumerRegistry``.
public struct LinkDestination: Hashable, Sendable, BitwiseCopyable {
  /// Among the registered ``ConsumerRegistry/consumers``.
  public var consumer: UInt32
  /// Among the consumer's patterns.
  public var pattern: UInt32
  /// The consumer's fallback is shown, because the link's own subject is gone.
  public var isFallback: Bool

  package init(consumer: UInt32, pattern: UInt32, isFallback: Bool = false) {
    self.consumer = consumer
    self.pattern = pattern
    self.isFallback = isFallback
  }
}
