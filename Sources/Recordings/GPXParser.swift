import Foundation
import TriggerModel

#if canImport(FoundationXML)
  import FoundationXML
#endif

extension GPXDocument {
  /// Parses the XML; throws the first thing that is wrong with it.
  static func parse(
    _ data: Data, file: String, at path: String?, metresPerDilution: Double?
  ) throws(RecordingError) -> GPXDocument {
    try refuseProlog(of: data, file: file)
    let handler = GPXHandler(GPXBuilder(file: file, metresPerDilution: metresPerDilution))
    // Given as data, a file of more than 10,000,000 bytes ends in an error (libxml2's limit for one
    // piece); a stream comes in small pieces.
    let stream = path.flatMap { InputStream(fileAtPath: $0) } ?? InputStream(data: data)
    let parser = XMLParser(stream: stream)
    parser.delegate = handler
    // The result says nothing: the parser returns true for truncated and even for empty files.
    _ = parser.parse()
    if let failure = handler.builder.failure { throw failure }
    // The parser takes a failure to read for the end of the file. What failed is not to be asked: on Linux that traps.
    if stream.streamStatus == .error {
      throw RecordingError(
        .unreadable, file: file, "cannot be read to its end", remedy: "check the disk that it lies on")
    }
    guard handler.builder.rootIsClosed else {
      throw RecordingError(
        .syntax, file: file, line: max(parser.lineNumber, 1), "the file ends before its root element does",
        remedy: "get the whole file")
    }
    return handler.builder.document
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

/// Hands the parser's events to a builder.
///
/// The builder is a value: one check for exclusive access an event, instead of one a property.
private final class GPXHandler: NSObject, XMLParserDelegate {
  private(set) var builder: GPXBuilder

  init(_ builder: GPXBuilder) {
    self.builder = builder
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    builder.open(name, attributes, line: parser.lineNumber)
    if builder.hasFailed { parser.abortParsing() }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    builder.close(line: parser.lineNumber)
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if builder.isCollecting { builder.append(string.utf8) }
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    builder.append(block)
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    builder.fail(
      .syntax, line: parser.lineNumber, column: max(parser.columnNumber, 1),
      XMLProblem.explain((error as NSError).code, rootIsClosed: builder.rootIsClosed))
    parser.abortParsing()
  }
}
