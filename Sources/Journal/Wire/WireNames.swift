package import CivilTime
package import NotificationGateway
import Recordings
import ReminderMatching
package import ScenarioModel
import TextFormats
package import TriggerModel

/// The lists of names that replace identifiers in the wire form.
package enum NameList: Int, Sendable, CaseIterable {
  case reminder, type, region, app, fact, source, link, consumer, zone, surface, priming, milestone, batch,
    device

  /// The noun for an entry of the list in messages.
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

/// The names that a run's identifiers stand for.
///
/// An identifier in a record is a position in one of these lists. The wire form contains the name instead.
package final class WireNames: Sendable {
  /// A fact, with its kind.
  package struct Fact: Hashable, Sendable {
    package var name: String
    package var kind: FactKind
    /// The possible values of the fact if its kind is `name`.
    package var names: [String]

    package init(_ name: String, _ kind: FactKind, names: [String] = []) {
      self.name = name
      self.kind = kind
      self.names = names
    }
  }

  /// The name of an edit, and the reminder that it changes.
  package struct Edit: Hashable, Sendable {
    package var reminder: ReminderID
    package var name: String

    package init(of reminder: ReminderID, _ name: String) {
      self.reminder = reminder
      self.name = name
    }
  }

  /// The names in the order of their identifiers.
  package struct Lists: Sendable {
    package var reminders: [String] = []
    package var edits: [Edit] = []
    package var types: [String] = []
    package var regions: [String] = []
    package var apps: [String] = []
    package var facts: [Fact] = []
    package var sources: [String] = []
    /// The URLs of the links.
    package var links: [String] = []
    package var consumers: [LinkConsumer] = []
    package var zones = ZoneTable()
    package var surfaces: [String] = []
    package var primings: [String] = []
    package var milestones: [String] = []
    /// The batches, in the words of the time line.
    package var batches: [String] = []
    package var devices = ["phone"]

    package init() {}
  }

  package let zones: ZoneTable
  let facts: [Fact]
  private let tables: [NameTable]
  private let factNames: [NameTable]
  /// For each consumer, the table of its URL patterns.
  private let patterns: [NameTable]
  /// For each reminder, the names and the identifiers of its edits.
  private let edits: [(table: NameTable, positions: [UInt32])]
  /// The edits in the order of their identifiers.
  private let allEdits: NameTable
  /// For each reminder, its rank among the sorted names.
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

  /// Creates the names of a scenario.
  ///
  /// - Parameters:
  ///   - types: The notification types in the order of their identifiers.
  ///   - links: The known links in the order of their identifiers.
  ///   - consumers: The registered link consumers.
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

  /// Returns the names of a reminder's edits.
  func edits(of reminder: ReminderID) -> NameTable { edits[reminder.index].table }

  /// Returns the identifier of the edit at an index among the reminder's edits.
  func edit(_ place: UInt32, of reminder: ReminderID) -> UInt32 {
    edits[reminder.index].positions[Int(place)]
  }

  /// The names of all edits in the order of their identifiers. Edits of different reminders may share a name.
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

/// An ordered list of names that maps positions to names and names to positions.
package final class NameTable: Sendable {
  /// The noun for an entry in messages, for example "reminder".
  package let noun: String
  package let names: [String]
  /// Whether the wire form defines the list. If so, a scenario cannot extend it.
  private let isClosed: Bool
  private let positions: [String: UInt32]
  /// The names as JSON strings, concatenated.
  private let quoted: [UInt8]
  /// The bounds of the names in ``quoted``: 0, then the end of each name.
  private let bounds: [Int]

  /// Creates a table. If a name is repeated, its position is that of the first occurrence.
  package init(_ noun: String, _ names: [String], isClosed: Bool = false) {
    self.noun = noun
    self.names = names
    self.isClosed = isClosed
    positions = Dictionary(
      names.enumerated().map { ($0.element, UInt32($0.offset)) }, uniquingKeysWith: { first, _ in first })
    var quoted: [UInt8] = []
    var bounds = [0]
    for name in names {
      quoted.append(quoting: name)
      bounds.append(quoted.count)
    }
    self.quoted = quoted
    self.bounds = bounds
  }

  /// - Complexity: O(length of the name)
  package func position(of name: String) -> UInt32? { positions[name] }

  func position(of text: JSONText) -> UInt32? { positions[text.string] }

  /// Returns a hint for a name that is not in the table.
  func remedy(for name: String) -> String {
    NearestNames.hint(for: name, among: names)
      ?? (isClosed ? "known: " + names.joined(separator: ", ") : "use a name that the scenario declares")
  }

  /// Appends the name at a position as a JSON string.
  @inline(__always)
  func append(_ position: Int, to bytes: inout [UInt8]) {
    quoted.withUnsafeBufferPointer {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[bounds[position]..<bounds[position + 1]]))
    }
  }
}
