import CivilTime
import NotificationGateway
import Testing
import TriggerModel

/// The cases of the conformance list that concern links, under their numbers. Where a phone is needed,
/// the rest of a case is in the test bench's tests.
@Suite struct LinkConformanceTests {
  static func registry(schemes: [String] = ["fitme"]) throws -> ConsumerRegistry {
    var registry = ConsumerRegistry(schemes: schemes, domains: ["fitme.example"])
    let tabs = try #require(LinkPattern("nav/{home|main|training|nutrition|stats}"))
    let bare = try #require(LinkPattern("auth"))
    let flow = try #require(LinkPattern("auth/{flow}"))
    try registry.register(LinkConsumer(id: "tabs", patterns: [tabs], fallback: "nav/home"))
    try registry.register(LinkConsumer(id: "account", types: ["registration"], patterns: [bare, flow]))
    return registry
  }

  /// So many milliseconds after a boot.
  static func moment(_ milliseconds: Int64) -> Moment {
    Moment(
      wall: Instant(millisecondsSince1970: 1_772_000_000_000 + milliseconds),
      uptime: Uptime(boot: 0, span: TimeSpan(milliseconds: milliseconds)), zone: ZoneID(0))
  }

  @Test(
    "case 75: another consumer's claim refuses the whole registration; the same one again changes nothing")
  func case75() throws {
    var registry = try Self.registry()
    let before = registry
    let stats = try #require(LinkPattern("stats"))
    let any = try #require(LinkPattern("nav/{tab}"))
    #expect(throws: ConsumerRegistry.Collision.self) {
      try registry.register(LinkConsumer(id: "other", patterns: [stats, any]))
    }
    #expect(registry == before, "nothing of it is registered, not even what nobody else claims")
    #expect(registry.resolve("fitme://stats") == nil)

    for consumer in before.consumers { try registry.register(consumer) }
    #expect(registry == before)

    try registry.register(LinkConsumer(id: "account", patterns: [stats]))
    #expect(registry.consumers.map(\.id) == ["tabs", "account"])
    #expect(registry.resolve("fitme://stats") != nil && registry.resolve("fitme://auth") == nil)
  }

  @Test("case 76: the same link and source within 200 ms is one route, 201 ms two")
  func case76() throws {
    for (span, routes) in [(0, 1), (199, 1), (200, 1), (201, 2)] as [(Int64, Int)] {
      for source in DeepLinkRouter.Source.allCases {
        var router = DeepLinkRouter(try Self.registry())
        var count = 0
        for instant in [1_000, 1_000 + span] {
          if case .pending = router.open("fitme://nav/home", from: source, at: Self.moment(instant)) {
            count += 1
          }
        }
        #expect(count == routes, "\(source) after \(span) ms")
      }
    }
  }

  @Test("case 76: across sources only when one of them is a tap on a notification")
  func case76Sources() throws {
    for first in DeepLinkRouter.Source.allCases {
      for second in DeepLinkRouter.Source.allCases {
        var router = DeepLinkRouter(try Self.registry())
        _ = router.open("fitme://nav/home", from: first, at: Self.moment(0))
        let again = router.open("fitme://nav/home", from: second, at: Self.moment(150))
        let areOne = first == second || first == .notification || second == .notification
        #expect((again == .duplicate) == areOne, "\(first), then \(second)")
        let other = router.open("fitme://nav/stats", from: second, at: Self.moment(150))
        #expect(other != .duplicate, "another link is never the same")
      }
    }
  }

  @Test("case 76: setting the wall clock neither joins nor parts links")
  func case76Clock() throws {
    var router = DeepLinkRouter(try Self.registry())
    _ = router.open("fitme://nav/home", from: .openURL, at: Self.moment(0))
    var turned = Self.moment(100)
    turned.wall = turned.wall + .hours(5)
    #expect(router.open("fitme://nav/home", from: .openURL, at: turned) == .duplicate)
    var back = Self.moment(400)
    back.wall = Self.moment(0).wall
    #expect(router.open("fitme://nav/home", from: .openURL, at: back) != .duplicate)
  }

  @Test(
    "case 77: an unknown link, scheme or domain, and an empty path, lead nowhere",
    arguments: [
      "fitme://nutrition", "fitme://nav", "fitme://nav/unknown", "fitme://nav/home/deep", "other://nav/home",
      "https://other.example/nav/home", "fitme://", "https://fitme.example/", "", "no link",
    ])
  func case77(_ link: String) throws {
    var router = DeepLinkRouter(try Self.registry())
    #expect(router.open(link, from: .notification, at: Self.moment(0)) == .failed(.linkUnresolved))
    #expect(router.consume() == nil, "nothing is navigated to")

    _ = router.open("fitme://nav/home", from: .notification, at: Self.moment(1_000))
    let waiting = router.pending
    _ = router.open(link, from: .notification, at: Self.moment(2_000))
    #expect(router.pending == waiting, "what waits already is left alone")
  }

  @Test("case 78: a destination waits until it is consumed, and is consumed once")
  func case78() throws {
    var router = DeepLinkRouter(try Self.registry())
    let outcome = router.open("fitme://auth/login", from: .notification, at: Self.moment(0))
    guard case .pending(let destination) = outcome else {
      Issue.record("not pending: \(outcome)")
      return
    }
    let copy = router
    #expect(router.registry.consumers[Int(destination.consumer)].id == "account")
    #expect(router.consume() == destination)
    #expect(router.consume() == nil)
    #expect(copy.pending == destination, "a copy goes on by itself")
  }

  @Test("case 78: when its subject is gone, the consumer's fallback; without one it leads nowhere")
  func case78Gone() throws {
    var router = DeepLinkRouter(try Self.registry())
    _ = router.open("fitme://nav/stats", from: .notification, at: Self.moment(0), subjectExists: false)
    #expect(router.consume()?.isFallback == true)
    let gone = router.open("fitme://auth", from: .notification, at: Self.moment(1_000), subjectExists: false)
    #expect(gone == .failed(.linkUnresolved))
  }

  @Test("any scheme, and no domain, when none is named")
  func anyScheme() throws {
    var registry = ConsumerRegistry()
    try registry.register(LinkConsumer(id: "a", patterns: [try #require(LinkPattern("list"))]))
    for link in ["one://list", "two://list", "two:///list"] {
      #expect(registry.resolve(link) != nil && registry.opensApp(link), "\(link)")
    }
    for link in ["https://any.example/list", "http://any.example/list"] {
      #expect(registry.resolve(link) == nil && !registry.opensApp(link), "\(link) opens the browser")
    }
  }

  @Test("hosts that are named are the only ones, of links of the app's own schemes")
  func hosts() throws {
    var registry = ConsumerRegistry(schemes: ["app"], hosts: ["Nav"], domains: ["a.example"])
    try registry.register(LinkConsumer(id: "all", patterns: [try #require(LinkPattern("{rest...}"))]))
    for link in ["app://nav/home", "app://NAV", "https://a.example/other"] {
      #expect(registry.resolve(link) != nil, "\(link)")
    }
    for link in ["app://other/home", "app:///nav/home"] {
      #expect(
        registry.resolve(link) == nil && registry.opensApp(link), "\(link) opens the app, and leads nowhere")
    }
    #expect(!registry.opensApp("other://nav/home"))
  }

  @Test("types that no consumer names are nobody's; a consumer without a list sends every type")
  func types() throws {
    var registry = ConsumerRegistry()
    try registry.register(LinkConsumer(id: "a", types: ["milk"], patterns: []))
    #expect(registry.sends("milk") && !registry.sends("bread"))
    try registry.register(LinkConsumer(id: "b", patterns: []))
    #expect(registry.sends("bread"))
  }
}
