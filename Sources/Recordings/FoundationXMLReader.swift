import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads any XML with Foundation's parser and reports its errors.
enum FoundationXMLReader {
  /// Returns the builder after it received the whole document, or throws the first error.
  static func read(_ stream: InputStream, into builder: GPXBuilder, file: String) throws(RecordingError)
    -> GPXBuilder
  {
    let handler = Handler(builder)
    // The parser reads a stream in small pieces. It rejects data of more than 10,000,000 bytes, which is the
    // limit of libxml2 for one piece.
    let parser = XMLParser(stream: stream)
    parser.delegate = handler
    // The result is ignored, because the parser returns `true` even for truncated and empty files.
    _ = parser.parse()
    if let failure = handler.builder.failure { throw failure }
    // The parser mistakes a failed read for the end of the file. The stream's status must be read instead of
    // its error, which traps on Linux.
    if stream.streamStatus == .error {
      throw RecordingError(
        .unreadable, file: file, "cannot be read completely", remedy: "check its disk")
    }
    guard handler.builder.rootIsClosed else {
      throw RecordingError(
        .syntax, file: file, line: max(parser.lineNumber, 1), "the file ends before its root element",
        remedy: "use the complete file")
    }
    return handler.builder
  }

  /// Receives the parser's events. The builder is a single value, so that exclusive access is checked once
  /// per event and not once per property.
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

/// Explains the error codes of the parser (libxml2, `xmlerror.h`), because its own messages are empty.
enum XMLProblem {
  /// The code for a byte that the encoding does not define.
  static let undefinedByte = 81

  /// Returns a description of the problem and its remedy.
  static func explain(_ code: Int, rootIsClosed: Bool) -> (message: String, remedy: String) {
    switch code {
    case 2: ("there is not enough memory to read it", "run it where there is more; the file may be sound")
    case 4: ("there is no element, so this is not a GPX file", "use a GPX file, or use the complete file")
    case 5 where rootIsClosed: ("something follows the root element", "remove what follows </gpx>")
    case 5, 74, 77: ("the file ends inside an element", "use the complete file")
    case 9, 81: ("bytes that are not text in the file's encoding", "save the file again as UTF-8")
    case 26: ("an entity that XML does not define", "write the character itself, or &amp; for &")
    case 27, 23, 68: ("a name or entity is not complete", "write &amp; for & and &lt; for <")
    case 31, 32: ("the encoding is not supported", "save the file as UTF-8")
    case 38: ("a < inside an attribute", "write &lt; for <")
    case 39, 40, 41, 65: ("an attribute is not written as name=\"value\"", "correct the attribute")
    case 42: ("an attribute is repeated", "remove one of them")
    case 45: ("a comment does not end", "close it with -->")
    case 63: ("a CDATA section does not end", "close it with ]]>")
    case 73: ("a tag does not end", "close it with >")
    case 76: ("a closing tag does not match the element that is open", "correct the tags")
    case 201: ("a prefix that no xmlns attribute declares", "declare it in the root element, or remove it")
    default:
      ("the file is not well-formed XML (libxml2 error \(code))", "correct it, or use the complete file")
    }
  }
}
