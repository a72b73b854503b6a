import NotificationGateway
import Simulation
import Statistics
import TestBench
import TextFormats
import TriggerModel

/// The destinations of the links that the person followed in a run, in the order of the program.
struct LinkSection: ReportSection {
  static let key = "links"
  static let title = "Links"
  /// A suite omits the section, because the links of different scenarios are unrelated.
  static let isOfSuite = false

  private struct Row {
    var link: String
    /// The consumer of the link, or `nil` if no part of the app consumed it.
    var destination: String?
    var account: LinkAccount
  }

  private let rows: [Row]

  init(_ results: [ScenarioResult]) {
    rows = results.flatMap { result -> [Row] in
      guard let book = result.program.links else { return [] }
      return zip(book.texts, result.accounts.links).filter { $0.1.attempted > 0 }.map { text, account in
        Row(link: text, destination: book.registry.resolve(text).map(book.words), account: account)
      }
    }
  }

  private static let fields: [ReportField<Row>] = [
    .text("link", { $0.link }, "The link as it was followed."),
    .optionalText("handledBy", { $0.destination }, "Missing if no consumer handles it."),
    .count("attempted", { $0.account.attempted }, "Taps, and links opened from elsewhere."),
    .count("routed", { $0.account.routed }),
    .count("fallbacks", { $0.account.fallbacks }, "Routed to a replacement of a missing destination."),
    .value("lost", ReportSchema.reference("counts")) { $0.account.lost.document },
    .count("onTheWay", { $0.account.onTheWay }, "Neither shown nor lost at the end."),
    .count("duplicates", { $0.account.duplicates }),
    .count("routedAgain", { $0.account.routedAgain }, "Received twice, too far apart to be recognised."),
  ]

  static let schema = ReportSchema.array(of: fields)
  var document: JSONValue { .array(rows.map { JSONValue($0, Self.fields) }) }

  var table: ReportTable {
    ReportTable(
      columns: [
        .text("link"), .text("handled by"), .number("attempted"), .number("routed"), .text("lost"),
        .number("duplicates"), .number("routed again"),
      ],
      rows: rows.map { row in
        [
          row.link.isEmpty ? "(no link)" : row.link, row.destination ?? "no consumer",
          "\(row.account.attempted)", "\(row.account.routed)",
          row.account.lost.losses.map(\.words).joined(separator: ", "), "\(row.account.duplicates)",
          "\(row.account.routedAgain)",
        ]
      })
  }
}
