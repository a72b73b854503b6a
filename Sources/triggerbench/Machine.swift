import Foundation

/// What the tool runs on.
enum Machine {
  /// How many things are done at a time: as many as are asked for, and no more than there are cores. The results are
  /// the same.
  static func jobs(_ wanted: Int?) -> Int {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    return min(wanted ?? cores, cores)
  }
}
