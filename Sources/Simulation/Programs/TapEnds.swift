import DeviceSimulation

/// Of each tap of a program, in the order of happening, whether a later event says when our app goes from the front
/// again. A bit for each.
struct TapEnds: Sendable {
  private var bits: [UInt64] = []
  private var count = 0

  /// - Complexity: O(n)
  init(_ events: some Sequence<ProgramEvent>) {
    // By device: the last tap, as long as nothing further was said of the app in front.
    var open: [UInt8: Int] = [:]
    for event in events {
      switch event.event {
      case .tap:
        open[event.device] = count
        if count % 64 == 0 { bits.append(0) }
        count += 1
      case .openOwnApp, .openLink: open[event.device] = nil
      case .leaveOwnApp, .forceQuit, .terminate, .openApp, .powerOff, .reinstall:
        if let tap = open.removeValue(forKey: event.device) { bits[tap / 64] |= 1 << UInt64(tap % 64) }
      default: break
      }
    }
  }

  subscript(tap: Int) -> Bool { bits[tap / 64] & 1 << UInt64(tap % 64) != 0 }

  /// Marks the taps among events.
  static func mark(_ events: inout [ProgramEvent]) {
    let ends = TapEnds(events)
    if ends.count == 0 { return }
    var tap = 0
    for index in events.indices {
      guard case .tap = events[index].event else { continue }
      events[index].isEndSaid = ends[tap]
      tap += 1
    }
  }
}
