import CivilTime
import ReminderMatching
import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats
import TriggerModel

/// The changes that a person's devices exchanged, and the notifications that sync should have prevented.
struct SyncSection: ReportSection {
  static let key = "devices"
  static let title = "Devices"
  static let isOfSuite = true
  static let isOptional = true

  private struct Device {
    var name: String
    var counts: SyncAccount.Counts
  }

  private struct Excess {
    var device: String
    var reminder: String
    var excess: SyncAccount.Excess
    var time: String

    /// A description, for example "water for basil at 2026-03-05 09:00 on tablet, doubled: offline (a device
    /// could not be reached)".
    var words: String {
      "\(reminder) at \(time.minuteText) on \(device), \(excess.kind): \(excess.cause.name)"
        + " (\(excess.cause.explanation))"
    }
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

  private static let deviceFields: [ReportField<Device>] =
    [
      .text("device", { $0.name }),
      .count("written", { $0.counts.written }, "Changes that the person made there."),
      .count("stored", { $0.counts.stored }, "Of these, those that the server stored."),
      .count(
        "overruled", { $0.counts.overruled }, "Of these, those for which the server had a newer change."),
      .count(
        "waiting", { $0.counts.waiting },
        "Of these, those that had not reached the server when the run ended."),
      .count("learned", { $0.counts.learned }, "Changes of other devices that the app there received."),
      .count("repeated", { $0.counts.repeated }, "Changes that reached the server twice, without effect."),
    ]
    + SyncRefusal.allCases.map { refusal in
      .count(
        "\(refusal)", { $0.counts.refused[refusal, default: 0] },
        "The number of times that the server refused a change for this cause.")
    }

  private static let excessFields: [ReportField<Excess>] = [
    .choice("kind", ["doubled", "untold"]) { "\($0.excess.kind)" },
    .text("device", { $0.device }), .text("reminder", { $0.reminder }),
    .text("time", { $0.time }, "The local time there."),
    .choice("cause", SyncCause.allCases.map(\.name)) { $0.excess.cause.name },
  ]

  private static let fields: [ReportField<Self>] = [
    .list("devices", of: deviceFields) { $0.devices }, .list("excess", of: excessFields) { $0.excess },
  ]

  static let schema = ReportSchema.described(
    "The changes that the person's devices exchanged, and notifications shown although another device had newer"
      + " information.", ReportSchema.object(of: fields))

  var document: JSONValue { JSONValue(self, Self.fields) }

  /// The maximum number of notifications that a page lists. The JSON document lists all of them.
  private static let listLimit = 12

  var table: ReportTable {
    let more = excess.count > Self.listLimit ? ["\(excess.count - Self.listLimit) more"] : []
    return ReportTable(
      columns: [
        .text("device"), .number("written"), .number("stored"), .number("overruled"), .number("refused"),
        .number("repeated"), .number("waiting"), .number("learned"), .number("doubled"), .number("untold"),
      ],
      rows: devices.map(row), notes: excess.prefix(Self.listLimit).map(\.words) + more)
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

extension SyncCause {
  fileprivate var explanation: String {
    switch self {
    case .offline: "a device could not be reached"
    case .refused: "the server had refused the change"
    case .underway: "the change was on its way"
    case .notRun: "the app had not run there since"
    case .nothingDone: "the person had not responded to it"
    }
  }
}
