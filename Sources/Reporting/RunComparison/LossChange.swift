/// A count of losses in both runs.
package struct LossChange: Hashable, Sendable {
  package var reminder: String
  package var reason: String
  package var first: Int
  package var second: Int
}
