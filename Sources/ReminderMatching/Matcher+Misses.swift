import CivilTime
import TriggerModel

/// Why the waiting reminders of a bucket do not match, one by one: for journals and explanations.
extension Matcher {
  /// Appends a miss for each live entry with a row condition that fails. The bucket is up to date, and
  /// its matches are not yet taken out.
  @inline(never)
  mutating func appendMisses(
    _ bucket: UnsafePointer<TriggerBucket>, _ view: LocalView, into buffer: inout MatchBuffer
  ) {
    let windows = windows(of: bucket, at: view.time)
    let bucket = bucket.pointee
    let charging = bucket.row(FixedRow.charging + (view.isCharging ? 1 : 0))
    let weekday = bucket.row(FixedRow.weekday + Int(view.weekday.rawValue))
    for word in 0..<Int(bucket.wordCount) {
      let missed = state.words[bucket.state(.live) + word] & ~state.words[bucket.state(.open) + word]
      if missed == 0 { continue }
      let window = windows.open(word: word)
      let regionFails = state.words[bucket.state(.regionFails) + word]
      for bit in Bits(missed) {
        let mask: UInt64 = 1 << UInt64(bit)
        let declaration = tables.declarations[Int(bucket.firstEntry) + word * 64 + bit]
        if tables.rows[bucket.row(FixedRow.residual) + word] & mask != 0
          || bucket.factOffset >= 0 && tables.facts.hasTerms(declaration)
        {
          appendMiss(of: Int(declaration), view, into: &buffer)
          continue
        }
        var failed: ConditionKinds = []
        if tables.rows[charging + word] & mask == 0 { failed.insert(.charging) }
        if tables.rows[weekday + word] & mask == 0 { failed.insert(.weekdays) }
        if regionFails & mask != 0 { failed.insert(.region) }
        if window & mask == 0 { failed.insert(.timeWindow) }
        buffer.misses.append(
          Miss(reminder: tables.reminder(of: declaration), reason: .conditionFailed, failed: failed))
      }
    }
  }

  /// The miss of a reminder whose conditions are not all in rows, if one fails.
  func appendMiss(of plan: Int, _ view: LocalView, into buffer: inout MatchBuffer) {
    let failure = view.failures(of: program.plans[plan].conditions, facts: facts, zone: zone)
    guard let failure else { return }
    buffer.misses.append(
      Miss(reminder: program.plans[plan].reminder, reason: failure.reason, failed: failure.kinds))
  }
}
