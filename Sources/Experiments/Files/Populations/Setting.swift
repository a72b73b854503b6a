import Scenarios
import TextFormats

/// A value at a path of keys. Grids, `--set` and varied assumptions consist of settings.
struct Setting: Sendable {
  var path: [String]
  var node: Node
  var position: SourcePosition
}

extension Setting {
  /// Creates a setting from the command line.
  init(_ setting: ScenarioSetting, _ reader: Reader) throws(Diagnostic) {
    let source = try SourceText(file: setting.name, bytes: setting.bytes, isOurs: true)
    var (node, position) = (try YAMLDocument(source, file: reader.add(source)).root, SourcePosition.start)
    for key in setting.keys {
      guard case .mapping(let entries) = node.content, let entry = entries.first(where: { $0.key == key })
      else {
        throw Diagnostic("'\(key)' is not a key", file: setting.name, at: .start)
      }
      (node, position) = (entry.value, entry.keyPosition)
    }
    self.init(path: setting.keys, node: node, position: position)
  }

  /// Creates a setting that has no position in a file.
  init(path: [String], value: String) {
    self.init(path: path, node: Node(content: .scalar(value), position: .start), position: .start)
  }

  /// The setting in the form of a file, such as `policy.minimumInterval: 3 h`.
  var words: String { path.joined(separator: ".") + ": " + Self.text(node) }

  /// The setting without its section, for tables, such as `minimumInterval 3 h`.
  var shortWords: String { path.dropFirst().joined(separator: ".") + " " + Self.text(node) }

  private static func text(_ node: Node) -> String {
    switch node.content {
    case .scalar(let text): text
    case .sequence(let items): "[" + items.map(text).joined(separator: ", ") + "]"
    case .mapping(let entries):
      "{" + entries.map { "\($0.key): \(text($0.value))" }.joined(separator: ", ") + "}"
    }
  }

  /// Returns all settings of the sections in the form of ``words``.
  static func words(_ sections: [Node.Entry]) -> [String] {
    sections.flatMap { words($0, path: []) }
  }

  private static func words(_ entry: Node.Entry, path: [String]) -> [String] {
    let path = path + [entry.key]
    guard case .mapping(let entries) = entry.value.content else {
      return [path.joined(separator: ".") + ": " + text(entry.value)]
    }
    return entries.flatMap { words($0, path: path) }
  }

  private var entry: Node.Entry {
    let value = path.dropFirst().reversed().reduce(node) { inner, key in
      Node(
        content: .mapping([Node.Entry(key: key, keyPosition: position, value: inner)]), position: position)
    }
    return Node.Entry(key: path[0], keyPosition: position, value: value)
  }

  /// Returns the sections with the settings added. A setting overrides the value at its path.
  static func lay(_ settings: [Setting], over sections: [Node.Entry]) -> [Node.Entry] {
    settings.reduce(sections) { sections, setting in
      var overlay = Overlay(continuing: [])
      return overlay.lay([setting.entry], over: sections)
    }
  }
}
