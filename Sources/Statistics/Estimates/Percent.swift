/// Millionths as a percentage with one decimal.
enum Percent {
  static func text(_ millionths: Int64) -> String {
    let tenths = (2 * millionths.magnitude + 1_000) / 2_000
    return (millionths < 0 && tenths > 0 ? "-" : "") + "\(tenths / 10).\(tenths % 10)"
  }
}

/// Thousandths as a number with one decimal.
enum Thousandths {
  static func text(_ thousandths: Int) -> String { Percent.text(Int64(thousandths) * 10) }
}
