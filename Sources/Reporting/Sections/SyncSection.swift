import CivilTime
import ReminderMatching
import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats
import TriggerModel

/// What the devices of a person shared, and the notifications that came all the same.
struct SyncSection: ReportSection {
  static let key = "devices"
  static let title = "Devices"
  static let isOfSuite = true
  static let isOptional = true

  fileprivate struct Device {
    var name: String
    var counts: SyncAccount.Counts
  }

  fileprivate struct Excess {
    var device: String
    var reminder: String
    var excess: SyncAccount.Excess
    var time: String
  }

  private var devices: [Device] = []
  private var excess: [Excess] = []

  init(_ results: [ScenarioResult]) {
    for result in results where result.program.scenario.sync != nil {
      let program = result.program
      let account = result.accounts.sync
      for (index, device) in program.devices.enumerated() {
        let counts = index < account.devices.count ? account.devices[index] : SyncAccount.Counts()
        devices.append(Device(name: device.name, counts: counts))
      }
      excess += account.excess.map { excess in
        Excess(
          device: program.devices[Int(excess.device)].name,
          reminder: program.reminders.declarations[excess.request.reminder.index].id, excess: excess,
          time: program.scenario.zones[excess.moment.zone].local(at: excess.moment.wall).iso8601)
      }
    }
  }

  static let schema = ReportSchema.described(
    "What the person's devices shared, and what was shown although another device knew better.",
    ReportSchema.object([
      (
        "devices",
        ReportSchema.array(
          ReportSchema.object(
            [
              ("device", ReportSchema.string()),
              ("written", ReportSchema.count("Changes that the person made there.")),
              ("stored", ReportSchema.count("Of these, those that the server took.")),
              ("overruled", ReportSchema.count("Of these, those for which the server had a newer one.")),
              (
                "waiting",
                ReportSchema.count("Of these, those that had not reached the server when the run ended.")
              ),
              ("learned", ReportSchema.count("Changes of other devices that the app there took over.")),
              (
                "repeated",
                ReportSchema.count("Changes that came to the server twice, which changed nothing.")
              ),
            ]
              + SyncRefusal.allCases.map {
                ("\($0)", ReportSchema.count("How often the server refused a change for that."))
              }))
      ),
      (
        "excess",
        ReportSchema.array(
          ReportSchema.object([
            ("kind", ReportSchema.choice(["doubled", "untold"])), ("device", ReportSchema.string()),
            ("reminder", ReportSchema.string()), ("time", ReportSchema.string("The local time there.")),
            ("cause", ReportSchema.choice(SyncCause.allCases.map(\.name))),
          ]))
      ),
    ]))

  var document: JSONValue {
    .object([
      .init("devices", .array(devices.map(document))), .init("excess", .array(excess.map(document))),
    ])
  }

  private func document(_ device: Device) -> JSONValue {
    let counts = device.counts
    return .object(
      [
        .init("device", .string(device.name)), .init("written", .integer(counts.written)),
        .init("stored", .integer(counts.stored)), .init("overruled", .integer(counts.overruled)),
        .init("waiting", .integer(counts.waiting)), .init("learned", .integer(counts.learned)),
        .init("repeated", .integer(counts.repeated)),
      ] + SyncRefusal.allCases.map { .init("\($0)", .integer(counts.refused[$0, default: 0])) })
  }

  private func document(_ excess: Excess) -> JSONValue {
    .object([
      .init("kind", .string("\(excess.excess.kind)")), .init("device", .string(excess.device)),
      .init("reminder", .string(excess.reminder)), .init("time", .string(excess.time)),
      .init("cause", .string(excess.excess.cause.name)),
    ])
  }

  var table: ReportTable {
    ReportTable(
      columns: [
        .text("device"), .number("written"), .number("stored"), .number("overruled"), .number("refused"),
        .number("repeated"), .number("waiting"), .number("learned"), .number("doubled"), .number("untold"),
      ],
      rows: devices.map(row), notes: excess.prefix(Self.mostNotes).map(\.words) + more)
  }

  /// So many notifications are told one by one in the pages; the document has all.
  private static let mostNotes = 12

  private var more: [String] {
    excess.count > Self.mostNotes ? ["\(excess.count - Self.mostNotes) more"] : []
  }

  private func row(_ device: Device) -> [String] {
    let counts = device.counts
    func count(_ kind: SyncAccount.Excess.Kind) -> Int {
      excess.count { $0.excess.kind == kind && $0.device == device.name }
    }
    let numbers = [
      counts.written, counts.stored, counts.overruled, counts.refused.values.reduce(0, +), counts.repeated,
      counts.waiting, counts.learned, count(.doubled), count(.untold),
    ]
    return [device.name] + numbers.map { "\($0)" }
  }
}

extension SyncSection.Excess {
  /// "water for basil at 2026-03-05 09:00 on tablet, doubled: offline (a device could not be reached)"
  fileprivate var words: String {
    "\(reminder) at \(time.replacing("T", with: " ").prefix(16)) on \(device), \(excess.kind): \(excess.cause.name)"
      + " (\(excess.cause.explanation))"
  }
}

extension SyncCause {
  /// The cause in words.
  fileprivate var explanation: String {
    switch self {
    case .offline: "a device could not be reached"
    case .refused: "the server had refused what was done"
    case .underway: "what was done was on its way"
    case .notRun: "our app had not run there since"
    case .nothingDone: "nobody had done anything about it"
    }
  }
}
