/// A field of a large value that has the compiler hand the value on by its address.
///
/// A method that changes nothing takes `self` as a whole: of a value whose fields are all known, the caller copies every
/// byte to its stack first, at each call that is not inlined. Of one with an existential among them it can only pass
/// where it is. For values of some hundred bytes whose methods the hot path calls; it takes 32 bytes of them itself.
package struct HandedOnByAddress: Sendable {
  private let nothing: (any Sendable)? = nil

  package init() {}
}
