extension FixedWidthInteger where Self: SignedInteger {
  /// The quotient rounded towards minus infinity, so that days before 1970 count like those after.
  @inlinable @inline(__always)
  package func floorDivided(by divisor: Self) -> Self {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// What remains after ``floorDivided(by:)``: 0 ..< divisor.
  @inlinable @inline(__always)
  package func floorRemainder(by divisor: Self) -> Self {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}
