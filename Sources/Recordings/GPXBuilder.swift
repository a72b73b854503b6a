import TriggerModel

/// Builds the points of a GPX file from the elements of an XML document.
struct GPXBuilder: XMLHandler {
  private(set) var document: GPXDocument
  /// The first problem, or `nil` if there is none. After a problem, elements are ignored.
  private(set) var failure: RecordingError? { didSet { hasFailed = failure != nil } }
  /// Whether there is a ``failure``. This property is faster to read than `failure`.
  private(set) var hasFailed = false
  private(set) var rootIsClosed = false

  private let file: String
  private let metresPerDilution: Double?

  /// The number of open elements.
  private var depth = 0
  private var names = GPXNames()
  private var segment: Int32 = -1
  /// The segment that all waypoints share, or `nil` before the first waypoint.
  private var waypointSegment: Int32?

  private var point: GPXDocument.Point?
  private var pointDepth = 0
  private var dilution: Double?

  private enum Field { case time, dilution, accuracy }
  /// The element whose text is collected, or `nil` if there is none.
  private var field: Field?
  private var fieldDepth = 0
  /// The text so far, without leading white space.
  private var text: [UInt8] = []
  private var textIsTooLong = false
  var isCollecting: Bool { field != nil }
  /// The maximum length of the text in bytes. It exceeds the length of any time or number.
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

  mutating func open(
    _ name: UnsafeBufferPointer<UInt8>, _ attributes: some XMLAttributes,
    line: @autoclosure () -> Int
  ) {
    guard !hasFailed else { return }
    depth += 1
    if depth == 1 {
      openRoot(name, attributes, line())
    } else if point != nil {
      openField(name)
    } else {
      let name = names.word(name)
      if let kind = names.kind(name) {
        openPoint(kind, attributes, line())
      } else if name == names.trackSegment || name == names.route {
        segment += 1
      } else if name == names.track {
        document.trackCount += 1
      }
    }
  }

  mutating func close(line: @autoclosure () -> Int) {
    guard !hasFailed else { return }
    if let field, depth == fieldDepth { close(field, line()) }
    if let point, depth == pointDepth { close(point) }
    depth -= 1
    if depth == 0 { rootIsClosed = true }
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard isCollecting else { return }
    let all = text.isEmpty ? bytes.drop { $0 <= 0x20 } : bytes[...]
    let kept = all.prefix(Self.textLimit - text.count)
    text.append(contentsOf: kept)
    if all[kept.endIndex...].contains(where: { $0 > 0x20 }) { textIsTooLong = true }
  }

  // MARK: Elements

  private mutating func openRoot(
    _ name: UnsafeBufferPointer<UInt8>, _ attributes: some XMLAttributes, _ line: Int
  ) {
    guard let names = GPXNames(root: name) else {
      fail(.wrongFormat, line: line, ("the root element is not <gpx>", "use a GPX file"))
      return
    }
    self.names = names
    guard let version = attributes.value(of: "version", { String(decoding: $0, as: UTF8.self) }) else {
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
    _ kind: GPXReader.PointKind, _ attributes: some XMLAttributes, _ line: Int
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

  private mutating func openField(_ name: UnsafeBufferPointer<UInt8>) {
    guard field == nil else { return }
    let word = depth == pointDepth + 1 ? names.word(name) : 0
    if word == names.time {
      field = .time
    } else if word == names.dilution {
      field = .dilution
    } else if GPXNames.isAccuracy(name) {
      field = .accuracy
    } else {
      return
    }
    fieldDepth = depth
    text.removeAll(keepingCapacity: true)
    textIsTooLong = false
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

  /// Returns the collected text as a nonnegative number. If it is not one, counts an unreadable accuracy and
  /// returns `nil`.
  private mutating func length(_ line: Int) -> Double? {
    let value = trimmedText { DecimalNumber($0, .lenient)?.double }
    if let value, value.isFinite, value >= 0 { return value }
    document.summary.note(.accuracyUnreadable, line: line)
    return nil
  }

  private func trimmedText<Value>(_ read: (UnsafeBufferPointer<UInt8>) -> Value?) -> Value? {
    textIsTooLong ? nil : text.withUnsafeBufferPointer { read(trimmed($0)) }
  }

  private static func coordinate(_ attributes: some XMLAttributes) -> Coordinate? {
    guard let latitude = attributes.value(of: "lat", degrees),
      let longitude = attributes.value(of: "lon", degrees)
    else { return nil }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    return coordinate.isValid ? coordinate : nil
  }

  private static func degrees(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    DecimalNumber(trimmed(text), .lenient)?.double
  }
}

/// The names of the relevant elements, and the prefix that the file uses for them.
///
/// Each name has at most eight letters, so it fits into a machine word, and one comparison suffices.
private struct GPXNames {
  /// The prefix with its colon, for example `gpx:` if the root element is `gpx:gpx`. Usually empty.
  private let prefix: [UInt8]
  private let trackPoint = packed("trkpt")
  private let waypoint = packed("wpt")
  private let routePoint = packed("rtept")
  let track = packed("trk")
  let trackSegment = packed("trkseg")
  let route = packed("rte")
  let time = packed("time")
  let dilution = packed("hdop")

  init() { prefix = [] }

  /// Finds the prefix of the root element. Returns `nil` if the root element is not `gpx`, with or without a
  /// prefix.
  init?(root: UnsafeBufferPointer<UInt8>) {
    let name = Array("gpx".utf8)
    guard root.suffix(3).elementsEqual(name), root.count == 3 || root[root.count - 4] == UInt8(ascii: ":")
    else {
      return nil
    }
    prefix = Array(root.dropLast(3))
  }

  private static func packed(_ name: StaticString) -> UInt64 {
    pack(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  /// Returns the name after the prefix as a machine word. Returns 0 if the prefix differs, or if the name has
  /// more than eight letters.
  @inline(__always)
  func word(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
    guard name.count - prefix.count <= 8, name.starts(with: prefix) else { return 0 }
    return Self.pack(UnsafeBufferPointer(rebasing: name[prefix.count...]))
  }

  @inline(__always)
  private static func pack(_ letters: UnsafeBufferPointer<UInt8>) -> UInt64 {
    letters.reduce(0) { $0 << 8 | UInt64($1) }
  }

  func kind(_ word: UInt64) -> GPXReader.PointKind? {
    if word == trackPoint { return .track }
    if word == waypoint { return .waypoint }
    return word == routePoint ? .route : nil
  }

  /// Returns whether an element with this name, with or without a prefix, contains an accuracy.
  static func isAccuracy(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    // The last letter is tested first, because these names end in `c` or `y`, and few others do.
    guard let last = name.last, last == UInt8(ascii: "y") || last == UInt8(ascii: "c") else { return false }
    let start = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
    switch String(decoding: UnsafeBufferPointer(rebasing: name[start...]), as: UTF8.self) {
    case "accuracy", "hacc", "hAcc", "horizontalAccuracy", "horizontal_accuracy": return true
    default: return false
    }
  }
}

/// Returns the bytes without leading and trailing white space.
func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
  var slice = bytes[...]
  while let first = slice.first, first <= 0x20 { slice.removeFirst() }
  while let last = slice.last, last <= 0x20 { slice.removeLast() }
  return UnsafeBufferPointer(rebasing: slice)
}
