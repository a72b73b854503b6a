import Foundation
import TestBench
import TestSupport
import Testing

@Suite struct CapsOracleTests {
  struct Vector: Decodable {
    var id: String
    var steps: [Step]

    struct Step: Decodable {
      var expect: Expectation?
    }
  }

  /// The expected keys of a decision. A missing key allows any value.
  struct Expectation: Decodable {
    var decision: String
    var reason: String?
    var until: String?
    var alsoBlockedBy: [String]?
  }

  struct Answer: Decodable, Equatable {
    var id: String
    var decisions: [Decision]

    struct Decision: Decodable, Equatable {
      var decision: String
      var reason: String?
      var until: String?
      var alsoBlockedBy: [String]
    }
  }

  private func answer(_ line: String) throws -> Answer {
    var oracle = CapsOracle()
    return try JSONDecoder().decode(Answer.self, from: Data(oracle.answer(line).utf8))
  }

  private func vector(policy: String = "{}", steps: String) -> String {
    #"{"id":"t","timeZone":"Europe/Berlin","policy":\#(policy),"steps":[\#(steps)]}"#
  }

  @Test func `the oracle agrees with the shared vectors`() throws {
    let data = try Shared.wholeOrSample("vectors/caps/vectors.json")
    let vectors = try JSONDecoder().decode([Vector].self, from: data)
    let objects = try #require(JSONSerialization.jsonObject(with: data) as? [Any])
    #expect(vectors.count == 67)
    var oracle = CapsOracle()
    var decisions = 0
    for (vector, object) in zip(vectors, objects) {
      let line = String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
      let answer = try JSONDecoder().decode(Answer.self, from: Data(oracle.answer(line).utf8))
      #expect(answer.id == vector.id)
      let expected = vector.steps.compactMap(\.expect)
      #expect(answer.decisions.count == expected.count, "vector \(vector.id)")
      for (got, want) in zip(answer.decisions, expected) {
        #expect(got.decision == want.decision, "vector \(vector.id)")
        #expect(got.reason == want.reason, "vector \(vector.id)")
        if let until = want.until { #expect(got.until == until, "vector \(vector.id)") }
        if let others = want.alsoBlockedBy { #expect(got.alsoBlockedBy == others, "vector \(vector.id)") }
        decisions += 1
      }
    }
    #expect(decisions == 157)
  }

  @Test func `the output has all keys in a fixed order`() throws {
    var oracle = CapsOracle()
    let line = vector(
      policy: #"{"quietAction":"defer"}"#,
      steps: #"""
        {"at":"2026-01-10T12:00:00Z","type":"a"},
        {"at":"2026-01-10T22:30:00Z","type":"a","bucket":"standard"},
        {"at":"2026-01-11T12:00:00Z","do":"failNext"},
        {"at":"2026-01-11T12:00:00Z","type":"b"}
        """#)
    let expected =
      #"{"id":"t","decisions":[{"decision":"admit","reason":null,"until":null,"alsoBlockedBy":[]},"#
      + #"{"decision":"defer","reason":"quietHours","until":"2026-01-11T06:00:00Z","alsoBlockedBy":["typeDailyCap"]},"#
      + #"{"decision":"fail","reason":"addFailed","until":null,"alsoBlockedBy":[]}]}"#
    #expect(try oracle.answer(line) == expected)
    let named = try oracle.answer(#"{"id":"a\"b\\\n\u0001é","timeZone":"UTC","steps":[]}"#)
    #expect(named == #"{"id":"a\"b\\\n\u0001é","decisions":[]}"#)
  }

  @Test func `the reasons in alsoBlockedBy are in the order of the policy`() throws {
    let steps = #"""
      {"at":"2026-01-10T20:59:00Z","type":"a"},{"at":"2026-01-10T21:00:00Z","type":"a"}
      """#
    let given = try answer(
      vector(
        policy: #"{"dailyCap":1,"checkOrder":["minimumInterval","dailyCap","typeDailyCap","quietHours"]}"#,
        steps: steps))
    #expect(given.decisions[1].reason == "minimumInterval")
    #expect(given.decisions[1].alsoBlockedBy == ["dailyCap", "typeDailyCap", "quietHours"])
    let usual = try answer(vector(policy: #"{"dailyCap":1}"#, steps: steps))
    #expect(usual.decisions[1].reason == "quietHours")
    #expect(usual.decisions[1].alsoBlockedBy == ["typeDailyCap", "dailyCap", "minimumInterval"])
  }

  static let badLines: [(line: String, message: String)] = [
    ("", "not JSON; write one vector, an object, on one line"),
    ("[1]", "vector is a list; write an object"),
    (#"{"id":"t","timeZone":"UTC"}"#, #"vector: the key "steps" is missing"#),
    (#"{"id":"t","timezone":"UTC","steps":[]}"#, #"vector: unknown key "timezone"; did you mean timeZone?"#),
    (
      #"{"id":"t","timeZone":"Europe/Berln","steps":[]}"#,
      #"unknown time zone "Europe/Berln"; did you mean Europe/Berlin?"#
    ),
    (#"{"id":7,"timeZone":"UTC","steps":[]}"#, #"vector: "id" is a number; write a text"#),
    (
      #"{"id":"t","timeZone":"UTC","policy":{"dailyCaps":3},"steps":[]}"#,
      #"policy: unknown key "dailyCaps"; did you mean dailyCap?"#
    ),
    (
      #"{"id":"t","timeZone":"UTC","policy":{"dailyCap":-1},"steps":[]}"#,
      #"policy: "dailyCap" is a number; write a whole number, 0 or more"#
    ),
    (
      #"{"id":"t","timeZone":"UTC","policy":{"dailyCap":true},"steps":[]}"#,
      #"policy: "dailyCap" is true or false; write a whole number, 0 or more"#
    ),
    (
      #"{"id":"t","timeZone":"UTC","policy":{"quietAction":"hold"},"steps":[]}"#,
      #"policy: "quietAction" is "hold"; write one of drop, defer"#
    ),
    (
      #"{"id":"t","timeZone":"UTC","policy":{"quietHours":["22:00","24:00"]},"steps":[]}"#,
      #"policy: "quietHours": "24:00" is not a time such as 08:10: hours are 00 to 23"#
    ),
    (
      #"{"id":"t","timeZone":"UTC","policy":{"checkOrder":["permission","permission"]},"steps":[]}"#,
      "policy: checkOrder names permission twice; name each check once"
    ),
    (
      #"{"id":"t","timeZone":"UTC","policy":{"checkOrder":["snoozed"]},"steps":[]}"#,
      #"policy: "checkOrder" contains a value that is not a check; write a list of permission, lifetimeCap, "#
        + "lapseCap, quietHours, typeDailyCap, typeWeeklyCap, typeMonthlyCap, typeRollingCap, dailyCap, weeklyCap, "
        + "monthlyCap, rollingCap, criticalDailyCap, minimumInterval"
    ),
    (
      #"{"id":"t","timeZone":"UTC","steps":[{"at":"2026-02-29T00:00:00Z","type":"a"}]}"#,
      #"step 1: "at": "2026-02-29T00:00:00Z" is not an instant such as 2026-03-02T08:10:00Z or "#
        + "2026-03-02T08:10+01:00: February 2026 has 28 days"
    ),
    (
      #"{"id":"t","timeZone":"UTC","steps":[{"at":"2026-02-01T00:00:00Z","do":"cancell","id":"x"}]}"#,
      #"step 1: "do" is "cancell"; did you mean cancel?"#
    ),
    (
      #"{"id":"t","timeZone":"UTC","steps":[{"at":"2026-02-01T00:00:00Z","bucket":"user"}]}"#,
      #"step 1: the key "type" is missing"#
    ),
    (
      #"{"id":"t","timeZone":"UTC","steps":[{"at":"2026-02-01T00:00:01Z","do":"open"},{"at":"2026-02-01T00:00:00Z","do":"open"}]}"#,
      "step 2 is earlier than the step before it; write steps in time order"
    ),
    (
      #"{"id":"t","timeZone":"UTC","steps":[{"at":"2026-02-02T00:00:00Z","type":"a","deliverAt":"2026-02-01T00:00:00Z"}]}"#,
      #"step 1: "deliverAt" is earlier than "at"; write a later instant"#
    ),
  ]

  @Test func `the error about an invalid line includes a hint`() {
    for (line, message) in Self.badLines {
      #expect(throws: OracleLineError(message), "line \(line)") {
        var oracle = CapsOracle()
        _ = try oracle.answer(line)
      }
    }
  }
}
