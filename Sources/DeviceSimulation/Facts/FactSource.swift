package import TriggerModel

package enum FactSourceSubject {}

/// Where the app has facts from, such as the system's health data: the user can deny it to read there.
package typealias FactSourceID = DenseID<FactSourceSubject>

/// How the app comes to know one fact.
package struct FactAccess: Hashable, Sendable, BitwiseCopyable {
  /// Nil: the app's own; nobody can deny it.
  package var source: FactSourceID?
  /// What the app takes for the value while it cannot read it. A denied read looks like no data, of which
  /// an app may make a zero.
  package var whenUnreadable: FactValue

  package init(source: FactSourceID? = nil, whenUnreadable: FactValue = .missing) {
    self.source = source
    self.whenUnreadable = whenUnreadable
  }
}
