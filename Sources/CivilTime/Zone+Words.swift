package import TriggerModel

extension Zone {
  /// What the wall shows, such as "2026-03-02 17:42:10"; where it shows the same twice, because clocks go
  /// back, with the offset from UTC: "2026-10-25 02:30 +01:00".
  package func words(at instant: Instant) -> String {
    let local = local(at: instant)
    guard self.instant(of: local, .first) != self.instant(of: local, .last) else { return local.words }
    let complete = instant.iso8601(in: self)
    let sign = complete.lastIndex { "+-".contains($0) } ?? complete.endIndex
    return "\(local.words) \(complete[sign...])"
  }
}
