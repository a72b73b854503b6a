import Recordings
import TextFormats

/// The last line of a run's journal: without it the run was stopped, or the disk was full.
package struct JournalEnd: Hashable, Sendable {
  /// What the line says it is.
  package static let form = "triggerbench.journal.end"

  /// How many records stand between the header and this line.
  package var records: Int

  package init(records: Int) {
    self.records = records
  }

  /// Reads the line, without its end; nil: it is another line.
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

  /// Appends the line.
  func write(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: Self.start)
    bytes.append(",\"records\":")
    bytes.append(Int64(records))
    bytes.append("}\n")
  }
}
