import ScenarioModel
import TextFormats

extension Format<[PrecisionDeclaration]> {
  /// By metric: half the width of a difference's interval.
  static var precision: Format {
    let amount = Atom<Amount>.amount
    return .readOnly(
      schema: { _ in
        ["type": "object", "additionalProperties": amount.schema, "minProperties": 1]
      },
      read: { node, reader in
        guard case .mapping(let entries) = node.content, !entries.isEmpty else {
          reader.error(
            "expected a mapping from metrics to how far they may be off, not \(node.kindName)",
            at: node.position, hint: "such as tapThrough: 0.1 pp")
          return nil
        }
        let errors = reader.errorCount
        let rows = entries.compactMap { entry in
          Format<Amount>.scalar(amount).read(entry.value, reader).map {
            PrecisionDeclaration(
              metric: Word(entry.key, at: entry.keyPosition), amount: Located($0, at: entry.value.position))
          }
        }
        return reader.errorCount == errors ? rows : nil
      })
  }
}

extension Format<BudgetDeclaration> {
  private static let range = 200...1_000_000_000

  /// A number, or the least and the most.
  static var budget: Format {
    let short = Format<Int>.scalar(.count(range)).map(
      { most, node, _ in BudgetDeclaration(least: nil, most: Int64(most), position: node.position) },
      back: { budget, _ in Int(budget.most) })
    let long = Format.object("How many people may take part") { fields in
      let least = fields.optional(
        "least", .scalar(.count(range)), "before the first look; 1,000 if missing", from: { _ in nil })
      let most = fields.required("most", .scalar(.count(range)), "the budget", from: { Int($0.most) })
      guard let most else { return nil }
      if let least, least > most {
        fields.error("'least' is more than 'most'", at: "least", hint: "it is \(most) or less")
        return nil
      }
      return BudgetDeclaration(
        least: least.map { Int64($0) }, most: Int64(most), position: fields.position)
    }
    return .short(short, orLong: long)
  }
}

extension Format<GateDeclaration> {
  /// A figure of one policy, or a difference, with its target.
  static var peopleGate: Format {
    let format = Format.object("A figure or a difference with its target") { fields in
      let metric = fields.required("metric", .scalar(.metricWord), "what is measured", from: { _ in nil })
      let choice = fields.exactlyOne(of: ["of", "change"])
      let figure = fields.optional(
        "of", .scalar(.word("ARM", "a variant, or base")), "whose figure: a variant's, or base",
        from: { _ in nil })
      let change = fields.optional(
        "change", .scalar(.word("VARIANT", "a variant")), "whose difference from the base",
        from: { _ in nil })
      let target = fields.required(
        "target", .located(.scalar(.peopleBound)), "what it is to reach, such as >= 25 %", from: { _ in nil })
      let kill = fields.optional(
        "kill", .located(.scalar(.peopleBound)), "where the idea is given up, such as < 5 %",
        from: { _ in nil })
      guard let metric, let target, let subject = figure ?? change else { return nil }
      if let kill,
        kill.value.bound.side.isUpwards == target.value.bound.side.isUpwards
          || kill.value.bound.overlaps(target.value.bound)
      {
        fields.error(
          "the kill criterion overlaps the target", at: "kill",
          hint: "it lies on the other side, such as < 5 %")
        return nil
      }
      return GateDeclaration(
        metric: metric, subject: subject, isChange: choice == "change", target: target, kill: kill)
    }
    return .readOnly(format)
  }
}

extension Format<SensitivityDeclaration> {
  /// Keys, or `none`.
  static var sensitivity: Format {
    let off = Format<Bool>.scalar(.choice("none", "none, or a mapping", [("none", true)])).map(
      { _, _, _ in SensitivityDeclaration(isOff: true) }, back: { _, _ in true })
    let long = Format.object("Which assumptions the answer hangs on") { fields in
      SensitivityDeclaration(
        variant: fields.optional(
          "of", .scalar(.word("VARIANT", "a variant")), "which variant; the first if missing",
          from: { _ in nil }),
        metric: fields.optional(
          "metric", .scalar(.metricWord), "which difference; the first metric if missing", from: { _ in nil }),
        people: fields.optional(
          "people", .scalar(.count(200...1_000_000)),
          "played for each value; 2,000 if missing, 300 of a file",
          from: { _ in nil }),
        draws: fields.optional(
          "draws", .scalar(.count(0...10_000)),
          "how often all assumptions are drawn at once, to judge the gates; 100 if missing, 30 of a file",
          from: { _ in nil }))
    }
    return .short(off, orLong: .readOnly(long))
  }
}
