import CivilTime
import ScenarioModel
import Simulation
import TestBench
import TextFormats

/// The contents of the app's lists at the times at which expectations check them.
struct ViewSection: ReportSection {
  static let key = "views"
  static let title = "Lists of the app"
  static let isOfSuite = true
  static let isOptional = true

  /// The maximum number of names per group that a page lists. The JSON document lists all of them.
  private static let nameLimit = 12

  private let views: [ShownView]

  init(_ results: [ScenarioResult]) {
    views = results.flatMap(\.views)
  }

  private static let entryFields: [ReportField<ViewEntry>] = [
    .text("reminder", { $0.name }),
    .text("due", { $0.time.iso8601 }, "The local time at which it is due."),
    .choice("group", ViewGroup.allCases.map(\.words)) { $0.group.words },
    .truth("putOff", { $0.isDeferred }),
    .optionalText("part", { $0.part }, "The part of the list that contains it."),
  ]

  private static let fields: [ReportField<ShownView>] = [
    .choice("view", AppView.allCases.map(\.rawValue)) { $0.question.view.rawValue },
    .optionalText("by", { $0.question.parts }, "The attribute that divides the list into parts."),
    .text("time", { $0.question.time.iso8601 }, "The time of the list, on the phone's clock."),
    .count("done", { $0.done.count }, "Done on that day."),
    .count("ofToday", { $0.total }, "Done on that day, due on it, or overdue."),
    .list("entries", of: entryFields) { $0.entries },
  ]

  static let schema = ReportSchema.described(
    "The app's lists at the times that expectations name.", ReportSchema.array(of: fields))

  var document: JSONValue { .array(views.map { JSONValue($0, Self.fields) }) }

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
      let names = group.entries.prefix(Self.nameLimit).map(\.words)
      let more = group.entries.count > names.count ? ["\(group.entries.count - names.count) more"] : []
      return [title, group.group.words, "\(group.entries.count)", (names + more).joined(separator: ", ")]
    }
    if question.view == .today, view.total > 0 {
      rows.append([title, "done", "\(view.done.count)", "\(view.done.count) of \(view.total) done"])
    }
    return rows.isEmpty ? [[title, "", "0", question.view == .today ? "all caught up" : "empty"]] : rows
  }
}
