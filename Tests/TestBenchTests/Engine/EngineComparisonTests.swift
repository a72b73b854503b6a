import Journal
import PlatformRuns
import ScenarioModel
import Simulation
import Testing
import TriggerModel

@testable import TestBench

/// Tests that differences between two engines are reported by reminder, and by device if a person has
/// several.
@Suite struct EngineComparisonTests {
  private static let asks = JournalRecord.Body.effect(
    .request(
      NotificationRequest(
        id: RequestID(reminder: ReminderID(0), occurrence: 0), type: TypeID(0), bucket: .standard,
        scheduledFor: Instant(millisecondsSince1970: 0), deliverAt: Instant(millisecondsSince1970: 0))))
  private static let declines = JournalRecord.Body.effect(.noRequest(ReminderID(0), .snoozed, failed: []))

  /// - Parameter records: The records of each engine, with the index of the device. All records are at the
  ///   start.
  private func sentences(
    _ records: ([(JournalRecord.Body, UInt8)], [(JournalRecord.Body, UInt8)]),
    with head: String = "devices: {tablet: {profile: ideal}}"
  ) throws -> [String] {
    let program = try PlatformRun(
      """
      \(head)
      reminders: {a: {when: unlock, notify: A}}
      timeline: [08:00 unlock]
      expect: [requests >= 0]
      """
    ).program
    let scenario = program.scenario
    let moment = Moment(
      wall: scenario.start, uptime: Uptime(boot: 0, span: .zero), zone: scenario.zone)
    let logs = [records.0, records.1].map { records in
      var log = DecisionLog(reminderCount: 1)
      for (body, device) in records {
        log.record(body, RecordStamp(device: device, instant: scenario.start, moment: moment))
      }
      return log
    }
    return EngineComparison(program, logs[0], logs[1], names: ("one", "two")).differences.map(\.sentence)
  }

  @Test func `a difference names the device if there are several`() throws {
    let sentence = "at 2026-03-02 07:00: one requests a notification; two does nothing"
    #expect(try sentences(([(Self.asks, 1)], [])) == ["a on tablet \(sentence)"])
    #expect(try sentences(([(Self.asks, 0)], [])) == ["a on phone \(sentence)"])
    #expect(try sentences(([(Self.asks, 0)], []), with: "facts: {b: 1}") == ["a \(sentence)"])
  }

  @Test func `an action on another device is not a response on this one`() throws {
    let sentence = "a on phone at 2026-03-02 07:00: one requests a notification; two"
    #expect(try sentences(([(Self.asks, 0)], [(Self.asks, 1)])) == ["\(sentence) does nothing"])
    #expect(try sentences(([(Self.asks, 0)], [(Self.declines, 1)])) == ["\(sentence) does nothing"])
    #expect(
      try sentences(([(Self.asks, 0)], [(Self.declines, 0), (Self.declines, 1)])) == [
        "\(sentence) makes no request: snoozed"
      ])
    #expect(
      try sentences(([(Self.asks, 1)], [(Self.asks, 0), (Self.asks, 1)])) == [
        "a on phone at 2026-03-02 07:00: one does nothing; two requests a notification"
      ])
  }
}
