package import TestBench
package import TextFormats

/// A plan as text and as JSON.
package struct PlanText {
  private let plan: Explainer.Plan

  package init(_ plan: Explainer.Plan) { self.plan = plan }

  package var text: String {
    let desired = plan.rows.count(where: \.isDesired)
    let known = plan.rows.count(where: \.isKnown)
    var lines = ["plan at \(plan.local): \(known) pending, \(desired) desired"]
    if plan.rows.isEmpty { lines.append("  nothing is requested ahead of its time") }
    let cells = plan.rows.map { [$0.local, $0.reminder, $0.source, state($0)] }
    lines += TextColumns.lines(cells).map { "  " + $0 }
    return lines.joined(separator: "\n")
  }

  private func state(_ row: Explainer.Plan.Row) -> String {
    switch (row.isDesired, row.isKnown) {
    case (true, _): row.state
    case (false, true): "pending, to be withdrawn: \(row.state)"
    case (false, false): "not pending: \(row.state)"
    }
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
