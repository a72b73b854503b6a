import Recordings
import TextFormats

/// The first line of a journal file: what its lines are a journal of.
package struct JournalHeader: Hashable, Sendable {
  /// What the line says it is.
  package static let form = "triggerbench.journal"
  /// Of the wire form.
  package static let version = 1

  /// The version of the tool that wrote it.
  package var tool: String
  /// The scenario's title.
  package var scenario: String
  /// The scenario's file, as it was named.
  package var file: String
  package var seed: UInt64
  /// The platform profile.
  package var profile: String
  /// The engine under test.
  package var engine: String

  package init(
    tool: String, scenario: String, file: String, seed: UInt64, profile: String, engine: String
  ) {
    self.tool = tool
    self.scenario = scenario
    self.file = file
    self.seed = seed
    self.profile = profile
    self.engine = engine
  }

  /// Reads the line, without its end.
  package init(_ line: UnsafeBufferPointer<UInt8>) throws(WireProblem) {
    var scanner = NDJSONScanner(line)
    var fields = ObjectFields()
    try fields.scan(&scanner)
    do throws(ScanProblem) {
      try scanner.endOfLine()
    } catch {
      throw WireProblem(error, field: nil)
    }
    _ = try fields.required("form") { (scanner) throws(ScanProblem) in
      guard try scanner.string() == "triggerbench.journal" else {
        throw scanner.invalid(
          "this is no journal", remedy: "its first line says \"\(Self.form)\"", .wrongFormat)
      }
    }
    _ = try fields.required("version") { (scanner) throws(ScanProblem) in
      let version = try scanner.integer()
      guard version == Self.version else {
        throw scanner.invalid(
          "the form of version \(version) is not known here",
          remedy: "read it with the tool that wrote it, or write version \(Self.version)", .wrongFormat)
      }
    }
    tool = try fields.text("tool")
    scenario = try fields.text("scenario")
    file = try fields.text("file")
    seed = try fields.required("seed") { (scanner) throws(ScanProblem) in try scanner.unsigned() }
    profile = try fields.text("profile")
    engine = try fields.text("engine")
    try fields.end()
  }

  /// Appends the line.
  func write(to bytes: inout [UInt8]) {
    bytes.append("{\"form\":")
    bytes.append(quoting: Self.form)
    bytes.append(",\"version\":")
    bytes.append(Int64(Self.version))
    bytes.append(",\"tool\":")
    bytes.append(quoting: tool)
    bytes.append(",\"scenario\":")
    bytes.append(quoting: scenario)
    bytes.append(",\"file\":")
    bytes.append(quoting: file)
    bytes.append(",\"seed\":")
    bytes.append(seed)
    bytes.append(",\"profile\":")
    bytes.append(quoting: profile)
    bytes.append(",\"engine\":")
    bytes.append(quoting: engine)
    bytes.append("}\n")
  }
}

extension ObjectFields {
  mutating func required<Value>(
    _ key: StaticString, _ body: (inout NDJSONScanner) throws(ScanProblem) -> Value
  ) throws(WireProblem) -> Value {
    guard var scanner = take(key) else { throw missing(key) }
    do throws(ScanProblem) {
      return try body(&scanner)
    } catch {
      throw WireProblem(error, field: key.description)
    }
  }

  fileprivate mutating func text(_ key: StaticString) throws(WireProblem) -> String {
    try required(key) { (scanner) throws(ScanProblem) in try scanner.string().string }
  }
}
