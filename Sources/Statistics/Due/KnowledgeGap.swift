/// What the accounts say, beside the phone's own causes, of an app that did not know what was so.
package enum KnowledgeGap: String, Hashable, Sendable, CaseIterable {
  /// Told, and too late.
  case toldLate
  /// Nothing says why: the run ended before it could be told, or the phone does not tell of such things.
  case notTold
  /// The trigger was told, and not what a condition needs.
  case conditionUnseen
  /// A schedule's time came, and the app did not run.
  case notWoken
  /// An old state was found in the store.
  case storeStale
  /// Asked for, and nothing was due.
  case unfounded
}
