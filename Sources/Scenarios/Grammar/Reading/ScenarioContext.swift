package import CivilTime
package import TextFormats

/// What is known of a scenario while its file is being read: the names declared so far, and its start.
///
/// A class, because every format writes into it; it lives as long as the reading of one file.
package final class ScenarioContext: ReadingContext {
  @exclusivity(unchecked) package var names = Names()
  package var zones = ZoneTable()
  /// The zone of the scenario's start, once it is known.
  package var startZone: Zone?
  /// The date of the scenario's start: day 1.
  package var startDate: CivilDate?
  /// Whole minutes of that day, 0…1,439, that are past at the start.
  package var startMinute = 0
  /// Tells whether a file exists, its name being relative to the scenario's folder.
  package let fileExists: (String) -> Bool
  /// A pack is read by itself, without a scenario that includes it.
  package let isPackAlone: Bool
  /// What the document must hold, beside declarations; the rest stands elsewhere, or is of no concern.
  package let parts: ScenarioParts

  package init(isPackAlone: Bool, parts: ScenarioParts, fileExists: @escaping (String) -> Bool) {
    self.isPackAlone = isPackAlone
    self.parts = parts
    self.fileExists = fileExists
  }

  /// With a reminder goes the notification type that it gives.
  package func names(withdrawnWith entry: Node.Entry) -> [String] {
    if case .scalar(let type)? = entry.overridden?["notify"]?["type"]?.content { [type] } else { [] }
  }
}

extension Reader {
  /// For a scenario's file, or a pack's.
  package convenience init(
    source: SourceText, isPackAlone: Bool = false, parts: ScenarioParts = .all,
    formats: MadeFormats = MadeFormats(), fileExists: @escaping (String) -> Bool
  ) {
    self.init(
      source: source,
      context: ScenarioContext(isPackAlone: isPackAlone, parts: parts, fileExists: fileExists),
      formats: formats)
  }

  /// Formats of scenarios are read by the readers that the initializer above makes.
  private var scenario: ScenarioContext {
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

  /// The zone of the scenario's start, once it is known.
  package var startZone: Zone? {
    get { scenario.startZone }
    set { scenario.startZone = newValue }
  }

  /// The date of the scenario's start: day 1.
  package var startDate: CivilDate? {
    get { scenario.startDate }
    set { scenario.startDate = newValue }
  }

  /// Whole minutes of that day, 0…1,439, that are past at the start.
  package var startMinute: Int {
    get { scenario.startMinute }
    set { scenario.startMinute = newValue }
  }

  /// A pack is read by itself, without a scenario that includes it.
  package var isPackAlone: Bool { scenario.isPackAlone }

  /// What the document must hold, beside declarations.
  package var parts: ScenarioParts { scenario.parts }

  /// Tells whether a file exists, its name being relative to the scenario's folder.
  package func fileExists(_ name: String) -> Bool { scenario.fileExists(name) }
}
