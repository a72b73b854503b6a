package import TriggerModel

extension RelativeDays {
  /// What makes its days others.
  package func write(to writer: inout StateWriter) {
    writer.text(fact)
    writer.list(days) { $0.signed(Int64($1)) }
    writer.list(minutes) { $0.signed(Int64($1)) }
    writer.flag(isYearly)
    writer.byte(skip.rawValue)
  }
}
