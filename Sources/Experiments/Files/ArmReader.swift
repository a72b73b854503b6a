import Scenarios
import TextFormats

/// A policy of an experiment, with the sections that declare it.
struct ResolvedArm {
  var arm: ExperimentPlan.Arm
  var sections: [Node.Entry]
  /// An identity that is equal for equal policies.
  var identity: JSONValue
  /// The values of the population's assumptions, in millionths.
  var assumptions: [Int64]
  /// The resolved settings of the policy and of the people, in file form.
  var lines: [Configuration.Line]
}

/// Reads the base and the policies to compare with it.
struct ArmReader {
  private let population: any ExperimentPopulation
  private let base: [Node.Entry]
  private let seed: UInt64
  private let watch: ObservationPeriod
  private let reader: Reader

  /// The maximum number of points in a grid.
  private static let armLimit = 1_000

  /// A policy to compare with the base.
  private struct ComparedPolicy {
    var name: String
    var settings: [String]
    var sections: [Node.Entry]
    var position: SourcePosition
    /// Whether the policy may equal the base. Only a grid point may.
    var mayBeBase = false
  }

  init(
    _ population: any ExperimentPopulation, base: [Node.Entry], seed: UInt64, watch: ObservationPeriod,
    _ reader: Reader
  ) {
    (self.population, self.seed, self.watch, self.reader) = (population, seed, watch, reader)
    var overlay = Overlay(continuing: [])
    self.base = overlay.lay(base, over: population.sections)
  }

  /// Returns the policies with the base first, or `nil` after reporting an error to the reader.
  func arms(_ declaration: ExperimentDeclaration, _ settings: [String]) -> [ResolvedArm]? {
    guard let own = population.read(base, seed: seed, watch: watch, reader) else { return nil }
    var arms = [
      ResolvedArm(
        arm: ExperimentPlan.Arm(
          name: ExperimentWords.base, settings: Setting.words(declaration.base), prototype: own.arm),
        sections: base, identity: own.identity, assumptions: own.assumptions, lines: own.lines)
    ]
    guard let candidates = candidates(declaration, settings) else { return nil }
    var known = [(name: ExperimentWords.base, identity: own.identity)]
    var isGood = true
    for candidate in candidates {
      guard let read = population.read(candidate.sections, seed: seed, watch: watch, reader) else {
        return nil
      }
      if let same = known.first(where: { $0.identity == read.identity }) {
        if candidate.mayBeBase, same.name == ExperimentWords.base { continue }
        reader.error(
          "'\(candidate.name)' is the same as '\(same.name)'", at: candidate.position,
          hint: "change a setting of it, or remove it")
        isGood = false
        continue
      }
      known.append((candidate.name, read.identity))
      arms.append(
        ResolvedArm(
          arm: ExperimentPlan.Arm(
            name: candidate.name, settings: candidate.settings, prototype: read.arm),
          sections: candidate.sections, identity: read.identity, assumptions: read.assumptions,
          lines: read.lines))
    }
    guard isGood else { return nil }
    if arms.count == 1 {
      reader.error(
        "there is nothing to compare the base with", at: declaration.gridPosition ?? declaration.position,
        hint: "add 'variants' or a 'grid', or use --set policy.minimumInterval=3h")
      return nil
    }
    return arms
  }

  private func candidates(_ declaration: ExperimentDeclaration, _ settings: [String]) -> [ComparedPolicy]? {
    var candidates = declaration.variants.map { variant in
      ComparedPolicy(
        name: variant.name, settings: Setting.words(variant.sections),
        sections: lay(variant.sections), position: variant.position)
    }
    guard let points = grid(declaration) else { return nil }
    candidates += points
    for text in settings {
      guard let candidate = candidate(of: text) else { return nil }
      candidates.append(candidate)
    }
    return candidates
  }

  private func lay(_ sections: [Node.Entry]) -> [Node.Entry] {
    var overlay = Overlay(continuing: [])
    return overlay.lay(sections, over: base)
  }

  // MARK: Grids

  private func grid(_ declaration: ExperimentDeclaration) -> [ComparedPolicy]? {
    let axes = declaration.grid
    guard let position = declaration.gridPosition, !axes.isEmpty else { return [] }
    let count = axes.reduce(1) { $0.multipliedReportingOverflow(by: $1.values.count).partialValue }
    guard (2...Self.armLimit).contains(count) else {
      reader.error(
        count == 1 ? "the grid has only one point" : "the grid has too many points: \(count)",
        at: position,
        hint: count == 1 ? "add a second value to a setting" : "use at most \(Self.armLimit)")
      return nil
    }
    var points: [[Setting]] = [[]]
    for axis in axes {
      let path = axis.path.text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard path.count >= 2, !path.contains("") else {
        reader.error(
          "'\(axis.path.text)' is not a setting", at: axis.path.position,
          hint: "write a path such as policy.minimumInterval")
        return nil
      }
      points = points.flatMap { point in
        axis.values.map { value in
          point + [Setting(path: path, node: value, position: axis.path.position)]
        }
      }
    }
    return points.map { point in
      ComparedPolicy(
        name: point.map(\.shortWords).joined(separator: ", "), settings: point.map(\.words),
        sections: Setting.lay(point, over: base), position: point[0].node.position, mayBeBase: true)
    }
  }

  // MARK: The command line

  /// Parses a variant from the command line, such as `policy.minimumInterval=3h,policy.dailyCap=2`.
  private func candidate(of text: String) -> ComparedPolicy? {
    let whole = SourcePosition(line: 1, column: 1, file: reader.add(SourceText(file: "--set", text: text)))
    guard let written = ScenarioSetting.list(text), written.allSatisfy({ $0.keys.count >= 2 }) else {
      reader.error(
        "'\(text)' is not a setting with a value", at: whole,
        hint: "write for example policy.minimumInterval=3h")
      return nil
    }
    var settings: [Setting] = []
    for one in written {
      do throws(Diagnostic) {
        settings.append(try Setting(one, reader))
      } catch {
        reader.report(error)
        return nil
      }
    }
    return ComparedPolicy(
      name: written.map { $0.keys.dropFirst().joined(separator: ".") + " " + $0.value }.joined(
        separator: ", "),
      settings: settings.map(\.words), sections: Setting.lay(settings, over: base), position: whole)
  }
}
