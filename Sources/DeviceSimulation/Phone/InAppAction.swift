package import TriggerModel

package enum PrimingSubject {}
package enum SurfaceSubject {}
package enum MilestoneSubject {}
package enum BatchSubject {}

/// What gave rise to a priming view: the app's own name for it, as its analytics call it.
package typealias PrimingID = DenseID<PrimingSubject>
/// A part of our app that some condition keeps locked.
package typealias SurfaceID = DenseID<SurfaceSubject>
/// A moment in our app's life that comes once per install.
package typealias MilestoneID = DenseID<MilestoneSubject>
/// What the person does to several things at once.
package typealias BatchID = DenseID<BatchSubject>

/// What the person does in our app, or the app shows by itself, and the system has no part in.
package enum InAppAction: Hashable, Sendable, BitwiseCopyable {
  /// The app wants to show its own view that says what notifications are good for, before it asks the
  /// system: now if it is in front, otherwise when it comes there.
  case prime(PrimingID)
  /// The person puts the priming off.
  case skipPriming
  /// The person goes to a surface; while it is locked an overlay covers it.
  case visit(SurfaceID)
  /// The app shows a locked surface's overlay by itself, whatever the person does.
  case show(SurfaceID)
  /// The person follows the overlay's call to action.
  case callToAction(SurfaceID)
  /// The person closes the overlay: "Maybe later".
  case maybeLater
  /// The person agrees, or no longer agrees, to analytics.
  case consent(Bool)
  /// In a list of the app, the person does the same to several things at once.
  case batch(BatchID)
}
