import CivilTime
import ReminderMatching
import TextFormats
import TriggerModel

/// What the app sells, and what of its reminders each plan allows.
struct Plan {
  /// How many reminders may wait at once; nil: as many as there are.
  var reminders: Int?
  /// The kinds of triggers that it allows; nil: all of them.
  var triggers: [TriggerKind]?
  /// Whether a reminder may have several triggers, or several conditions.
  var isCompound: Bool
  /// What the store sells of it.
  var products: [TableRow<BillingPeriod>]
  /// Nil: it is no trial.
  var trial: Trial?

  /// A plan for a time, and once.
  struct Trial {
    /// The plan whose limits are the trial's.
    var like: Located<String>
    var lasts: TimeSpan
    var ends: TrialEnd
    /// The plan that follows unless the person cancels before.
    var then: Located<String>
  }

  /// Whether it allows a reminder, as far as its declaration goes.
  func allows(_ reminder: ReminderDeclaration) -> Bool {
    if !isCompound, reminder.triggers.count > 1 || reminder.conditions.count > 1 { return false }
    return reminder.triggers.allSatisfy { triggers?.contains(TriggerKind($0)) ?? true }
  }
}

/// Of the triggers, as a plan tells them apart.
enum TriggerKind: String, CaseIterable, Sendable {
  case time, unlock, charging, location, app, open, fact

  init(_ trigger: Trigger) {
    self =
      switch trigger {
      case .unlock: .unlock
      case .chargingStarted, .chargingStopped: .charging
      case .appOpened: .app
      case .opened: .open
      case .regionEntered, .regionExited: .location
      case .factChanged: .fact
      case .scheduled, .lapsed, .repeating: .time
      }
  }
}

/// When a trial is over.
enum TrialEnd: String, CaseIterable, Sendable {
  /// So much time after it began, wherever the phone is. The store knows the end of what it sold as an instant.
  /// (developer.apple.com/documentation/storekit/transaction/expirationdate)
  case exactly
  /// At the midnight with which its last local day ends, where the phone is then: a flight west makes that day longer.
  /// The app grants such a trial itself; the store knows none.
  case midnight
}

/// From one payment to the next.
enum BillingPeriod: String, CaseIterable, Sendable {
  case week, month, year
}

/// What the store does, whatever the plan.
struct SubscriptionRules {
  /// The plan without a subscription: at the start, and when one has ended.
  var start: Located<String>
  /// How long a renewal may fail before the plan is lost. Apple offers 3, 16 and 28 days; 16 if missing.
  /// (developer.apple.com/help/app-store-connect/manage-subscriptions/enable-billing-grace-period)
  var gracePeriod = TimeSpan.days(16)
  /// How long the store tries to be paid, counted from the failure. Apple tries for 60 days.
  /// (developer.apple.com/documentation/storekit/product/subscriptioninfo/renewalstate/inbillingretryperiod)
  var billingRetry = TimeSpan.days(60)
}

/// The state of a subscription, in the store's words, and `none` where there never was one. The person has what is
/// paid for while it is subscribed or in its grace period.
/// (developer.apple.com/documentation/storekit/product/subscriptioninfo/renewalstate)
enum SubscriptionState: String, CaseIterable {
  case none, subscribed, inGracePeriod, inBillingRetryPeriod, expired, revoked
}
