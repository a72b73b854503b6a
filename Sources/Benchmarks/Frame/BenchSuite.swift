/// The suites of `triggerbench bench`.
package enum BenchSuite: String, Sendable, CaseIterable {
  case matching, caps, kernel, regions, readers, replay
}
