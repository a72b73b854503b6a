extension LocalTime {
  /// "2026-03-02 17:42:10", without seconds when they are zero, with milliseconds when they are not.
  package var words: String {
    let seconds = Int(millisecondOfDay) / 1_000
    var text = "\(date.iso8601) \(pad(seconds / 3_600)):\(pad(seconds / 60 % 60))"
    let fraction = Int(millisecondOfDay) % 1_000
    if seconds % 60 != 0 || fraction != 0 { text += ":\(pad(seconds % 60))" }
    if fraction != 0 { text += ".\(fraction < 10 ? "00" : fraction < 100 ? "0" : "")\(fraction)" }
    return text
  }

  private func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
