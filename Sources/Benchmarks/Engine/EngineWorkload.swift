import CivilTime
import DeviceSimulation
import NotificationGateway
import ReminderEngine
import ReminderMatching
import ScenarioModel
import Scenarios
import Simulation
import TestBench
import TextFormats
import TriggerModel

/// The workloads of the suites matching and caps as programs that an engine in another process can run.
enum EngineWorkload {
  /// Returns a program with the reminders of the matching suite. They are in the bucket `user`, so that no
  /// cap applies.
  static func program(_ workload: ReminderWorkload) throws -> Program {
    var scenario = try scenario(zone: "UTC", policy: "{quietHours: none}")
    let position = scenario.reminders[0].position
    scenario.apps = workload.names.apps
    scenario.places = workload.names.regions.enumerated().map { index, name in
      let center = Coordinate(latitude: 52, longitude: 13 + Double(index) / 10)
      return Place(name: name, center: center, radius: 150, position: position)
    }
    scenario.reminders = workload.reminders.map { declaration in
      var declaration = declaration
      declaration.notification.bucket = .user
      declaration.notification.copy = [.init(title: declaration.id)]
      return DeclaredReminder(declaration: declaration, position: position)
    }
    return try Program(scenario, in: .nothing)
  }

  private static let buckets: [Bucket] = [.standard, .critical, .user]

  /// Returns a program with the types and buckets of the caps suite, under the same policy.
  ///
  /// Each type and bucket has a reminder that requests a notification when its app is opened.
  static func program(_ workload: CapsWorkload) throws -> Program {
    var scenario = try scenario(zone: "Europe/Berlin", policy: nil)
    let position = scenario.reminders[0].position
    let slots = (0..<CapsWorkload.types).flatMap { type in buckets.map { (type, $0) } }
    scenario.apps = slots.indices.map { "app\($0)" }
    scenario.reminders = slots.enumerated().map { slot, kind in
      DeclaredReminder(
        declaration: ReminderDeclaration(
          id: "r\(slot)", triggers: [.appOpened("app\(slot)")], conditions: [], repeats: .always,
          notification: NotificationDeclaration(
            type: "type\(kind.0)", bucket: kind.1, copy: [.init(title: "r\(slot)")])),
        position: position)
    }
    return try Program(scenario, in: .nothing)
  }

  /// Returns one event for each request, which opens the request's app at the moment of the decision.
  /// Requests that are due later are made immediately.
  static func events(_ workload: CapsWorkload) -> [ObservedEvent] {
    workload.steps.map { step in
      let bucket = buckets.firstIndex(of: step.request.bucket) ?? 0
      return ObservedEvent(
        .appOpened, subject: UInt32(step.request.type.index * buckets.count + bucket), at: step.now)
    }
  }

  /// Returns a scenario with one reminder and the parts that both programs share.
  private static func scenario(zone: String, policy: String?) throws -> Scenario {
    var lines = [
      "kind: scenario", "version: 1", "title: Benchmark", "start: 2026-01-05T00:00", "zone: \(zone)",
      "for: 1 day", "reminders: {r: {when: unlock, notify: {title: r}}}",
    ]
    if let policy { lines.append("policy: \(policy)") }
    lines += ["timeline: [08:00 unlock]", "expect: [fires >= 0]"]
    let text = Array((lines.joined(separator: "\n") + "\n").utf8)
    guard case .scenario(let scenario, _) = ScenarioFile.read(text, file: "bench", fileExists: { _ in false })
    else { throw BenchError("the scenario of the benchmark is invalid") }
    return scenario
  }
}

extension ReplayScenario {
  /// Compiles the scenario, and passes the program to a closure.
  func withProgram<Result>(_ body: (Program) throws -> Result) throws -> Result {
    try withFile { path in
      switch ProgramLoader().load(path) {
      case .program(let program, _): try body(program)
      case .invalid(let diagnostics): throw BenchError(diagnostics.map(\.summary).joined(separator: "\n"))
      case .otherKind: throw BenchError("\(path) is not a scenario")
      }
    }
  }
}
