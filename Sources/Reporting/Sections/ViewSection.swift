import CivilTime
import ScenarioModel
import Simulation
import TestBench
import TextFormats

/// The lists of the app that expectations ask for: what each shows at its moment.
struct ViewSection: ReportSection {
  static let key = "views"
  static let title = "Lists of the app"
  static let isOfSuite = true
  static let isOptional = true

  /// So many names of a group are in the pages; the document has all.
  private static let mostNames = 12

  private let views: [ShownView]

  init(_ results: [ScenarioResult]) {
    views = results.flatMap(\.views)
  }

  static let schema = ReportSchema.described(
    "The lists of the app that expectations ask for.",
    ReportSchema.array(
      ReportSchema.object(
        [
          ("view", ReportSchema.choice(AppView.allCases.map(\.rawValue))),
          ("time", ReportSchema.string("The moment of the list, on the phone's clock.")),
          ("done", ReportSchema.count("Done on that day.")),
          ("ofToday", ReportSchema.count("Done on that day, due on it, or overdue.")),
          (
            "entries",
            ReportSchema.array(
              ReportSchema.object(
                [
                  ("reminder", ReportSchema.string()),
                  ("due", ReportSchema.string("The local time at which it is due.")),
                  ("group", ReportSchema.choice(ViewGroup.allCases.map(\.words))),
                  ("putOff", ReportSchema.typed("boolean", nil)),
                ], optional: [("part", ReportSchema.string("The part of the list in which it stands."))]))
          ),
        ], optional: [("by", ReportSchema.string("The attribute by which the list is parted."))])))

  var document: JSONValue { .array(views.map(document)) }

  private func document(_ view: ShownView) -> JSONValue {
    var members: [JSONValue.Member] = [.init("view", .string(view.question.view.rawValue))]
    if let parts = view.question.parts { members.append(.init("by", .string(parts))) }
    members += [
      .init("time", .string(view.question.time.iso8601)), .init("done", .integer(view.done.count)),
      .init("ofToday", .integer(view.total)), .init("entries", .array(view.entries.map(document))),
    ]
    return .object(members)
  }

  private func document(_ entry: ViewEntry) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("reminder", .string(entry.name)), .init("due", .string(entry.time.iso8601)),
      .init("group", .string(entry.group.words)), .init("putOff", .truth(entry.isPutOff)),
    ]
    if let part = entry.part { members.append(.init("part", .string(part))) }
    return .object(members)
  }

  var table: ReportTable {
    ReportTable(
      columns: [.text("list"), .text("group"), .number("entries"), .text("what it shows")],
      rows: views.flatMap(rows))
  }

  private func rows(_ view: ShownView) -> [[String]] {
    let question = view.question
    let time = question.time.iso8601.replacing("T", with: " ")
    let title = question.view.rawValue + (question.parts.map { " by \($0)" } ?? "") + " on \(time)"
    var rows = view.groups.map { group in
      let names = group.entries.prefix(Self.mostNames).map(\.words)
      let more = group.entries.count > names.count ? ["\(group.entries.count - names.count) more"] : []
      return [title, group.group.words, "\(group.entries.count)", (names + more).joined(separator: ", ")]
    }
    if question.view == .today, view.total > 0 {
      rows.append([title, "done", "\(view.done.count)", "\(view.done.count) of \(view.total) done"])
    }
    return rows.isEmpty ? [[title, "", "0", question.view == .today ? "all caught up" : "empty"]] : rows
  }
}
