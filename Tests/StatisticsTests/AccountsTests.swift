import DeviceSimulation
import Foundation
import ScenarioModel
import ScenarioSamples
import Scenarios
import Simulation
import Testing
import TriggerModel

@testable import Journal
@testable import Statistics
@testable import TestBench

struct AccountsTests {
  private let id = RequestID(reminder: ReminderID(0), occurrence: 0)

  private func record(_ body: JournalRecord.Body, second: Int64) -> JournalRecord {
    let instant = Instant(millisecondsSince1970: second * 1_000)
    return JournalRecord(
      body,
      RecordStamp(
        instant: instant,
        moment: Moment(wall: instant, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))))
  }

  /// Returns the accounts of a run with one reminder and no records.
  private func accounts() throws -> RunAccounts {
    let text = """
      kind: scenario
      version: 1
      title: One
      start: 2026-03-02T07:00
      zone: UTC
      for: 1 day
      reminders: {milk: {when: unlock, notify: Milk}}
      expect: [milk never fires]
      """
    return RunAccounts(try Program(Scenario.sample(text)))
  }

  @Test
  func `an unexpected transition is reported as a contradiction that names the reminder`() throws {
    var accounts = try accounts()
    accounts.record(record(.outcome(.removed(id, .expired)), second: 1))
    #expect(accounts.contradictions == ["milk: request 0 changes to ended unexpectedly"])
  }

  @Test
  func `a held notification is lost only until the summary shows it`() throws {
    let now = Instant(millisecondsSince1970: 0)
    let request = NotificationRequest(
      id: id, type: TypeID(0), bucket: .standard, scheduledFor: now, deliverAt: now)
    var accounts = try accounts()
    accounts.record(record(.effect(.request(request)), second: 0))
    accounts.record(record(.effect(.decided(request, .admitted)), second: 0))
    accounts.record(record(.outcome(.delivered(id, .hidden(.summary))), second: 1))
    #expect(accounts.endings.map(\.reason) == [.notPresented])
    #expect(accounts.appeared.isEmpty)
    accounts.record(record(.outcome(.presentedLate(id, after: .seconds(8))), second: 9))
    #expect(accounts.endings.isEmpty)
    #expect(accounts.fires.map(\.instant) == [Instant(millisecondsSince1970: 9_000)])
    #expect(accounts.appeared == accounts.fires)
    #expect(accounts.total.delivered == 1)
    #expect(
      accounts.total.exposed == 1
        && accounts.total.listed == 1)
    #expect(accounts.contradictions.isEmpty)
  }
}
