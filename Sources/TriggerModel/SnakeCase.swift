/// Names as stores and analytics have them.
package enum SnakeCase {
  /// `trainingDay` becomes `training_day`, and `openURL` becomes `open_url`. HealthKit is the name of a product
  /// and one word: `healthKitConnect` becomes `healthkit_connect`, the key under which the app of the seeds
  /// stores it.
  package static func of(_ name: String) -> String {
    let isOneWord = name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    if isOneWord { return name }
    var text = ""
    var isInWord = false
    for letter in name {
      if letter.isUppercase, isInWord { text.append("_") }
      text += letter.lowercased()
      isInWord = letter.isLowercase || letter.isNumber
    }
    var words = text.split(separator: "_", omittingEmptySubsequences: false)
    for index in words.indices.dropLast().reversed() where words[index...].starts(with: ["health", "kit"]) {
      words.replaceSubrange(index...index + 1, with: ["healthkit"])
    }
    return words.joined(separator: "_")
  }
}
