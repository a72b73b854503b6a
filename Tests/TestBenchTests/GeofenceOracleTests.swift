import Foundation
import TestBench
import TestSupport
import Testing

@Suite struct GeofenceOracleTests {
  private let region = #""region":{"latitude":52.5,"longitude":13.4,"radius":100}"#

  private func answer(_ line: String) throws -> [String: Any] {
    var oracle = GeofenceOracle()
    let text = try oracle.answer(line)
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func `the oracle answers a fix`() throws {
    let answer = try answer("{\(region),\"fix\":{\"latitude\":52.5,\"longitude\":13.401}}")
    #expect(answer["inside"] as? Bool == true)
    #expect(abs(try #require(answer["distance"] as? Double) - 67.9) < 0.1)
    #expect(answer.count == 2)
  }

  @Test func `the oracle answers a segment`() throws {
    let through =
      "{\(region),\"from\":{\"latitude\":52.5,\"longitude\":13.39},\"to\":{\"latitude\":52.5,\"longitude\":13.41}}"
    let hit = try answer(through)
    #expect(hit["hit"] as? Bool == true)
    let (enter, exit) = (try #require(hit["enter"] as? Double), try #require(hit["exit"] as? Double))
    #expect(abs(enter + exit - 1) < 1e-6 && enter > 0.42 && enter < 0.43)
    var oracle = GeofenceOracle()
    let past = through.replacingOccurrences(
      of: "\"latitude\":52.5,\"longitude\":13.41", with: "\"latitude\":53,\"longitude\":13")
    #expect(try oracle.answer(past) == #"{"hit":false,"enter":null,"exit":null}"#)
  }

  /// Tests the shared vectors, whose expected answers are removed from the input.
  @Test(arguments: ["membership", "crossings"])
  func answersTheVectors(_ file: String) throws {
    let lines = try Shared.wholeOrSample("vectors/geofence/\(file).ndjson").split(
      separator: UInt8(ascii: "\n"))
    #expect(
      lines.count == (file == "membership" ? 4_000 : 1_500)
        / (Shared.isAvailable ? 1 : file == "membership" ? 20 : 10))
    for (n, line) in lines.enumerated() {
      let vector = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
      let question = vector.filter { ["region", "fix", "from", "to"].contains($0.key) }
      let text = try JSONSerialization.data(withJSONObject: question)
      let answer = try answer(String(decoding: text, as: UTF8.self))
      #expect(answer["inside"] as? Bool == vector["inside"] as? Bool, "vector \(n)")
      #expect(answer["hit"] as? Bool == vector["hit"] as? Bool, "vector \(n)")
      try agree("distance", answer, vector, within: 0.001, "vector \(n)")
      // The tolerance is one centimetre along the track.
      let length = vector["length"] as? Double ?? 1
      try agree("enter", answer, vector, within: 0.01 / length, "vector \(n)")
      try agree("exit", answer, vector, within: 0.01 / length, "vector \(n)")
    }
  }

  private func agree(
    _ key: String, _ answer: [String: Any], _ vector: [String: Any], within tolerance: Double,
    _ comment: Comment
  ) throws {
    guard let expected = vector[key] as? Double else {
      #expect(answer[key] as? Double == nil, comment)
      return
    }
    #expect(abs(try #require(answer[key] as? Double, comment) - expected) <= tolerance, comment)
  }

  @Test(
    arguments: [
      ("{}", "question: the key \"region\" is missing"),
      (#"{"region":7}"#, "region is a number; write an object"),
      (#"{"region":{"latitude":1,"longitude":2}}"#, "region: the key \"radius\" is missing"),
      (
        #"{"region":{"latitude":1,"longitude":2,"radius":"100"}}"#,
        "region: \"radius\" is a text; write a number"
      ),
      (
        #"{"region":{"latitude":91,"longitude":2,"radius":100}}"#,
        "region: latitude 91.0 is not within -90 … 90"
      ),
      (
        #"{"region":{"latitude":1,"longitude":2,"radius":0}}"#, "region: radius 0.0 m is not greater than 0"
      ),
      (
        #"{"region":{"latitude":1,"longitude":2,"radius":600000}}"#,
        "region: radius 600000.0 m is more than the 500000.0 m allowed"
      ),
      (
        #"{"region":{"latitude":1,"longitude":2,"radius":9},"fix":{"latitude":1,"longitude":180.5}}"#,
        "fix: longitude 180.5 is not within -180 … 180"
      ),
      (
        #"{"region":{"latitude":1,"longitude":2,"radius":9},"from":{"latitude":1,"longitude":2}}"#,
        "question: the key \"to\" is missing"
      ),
      (
        #"{"region":{"latitude":1,"longitude":2,"radius":9}}"#,
        "question: write either \"fix\", or \"from\" and \"to\""
      ),
      (
        #"{"region":{"latitude":1,"longitude":2,"radius":9},"fix":{"latitute":1,"longitude":2}}"#,
        "fix: unknown key \"latitute\"; did you mean latitude?"
      ),
      (#"{"region":{"latitude":NaN}}"#, "not JSON; write one question, an object, on one line"),
      (
        #"{"region":{"latitude":1e999,"longitude":2,"radius":9}}"#,
        "question: column 23: the number is too large; keep it below 1.8e308"
      ),
      (
        #"{"fix":{"latitude":1,"longitude":2,"latitude":1}}"#,
        "question: column 36: \"latitude\" is there twice; keep one of them"
      ),
      ("", "not JSON; write one question, an object, on one line"),
    ] as [(String, String)])
  func refuses(_ line: String, _ message: String) {
    #expect(throws: OracleLineError(message)) { try answer(line) }
  }
}
