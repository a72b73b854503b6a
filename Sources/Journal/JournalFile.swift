package import Foundation
package import Recordings

/// A journal file: a header, a record a line, and an end.
package enum JournalFile {
  /// Reads a whole file, record by record.
  ///
  /// - Parameters:
  ///   - file: Its name for messages.
  ///   - names: Of the scenario that it is a journal of.
  ///   - body: Takes each record, and the number of its line, counted from 1.
  /// - Returns: The header.
  /// - Throws: The first problem, with file, line and column.
  @discardableResult
  package static func read(
    _ data: Data, file: String, names: WireNames, _ body: (JournalRecord, _ line: Int) -> Void
  ) throws(RecordingError) -> JournalHeader {
    var reader = JournalReader(names)
    var header: JournalHeader?
    var (records, isWhole) = (0, false)
    let problem = data.withUnsafeBytes { raw -> RecordingError? in
      var lines = LineReader(raw.assumingMemoryBound(to: UInt8.self))
      while let line = lines.next() {
        do throws(WireProblem) {
          if header == nil {
            header = try JournalHeader(line.bytes)
          } else if let end = try JournalEnd(line.bytes) {
            isWhole = end.records == records
          } else {
            body(try reader.read(line.bytes), line.number)
            records += 1
            isWhole = false
          }
        } catch {
          return RecordingError(error.scanProblem, file: file, line: line.number)
        }
      }
      return nil
    }
    if let problem { throw problem }
    guard let header else {
      throw RecordingError(.empty, file: file, "nothing is in it", remedy: "name a journal file")
    }
    if !isWhole {
      throw RecordingError(.syntax, file: file, "the run does not end", remedy: "write it anew")
    }
    return header
  }
}

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
