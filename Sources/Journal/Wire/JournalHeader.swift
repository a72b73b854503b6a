import Recordings
import TextFormats

/// The first line of a journal file, which describes the run.
package struct JournalHeader: Hashable, Sendable {
  /// The value of `form`.
  package static let form = "triggerbench.journal"
  /// The version of the wire form.
  package static let version = 1

  /// The version of the tool that wrote the journal.
  package var tool: String
  /// The scenario's title.
  package var scenario: String
  /// The path of the scenario file that the caller passed.
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

  /// Reads the header from a line without its line break.
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
          "this is not a journal", remedy: "its first line must contain \"\(Self.form)\"", .wrongFormat)
      }
    }
    _ = try fields.required("version") { (scanner) throws(ScanProblem) in
      let version = try scanner.integer()
      guard version == Self.version else {
        throw scanner.invalid(
          "version \(version) of the wire form is not supported",
          remedy: "read it with the tool that wrote it, or use version \(Self.version)", .wrongFormat)
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

  /// Appends the header as a line.
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

/// The last line of a journal. Without it, the journal is incomplete: the run was stopped, or the disk was
/// full.
package struct JournalEnd: Hashable, Sendable {
  /// The value of `form`.
  package static let form = "triggerbench.journal.end"

  /// The number of records between the header and this line.
  package var records: Int

  package init(records: Int) {
    self.records = records
  }

  /// Reads the end from a line without its line break, or returns `nil` if the line is not the last one of a
  /// journal.
  package init?(_ line: UnsafeBufferPointer<UInt8>) throws(WireProblem) {
    guard line.starts(with: Self.start) else { return nil }
    var scanner = NDJSONScanner(line)
    var fields = ObjectFields()
    try fields.scan(&scanner)
    _ = try fields.required("form") { (scanner) throws(ScanProblem) in try scanner.string().string }
    let records = try fields.required("records") { (scanner) throws(ScanProblem) in try scanner.unsigned() }
    self.records = Int(clamping: records)
    try fields.end()
  }

  private static let start = Array("{\"form\":\"\(form)\"".utf8)

  /// Appends the end as a line.
  func write(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: Self.start)
    bytes.append(",\"records\":")
    bytes.append(Int64(records))
    bytes.append("}\n")
  }
}
