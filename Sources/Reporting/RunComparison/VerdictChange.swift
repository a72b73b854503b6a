/// An expectation or a gate whose verdict is another one; nil: the run has no such claim.
package struct VerdictChange: Hashable, Sendable {
  package var claim: String
  package var first: String?
  package var second: String?
}
