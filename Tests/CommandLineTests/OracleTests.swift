import Foundation
import Testing

/// Tests the oracles, which can test other implementations of a component.
@Suite(.timeLimit(.minutes(10))) struct OracleTests {
  @Test func `an oracle answers each line`() async throws {
    let folder = try Folder()
    let outcome = try await folder.run(
      "oracle", "recurrence",
      input: """
        {"start":"2014-01-31","time":"09:00","timeZone":"Europe/Berlin","frequency":"monthly","interval":1,\
        "skip":"backward","count":4}

        {"start":"2011-12-29","time":"09:00","timeZone":"Pacific/Apia","frequency":"daily","skip":"omit","count":3}

        """)
    let expected = """
      {"occurrences":["2014-01-31T09:00:00+01:00","2014-02-28T09:00:00+01:00","2014-03-31T09:00:00+02:00",\
      "2014-04-30T09:00:00+02:00"]}
      {"occurrences":["2011-12-29T09:00:00-10:00","2011-12-31T09:00:00+14:00","2012-01-01T09:00:00+14:00"]}

      """
    #expect(outcome == .init(code: 0, output: expected, errors: ""))
  }

  @Test func `lines before an invalid one are answered`() async throws {
    let outcome = try await Folder().run(
      "oracle", "recurrence",
      input: """
        {"start":"2026-01-01","time":"09:00","timeZone":"UTC","frequency":"once","count":1}
        nonsense

        """)
    #expect(outcome.code == 1)
    #expect(outcome.output == "{\"occurrences\":[\"2026-01-01T09:00:00+00:00\"]}\n")
    #expect(outcome.errors.hasPrefix("triggerbench: line 2: "))
  }
}
