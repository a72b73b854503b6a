package import CivilTime
package import ReminderMatching
package import TextFormats
package import TriggerModel

/// A plan of the app, and the reminders that it allows.
package struct AppPlan: Equatable, Sendable {
  /// The maximum number of active reminders, or `nil` for no limit.
  package var reminders: Int?
  /// The allowed kinds of triggers, or `nil` for all kinds.
  package var triggers: [TriggerKind]?
  /// Whether a reminder may have several triggers or several conditions.
  package var isCompound: Bool
  /// The store products of this plan.
  package var products: [TableRow<BillingPeriod>]
  /// The terms of the trial, or `nil` if the plan is not a trial.
  package var trial: Trial?

  /// A plan that is granted once and for a limited time.
  package struct Trial: Equatable, Sendable {
    /// The plan whose limits apply during the trial.
    package var like: Located<String>
    package var lasts: TimeSpan
    package var ends: TrialEnd
    /// The plan that follows the trial, unless the person cancels before it ends.
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

  /// Returns whether the plan allows a reminder with this declaration.
  package func allows(_ reminder: ReminderDeclaration) -> Bool {
    if !isCompound, reminder.triggers.count > 1 || reminder.conditions.count > 1 { return false }
    return reminder.triggers.allSatisfy { triggers?.contains(TriggerKind($0)) ?? true }
  }
}

/// A kind of trigger that plans distinguish.
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

/// The rule that determines when a trial ends.
package enum TrialEnd: String, CaseIterable, Sendable {
  /// The trial ends after exactly the span `lasts`, in any zone. The store represents the end of a purchase
  /// as an instant. (developer.apple.com/documentation/storekit/transaction/expirationdate)
  case exactly
  /// The trial ends at the midnight after its last local day, in the phone's zone at that time. A flight to
  /// the west makes that day longer. The app itself grants such a trial, because the store offers none.
  case midnight
}

/// The time between payments, as calendar time in the zone of the purchase.
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

/// The store's rules for all plans.
package struct SubscriptionRules: Equatable, Sendable {
  /// The plan without a subscription. It applies at the start and after a subscription has ended.
  package var start: Located<String>
  /// How long the person keeps the plan after a renewal has failed. Apple offers 3, 16 and 28 days, with a
  /// default of 16.
  /// (developer.apple.com/help/app-store-connect/manage-subscriptions/enable-billing-grace-period)
  package var gracePeriod = TimeSpan.days(16)
  /// How long the store tries to collect a failed payment. Apple tries for 60 days.
  /// (developer.apple.com/documentation/storekit/product/subscriptioninfo/renewalstate/inbillingretryperiod)
  package var billingRetry = TimeSpan.days(60)

  package init(start: Located<String>) {
    self.start = start
  }
}

/// A change of a subscription, made by the person or by the store.
package enum SubscriptionStep: Hashable, Sendable {
  case startTrial
  /// The person buys a product. The associated value is its index among the products of all plans.
  case buy(Int)
  /// The person cancels the renewal. The paid period still runs to its end.
  case cancel
  case renewalFails, renewalRecovers
  case refund
  /// The subscription ends immediately, even during a paid period.
  case expire
}

/// The limit on the number of active reminders, which depends on a fact. The app counts the reminders. For
/// each reminder, it sets a fact that states whether the reminder is active, so that the engine knows.
///
/// Reminders become active in order of creation. The reminders that exist at the start are ordered by name. A
/// reminder does not count if it has fired for the last time, is deleted, or is locked. An inactive reminder
/// becomes active as soon as the limit allows it.
package struct ReminderLimit: Hashable, Sendable {
  /// The fact that determines the limit. It has the kind `name`.
  package var fact: FactID
  /// The limit for each possible value of the fact, or `nil` for no limit.
  package var limits: [Int?]

  package init(fact: FactID, limits: [Int?]) {
    self.fact = fact
    self.limits = limits
  }

  /// Returns the name of the fact that states whether a reminder is active.
  package static func factName(of reminder: String) -> String {
    "active." + reminder.split(separator: " ").joined(separator: "..")
  }

  /// Returns the reminders that exist at the start, in order of creation.
  package static func initialOrder(_ reminders: [ReminderDeclaration]) -> [Int] {
    reminders.indices.filter { !reminders[$0].isCreatedLater }.sorted { reminders[$0].id < reminders[$1].id }
  }

  /// Returns whether each reminder is active. For a reminder that does not exist, returns whether it would be
  /// active if the person created it now.
  ///
  /// - Parameters:
  ///   - order: The existing reminders, in order of creation.
  ///   - isLocked: Whether the plan locks each reminder.
  package func places(_ order: [Int], at name: Int, isLocked: [Bool]) -> [Bool] {
    var left = limits.indices.contains(name) ? limits[name] ?? .max : .max
    var result = Array(repeating: false, count: isLocked.count)
    var waits = result
    for reminder in order {
      waits[reminder] = true
      if isLocked[reminder] || left == 0 { continue }
      result[reminder] = true
      left -= 1
    }
    for reminder in result.indices where !waits[reminder] { result[reminder] = left > 0 }
    return result
  }

  /// Returns whether a condition of a reminder excludes the plan with this number.
  package static func isLocked(_ reminder: ReminderDeclaration, by fact: String, at name: Int) -> Bool {
    reminder.conditions.contains { condition in
      guard case .fact(let comparison) = condition, comparison.reason == .notEntitled,
        comparison.quantity == .value(fact), comparison.comparison == .equal
      else { return false }
      return !comparison.constants.contains(.name(name))
    }
  }
}
