import DeviceSimulation
import Journal
import ScenarioModel
import ScenarioPrograms
import TextFormats
import TriggerModel

/// Which lines of a scenario had no effect when it ran, and why.
struct IneffectiveLines {
  private struct Line: Hashable {
    var position: SourcePosition
    var cause: IgnoreCause
  }

  private let program: Program
  /// The position of the program's event that happens next.
  private var next = 0
  /// Who says what happened last; nil: a recorded way.
  private var speaker: SourcePosition?
  private var counts: [Line: Int] = [:]

  init(_ program: Program) {
    self.program = program
  }

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .happened(let event):
      speaker = nil
      guard next < program.events.count else { return }
      let said = program.events[next]
      guard said.instant == stamp.instant, said.device == stamp.device, said.event == event else { return }
      next += 1
      speaker = said.position
    case .outcome(.ignored(let cause)):
      if let speaker { counts[Line(position: speaker, cause: cause), default: 0] += 1 }
    default: break
    }
  }

  /// One for each line and cause, in the order of the file.
  var warnings: [Diagnostic] {
    // Lines of an expanded scenario are not the author's.
    let lines = counts.filter { $0.key.position != .start }
    return lines.sorted { ($0.key.position, $0.key.cause.name) < ($1.key.position, $1.key.cause.name) }
      .map { line, count in
        let subject = count == 1 ? "this happened" : "this happened \(count) times"
        return program.scenario.sources.diagnostic(
          "\(subject) without effect: \(line.cause.explanation)", severity: .warning, at: line.position)
      }
  }
}

extension IgnoreCause {
  /// The cause in words.
  fileprivate var explanation: String {
    switch self {
    case .poweredOff: "the phone is off"
    case .alreadySo: "it is so already"
    case .nothingToSee: "there is nothing of the kind to be seen"
    case .promptAlreadyAnswered: "the system does not show its prompt again"
    case .notInFront: "our app is not in front"
    case .onItsWay: "the phone is on its way to a later fix already"
    case .notOnThisPlatform: "this platform has nothing of the kind"
    case .opensElsewhere:
      "the link is none of the app's schemes and domains: the browser opens, or another app, or nothing"
    }
  }
}
