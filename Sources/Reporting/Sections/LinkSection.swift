import NotificationGateway
import Simulation
import Statistics
import TestBench
import TextFormats
import TriggerModel

/// Where the links of one run led: a row for each link that was followed, in the order of the program.
struct LinkSection: ReportSection {
  static let key = "links"
  static let title = "Links"
  /// Links of different programs have nothing to do with each other.
  static let isOfSuite = false

  struct Row {
    var link: String
    /// Who handles it; nil: nobody.
    var destination: String?
    var account: LinkAccount
  }

  let rows: [Row]

  init(_ results: [ScenarioResult]) {
    rows = results.flatMap { result -> [Row] in
      guard let book = result.program.links else { return [] }
      return zip(book.texts, result.accounts.links).filter { $0.1.attempted > 0 }.map { text, account in
        Row(link: text, destination: book.registry.resolve(text).map(book.words), account: account)
      }
    }
  }

  static let schema = ReportSchema.array(
    ReportSchema.object(
      [
        ("link", ReportSchema.string("As it was followed.")),
        ("attempted", ReportSchema.count("Taps, and openings from elsewhere.")),
        ("routed", ReportSchema.count()),
        ("fallbacks", ReportSchema.count("Routed in place of what is gone.")),
        ("lost", ReportSchema.reference("counts")),
        ("onTheWay", ReportSchema.count("Neither shown nor lost at the end.")),
        ("duplicates", ReportSchema.count()),
        ("routedAgain", ReportSchema.count("Came twice, too far apart to be known as the same.")),
      ], optional: [("handledBy", ReportSchema.string("Missing: nobody handles it."))]))

  var document: JSONValue {
    .array(
      rows.map { row in
        var members: [JSONValue.Member] = [.init("link", .string(row.link))]
        if let destination = row.destination { members.append(.init("handledBy", .string(destination))) }
        members += [
          .init("attempted", .integer(row.account.attempted)), .init("routed", .integer(row.account.routed)),
          .init("fallbacks", .integer(row.account.fallbacks)),
          .init(
            "lost", .object(row.account.lost.nonZero.map { .init($0.reason.name, .integer($0.count)) })),
          .init("onTheWay", .integer(row.account.onTheWay)),
          .init("duplicates", .integer(row.account.duplicates)),
          .init("routedAgain", .integer(row.account.routedAgain)),
        ]
        return .object(members)
      })
  }

  var table: ReportTable {
    ReportTable(
      columns: [
        .text("link"), .text("handled by"), .number("attempted"), .number("routed"), .text("lost"),
        .number("duplicates"), .number("routed again"),
      ],
      rows: rows.map { row in
        [
          row.link.isEmpty ? "(no link)" : row.link, row.destination ?? "nobody", "\(row.account.attempted)",
          "\(row.account.routed)",
          row.account.lost.losses.map { "\($0.count) \($0.reason)" }.joined(separator: ", "),
          "\(row.account.duplicates)", "\(row.account.routedAgain)",
        ]
      })
  }
}
