package import TestBench
package import TextFormats

/// A plan as text and JSON.
package struct PlanText {
  private let plan: Explainer.Plan

  package init(_ plan: Explainer.Plan) { self.plan = plan }

  package var text: String {
    let desired = plan.rows.count(where: \.isDesired)
    let known = plan.rows.count(where: \.isKnown)
    var lines = ["plan at \(plan.local): \(known) pending, \(desired) desired"]
    if plan.rows.isEmpty { lines.append("  nothing is requested ahead of its time") }
    let width = plan.rows.map(\.reminder.count).max() ?? 0
    let sourceWidth = plan.rows.map(\.source.count).max() ?? 0
    for row in plan.rows {
      lines.append(
        "  \(row.local)  \(Self.pad(row.reminder, width))  \(Self.pad(row.source, sourceWidth))  \(state(row))"
      )
    }
    return lines.joined(separator: "\n")
  }

  private func state(_ row: Explainer.Plan.Row) -> String {
    switch (row.isDesired, row.isKnown) {
    case (true, _): row.state
    case (false, true): "pending, to be withdrawn: \(row.state)"
    case (false, false): "not pending: \(row.state)"
    }
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  package var document: JSONValue {
    .object([
      .init("at", .string(plan.local)),
      .init(
        "plan",
        .array(
          plan.rows.map { row in
            .object([
              .init("reminder", .string(row.reminder)), .init("source", .string(row.source)),
              .init("due", .string(row.local)), .init("state", .string(row.state)),
              .init("desired", .truth(row.isDesired)), .init("known", .truth(row.isKnown)),
            ])
          })),
    ])
  }
}
