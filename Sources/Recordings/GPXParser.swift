import Foundation
import TriggerModel

#if canImport(FoundationXML)
  import FoundationXML
#endif

extension GPXDocument {
  /// Parses the XML; throws the first thing that is wrong with it.
  static func parse(
    _ data: Data, file: String, metresPerDilution: Double?
  ) throws(RecordingError) -> GPXDocument {
    try refuseProlog(of: data, file: file)
    let handler = GPXHandler(file: file, metresPerDilution: metresPerDilution)
    // Given as data, a file of more than 10,000,000 bytes ends in an error (libxml2's limit for one
    // piece); a stream comes in small pieces.
    let parser = XMLParser(stream: InputStream(data: data))
    parser.delegate = handler
    // The result says nothing: the parser returns true for truncated and even for empty files.
    _ = parser.parse()
    if let failure = handler.failure { throw failure }
    guard handler.rootIsClosed else {
      throw RecordingError(
        .syntax, file: file, line: max(parser.lineNumber, 1), "the file ends before its root element does",
        remedy: "get the whole file")
    }
    return handler.document
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

/// Takes the parser's events and keeps the points.
private final class GPXHandler: NSObject, XMLParserDelegate {
  private(set) var document: GPXDocument
  private(set) var failure: RecordingError?
  private(set) var rootIsClosed = false

  private let file: String
  private let metresPerDilution: Double?

  /// Elements that are open now.
  private var depth = 0
  /// `gpx:` when the root is `gpx:gpx`, usually empty.
  private var prefix = ""
  private var segment: Int32 = -1
  private var waypointSegment: Int32?

  private var point: GPXDocument.Point?
  private var pointDepth = 0
  private var dilution: Double?

  private enum Field { case time, dilution, accuracy }
  /// The element whose text is being collected, and how deep it is.
  private var field: Field?
  private var fieldDepth = 0
  private var text: [UInt8] = []
  /// Longer than any time or number; a longer text cannot be read anyway.
  private static let textLimit = 128

  init(file: String, metresPerDilution: Double?) {
    self.file = file
    self.metresPerDilution = metresPerDilution
    document = GPXDocument(summary: ImportSummary(file: file))
    text.reserveCapacity(Self.textLimit)
  }

  private func fail(
    _ parser: XMLParser, _ code: RecordingError.Code, _ message: String, remedy: String, column: Int? = nil
  ) {
    guard failure == nil else { return }
    failure = RecordingError(
      code, file: file, line: max(parser.lineNumber, 1), column: column, message, remedy: remedy)
    parser.abortParsing()
  }

  // MARK: XMLParserDelegate

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    guard failure == nil else { return }
    depth += 1
    if depth == 1 {
      openRoot(parser, name, attributes)
    } else if point != nil {
      openField(name)
    } else {
      openPoint(parser, name, attributes)
    }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard failure == nil else { return }
    if let field, depth == fieldDepth { close(field, parser) }
    if let point, depth == pointDepth { close(point) }
    depth -= 1
    if depth == 0 { rootIsClosed = true }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    guard field != nil, text.count <= Self.textLimit else { return }
    text.append(contentsOf: string.utf8.prefix(Self.textLimit + 1))
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    guard field != nil, text.count <= Self.textLimit else { return }
    text.append(contentsOf: block.prefix(Self.textLimit + 1))
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    let (message, remedy) = XMLProblem.explain((error as NSError).code, rootIsClosed: rootIsClosed)
    fail(parser, .syntax, message, remedy: remedy, column: max(parser.columnNumber, 1))
  }

  // MARK: Elements

  private func openRoot(_ parser: XMLParser, _ name: String, _ attributes: [String: String]) {
    guard name == "gpx" || name.hasSuffix(":gpx") else {
      fail(parser, .wrongFormat, "the root element is <\(name)>, not <gpx>", remedy: "give a GPX file")
      return
    }
    prefix = String(name.dropLast(3))
    guard let version = attributes["version"] else {
      document.summary.note(.versionAssumed, line: parser.lineNumber)
      return
    }
    guard version == "1.0" || version == "1.1" else {
      fail(
        parser, .wrongFormat, "GPX version \"\(version)\" is not known",
        remedy: "save the file as GPX 1.0 or 1.1")
      return
    }
    document.version = version
  }

  private func openPoint(_ parser: XMLParser, _ name: String, _ attributes: [String: String]) {
    let kind: GPXReader.PointKind
    switch gpxName(name) {
    case "trkpt": kind = .track
    case "wpt": kind = .waypoint
    case "rtept": kind = .route
    case "trkseg", "rte":
      segment += 1
      return
    default: return
    }
    point = GPXDocument.Point(
      kind: kind, segment: kind == .waypoint ? waypoints() : segment,
      line: Int32(clamping: parser.lineNumber), coordinate: Self.coordinate(attributes))
    pointDepth = depth
    dilution = nil
  }

  /// The segment that all waypoints share.
  private func waypoints() -> Int32 {
    if let waypointSegment { return waypointSegment }
    segment += 1
    waypointSegment = segment
    return segment
  }

  private func openField(_ name: String) {
    guard field == nil else { return }
    if depth == pointDepth + 1, let name = gpxName(name), name == "time" || name == "hdop" {
      field = name == "time" ? .time : .dilution
    } else {
      switch Self.localName(name) {
      case "accuracy", "hacc", "hAcc", "horizontalAccuracy", "horizontal_accuracy": field = .accuracy
      default: return
      }
    }
    fieldDepth = depth
    text.removeAll(keepingCapacity: true)
  }

  /// The element's name without the prefix of GPX; nil for elements of other vocabularies.
  private func gpxName(_ name: String) -> Substring? {
    if prefix.isEmpty { return name.utf8.contains(UInt8(ascii: ":")) ? nil : name[...] }
    return name.hasPrefix(prefix) ? name.dropFirst(prefix.count) : nil
  }

  private static func localName(_ name: String) -> Substring {
    guard let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) else { return name[...] }
    return name[name.utf8.index(after: colon)...]
  }

  private func close(_ field: Field, _ parser: XMLParser) {
    self.field = nil
    switch field {
    case .time:
      guard let stamp = trimmedText({ Timestamp($0) }) else {
        point?.time = .unreadable
        return
      }
      if stamp.offset == nil { document.summary.note(.zoneAssumed, line: parser.lineNumber) }
      point?.time = .known(stamp.instant)
    case .dilution:
      dilution = length(parser)
    case .accuracy:
      if let metres = length(parser), let known = point?.accuracy, known < 0 { point?.accuracy = metres }
    }
  }

  private func close(_ closed: GPXDocument.Point) {
    var closed = closed
    if closed.accuracy < 0, let dilution, let metresPerDilution {
      closed.accuracy = dilution * metresPerDilution
      document.summary.note(.accuracyFromDilution, line: Int(closed.line))
    }
    document.points.append(closed)
    point = nil
  }

  /// The collected text as a number that is not negative; anything else is counted.
  private func length(_ parser: XMLParser) -> Double? {
    let value = trimmedText { DecimalNumber($0, .lenient)?.double }
    if let value, value.isFinite, value >= 0 { return value }
    document.summary.note(.accuracyUnreadable, line: parser.lineNumber)
    return nil
  }

  private func trimmedText<Value>(_ read: (UnsafeBufferPointer<UInt8>) -> Value?) -> Value? {
    text.withUnsafeBufferPointer { read(trimmed($0)) }
  }

  private static func coordinate(_ attributes: [String: String]) -> Coordinate? {
    guard let latitude = attributes["lat"].flatMap(degrees),
      let longitude = attributes["lon"].flatMap(degrees)
    else { return nil }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    return coordinate.isValid ? coordinate : nil
  }

  private static func degrees(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { DecimalNumber(trimmed($0), .lenient)?.double }
  }
}

/// The bytes without white space at both ends.
private func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
  var slice = bytes[...]
  while let first = slice.first, first <= 0x20 { slice.removeFirst() }
  while let last = slice.last, last <= 0x20 { slice.removeLast() }
  return UnsafeBufferPointer(rebasing: slice)
}
