import PersonModel
package import ScenarioModel
package import TextFormats

extension Format<PersonSetup> {
  /// The person who responds to notifications: the name of a model, or a mapping that changes some of the
  /// model's constants. `triggerbench rules --person` lists the constants.
  package static var person: Format<PersonSetup> {
    .short(
      .scalar(
        Atom<Bool>.personModel.map(
          { _, word, _ in PersonSetup(position: word.position) }, back: { _, _ in true })),
      orLong: .object(
        "A person of the model \(TapModel.name), who responds to notifications that the time line leaves open"
      ) {
        fields in
        _ = fields.required(
          "model", .scalar(.personModel), "the model of the person: \(TapModel.name)", from: { _ in true })
        let number = fields.optional(
          "number", .scalar(.seed),
          "which person of the seed, each with traits and random numbers of their own; 0 if missing",
          from: \.number
        )
        let eagerness = fields.optional(
          "eagerness", .scalar(.figure(-20...20)),
          "added to the log odds of every tap of this person, 0 for the median one; drawn if missing",
          from: \.eagerness)
        let tolerance = fields.optional(
          "tolerance", .scalar(.figure(0...10_000)),
          "the number of notifications per week that this person tolerates; drawn if missing",
          from: \.tolerance)
        let organicOpens = readOrganicOpens(fields)
        let kinds = readKinds(fields)
        var model = TapModel()
        for constant in TapConstant.allCases { read(constant, fields, into: &model) }
        return PersonSetup(
          number: number ?? 0, model: model, eagerness: eagerness, tolerance: tolerance,
          organicOpens: organicOpens, kinds: kinds, position: fields.position)
      })
  }

  private static func read(
    _ constant: TapConstant, _ fields: Fields<PersonSetup>, into model: inout TapModel
  ) {
    let row = constant.row
    let unit = row.unit.isEmpty ? "" : " (\(row.unit))"
    let usual = Decimal.text(Atom<Double>.millionths(row.value), decimals: 6)
    let value = fields.optional(
      constant.name, .scalar(.figure(constant.limits)), "\(row.meaning)\(unit); \(usual) if missing",
      from: { $0.model[constant] == row.value ? nil : $0.model[constant] })
    if let value { model[constant] = value }
  }

  private static func readOrganicOpens(_ fields: Fields<PersonSetup>) -> OrganicOpens? {
    let perDay = fields.optional(
      "organicOpens", .scalar(.figure(0...200)),
      "how often per day, on average, the person opens the app without a notification; never if missing",
      from: { $0.organicOpens?.perDay })
    let waking = fields.optional(
      "waking", .window,
      "the part of the local day in which they do; 07:00-23:00 if missing",
      from: { $0.organicOpens?.waking })
    guard let perDay else {
      if waking != nil { fields.error("'waking' needs 'organicOpens'", at: "waking") }
      return nil
    }
    return waking.map { OrganicOpens(perDay: perDay, waking: $0) } ?? OrganicOpens(perDay: perDay)
  }

  private static func readKinds(_ fields: Fields<PersonSetup>) -> [String: TapModel.Kind] {
    let rows =
      fields.optional(
        "kinds",
        .table(of: .scalar(.oneCase("KIND", "a kind of notification", \.rawValue)), names: .notificationType),
        "the kind of a type's notifications for the person, where it differs from their declaration",
        from: { setup in
          setup.kinds.isEmpty
            ? nil
            : setup.kinds.sorted { $0.key < $1.key }.map {
              TableRow(name: $0.key, position: .start, value: $0.value)
            }
        }) ?? []
    return Dictionary(
      rows.compactMap { row in row.value.map { (row.name, $0) } }, uniquingKeysWith: { first, _ in first })
  }
}

extension Atom<Bool> {
  fileprivate static var personModel: Atom {
    .choice("MODEL", "the name of a model of persons", [(TapModel.name, true)])
  }
}

extension Atom<Double> {
  /// A number with at most six decimals, or a percentage, within limits.
  package static func figure(_ limits: ClosedRange<Double>) -> Atom {
    let (low, high) = (millionths(limits.lowerBound), millionths(limits.upperBound))
    let range = "\(Decimal.text(low, decimals: 6)) to \(Decimal.text(high, decimals: 6))"
    return .simple(
      "NUMBER", "a number from \(range) with at most six decimals, or a percentage",
      pattern: #"-?\d+(?:\.\d+)?(?: *%)?"#, jsonTypes: ["string", "number"],
      write: { value, writer in
        limits.contains(value)
          ? .string(Decimal.text(millionths(value), decimals: 6))
          : writer.problem("\(value) is not from \(range)")
      }
    ) { text in
      guard let value = Decimal.millionths(text), (low...high).contains(value) else { return nil }
      return Double(value) / 1_000_000
    }
  }

  static func millionths(_ value: Double) -> Int64 { Int64((value * 1_000_000).rounded()) }
}
