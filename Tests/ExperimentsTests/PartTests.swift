import Foundation
import Testing
import TextFormats

@testable import Experiments

/// Tests part files and how they are merged.
@Suite struct PartTests {
  private static let plan = ExperimentPlan.toy(
    [ToyArm(shownShare: 300), ToyArm(shownShare: 350), ToyArm(shownShare: 300, lift: 20)])

  private static func part(_ people: Range<UInt64>, jobs: Int = 1) -> ExperimentPart {
    ExperimentPart(
      experiment: plan.identity, tool: "1", people: people, sums: plan.sums(people, jobs: jobs))
  }

  private static func merge(
    _ parts: [ExperimentPart], expecting: Range<UInt64>? = nil
  ) throws(PartMergeError) -> ExperimentSums {
    try ExperimentPart.merge(
      parts.enumerated().map { ("\($0).json", $1) }, expecting: expecting, of: plan, tool: "1")
  }

  private static func writtenAndRead(_ part: ExperimentPart) throws(Diagnostic) -> ExperimentPart {
    try PartDocument.read(Array(PartDocument.text(part).utf8), file: "a.json", of: plan)
  }

  @Test func `parts of any size in any order add up to the whole`() throws {
    let whole = Self.plan.sums(0..<401)
    for _ in 0..<5 {
      let cuts = Set((0..<6).map { _ in UInt64.random(in: 1...400) }).union([0, 401]).sorted()
      var parts = zip(cuts, cuts.dropFirst()).map { Self.part($0..<$1, jobs: .random(in: 1...3)) }
      parts = try parts.map { part throws(Diagnostic) in
        let copy = try Self.writtenAndRead(part)
        #expect(copy == part)
        return copy
      }
      parts.append(parts[0])
      #expect(try Self.merge(parts.shuffled()) == whole, "\(cuts)")
      #expect(try Self.merge(parts.shuffled(), expecting: 0..<401) == whole)
    }
  }

  @Test func `the bytes of a part do not depend on the number of jobs`() {
    let texts = [1, 2, 5].map { PartDocument.text(Self.part(17..<300, jobs: $0)) }
    #expect(texts[1] == texts[0])
    #expect(texts[2] == texts[0])
  }

  @Test func `parts that do not belong together are rejected`() throws {
    let parts = [Self.part(0..<10), Self.part(10..<20), Self.part(20..<40)]
    func problem(_ parts: [ExperimentPart], _ expecting: Range<UInt64>? = nil) -> String {
      do {
        _ = try Self.merge(parts, expecting: expecting)
        return "none"
      } catch { return error.words.message }
    }
    #expect(problem(parts) == "none")
    #expect(problem([parts[0], parts[2]]) == "no part contains the people 10:20")
    #expect(problem(Array(parts.dropFirst())) == "no part contains the people 0:10")
    #expect(problem(parts, 0..<50) == "no part contains the people 40:50")
    #expect(problem(parts, 0..<30) == "2.json contains the people 20:40, which --expect excludes")
    #expect(problem(Array(parts.dropFirst()), 10..<40) == "none")
    #expect(problem(parts + [Self.part(15..<25)]) == "1.json and 3.json both contain the people 15:20")
    #expect(problem(parts + [Self.part(12..<15)]) == "1.json and 3.json both contain the people 12:15")
    var other = parts[1]
    other.sums += Self.plan.nobody
    #expect(problem(parts + [other]) == "none")
    other.sums = Self.plan.sums(30..<40)
    #expect(
      problem(parts + [other]) == "1.json and 3.json contain different numbers for the same people")
    other = parts[1]
    other.experiment += 1
    #expect(problem([parts[0], other]) == "1.json belongs to another experiment")
    other.tool = "2"
    #expect(problem([parts[0], other]) == "1.json was made by triggerbench 2, and this is 1")
  }

  @Test func `a damaged part is rejected`() throws {
    let text = PartDocument.text(Self.part(0..<40))
    func message(_ text: String) -> String? {
      do {
        _ = try PartDocument.read(Array(text.utf8), file: "a.json", of: Self.plan)
        return nil
      } catch { return error.message }
    }
    #expect(message(text) == nil)
    for cut in stride(from: 0, to: text.utf8.count - 2, by: 37) {
      #expect(message(String(text.prefix(cut))) == "this is not a complete part of an experiment")
    }
    // The checksum covers every digit.
    let digits = text.indices.filter { text[$0].isNumber }
    for place in digits.shuffled().prefix(60) {
      var other = text
      other.replaceSubrange(place...place, with: text[place] == "3" ? "4" : "3")
      #expect(message(other) != nil, "\(other[place...].prefix(20))")
    }
    #expect(message("[]") == "this is not a complete part of an experiment")
    #expect(message(text.replacing("triggerbench-part", with: "triggerbench-report")) != nil)
  }
}
