/// Three doubles. Not a SIMD type: its sums are written out, so that their order is plain to see.
struct Vector: Hashable, Sendable, BitwiseCopyable {
  var x: Double
  var y: Double
  var z: Double

  static func - (a: Vector, b: Vector) -> Vector {
    Vector(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
  }

  func dot(_ other: Vector) -> Double {
    x * other.x + y * other.y + z * other.z
  }

  var length: Double { dot(self).squareRoot() }
}
