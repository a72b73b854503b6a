import SimulationKernel
import TriggerModel

/// The increments of the kernel's benchmark: how long after an event the next one lies.
///
/// Increment i is a function of i alone, the same for every program that is compared: an entry of a
/// table of 4,096 exponential quantiles, chosen by a hash of i, and 24 further bits of that hash. No
/// period exists for a branch predictor to learn.
package struct KernelWorkload: Sendable {
  /// In milliseconds.
  package let table: [Int64]
  /// Increments are rounded up to a multiple of this, in milliseconds.
  package let quantum: Int64

  /// - Parameter quantum: 1 for hardly any ties; larger than the increments for nothing else.
  package init(quantum: Int64 = 1) {
    table = (0..<4_096).map { entry in
      Int64(-1e9 * DeterministicMath.log(1 - (Double(entry) + 0.5) / 4_096))
    }
    self.quantum = quantum
  }

  @inline(__always)
  package func increment(_ index: Int) -> Int64 {
    let bits = Self.hash(UInt64(truncatingIfNeeded: index))
    let exact = table[Int(bits & 4_095)] + Int64(bits >> 12 & 0xFF_FFFF)
    return quantum == 1 ? exact : (exact + quantum - 1) / quantum * quantum
  }

  /// The entity that operation `index` of the snooze model puts off.
  @inline(__always)
  package func victim(_ index: Int, of count: Int) -> Int {
    Int(Self.hash(UInt64(truncatingIfNeeded: index) ^ 0xD1B5_4A32_D192_ED03) % UInt64(count))
  }

  /// The index-th number of SplitMix64.
  @inline(__always)
  private static func hash(_ index: UInt64) -> UInt64 { RandomKey(rawValue: 0).draw(index) }
}
