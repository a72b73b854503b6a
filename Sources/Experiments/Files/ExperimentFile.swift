import Foundation
import Scenarios
package import TextFormats

/// Reads files of the kind `experiment`.
package enum ExperimentFile {
  /// The kind that such a file says it has.
  package static let kind = ExperimentWords.kind

  /// What became of a file.
  package enum Outcome: Sendable {
    /// It can be run; the diagnostics are warnings.
    case plan(ExperimentPlan, warnings: [Diagnostic])
    /// It cannot be used; the diagnostics say why, in the order of the file.
    case unusable([Diagnostic])
  }

  /// What the command line adds to a file.
  package struct Additions: Sendable {
    /// A variant each: `policy.minimumInterval=3h`, several settings with commas between them.
    package var settings: [String] = []
    package var seed: UInt64?
    package var people: Int64?

    package init() {}
  }

  /// - Parameter reach: What may be read; nil: what is usual for such a path.
  package static func load(
    _ path: String, _ additions: Additions = Additions(), in reach: ReachableFiles? = nil,
    from catalogue: PopulationCatalogue
  ) -> Outcome {
    do throws(Diagnostic) {
      return read(
        try RegularFile.read(path, in: reach ?? ReachableFiles(of: path)), file: path, additions,
        from: catalogue)
    } catch {
      return .unusable([error])
    }
  }

  package static func read(
    _ bytes: [UInt8], file: String, _ additions: Additions = Additions(),
    from catalogue: PopulationCatalogue = PopulationCatalogue()
  ) -> Outcome {
    do throws(Diagnostic) {
      let source = try SourceText(file: file, bytes: bytes)
      let root = try YAMLDocument(source).root
      let reader = Reader(source: source) { _ in false }
      checkKind(of: root, reader)
      let declaration =
        reader.hasErrors ? nil : Format<ExperimentDeclaration>.experiment.read(root, reader)
      let plan = declaration.flatMap { PlanResolver($0, reader, additions, catalogue)?.plan() }
      let diagnostics = reader.diagnostics.sortedByPosition()
      if let plan, !reader.hasErrors { return .plan(plan, warnings: diagnostics) }
      return .unusable(
        reader.hasErrors ? diagnostics : diagnostics + [Diagnostic("the file cannot be used", file: file)])
    } catch {
      return .unusable([error])
    }
  }

  /// What files of other kinds are for.
  private static let uses = [
    "scenario": "'triggerbench run' plays it", "pack": "'triggerbench check' reads it",
    "population":
      "an experiment names it under 'population'; 'triggerbench run --person 1' plays one of its people",
  ]

  /// A scenario that somebody takes for an experiment has none of its keys.
  private static func checkKind(of root: Node, _ reader: Reader) {
    guard case .mapping = root.content else {
      reader.error(
        "an experiment is a mapping, and this is \(root.kindName)", at: root.position,
        hint: "begin with 'kind: experiment'")
      return
    }
    guard let kind = root["kind"] else {
      reader.error(
        "the key 'kind' is missing", at: root.position,
        hint: "an experiment begins with 'kind: experiment' and 'version: 1'")
      return
    }
    if case .scalar(let other) = kind.content, let hint = Self.uses[other] {
      reader.error("this is a \(other), and no experiment", at: kind.position, hint: hint)
    } else if !reader.files.own.isOurs {
      reader.error(
        "this is no experiment", at: kind.position, hint: "an experiment begins with 'kind: experiment'")
    }
  }

  /// The JSON Schema of such files. Draft 2020-12.
  package static var schema: JSONValue {
    let book = SchemaBook()
    guard case .object(let members) = Format<ExperimentDeclaration>.experiment.schema(book) else {
      return [:]
    }
    return .object(
      [
        .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
        .init("title", "TriggerBench experiment"),
      ] + members + [.init("$defs", book.all)])
  }
}
