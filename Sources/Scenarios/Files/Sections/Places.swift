import ScenarioModel
import TextFormats
import TriggerModel

extension Format<Place> {
  static var place: Format {
    .object("A circular region") { fields in
      let center = fields.required(
        "at", .coordinate, "the centre, [latitude, longitude] in degrees",
        from: \.center)
      let radius = fields.required(
        "radius", .scalar(.distance), "its radius with a unit, such as 150 m", from: \.radius)
      guard let center, let radius else { return nil }
      return Place(name: "", center: center, radius: radius, position: fields.position)
    }
  }
}

extension Format<Coordinate> {
  /// A position as a list of latitude and longitude.
  static var coordinate: Format {
    Format(
      schema: { _ in
        [
          "type": "array",
          "prefixItems": [
            ["type": "number", "minimum": -90, "maximum": 90],
            ["type": "number", "minimum": -180, "maximum": 180],
          ], "minItems": 2, "maxItems": 2,
        ]
      },
      read: { node, reader in
        guard case .sequence(let items) = node.content, items.count == 2 else {
          reader.error("expected a position such as [52.52, 13.405]", at: node.position)
          return nil
        }
        let words = items.map { item -> Word in
          guard case .scalar(let text) = item.content else { return Word(item.kindName, at: item.position) }
          return Word(text, at: item.position)
        }
        return Degrees.coordinate(words[0], words[1], reader)
      },
      write: Degrees.json)
  }
}

extension Format<Coordinate> {
  /// A position, or the name of a place, which represents its centre.
  static var somewhere: Format {
    let (list, word) = (coordinate, Format.scalar(.position))
    return Format(
      schema: { book in ["anyOf": [list.schema(book), word.schema(book)]] },
      read: { node, reader in
        if case .sequence = node.content { return list.read(node, reader) }
        return word.read(node, reader)
      },
      write: list.write)
  }
}
