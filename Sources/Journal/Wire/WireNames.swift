package import CivilTime
package import NotificationGateway
import ReminderMatching
package import ScenarioModel
package import TriggerModel

/// The lists whose names stand for identifiers on the wire.
package enum NameList: Int, Sendable, CaseIterable {
  case reminder, type, region, app, fact, source, link, consumer, zone, surface, priming, milestone, batch,
    device

  /// What one of them is called in messages.
  var noun: String {
    switch self {
    case .region: "place"
    case .source: "source of facts"
    case .priming: "context of priming"
    case .reminder, .type, .app, .fact, .link, .consumer, .zone, .surface, .milestone, .batch, .device:
      "\(self)"
    }
  }
}

/// The names behind the identifiers of a run.
///
/// Records hold positions; on the wire stands the name at that position, and a name that is read becomes the
/// position again.
package final class WireNames: Sendable {
  /// A typed value that the app knows.
  package struct Fact: Hashable, Sendable {
    package var name: String
    package var kind: FactKind
    /// For the kind `name`: the names that it can take.
    package var names: [String]

    package init(_ name: String, _ kind: FactKind, names: [String] = []) {
      self.name = name
      self.kind = kind
      self.names = names
    }
  }

  /// What an edit puts in place of which reminder.
  package struct Edit: Hashable, Sendable {
    package var reminder: ReminderID
    package var name: String

    package init(of reminder: ReminderID, _ name: String) {
      self.reminder = reminder
      self.name = name
    }
  }

  /// Every list in the order of its identifiers.
  package struct Lists: Sendable {
    package var reminders: [String] = []
    package var edits: [Edit] = []
    package var types: [String] = []
    package var regions: [String] = []
    package var apps: [String] = []
    package var facts: [Fact] = []
    package var sources: [String] = []
    /// The links themselves.
    package var links: [String] = []
    package var consumers: [LinkConsumer] = []
    package var zones = ZoneTable()
    package var surfaces: [String] = []
    package var primings: [String] = []
    package var milestones: [String] = []
    /// What is done to several things at once, in words.
    package var batches: [String] = []
    package var devices = ["phone"]

    package init() {}
  }

  package let zones: ZoneTable
  let facts: [Fact]
  private let tables: [NameTable]
  private let factNames: [NameTable]
  /// By consumer.
  private let patterns: [NameTable]
  /// By reminder: its edits, and which of all edits each of them is.
  private let edits: [(table: NameTable, positions: [UInt32])]
  /// Edits in the order of their identifiers.
  private let allEdits: NameTable
  /// By reminder.
  private let ranks: [UInt32]

  package init(_ lists: Lists) {
    zones = lists.zones
    facts = lists.facts
    factNames = lists.facts.map { NameTable("value of the fact '\($0.name)'", $0.names) }
    patterns = lists.consumers.map { NameTable("pattern", $0.patterns.map(\.description)) }
    allEdits = NameTable("edit", lists.edits.map(\.name))
    edits = lists.reminders.enumerated().map { index, name in
      let own = lists.edits.enumerated().filter { $0.element.reminder.index == index }
      return (
        NameTable("edit of the reminder '\(name)'", own.map(\.element.name)), own.map { UInt32($0.offset) }
      )
    }
    let order = lists.reminders.indices.sorted { lists.reminders[$0] < lists.reminders[$1] }
    var ranks = [UInt32](repeating: 0, count: order.count)
    for (rank, position) in order.enumerated() { ranks[position] = UInt32(rank) }
    self.ranks = ranks
    tables = NameList.allCases.map { NameTable($0.noun, lists[$0]) }
  }

  /// The names of a scenario.
  ///
  /// - Parameters:
  ///   - types: The notification types in the order of their identifiers.
  ///   - links: The links that are known, in the order of theirs.
  ///   - consumers: Those who handle links, as they are registered.
  package convenience init(
    _ scenario: Scenario, types: [String], links: [String], consumers: [LinkConsumer],
    devices: [String] = ["phone"]
  ) {
    var lists = Lists()
    lists.reminders = scenario.reminders.map(\.declaration.id)
    lists.edits = scenario.edits.map { Edit(of: $0.reminder, $0.name) }
    lists.types = types
    lists.regions = scenario.places.map(\.name)
    lists.apps = scenario.apps
    lists.facts = scenario.facts.map { Fact($0.name, $0.kind, names: $0.names) }
    lists.sources = scenario.factSources
    lists.links = links
    lists.consumers = consumers
    lists.zones = scenario.zones
    lists.surfaces = scenario.app.surfaces.map(\.name)
    lists.primings = scenario.app.primings
    lists.milestones = scenario.app.milestones.map(\.name)
    lists.batches = scenario.app.batches.map(\.words)
    lists.devices = devices
    self.init(lists)
  }

  @inline(__always)
  package subscript(list: NameList) -> NameTable { tables[list.rawValue] }

  func patterns(of consumer: UInt32) -> NameTable { patterns[Int(consumer)] }

  func names(of fact: FactID) -> NameTable { factNames[fact.index] }

  /// The names of a reminder's edits.
  func edits(of reminder: ReminderID) -> NameTable { edits[reminder.index].table }

  /// The identifier of an edit, from its place among those of its reminder.
  func edit(_ place: UInt32, of reminder: ReminderID) -> UInt32 {
    edits[reminder.index].positions[Int(place)]
  }

  /// The names of all edits, by identifier; two reminders may have one of the same name.
  var editNames: NameTable { allEdits }

  func rank(of reminder: ReminderID) -> UInt32 { ranks[reminder.index] }
}

extension WireNames.Lists {
  fileprivate subscript(list: NameList) -> [String] {
    switch list {
    case .reminder: reminders
    case .type: types
    case .region: regions
    case .app: apps
    case .fact: facts.map(\.name)
    case .source: sources
    case .link: links
    case .consumer: consumers.map(\.id)
    case .zone: zones.zones.map(\.identifier)
    case .surface: surfaces
    case .priming: primings
    case .milestone: milestones
    case .batch: batches
    case .device: devices
    }
  }
}
