import ReminderMatching
import ScenarioModel
import Scenarios
import Simulation
package import TextFormats
import TriggerModel

/// The form in which a scenario's files state its declarations.
///
/// `explain` edits the long form of a document. The file may instead use a sentence, a short form, a template
/// or a pack, to which no single key can be added.
struct SourceLayout {
  /// The root node of the scenario's file, or `nil` if the scenario was generated and has only long forms.
  private let own: Node?
  private let packs: [Node]
  /// Parses short forms. Its diagnostics are discarded because loading the scenario already reported them.
  private let reader: Reader

  init(_ program: Program) {
    reader = Reader(source: program.scenario.sources.own) { _ in false }
    let roots = program.scenario.sources.texts.map { try? YAMLDocument($0).root }
    own = program.origin.lines == nil ? roots.first.flatMap(\.self) : nil
    packs = roots.dropFirst().compactMap(\.self)
  }

  /// Returns the line of the innermost of these keys that the file states, or `nil` if it does not state the
  /// declaration: the first key, or the second one of a section with several declarations.
  func line(of keys: [String]) -> Int? {
    guard var node = own else { return nil }
    for (depth, key) in keys.enumerated() {
      if depth == 1, keys[0] == "reminders", case .sequence(let items) = node.content {
        guard case .mapping(let named)? = ReminderSentences.named(node, reader)?.content else { return nil }
        return named.firstIndex { $0.key == key }.map { Int(items[$0].position.line) }
      }
      guard let inner = node[key] else { return depth < min(keys.count, 2) ? nil : Int(node.position.line) }
      node = inner
    }
    return Int(node.position.line)
  }

  /// Returns whether the file itself contains a value at these keys, so that an edit can remove it.
  func canRemove(_ keys: [String]) -> Bool {
    guard let own else { return true }
    return own[keys[...]] != nil || closedDepth(keys) != nil && !hasTemplate(keys)
  }

  /// Returns whether a declaration states `repeat`. If not, the default depends on the triggers.
  ///
  /// - Parameter keys: The keys of the declaration.
  func statesRepeat(_ keys: [String]) -> Bool {
    guard let own else { return true }
    let key = keys + ["repeat"]
    // An edit rewrites a sentence as a whole, and the new sentence states `repeat`.
    if closedDepth(key) != nil, !hasTemplate(keys) { return true }
    return (packs + [own]).contains { file in
      guard case .mapping(let entries) = file.content else { return false }
      var unfolded = file
      unfolded.content = .mapping(ReminderSentences.unfolded(entries, reader))
      return unfolded[key[...]] != nil || unfolded[templateKeys(key)[...]] != nil
    }
  }

  /// Returns the edits in a form that fits the layout of the file. Rewrites a value in short form as a whole.
  ///
  /// - Parameters:
  ///   - before: The original scenario in long forms.
  ///   - after: The edited scenario in long forms.
  ///   - scenario: The edited scenario.
  func adapted(
    _ edits: [ScenarioEdit], _ before: EditableDocument, _ after: EditableDocument, _ scenario: Scenario
  ) -> [ScenarioEdit] {
    guard let own else { return edits }
    let scenario = scenario.asAuthored
    return edits.map { edit in
      guard let keys = edit.keys else { return edit }
      if keys[0] == "reminders", keys.count > 1, let list = own["reminders"], case .sequence = list.content {
        return item(keys[1], of: list, edits, scenario) ?? edit
      }
      guard let depth = closedDepth(keys) ?? closedDepthInBase(keys) else {
        // Report the removed value in the form in which the file states it.
        if case .leaveOut = edit, let node = own[keys[...]] { return .leaveOut(keys, JSONValue(node)) }
        return edit
      }
      let outer = Array(keys[..<depth])
      if let sentence = sentence(outer, scenario) { return .write(outer, .string(sentence)) }
      guard let whole = after[outer] else { return edit }
      return .write(outer, own[outer[...]].flatMap { short($0, before[outer], whole) } ?? whole)
    }.distinct
  }

  // MARK: Short forms

  /// Returns the number of leading keys that lead to a value without members, or `nil` if there is none.
  private func closedDepth(_ keys: [String]) -> Int? {
    (1..<max(keys.count, 1)).first { own?[keys[..<$0]]?.isClosed ?? false }
  }

  /// Returns the number of leading keys that lead to a value without members in the pack or template that the
  /// file extends. A single key can override a sentence there.
  private func closedDepthInBase(_ keys: [String]) -> Int? {
    let template = templateKeys(keys)
    let least = keys[0] == "reminders" ? 3 : 1
    guard keys.count > least else { return nil }
    return (least..<keys.count).first { depth in
      own?[keys[..<depth]] == nil
        && (packs + [own].compactMap(\.self)).contains {
          ($0[keys[..<depth]] ?? $0[template[..<depth]])?.isClosed ?? false
        }
    }
  }

  /// Returns the keys of the same value in the reminder's template, or the given keys if there is no
  /// template.
  private func templateKeys(_ keys: [String]) -> [String] {
    var template = keys
    if hasTemplate(keys) { template[1] = ReminderName.template(of: keys[1]) }
    return template
  }

  private func hasTemplate(_ keys: [String]) -> Bool {
    keys.count > 1 && keys[0] == "reminders" && ReminderName.template(of: keys[1]) != keys[1]
  }

  /// Returns the mapping that replaces a value in short form. It contains the text under its own key, and the
  /// changed members.
  private func short(_ node: Node, _ before: JSONValue?, _ after: JSONValue) -> JSONValue? {
    guard case .scalar(let text) = node.content, case .object(let members) = after,
      let key = members.first(where: { $0.value == .string(text) })?.key
    else { return nil }
    return .object(members.filter { $0.key == key || before?[$0.key] != $0.value })
  }

  // MARK: Sentences

  /// Returns the declaration as a sentence, or `nil` if the keys do not refer to a declaration.
  private func sentence(_ keys: [String], _ scenario: Scenario) -> String? {
    switch (keys.first, keys.count) {
    case ("reminders", 2): sentence(keys[1], scenario)
    case ("edits", 3):
      scenario.edits.first { edit in
        edit.name == keys[2] && scenario.reminders[edit.reminder.index].declaration.id == keys[1]
      }.map { SentenceWriter(scenario).text($0.declaration) }
    default: nil
    }
  }

  private func sentence(_ name: String, _ scenario: Scenario) -> String? {
    scenario.reminders.first { $0.declaration.id == name }.map {
      SentenceWriter(scenario).text($0.declaration)
    }
  }

  /// Returns the rewritten item of the list of reminders, or a new item for a reminder that a template
  /// defines.
  private func item(
    _ name: String, of list: Node, _ edits: [ScenarioEdit], _ scenario: Scenario
  ) -> ScenarioEdit? {
    guard ReminderName.template(of: name) == name else {
      let keys = EditableDocument(EditableDocument(.object([])).edited(edits))[["reminders", name]]
      return keys.map { .replaceReminder(nil, .object([.init(name, $0)]), line: nil) }
    }
    guard case .sequence(let items) = list.content,
      case .mapping(let named)? = ReminderSentences.named(list, reader)?.content,
      let index = named.firstIndex(where: { $0.key == name }), let sentence = sentence(name, scenario)
    else { return nil }
    let line = Int(items[index].position.line)
    if case .scalar = items[index].content { return .replaceReminder(index, .string(sentence), line: line) }
    return .replaceReminder(index, .object([.init(name, .string(sentence))]), line: line)
  }
}

extension Node {
  fileprivate subscript(keys: ArraySlice<String>) -> Node? {
    keys.reduce(Optional(self)) { $0?[$1] }
  }

  /// Whether the node has no keys to which others could be added.
  fileprivate var isClosed: Bool {
    switch content {
    case .mapping, .scalar(""): false
    case .scalar, .sequence: true
    }
  }
}

extension JSONValue {
  package init(_ node: Node) {
    self =
      switch node.content {
      case .scalar(let text): .string(text)
      case .sequence(let items): .array(items.map { JSONValue($0) })
      case .mapping(let entries): .object(entries.map { .init($0.key, JSONValue($0.value)) })
      }
  }
}
