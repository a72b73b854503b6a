package import DeviceSimulation
package import ReminderMatching
package import TextFormats

/// What our app does beside its notifications. Identifiers are positions in the lists below.
package struct AppSetup: Hashable, Sendable {
  package var milestones: [Milestone] = []
  package var surfaces: [Surface] = []
  /// The contexts of priming that milestones, the time line and expectations name.
  package var primings: [String] = []
  /// Nil: no analytics event is emitted.
  package var analytics: AnalyticsSetup?
  /// Nil: as many reminders may wait at once as there are, and none is locked.
  package var room: ReminderRoom?
  /// What the time line does to several things at once.
  package var batches: [Batch] = []
  /// Of more things than this the app asks before it does something to all of them; nil: it never asks.
  package var confirmsAbove: Int?

  package init() {}
}

/// A moment in the app's life that comes once per install, such as the first workout.
package struct Milestone: Hashable, Sendable {
  package var name: String
  /// Any one makes the app look; there are no schedules, lapses or places among them.
  package var triggers: [Trigger]
  package var conditions: [Condition]
  /// The context of the priming that it gives rise to.
  package var priming: PrimingID?
  package var position: SourcePosition

  package init(
    name: String, triggers: [Trigger], conditions: [Condition], priming: PrimingID? = nil,
    position: SourcePosition
  ) {
    self.name = name
    self.triggers = triggers
    self.conditions = conditions
    self.priming = priming
    self.position = position
  }
}

/// A part of the app that stays locked until facts say otherwise.
package struct Surface: Hashable, Sendable {
  package var name: String
  /// It is unlocked while all of these hold.
  package var unlockedBy: [FactCondition]
  /// What the overlay promises; empty when the file does not say.
  package var benefit: String
  /// The notification types that count as reminding a guest; nil: every type.
  package var remindedBy: [String]?
  /// It offers a plan: the app shows it when it refuses a reminder.
  package var isOffer: Bool
  package var position: SourcePosition

  package init(
    name: String, unlockedBy: [FactCondition], benefit: String, remindedBy: [String]? = nil,
    isOffer: Bool = false, position: SourcePosition
  ) {
    self.name = name
    self.unlockedBy = unlockedBy
    self.benefit = benefit
    self.remindedBy = remindedBy
    self.isOffer = isOffer
    self.position = position
  }
}

/// Analytics events, which a person must agree to.
package struct AnalyticsSetup: Hashable, Sendable {
  /// Whether the person has agreed before the story begins.
  package var hasConsent: Bool
  package var position: SourcePosition

  package init(hasConsent: Bool, position: SourcePosition) {
    self.hasConsent = hasConsent
    self.position = position
  }
}
