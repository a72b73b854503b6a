import Scenarios
import Testing
import TextFormats

/// Tests expectations that no run can meet, each with a similar expectation that a run can meet.
@Suite struct UnmeetableExpectationTests {
  private static let head = """
    kind: scenario
    version: 1
    title: What nothing can meet
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 1 day
    places: {shop: {at: [52.5, 13.4], radius: 150 m}}
    reminders:
      a: {when: unlock, notify: A}
      b: {when: enter shop, if: [charging], expires: 2026-03-02T20:00, notify: B}
      c: {when: unlock, notify: {title: C, bucket: critical}}
      in: {when: unlock, if: [inside shop], notify: D}
    timeline: [08:00 unlock]

    """

  private static func complaints(_ sentence: String, _ policy: String) throws -> [Diagnostic] {
    let text = head + "policy: {\(policy)}\nexpect: [\(sentence)]\n"
    return UnmeetableExpectations.diagnostics(try scenario(text))
  }

  @Test(arguments: [
    ("a is not requested because conditionFailed", "b is not requested because conditionFailed", ""),
    ("a is not requested because expired", "b is not requested because expired", ""),
    ("a is lost to regionLimit", "b is lost to regionLimit", ""),
    ("c is lost to regionLimit", "in is lost to regionLimit", ""),
    ("c is denied by dailyCap", "a is denied by dailyCap", ""),
    ("a is denied by criticalDailyCap", "c is denied by criticalDailyCap", ""),
    ("a fires once at 08:00 +05:00", "a fires once at 08:00 +01:00", ""),
    ("a fires at least 0 times", "a fires at least once", ""),
    ("a is lost to linkLost", "a is lost to expiredAtRelease", ""),
    // An expectation with a count of 0 may refer to an impossible event.
    ("a is denied by quietHours", "a is denied by quietHours 0 times", "quietHours: none"),
    ("a is denied by quietHours once", "a is denied by dailyCap once", "quietHours: none"),
    ("a is deferred by dailyCap", "a is deferred by quietHours", "dailyCap: none"),
    ("c is denied by criticalDailyCap", "c is denied by quietHours", "criticalDailyCap: none"),
    ("a is denied by minimumInterval", "a is denied by dailyCap", "minimumInterval: 0 s"),
    ("a is denied by dailyCap", "a is denied by quietHours", "checkOrder: [quietHours]"),
    ("a is denied by minimumInterval", "a is denied by notRegistered", "checkOrder: [quietHours]"),
  ])
  func `an impossible expectation is reported, and a possible one is not`(
    _ impossible: String, _ possible: String, _ policy: String
  ) throws {
    let complaints = try Self.complaints(impossible, policy)
    #expect(complaints.count == 1)
    #expect(complaints.first?.message.contains("'\(impossible)'") == true)
    #expect(try Self.complaints(possible, policy).map(\.summary) == [])
  }
}
