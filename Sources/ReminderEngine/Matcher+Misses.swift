import CivilTime
import TriggerModel

/// Why the waiting reminders of a bucket do not match, one by one: for journals and explanations.
extension Matcher {
  /// Appends a miss for each live entry with a row condition that fails. The bucket is up to date, and
  /// its matches are not yet taken out.
  func appendMisses(_ index: Int, _ bucket: TriggerBucket, _ view: LocalView, into buffer: inout MatchBuffer)
  {
    let charging = bucket.row(FixedRow.charging + (view.isCharging ? 1 : 0))
    let weekday = bucket.row(FixedRow.weekday + Int(view.weekday.rawValue))
    for word in 0..<Int(bucket.wordCount) {
      let live = words[bucket.state(.live) + word]
      let hits = words[bucket.state(.eligible) + word] & words[bucket.state(.window) + word]
      var rest = live & ~hits
      while rest != 0 {
        let bit = UInt64(rest.trailingZeroBitCount)
        rest &= rest - 1
        var failed: ConditionKinds = []
        if program.rows[charging + word] >> bit & 1 == 0 { failed.insert(.charging) }
        if program.rows[weekday + word] >> bit & 1 == 0 { failed.insert(.weekdays) }
        if words[bucket.state(.regionFails) + word] >> bit & 1 == 1 { failed.insert(.region) }
        if words[bucket.state(.window) + word] >> bit & 1 == 0 { failed.insert(.timeWindow) }
        let declaration = program.entryDeclarations[Int(bucket.firstEntry) + word * 64 + Int(bit)]
        buffer.misses.append(
          Miss(reminder: program.plans[Int(declaration)].reminder, reason: .conditionFailed, failed: failed))
      }
    }
  }
}
