import NotificationGateway
import Testing
import TriggerModel

/// Parsing and matching of links and patterns.
@Suite struct DeepLinkTests {
  @Test func `a custom scheme and a universal link lead to the same path`() throws {
    let own = try #require(DeepLink("fitme://nav/home"))
    #expect(own.scheme == "fitme" && own.domain == nil && own.path == ["nav", "home"])
    let universal = try #require(DeepLink("https://FitMe.example/nav/home"))
    #expect(universal.scheme == "https" && universal.domain == "fitme.example")
    #expect(universal.path == own.path)
  }

  @Test(arguments: [
    "fitme://nav/home?from=mail", "fitme://nav/home#top", "fitme://nav/home/", "FITME://NAV/home",
    "fitme:///nav/home", "fitme://nav//home",
  ])
  func `query, fragment, trailing slash and the case of scheme and host make no difference`(_ text: String) {
    #expect(DeepLink(text)?.path == ["nav", "home"])
    #expect(DeepLink(text)?.scheme == "fitme")
  }

  @Test func `words after the host are case-sensitive`() {
    #expect(DeepLink("fitme://nav/Home")?.path == ["nav", "Home"])
  }

  @Test(arguments: [
    "", "nav/home", "fitme:", "fitme://", "fitme:///", "fitme://?a=b", "://nav/home", "1app://nav",
    "a b://c",
    "https://", "https://fitme.example", "https://fitme.example/", "https:///nav/home", "fitme:nav/home",
  ])
  func `a malformed link is rejected`(_ text: String) {
    #expect(DeepLink(text) == nil)
  }

  @Test func `patterns match paths with the same number of words, alternatives and placeholders`() throws {
    let choice = try #require(LinkPattern("nav/{home|stats}"))
    let any = try #require(LinkPattern("auth/{flow}"))
    let bare = try #require(LinkPattern("auth"))
    func path(_ text: String) throws -> DeepLink { try #require(DeepLink("app://" + text)) }
    #expect(try choice.matches(path("nav/home")) && choice.matches(path("nav/stats")))
    #expect(try !choice.matches(path("nav/other")) && !choice.matches(path("nav")))
    #expect(try !choice.matches(path("nav/home/deep")))
    #expect(try any.matches(path("auth/anything")) && !any.matches(path("auth")))
    #expect(try bare.matches(path("auth")) && !bare.matches(path("auth/login")))
  }

  @Test func `the rest of a path matches any number of words, including none`() throws {
    func path(_ text: String) throws -> DeepLink { try #require(DeepLink("app://" + text)) }
    let rest = try #require(LinkPattern("docs/{a|b}/{rest...}"))
    #expect(try rest.matches(path("docs/a")) && rest.matches(path("docs/b/c/d/e")))
    #expect(try !rest.matches(path("docs")) && !rest.matches(path("docs/c/d")))
    let everything = try #require(LinkPattern("{rest...}"))
    #expect(try everything.matches(path("a")) && everything.matches(path("a/b")))
  }

  @Test(arguments: [
    "docs/{rest...}/more", "docs/{...}", "docs/{a|b...}", "docs/*", "docs/**", "{a b...}",
    "", "/nav", "nav/", "nav//home", "nav/{", "nav/}", "nav/{}", "nav/{a|}", "nav/{a b}", "na{v}",
  ])
  func `a malformed pattern is rejected`(_ text: String) {
    #expect(LinkPattern(text) == nil)
  }

  @Test func `two patterns overlap exactly if a path matches both`() throws {
    let words = ["a", "b", "{a|b}", "{b|c}", "{x}"]
    let endings = words + ["{rest...}"]
    let patterns = try (endings + words.flatMap { first in endings.map { "\(first)/\($0)" } }).map {
      try #require(LinkPattern($0))
    }
    let atoms = ["a", "b", "c", "d"]
    let paths = try (atoms + atoms.flatMap { first in atoms.map { "\(first)/\($0)" } }).map {
      try #require(DeepLink("app:///" + $0))
    }
    for one in patterns {
      for other in patterns {
        let both = paths.contains { one.matches($0) && other.matches($0) }
        #expect(one.overlaps(other) == both, "\(one) and \(other)")
      }
    }
  }
}
