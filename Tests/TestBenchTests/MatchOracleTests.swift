import Foundation
import TestBench
import TestSupport
import Testing

@Suite struct MatchOracleTests {
  private static let reminders = """
    {"id":3,"trigger":{"type":"unlock"},"conditions":[]}
    {"id":1,"trigger":{"type":"unlock"},"conditions":[{"type":"timeWindow","from":"06:00","to":"09:00"}]}
    {"id":0,"trigger":{"type":"locationEnter","place":4},"conditions":[{"type":"insidePlace","place":4}]}
    {"id":2,"trigger":{"type":"appOpened","app":7},"conditions":[{"type":"charging"},{"type":"weekdays","days":[0]}]}

    """
  private static let events = """
    {"i":0,"t":"2026-01-05T05:59:59","type":"unlock"}
    {"i":1,"t":"2026-01-05T06:00:00","type":"unlock"}
    {"i":2,"t":"2026-01-05T06:01:00","type":"locationEnter","place":4}
    {"i":3,"t":"2026-01-05T06:02:00","type":"locationExit","place":4}
    {"i":4,"t":"2026-01-05T06:03:00","type":"chargingStarted"}
    {"i":5,"t":"2026-01-05T06:04:00","type":"appOpened","app":7}
    {"i":6,"t":"2026-01-05T06:05:00","type":"chargingStopped"}
    {"i":7,"t":"2026-01-06T06:00:00","type":"unlock"}
    {"i":8,"t":"2026-01-06T06:00:00","type":"appOpened","app":7}

    """

  private func answer(
    _ mode: MatchOracle.Mode, reminders: String = reminders, events: String = events
  ) throws(OracleLineError) -> String {
    var oracle = try MatchOracle(reminders: Data(reminders.utf8), file: "reminders", mode: mode)
    var text = ""
    try oracle.answer(Data(events.utf8), file: "events") { text += $0 }
    return text
  }

  @Test func `the oracle reports every fire`() throws {
    let once = """
      {"event":0,"reminder":3}
      {"event":1,"reminder":1}
      {"event":2,"reminder":0}
      {"event":5,"reminder":2}

      """
    #expect(try answer(.once) == once)
    let nextDay = """
      {"event":7,"reminder":1}
      {"event":7,"reminder":3}

      """
    #expect(try answer(.daily) == once + nextDay)
  }

  @Test func `the digests equal those of the workload`() throws {
    var oracle = try MatchOracle(reminders: Data(Self.reminders.utf8), file: "reminders", mode: .once)
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for word in [0, 3, 1, 1, 2, 0, 5, 2] as [UInt64] { hash = (hash ^ word) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    let padded = String(repeating: "0", count: 16 - digits.count) + digits
    #expect(
      try oracle.digest(Data(Self.events.utf8), file: "events") == "{\"fires\":4,\"hash\":\"\(padded)\"}")
  }

  @Test func `an empty input produces an empty output`() throws {
    #expect(try answer(.daily, reminders: "", events: Self.events) == "")
    #expect(try answer(.daily, events: "\n\n") == "")
  }

  @Test func `an invalid reminder is reported with its line number`() {
    let good = #"{"id":9,"trigger":{"type":"unlock"},"conditions":[]}"# + "\n"
    let cases: [(String, String)] = [
      (#"{"id":1,"trigger":{"type":"unlok"},"conditions":[]}"#, "did you mean unlock?"),
      (#"{"id":1,"trigger":{"type":"unlock"}}"#, "\"conditions\" is missing"),
      (#"{"id":1,"trigger":{"type":"appOpened"},"conditions":[]}"#, "\"app\" is missing"),
      (#"{"id":9,"trigger":{"type":"unlock"},"conditions":[]}"#, "another reminder has this id"),
      (#"{"id":1,"trigger":{"type":"locationEnter","place":20},"conditions":[]}"#, "from 0 to 19"),
      (#"{"id":1,"trigger":{"type":"unlock"},"conditions":[{"type":"weekdays","days":[7]}]}"#, "weekday"),
      (
        #"{"id":1,"trigger":{"type":"unlock"},"conditions":[{"type":"timeWindow","from":"24:00","to":"09:00"}]}"#,
        "is not a time of day"
      ),
      (#"{"id":1,"trigger":{"type":"unlock"},"conditions":[{"type":"moon"}]}"#, "moon"),
      (#"{"id":-1,"trigger":{"type":"unlock"},"conditions":[]}"#, "is not an id"),
      (#"{"id":1,"when":2}"#, "when"),
      (#"[1]"#, "an object was expected"),
    ]
    for (line, message) in cases {
      let error = #expect(throws: OracleLineError.self) { try answer(.once, reminders: good + line) }
      let text = error?.description ?? ""
      #expect(text.hasPrefix("reminders:2:"), "\(text)")
      #expect(text.contains(message), "\(text)")
    }
  }

  @Test func `an invalid event is reported with its line number`() {
    let good = #"{"i":0,"t":"2026-01-05T06:00:00","type":"unlock"}"# + "\n"
    let cases: [(String, String)] = [
      (#"{"i":1,"t":"2026-01-05T05:59:59","type":"unlock"}"#, "earlier than the one before"),
      (#"{"i":1,"t":"2026-01-05T06:00:00Z","type":"unlock"}"#, "is not a local time"),
      (#"{"i":1,"t":"2026-02-30T06:00:00","type":"unlock"}"#, "is not a local time"),
      (#"{"i":1,"type":"unlock"}"#, "\"t\" is missing"),
      (#"{"t":"2026-01-05T06:00:00","type":"unlock"}"#, "\"i\" is missing"),
      (#"{"i":1,"t":"2026-01-05T06:00:00","type":"appOpened","app":10000}"#, "from 0 to 9999"),
      (#"{"i":1,"t":"2026-01-05T06:00:00","type":"unlock""#, "the line ends"),
    ]
    for (line, message) in cases {
      let error = #expect(throws: OracleLineError.self) { try answer(.once, events: good + line) }
      let text = error?.description ?? ""
      #expect(text.hasPrefix("events:2:"), "\(text)")
      #expect(text.contains(message), "\(text)")
    }
  }
}
