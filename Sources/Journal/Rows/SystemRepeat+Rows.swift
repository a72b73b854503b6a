import TriggerModel

extension SystemRepeat.Unit: WireWord {
  static let table = NameTable("repeats", of: Self.self)
}

/// The pattern of a request that the system repeats: its unit, and the parts that the unit has.
extension SystemRepeat {
  static func coded<Coder: FieldCoder>(
    _ value: SystemRepeat?, by coder: inout Coder
  ) throws(Coder.Failure) -> SystemRepeat? {
    let unit = try coder.optionalWord("repeats", value?.unit)
    // A part that the unit has must be there: nothing else says which day is meant.
    let hasDay = unit.map { [.weekly, .monthly, .yearly].contains($0) } ?? false
    let month = try coder.integer(
      "repeatMonth", value?.month ?? 0, in: 0...12, unit == .yearly ? .always : .unless(0))
    let day = try coder.integer(
      "repeatDay", value?.day ?? 0, in: 0...31, hasDay ? .always : .unless(0))
    let minute = try coder.integer("repeatMinute", value?.minute ?? 0, in: 0...1_439, .unless(0))
    let seconds = try coder.integer(
      "repeatSeconds", value?.seconds ?? 0, in: 0...longestSpan.milliseconds / 1_000,
      unit == .span ? .always : .unless(0))
    return unit.map {
      SystemRepeat($0, month: Int(month), day: Int(day), minute: Int(minute), seconds: Int(seconds))
    }
  }
}
