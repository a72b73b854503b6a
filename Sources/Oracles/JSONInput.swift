import Foundation

/// A JSON document as it stands, for readers that must tell what they did not expect.
enum JSONInput: Decodable, Hashable {
  case null
  case truth(Bool)
  case number(Double)
  case text(String)
  case list([JSONInput])
  case object([String: JSONInput])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let truth = try? container.decode(Bool.self) {
      self = .truth(truth)
    } else if let list = try? container.decode([JSONInput].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: JSONInput].self))
    }
  }

  /// What it is, as a message names it.
  var kind: String {
    switch self {
    case .null: "null"
    case .truth: "true or false"
    case .number: "a number"
    case .text: "a text"
    case .list: "a list"
    case .object: "an object"
    }
  }

  /// A text as JSON writes it, quotation marks included.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
