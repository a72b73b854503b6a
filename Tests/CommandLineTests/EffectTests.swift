import Foundation
import TestSupport
import Testing

/// Tests that the counts in reports of the shipped scenarios match the claims in the documentation.
@Suite(.timeLimit(.minutes(10))) struct EffectTests {
  private struct Claim: CustomStringConvertible {
    var scenario: String
    /// The words of the claim, such as `lifetimeCap`, `fires milk`, `links routed`, `app shown`, `view
    /// overdue`, `gate optIn` or `event reminder_shown`.
    var words: [String]

    var description: String { ([scenario] + words).joined(separator: " ") }
  }

  /// Returns the scenarios and the claims in each row of the table.
  private static func rows() throws -> [(scenarios: [String], claims: [Claim])] {
    let page = Repository.root.appendingPathComponent("Sources/TestBench/Documentation.docc/WhereToSeeIt.md")
    let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|")
      guard cells.count == 3 else { return nil }
      let scenarios = cells[1].matches(of: /`([a-z-]+)\.yaml`/).map { String($0.1) }
      let claims = cells[2].matches(of: /`([^`]+)`/).map { match in
        let words = match.1.split(separator: " ").map(String.init)
        return Claim(scenario: words[0], words: Array(words.dropFirst()))
      }
      return scenarios.isEmpty && claims.isEmpty ? nil : (scenarios, claims)
    }
  }

  @Test func `each row with scenarios has a count for each of them`() throws {
    let rows = try Self.rows()
    #expect(rows.count >= 30)
    for row in rows {
      #expect(Set(row.scenarios) == Set(row.claims.map(\.scenario)), "\(row)")
      #expect(row.claims.allSatisfy { !$0.words.isEmpty }, "\(row)")
    }
  }

  @Test func `the scenario's report has a nonzero count for the claims of its row`() async throws {
    let folder = try Folder()
    let reports = folder.root.appendingPathComponent("reports").path
    let claims = try Self.rows().flatMap(\.claims)
    let names = Set(claims.map(\.scenario)).sorted()
    let outcome = try await Tool.run(
      ["run", "--reports", reports] + names.map { "scenarios/\($0).yaml" }, in: Repository.root)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let report = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: reports + "/report.json")))
    let scenarios = ((report as? [String: Any])?["scenarios"] as? [[String: Any]]) ?? []
    let events = String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: reports + "/events.ndjson")), as: UTF8.self
    ).split(separator: "\n")
    for claim in claims {
      let file = "scenarios/\(claim.scenario).yaml"
      let scenario = try #require(scenarios.first { $0["file"] as? String == file }, "\(claim)")
      let counted = Self.count(
        claim.words, in: scenario, events: events.filter { $0.contains("\"\(file)\"") })
      #expect(counted > 0, "\(claim)")
    }
  }

  private static func count(_ words: [String], in scenario: [String: Any], events: [Substring]) -> Int {
    let subject = words.dropFirst().joined(separator: " ")
    func list(_ key: String) -> [[String: Any]] { scenario[key] as? [[String: Any]] ?? [] }
    switch words[0] {
    case "fires": return list("fires").count { $0["reminder"] as? String == subject }
    case "links": return list("links").reduce(0) { $0 + ($1[subject] as? Int ?? 0) }
    case "gate":
      // A gate without data has no result.
      return list("gates").filter { $0["name"] as? String == subject }
        .reduce(0) { $0 + ($1["denominator"] as? Int ?? 0) }
    case "app":
      let rows = (scenario["app"] as? [String: Any])?["rows"] as? [[String: Any]] ?? []
      return rows.filter { $0["step"] as? String == subject }.reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
    case "view":
      let entries = list("views").flatMap { $0["entries"] as? [[String: Any]] ?? [] }
      return entries.count { $0["group"] as? String == subject }
    case "devices":
      let section = scenario["devices"] as? [String: Any] ?? [:]
      let devices = section["devices"] as? [[String: Any]] ?? []
      let excess = section["excess"] as? [[String: Any]] ?? []
      return devices.reduce(0) { $0 + ($1[subject] as? Int ?? 0) }
        + excess.count { ($0["kind"] as? String) == subject || ($0["cause"] as? String) == subject }
    case "caps":
      let section = scenario["caps"] as? [String: Any] ?? [:]
      return (section["devices"] as? [String: Any])?[subject] as? Int ?? 0
    case "event": return events.count { $0.contains("\"event\": \"\(subject)\"") }
    default: return total(of: words[0], in: scenario["total"] ?? [:]) + total(of: words[0], in: list("links"))
    }
  }

  /// Returns the sum of all counts that are keyed by a reason and of all losses with this reason.
  private static func total(of reason: String, in value: Any) -> Int {
    if let members = value as? [String: Any] {
      let loss = members["reason"] as? String == reason ? members["count"] as? Int ?? 0 : 0
      return members.reduce(loss) { sum, member in
        sum + (member.key == reason ? member.value as? Int ?? 0 : total(of: reason, in: member.value))
      }
    }
    return (value as? [Any])?.reduce(0) { $0 + total(of: reason, in: $1) } ?? 0
  }
}
