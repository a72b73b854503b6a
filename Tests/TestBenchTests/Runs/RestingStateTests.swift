import Journal
import ReminderMatching
import ScenarioModel
import SimulationKernel
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Simulation

/// Tests that packing and unpacking a world keeps every stored property in every table, except the listed
/// ones.
@Suite struct RestingStateTests {
  @Test(arguments: ["ideal", "ios", "android"])
  func `packing and unpacking a world changes no stored property`(profile: String) throws {
    let formats = FormatCache()
    var seen: Set<String> = []
    for seed in 1...UInt64(Trial.isWhole ? 60 : 8) {
      guard let program = try AnyScenario.program(seed: seed, profile: profile, formats) else { continue }
      for scope in [RunScope.everything, .acts] {
        var world = World(program: program, scope: scope) { _ in program.makeEngine() }
        var sink = RecordingSink()
        for part in Int64(0)...3 {
          let span = (program.end - program.scenario.start).milliseconds / 3 * part
          world.run(until: program.scenario.start + TimeSpan(milliseconds: span), into: &sink)
          let (before, after) = (StateList(world), StateList(SuspendedWorld(world).wake()))
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
    // Ensure that the comparison covers the parts of a world, not only references to them.
    for path in [
      "phone.centre.pending", "phone.battery.anchor", "persisted.ledgers", "matcher.state.words", "person",
    ] {
      #expect(seen.contains { $0.contains(path) }, "\(path)")
    }
  }
}

/// The stored properties of a value and its parts, keyed by path.
private struct StateList {
  private(set) var values: [String: String] = [:]

  /// The properties that are recomputed, or that are meaningless between two steps.
  private static let left: Set<String> = [
    // Reusable scratch space.
    "devices.output", "devices.replies", "devices.effects", "halves.scratch", "memory.buffer", "memory.lost",
    "memory.stages", "held.apart",
    // The requests that became due at an earlier instant, which are obsolete.
    "memory.missed",
    // Properties that the sink determines before the first event.
    "devices.interest", "devices.hearsHappenings", "devices.hearsObserved",
    // The two parts of a total. Only their sum is meaningful, and `RestTests` compares the results.
    "matcher.counted", "matcher.few",
    // The cached results of calendar searches.
    "clock.segment", "viewpoint.today", "cursor.segment", "memory.cachedChecks",
    // Values that every evaluation overwrites.
    "viewpoint.current",
    // Values that are derived from the facts.
    "matcher.factSync", "state.factRows", "state.failing", "state.series",
    // The positions of table entries, which are derived from the entries.
    "positions", "indexes",
    // Values that are recomputed on demand.
    "memory.leftOutOrder", "memory.staged",
    // Values that all worlds share.
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

/// A collection of values that is behind a pointer.
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
