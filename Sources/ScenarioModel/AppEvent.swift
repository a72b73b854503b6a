package import DeviceSimulation

/// What our app shows, asks or reaches by itself, beside its notifications.
package enum AppEvent: Hashable, Sendable, BitwiseCopyable {
  case primingShown(PrimingID)
  case primingSkipped(PrimingID)
  /// The system showed its prompt.
  case permissionRequested
  /// The answer to the prompt. What is changed in the system's settings is neither.
  case permissionGranted
  case permissionDenied
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
  /// The person agrees, or no longer agrees, to analytics.
  case consentChanged(Bool)
}
