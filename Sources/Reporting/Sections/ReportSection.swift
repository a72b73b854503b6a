import TestBench
import TextFormats

/// A part of the report: a value in `report.json`, and a table in the pages and the summary.
///
/// To add a section, declare it and add it to ``ReportSections``. Every renderer then includes it.
protocol ReportSection {
  /// The key in `report.json`.
  static var key: String { get }
  /// The heading in the pages.
  static var title: String { get }
  /// The schema of ``document``.
  static var schema: JSONValue { get }
  /// Whether the suite has the section too, in addition to each scenario.
  static var isOfSuite: Bool { get }
  /// Whether `report.json` omits the section for a suite and for a scenario in which the section is empty.
  static var isOptional: Bool { get }
  /// - Parameter results: The result of one scenario, or the results of a suite.
  init(_ results: [ScenarioResult])
  var document: JSONValue { get }
  /// The table. Pages omit a section whose table has no rows.
  var table: ReportTable { get }
}

extension ReportSection {
  static var isOptional: Bool { false }
}

enum ReportSections {
  /// Every section, in the order of the pages.
  static var all: [any ReportSection.Type] {
    [
      GateSection.self, ObservationSection.self, AppSection.self, LinkSection.self, CapSection.self,
      OptOutSection.self, ViewSection.self, SnoozeSection.self, SyncSection.self,
    ]
  }

  /// Returns the members of `report.json` for one scenario or for a suite.
  static func members(_ results: [ScenarioResult], ofSuite: Bool = false) -> [JSONValue.Member] {
    all.filter { !ofSuite || $0.isOfSuite && !$0.isOptional }.compactMap { section in
      let content = section.init(results)
      return section.isOptional && content.table.rows.isEmpty
        ? nil : JSONValue.Member(section.key, content.document)
    }
  }

  /// Returns the schemas of the required sections of every scenario or of every suite.
  static func schemas(ofSuite: Bool = false) -> [(String, JSONValue)] {
    all.filter { (!ofSuite || $0.isOfSuite) && !$0.isOptional }.map { ($0.key, $0.schema) }
  }

  /// The schemas of the optional sections.
  static var optionalSchemas: [(String, JSONValue)] {
    all.filter { $0.isOptional }.map { ($0.key, $0.schema) }
  }

  /// Returns the tables that have rows, each with its heading.
  static func tables(
    _ results: [ScenarioResult], ofSuite: Bool = false
  ) -> [(title: String, table: ReportTable)] {
    all.filter { !ofSuite || $0.isOfSuite }.map { ($0.title, $0.init(results).table) }
      .filter { !$0.1.rows.isEmpty }
  }
}
