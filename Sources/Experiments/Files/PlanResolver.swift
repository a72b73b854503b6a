import ScenarioModel
import Scenarios
import SimulationKernel
import TextFormats
import TriggerModel

/// Resolves a declaration to a plan. It finds the population, reads every policy and looks up names.
struct PlanResolver {
  private let declaration: ExperimentDeclaration
  private let reader: Reader
  private let additions: ExperimentFile.Additions
  private let population: any ExperimentPopulation
  private let seed: UInt64
  private let watch: ObservationPeriod

  /// Creates a resolver with the declared population, or returns `nil` after reporting an error to the reader.
  init?(
    _ declaration: ExperimentDeclaration, _ reader: Reader, _ additions: ExperimentFile.Additions,
    _ catalogue: PopulationCatalogue
  ) {
    guard let population = Self.find(declaration.population, catalogue, reader) else { return nil }
    self.population = population
    (self.declaration, self.reader, self.additions) = (declaration, reader, additions)
    seed = additions.seed ?? declaration.seed ?? population.defaultSeed
    watch = ObservationPeriod(
      days: declaration.days ?? population.defaultDays,
      followUp: declaration.followUp ?? ObservationPeriod.defaultFollowUp)
  }

  private static func find(
    _ word: Word, _ catalogue: PopulationCatalogue, _ reader: Reader
  ) -> (any ExperimentPopulation)? {
    if let known = catalogue.named.first(where: { $0.name == word.text }) { return known }
    do throws(Diagnostic) {
      if let found = try catalogue.inFile(word.text) { return found }
    } catch {
      reader.report(error, namedAt: word.position)
      return nil
    }
    let names = catalogue.named.map(\.name)
    reader.error(
      "there is no population '\(word.text)'", at: word.position,
      hint: NearestNames.likely(word.text, among: names).map { "did you mean '\($0)'?" }
        ?? "use \(names.joined(separator: ", ")), or the path of a population file relative to the experiment"
    )
    return nil
  }

  func plan() -> ExperimentPlan? {
    let errors = reader.errorCount
    guard
      let arms = ArmReader(population, base: declaration.base, seed: seed, watch: watch, reader)
        .arms(declaration, additions.settings), reader.errorCount == errors
    else { return nil }
    let metrics = metrics
    let gates = declaration.gates.compactMap { gate($0, metrics, arms.map(\.arm.name)) }
    let precision = precision(metrics)
    let primary = primary(metrics)
    let sensitivity = sensitivity(metrics, arms, primary)
    guard reader.errorCount == errors else { return nil }
    return ExperimentPlan(
      title: declaration.title, question: declaration.question, file: reader.files.own.file,
      population: population.name, origins: population.origins, identity: identity(arms, metrics),
      configuration: configuration(arms, metrics),
      seed: seed, watch: watch,
      types: population.types, arms: arms.map(\.arm),
      isGrid: !declaration.grid.isEmpty, metrics: metrics, primary: primary, gates: gates,
      isFamilywise: declaration.isFamilywise,
      precision: precision, budget: budget, sensitivity: sensitivity,
      assumptions: zip(population.assumptions, arms[0].assumptions).map { $0.with($1) })
  }

  /// Returns a hash of everything that affects the numbers of a part.
  private func identity(_ arms: [ResolvedArm], _ metrics: [PeopleMetric]) -> UInt64 {
    let all: JSONValue = [
      "population": .string(population.name), "seed": .string("\(seed)"), "days": .integer(watch.days),
      "followUp": .integer(Int(watch.followUp.milliseconds)),
      "types": .array(population.types.map { .string($0) }), "policies": .array(arms.map(\.identity)),
      "metrics": .array(metrics.map { .string($0.name) }),
    ]
    return RandomKey.nameNumber(all.line)
  }

  private func configuration(_ arms: [ResolvedArm], _ metrics: [PeopleMetric]) -> Configuration {
    typealias Line = Configuration.Line
    let head = [
      Line("population", population.name),
      Line("hash of the population", population.digest.hexadecimal),
      Line("seed", "\(seed)"), Line("days", "\(watch.days)"),
      Line("followUp", Atom<TimeSpan>.text(watch.followUp, withDays: false)),
    ]
    let known = Set(arms[0].lines.map(\.name))
    let defaults = zip(population.assumptions, arms[0].assumptions)
      .filter { $0.standard == $1 && !known.contains("person.\($0.name)") }
      .map { Line("person.\($0.name)", Decimal.text($1, decimals: 6) + " (default)") }
    // Sections such as 'habits' are part of the population. Only the experiment's changes to them are listed.
    let changes = arms[0].arm.settings.map { Line($0) }.filter { !known.contains($0.name) }
    let variants = arms.dropFirst().map {
      Line("variant \($0.arm.name)", $0.arm.settings.joined(separator: ", "))
    }
    return Configuration(
      head + arms[0].lines + defaults + changes + variants
        + [Line("metrics", metrics.map(\.name).joined(separator: ", "))])
  }

  // MARK: Metrics and gates

  /// The metrics that the file lists, and other metrics that its sections refer to.
  private var metrics: [PeopleMetric] {
    var metrics: [PeopleMetric] = []
    func add(_ metric: PeopleMetric?) {
      if let metric, !metrics.contains(metric) { metrics.append(metric) }
    }
    if declaration.metrics.isEmpty {
      for kind in population.metrics { add(PeopleMetric(kind)) }
    }
    for word in declaration.metrics { add(PeopleMetric.read(word, types: population.types, reader)) }
    let others =
      [declaration.primary].compactMap(\.self) + declaration.gates.map(\.metric)
      + declaration.precision.map(\.metric)
      + [declaration.sensitivity?.metric].compactMap(\.self)
    for word in others { add(PeopleMetric.read(word, types: population.types, reader)) }
    // Add the metrics of the Pareto front.
    if !declaration.grid.isEmpty {
      for kind in ParetoFront.kinds(among: population.metrics) { add(PeopleMetric(kind)) }
    }
    return metrics
  }

  /// Returns the index of the metric that answers the experiment's question.
  private func primary(_ metrics: [PeopleMetric]) -> Int {
    if let word = declaration.primary { return index(word, metrics) ?? 0 }
    if let position = declaration.questionPosition, let first = metrics.first {
      reader.warning(
        "the file does not name the metric that answers the question; \(first.name) is used, which is the first",
        at: position, hint: "add 'primary: \(first.name)'")
    }
    return 0
  }

  private func index(_ word: Word, _ metrics: [PeopleMetric]) -> Int? {
    metrics.firstIndex { $0.name == word.text }
  }

  private func gate(_ gate: GateDeclaration, _ metrics: [PeopleMetric], _ arms: [String]) -> PeopleGate? {
    guard let metric = index(gate.metric, metrics) else { return nil }
    guard let arm = arm(gate.subject, arms, canBeBase: !gate.isChange) else { return nil }
    for bound in [gate.target, gate.kill].compactMap(\.self)
    where !isPossible(bound, metrics[metric], gate.isChange) {
      return nil
    }
    let kind = metrics[metric].kind
    let benchmarks = kind == .tapThrough ? Benchmark.published(for: .share(.tapThrough, of: nil)) : []
    return PeopleGate(
      metric: metric, subject: gate.isChange ? .change(arm: arm) : .figure(arm: arm),
      target: gate.target.value.bound, kill: gate.kill?.value.bound,
      benchmarks: gate.isChange ? [] : benchmarks)
  }

  /// Returns whether a bound has the right unit and lies in the metric's range.
  private func isPossible(
    _ bound: Located<BoundDeclaration>, _ metric: PeopleMetric, _ isDifference: Bool
  ) -> Bool {
    let (amount, side) = (bound.value.amount, bound.value.bound.side.rawValue)
    // A share can be written as a fraction, as in scenario gates.
    let mayBeFraction = metric.kind.isShare && !isDifference && amount.millionths <= 1_000_000
    if !mayBeFraction, let problem = amount.unitProblem(metric, isDifference: isDifference) {
      reader.error(
        problem, at: bound.position,
        hint: metric.kind.isShare
          ? "\(amount.hasUnit ? "write" : "add the unit:") '\(side) \(amount.text) \(isDifference ? "pp" : "%")'"
          : "leave out the unit")
      return false
    }
    guard metric.kind.isShare, amount.millionths.magnitude > 1_000_000 else { return true }
    reader.error(
      "no share can be '\(bound.value.bound.text)'", at: bound.position,
      hint: "use a share between 0 and 100 %")
    return false
  }

  private func arm(_ word: Word, _ arms: [String], canBeBase: Bool) -> Int? {
    let names = canBeBase ? arms : Array(arms.dropFirst())
    guard let arm = arms.firstIndex(of: word.text), arm > 0 || canBeBase else {
      reader.error(
        "there is no variant '\(word.text)'", at: word.position,
        hint: NearestNames.likely(word.text, among: names).map { "did you mean '\($0)'?" }
          ?? "there \(names.count == 1 ? "is" : "are") \(names.prefix(8).joined(separator: ", "))")
      return nil
    }
    return arm
  }

  // MARK: Precision

  private func precision(_ metrics: [PeopleMetric]) -> [ExperimentPlan.Precision] {
    declaration.precision.compactMap { row in
      guard let metric = index(row.metric, metrics) else { return nil }
      let (amount, isShare) = (row.amount.value, metrics[metric].kind.isShare)
      guard amount.millionths > 0 else {
        reader.error(
          "a half width must be greater than 0", at: row.amount.position,
          hint: isShare ? "write for example 0.1 pp" : "write for example 0.01")
        return nil
      }
      if let problem = amount.unitProblem(metrics[metric], isDifference: true) {
        reader.error(
          problem, at: row.amount.position,
          hint: isShare
            ? amount.hasUnit ? "write \(amount.text) pp" : "add the unit, such as \(amount.text) pp"
            : "write for example 0.01")
        return nil
      }
      if isShare, amount.millionths >= 500_000 {
        reader.error(
          "every interval of a share is narrower than that", at: row.amount.position,
          hint: "write for example 0.1 pp")
        return nil
      }
      return ExperimentPlan.Precision(metric: metric, halfWidth: Double(amount.millionths) / 1_000_000)
    }
  }

  private var budget: ExperimentPlan.Budget {
    let standard: Int64 = declaration.precision.isEmpty ? 10_000 : 200_000
    let most = additions.people ?? declaration.budget?.most ?? standard
    return ExperimentPlan.Budget(least: min(most, declaration.budget?.least ?? 1_000), most: most)
  }

  // MARK: Assumptions

  private func sensitivity(
    _ metrics: [PeopleMetric], _ arms: [ResolvedArm], _ primary: Int
  ) -> SensitivityPlan? {
    let wish = declaration.sensitivity ?? SensitivityDeclaration()
    if wish.isOff || population.assumptions.isEmpty || metrics.isEmpty { return nil }
    let variant: Int
    if let word = wish.variant {
      guard let arm = arm(word, arms.map(\.arm.name), canBeBase: false) else { return nil }
      variant = arm
    } else {
      variant = 1
    }
    let metric = wish.metric.flatMap { index($0, metrics) } ?? primary
    let sections = [arms[0].sections, arms[variant].sections]
    let (population, seed, watch) = (population, seed, watch)
    let rows = zip(population.assumptions, zip(arms[0].assumptions, arms[variant].assumptions))
    let assumptions = rows.filter { $1.0 == $1.1 }.map { $0.with($1.0) }
    if assumptions.isEmpty { return nil }
    return SensitivityPlan(
      assumptions: assumptions, compared: rows.filter { $1.0 != $1.1 }.map { $0.0.name }, variant: variant,
      metric: metric,
      people: Int64(wish.people ?? population.defaultSensitivity.people),
      draws: wish.draws ?? population.defaultSensitivity.draws, seed: seed
    ) { values in
      let settings = zip(assumptions, values).map { assumption, value in
        Setting(path: ["person", assumption.name], value: Decimal.text(value, decimals: 6))
      }
      let arms = sections.compactMap { sections -> (any PolicyArm)? in
        let reader = Reader(source: SourceText(file: "assumptions", text: "")) { _ in false }
        return population.read(Setting.lay(settings, over: sections), seed: seed, watch: watch, reader)?.arm
      }
      return arms.count == 2 ? arms : nil
    }
  }
}
