/// How a figure came about.
package enum Evidence: String, Hashable, Sendable, CaseIterable {
  /// Counted in this run.
  case instrumented
  /// A parameter of the scenario, or counted among what the scenario states.
  case declared
  /// A model's default.
  case assumed
}
