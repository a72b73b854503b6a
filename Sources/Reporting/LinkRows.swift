import NotificationGateway
import Scenarios
import TestBench
import TriggerModel

/// Where the links of one run led: a row for each link that was followed, in the order of the program.
struct LinkRows {
  struct Row {
    var link: String
    /// Who handles it; nil: nobody.
    var destination: String?
    var account: LinkAccount
  }

  let rows: [Row]

  init(_ result: ScenarioResult) {
    guard let book = result.program.links else {
      rows = []
      return
    }
    rows = zip(book.texts, result.accounts.links).filter { $0.1.attempted > 0 }.map { text, account in
      Row(link: text, destination: book.registry.resolve(text).map(book.words), account: account)
    }
  }

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

  static let header = ["link", "handled by", "attempted", "routed", "lost", "duplicates", "routed again"]

  /// As text, in the columns of ``header``.
  var cells: [[String]] {
    rows.map { row in
      [
        row.link.isEmpty ? "(no link)" : row.link, row.destination ?? "nobody", "\(row.account.attempted)",
        "\(row.account.routed)",
        row.account.lost.losses.map { "\($0.count) \($0.reason)" }.joined(separator: ", "),
        "\(row.account.duplicates)", "\(row.account.routedAgain)",
      ]
    }
  }
}
