/// Names as stores and analytics have them.
package enum SnakeCase {
  /// `healthKitConnect` becomes `health_kit_connect`, and `openURL` becomes `open_url`.
  package static func of(_ name: String) -> String {
    var text = ""
    var isInWord = false
    for letter in name {
      if letter.isUppercase, isInWord { text.append("_") }
      text += letter.lowercased()
      isInWord = letter.isLowercase || letter.isNumber
    }
    return text
  }
}
