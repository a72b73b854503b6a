import Foundation
import TriggerModel

extension GPXDocument {
  /// Reads the XML; throws the first thing that is wrong with it.
  static func parse(
    _ data: Data, file: String, at path: String?, metresPerDilution: Double?
  ) throws(RecordingError) -> GPXDocument {
    try refuseProlog(of: data, file: file)
    let builder = GPXBuilder(file: file, metresPerDilution: metresPerDilution)
    let stream = { path.flatMap { InputStream(fileAtPath: $0) } ?? InputStream(data: data) }
    if let whole = PlainXML.read(stream(), into: builder) { return whole.document }
    return try FoundationXMLReader.read(stream(), into: builder, file: file).document
  }

  private static func refuseProlog(of data: Data, file: String) throws(RecordingError) {
    let (isBlank, objection) = data.withUnsafeBytes { raw in
      let bytes = raw.assumingMemoryBound(to: UInt8.self)
      let isBlank = bytes.allSatisfy { $0 <= 0x20 }
      return (isBlank, XMLProlog(bytes).objection)
    }
    guard !isBlank else {
      throw RecordingError(.empty, file: file, "the file is empty", remedy: "record it again")
    }
    switch objection {
    case nil: return
    case .documentType(let line):
      throw RecordingError(
        .documentType, file: file, line: line, "a document type definition (<!DOCTYPE …>) is not accepted",
        remedy: "remove it; GPX needs none")
    case .encoding(let name, let line):
      throw RecordingError(
        .encoding, file: file, line: line, "the encoding \(name) is not supported",
        remedy: "save the file as UTF-8")
    }
  }
}
