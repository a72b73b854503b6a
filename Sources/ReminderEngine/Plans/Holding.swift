/// What may hold requests that the system has.
package protocol Holding: Sendable {
  var holdsAny: Bool { get }
}
