import Foundation
import Journal
import Recordings

/// A journal file: a header, one record per line, and an end line.
enum JournalFile {
  /// Reads a whole file, record by record.
  ///
  /// - Parameters:
  ///   - file: The file name in messages.
  ///   - names: The names of the scenario.
  ///   - body: A closure that receives each record and its line number, from 1.
  /// - Returns: The header.
  /// - Throws: The first problem, with its file, line and column.
  @discardableResult
  static func read(
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
      throw RecordingError(.empty, file: file, "the file is empty", remedy: "name a journal file")
    }
    if !isWhole {
      throw RecordingError(.syntax, file: file, "the last line is missing", remedy: "write the journal again")
    }
    return header
  }
}
