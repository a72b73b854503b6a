import TestBench
import TextFormats

/// One part of the report, declared once and drawn by every renderer: a value under its key in
/// `report.json`, with its schema, and a table under its heading in the pages.
///
/// To add one, write it and name it in ``ReportSections``.
protocol ReportSection {
  /// The key in `report.json`.
  static var key: String { get }
  /// The heading in the pages.
  static var title: String { get }
  /// Describes ``document``.
  static var schema: JSONValue { get }
  /// Whether the suite has one too, beside each scenario's own.
  static var isOfSuite: Bool { get }
  /// Whether `report.json` leaves it out of a scenario that has nothing to say there, and out of the suite's figures.
  static var isOptional: Bool { get }
  /// - Parameter results: One scenario's, or those of a whole suite.
  init(_ results: [ScenarioResult])
  var document: JSONValue { get }
  /// Without rows, the pages leave the section out.
  var table: ReportTable { get }
}

extension ReportSection {
  static var isOptional: Bool { false }
}

/// A table in plain text: each renderer escapes it in its own way.
struct ReportTable {
  struct Column {
    var title: String
    var isNumber: Bool

    static func text(_ title: String) -> Column { Column(title: title, isNumber: false) }
    static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
  }

  var columns: [Column]
  var rows: [[String]]
  /// Sentences below the table.
  var notes: [String] = []
}

/// Every section, in the order of the pages.
enum ReportSections {
  static var all: [any ReportSection.Type] {
    [
      GateSection.self, ObservationSection.self, AppSection.self, LinkSection.self, CapSection.self,
      OptOutSection.self, ViewSection.self, SnoozeSection.self, SyncSection.self,
    ]
  }

  /// What `report.json` holds of one scenario, or of a suite.
  static func members(_ results: [ScenarioResult], ofSuite: Bool = false) -> [JSONValue.Member] {
    all.filter { !ofSuite || $0.isOfSuite && !$0.isOptional }.flatMap { member(of: $0, results) }
  }

  private static func member<Section: ReportSection>(
    of section: Section.Type, _ results: [ScenarioResult]
  ) -> [JSONValue.Member] {
    let content = Section(results)
    if Section.isOptional, content.table.rows.isEmpty { return [] }
    return [.init(Section.key, content.document)]
  }

  /// The schemas of ``members(_:ofSuite:)``.
  static func schemas(ofSuite: Bool = false) -> [(String, JSONValue)] {
    all.filter { (!ofSuite || $0.isOfSuite) && !$0.isOptional }.map { ($0.key, $0.schema) }
  }

  /// The schemas of what only some scenarios have.
  static var optionalSchemas: [(String, JSONValue)] {
    all.filter { $0.isOptional }.map { ($0.key, $0.schema) }
  }

  /// The tables that have rows, with their headings.
  static func tables(_ results: [ScenarioResult], ofSuite: Bool = false) -> [(
    title: String, table: ReportTable
  )] {
    all.filter { !ofSuite || $0.isOfSuite }.map { ($0.title, $0.init(results).table) }
      .filter { !$0.1.rows.isEmpty }
  }
}
