/// The state of a subscription, in the store's words, and `none` where there never was one. The person has what is
/// paid for while it is subscribed or in its grace period.
/// (developer.apple.com/documentation/storekit/product/subscriptioninfo/renewalstate)
enum SubscriptionState: String, CaseIterable {
  case none, subscribed, inGracePeriod, inBillingRetryPeriod, expired, revoked
}
