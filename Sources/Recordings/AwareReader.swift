package import Foundation
import TriggerModel

/// Reads the battery and screen tables of the AWARE framework: CSV with a header, as AWARE stores
/// them or as niimpy exports them.
///
/// Columns are found by name, in any order; further ones are not looked at. The rules:
/// - `time` or `timestamp` is unix time in seconds with a fraction, or in milliseconds. The first
///   row's magnitude decides for the file (10^11 or more is milliseconds: as seconds that would be the
///   year 5138, as milliseconds 1973); a row in the other unit is left out.
/// - Rows are sorted by time, those of one time in the order of the file; nothing is lost by it. Each
///   row earlier than the one before it in the file is counted as a *step back*.
/// - A row with another number of fields than the header, with a number that cannot be read, or with
///   a code that is not known is left out.
/// - A table of several phones needs ``Options/device``.
/// - A screen table that never says locked is read by ``UnlockRule/everyRow``; its unlocks after the first are
///   counted as such.
package enum AwareReader {
  /// Whose numbers `battery_status` holds.
  package enum Platform: Hashable, Sendable {
    /// 1 unknown, 2 charging, 3 discharging, 4 not charging, 5 full.
    case android
    /// The first iOS client: 0 unknown, 1 unplugged, 2 charging, 3 full.
    case iOSVersion1
  }

  package struct Options: Hashable, Sendable {
    package var platform: Platform
    /// Only rows whose `device` (or `device_id`) column says this.
    package var device: String?

    package init(platform: Platform = .android, device: String? = nil) {
      self.platform = platform
      self.device = device
    }
  }

  /// Reads a battery table; `file` is its name for messages.
  ///
  /// - Complexity: O(bytes), and O(n log n) when rows are out of order.
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
        else { return .leftOut(.unreadableField) }
        guard let status = BatteryRow.Status(code: code, options.platform), adaptor >= 0 else {
          return .leftOut(.unknownCode)
        }
        return .row(
          BatteryRow(instant: instant, line: line, level: level, status: status, adaptor: adaptor))
      }
    }
  }

  /// Reads a screen table; `file` is its name for messages.
  ///
  /// - Complexity: O(bytes), and O(n log n) when rows are out of order.
  package static func screen(
    _ data: Data, file: String, options: Options = Options()
  ) throws(RecordingError) -> AwareTable<ScreenRow> {
    var table = try withTable(data, file, options) {
      (rows) throws(RecordingError) -> AwareTable<ScreenRow> in
      let status = try rows.table.column("screen_status")
      return try rows.read { instant, line, fields in
        guard let code = fields[status].integer else { return .leftOut(.unreadableField) }
        guard let code = UInt8(exactly: code), let status = ScreenRow.Status(rawValue: code) else {
          return .leftOut(.unknownCode)
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
