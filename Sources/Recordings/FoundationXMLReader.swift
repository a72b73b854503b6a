import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads whatever XML there is with Foundation's parser, and says what is wrong with it.
enum FoundationXMLReader {
  /// The handler that has been told of the whole document; throws the first thing that is wrong.
  static func read(_ stream: InputStream, into builder: GPXBuilder, file: String) throws(RecordingError)
    -> GPXBuilder
  {
    let handler = Handler(builder)
    // Given as data, a file of more than 10,000,000 bytes ends in an error (libxml2's limit for one
    // piece); a stream comes in small pieces.
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
    return handler.builder
  }

  /// The builder is a value: one check for exclusive access an event, instead of one a property.
  private final class Handler: NSObject, XMLParserDelegate {
    private(set) var builder: GPXBuilder

    init(_ builder: GPXBuilder) {
      self.builder = builder
    }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      var name = name
      name.withUTF8 { builder.open($0, attributes, line: parser.lineNumber) }
      if builder.hasFailed { parser.abortParsing() }
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      builder.close(line: parser.lineNumber)
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
      guard builder.isCollecting else { return }
      var string = string
      string.withUTF8 { builder.append($0) }
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
      block.withUnsafeBytes { builder.append($0.assumingMemoryBound(to: UInt8.self)) }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
      builder.fail(
        .syntax, line: parser.lineNumber, column: max(parser.columnNumber, 1),
        XMLProblem.explain((error as NSError).code, rootIsClosed: builder.rootIsClosed))
      parser.abortParsing()
    }
  }
}
