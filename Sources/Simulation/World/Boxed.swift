/// A value at the other end of a reference, so that where it is absent it takes the room of a reference and no more,
/// and is moved and asked for as cheaply.
///
/// A value all the same: copies share it until one of them changes it, which takes a copy of its own then.
struct Boxed<Value: Sendable>: Sendable {
  /// Always one: an array is a box that the language keeps.
  private var storage: [Value]

  init(_ value: Value) { storage = [value] }

  var value: Value {
    @inline(__always) _read { yield storage[0] }
    @inline(__always) _modify { yield &storage[0] }
  }
}
