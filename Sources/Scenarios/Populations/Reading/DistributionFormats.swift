import TextFormats
import TriggerModel

extension Format<TimeHabit> {
  /// `07:00`, or how it differs too.
  static var timeHabit: Format {
    .short(
      Format<Int32>.scalar(.timeOfDay).map(
        { time, _, _ in TimeHabit(median: time) }, back: { time, _ in time.median }),
      orLong: .object(
        "A time of the local day: normal over people and days, cut at three standard deviations"
      ) {
        fields in
        let median = fields.required(
          "median", .scalar(.timeOfDay), "that of the median person", from: \.median)
        let spread = fields.optional(
          "spread", .scalar(.duration), "how much people differ: standard deviation; not at all if missing",
          from: { $0.spread == .zero ? nil : $0.spread })
        let daily = fields.optional(
          "daily", .scalar(.duration),
          "how much the days of a person differ: standard deviation; not at all if missing",
          from: { $0.daily == .zero ? nil : $0.daily })
        for (key, span) in [("spread", spread), ("daily", daily)] where span ?? .zero > .hours(6) {
          fields.error("more than 6 h is no habit", at: key)
        }
        return median.map { TimeHabit(median: $0, spread: spread ?? .zero, daily: daily ?? .zero) }
      })
  }
}

extension Format<RateHabit> {
  /// `4`, or how people differ too.
  static var rateHabit: Format {
    let rate = Atom<Double>.figure(0...60)
    return .short(
      Format<Double>.scalar(rate).map(
        { rate, _, _ in RateHabit(median: rate) }, back: { rate, _ in rate.median }),
      orLong: .object(
        "How often in an hour: log-normal over people, cut at \(DayConstant.mostUnlocks.value.amount)"
      ) { fields in
        let median = fields.required("median", .scalar(rate), "that of the median person", from: \.median)
        let sigma = fields.optional(
          "sigma", .scalar(.figure(0...2)),
          "how much people differ: standard deviation of the logarithm; not at all if missing",
          from: { $0.sigma == 0 ? nil : $0.sigma })
        return median.map { RateHabit(median: $0, sigma: sigma ?? 0) }
      })
  }
}

extension Format<AmountHabit> {
  static var amountHabit: Format {
    .object("A whole number: normal over people and days, within its limits") { fields in
      let number = Atom<Double>.figure(-1_000_000...1_000_000)
      let mean = fields.required("mean", .scalar(number), "that of all people", from: \.mean)
      let spread = fields.optional(
        "spread", .scalar(.figure(0...1_000_000)),
        "how much people differ: standard deviation; not at all if missing",
        from: { $0.spread == 0 ? nil : $0.spread })
      let daily = fields.optional(
        "daily", .scalar(.figure(0...1_000_000)),
        "how much the days of a person differ: standard deviation; not at all if missing",
        from: { $0.daily == 0 ? nil : $0.daily })
      let least = fields.optional("least", .scalar(number), "nobody has less; 0 if missing", from: \.least)
      let most = fields.required("most", .scalar(number), "nobody has more", from: \.most)
      guard let mean, let most else { return nil }
      let amount = AmountHabit(
        mean: mean, spread: spread ?? 0, daily: daily ?? 0, least: least ?? 0, most: most)
      guard amount.least <= most else {
        fields.error("'least' is more than 'most'", at: least == nil ? "most" : "least")
        return nil
      }
      return amount
    }
  }
}

extension Format {
  /// `{free: 70 %, trial: 10 %, paid: 20 %}`: of all, so that they add up to one.
  ///
  /// - Parameters:
  ///   - names: The words for the values.
  ///   - value: The value of a word; nil after the reader has been told what is wrong.
  ///   - word: The word of a value.
  static func shares<Option>(
    _ names: Atom<String>, value: @escaping (Word, Reader) -> Option?,
    word: @escaping (Option, Writer) -> String
  ) -> Format where Value == Shares<Option> {
    Format<[TableRow<Int64>]>.table(of: .scalar(.share), names: names, minimum: 1).map(
      { rows, node, reader in
        // What is wrong with one of them has been said.
        if case .mapping(let entries) = node.content, entries.count != rows.count { return nil }
        var options: [(name: String, option: Shares<Option>.Option)] = []
        for row in rows {
          guard let share = row.value, let value = value(Word(row.name, at: row.position), reader) else {
            return nil
          }
          options.append((row.name, .init(value, millionths: share)))
        }
        let sum = options.reduce(0) { $0 + $1.option.millionths }
        guard sum == 1_000_000 else {
          let percent = Decimal.text(sum, decimals: 4)
          let rest = Decimal.text(abs(1_000_000 - sum), decimals: 4)
          let last = options.last?.name ?? ""
          reader.error(
            "the shares add up to \(percent) % and not to 100 %", at: node.position,
            hint: "\(rest) % \(sum < 1_000_000 ? "are missing" : "are too much"), '\(last)' for one could be "
              + (sum < 1_000_000 ? "more" : "less"))
          return nil
        }
        // The order of lines must not be luck's.
        return Shares(options.sorted { $0.name < $1.name }.map(\.option))
      },
      back: { shares, writer in
        shares.options.map {
          TableRow(name: word($0.value, writer), position: .start, value: $0.millionths)
        }
      })
  }
}
