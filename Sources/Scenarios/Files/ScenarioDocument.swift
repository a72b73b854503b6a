package import ScenarioModel
package import TextFormats

/// Writes and reads scenarios as self-contained documents in long form. A document contains the declarations
/// of packs and all defaults, and no entry depends on a previous one.
///
/// A document is a scenario file in JSON. Reading it returns the original scenario, except for file names and
/// positions. See ``ScenarioModel/Scenario/withoutSources``.
package enum ScenarioDocument {
  /// Writes a scenario.
  ///
  /// - Parameter parts: The parts to write in addition to the declarations. A document without a time line
  ///   states the end of the scenario.
  package static func write(
    _ scenario: Scenario, _ parts: ScenarioParts = .all
  ) throws(UnwritableScenario) -> JSONValue {
    let writer = Writer(context: ScenarioWritingContext(scenario, parts: parts))
    let document = Format<Scenario>.scenario.write(scenario, writer)
    if !writer.problems.isEmpty { throw UnwritableScenario(problems: writer.problems) }
    return document
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - parts: The parts that the document must contain in addition to the declarations. Other parts are
  ///     optional.
  ///   - formats: A cache of the formats that earlier calls created.
  package static func read(
    _ document: JSONValue, file: String, _ parts: ScenarioParts = .all,
    using formats: FormatCache = FormatCache(), fileExists: @escaping (String) -> Bool
  ) -> ScenarioFile.Outcome {
    let reader = Reader(
      source: SourceText(file: file, text: ""), parts: parts, formats: formats, fileExists: fileExists)
    return ScenarioFile.decode(Node(document), reader)
  }

  /// Reads a document from text. If the text is a larger mapping, reads the value of one key.
  package static func read(
    _ bytes: [UInt8], under key: String? = nil, file: String, _ parts: ScenarioParts = .all,
    fileExists: @escaping (String) -> Bool
  ) -> ScenarioFile.Outcome {
    do throws(Diagnostic) {
      let source = try SourceText(file: file, bytes: bytes)
      let root = try YAMLDocument(source).root
      guard let key else {
        return ScenarioFile.decode(root, Reader(source: source, parts: parts, fileExists: fileExists))
      }
      guard let document = root[key] else {
        throw Diagnostic(
          "the key '\(key)' is missing", file: file, at: root.position, excerpt: source.excerpt(1))
      }
      return ScenarioFile.decode(document, Reader(source: source, parts: parts, fileExists: fileExists))
    } catch {
      return .unusable([error])
    }
  }
}

/// An error for a scenario that cannot be written to a file. Scenarios from files never cause it.
package struct UnwritableScenario: Error, Hashable, Sendable, CustomStringConvertible {
  /// The values that cannot be written, each with the path of keys that leads to it.
  package var problems: [String]

  package var description: String { problems.joined(separator: "\n") }
}
