import Foundation
import Testing

/// The participants of a device: whoever adds one must give it a turn in each function that names them all, and the
/// compiler asks for none of these.
@Suite struct ParticipantTests {
  @Test(arguments: [
    "init(_ program", "func listen(to", "mutating func deliver(_ body", "mutating func tell(_ news",
    "mutating func pack(in",
  ])
  func `each has its turn`(in function: String) throws {
    let list = try SourceTree.text(of: "Sources/Simulation/Participants/Participant.swift")
    let cases = try #require(list.firstMatch(of: /enum ParticipantID.*\n  case (.+)/)).1
    let names = cases.split(separator: ", ")
    #expect(names.count > 5)
    let wiring = try SourceTree.text(of: "Sources/Simulation/World/Device+Participants.swift")
    let start = try #require(wiring.range(of: function)).lowerBound
    let end = try #require(wiring[start...].range(of: "\n  }\n")).lowerBound
    let words = Set(wiring[start..<end].matches(of: /\w+/).map(\.0))
    for name in names { #expect(words.contains(name), "\(name)") }
  }
}
