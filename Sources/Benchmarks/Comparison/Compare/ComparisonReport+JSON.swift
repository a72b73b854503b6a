import Foundation

extension ComparisonReport {
  /// Times in nanoseconds per event, changes in per cent of A; keys are sorted.
  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(Document(self)) else { return "{}\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  private struct Document: Encodable {
    var suite, a, b, verdict: String
    var precisionPercent: Double
    var rows: [Row]
    var counts: [Count]
    var instructions: Totals?

    init(_ report: ComparisonReport) {
      suite = report.suite
      a = report.a
      b = report.b
      verdict = report.verdict.rawValue
      precisionPercent = percent(report.precision)
      rows = report.rows.map(Row.init)
      counts = report.countChanges.map(Count.init)
      instructions = report.instructions.map(Totals.init)
    }
  }

  private struct Row: Encodable {
    var mode: String
    var size, blocks: Int
    var aNanoseconds, bNanoseconds, changePercent, lowPercent, highPercent, noiseFloorPercent: Double
    /// Missing where there are too few blocks to tell anything by it.
    var pValue: Double?
    var verdict, reason: String

    init(_ row: SequentialComparison.Row) {
      mode = row.key.mode
      size = row.key.size
      blocks = row.look.blocks
      aNanoseconds = row.a
      bNanoseconds = row.b
      changePercent = percent(row.look.change.estimate)
      lowPercent = percent(row.look.change.low)
      highPercent = percent(row.look.change.high)
      pValue = row.look.blocks >= Look.leastBlocks ? row.look.change.pValue : nil
      noiseFloorPercent = percent(row.look.noiseFloor)
      verdict = row.judgement.verdict.rawValue
      reason = row.judgement.reason
    }
  }

  private struct Count: Encodable {
    var row, name, verdict: String
    var before, after: Int?

    init(_ change: CountChange) {
      row = change.row
      name = change.name
      verdict = change.verdict.rawValue
      before = change.before
      after = change.after
    }
  }

  private struct Totals: Encodable {
    var a, b: Int
    var changePercent: Double
    var verdict: String

    init(_ instructions: Instructions) {
      a = instructions.a
      b = instructions.b
      changePercent = instructions.percent
      verdict = instructions.verdict.rawValue
    }
  }
}

/// Per cent with three decimals.
private func percent(_ logRatio: Double) -> Double {
  (RatioInterval.percent(logRatio) * 1_000).rounded() / 1_000
}
