import Journal
import ReminderMatching
import ScenarioModel
import SimulationKernel
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Simulation

/// Nothing is forgotten at rest: every stored property of a world is what it was, down to the last table, but for those
/// that are listed here with the reason.
@Suite struct RestingStateTests {
  @Test("a world that has rested is the world, property by property", arguments: ["ideal", "ios", "android"])
  func properties(profile: String) throws {
    let formats = MadeFormats()
    var seen: Set<String> = []
    for seed in 1...UInt64(Trial.isWhole ? 60 : 8) {
      guard let scenario = try AnyScenario.scenario(seed: seed, profile: profile, formats) else { continue }
      let program = try Program(scenario)
      for scope in [RunScope.everything, .acts] {
        var world = World(program: program, scope: scope) { _ in program.makeEngine() }
        var sink = RecordingSink()
        for part in Int64(0)...3 {
          let span = (program.end - program.scenario.start).milliseconds / 3 * part
          world.run(until: program.scenario.start + TimeSpan(milliseconds: span), into: &sink)
          let (before, after) = (StateList(world), StateList(RestingWorld(world).wake()))
          for (path, value) in before.values where after.values[path] != value {
            Issue.record(
              "\(profile), seed \(seed), part \(part): \(path) was \(value), is \(after.values[path] ?? "gone")"
            )
          }
          #expect(after.values.count == before.values.count)
          seen.formUnion(before.values.keys.map { $0.filter { !$0.isNumber } })
        }
      }
    }
    // That the parts are looked at, and not a box around them.
    for path in [
      "phone.centre.pending", "phone.battery.anchor", "notebook.handedOver", "matcher.state.words", "person",
    ] {
      #expect(seen.contains { $0.contains(path) }, "\(path)")
    }
  }
}

/// The stored properties of a value, and of what it consists of, by their paths.
private struct StateList {
  private(set) var values: [String: String] = [:]

  /// What is made anew, or is of no meaning between two steps.
  private static let left: Set<String> = [
    // Room that is used again.
    "devices.output", "devices.replies", "devices.effects", "halves.scratch", "memory.buffer", "memory.lost",
    "memory.stages", "held.apart",
    // Asked of the sink before anything happens.
    "devices.interest", "devices.hearsHappenings", "devices.hearsObserved",
    // Two parts of totals, of which only the sum means anything; `RestTests` compare what comes of that.
    "matcher.counted", "matcher.few",
    // What was found in calendars, and is found again.
    "clock.segment", "viewpoint.today", "cursor.segment", "memory.outlook",
    // Written over by every look.
    "viewpoint.current",
    // What follows from the facts.
    "matcher.factSync", "state.factRows", "state.failing", "state.series",
    // Where the entries of a table are follows from them, and which of them hold any.
    "positions", "holders",
    // What is found again when it is asked for.
    "memory.leftOutOrder", "memory.staged",
    // What all worlds share.
    "program", "tables", "blueprint", "steps", "pristine", "zones", "zone.table", "names", "policy", "book",
    "monitors",
  ]

  init(_ world: World) { add(world, "", "") }

  private mutating func add(_ value: Any, _ path: String, _ label: String) {
    if let table = value as? any Listed {
      values[path] = "\(table.list)"
      return
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .set, .dictionary:
      values[path] = "\(mirror.children.map { "\($0.value)" }.sorted())"
    case nil where mirror.children.isEmpty, .enum where mirror.children.isEmpty:
      values[path] = "\(value)"
    case .optional where mirror.children.isEmpty: values[path] = "nil"
    default:
      if mirror.displayStyle == .collection { values[path + ".count"] = "\(mirror.children.count)" }
      var layer: Mirror? = mirror
      while let children = layer?.children {
        for (index, child) in children.enumerated() {
          let name = child.label ?? "\(index)"
          if Self.left.contains(name) || Self.left.contains("\(label).\(name)") { continue }
          add(child.value, "\(path).\(name)", name == "some" || child.label == nil ? label : name)
        }
        layer = layer?.superclassMirror
      }
    }
  }
}

/// What lies behind pointers.
private protocol Listed {
  var list: [String] { get }
}

extension PlainTable: Listed {
  fileprivate var list: [String] { (0..<count).map { "\(self[$0])" } }
}

extension FutureEventList: Listed {
  fileprivate var list: [String] {
    var (rest, list) = (self, ["\(now)"])
    while let notice = rest.popNext() { list.append("\(notice)") }
    return list
  }
}
