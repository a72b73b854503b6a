import TriggerModel

/// Puts the points of a GPX file together from the events of an XML parser.
struct GPXBuilder {
  private(set) var document: GPXDocument
  /// The first thing that is wrong; what comes after it is not looked at.
  private(set) var failure: RecordingError? { didSet { hasFailed = failure != nil } }
  /// Whether there is a ``failure``; cheaper to ask than to look at that.
  private(set) var hasFailed = false
  private(set) var rootIsClosed = false

  private let file: String
  private let metresPerDilution: Double?

  /// Elements that are open now.
  private var depth = 0
  private var names = GPXNames(prefix: "")
  private var segment: Int32 = -1
  /// The segment that all waypoints share.
  private var waypointSegment: Int32?

  private var point: GPXDocument.Point?
  private var pointDepth = 0
  private var dilution: Double?

  private enum Field { case time, dilution, accuracy }
  /// The element whose text is being collected, and how deep it is.
  private var field: Field?
  private var fieldDepth = 0
  private var text: [UInt8] = []
  /// Whether text matters where the parser is now.
  var isCollecting: Bool { field != nil }
  /// Longer than any time or number; a longer text cannot be read anyway.
  private static let textLimit = 128

  init(file: String, metresPerDilution: Double?) {
    self.file = file
    self.metresPerDilution = metresPerDilution
    document = GPXDocument(summary: ImportSummary(file: file))
    text.reserveCapacity(Self.textLimit)
  }

  mutating func fail(
    _ code: RecordingError.Code, line: @autoclosure () -> Int, column: Int? = nil,
    _ problem: (message: String, remedy: String)
  ) {
    guard !hasFailed else { return }
    failure = RecordingError(
      code, file: file, line: max(line(), 1), column: column, problem.message, remedy: problem.remedy)
  }

  // MARK: Events

  /// An element begins. `line` is the number of the line, looked up only where it is needed.
  mutating func open(_ name: String, _ attributes: [String: String], line: @autoclosure () -> Int) {
    guard !hasFailed else { return }
    depth += 1
    if depth == 1 {
      openRoot(name, attributes, line())
    } else if point != nil {
      openField(name)
    } else if let kind = names.kind(name) {
      openPoint(kind, attributes, line())
    } else if name == names.trackSegment || name == names.route {
      segment += 1
    } else if name == names.track {
      document.trackCount += 1
    }
  }

  /// The element that was opened last ends.
  mutating func close(line: @autoclosure () -> Int) {
    guard !hasFailed else { return }
    if let field, depth == fieldDepth { close(field, line()) }
    if let point, depth == pointDepth { close(point) }
    depth -= 1
    if depth == 0 { rootIsClosed = true }
  }

  /// Text inside the element that was opened last.
  mutating func append(_ bytes: some Sequence<UInt8>) {
    guard isCollecting, text.count <= Self.textLimit else { return }
    text.append(contentsOf: bytes.prefix(Self.textLimit + 1))
  }

  // MARK: Elements

  private mutating func openRoot(_ name: String, _ attributes: [String: String], _ line: Int) {
    guard name == "gpx" || name.hasSuffix(":gpx") else {
      fail(.wrongFormat, line: line, ("the root element is not <gpx>", "give a GPX file"))
      return
    }
    names = GPXNames(prefix: String(name.dropLast(3)))
    guard let version = attributes["version"] else {
      document.summary.note(.versionAssumed, line: line)
      return
    }
    guard version == "1.0" || version == "1.1" else {
      fail(
        .wrongFormat, line: line,
        ("GPX version \"\(version)\" is not known", "save the file as GPX 1.0 or 1.1"))
      return
    }
    document.version = version
  }

  private mutating func openPoint(
    _ kind: GPXReader.PointKind, _ attributes: [String: String], _ line: Int
  ) {
    if kind == .waypoint, waypointSegment == nil {
      segment += 1
      waypointSegment = segment
    }
    point = GPXDocument.Point(
      kind: kind, segment: kind == .waypoint ? waypointSegment ?? segment : segment,
      track: kind == .track ? document.trackCount : 0, line: Int32(clamping: line),
      coordinate: Self.coordinate(attributes))
    pointDepth = depth
    dilution = nil
  }

  private mutating func openField(_ name: String) {
    guard field == nil else { return }
    if depth == pointDepth + 1, name == names.time {
      field = .time
    } else if depth == pointDepth + 1, name == names.dilution {
      field = .dilution
    } else if GPXNames.isAccuracy(name) {
      field = .accuracy
    } else {
      return
    }
    fieldDepth = depth
    text.removeAll(keepingCapacity: true)
  }

  private mutating func close(_ field: Field, _ line: Int) {
    self.field = nil
    switch field {
    case .time:
      guard let stamp = trimmedText({ Timestamp($0) }) else {
        point?.time = .unreadable
        return
      }
      if stamp.offset == nil { document.summary.note(.zoneAssumed, line: line) }
      point?.time = .known(stamp.instant)
    case .dilution:
      dilution = length(line)
    case .accuracy:
      if let metres = length(line), let known = point?.accuracy, known < 0 { point?.accuracy = metres }
    }
  }

  private mutating func close(_ closed: GPXDocument.Point) {
    var closed = closed
    if closed.accuracy < 0, let dilution, let metresPerDilution {
      closed.accuracy = dilution * metresPerDilution
      document.summary.note(.accuracyFromDilution, line: Int(closed.line))
    }
    document.points.append(closed)
    point = nil
  }

  // MARK: Values

  /// The collected text as a number that is not negative; anything else is counted.
  private mutating func length(_ line: Int) -> Double? {
    let value = trimmedText { DecimalNumber($0, .lenient)?.double }
    if let value, value.isFinite, value >= 0 { return value }
    document.summary.note(.accuracyUnreadable, line: line)
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

/// The names of the elements that matter, with the prefix that the file has for GPX.
private struct GPXNames {
  private let trackPoint, waypoint, routePoint: String
  let track, trackSegment, route, time, dilution: String

  /// `gpx:` when the root is `gpx:gpx`; usually empty.
  init(prefix: String) {
    trackPoint = prefix + "trkpt"
    track = prefix + "trk"
    waypoint = prefix + "wpt"
    routePoint = prefix + "rtept"
    trackSegment = prefix + "trkseg"
    route = prefix + "rte"
    time = prefix + "time"
    dilution = prefix + "hdop"
  }

  func kind(_ name: String) -> GPXReader.PointKind? {
    if name == trackPoint { return .track }
    if name == waypoint { return .waypoint }
    return name == routePoint ? .route : nil
  }

  /// Whether this is one of the names under which programs write an accuracy, with any prefix.
  static func isAccuracy(_ name: String) -> Bool {
    // All of them end in c or cy, and few others do.
    guard let last = name.utf8.last, last == UInt8(ascii: "y") || last == UInt8(ascii: "c") else {
      return false
    }
    let colon = name.lastIndex(of: ":").map { name.index(after: $0) }
    switch name[(colon ?? name.startIndex)...] {
    case "accuracy", "hacc", "hAcc", "horizontalAccuracy", "horizontal_accuracy": return true
    default: return false
    }
  }
}

/// The bytes without white space at both ends.
func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
  var slice = bytes[...]
  while let first = slice.first, first <= 0x20 { slice.removeFirst() }
  while let last = slice.last, last <= 0x20 { slice.removeLast() }
  return UnsafeBufferPointer(rebasing: slice)
}
