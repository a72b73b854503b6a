import NotificationGateway
import TestSupport
import Testing

/// Compares the prefix tree with a linear search.
@Suite struct PatternIndexTests {
  private struct LinearSearch {
    var consumers: [LinkConsumer] = []

    mutating func register(_ consumer: LinkConsumer) -> Bool {
      for other in consumers where other.id != consumer.id {
        for pattern in consumer.patterns where other.patterns.contains(where: { $0.overlaps(pattern) }) {
          return false
        }
      }
      if let index = consumers.firstIndex(where: { $0.id == consumer.id }) {
        consumers[index] = consumer
      } else {
        consumers.append(consumer)
      }
      return true
    }

    func resolve(_ text: String) -> [Int]? {
      guard let link = DeepLink(text) else { return nil }
      for (index, consumer) in consumers.enumerated() {
        if let pattern = consumer.patterns.firstIndex(where: { $0.matches(link) }) {
          return [index, pattern]
        }
      }
      return nil
    }
  }

  private static let words = ["a", "b", "c", "{a|b}", "{b|a}", "{x}", "{c|d|a}", "d"]

  @Test func `random consumers collide and resolve as in a linear search`() throws {
    var random = SplitMix64(seed: 15)
    var (refused, found) = (0, 0)
    for _ in 0..<300 {
      var registry = ConsumerRegistry()
      var linear = LinearSearch()
      for _ in 0..<8 {
        let patterns = try (0..<random.below(4)).map { _ in
          var parts = (0..<random.below(4)).map { _ in Self.words[random.below(Self.words.count)] }
          if parts.isEmpty || random.below(5) == 0 { parts.append("{rest...}") }
          return try #require(LinkPattern(parts.joined(separator: "/")))
        }
        let consumer = LinkConsumer(id: "c\(random.below(6))", patterns: patterns)
        let isDeferredOrReserved = linear.register(consumer)
        do {
          try registry.register(consumer)
          #expect(isDeferredOrReserved, "\(consumer) in \(linear.consumers)")
        } catch {
          refused += 1
          #expect(!isDeferredOrReserved, "\(error)")
        }
        #expect(registry.consumers == linear.consumers)
      }
      for _ in 0..<20 {
        let path = (0..<random.below(5)).map { _ in ["a", "b", "c", "d", "e"][random.below(5)] }
        let link = "app://" + path.joined(separator: "/")
        let destination = registry.resolve(link).map { [Int($0.consumer), Int($0.pattern)] }
        #expect(destination == linear.resolve(link), "\(link) in \(linear.consumers)")
        if destination != nil { found += 1 }
      }
    }
    #expect(refused > 300 && found > 1_000, "\(refused), \(found)")
  }
}
