package import DeviceSimulation
package import ReminderMatching
package import TextFormats
package import TriggerModel

/// The setup of the app under test, except its notifications. An identifier is an index into one of these
/// lists.
package struct AppSetup: Hashable, Sendable {
  package var milestones: [Milestone] = []
  package var surfaces: [Surface] = []
  /// The priming contexts that milestones, the time line and expectations use.
  package var primings: [String] = []
  /// The analytics setup, or `nil` if the app sends no analytics events.
  package var analytics: AnalyticsSetup?
  /// The limit on active reminders, or `nil` if there is none.
  package var reminderLimit: ReminderLimit?
  /// The batches on the time line.
  package var batches: [Batch] = []
  /// The maximum number of items that the app changes in one batch without asking for confirmation, or `nil`
  /// if it never asks.
  package var confirmsAbove: Int?

  package init() {}
}

/// An event in the app's life that occurs once per installation, such as the first workout.
package struct Milestone: Hashable, Sendable {
  package var name: String
  /// The triggers of the milestone. Any one suffices. Schedules, lapses and places are not allowed.
  package var triggers: [Trigger]
  package var conditions: [Condition]
  /// The priming context that the milestone shows, or `nil` if it shows none.
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

/// A part of the app that stays locked until facts unlock it.
package struct Surface: Hashable, Sendable {
  package var name: String
  /// The conditions that must all hold to unlock the surface.
  package var unlockedBy: [FactCondition]
  /// The benefit that the overlay states, or an empty string.
  package var benefit: String
  /// The notification types that remind a guest of the surface, or `nil` if all types do.
  package var remindedBy: [String]?
  /// Whether the surface offers a plan. The app shows an offer when it refuses a reminder.
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

/// Analytics events, which require the person's consent.
package struct AnalyticsSetup: Hashable, Sendable {
  /// Whether the person had consented before the start.
  package var hasConsent: Bool
  package var position: SourcePosition

  package init(hasConsent: Bool, position: SourcePosition) {
    self.hasConsent = hasConsent
    self.position = position
  }
}

/// A simultaneous change of several items in a list of the app under test.
///
/// Each change has its own record, as if the person had made it separately. The members are selected when the
/// batch is carried out.
package struct Batch: Hashable, Sendable {
  package enum Choice: Hashable, Sendable {
    /// Reminders that are overdue or due today.
    case due
    /// Reminders that the person has selected.
    case selected
    /// All members in one part of the list, which move to another part.
    case part
  }

  /// A part of the list, consisting of the entries whose `fact` has the value `value`.
  package struct Part: Hashable, Sendable {
    package var fact: FactID
    package var value: FactValue

    package init(_ fact: FactID, is value: FactValue) {
      self.fact = fact
      self.value = value
    }
  }

  /// An entry of the list that the batch may include.
  package struct Member: Hashable, Sendable {
    /// The reminder, or `nil` if the member is an item.
    package var reminder: ReminderID?
    /// The fact that the batch sets.
    package var fact: FactID
    /// The new value of the fact, or `nil` to set it to the instant of the batch.
    package var value: FactValue?
    /// The part of the list that must contain the member, or `nil` for any part.
    package var part: Part?

    package init(reminder: ReminderID? = nil, fact: FactID, value: FactValue? = nil, part: Part? = nil) {
      self.reminder = reminder
      self.fact = fact
      self.value = value
      self.part = part
    }
  }

  /// The batch in the words of the time line, such as "complete all water in room kitchen".
  package var words: String
  package var choice: Choice
  package var members: [Member]
  /// Whether the person confirms the batch if the app asks.
  package var isConfirmed: Bool

  package init(words: String, _ choice: Choice, _ members: [Member], isConfirmed: Bool = true) {
    self.words = words
    self.choice = choice
    self.members = members
    self.isConfirmed = isConfirmed
  }
}

/// An event in the app under test that does not concern its notifications.
package enum AppEvent: Hashable, Sendable, BitwiseCopyable {
  case primingShown(PrimingID)
  case primingSkipped(PrimingID)
  /// The system showed its prompt.
  case permissionRequested(PermissionKind)
  /// The person granted the permission at the prompt. A change in the system's settings does not cause this
  /// event.
  case permissionGranted(PermissionKind)
  case permissionDenied(PermissionKind)
  /// The system showed its prompt before any reminder used the permission.
  case promptEarly(PermissionKind)
  /// The system showed a second or later prompt since the app came to the foreground.
  case promptStacked(PermissionKind)
  /// After a denial, the app showed where the person can change this decision.
  case settingsBannerShown
  /// The app showed the overlay of a locked surface.
  case surfaceShown(SurfaceID)
  case surfaceCallToAction(SurfaceID)
  case surfaceDismissed(SurfaceID)
  /// The conditions that unlock the surface have become true.
  case surfaceUnlocked(SurfaceID)
  case surfaceLocked(SurfaceID)
  case milestone(MilestoneID)
  /// The plan refused a reminder that the person tried to add, because of the limit or the kind of the
  /// reminder.
  case reminderRefused(ReminderID)
  /// The app showed an offer, although the plan had not refused a reminder since the app came to the
  /// foreground.
  case surfaceUnasked(SurfaceID)
  /// The person gave or withdrew consent to analytics.
  case consentChanged(Bool)
  /// The person changed this number of items in one batch. Each change also has its own record.
  case batchDone(UInt32)
  /// The app asked for confirmation before it changed many items.
  case confirmationAsked
  case confirmationDeclined
}
