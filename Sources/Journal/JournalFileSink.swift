/// Writes the journal of a run as a file's bytes, handed over piece by piece.
///
/// ```swift
/// var sink = JournalFileSink(program.wireNames, header) { output.write($0) }
/// world.run(into: &sink)
/// sink.finish()
/// ```
package struct JournalFileSink: JournalSink {
  private var writer: JournalWriter
  private var records = 0
  private let limit: Int
  private let output: ([UInt8]) -> Void

  /// - Parameters:
  ///   - limit: Pieces are handed over as soon as they have so many bytes; each ends with a line.
  ///   - output: Takes the pieces in order.
  package init(
    _ names: WireNames, _ header: JournalHeader, limit: Int = 1 << 16, output: @escaping ([UInt8]) -> Void
  ) {
    writer = JournalWriter(names)
    writer.write(header)
    self.limit = limit
    self.output = output
  }

  package mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    writer.write(JournalRecord(body, stamp))
    records += 1
    if writer.bytes.count >= limit { handOver() }
  }

  /// Ends the journal, and hands over what is left; to be called once, when the run has ended.
  package mutating func finish() {
    writer.write(JournalEnd(records: records))
    handOver()
  }

  private mutating func handOver() {
    output(writer.bytes)
    writer.removeBytes()
  }
}
