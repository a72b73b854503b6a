import Reporting
import TestBench

extension Report.Versions {
  /// - Parameter engine: The command of the one under test; nil: the built-in one.
  static func current(engine: String? = nil) -> Report.Versions {
    Report.Versions(
      tool: Tool.version, timeZoneData: BenchVersions.timeZoneData, geos: BenchVersions.geos, engine: engine)
  }
}
