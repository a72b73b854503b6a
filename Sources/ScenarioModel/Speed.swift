/// How fast somebody goes, exactly as it was written.
package struct Speed: Hashable, Sendable {
  /// Greater than 0.
  package var millimetresPerHour: Int64

  package init(millimetresPerHour: Int64) {
    self.millimetresPerHour = millimetresPerHour
  }

  package var metresPerSecond: Double { Double(millimetresPerHour) / 3_600_000 }
}
