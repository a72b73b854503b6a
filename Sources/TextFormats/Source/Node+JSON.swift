extension Node {
  /// A JSON value, as a document that says it would be read: scalars are texts. It has no places of its own.
  package init(_ value: JSONValue) {
    self.init(content: Content(value), position: .start)
  }
}

extension Node.Content {
  fileprivate init(_ value: JSONValue) {
    self =
      switch value {
      case .string(let text): .scalar(text)
      case .integer, .number, .truth: .scalar(value.text)
      case .array(let items): .sequence(items.map { Node($0) })
      case .rows(let rows): .sequence(rows.map { Node($0) })
      case .object(let members):
        .mapping(
          members.map { Node.Entry(key: $0.key, keyPosition: .start, value: Node($0.value)) })
      }
  }
}
