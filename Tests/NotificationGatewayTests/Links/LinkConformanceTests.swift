import CivilTime
import NotificationGateway
import Testing
import TriggerModel

/// The link cases of the conformance list, by number. `TestBenchTests` tests the cases that need a phone.
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

  /// Returns a moment the given number of milliseconds after a boot.
  static func moment(_ milliseconds: Int64) -> Moment {
    Moment(
      wall: Instant(millisecondsSince1970: 1_772_000_000_000 + milliseconds),
      uptime: Uptime(boot: 0, span: TimeSpan(milliseconds: milliseconds)), zone: ZoneID(0))
  }

  @Test
  func `case 75: a collision refuses the whole registration, and repeating a registration changes nothing`()
    throws
  {
    var registry = try Self.registry()
    let before = registry
    let stats = try #require(LinkPattern("stats"))
    let any = try #require(LinkPattern("nav/{tab}"))
    #expect(throws: ConsumerRegistry.Collision.self) {
      try registry.register(LinkConsumer(id: "other", patterns: [stats, any]))
    }
    #expect(registry == before, "nothing is registered, not even unclaimed patterns")
    #expect(registry.resolve("fitme://stats") == nil)

    for consumer in before.consumers { try registry.register(consumer) }
    #expect(registry == before)

    try registry.register(LinkConsumer(id: "account", patterns: [stats]))
    #expect(registry.consumers.map(\.id) == ["tabs", "account"])
    #expect(registry.resolve("fitme://stats") != nil && registry.resolve("fitme://auth") == nil)
  }

  @Test func `case 76: a link that a source repeats is one route within 200 ms, two after 201 ms`() throws {
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

  @Test func `case 76: links of two sources are one route only if one source is a notification tap`() throws {
    for first in DeepLinkRouter.Source.allCases {
      for second in DeepLinkRouter.Source.allCases {
        var router = DeepLinkRouter(try Self.registry())
        _ = router.open("fitme://nav/home", from: first, at: Self.moment(0))
        let again = router.open("fitme://nav/home", from: second, at: Self.moment(150))
        let areDuplicates = first == second || first == .notification || second == .notification
        #expect((again == .duplicate) == areDuplicates, "\(first), then \(second)")
        let other = router.open("fitme://nav/stats", from: second, at: Self.moment(150))
        #expect(other != .duplicate, "another link is never a duplicate")
      }
    }
  }

  @Test func `case 76: setting the wall clock does not affect duplicate detection`() throws {
    var router = DeepLinkRouter(try Self.registry())
    _ = router.open("fitme://nav/home", from: .openURL, at: Self.moment(0))
    var turned = Self.moment(100)
    turned.wall = turned.wall + .hours(5)
    #expect(router.open("fitme://nav/home", from: .openURL, at: turned) == .duplicate)
    var back = Self.moment(400)
    back.wall = Self.moment(0).wall
    #expect(router.open("fitme://nav/home", from: .openURL, at: back) != .duplicate)
  }

  @Test(arguments: [
    "fitme://nutrition", "fitme://nav", "fitme://nav/unknown", "fitme://nav/home/deep", "other://nav/home",
    "https://other.example/nav/home", "fitme://", "https://fitme.example/", "", "no link",
  ])
  func `case 77: an unknown link, scheme or domain and an empty path are unresolved`(_ link: String) throws {
    var router = DeepLinkRouter(try Self.registry())
    #expect(router.open(link, from: .notification, at: Self.moment(0)) == .failed(.linkUnresolved))
    #expect(router.consume() == nil, "no destination is pending")

    _ = router.open("fitme://nav/home", from: .notification, at: Self.moment(1_000))
    let waiting = router.pending
    _ = router.open(link, from: .notification, at: Self.moment(2_000))
    #expect(router.pending == waiting, "the waiting destination stays")
  }

  @Test func `case 78: a destination waits until it is consumed once`() throws {
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
    #expect(copy.pending == destination, "a copy is independent")
  }

  @Test func `case 78: a link whose subject is gone shows the fallback, and is unresolved without one`()
    throws
  {
    var router = DeepLinkRouter(try Self.registry())
    _ = router.open("fitme://nav/stats", from: .notification, at: Self.moment(0), subjectExists: false)
    #expect(router.consume()?.isFallback == true)
    let gone = router.open("fitme://auth", from: .notification, at: Self.moment(1_000), subjectExists: false)
    #expect(gone == .failed(.linkUnresolved))
  }

  @Test func `a registry without schemes and domains accepts any scheme and no domain`() throws {
    var registry = ConsumerRegistry()
    try registry.register(LinkConsumer(id: "a", patterns: [try #require(LinkPattern("list"))]))
    for link in ["one://list", "two://list", "two:///list"] {
      #expect(registry.resolve(link) != nil && registry.opensApp(link), "\(link)")
    }
    for link in ["https://any.example/list", "http://any.example/list"] {
      #expect(registry.resolve(link) == nil && !registry.opensApp(link), "\(link) opens the browser")
    }
  }

  @Test func `listed hosts restrict links of custom schemes`() throws {
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

  @Test func `a consumer without a list of types sends every type, and unlisted types have no sender`() throws
  {
    var registry = ConsumerRegistry()
    try registry.register(LinkConsumer(id: "a", types: ["milk"], patterns: []))
    #expect(registry.sends("milk") && !registry.sends("bread"))
    try registry.register(LinkConsumer(id: "b", patterns: []))
    #expect(registry.sends("bread"))
  }
}
