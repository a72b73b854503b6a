import TriggerModel

/// Applies the rules that all AWARE tables share: time, device, order.
struct AwareRowReader {
  enum Outcome<Row> {
    case row(Row)
    case leftOut(ImportSummary.Finding.Kind)
  }

  private(set) var table: CSVTable
  private let timeColumn: Int
  private let deviceColumn: Int?
  private let device: String?
  private var onlyDevice: String?
  /// Those that are not asked for, so many of them as can be told.
  private var otherDevices: Set<String> = []
  private var summary: ImportSummary

  /// Times from this on are milliseconds.
  private static let leastMilliseconds = 1e11

  init(table: CSVTable, device: String?) throws(RecordingError) {
    self.table = table
    self.device = device
    timeColumn = try table.column("time", "timestamp")
    deviceColumn = table.optionalColumn("device") ?? table.optionalColumn("device_id")
    if let device, deviceColumn == nil {
      throw RecordingError(
        .missingName, file: table.file, line: 1,
        "device \(device) is asked for, but no column says the device",
        remedy: "leave the device away; the header has \(table.header.joined(separator: ", "))")
    }
    summary = ImportSummary(file: table.file)
  }

  mutating func read<Row>(
    _ decode: (Instant, Int, [CSVTable.Field]) -> Outcome<Row>
  ) throws(RecordingError) -> AwareTable<Row> {
    var found: [(instant: Instant, row: Row)] = []
    var unit: AwareTable<Row>.TimeUnit?
    var last = Instant.distantPast
    var isSorted = true
    var fields: [CSVTable.Field] = []
    while let line = try table.nextRow(&fields) {
      summary.read += 1
      guard fields.count == table.header.count else {
        summary.note(.wrongFieldCount, line: line)
        continue
      }
      guard try isWanted(fields, line) else { continue }
      guard let time = fields[timeColumn].number, time.double.isFinite else {
        summary.note(.unreadableField, line: line)
        continue
      }
      let written: AwareTable<Row>.TimeUnit = time.double < Self.leastMilliseconds ? .seconds : .milliseconds
      guard written == unit ?? written else {
        summary.note(.otherTimeUnit, line: line)
        continue
      }
      guard let instant = Self.instant(time, places: written == .seconds ? 3 : 0) else {
        summary.note(.unreadableField, line: line)
        continue
      }
      switch decode(instant, line, fields) {
      case .leftOut(let reason):
        summary.note(reason, line: line)
      case .row(let row):
        unit = written
        if instant < last {
          isSorted = false
          summary.note(.stepBack, line: line)
        }
        last = instant
        found.append((instant, row))
      }
    }
    summary.taken = found.count
    if let device, summary.read > 0, summary.count(.otherDevice) == summary.read {
      throw RecordingError(
        .nothingUsable, file: table.file, "no row is of the device '\(device)'",
        remedy: "the table has \(otherDevices.sorted().joined(separator: ", "))")
    }
    guard !isSorted else {
      return AwareTable(rows: found.map(\.row), timeUnit: unit, summary: summary)
    }
    let order = found.indices.sorted { (found[$0].instant, $0) < (found[$1].instant, $1) }
    return AwareTable(rows: order.map { found[$0].row }, timeUnit: unit, summary: summary)
  }

  /// Milliseconds, within the years that a ``Timestamp`` can name.
  private static func instant(_ time: DecimalNumber, places: Int) -> Instant? {
    guard let milliseconds = time.scaled(by: places), Timestamp.range.contains(milliseconds) else {
      return nil
    }
    return Instant(millisecondsSince1970: milliseconds)
  }

  private mutating func isWanted(_ fields: [CSVTable.Field], _ line: Int) throws(RecordingError) -> Bool {
    guard let deviceColumn else { return true }
    let name = fields[deviceColumn].text
    if let device {
      if name != device {
        summary.note(.otherDevice, line: line)
        if otherDevices.count < 12 { otherDevices.insert(name) }
      }
      return name == device
    }
    if let onlyDevice, onlyDevice != name {
      throw RecordingError(
        .wrongFormat, file: table.file, line: line,
        "the table holds more than one device: \(onlyDevice) and \(name)",
        remedy: "say which is meant with 'device'")
    }
    onlyDevice = name
    return true
  }
}
