import TestBench
import Testing

@Suite struct RecurrenceOracleTests {
  /// Returns a rule with some fields replaced. An empty value removes its field.
  private func rule(_ changes: [String: String] = [:]) -> String {
    let fields =
      [
        ("start", "\"2014-01-31\""), ("time", "\"09:00\""), ("timeZone", "\"Europe/Berlin\""),
        ("frequency", "\"monthly\""), ("interval", ""), ("skip", ""), ("count", "4"),
      ].map { ($0.0, changes[$0.0] ?? $0.1) } + changes.filter { $0.key == "until" }
    return "{" + fields.filter { $0.1 != "" }.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  private func answer(_ line: String) throws -> String {
    var oracle = RecurrenceOracle()
    return try oracle.answer(line)
  }

  @Test func `the oracle answers the example in the documentation`() throws {
    let line =
      #"{"start":"2014-01-31","time":"09:00","timeZone":"Europe/Berlin","frequency":"monthly","#
      + #""interval":1,"skip":"backward","count":4}"#
    let expected =
      #"{"occurrences":["2014-01-31T09:00:00+01:00","2014-02-28T09:00:00+01:00","#
      + #""2014-03-31T09:00:00+02:00","2014-04-30T09:00:00+02:00"]}"#
    #expect(try answer(line) == expected)
    #expect(try answer(rule()) == expected, "interval 1 and skip backward are the defaults")
  }

  @Test(
    arguments: [
      (
        ["skip": "\"omit\"", "count": "3"],
        ["2014-01-31T09:00:00+01:00", "2014-03-31T09:00:00+02:00", "2014-05-31T09:00:00+02:00"]
      ),
      (["skip": "\"forward\"", "count": "2"], ["2014-01-31T09:00:00+01:00", "2014-03-01T09:00:00+01:00"]),
      (["frequency": "\"once\""], ["2014-01-31T09:00:00+01:00"]),
      (
        ["frequency": "\"daily\"", "interval": "10", "count": "2"],
        ["2014-01-31T09:00:00+01:00", "2014-02-10T09:00:00+01:00"]
      ),
      (["timeZone": "\"UTC\"", "count": "1"], ["2014-01-31T09:00:00+00:00"]),
      (
        ["start": "\"2012-02-29\"", "frequency": "\"yearly\"", "count": "2"],
        ["2012-02-29T09:00:00+01:00", "2013-02-28T09:00:00+01:00"]
      ),
      (["start": "\"2014-03-30\"", "time": "\"02:30\"", "count": "1"], ["2014-03-30T03:00:00+02:00"]),
      (["start": "\"2014-10-26\"", "time": "\"02:30\"", "count": "1"], ["2014-10-26T02:30:00+02:00"]),
      (
        ["start": "\"2011-12-29\"", "timeZone": "\"Pacific/Apia\"", "frequency": "\"daily\"", "count": "2"],
        ["2011-12-29T09:00:00-10:00", "2011-12-31T09:00:00+14:00"]
      ),
      (
        [
          "start": "\"2011-12-30\"", "timeZone": "\"Pacific/Apia\"", "frequency": "\"once\"",
          "skip": "\"omit\"",
        ], []
      ),
      (["start": "\"9999-12-31\""], ["9999-12-31T09:00:00+01:00"]),
    ] as [([String: String], [String])])
  func answers(changes: [String: String], occurrences: [String]) throws {
    let texts = occurrences.map { "\"\($0)\"" }.joined(separator: ",")
    #expect(try answer(rule(changes)) == "{\"occurrences\":[\(texts)]}")
  }

  @Test(
    arguments: [
      (
        ["start": "\"2014-02-30\""],
        "rule: \"start\": \"2014-02-30\" is not a date such as 2026-03-02: February 2014 has 28 days"
      ),
      (["start": ""], "rule: the key \"start\" is missing"),
      (
        ["time": "\"09:00:00\""],
        "rule: \"time\": \"09:00:00\" is not a time such as 08:10: \":00\" is left over"
      ),
      (["time": "9"], "rule: \"time\" is a number; write a text"),
      (
        ["timeZone": "\"Europe/Berln\""],
        "rule: \"timeZone\": unknown time zone \"Europe/Berln\"; did you mean Europe/Berlin?"
      ),
      (["frequency": "\"montly\""], "rule: \"frequency\" is \"montly\"; did you mean monthly?"),
      (["skip": "\"back\""], "rule: \"skip\" is \"back\"; write one of omit, backward, forward"),
      (["interval": "0"], "rule: \"interval\" is 0; write 1 to 100000"),
      (["interval": "1.5"], "rule: \"interval\" is a number; write a whole number, 0 or more"),
      (["count": "10001"], "rule: \"count\" is 10001; write 1 to 10000"),
      (["count": "0"], "rule: \"count\" is 0; write 1 to 10000"),
      (["count": "-1"], "rule: \"count\" is a number; write a whole number, 0 or more"),
      (["count": ""], "rule: the key \"count\" is missing"),
      (
        ["until": "\"2015-01-01\""],
        "rule: unknown key \"until\"; known keys: start, time, timeZone, frequency, interval, skip, count"
      ),
    ] as [([String: String], String)])
  func refuses(changes: [String: String], message: String) {
    #expect(throws: OracleLineError(message)) { try answer(rule(changes)) }
  }

  @Test(arguments: ["", "{", "[]", "null", "{\"start\":}"])
  func `a line that is not a JSON object is rejected`(line: String) {
    #expect(throws: OracleLineError.self) { try answer(line) }
  }
}
