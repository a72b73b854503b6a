import Foundation
import Testing
import TriggerModel

/// Compares results with those of the C library, whose own error is less than 1 ulp.
@Suite struct DeterministicMathTests {
  /// Returns the distance between two finite doubles, in units of the last place of `b`.
  private func ulps(_ a: Double, _ b: Double) -> Double {
    a == b ? 0 : abs(a - b) / b.ulp
  }

  /// Returns a fixed sequence of numbers that are uniformly distributed on [0, 1).
  private func spread(_ count: Int) -> some Sequence<Double> {
    (0..<count).lazy.map { (Double($0) * 0.618033988749894848).truncatingRemainder(dividingBy: 1) }
  }

  @Test func `the logarithm is within 1 ulp`() {
    var worst = 0.0
    for u in spread(50_000) where u > 0 {
      for x in [u, 1 + (u - 0.5) * 1e-3, u * 1e6, 0x1p-1060 * u, Double.greatestFiniteMagnitude * u] {
        worst = max(worst, ulps(DeterministicMath.log(x), Foundation.log(x)))
      }
    }
    #expect(worst <= 2)
    // These numbers are the limits of the normal and of the finite numbers.
    let least = Double.leastNormalMagnitude
    for x in [
      .leastNonzeroMagnitude, least / 3, least.nextDown, least, least.nextUp, .greatestFiniteMagnitude,
    ] {
      #expect(ulps(DeterministicMath.log(x), Foundation.log(x)) <= 1, "\(x)")
    }
    #expect(DeterministicMath.log(-.leastNonzeroMagnitude).isNaN)
    #expect(DeterministicMath.log(-.infinity).isNaN)
    #expect(DeterministicMath.log(-0.0) == -.infinity)
    #expect(DeterministicMath.log(1) == 0)
    #expect(DeterministicMath.log(0) == -.infinity)
    #expect(DeterministicMath.log(-1).isNaN)
    #expect(DeterministicMath.log(.nan).isNaN)
    #expect(DeterministicMath.log(.infinity) == .infinity)
  }

  @Test func `the exponential is within 1 ulp`() {
    var worst = 0.0
    for u in spread(50_000) {
      for x in [u, -u, (u - 0.5) * 80, (u - 0.5) * 1_400, u * 1e-9] {
        worst = max(worst, ulps(DeterministicMath.exp(x), Foundation.exp(x)))
      }
    }
    #expect(worst <= 2)
    #expect(DeterministicMath.exp(0) == 1)
    #expect(DeterministicMath.exp(-.infinity) == 0)
    #expect(DeterministicMath.exp(-745.2) == 0)
    #expect(DeterministicMath.exp(-745.1) == .leastNonzeroMagnitude)
    #expect(DeterministicMath.exp(709.78) < .infinity)
    #expect(DeterministicMath.exp(709.79) == .infinity)
    #expect(DeterministicMath.exp(.infinity) == .infinity)
    #expect(DeterministicMath.exp(.nan).isNaN)
  }

  /// The oracle converts degrees to radians with a remainder, which is precise enough for -45 … 45 degrees.
  @Test func `sine and cosine are within 2 ulp`() {
    var worst = 0.0
    for u in spread(100_000) {
      let x = (u - 0.5) * 90
      let (radians, tail) = radians(x)
      // If t is half an ulp of r, then sin(r + t) = sin r + t cos r, with an error far below an ulp.
      let sine = Foundation.sin(radians) + tail * Foundation.cos(radians)
      let cosine = Foundation.cos(radians) - tail * Foundation.sin(radians)
      worst = max(worst, ulps(DeterministicMath.sinCosDegrees(x).sin, sine))
      worst = max(worst, ulps(DeterministicMath.cosDegrees(x), cosine))
    }
    #expect(worst <= 2)
  }

  /// Returns the angle in radians, as a double and a remainder.
  private func radians(_ degrees: Double) -> (head: Double, tail: Double) {
    let high = 0x1.1df46a2529d39p-6
    let low = 2.9486522708701687e-19  // π / 180 - high
    let head = degrees * high
    return (head, (-head).addingProduct(degrees, high) + degrees * low)
  }

  /// After any number of quarter turns, the results must be the same except for their signs and roles.
  @Test func `quarter turns are exact`() {
    for u in spread(5_000) {
      // The number is a multiple of 2⁻¹², so that adding turns is exact.
      let x = (u * 90 * 4_096).rounded() / 4_096
      let (s, c) = DeterministicMath.sinCosDegrees(x)
      for turns in [-1_000_000.0, -1, 0, 1, 1_000_000] {
        let base = x + turns * 360
        #expect(DeterministicMath.sinCosDegrees(base) == (s, c), "\(base)")
        #expect(DeterministicMath.sinCosDegrees(base + 180) == (-s, -c), "\(base)")
      }
      #expect(DeterministicMath.sinCosDegrees(-x).sin == -s)
      #expect(DeterministicMath.cosDegrees(-x) == c)
      #expect(DeterministicMath.cosDegrees(90 - x) == s)
    }
    #expect(DeterministicMath.sinCosDegrees(90) == (1, 0))
    #expect(DeterministicMath.sinCosDegrees(270) == (-1, 0))
    #expect(DeterministicMath.sinCosDegrees(.infinity).sin.isNaN)
    #expect(DeterministicMath.cosDegrees(.nan).isNaN)
  }

  /// The test compares bits, so it detects differences between processors, compilers and optimisation levels.
  @Test func `results have the expected bits`() {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for u in spread(100_000) where u > 0 {
      let (s, c) = DeterministicMath.sinCosDegrees((u - 0.5) * 720)
      for value in [s, c, DeterministicMath.log(u), DeterministicMath.exp((u - 0.5) * 100)] {
        hash = (hash ^ value.bitPattern) &* 0x0000_0100_0000_01b3
      }
    }
    #expect(hash == 0xf62b_6867_11e4_8421)
  }
}
