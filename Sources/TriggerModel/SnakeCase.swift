/// Names as stores and analytics have them.
package enum SnakeCase {
  /// `trainingDay` becomes `training_day`, and `openURL` becomes `open_url`. HealthKit is the name of a product
  /// and one word: `healthKitConnect` becomes `healthkit_connect`, the key under which the app of the seeds
  /// stores it.
  package static func of(_ name: String) -> String {
    var text = ""
    var isInWord = false
    for letter in name {
      if letter.isUppercase, isInWord { text.append("_") }
      text += letter.lowercased()
      isInWord = letter.isLowercase || letter.isNumber
    }
    return text.replacing("health_kit", with: "healthkit")
  }
}
