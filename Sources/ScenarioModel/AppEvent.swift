package import DeviceSimulation
package import TriggerModel

/// What our app shows, asks or reaches by itself, beside its notifications.
package enum AppEvent: Hashable, Sendable, BitwiseCopyable {
  case primingShown(PrimingID)
  case primingSkipped(PrimingID)
  /// The system showed its prompt.
  case permissionRequested(PermissionKind)
  /// The answer to the prompt. What is changed in the system's settings is neither.
  case permissionGranted(PermissionKind)
  case permissionDenied(PermissionKind)
  /// The prompt came before there was any reminder that uses what it asks for.
  case promptEarly(PermissionKind)
  /// The prompt came when another one had come since the app came to the front.
  case promptStacked(PermissionKind)
  /// After a denial: where the person can change their mind.
  case settingsBannerShown
  /// The overlay over a locked surface.
  case surfaceShown(SurfaceID)
  case surfaceCallToAction(SurfaceID)
  case surfaceDismissed(SurfaceID)
  /// What unlocks the surface holds from now on, or no longer does.
  case surfaceUnlocked(SurfaceID)
  case surfaceLocked(SurfaceID)
  case milestone(MilestoneID)
  /// The person wants a reminder that the plan does not allow: it is one too many, or of a kind that is locked.
  case reminderRefused(ReminderID)
  /// The app shows an offer by itself, and nothing that was refused since it came to the front gave rise to it.
  case surfaceUnasked(SurfaceID)
  /// The person agrees, or no longer agrees, to analytics.
  case consentChanged(Bool)
  /// The person has done something to so many things at once: each has a record of its own.
  case batchDone(UInt32)
  /// The app asks before it does something to many things at once, and the person has changed their mind.
  case confirmationAsked
  case confirmationDeclined
}
