import NotificationGateway
import Testing
import TextFormats
import TriggerModel

@testable import ScenarioModel
@testable import Scenarios

/// Tests the consumers of links, and the messages for errors in their declarations.
@Suite struct LinkFormatTests {
  private func read(_ text: String) -> (scenario: Scenario?, messages: [String]) {
    let (scenario, found) = diagnose(text)
    return (scenario, found.map(\.message))
  }

  private func hints(_ text: String) -> [String] { diagnose(text).found.compactMap(\.hint) }

  private func diagnose(_ text: String) -> (scenario: Scenario?, found: [Diagnostic]) {
    let head = "kind: scenario\nversion: 1\ntitle: t\nstart: 2026-03-02T07:00\nzone: UTC\n"
    let rest =
      "\nreminders: {a: {when: unlock, notify: {title: A, link: \"app://nav/a\"}}}\nexpect: [a never]\n"
    switch ScenarioFile.read(Array((head + text + rest).utf8), file: "t.yaml", fileExists: { _ in false }) {
    case .scenario(let scenario, let warnings): return (scenario, warnings)
    case .unusable(let diagnostics): return (nil, diagnostics)
    case .otherKind: return (nil, [])
    }
  }

  @Test("a consumer is read from one pattern, a list of patterns, or the long form")
  func forms() throws {
    let (scenario, messages) = read(
      """
      links: {schemes: app, domains: [a.example, b.example], startUp: 1.5 s}
      consumers:
        one: "nav/{tab}"
        two: [auth, "auth/{flow}"]
        three: {types: [a], patterns: "x/{b|c}", fallback: x/b}
      """)
    let links = try #require(scenario?.links)
    #expect(messages.isEmpty)
    #expect(links.schemes == ["app"] && links.domains == ["a.example", "b.example"])
    #expect(links.startUp == TimeSpan(milliseconds: 1_500))
    #expect(links.consumers.map(\.consumer.id) == ["one", "two", "three"])
    #expect(links.consumers[1].consumer.patterns.map(\.description) == ["auth", "auth/{flow}"])
    #expect(links.consumers[2].consumer.types == ["a"] && links.consumers[2].consumer.fallback == "x/b")
    #expect(links.consumers[0].consumer.types == nil)
  }

  @Test("hosts, the rest of a path, and an unobserved consumer are unchanged after reading and writing")
  func hostsAndRest() throws {
    let (scenario, messages) = read(
      """
      links: {schemes: app, hosts: [nav, docs]}
      consumers:
        one: "nav/{tab}"
        two: {patterns: "docs/{rest...}", observed: false}
      """)
    let links = try #require(scenario?.links)
    #expect(messages.isEmpty)
    #expect(links.hosts == ["nav", "docs"] && links.domains.isEmpty)
    #expect(links.consumers.map(\.consumer.isObserved) == [true, false])
  }

  @Test("unreachable patterns and unobserved consumers are reported")
  func unreachable() {
    #expect(
      read("links: {hosts: [NAV]}\nconsumers: {one: 'nav/{tab}', two: [stats, '{any}']}").messages
        == ["no link reaches stats: its first word is not one of the hosts"])
    #expect(
      read("links: {hosts: nav, domains: a.example}\nconsumers: {one: 'nav/{tab}', two: stats}").messages
        .isEmpty)
    #expect(
      read("consumers: {one: {patterns: 'nav/{tab}', observed: false}}").messages
        == ["'a' links to app://nav/a, which leads to 'one', but the app does not observe that"])
  }

  @Test(
    "patterns in the notation of other routers are reported with a hint",
    arguments: [
      ("docs/*", "the rest of a path is {rest...}, any one word {name}"),
      ("docs/:page", "any one word is {name}"),
      ("/docs", "it begins with a word, not with a slash"),
      ("app://docs/{page}", "a pattern is a path only: schemes and domains stand under 'links'"),
      ("docs/{rest...}/x", "the rest of a path is its end"),
    ])
  func misuse(_ pattern: String, _ hint: String) {
    #expect(hints("consumers: {one: '\(pattern)'}").contains(hint))
  }

  @Test("case 75: the second claim on a link is rejected at its own position")
  func collision() {
    let (scenario, messages) = read("consumers:\n  one: 'nav/{tab}'\n  two: [other, nav/home]")
    #expect(scenario == nil)
    #expect(messages == ["consumer 'two' claims nav/home, and 'one' has claimed nav/{tab} already"])
  }

  @Test("a reminder whose tap has no destination is reported")
  func deadEnd() {
    #expect(
      read("consumers: {one: list}").messages == ["'a' links to app://nav/a, which no consumer handles"])
    #expect(read("consumers: {one: 'nav/{tab}'}").messages.isEmpty)
    #expect(
      read("links: {schemes: other}\nconsumers: {one: 'nav/{tab}'}").messages
        == ["'a' links to app://nav/a, which no consumer handles"])
  }

  @Test(
    "invalid declarations are reported with the reason",
    arguments: [
      ("links: {schemes: app}", "'links' needs 'consumers'"),
      ("consumers: {}", "the mapping is empty"),
      (
        "consumers: {one: /nav}",
        "'/nav' is not a pattern of paths such as nav/{home|stats}, auth/{flow} or docs/{rest...}"
      ),
      ("consumers: {one: {types: b, patterns: nav}}", "unknown notification type 'b'"),
      ("consumers: {one: {fallback: nav}}", "the key 'patterns' is missing"),
      ("links: {schemes: 'a b'}\nconsumers: {one: 'nav/{tab}'}", "'a b' is not a scheme, a host or a domain"),
      ("timeline: [08:00 open link app://nav/a]", "this scenario has no consumer of links"),
      ("timeline: [08:00 next tap lost]", "this scenario has no consumer of links"),
    ])
  func malformed(_ text: String, _ message: String) {
    let (scenario, messages) = read(text)
    #expect(scenario == nil)
    #expect(messages.contains(message), "\(messages)")
  }

  @Test("link actions have the same meaning in short and long form")
  func actions() throws {
    let (scenario, messages) = read(
      """
      consumers: {one: "nav/{tab}"}
      timeline:
        - 08:00 open link app://nav/x?a=b
        - 08:01 next tap lost
        - 08:02 next tap late by 5 s
        - 08:03 next tap again after 150 ms
        - {at: 08:04, do: [{openLink: "app://nav/y"}, {event: loseNextTap}, {delayNextTap: 5 s}, {repeatNextTap: 150 ms}]}
      """)
    #expect(messages.isEmpty)
    let actions = try #require(scenario).timeline.entries.flatMap(\.actions)
    #expect(actions.count == 8 && Array(actions[1...3]) == Array(actions[5...7]))
    #expect(scenario?.links?.opened == ["app://nav/x?a=b", "app://nav/y"])
  }
}
