import Foundation
import NotificationGateway
import TestSupport
import Testing

/// Compares random route tables with an independent implementation, which parses links with Foundation and
/// matches patterns as regular expressions.
@Suite struct RouteTableTests {
  @Test(arguments: 0..<150)
  func `random registries agree with a reference on collisions, opening and destinations`(_ seed: UInt64)
    throws
  {
    var dice = SplitMix64(seed: seed)
    let oracle = Oracle(&dice)
    var registry = ConsumerRegistry(schemes: oracle.schemes, hosts: oracle.hosts, domains: oracle.domains)
    var held: [Oracle.Consumer] = []
    for consumer in oracle.consumers {
      let patterns = try consumer.routes.map { try #require(LinkPattern($0.text), "\($0.text)") }
      let isRefused = held.contains { other in
        other.routes.contains { mine in consumer.routes.contains { !mine.paths.isDisjoint(with: $0.paths) } }
      }
      do throws(ConsumerRegistry.Collision) {
        try registry.register(LinkConsumer(id: consumer.id, patterns: patterns))
        #expect(!isRefused, "\(consumer)")
        held.append(consumer)
      } catch {
        #expect(isRefused, "\(error)")
      }
    }
    for _ in 0..<60 {
      let link = Oracle.link(&dice)
      let parts = try #require(Oracle.parts(link), "\(link)")
      let found = registry.resolve(link).map {
        let consumer = registry.consumers[Int($0.consumer)]
        return "\(consumer.id) \(consumer.patterns[Int($0.pattern)])"
      }
      #expect(found == oracle.destination(parts, among: held), "\(link) with \(oracle)")
      if !parts.words.isEmpty { #expect(registry.opensApp(link) == oracle.isGiven(parts), "\(link)") }
    }
  }
}

/// An independent route table.
private struct Oracle {
  struct Route {
    var text: String
    /// The paths of up to three words that match.
    var paths: Set<String>

    func fits(_ words: [String]) -> Bool {
      words.joined(separator: "/").range(of: expression, options: .regularExpression) != nil
    }

    private let expression: String

    init(_ dice: inout SplitMix64) {
      var parts: [(text: String, expression: String)] = (0..<dice.below(3)).map { _ in
        dice.one(of: [("a", "a"), ("b", "b"), ("{a|c}", "(a|c)"), ("{b|c}", "(b|c)"), ("{x}", "[^/]+")])
      }
      let hasRest = parts.isEmpty || dice.below(3) == 0
      let required = parts.map(\.expression).joined(separator: "/")
      let rest = parts.isEmpty ? "[^/]+(/[^/]+)*" : "(/[^/]+)*"
      if hasRest { parts.append(("{rest...}", "")) }
      let expression = "^\(required)\(hasRest ? rest : "")$"
      text = parts.map(\.text).joined(separator: "/")
      self.expression = expression
      paths = Set(
        Oracle.everyPath.filter { $0.range(of: expression, options: .regularExpression) != nil })
    }
  }

  struct Consumer {
    var id: String
    var routes: [Route]
  }

  struct Parts {
    var scheme: String
    var host: String?
    var words: [String]
    var isWeb: Bool { scheme.hasPrefix("http") }
  }

  let schemes: [String]
  let hosts: [String]
  let domains: [String]
  let consumers: [Consumer]

  private static let words = ["a", "b", "c", "d"]
  private static let everyPath =
    words
    + words.flatMap { one in
      words.map { "\(one)/\($0)" } + words.flatMap { two in words.map { "\(one)/\(two)/\($0)" } }
    }

  init(_ dice: inout SplitMix64) {
    schemes = dice.one(of: [[], ["app"], ["app", "other"]])
    hosts = dice.one(of: [[], [], ["a"], ["a", "B", "d"]])
    domains = dice.one(of: [[], ["x.example"], ["x.example", "Y.example"]])
    consumers = (0..<1 + dice.below(4)).map { index in
      Consumer(id: "c\(index)", routes: (0..<1 + dice.below(2)).map { _ in Route(&dice) })
    }
  }

  static func link(_ dice: inout SplitMix64) -> String {
    let scheme = dice.one(of: ["app", "app", "APP", "other", "third", "https", "http"])
    let isWeb = scheme.hasPrefix("http")
    let host = dice.one(
      of:
        isWeb ? ["x.example", "X.example", "y.example", "z.example"] : ["", "a", "B", "c", "d"])
    let path = (0..<dice.below(4)).map { _ in "/" + dice.one(of: words) }.joined()
    return "\(scheme)://\(host)\(path)\(dice.one(of: ["", "", "/", "?q=a/b", "#a"]))"
  }

  static func parts(_ link: String) -> Parts? {
    guard let parts = URLComponents(string: link), let scheme = parts.scheme?.lowercased() else { return nil }
    let host = parts.host.flatMap { $0.isEmpty ? nil : $0.lowercased() }
    let path = parts.path.split(separator: "/").map(String.init)
    let isWeb = scheme.hasPrefix("http")
    return Parts(scheme: scheme, host: host, words: isWeb ? path : (host.map { [$0] } ?? []) + path)
  }

  func isGiven(_ link: Parts) -> Bool {
    guard let host = link.host, link.isWeb else { return schemes.isEmpty || schemes.contains(link.scheme) }
    return domains.contains { $0.lowercased() == host }
  }

  func destination(_ link: Parts, among held: [Consumer]) -> String? {
    guard isGiven(link) else { return nil }
    if !link.isWeb, !hosts.isEmpty, !hosts.contains(where: { $0.lowercased() == link.host }) { return nil }
    for consumer in held {
      for route in consumer.routes where route.fits(link.words) { return "\(consumer.id) \(route.text)" }
    }
    return nil
  }
}
