import Statistics
import TestBench
import Testing

@testable import Reporting

@Suite("Truth against observation")
struct ObservationTests {
  @Test("what is told, and why not, adds up for every sign, app and region")
  func conservation() throws {
    let result = try #require(try SampleReport.make(SampleReport.observed).suite.scenarios.first)
    #expect(result.accounts.contradictions == [])
    let rows = ObservationSection([result]).rows
    #expect(
      Set(rows.map(\.name)).isSuperset(of: ["unlock", "chargingStarted", "appOpened", "regionEntered"]))
    for row in rows {
      for (name, account) in [(row.name, row.account)] + row.subjects {
        #expect(account.truth == account.matched + account.missed.values.reduce(0, +), "\(name)")
        #expect(account.delays.counts.reduce(0) { $0 + $1.count } == account.matched, "\(name)")
      }
    }
  }

  @Test("an iPhone tells of a stay late, of a drive through never, and of unlocks hardly")
  func iPhone() throws {
    let result = try #require(try SampleReport.make(SampleReport.observed).suite.scenarios.first)
    let rows = ObservationSection([result]).rows
    let enters = try #require(rows.first { $0.name == "regionEntered" }).account
    #expect(enters.truth == 2)
    #expect(enters.matched == 1)
    #expect(enters.missed == ["dwell": 1])
    // Twenty seconds of staying, then up to ten minutes until the system gets round to it.
    #expect(try #require(enters.delays.longest) >= 20_000)
    #expect(enters.recall.description == "50.0 % (1 of 2)")
    let unlocks = try #require(rows.first { $0.name == "unlock" }).account
    #expect(unlocks.truth == 2)
    #expect(unlocks.matched < 2)
    let c = result.accounts.reminders[2]
    #expect(c.dueRequests == 2)
    #expect(c.requests == 1)
    #expect(c.notObserved == ["dwell": 1])
  }

  @Test("under the ideal profile everything is told at once, and every due request is made")
  func ideal() throws {
    let text = SampleReport.observed.replacing("profile: ios", with: "profile: ideal")
    let result = try #require(try SampleReport.make(text).suite.scenarios.first)
    for row in ObservationSection([result]).rows {
      #expect(row.account.recall.numerator == row.account.recall.denominator, "\(row.name)")
      #expect(row.account.falseSigns == 0, "\(row.name)")
      #expect(row.account.delays.longest == 0, "\(row.name)")
    }
    #expect(result.accounts.total.notObserved.isEmpty)
    #expect(result.accounts.total.unfounded == 0)
  }

  @Test("a ratio is printed with both of its counts, and without a value when there is nothing to divide by")
  func ratios() {
    #expect(Ratio(1, of: 3).description == "33.3 % (1 of 3)")
    #expect(Ratio(2, of: 3).description == "66.7 % (2 of 3)")
    #expect(Ratio(0, of: 0).description == "none (0 of 0)")
  }
}
