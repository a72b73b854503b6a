/// A part of the app that sends notifications and handles their links.
public struct LinkConsumer: Hashable, Sendable {
  /// The identifier, unique among the consumers of an app.
  public var id: String
  /// The notification types that the consumer sends, or `nil` for every type.
  public var types: [String]?
  /// The links that the consumer handles. No other consumer may claim any of them.
  public var patterns: [LinkPattern]
  /// The path to show if the subject of a link no longer exists, or `nil` if such a link must fail.
  public var fallback: String?
  /// Whether the app observes the consumer's links. If not, they are resolved but not shown.
  public var isObserved: Bool

  /// Creates a consumer. By default it sends every type.
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

/// The consumers of an app and the links that they handle. No two consumers handle the same link.
public struct ConsumerRegistry: Hashable, Sendable {
  /// The consumers, in the order in which they were first registered.
  public private(set) var consumers: [LinkConsumer] = []
  private var positions: [String: Int] = [:]
  private var index = PatternIndex()
  /// The schemes that the app has registered with the system, in lower case. If empty, any scheme is
  /// accepted.
  public let schemes: [String]
  /// The hosts that the app's router accepts in links of its own schemes, in lower case. If empty, any host
  /// is accepted, and a link need not have one.
  public let hosts: [String]
  /// The domains whose universal links the system opens in the app, in lower case. If empty, all universal
  /// links open in the browser.
  public let domains: [String]

  /// Creates the registry of an app with these schemes, hosts and domains. Case is ignored.
  public init(schemes: [String] = [], hosts: [String] = [], domains: [String] = []) {
    self.schemes = schemes.map { $0.lowercased() }
    self.hosts = hosts.map { $0.lowercased() }
    self.domains = domains.map { $0.lowercased() }
  }

  /// The error that two consumers claim the same link.
  public struct Collision: Error, Hashable, Sendable, CustomStringConvertible {
    /// The identifier of the refused consumer.
    public var refused: String
    /// The refused pattern.
    public var pattern: LinkPattern
    /// The identifier of the consumer that claimed the link first.
    public var holder: String
    /// The pattern with which it collides.
    public var held: LinkPattern

    public var description: String {
      "consumer '\(refused)' claims \(pattern), and '\(holder)' has claimed \(held) already"
    }
  }

  /// Registers a consumer, or replaces the registration with the same identifier. A registration can be
  /// repeated at every launch without effect. If one of its links collides with another consumer's, the whole
  /// registration is refused.
  ///
  /// - Complexity: O(m) in the words of the new patterns; O(n) in all patterns if a registration is replaced.
  public mutating func register(_ consumer: LinkConsumer) throws(Collision) {
    let known = positions[consumer.id]
    let position = known ?? consumers.count
    if consumer.patterns.contains(where: { index.overlaps($0, excluding: UInt32(position)) }) {
      try throwCollision(consumer)
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

  /// Throws the first collision of a consumer's patterns.
  private func throwCollision(_ consumer: LinkConsumer) throws(Collision) {
    for other in consumers where other.id != consumer.id {
      for pattern in consumer.patterns {
        for held in other.patterns where held.overlaps(pattern) {
          throw Collision(refused: consumer.id, pattern: pattern, holder: other.id, held: held)
        }
      }
    }
  }

  /// Returns whether a consumer sends notifications of a type.
  public func sends(_ type: String) -> Bool {
    consumers.contains { $0.types?.contains(type) ?? true }
  }

  /// Returns the destination of a link, or `nil` if no consumer handles it or the app does not accept it.
  ///
  /// - Complexity: O(n) in the words of the link and the patterns that begin with them.
  public func resolve(_ text: String) -> LinkDestination? {
    guard let link = DeepLink(text), opensInApp(link), isKnownHost(link) else { return nil }
    return index.first(matching: link.path)
  }

  /// Returns whether the system opens the app for a link, instead of the browser or another app. A text that
  /// is not a link also opens the app, because it can come only from the app's own notification.
  public func opensApp(_ text: String) -> Bool { DeepLink(text).map(opensInApp) ?? true }

  private func opensInApp(_ link: DeepLink) -> Bool {
    if let domain = link.domain { return domains.contains(domain) }
    return schemes.isEmpty || schemes.contains(link.scheme)
  }

  private func isKnownHost(_ link: DeepLink) -> Bool {
    hosts.isEmpty || link.domain != nil || link.host.map(hosts.contains) ?? false
  }
}

/// The destination of a link, as positions in a ``ConsumerRegistry``.
public struct LinkDestination: Hashable, Sendable, BitwiseCopyable {
  /// The position in ``ConsumerRegistry/consumers``.
  public var consumer: UInt32
  /// The position among the consumer's patterns.
  public var pattern: UInt32
  /// Whether the consumer's fallback is shown, because the subject of the link no longer exists.
  public var isFallback: Bool

  package init(consumer: UInt32, pattern: UInt32, isFallback: Bool = false) {
    self.consumer = consumer
    self.pattern = pattern
    self.isFallback = isFallback
  }
}

/// A prefix tree of patterns, so that a pattern or a link need not be compared with all patterns.
struct PatternIndex: Hashable, Sendable {
  /// A prefix that some patterns have in common.
  private struct Node: Hashable, Sendable {
    /// The children by their lists of alternative words.
    var children: [[String]: Int] = [:]
    /// The children by each alternative word.
    var byWord: [String: [Int]] = [:]
    /// The child for any word.
    var any: Int?
    /// The first pattern that ends here.
    var end: Place?
    /// The first pattern that matches the rest of a path from here.
    var rest: Place?
    /// The consumer that has all patterns below this node, or `nil` if there are several.
    var owner: UInt32?
  }

  /// The position of a pattern. An earlier registration has a smaller position.
  private struct Place: Hashable, Comparable, Sendable {
    var consumer: UInt32
    var pattern: UInt32

    static func < (a: Self, b: Self) -> Bool { (a.consumer, a.pattern) < (b.consumer, b.pattern) }
  }

  private var nodes: [Node] = []

  /// Inserts the patterns of a new consumer. They must not overlap the patterns of another consumer.
  mutating func insert(_ patterns: [LinkPattern], of consumer: UInt32) {
    for (number, pattern) in patterns.enumerated() {
      var node = root(consumer)
      for word in pattern.words { node = child(of: node, word, consumer) }
      let place = Place(consumer: consumer, pattern: UInt32(number))
      if pattern.hasRest {
        nodes[node].rest = min(nodes[node].rest ?? place, place)
      } else {
        nodes[node].end = min(nodes[node].end ?? place, place)
      }
    }
  }

  private mutating func root(_ consumer: UInt32) -> Int {
    if nodes.isEmpty { nodes.append(Node(owner: consumer)) }
    if nodes[0].owner != consumer { nodes[0].owner = nil }
    return 0
  }

  private mutating func child(of node: Int, _ word: LinkPattern.Word, _ consumer: UInt32) -> Int {
    var known: Int?
    switch word {
    case .any: known = nodes[node].any
    case .oneOf(let names): known = nodes[node].children[names]
    }
    if let known {
      if nodes[known].owner != consumer { nodes[known].owner = nil }
      return known
    }
    let new = nodes.count
    nodes.append(Node(owner: consumer))
    switch word {
    case .any: nodes[node].any = new
    case .oneOf(let names):
      nodes[node].children[names] = new
      for name in Set(names) { nodes[node].byWord[name, default: []].append(new) }
    }
    return new
  }

  /// Returns whether a pattern of another consumer matches a path that this pattern matches too.
  func overlaps(_ pattern: LinkPattern, excluding consumer: UInt32) -> Bool {
    nodes.isEmpty ? false : overlaps(pattern, from: 0, 0, consumer)
  }

  private func overlaps(_ pattern: LinkPattern, from node: Int, _ depth: Int, _ consumer: UInt32) -> Bool {
    let here = nodes[node]
    if here.owner == consumer { return false }
    if let rest = here.rest, rest.consumer != consumer { return true }
    guard depth < pattern.words.count else {
      if !pattern.hasRest { return here.end.map { $0.consumer != consumer } ?? false }
      // Every pattern of another consumer below this node overlaps.
      return true
    }
    if let any = here.any, overlaps(pattern, from: any, depth + 1, consumer) { return true }
    switch pattern.words[depth] {
    case .any:
      return here.children.values.contains { overlaps(pattern, from: $0, depth + 1, consumer) }
    case .oneOf(let names):
      return names.contains { name in
        (here.byWord[name] ?? []).contains { overlaps(pattern, from: $0, depth + 1, consumer) }
      }
    }
  }

  /// Returns the destination of a path: the first consumer with a matching pattern, and its first matching
  /// pattern.
  func first(matching path: [String]) -> LinkDestination? {
    guard !nodes.isEmpty, let place = first(matching: path[...], from: 0) else { return nil }
    return LinkDestination(consumer: place.consumer, pattern: place.pattern)
  }

  private func first(matching path: ArraySlice<String>, from node: Int) -> Place? {
    let here = nodes[node]
    var best = here.rest
    func take(_ place: Place?) {
      if let place { best = min(best ?? place, place) }
    }
    guard let word = path.first else {
      take(here.end)
      return best
    }
    for child in here.byWord[word] ?? [] { take(first(matching: path.dropFirst(), from: child)) }
    if let any = here.any { take(first(matching: path.dropFirst(), from: any)) }
    return best
  }
}
