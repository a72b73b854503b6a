import ScenarioModel
import TextFormats
import TriggerModel

/// Steps of a subscription: the short forms, and the keys of the long ones.
enum SubscriptionActions {
  /// Those that need no name: the name of the long form's event, the words, and the action.
  static let plain: [(name: String, words: String, action: TimelineAction)] = [
    ("startTrial", "start trial", .subscription(.startTrial)),
    ("cancelSubscription", "cancel subscription", .subscription(.cancel)),
    ("renewalFails", "renewal fails", .subscription(.renewalFails)),
    ("renewalRecovers", "renewal recovers", .subscription(.renewalRecovers)),
    ("refund", "refund", .subscription(.refund)),
    ("subscriptionExpires", "subscription expires", .subscription(.expire)),
  ]

  static var phrases: [Phrase<TimelineAction>] {
    [Phrase("buy", .product) { .subscription(.buy($0)) }]
  }

  static func read(_ fields: Fields<TimelineAction>) -> [TimelineAction.Choice] {
    let product = fields.optional(
      "buy", .scalar(.product), "a product of a plan that the person buys",
      from: { if case .subscription(.buy(let product)) = $0 { product } else { nil } })
    return [("buy", product.map { .subscription(.buy($0)) })]
  }
}

extension Atom<Int> {
  /// A product that a plan declares.
  fileprivate static var product: Atom {
    Atom(
      name: "PRODUCT", meaning: "the name of a product", pattern: Atom<String>.namePattern,
      write: { product, writer in .string(writer.known.scenario.plans?.products[product] ?? "") }
    ) { word, reader in
      if let position = reader.names.products.position(of: word.text) { return position }
      reader.error(
        "unknown product '\(word.text)'", at: word.position,
        hint: NearestNames.hint(for: word.text, among: reader.names.products.all)
          ?? "declare it under 'plans', such as 'paid: {products: {\(word.text): month}}'")
      return nil
    }
  }
}
