/// A step of a subscription: the person takes it in the store, or the store does.
package enum SubscriptionStep: Hashable, Sendable {
  case startTrial
  /// A product, by its position among those that the plans declare.
  case buy(Int)
  /// It is not to renew: what is paid for stays until it ends.
  case cancel
  case renewalFails, renewalRecovers
  case refund
  /// It ends now, whatever was paid for.
  case expire
}
