package import ScenarioModel
package import TextFormats

/// Scenarios as one document in their long forms: what packs say stands in it, every default is written out,
/// and no statement needs the one above it.
///
/// A document is a scenario file whose text is JSON. Reading what was written gives the same scenario, but
/// for file names and places in a file; see ``ScenarioModel/Scenario/withoutSources``.
package enum ScenarioDocument {
  /// Writes a scenario.
  ///
  /// - Parameter parts: What it is to hold beside declarations. A document without a time line says when the
  ///   scenario ends.
  package static func write(
    _ scenario: Scenario, _ parts: ScenarioParts = .all
  ) throws(UnwritableScenario) -> JSONValue {
    let writer = Writer(context: ScenarioWriting(scenario, parts: parts))
    let document = Format<Scenario>.scenario.write(scenario, writer)
    if !writer.problems.isEmpty { throw UnwritableScenario(problems: writer.problems) }
    return document
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - parts: What it must hold beside declarations. What else it holds is read as well.
  ///   - formats: What reading documents before has made.
  package static func read(
    _ document: JSONValue, file: String, _ parts: ScenarioParts = .all,
    using formats: MadeFormats = MadeFormats(), fileExists: @escaping (String) -> Bool
  ) -> ScenarioFile.Outcome {
    let reader = Reader(
      source: SourceText(file: file, text: ""), parts: parts, formats: formats, fileExists: fileExists)
    return ScenarioFile.decode(Node(document), reader)
  }

  /// Reads a document from a text, or from what stands under a key of the mapping that the text is.
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

/// A scenario holds something that no file can say. Scenarios that were read from a file never do.
package struct UnwritableScenario: Error, Hashable, Sendable, CustomStringConvertible {
  /// What cannot be said, each with the keys that lead to it.
  package var problems: [String]

  package var description: String { problems.joined(separator: "\n") }
}
