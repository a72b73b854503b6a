import CivilTime
import Foundation
import Recordings
import SimulationKernel
import TextFormats
import TriggerModel

extension Format<RecordedHabits> {
  /// A recorded phone. Its name is the key of the table. The tables are read together with the file, so that
  /// their errors are among the file's diagnostics.
  static var recordedPhone: Format {
    .object("Tables of the AWARE framework, of one phone: their whole days, from four in the morning to four")
    {
      fields in
      let screen = fields.required("screen", .scalar(.file), "the screen table", from: \.screen)
      let battery = fields.optional(
        "battery", .scalar(.file), "the battery table; the phone is never charged if missing",
        from: \.battery)
      let device = fields.optional(
        "device", .scalar(.text),
        "the ID of the phone whose rows are used, if the tables contain several phones", from: \.device)
      let zone = fields.required(
        "zone", .scalar(.zoneName), "the time zone in which the phone was recorded", from: \.zone)
      guard let screen, let zone, let reader = fields.reader else { return nil }
      do throws(RecordingError) {
        let tables = RecordedTables(reader, device: device)
        return try tables.habits(screen, battery, zone) { problem in
          fields.error(problem.text, hint: problem.hint)
        }
      } catch {
        fields.error(error.description)
        return nil
      }
    }
  }
}

/// Reads the tables of a phone.
private struct RecordedTables {
  private let reach: ReachableFiles?
  private let options: AwareReader.Options

  init(_ reader: Reader, device: String?) {
    reach = reader.reach
    options = AwareReader.Options(device: device)
  }

  /// Returns the recorded days, or `nil` after reporting that some weekdays are missing.
  ///
  /// - Parameter report: Receives a description of the missing weekdays.
  func habits(
    _ screen: String, _ battery: String?, _ zoneName: String,
    _ report: ((text: String, hint: String)) -> Void
  ) throws(RecordingError) -> RecordedHabits? {
    let screenData = try data(screen)
    let batteryData: Data?
    if let battery { batteryData = try data(battery) } else { batteryData = nil }
    let screenTable = try AwareReader.screen(screenData, file: screen, options: options)
    var batteryTable: AwareTable<BatteryRow>?
    if let battery, let batteryData {
      batteryTable = try AwareReader.battery(batteryData, file: battery, options: options)
    }
    // An unknown zone has already been reported.
    guard let zone = try? Zone(identifier: zoneName) else { return nil }
    let phone = RecordedPhone(screen: screenTable, battery: batteryTable, in: zone)
    let missing = Weekday.allCases.filter { phone.ofWeekday[Int($0.rawValue)].isEmpty }
    if let first = missing.first {
      report(
        (
          "no whole \(first) is recorded\(missing.count > 1 ? ", and \(missing.count - 1) other days of the week" : "")",
          "\(phone.days.count) of \(phone.days.count + phone.incompleteDates) dates are whole, from 04:00 to 04:00 and in every "
            + "table; seven of the week are needed"
        ))
      return nil
    }
    let digest = [screenData, batteryData ?? Data()].map { bytes in
      "\(RandomKey.nameNumber(String(decoding: bytes, as: UTF8.self)))"
    }
    return RecordedHabits(
      name: "", screen: screen, battery: battery, device: options.device, zone: zoneName, phone: phone,
      digest: RandomKey.nameNumber(digest.joined(separator: " ")))
  }

  private func data(_ file: String) throws(RecordingError) -> Data {
    guard let reach, case .file(let path) = reach.place(of: file) else {
      throw RecordingError(
        .unreadable, file: file, ReachableFiles.problem, remedy: ReachableFiles.remedy)
    }
    do {
      return Data(try RegularFile.read(path, named: file))
    } catch {
      throw RecordingError(
        .unreadable, file: file, error.message, remedy: "name a file that holds the recording")
    }
  }
}
