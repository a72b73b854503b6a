import CivilTime
import ReminderMatching
import ScenarioModel
import Simulation
import Statistics
import TextFormats
import TriggerModel

/// The caps of a person with several devices, counted over all of them and on each alone: whichever way the devices
/// count.
struct SharedCaps {
  private struct Line {
    var device: String
    var reminder: String
    var time: String
    var beyond: CapAudit.Beyond
  }

  private var scopes: Set<CapScope> = []
  private var lines: [Line] = []
  private var beyondOnDevices = 0

  /// Nil: no person has several devices.
  init?(_ audits: some Sequence<(Program, CapAudit)>) {
    for (program, audit) in audits where program.devices.count > 1 {
      scopes.insert(program.scenario.sync?.caps ?? .device)
      beyondOnDevices += audit.beyondOnDevices
      lines += audit.beyond.map { beyond in
        let moment = beyond.fire.moment
        return Line(
          device: program.devices[Int(beyond.fire.device)].name,
          reminder: program.reminders.declarations[beyond.fire.request.reminder.index].id,
          time: program.scenario.zones[moment.zone].local(at: moment.wall).iso8601, beyond: beyond)
      }
    }
    if scopes.isEmpty { return nil }
  }

  static let schema = ReportSchema.described(
    "Deliveries beyond a cap of a day or a week where a person has several devices.",
    ReportSchema.object([
      ("caps", ReportSchema.choice(CapScope.allCases.map(\.name))),
      ("beyondOfPerson", ReportSchema.count("Counted over all devices of the person.")),
      ("beyondOfDevice", ReportSchema.count("Counted on each device alone.")),
      (
        "untold",
        ReportSchema.count(
          "Of those beyond the person's, the ones whose device had not been told of all others.")
      ),
      (
        "beyond",
        ReportSchema.array(
          ReportSchema.object([
            ("device", ReportSchema.string()), ("reminder", ReportSchema.string()),
            ("time", ReportSchema.string("The local time there.")), ("cap", ReportSchema.string()),
            ("limit", ReportSchema.count("Of that cap.")),
            (
              "untold",
              ReportSchema.count("So many that count beside it, shown elsewhere, its device did not know of.")
            ),
          ]))
      ),
    ]))

  private var untold: Int { lines.count { $0.beyond.untold > 0 } }

  /// Of a report of one scenario there is one.
  private var scope: CapScope { scopes.contains(.person) ? .person : .device }

  var document: JSONValue {
    .object([
      .init("caps", .string(scope.name)), .init("beyondOfPerson", .integer(lines.count)),
      .init("beyondOfDevice", .integer(beyondOnDevices)), .init("untold", .integer(untold)),
      .init("beyond", .array(lines.map(document))),
    ])
  }

  private func document(_ line: Line) -> JSONValue {
    .object([
      .init("device", .string(line.device)), .init("reminder", .string(line.reminder)),
      .init("time", .string(line.time)), .init("cap", .string(line.beyond.cap.name)),
      .init("limit", .integer(line.beyond.limit)), .init("untold", .integer(line.beyond.untold)),
    ])
  }

  /// So many are told one by one in the pages; the document has all.
  private static let mostLines = 6

  var notes: [String] {
    let sum =
      "The devices count \(scope == .person ? "the person's deliveries" : "each its own"): "
      + "\(lines.count) beyond the caps counted per person, \(beyondOnDevices) counted per device."
    let more = lines.count > Self.mostLines ? ["\(lines.count - Self.mostLines) more"] : []
    return [sum] + lines.prefix(Self.mostLines).map(words) + more
  }

  /// "b at 2026-03-02 10:10 on tablet, beyond dailyCap 1: not told of 1"
  private func words(_ line: Line) -> String {
    let cause = line.beyond.untold > 0 ? ": not told of \(line.beyond.untold)" : ""
    return "\(line.reminder) at \(line.time.replacing("T", with: " ").prefix(16)) on \(line.device), beyond "
      + "\(line.beyond.cap.name) \(line.beyond.limit)\(cause)"
  }
}
