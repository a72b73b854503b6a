package import CivilTime
import DeviceSimulation
package import ScenarioModel
package import TextFormats
import TriggerModel

/// The state shared by all formats while they read a scenario file: the names declared so far, and the start.
///
/// It is a class because every format adds to the same state. An instance is used for one file.
package final class ScenarioContext: ReadingContext {
  @exclusivity(unchecked) package var names = Names()
  package var zones = ZoneTable()
  /// The zone of the start, or `nil` before it is read.
  package var startZone: Zone?
  /// The date of the start, which is day 1.
  package var startDate: CivilDate?
  /// The minute of the day of the start, 0…1,439.
  package var startMinute = 0
  /// Returns whether a file exists. Names are relative to the scenario's folder.
  package let fileExists: (String) -> Bool
  /// Whether the file is a pack that is read without an including scenario.
  package let isStandalonePack: Bool
  /// The parts that the document must contain in addition to its declarations.
  package let parts: ScenarioParts

  package init(isStandalonePack: Bool, parts: ScenarioParts, fileExists: @escaping (String) -> Bool) {
    self.isStandalonePack = isStandalonePack
    self.parts = parts
    self.fileExists = fileExists
  }

  /// Returns the notification type that a pack's reminder declares, because withdrawing the reminder also withdraws
  /// its type.
  package func names(withdrawnWith entry: Node.Entry) -> [String] {
    if case .scalar(let type)? = entry.overridden?["notify"]?["type"]?.content { [type] } else { [] }
  }
}

extension Reader {
  /// Creates a reader for a scenario or a pack.
  package convenience init(
    source: SourceText, isStandalonePack: Bool = false, parts: ScenarioParts = .all,
    formats: FormatCache = FormatCache(), fileExists: @escaping (String) -> Bool
  ) {
    self.init(
      source: source,
      context: ScenarioContext(isStandalonePack: isStandalonePack, parts: parts, fileExists: fileExists),
      formats: formats)
  }

  /// The scenario's context. The cast succeeds because only readers from the initializer above reach these
  /// formats.
  var scenario: ScenarioContext {
    guard let scenario = context as? ScenarioContext else {
      preconditionFailure("a scenario is read without its context")
    }
    return scenario
  }

  package var names: Names {
    get { scenario.names }
    _modify { yield &scenario.names }
  }

  package var zones: ZoneTable {
    get { scenario.zones }
    _modify { yield &scenario.zones }
  }
}

/// The parts of a scenario that a document contains in addition to its declarations.
package struct ScenarioParts: OptionSet, Sendable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The time line, including the recordings that it refers to.
  package static let timeline = ScenarioParts(rawValue: 1)
  /// The expectations.
  package static let expectations = ScenarioParts(rawValue: 2)
  /// All parts of a scenario's file.
  package static let all: ScenarioParts = [.timeline, .expectations]
}

extension Reader {
  /// Declares the fact `PLACE.entered` when it is first mentioned. Other names have no effect.
  package func mentionPlaceFact(_ name: String) {
    guard name.hasSuffix(".entered"),
      let place = names.places.all.first(where: { Place.entered($0) == name }),
      names.facts.append(name), let position = names.places.position(of: place)
    else { return }
    names.factDeclarations.append(
      FactDeclaration(
        name: name, kind: .instant, names: [], initial: .missing, access: FactAccess(),
        position: names.placeDeclarations[position]?.position ?? .start))
  }
}

/// The state shared by all formats while they write a scenario: the scenario, and the parts to write.
package final class ScenarioWritingContext: WritingContext {
  package let scenario: Scenario
  package let parts: ScenarioParts
  /// The zone of the start. Facts and dates are written as local times in this zone.
  package let startZone: Zone
  /// See ``ScenarioModel/Scenario/types``.
  package let types: [String]
  private let facts: [String: Int]

  package init(_ scenario: Scenario, parts: ScenarioParts) {
    self.scenario = scenario
    self.parts = parts
    startZone = scenario.zones[scenario.zone]
    types = scenario.types
    facts = Dictionary(scenario.facts.enumerated().map { ($0.element.name, $0.offset) }) { first, _ in first }
  }

  func fact(named name: String) -> FactDeclaration? { facts[name].map { scenario.facts[$0] } }
}

extension Writer {
  /// The scenario's context. The cast succeeds because only writers for scenarios reach these formats.
  package var known: ScenarioWritingContext {
    guard let scenario = context as? ScenarioWritingContext else {
      preconditionFailure("a scenario is written without its context")
    }
    return scenario
  }
}

extension Collection {
  /// The collection, or `nil` if it is empty. The writer omits keys without a value.
  package var unlessEmpty: Self? { isEmpty ? nil : self }
}
