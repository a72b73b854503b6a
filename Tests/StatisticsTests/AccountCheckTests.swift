import Testing
import TriggerModel

@testable import Statistics

/// Changes single figures of an account that adds up. The check must report each change.
@Suite struct AccountCheckTests {
  /// An account that adds up and in which every figure has its maximum.
  private static var full: ReminderAccount {
    var account = ReminderAccount()
    account.matches = 20
    account.noRequest[.snoozed] = 3
    account.replaced = 2
    account.requests = 15
    account.denied[.quietHours] = 2
    account.blockedBy[.quietHours] = 2
    account.failed = 1
    account.dropped[.dailyCap] = 1
    account.held = 2
    account.unfounded = 2
    account.unfoundedBecause = ["an unlock": 2]
    account.early = 1
    account.repeated = 15
    account.notObserved = ["locked": 2]
    account.dueRequests = 14
    account.admitted = 9
    account.lost[.cancelled] = 2
    account.delivered = 7
    account.deliveredDue = 7
    account.exposed = 7
    account.listed = 7
    account.answerable = 7
    account.tapped = 3
    account.dismissed = 2
    account.acted = 2
    account.links.attempted = 3
    account.links.routed = 2
    account.links.fallbacks = 2
    account.links.lost[.linkUnresolved] = 1
    return account
  }

  @Test func `an account that adds up has no problems`() {
    #expect(Self.full.problems == [])
    #expect(Self.full.pending == 0 && Self.full.ignored == 0)
    #expect(ReminderAccount().problems == [])
  }

  /// The changes, each with the figure that the check must report.
  private static let changes: [(figure: String, change: @Sendable (inout ReminderAccount) -> Void)] = [
    ("matches", { $0.matches += 1 }), ("matches", { $0.replaced -= 1 }),
    ("matches", { $0.noRequest[.snoozed] += 1 }),
    ("requests", { $0.failed += 1 }), ("requests", { $0.held -= 1 }),
    ("requests", { $0.denied[.quietHours] -= 1 }), ("requests", { $0.dropped[.dailyCap] += 1 }),
    ("requests", { $0.admitted += 1 }),
    ("due", { $0.dueRequests += 1 }), ("due", { $0.unfounded -= 1 }), ("due", { $0.early += 1 }),
    ("due", { $0.notObserved["locked"] = 3 }),
    ("unfounded for a reason", { $0.unfoundedBecause["an unlock"] = 3 }),
    ("repeated", { $0.repeated += 1 }),
    ("admitted", { $0.delivered += 1 }), ("admitted", { $0.lost[.cancelled] += 1 }),
    ("exposed", { $0.exposed += 1 }), ("delivered and due", { $0.deliveredDue += 1 }),
    ("in the list only", { $0.listed += 1 }), ("with a known response", { $0.answerable += 1 }),
    ("with a known response", { $0.dismissed += 1 }), ("with a known response", { $0.acted += 1 }),
    ("links of taps", { $0.links.attempted += 1 }), ("links", { $0.links.routed += 1 }),
    ("links", { $0.links.lost[.linkUnresolved] += 1 }), ("fallbacks", { $0.links.fallbacks += 1 }),
    ("snoozed", { $0.noRequest[.snoozed] = -1 }), ("quietHours", { $0.blockedBy[.quietHours] = -1 }),
    ("locked", { $0.notObserved["locked"] = -1 }),
  ]

  @Test func `a wrong figure is reported by its name`() {
    for (number, (figure, change)) in Self.changes.enumerated() {
      var account = Self.full
      change(&account)
      let problems = account.problems
      #expect(problems.contains { $0.hasPrefix(figure + ":") }, "change \(number): \(problems)")
    }
  }

  @Test func `a wrong figure of a surface is reported by its name`() {
    var surface = SurfaceAccount()
    surface.shown = 5
    surface.followed = 3
    surface.dismissed = 2
    surface.remindedGuests = 4
    surface.watchedGuests = 4
    surface.converted = 4
    #expect(surface.problems == [])
    let changes: [(String, (inout SurfaceAccount) -> Void)] = [
      ("shown", { $0.followed += 1 }), ("shown", { $0.dismissed += 1 }), ("shown", { $0.shown -= 1 }),
      ("guests reminded", { $0.watchedGuests += 1 }), ("converted", { $0.converted += 1 }),
    ]
    for (figure, change) in changes {
      var changed = surface
      change(&changed)
      #expect(changed.problems.contains { $0.hasPrefix(figure + ":") }, "\(changed.problems)")
    }
  }
}
