package import Foundation
package import TriggerModel

/// Reads the battery and screen tables of the AWARE framework: CSV files with a header that AWARE stored or
/// niimpy exported.
///
/// The reader finds columns by name, in any order, and ignores other columns. It applies these rules:
/// - `time` or `timestamp` is Unix time in seconds with a fraction, or in milliseconds. The first row
///   determines the unit of the file. A value of 10^11 or more is in milliseconds: it is 1973 or later in
///   milliseconds, but 5138 or later in seconds. A row in the other unit is omitted.
/// - Rows are sorted by time. Rows with equal times stay in the order of the file. A row that is earlier than
///   the previous row of the file counts as a *step back*.
/// - A row is omitted if its number of fields differs from the header's, if a number is unreadable, or if a
///   code is unknown.
/// - If a table contains several phones, ``Options/device`` must select one.
/// - ``UnlockRule/everyRow`` applies to a screen table without locks. The summary then counts every unlock
///   except the first one as an implied lock.
package enum AwareReader {
  /// The platform, which determines the meaning of the codes in `battery_status`.
  package enum Platform: Hashable, Sendable {
    /// 1 unknown, 2 charging, 3 discharging, 4 not charging, 5 full.
    case android
    /// The first iOS client: 0 unknown, 1 unplugged, 2 charging, 3 full.
    case iOSVersion1
  }

  package struct Options: Hashable, Sendable {
    package var platform: Platform
    /// The value in the `device` or `device_id` column of the rows to read, or `nil` if the table contains
    /// only one phone.
    package var device: String?

    package init(platform: Platform = .android, device: String? = nil) {
      self.platform = platform
      self.device = device
    }
  }

  /// Reads a battery table. Messages state `file` as its name.
  ///
  /// - Complexity: O(bytes), and O(n log n) if rows are out of order
  package static func battery(
    _ data: Data, file: String, options: Options = Options()
  ) throws(RecordingError) -> AwareTable<BatteryRow> {
    try withTable(data, file, options) { (rows) throws(RecordingError) in
      let level = try rows.table.column("battery_level")
      let status = try rows.table.column("battery_status")
      let adaptor = try rows.table.column("battery_adaptor")
      return try rows.read { instant, line, fields in
        guard let level = fields[level].integer, (0...100).contains(level),
          let code = fields[status].integer, let adaptor = fields[adaptor].integer
        else { return .omitted(.unreadableField) }
        guard let status = BatteryRow.Status(code: code, options.platform), adaptor >= 0 else {
          return .omitted(.unknownCode)
        }
        return .row(
          BatteryRow(instant: instant, line: line, level: level, status: status, adaptor: adaptor))
      }
    }
  }

  /// Reads a screen table. Messages state `file` as its name.
  ///
  /// - Complexity: O(bytes), and O(n log n) if rows are out of order
  package static func screen(
    _ data: Data, file: String, options: Options = Options()
  ) throws(RecordingError) -> AwareTable<ScreenRow> {
    var table = try withTable(data, file, options) {
      (rows) throws(RecordingError) -> AwareTable<ScreenRow> in
      let status = try rows.table.column("screen_status")
      return try rows.read { instant, line, fields in
        guard let code = fields[status].integer else { return .omitted(.unreadableField) }
        guard let code = UInt8(exactly: code), let status = ScreenRow.Status(rawValue: code) else {
          return .omitted(.unknownCode)
        }
        return .row(ScreenRow(instant: instant, line: line, status: status))
      }
    }
    if table.unlockRule == .everyRow {
      for row in table.unlocks(.everyRow).dropFirst() { table.summary.note(.lockImplied, line: row.line) }
    }
    return table
  }

  private static func withTable<Row>(
    _ data: Data, _ file: String, _ options: Options,
    _ body: (inout AwareRowReader) throws(RecordingError) -> AwareTable<Row>
  ) throws(RecordingError) -> AwareTable<Row> {
    let result = data.withUnsafeBytes { raw -> Result<AwareTable<Row>, RecordingError> in
      do throws(RecordingError) {
        let table = try CSVTable(raw.assumingMemoryBound(to: UInt8.self), file: file)
        var rows = try AwareRowReader(table: table, device: options.device)
        return .success(try body(&rows))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

/// Applies the rules for times, devices and row order that all AWARE tables share.
struct AwareRowReader {
  enum Outcome<Row> {
    case row(Row)
    case omitted(ImportSummary.Finding.Kind)
  }

  private(set) var table: CSVTable
  private let timeColumn: Int
  private let deviceColumn: Int?
  private let device: String?
  private var onlyDevice: String?
  /// The names of other devices in the table, up to the number that a message lists.
  private var otherDevices: Set<String> = []
  private var summary: ImportSummary

  /// The smallest value that is a time in milliseconds. Smaller values are in seconds.
  private static let leastMilliseconds = 1e11

  init(table: CSVTable, device: String?) throws(RecordingError) {
    self.table = table
    self.device = device
    timeColumn = try table.column("time", "timestamp")
    deviceColumn = table.optionalColumn("device") ?? table.optionalColumn("device_id")
    if let device, deviceColumn == nil {
      throw RecordingError(
        .missingName, file: table.file, line: 1,
        "there is no device column to select device \(device)",
        remedy: "remove the device; the header has \(table.header.joined(separator: ", "))")
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
      case .omitted(let reason):
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
        .nothingUsable, file: table.file, "there is no row of the device '\(device)'",
        remedy: "the table has \(otherDevices.sorted().joined(separator: ", "))")
    }
    guard !isSorted else {
      return AwareTable(rows: found.map(\.row), timeUnit: unit, summary: summary)
    }
    let order = found.indices.sorted { (found[$0].instant, $0) < (found[$1].instant, $1) }
    return AwareTable(rows: order.map { found[$0].row }, timeUnit: unit, summary: summary)
  }

  /// Returns the instant of a time, or `nil` if its year is outside the range of ``Timestamp``.
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
        remedy: "select one with 'device'")
    }
    onlyDevice = name
    return true
  }
}

/// A row of AWARE's battery table.
package struct BatteryRow: Hashable, Sendable, BitwiseCopyable {
  package enum Status: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case unknown, charging, discharging, notCharging, full, shutdown, reboot

    /// Whether the phone is charging or fully charged.
    package var isChargingOrFull: Bool { self == .charging || self == .full }
  }

  package var instant: Instant
  /// The line in the file, counted from 1.
  package var line: Int
  /// The battery level in per cent, 0…100.
  package var level: Int
  package var status: Status
  /// The power source: 0 none, 1 AC, 2 USB, 4 wireless.
  package var adaptor: Int
}

/// A row of AWARE's screen table.
package struct ScreenRow: Hashable, Sendable, BitwiseCopyable {
  package enum Status: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case off, on, locked, unlocked
  }

  package var instant: Instant
  /// The line in the file, counted from 1.
  package var line: Int
  package var status: Status
}

/// A table of a single phone, in chronological order.
package struct AwareTable<Row: Hashable & Sendable>: Hashable, Sendable {
  package enum TimeUnit: String, Hashable, Sendable {
    /// Seconds with a fraction, as niimpy exports them.
    case seconds
    /// Milliseconds, as AWARE stores them.
    case milliseconds
  }

  /// The rows, ascending by time. Rows with equal times are in the order of the file.
  package var rows: [Row]
  /// The unit of the times, or `nil` if there are no rows.
  package var timeUnit: TimeUnit?
  package var summary: ImportSummary
}

extension BatteryRow.Status {
  /// Creates a status from a `battery_status` code of AWARE, which adds two codes to those of Android.
  init?(code: Int, _ platform: AwareReader.Platform) {
    switch (code, platform) {
    case (-3, _): self = .reboot
    case (-1, _): self = .shutdown
    case (0, .iOSVersion1), (1, .android): self = .unknown
    case (1, .iOSVersion1): self = .discharging
    case (2, _): self = .charging
    case (3, .iOSVersion1), (5, _): self = .full
    case (3, .android): self = .discharging
    case (4, .android): self = .notCharging
    default: return nil
    }
  }
}
