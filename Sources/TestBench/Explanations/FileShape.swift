import ReminderMatching
import ScenarioModel
import Scenarios
import Simulation
import TextFormats
import TriggerModel

/// How declarations stand in a scenario's files. What `explain` names is found in the long forms of a document, and is to
/// be written where a sentence, a short form, a template or a pack may stand: none of them takes a single key.
struct FileShape {
  /// Nil: it is no file that an author has written, and has the long forms.
  private let own: Node?
  private let packs: [Node]
  /// For forms that are taken apart; what is wrong with them was said when the scenario was read.
  private let reader: Reader

  init(_ program: Program) {
    reader = Reader(source: program.scenario.sources.own) { _ in false }
    let roots = program.scenario.sources.texts.map { try? YAMLDocument($0).root }
    own = program.origin.lines == nil ? roots.first.flatMap(\.self) : nil
    packs = roots.dropFirst().compactMap(\.self)
  }

  /// Whether the file itself says something under keys that can be left out of it.
  func canLeaveOut(_ keys: [String]) -> Bool {
    guard let own else { return true }
    return own[keys[...]] != nil || ownClosed(keys) != nil && !isMadeByTemplate(keys)
  }

  /// Whether a declaration says how often it may fire: where it does not, that follows from its triggers.
  ///
  /// - Parameter keys: Those that lead to the declaration.
  func saysRepeat(_ keys: [String]) -> Bool {
    guard let own else { return true }
    let key = keys + ["repeat"]
    // A sentence that is written anew says it.
    if ownClosed(key) != nil, !isMadeByTemplate(keys) { return true }
    return (packs + [own]).contains { file in
      guard case .mapping(let entries) = file.content else { return false }
      var unfolded = file
      unfolded.content = .mapping(ReminderSentences.unfolded(entries, reader))
      return unfolded[key[...]] != nil || unfolded[ofTemplate(key)[...]] != nil
    }
  }

  /// The edits as they are made to the file: what stands there as one text or one item is written anew as a whole.
  ///
  /// - Parameters:
  ///   - before: The scenario as it is, in long forms.
  ///   - after: The same with the edits.
  ///   - scenario: What comes of them.
  func made(
    _ edits: [ScenarioEdit], _ before: EditableDocument, _ after: EditableDocument, _ scenario: Scenario
  ) -> [ScenarioEdit] {
    guard let own else { return edits }
    let scenario = scenario.asAuthored
    return edits.map { edit in
      guard let keys = edit.keys else { return edit }
      if keys[0] == "reminders", keys.count > 1, let list = own["reminders"], case .sequence = list.content {
        return item(keys[1], of: list, edits, scenario) ?? edit
      }
      guard let depth = ownClosed(keys) ?? closedBelow(keys) else {
        // As the file has it.
        if case .leaveOut = edit, let node = own[keys[...]] { return .leaveOut(keys, JSONValue(node)) }
        return edit
      }
      let outer = Array(keys[..<depth])
      if let sentence = sentence(outer, scenario) { return .write(outer, .string(sentence)) }
      guard let whole = after[outer] else { return edit }
      return .write(outer, own[outer[...]].flatMap { short($0, before[outer], whole) } ?? whole)
    }.distinct
  }

  // MARK: What takes no single key

  /// How many of the keys lead to something in the file that is neither a mapping nor missing.
  private func ownClosed(_ keys: [String]) -> Int? {
    (1..<max(keys.count, 1)).first { own?[keys[..<$0]]?.isClosed ?? false }
  }

  /// The same of what the file would be laid over: a pack, or a template for one of its reminders. Of sentences these
  /// change single keys.
  private func closedBelow(_ keys: [String]) -> Int? {
    let template = ofTemplate(keys)
    let least = keys[0] == "reminders" ? 3 : 1
    guard keys.count > least else { return nil }
    return (least..<keys.count).first { depth in
      own?[keys[..<depth]] == nil
        && (packs + [own].compactMap(\.self)).contains {
          ($0[keys[..<depth]] ?? $0[template[..<depth]])?.isClosed ?? false
        }
    }
  }

  /// Where the same stands in the template that makes a reminder; the same keys where none does.
  private func ofTemplate(_ keys: [String]) -> [String] {
    var template = keys
    if isMadeByTemplate(keys) { template[1] = ReminderName.template(of: keys[1]) }
    return template
  }

  private func isMadeByTemplate(_ keys: [String]) -> Bool {
    keys.count > 1 && keys[0] == "reminders" && ReminderName.template(of: keys[1]) != keys[1]
  }

  /// A text that stands for a mapping with it under one key, and what is said otherwise now beside it.
  private func short(_ node: Node, _ before: JSONValue?, _ after: JSONValue) -> JSONValue? {
    guard case .scalar(let text) = node.content, case .object(let members) = after,
      let key = members.first(where: { $0.value == .string(text) })?.key
    else { return nil }
    return .object(members.filter { $0.key == key || before?[$0.key] != $0.value })
  }

  // MARK: Sentences

  /// The declaration under keys as a sentence; nil where they do not lead to one.
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

  /// The item of a list of reminders that is written anew, or added for one that a template makes.
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

  /// Nothing can be written below it.
  fileprivate var isClosed: Bool {
    switch content {
    case .mapping, .scalar(""): false
    case .scalar, .sequence: true
    }
  }
}

extension JSONValue {
  init(_ node: Node) {
    self =
      switch node.content {
      case .scalar(let text): .string(text)
      case .sequence(let items): .array(items.map { JSONValue($0) })
      case .mapping(let entries): .object(entries.map { .init($0.key, JSONValue($0.value)) })
      }
  }
}
