package import CivilTime
package import ReminderMatching
package import TextFormats
package import TriggerModel

/// What the app sells, and what of its reminders each plan allows.
package struct AppPlan: Equatable, Sendable {
  /// How many reminders may wait at once; nil: as many as there are.
  package var reminders: Int?
  /// The kinds of triggers that it allows; nil: all of them.
  package var triggers: [TriggerKind]?
  /// Whether a reminder may have several triggers, or several conditions.
  package var isCompound: Bool
  /// What the store sells of it.
  package var products: [TableRow<BillingPeriod>]
  /// Nil: it is no trial.
  package var trial: Trial?

  /// A plan for a time, and once.
  package struct Trial: Equatable, Sendable {
    /// The plan whose limits are the trial's.
    package var like: Located<String>
    package var lasts: TimeSpan
    package var ends: TrialEnd
    /// The plan that follows unless the person cancels before.
    package var then: Located<String>

    package init(like: Located<String>, lasts: TimeSpan, ends: TrialEnd, then: Located<String>) {
      self.like = like
      self.lasts = lasts
      self.ends = ends
      self.then = then
    }
  }

  package init(
    reminders: Int?, triggers: [TriggerKind]?, isCompound: Bool, products: [TableRow<BillingPeriod>]
  ) {
    self.reminders = reminders
    self.triggers = triggers
    self.isCompound = isCompound
    self.products = products
  }

  /// Whether it allows a reminder, as far as its declaration goes.
  package func allows(_ reminder: ReminderDeclaration) -> Bool {
    if !isCompound, reminder.triggers.count > 1 || reminder.conditions.count > 1 { return false }
    return reminder.triggers.allSatisfy { triggers?.contains(TriggerKind($0)) ?? true }
  }
}

/// Of the triggers, as a plan tells them apart.
package enum TriggerKind: String, CaseIterable, Sendable {
  case time, unlock, charging, location, app, open, fact

  package init(_ trigger: Trigger) {
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
package enum TrialEnd: String, CaseIterable, Sendable {
  /// So much time after it began, wherever the phone is. The store knows the end of what it sold as an instant.
  /// (developer.apple.com/documentation/storekit/transaction/expirationdate)
  case exactly
  /// At the midnight with which its last local day ends, where the phone is then: a flight west makes that day longer.
  /// The app grants such a trial itself; the store knows none.
  case midnight
}

/// From one payment to the next, where the person bought, wherever the phone is later.
package enum BillingPeriod: String, CaseIterable, Sendable {
  case week, month, year

  package var frequency: Recurrence.Frequency {
    switch self {
    case .week: .weekly
    case .month: .monthly
    case .year: .yearly
    }
  }
}

/// What the store does, whatever the plan.
package struct SubscriptionRules: Equatable, Sendable {
  /// The plan without a subscription: at the start, and when one has ended.
  package var start: Located<String>
  /// How long a renewal may fail before the plan is lost. Apple offers 3, 16 and 28 days; 16 if missing.
  /// (developer.apple.com/help/app-store-connect/manage-subscriptions/enable-billing-grace-period)
  package var gracePeriod = TimeSpan.days(16)
  /// How long the store tries to be paid, counted from the failure. Apple tries for 60 days.
  /// (developer.apple.com/documentation/storekit/product/subscriptioninfo/renewalstate/inbillingretryperiod)
  package var billingRetry = TimeSpan.days(60)

  package init(start: Located<String>) {
    self.start = start
  }
}
